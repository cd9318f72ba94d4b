"""What the compiled loop is handed of a strategy."""

import pytest

from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Mesh

KERNELS = {"bl": "busy_list_kernel.find", "gabl": "gabl.allocate"}


@pytest.mark.parametrize(("name", "kernel"), KERNELS.items(), ids=KERNELS)
def test_copies_of_a_template_are_named_by_the_strategys_kernel(name: str, kernel: str):
    """Its search, or the whole attempt where it writes that: profiles and tracebacks say whose they are."""
    entry = strategy(name)(Mesh((4, 4))).entry_points
    for point, template in ((entry.allocate, "enter_allocate"), (entry.release, "enter_release")):
        function = getattr(point.call, "py_func", point.call)  # as Python, where it is compiled
        assert function.__qualname__.startswith(f"{template}[{kernel} ")
