"""Lets long work of the engine be stopped: between pieces of it, it calls who may want to stop it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain

import numpy as np

from meshgui.engine.basics.arrays import Floats

__all__ = ["PIECE", "look", "mapped", "pieces", "polled"]

PIECE = 1 << 15
"""Numbers that are worked on between two looks: some hundredths of a second in plain Python."""

_poll: ContextVar[Callable[[], object]] = ContextVar("poll", default=lambda: None)


@contextmanager
def polled(poll: Callable[[], object]) -> Iterator[None]:
    """A block whose long work in this thread calls `poll` between pieces; what that raises ends the work."""
    before = _poll.set(poll)
    try:
        yield
    finally:
        _poll.reset(before)


def look() -> None:
    """Let who polls this thread's work end it."""
    _poll.get()()


def pieces(count: int) -> Iterator[slice]:
    """The parts of so many numbers, with a look before each."""
    for begin in range(0, count, PIECE):
        look()
        yield slice(begin, begin + PIECE)


def mapped(function: Callable[[float], float], numbers: Floats) -> Floats:
    """A function of each of many numbers."""
    parts = ([function(number) for number in numbers[part].tolist()] for part in pieces(len(numbers)))
    return np.fromiter(chain.from_iterable(parts), np.float64, len(numbers))
