"""What the compiled loop is handed of a strategy."""

from typing import NamedTuple

import numba
import numpy as np
import pytest

from meshgui.engine.allocation.kernel_strategy import new_tally
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.entry_points import STATE, arena, layout, leaves, opened
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.kernel import kernel, with_parts

KERNELS = {"bl": "busy_list_kernel.find", "gabl": "gabl.allocate"}


@pytest.mark.parametrize(("name", "kernel"), KERNELS.items(), ids=KERNELS)
def test_copies_of_a_template_are_named_by_the_strategys_kernel(name: str, kernel: str):
    """Its search, or the whole attempt where it writes that: profiles and tracebacks say whose they are."""
    entry = strategy(name)(Mesh((4, 4))).entry_points
    for point, template in ((entry.allocate, "enter_allocate"), (entry.release, "enter_release")):
        function = getattr(point.call, "py_func", point.call)  # as Python, where it is compiled
        assert function.__qualname__.startswith(f"{template}[{kernel} ")


class Inner(NamedTuple):
    """A part of a state."""

    small: np.ndarray
    number: int


class Outer(NamedTuple):
    """A state with a part, and more after it."""

    tally: np.ndarray
    inner: Inner
    last: np.ndarray


@kernel
def enter(handle):
    """Add what is in the parts of a state to its tally."""
    state = opened(handle, STATE)
    state.tally[0] += state.inner.small[1, 0] * 100 + state.inner.number * 10 + state.last[2]
    return state.tally[0]


def composed():
    """A state of parts of several kinds."""
    return Outer(new_tally(), Inner(np.array([[1, 2], [3, 4]], np.int32), 5), np.array([6, 7, 8]))


def test_a_copy_of_a_state_lies_in_one_piece_of_memory_with_its_parts():
    """The state itself stays apart; by a handle, an address, compiled code finds its parts."""
    state = composed()
    memory, copy = arena(state)
    assert type(copy) is Outer
    assert type(copy.inner) is Inner
    assert [np.shares_memory(memory, part) for part in leaves(copy) if isinstance(part, np.ndarray)] == [
        True
    ] * 3
    for before, after in zip(leaves(state), leaves(copy), strict=True):
        assert np.array_equal(before, after)
        assert getattr(before, "dtype", int) == getattr(after, "dtype", int)
    copy.inner.small[0, 0] = 9
    assert state.inner.small[0, 0] == 1
    state = composed()
    handle, kept = layout(state)
    kind = None if numba.config.DISABLE_JIT else numba.typeof(state)
    assert with_parts(enter, "test", STATE=kind)(handle) == 358
    assert state.tally[0] == 358
    del kept
