"""Kernels bind what they call, once, whichever caller is first."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import sleep
from typing import NamedTuple

import numba
import numpy as np
import pytest

from meshgui.engine.basics import linked_kernels
from meshgui.engine.basics.kernel import Kernel, borrowed_arrays, kernel

compiled_only = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")


class Pair(NamedTuple):
    """A state."""

    numbers: np.ndarray
    factor: int


@kernel
def _scaled(anything, n):
    return anything.numbers[n] * anything.factor


@kernel(inline=True)
def _first(numbers):
    return numbers[0]


@kernel
def _second(numbers):
    return numbers[1]


@kernel
def _sum(pair):
    return _scaled(pair, 0) + _first(pair.numbers) + _second(pair.numbers)


def test_a_kernel_binds_its_callees_and_leaves_its_module_as_it_is():
    """Others may read the same names, and a second kernel may be given others in their place."""
    assert _sum(Pair(np.array([2, 5]), 3)) == 13
    assert all(isinstance(each, Kernel) for each in (_scaled, _first, _second))


@compiled_only
def test_what_takes_a_tuple_of_arrays_is_put_into_its_callers():
    """Whatever the argument is called; other kernels are where that is asked for."""
    pair, numbers, number = numba.typeof(Pair(np.array([2, 5]), 3)), numba.types.int64[::1], numba.types.int64
    calls = ((_scaled, (pair, number)), (_first, (numbers,)), (_second, (numbers,)))
    assert [_is_put_into_callers(called, kinds) for called, kinds in calls] == [True, True, False]


def _is_put_into_callers(called, kinds):
    return _linked(called, kinds).fndesc.inline


def _linked(called, kinds):
    """What callers of a kernel are given."""
    linked = linked_kernels.LinkedDispatcher(called.compile(), makes_arrays=called.makes_arrays)
    linked.compile(kinds)
    return linked.overloads[kinds]


@borrowed_arrays
class Borrowed(NamedTuple):
    """A state whose arrays Python keeps."""

    numbers: np.ndarray


@kernel
def _halves(state, n):
    return state.numbers[:n].sum() + state.numbers[n:].sum()


@kernel(makes_arrays=True)
def _doubled(state, n):
    doubles = np.empty(n)
    for place in range(n):
        doubles[place] = 2 * state.numbers[place]
    return doubles.sum()


@kernel
def _unsaid(state, n):
    return np.zeros(n).sum() + state.numbers[0]


@kernel
def _both(state, n):
    return _halves(state, n) + _doubled(state, n)


@compiled_only
def test_holders_of_borrowed_arrays_are_not_counted_and_what_a_kernel_makes_is_freed():
    """Where a kernel says that it makes arrays; where it does not, Numba refuses to compile it."""
    kinds = (numba.typeof(Borrowed(np.ones(4))), numba.types.int64)
    with pytest.raises(numba.core.errors.NumbaError):
        _linked(_unsaid, kinds)
    numba.core.runtime._nrt_python.memsys_enable_stats()
    before = numba.core.runtime.rtsys.get_allocation_stats()
    for _ in range(100):
        assert _both(Borrowed(np.arange(4.0)), 3) == 12.0
    after = numba.core.runtime.rtsys.get_allocation_stats()
    numba.core.runtime._nrt_python.memsys_disable_stats()
    assert after.alloc - before.alloc == after.free - before.free >= 100


def test_two_threads_make_a_kernel_once():
    """The second waits for the first: Numba's own tables are not made for two at a time."""
    made, begun, go = [], Event(), Event()

    class Slow(Kernel):
        def _made(self):
            made.append(self)
            begun.set()
            go.wait()
            return super()._made()

    slow = Slow(_second.python)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(slow.compile)
        begun.wait()
        second = pool.submit(slow.compile)
        while not second.running():
            sleep(0)
        go.set()
    assert first.result() is second.result()
    assert made == [slow]
