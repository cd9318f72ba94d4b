"""The public API: every name is there and documented, and importing it is quick."""

import sys

import pytest

from meshgui import api
from tests.processes import completed


def test_every_public_name_is_there_and_every_class_and_function_says_what_it_is():
    """`__all__` lists what the module has, in order; docstrings are the project's own."""
    names = {name for name in vars(api) if not name.startswith("_") and name != "annotations"}
    assert set(api.__all__) == names
    for name in api.__all__:
        thing = getattr(api, name)
        if getattr(thing, "__module__", "").startswith("meshgui."):
            assert thing.__doc__, name


def test_importing_it_takes_neither_qt_nor_numba():
    """A strategy's author pays for neither before they are used."""
    program = "import sys, meshgui.api; print(sorted({m.split('.')[0] for m in sys.modules}))"
    done = completed(sys.executable, "-c", program)
    assert not {"PySide6", "pyqtgraph", "OpenGL", "numba"} & set(eval(done.stdout))  # noqa: S307 - ours


@pytest.mark.parametrize("name", ["Asked", "OccupancyStrategy", "SearchResult", "SearchStrategy"])
def test_a_name_of_an_earlier_api_is_still_there_and_deprecated(name):
    """Packages that import it keep loading; a name that never was is an error as in any module."""
    now, said = (
        ("KernelRequest", "it is KernelRequest") if name == "Asked" else (name, "derive from Strategy")
    )
    with pytest.warns(DeprecationWarning, match=rf"meshgui\.api\.{name} is deprecated: {said}"):
        assert getattr(api, name).__name__ == now
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = api.Nothing
