"""Calls third-party code, of strategies, disciplines and patterns: errors name it, and waiting has a limit.

Each call runs in a thread of its own while the caller waits, so that a caller can still be stopped, and goes
on without an answer when the time is up. The project's own strategies are called directly.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from math import inf, isfinite
from time import monotonic, perf_counter_ns
from typing import TypeVar

from meshgui.engine.basics.call_thread import CallResult, CallThread
from meshgui.engine.basics.kernel_cache import is_compiling
from meshgui.engine.basics.plugins import failure
from meshgui.engine.basics.translation import tr

SECONDS = 20.0  # how long a call may take
VARIABLE = "MESHGUI_STRATEGY_SECONDS"  # the environment variable that says otherwise
_SHORT = 0.25  # of it is the wait at the window
_BETWEEN_POLLS = 0.05  # seconds

R = TypeVar("R")


class StrategyError(Exception):
    """A strategy that cannot be used, named, with the reason."""


class StuckError(StrategyError):
    """A strategy, or another third party, that did not come back in time."""


@dataclass
class _Limits:
    """The time limits of the calls in a block."""

    seconds: float  # each call
    end: float = inf  # when all calls of the block must be over
    poll: Callable[[], object] | None = None  # called while waiting; an exception of it ends the wait
    workers: list[CallThread] = field(default_factory=list)  # the idle one, if any; shared with outer blocks


@dataclass
class _Calls:
    """The calls of a thread that makes many of them: the latest, and how many are over."""

    name: str = ""
    doing: str = ""
    job: int | None = None
    over: int = 0


_current: ContextVar[_Limits | None] = ContextVar("limits", default=None)
_calls: ContextVar[_Calls | None] = ContextVar("calls", default=None)  # of this thread
_given_up: dict[tuple[str, str], str] = {}  # calls that did not return since the last run began, in words


def _seconds() -> float:
    with suppress(ValueError):
        seconds = float(os.environ.get(VARIABLE, ""))
        if isfinite(seconds) and seconds > 0:
            return seconds
    return SECONDS


@contextmanager
def long_calls(poll: Callable[[], object] | None = None) -> Iterator[None]:
    """A block, such as a run, in which each call may take its whole time; `poll` is called while waiting."""
    if _current.get() is None:
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
    outer, limits = _current.get(), _Limits(seconds, end, poll)
    if outer is not None:
        limits = _Limits(seconds, min(end, outer.end), poll or outer.poll, outer.workers)
    before = _current.set(limits)
    try:
        yield
    finally:
        _current.reset(before)
        if outer is None:
            for worker in limits.workers:
                worker.calls.put(None)
                worker.join()


@contextmanager
def faults_of(
    name: str,
    doing: str,
    error: type[Exception],
    home: str | None,
    job: int | None = None,
    passes: Callable[[BaseException], bool] = lambda _: False,
) -> Iterator[None]:
    """A block of a third party's code: what it raises becomes an error that names it, but for what passes."""
    try:
        yield
    except (StrategyError, error):
        raise
    except (Exception, SystemExit, GeneratorExit) as fault:
        if passes(fault):
            raise
        raise error(failure(name, doing, fault, job, home)) from fault


def call(
    name: str,
    doing: str,
    function: Callable[[], R],
    job: int | None = None,
    home: str | None = None,
    progress: Callable[[], object] = lambda: None,
    error: type[Exception] = StrategyError,
) -> tuple[R, int]:
    """The result of a third party's function, and its nanoseconds; what it raises becomes such an error.

    `home` is the package whose line an error names. A function that makes many calls has the time of one
    again whenever `progress` changes.
    """
    if (calls := _calls.get()) is not None:
        return _called_here(calls, name, doing, function, job, home, error)
    limits = _current.get()
    if limits is None:
        with short_calls():
            return call(name, doing, function, job, home, progress, error)
    if limits.end < inf and (name, doing) in _given_up:
        raise StuckError(_given_up[name, doing])
    result = _result_in_time(function, limits, progress)
    if result is None:
        _given_up[name, doing] = _stuck(name, doing, job, limits)
        raise StuckError(_given_up[name, doing])
    with faults_of(name, doing, error, home, job):
        return result.outcome(), result.nanoseconds


def calls_in_one_thread(work: Callable[[], R], stop: Callable[[], object]) -> R:
    """The result of work that calls third parties many times: in one other thread, each call within its time.

    Where the work is not wanted, `stop` tells it so. To hand each call to another thread takes longer than
    most of them do.
    """
    limits = _current.get()
    if limits is None:
        return work()
    calls = _Calls()

    def watched() -> R:
        _calls.set(calls)
        try:
            return work()
        finally:
            _calls.set(None)

    try:
        result = _result_in_time(watched, limits, lambda: calls.over)
    except BaseException:
        stop()
        raise
    if result is None:
        stop()
        _given_up[calls.name, calls.doing] = _stuck(calls.name, calls.doing, calls.job, limits)
        raise StuckError(_given_up[calls.name, calls.doing])
    answer: R = result.outcome()
    return answer


def _called_here(
    calls: _Calls,
    name: str,
    doing: str,
    function: Callable[[], R],
    job: int | None,
    home: str | None,
    error: type[Exception],
) -> tuple[R, int]:
    """The result of a function, called in this thread, which another waits for."""
    calls.name, calls.doing, calls.job = name, doing, job
    begun = perf_counter_ns()
    try:
        with faults_of(name, doing, error, home, job):
            return function(), perf_counter_ns() - begun
    finally:
        calls.over += 1


def _stuck(name: str, doing: str, job: int | None, limits: _Limits) -> str:
    what = doing if job is None else tr("{doing} for job {job}").format(doing=doing, job=job)
    return tr("{name} did not return from {what} within {seconds:g} s").format(
        name=name, what=what, seconds=limits.seconds
    )


def _result_in_time(
    function: Callable[[], object], limits: _Limits, progress: Callable[[], object]
) -> CallResult | None:
    """The result of a function that a worker calls, or None where it does not come within the limits."""
    if not limits.workers:
        limits.workers.append(CallThread(tr("third-party code")))
    worker, result = limits.workers[-1], None
    worker.calls.put(function)
    try:
        result = _waited_for(worker, limits, progress)
    finally:
        if result is None:  # the time is up, or the caller is stopped
            limits.workers.remove(worker)
            worker.abandon()
    return result


def _waited_for(worker: CallThread, limits: _Limits, progress: Callable[[], object]) -> CallResult | None:
    now, reached = monotonic(), progress()
    left = min(limits.seconds, limits.end - now)
    while True:
        before = now
        if (result := worker.result(min(_BETWEEN_POLLS, left))) is not None:
            return result
        now = monotonic()
        if is_compiling(worker):
            # Not the strategy's time. Nor may `poll` end it now: half a compilation would disturb the next.
            limits.end += now - before
            continue
        left -= now - before
        if (further := progress()) != reached:
            reached, left = further, min(limits.seconds, limits.end - now)
        if limits.poll is not None:
            limits.poll()
        if left <= 0:
            return None
