"""Every strategy has a page, also one that nobody wrote a page for."""

import pytest

from meshgui.catalogue.sources import cite
from meshgui.engine.allocation.first_fit import FirstFit
from meshgui.engine.allocation.pseudo_code import Line
from meshgui.engine.allocation.registry import strategies
from meshgui.model.help_pages import help_page, worked_example
from tests.scenarios import parse_scenario


class Stranger(FirstFit):
    """The first base, by somebody else."""

    id = "stranger"
    title = "Stranger Fit"


class Explained(Stranger):
    """Brings its own page."""

    help = """
        # Explained

        In its own words.
        """


def test_a_strategy_of_the_project_has_the_page_of_its_file():
    """A class may bring its own, indented as in its source; blocks of other kinds are passed over."""
    assert help_page(strategies()["2dbs"]).startswith("# 2D Buddy System\n")
    assert help_page(strategies()["pald-ff"]) == help_page(strategies()["pald-bf"])
    assert help_page(Explained) == "# Explained\n\nIn its own words.\n"
    page = "# A\n\n```text\n{1}\n```\n\n```json\n{2}\n```\n\n```json\n{3}\n```\n"
    assert worked_example(page) == "{2}\n"


def test_without_a_page_the_class_says_what_it_knows():
    """Its title, docstring, kind and source, and its pseudo-code, with that of releases where it has some."""

    class Folding(Stranger):
        release_lines = (Line("fold", "fold the tree"), Line("merge", "merge the leaves", 1))

    page = help_page(Stranger)
    assert page.startswith("# Stranger Fit\n\nThe first base, by somebody else.\n")
    assert "2D and 3D meshes, gives one box for each job" in page
    assert "\n  for each processor, in scan order:\n" in page
    assert page.endswith(f"## Source\n\n{cite(FirstFit.source)}\n")
    assert worked_example(page) is None
    assert "## Release" not in page
    assert "## Release\n\n```text\nfold the tree\n  merge the leaves\n```" in help_page(Folding)


@pytest.mark.parametrize("name", list(strategies()))
def test_the_worked_example_of_every_page_can_be_opened(name):
    """It is a scenario, whole."""
    example = worked_example(help_page(strategies()[name]))
    if example is None:
        pytest.skip("its page has no example")
    assert parse_scenario(example).workload.kind == "list"
