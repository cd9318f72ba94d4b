"""The code of a plug-in: its distribution, its sources, and what these import."""

import os
import sys
from importlib import import_module, invalidate_caches
from importlib.metadata import PathDistribution
from time import time

import pytest

from meshgui.experiment import plugin_code
from meshgui.experiment.plugin_code import code_of
from tests.third_party import lay_out

MODULES = {
    "planned": "import planned_helper\nimport numpy\n\nclass Planned: pass\n",
    "planned_helper": "def look():\n    from planned_package import deep\n",
    "planned_package/__init__": "",
    "planned_package/deep": "import json, planned_other\n",
}
OTHER = {"planned_other": ""}
POINTS = "[group]\nplanned = planned:Planned\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two distributions as pip installs them: `planned`, and `other` with the module planned_other."""
    (tmp_path / "planned_package").mkdir()
    lay_out(tmp_path, "planned", "1.0", POINTS, MODULES)
    lay_out(tmp_path, "other", "3.1", "", OTHER)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("planned")]:
        del sys.modules[name]


def code(folder, loaded=None):
    """Of the class as it is there now, as a process would find it that has just loaded it."""
    invalidate_caches()
    plugin_code._distributions.cache_clear()
    [point] = PathDistribution(folder / "planned.dist-info").entry_points
    cls = import_module("planned").Planned
    return code_of(point, cls, time() + 10 if loaded is None else loaded)


def test_the_code_names_distribution_version_sources_and_other_distributions(folder):
    """Those that the engine works with, and the standard library, are left out."""
    name, rest = code(folder).split(" (sources ")
    assert name == "planned 1.0"
    assert rest[16:] == "; other 3.1)"
    assert code(folder) == code(folder)


@pytest.mark.parametrize("edited", MODULES)
def test_every_source_counts_that_is_imported_from_anywhere(folder, edited):
    """The module itself, one beside it, and all of a package that only a function imports."""
    before = code(folder)
    with (folder / f"{edited}.py").open("a", encoding="utf-8") as file:
        file.write("x = 1\n")
    assert code(folder) != before


def test_what_is_not_imported_does_not_count_and_a_new_version_is_other_code(folder):
    """Nor does the text of another distribution, whose version does, as does its own."""
    before = code(folder)
    for name in ("not_imported.py", "planned_other.py"):
        (folder / name).write_text("x = 1\n", encoding="utf-8")
    assert code(folder) == before
    lay_out(folder, "other", "3.2", "", OTHER)
    assert code(folder) == before.replace("other 3.1", "other 3.2")
    before = code(folder)
    lay_out(folder, "planned", "1.1", POINTS, MODULES)
    assert code(folder) == before.replace("planned 1.0", "planned 1.1")


def test_a_distribution_that_is_edited_in_its_place_counts_by_its_sources(
    folder, tmp_path_factory, monkeypatch
):
    """As its version says nothing; what runs is then another than what is in the file."""
    elsewhere = tmp_path_factory.mktemp("checkout")
    (folder / "planned_other.py").rename(elsewhere / "planned_other.py")
    monkeypatch.syspath_prepend(elsewhere)
    before = code(folder)
    assert "other" not in before
    (elsewhere / "planned_other.py").write_text("x = 1\n", encoding="utf-8")
    assert code(folder) != before
    before = code(folder)
    os.utime(folder / "planned_helper.py", (2000, 2000))
    assert code(folder, loaded=1e12) == before
    assert code(folder, loaded=1000) == before.removesuffix(")") + "; edited since it was loaded)"
