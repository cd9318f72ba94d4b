"""Lets long work of the engine be stopped: meanwhile it calls those that may want to stop it.

Work in Python looks between pieces of it. A compiled function looks at nothing, and no signal is handled
before it returns: one that may take long is called `beside`, in another thread, while the caller looks.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import chain
from typing import Final, TypeVar
from weakref import WeakSet

import numpy as np

from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.call_thread import CallThread
from meshgui.engine.basics.kernel_cache import is_compiling

__all__ = [
    "PIECE",
    "beside",
    "compiled_beside",
    "compiles",
    "following",
    "how_far",
    "look",
    "mapped",
    "pieces",
    "polled",
    "seconds_worked",
    "wait_for_compilers",
]

PIECE = 1 << 15
"""Numbers that are worked on between two looks: some hundredths of a second in plain Python."""

_BETWEEN_LOOKS: Final = 0.04  # seconds
_UNTIL_STOPPED: Final = 0.1  # seconds that a call is waited for that is to end

R = TypeVar("R")

_helpers: WeakSet[CallThread] = WeakSet()


def wait_for_compilers() -> None:
    """Let what is being compiled be compiled to its end: LLVM aborts an interpreter that ends meanwhile."""
    while compilers := _compilers():
        compilers[0].join(_BETWEEN_LOOKS)


def compiles() -> bool:
    """Whether a compiler works beside a thread, which may have gone on without it."""
    return bool(_compilers())


def _compilers() -> list[CallThread]:
    return [helper for helper in tuple(_helpers) if helper.is_alive() and is_compiling(helper)]


atexit.register(wait_for_compilers)


@dataclass
class _Polling:
    """Who polls the work of a thread, and the thread for calls beside it, once there was one."""

    poll: Callable[[], object]
    helper: CallThread | None = None
    say: Callable[[], str] = str  # how far the work is


_polling: ContextVar[_Polling | None] = ContextVar("polling", default=None)


@contextmanager
def polled(poll: Callable[[], object]) -> Iterator[None]:
    """A block whose long work in this thread calls `poll` now and then; what that raises ends the work."""
    polling = _Polling(poll)
    before = _polling.set(polling)
    try:
        yield
    finally:
        _polling.reset(before)
        if polling.helper is not None:
            _end(polling.helper)


def look() -> None:
    """Let who polls this thread's work end it."""
    if (polling := _polling.get()) is not None:
        polling.poll()


@contextmanager
def following(say: Callable[[], str]) -> Iterator[None]:
    """A block of long work of this thread that can say how far it is, to who polls it; the innermost does."""
    polling = _polling.get()
    if polling is None:
        yield
        return
    before, polling.say = polling.say, say
    try:
        yield
    finally:
        polling.say = before


def how_far() -> str:
    """How far the work is that this thread is polled about, in words; empty where it is not known."""
    polling = _polling.get()
    return "" if polling is None else polling.say()


def beside(work: Callable[[], R], stop: Callable[[], object]) -> R:
    """The result of a compiled function, with looks while it works; where one ends it, `stop` tells it so.

    It is waited for a moment then. What goes on in spite of that goes on alone: what it works on must no
    longer be used.
    """
    polling = _polling.get()
    if polling is None:
        return work()
    helper = polling.helper = polling.helper or CallThread("compiled work")  # untranslated: of a thread
    _helpers.add(helper)
    helper.calls.put(work)
    try:
        while (done := helper.result(_BETWEEN_LOOKS)) is None:
            polling.poll()
    except BaseException:
        stop()
        polling.helper = None
        _end(helper)
        raise
    result: R = done.outcome()
    return result


def compiled_beside(make: Callable[[], R]) -> R:
    """What a compiler makes, in another thread where this one must answer: LLVM works for seconds on end.

    Signals are handled in the main thread alone, and who polls wants to be called.
    """
    if threading.current_thread() is not threading.main_thread() and _polling.get() is None:
        return make()
    helper = CallThread("compiler")  # untranslated: of a thread
    _helpers.add(helper)
    helper.calls.put(make)
    helper.calls.put(None)
    while (done := helper.result(_BETWEEN_LOOKS)) is None:
        look()
    made: R = done.outcome()
    return made


def _end(helper: CallThread) -> None:
    """End a thread when its call is over; wait for that where it is over soon."""
    helper.calls.put(None)
    helper.join(_UNTIL_STOPPED)


def seconds_worked() -> float:
    """The time of its own that this thread has worked, with what is done beside it."""
    polling = _polling.get()
    helper = None if polling is None else polling.helper
    return time.thread_time() + (0.0 if helper is None else _worked(helper))


def _worked(helper: CallThread) -> float:
    """The seconds of a thread's own time; without the call at hand on systems that do not say."""
    with suppress(AttributeError, OSError):
        clock: int = time.pthread_getcpuclockid(helper.ident or 0)
        return time.clock_gettime(clock)
    return helper.worked


def pieces(count: int) -> Iterator[slice]:
    """The parts of this many numbers, with a look before each."""
    for begin in range(0, count, PIECE):
        look()
        yield slice(begin, begin + PIECE)


def mapped(function: Callable[[float], float], numbers: Floats) -> Floats:
    """A function of each of many numbers."""
    parts = ([function(number) for number in numbers[part].tolist()] for part in pieces(len(numbers)))
    return np.fromiter(chain.from_iterable(parts), np.float64, len(numbers))
