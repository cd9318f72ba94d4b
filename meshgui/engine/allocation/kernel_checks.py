"""Checks what a third-party strategy hands to compiled code, which would read anything else wrongly."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import signature
from typing import Any, Final

import numpy as np

from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.kernel_strategy import (
    KernelStrategy,
    StrategyKernels,
    new_tally,
    runs_by_kernels,
)
from meshgui.engine.basics.kernel import Kernel
from meshgui.engine.basics.plugins import quoted
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.value_checks import TRUTH, Check

_PARAMETERS: Final = {"release": 3, "search": 4, "take": 4, "allocate": 4, "due": 2}
_NUMBERS: Final = "biuf"  # untranslated: the kinds of arrays


def is_kernels_alone(cls: type[Strategy]) -> bool:
    """Whether the loop may call a class's kernels in place of its methods, by what it defines."""
    return issubclass(cls, KernelStrategy) and runs_by_kernels(cls)


def state_fault(state: object) -> str | None:
    """Why compiled code cannot work on a state, or None where it can."""
    return next(_state_faults(state), None)


def _state_faults(state: Any) -> Iterator[str]:  # noqa: ANN401 - a third party's
    if not isinstance(state, tuple) or not hasattr(state, "_fields"):
        yield tr("expected a named tuple, got {quoted}").format(quoted=quoted(state))
        return
    if state._fields[:1] != ("tally",):
        yield tr("expected a first field called tally, then arrays, whole numbers and named tuples of these")
        return
    tally, expected = state[0], new_tally()
    if not isinstance(tally, np.ndarray) or (tally.shape, tally.dtype) != (expected.shape, expected.dtype):
        yield tr("tally: expected the array of new_tally(), got {quoted}").format(quoted=quoted(tally))
    yield from _part_faults(state)


def _part_faults(state: Any) -> Iterator[str]:  # noqa: ANN401 - a named tuple of a third party's
    for name, part in zip(state._fields, state, strict=True):
        if isinstance(part, tuple) and hasattr(part, "_fields"):
            yield from _part_faults(part)
            continue
        is_array = isinstance(part, np.ndarray) and part.dtype.kind in _NUMBERS
        if not is_array and type(part) is not int:
            yield tr("{name}: expected an array of numbers or a whole number, got {quoted}").format(
                name=name, quoted=quoted(part)
            )


def _kernel_faults(kernels: StrategyKernels, what: str) -> Iterator[str]:
    if kernels.allocate is None and None in {kernels.search, kernels.take}:
        yield tr("{what}: expected search and take, or allocate").format(what=what)
    for name, part in kernels._asdict().items():
        number = _PARAMETERS[name]
        fits = isinstance(part, Kernel) and len(signature(part.python).parameters) == number
        if not fits and (part is not None or name == "release"):
            yield tr("{what}, {name}: expected a kernel of {number} parameters, got {quoted}").format(
                what=what, name=name, number=number, quoted=quoted(part)
            )


KERNEL_VARIABLES: Final[dict[str, Check]] = {
    "kernels": Check(
        tr("a StrategyKernels"), lambda value: isinstance(value, StrategyKernels), _kernel_faults
    ),
    "sees_size_alone": TRUTH,
}
"""What a class that is kernels alone must state besides."""
