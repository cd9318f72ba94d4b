"""The notebooks: their cells run one after the other, and show what is stored in them."""

import re

import pytest

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.translation import ENGLISH, speaking
from tests.tools import tool

NOTEBOOKS = tool("notebooks")


@pytest.fixture(autouse=True)
def strategies_of_their_own():
    """What a notebook registers is gone after it."""
    yield
    for name in [*strategies().registered]:
        del strategies()[name], strategies().registered[name]


@pytest.mark.parametrize("path", NOTEBOOKS.notebooks(), ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_says(path):
    """`make notebooks` runs it again; without Jupyter, in an empty folder, in English."""
    stored = NOTEBOOKS.read(path)
    with speaking(ENGLISH):
        made = NOTEBOOKS.run(stored)
    for cell, again in zip(stored["cells"], made["cells"], strict=True):
        assert again.get("outputs") == cell.get("outputs"), "".join(cell["source"])
    assert NOTEBOOKS.as_text(made) == path.read_text(encoding="utf-8")


def test_there_are_four_of_the_format_that_jupyter_reads():
    """First steps, a study, a trace, a strategy; each cell has an id of its own, and a page has all of it."""
    names = [path.stem for path in NOTEBOOKS.notebooks()]
    assert names == ["1-first-steps", "2-a-study", "3-a-trace", "4-your-own-strategy"]
    for notebook in map(NOTEBOOKS.read, NOTEBOOKS.notebooks()):
        assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
        ids = [cell["id"] for cell in notebook["cells"]]
        assert len(set(ids)) == len(ids)
        page = NOTEBOOKS.page(notebook)
        assert page.startswith(f"# {NOTEBOOKS.title(notebook)}\n")
        assert len(re.findall("^```python$", page, re.MULTILINE)) == sum(
            cell["cell_type"] == "code" for cell in notebook["cells"]
        )
