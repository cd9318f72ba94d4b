"""What is said of a package's error: the line it comes from."""

import json
from importlib.metadata import EntryPoint
from types import SimpleNamespace

import pytest

from meshgui.engine.basics import plugin_classes
from meshgui.engine.basics.plugin_classes import find_plugins
from meshgui.engine.basics.plugins import failure

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
