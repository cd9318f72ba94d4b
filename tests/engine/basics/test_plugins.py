"""What is said of a package's error: the line it comes from."""

from types import SimpleNamespace

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


def test_a_compilers_error_without_a_place_is_told_without():
    """Nothing is read from it."""
    placeless = type("NumbaError", (CompilerError,), {"__module__": "numba.core.errors"})
    assert failure("fits", "allocating", placeless("bad")).endswith("NumbaError: bad")
