"""Lets long work of the engine be stopped: while it goes on, it calls who may want to stop it.

Work in Python looks between pieces of it. A compiled function looks at nothing, and no signal is handled
before it returns: one that may take long is called `beside`, in another thread, while the caller looks.
"""

from __future__ import annotations

import atexit
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import chain
from queue import Empty, SimpleQueue
from traceback import walk_stack
from typing import Any, Final, TypeVar
from weakref import WeakSet

import numpy as np

from meshgui.engine.basics.arrays import Floats

__all__ = [
    "PIECE",
    "beside",
    "compiles",
    "following",
    "how_far",
    "look",
    "mapped",
    "pieces",
    "polled",
    "seconds_worked",
]

PIECE = 1 << 15
"""Numbers that are worked on between two looks: some hundredths of a second in plain Python."""

_BETWEEN_LOOKS: Final = 0.04  # seconds
_UNTIL_STOPPED: Final = 0.1  # seconds that a call is waited for that is to end

R = TypeVar("R")


class _Helper(threading.Thread):
    """A thread that makes one call after another."""

    def __init__(self) -> None:
        # A daemon: the program ends although a compiled loop goes on.
        super().__init__(name="compiled work", daemon=True)  # untranslated: of a thread
        self.calls: SimpleQueue[Callable[[], Any] | None] = SimpleQueue()  # None ends it
        self.answers: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        self._worked = 0.0
        self.start()
        _helpers.add(self)

    def run(self) -> None:
        """See Thread."""
        while (work := self.calls.get()) is not None:
            value, error = None, None
            try:
                value = work()
            except BaseException as raised:  # noqa: BLE001 - the caller receives any exception
                error = raised
            self._worked = time.thread_time()
            self.answers.put((value, error))
            del work, value, error  # only the caller keeps them alive

    def leave(self) -> None:
        """End when the call is over; wait for that where it is over soon."""
        self.calls.put(None)
        self.join(_UNTIL_STOPPED)

    def worked(self) -> float:
        """The seconds of its own time; without the call at hand on systems that do not say."""
        with suppress(AttributeError, OSError):
            clock: int = time.pthread_getcpuclockid(self.ident or 0)
            return time.clock_gettime(clock)
        return self._worked


_helpers: WeakSet[_Helper] = WeakSet()


def compiles(thread: threading.Thread) -> bool:
    """Whether Numba is compiling in a thread."""
    frame = sys._current_frames().get(thread.ident or 0)  # noqa: SLF001 - public but for its name
    names = (inner.f_globals.get("__name__", "") for inner, _ in walk_stack(frame) if frame is not None)
    return any(name.startswith("numba.core.") for name in names)


@atexit.register
def wait_for_compilers() -> None:
    """Let what is being compiled be compiled to its end: LLVM aborts a process that ends meanwhile."""
    for helper in tuple(_helpers):
        while helper.is_alive() and compiles(helper):
            helper.join(_BETWEEN_LOOKS)


@dataclass
class _Polling:
    """Who polls the work of a thread, and the thread for calls beside it, once there was one."""

    poll: Callable[[], object]
    helper: _Helper | None = None
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
            polling.helper.leave()


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
    if polling.helper is None:
        polling.helper = _Helper()
    helper = polling.helper
    helper.calls.put(work)
    try:
        value, error = _answer(helper, polling.poll)
    except BaseException:
        stop()
        polling.helper = None
        helper.leave()
        raise
    if error is not None:
        raise error
    result: R = value
    return result


def _answer(helper: _Helper, poll: Callable[[], object]) -> tuple[Any, BaseException | None]:
    while True:
        with suppress(Empty):
            return helper.answers.get(timeout=_BETWEEN_LOOKS)
        poll()


def seconds_worked() -> float:
    """The time of its own that this thread has worked, with what is done beside it."""
    polling = _polling.get()
    helper = None if polling is None else polling.helper
    return time.thread_time() + (0.0 if helper is None else helper.worked())


def pieces(count: int) -> Iterator[slice]:
    """The parts of so many numbers, with a look before each."""
    for begin in range(0, count, PIECE):
        look()
        yield slice(begin, begin + PIECE)


def mapped(function: Callable[[float], float], numbers: Floats) -> Floats:
    """A function of each of many numbers."""
    parts = ([function(number) for number in numbers[part].tolist()] for part in pieces(len(numbers)))
    return np.fromiter(chain.from_iterable(parts), np.float64, len(numbers))
