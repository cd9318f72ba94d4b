"""Packages of others: where an error of theirs is, and which code counts as theirs."""

import json
import os
import sys
from importlib import import_module, invalidate_caches
from importlib.metadata import EntryPoint, PathDistribution
from time import time
from types import SimpleNamespace

import pytest

from meshgui.engine.basics import plugin_classes
from meshgui.engine.basics.plugin_classes import find_plugins
from meshgui.engine.basics.plugins import failure
from meshgui.experiment import plugin_code
from meshgui.experiment.plugin_code import code_of
from tests.third_party import lay_out

PLACE = SimpleNamespace(filename="elsewhere/data.json", line=7)


class PlacedError(ValueError):
    """An error that has a place of its own, as those of parsers do."""

    loc = PLACE


class CompilerError(Exception):
    """As one of the compiler's, which may have no place."""

    loc = None


def test_only_the_compilers_errors_say_where_they_are():
    """The place of another is in a file that is no code."""
    assert (
        failure("fits", "allocating", PlacedError("bad")) == "fits failed while allocating: PlacedError: bad"
    )
    compilers = type("TypingError", (Exception,), {"loc": PLACE, "__module__": "numba.core.errors"})
    assert failure("fits", "allocating", compilers("bad")).endswith("TypingError: bad (data.json:7)")
    placeless = type("NumbaError", (CompilerError,), {"__module__": "numba.core.errors"})
    assert failure("fits", "allocating", placeless("bad")).endswith("NumbaError: bad")


def test_an_error_that_a_library_raises_is_placed_in_the_package_that_called_it():
    """Not in the library; nor at all where no package is to blame."""
    scope = {"__name__": "fits.inner", "json": json}
    exec(compile("def call():\n    json.loads('{')", "fits/inner.py", "exec"), scope)  # noqa: S102 - our own
    with pytest.raises(json.JSONDecodeError) as caught:
        scope["call"]()
    assert failure("fits", "allocating", caught.value, home="fits").endswith("(char 1) (inner.py:2)")
    assert failure("fits", "allocating", caught.value, home="other").endswith("(char 1)")
    assert failure("fits", "allocating", caught.value).endswith("(char 1)")


def test_third_party_classes_stand_in_order_of_id(monkeypatch: pytest.MonkeyPatch):
    """After the project's own; whatever their entry points are called, of which ids are independent."""
    classes = {name: type(name, (), {"id": name}) for name in ("own", "zigzag", "spiral", "any")}
    named = {"a": "zigzag", "b": "any", "c": "spiral"}
    points = [EntryPoint(name, f"package:{name}", "group") for name in named]
    monkeypatch.setattr(EntryPoint, "load", lambda point: classes[named[point.name]])
    monkeypatch.setattr(plugin_classes, "entry_points", lambda *, group: points if group == "group" else [])
    found = find_plugins("group", "strategy", {"own": classes["own"]}, lambda thing, _: thing, ValueError)
    assert list(found) == ["own", "any", "spiral", "zigzag"]


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


def test_what_is_not_imported_does_not_count_and_versions_and_edited_sources_do(
    folder, tmp_path_factory, monkeypatch
):
    """Other distributions count by version, and those edited in their place by their sources."""
    before = code(folder)
    for name in ("not_imported.py", "planned_other.py"):
        (folder / name).write_text("x = 1\n", encoding="utf-8")
    assert code(folder) == before
    lay_out(folder, "other", "3.2", "", OTHER)
    assert code(folder) == before.replace("other 3.1", "other 3.2")
    before = code(folder)
    lay_out(folder, "planned", "1.1", POINTS, MODULES)
    assert code(folder) == before.replace("planned 1.0", "planned 1.1")
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
