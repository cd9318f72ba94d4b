"""Calls third-party code: errors name it, and waiting for it has a limit.

Each call runs in a thread of its own while the caller waits, so that a caller can still be stopped, and goes
on without an answer when the time is up. The project's own strategies are called directly.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from math import inf, isfinite
from queue import Empty, SimpleQueue
from time import monotonic, perf_counter_ns
from typing import Any, TypeVar

from meshgui.engine.basics.plugins import failure
from meshgui.engine.basics.polling import compiles
from meshgui.engine.basics.translation import tr

__all__ = ["StrategyError", "StuckError", "call", "long_calls", "short_calls"]

SECONDS = 20.0  # how long a call may take
VARIABLE = "MESHGUI_STRATEGY_SECONDS"  # the environment variable that says otherwise
_SHORT = 0.25  # of it is the wait at the window
_BETWEEN_POLLS = 0.05  # seconds

R = TypeVar("R")


class StrategyError(Exception):
    """A strategy that cannot be used, named, with the reason."""


class StuckError(StrategyError):
    """A strategy that did not come back in time."""


class _Abandoned(SystemExit):
    """Ends a thread that is over its time limit; `except Exception` of a strategy does not catch it."""


class _Worker(threading.Thread):
    """A thread that makes one call after another."""

    def __init__(self) -> None:
        # A daemon: the program ends although a compiled loop never does.
        super().__init__(name=tr("third-party strategy"), daemon=True)
        self.calls: SimpleQueue[Callable[[], Any] | None] = SimpleQueue()  # None ends it
        self.answers: SimpleQueue[tuple[Any, BaseException | None, int]] = SimpleQueue()  # with nanoseconds
        self.start()

    def run(self) -> None:
        """See Thread."""
        with suppress(_Abandoned):
            while (function := self.calls.get()) is not None:
                value, error = None, None
                begun = perf_counter_ns()
                try:
                    value = function()
                except _Abandoned:
                    raise
                except BaseException as raised:  # noqa: BLE001 - the caller receives any exception
                    error = raised
                self.answers.put((value, error, perf_counter_ns() - begun))
                del function, value, error  # only the caller keeps them alive

    def abandon(self) -> None:
        """End during a call: immediately in Python code, in compiled code when it returns."""
        ident = ctypes.c_ulong(self.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(_Abandoned))
        self.calls.put(None)


@dataclass
class _Limits:
    """The time limits of the calls in a block."""

    seconds: float  # each call
    end: float = inf  # when all calls of the block must be over
    poll: Callable[[], object] | None = None  # called while waiting; an exception of it ends the wait
    workers: list[_Worker] = field(default_factory=list)  # the idle one, if any; shared with outer blocks


class _Current(threading.local):
    limits: _Limits | None = None


_current = _Current()
_given_up: dict[
    tuple[str, str], str
] = {}  # calls that have not returned since the last run began, and errors


def _seconds() -> float:
    with suppress(ValueError):
        seconds = float(os.environ.get(VARIABLE, ""))
        if isfinite(seconds) and seconds > 0:
            return seconds
    return SECONDS


@contextmanager
def long_calls(poll: Callable[[], object] | None = None) -> Iterator[None]:
    """A block, such as a run, in which each call may take its whole time; `poll` is called while waiting."""
    if _current.limits is None:
        _given_up.clear()
    with _within(_seconds(), inf, poll):
        yield


@contextmanager
def short_calls() -> Iterator[None]:
    """A block whose calls must be over soon, all together: a person waits at the window."""
    seconds = _SHORT * _seconds()
    with _within(seconds, monotonic() + seconds):
        yield


@contextmanager
def _within(seconds: float, end: float, poll: Callable[[], object] | None = None) -> Iterator[None]:
    """A block with these limits, and those of the block around it."""
    outer, limits = _current.limits, _Limits(seconds, end, poll)
    if outer is not None:
        limits = _Limits(seconds, min(end, outer.end), poll or outer.poll, outer.workers)
    _current.limits = limits
    try:
        yield
    finally:
        _current.limits = outer
        if outer is None:
            for worker in limits.workers:
                worker.calls.put(None)
                worker.join()


def call(
    name: str, doing: str, function: Callable[[], R], job: int | None = None, home: str | None = None
) -> tuple[R, int]:
    """The result of a third party's function, and its nanoseconds; any fault becomes a StrategyError.

    `home` is the package whose line an error names.
    """
    limits = _current.limits
    if limits is None:
        with short_calls():
            return call(name, doing, function, job, home)
    if limits.end < inf and (name, doing) in _given_up:
        raise StuckError(_given_up[name, doing])
    if not limits.workers:
        limits.workers.append(_Worker())
    worker = limits.workers[-1]
    worker.calls.put(function)
    what = doing if job is None else tr("{doing} for job {job}").format(doing=doing, job=job)
    stuck = tr("{name} did not come back from {what} within {seconds:g} s").format(
        name=name, what=what, seconds=limits.seconds
    )
    try:
        value, raised, nanoseconds = _answer_in_time(worker, limits, stuck)
    except BaseException as error:
        if isinstance(error, StuckError):
            _given_up[name, doing] = stuck
        limits.workers.remove(worker)
        worker.abandon()
        raise
    if isinstance(raised, KeyboardInterrupt | StrategyError):
        raise raised
    if raised is not None:
        raise StrategyError(failure(name, doing, raised, job, home)) from raised
    return value, nanoseconds


def _answer_in_time(worker: _Worker, limits: _Limits, stuck: str) -> tuple[Any, BaseException | None, int]:
    """The answer; a StuckError where it does not arrive within the limit."""
    now = monotonic()
    left = min(limits.seconds, limits.end - now)
    while True:
        before = now
        with suppress(Empty):
            return worker.answers.get(timeout=max(0.0, min(_BETWEEN_POLLS, left)))
        now = monotonic()
        if compiles(worker):  # which is not the strategy's time
            # Nor may `poll` end it now: half a compilation left behind would disturb the next one.
            limits.end += now - before
            continue
        left -= now - before
        if limits.poll is not None:
            limits.poll()
        if left <= 0:
            raise StuckError(stuck)
