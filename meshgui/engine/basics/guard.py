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
from typing import NamedTuple, NoReturn, TypeVar

from meshgui.engine.basics.call_thread import CallResult, CallThread
from meshgui.engine.basics.plugins import failure
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import RunError, Stopped, look

SECONDS = 20.0  # how long a call may take
VARIABLE = "MESHGUI_STRATEGY_SECONDS"  # the environment variable that says otherwise
_SHORT = 0.25  # of it is the wait at the window
_BETWEEN_LOOKS = 0.05  # seconds

R = TypeVar("R")


class StrategyError(RunError):
    """A strategy that cannot be used, named, with the reason."""


class StuckError(StrategyError):
    """A strategy, or another third party, that did not come back in time."""


@dataclass
class _Limits:
    """The time limits of the calls in a block."""

    seconds: float  # each call
    end: float = inf  # when all calls of the block must be over
    workers: list[CallThread] = field(default_factory=list)  # the idle one, if any; shared with outer blocks


class _Call(NamedTuple):
    """A third party's call, and the one in which the program works that makes it."""

    name: str
    doing: str
    job: int | None
    caller: _Call | None  # None: the program, for itself


@dataclass
class _Calls:
    """The calls of a thread that makes many of them."""

    limits: _Limits
    at_work: _Call | None = None
    latest: _Call | None = None  # of those that are over
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
def long_calls() -> Iterator[None]:
    """A block, such as a run, in which each call may take its whole time."""
    if _current.get() is None:
        _given_up.clear()
    with _within(_seconds(), inf):
        yield


@contextmanager
def short_calls() -> Iterator[None]:
    """A block whose calls must be over soon, all together: a person waits at the window."""
    seconds = _SHORT * _seconds()
    with _within(seconds, monotonic() + seconds):
        yield


@contextmanager
def _within(seconds: float, end: float) -> Iterator[None]:
    """A block with these limits, and those of the block around it."""
    outer, limits = _current.get(), _Limits(seconds, end)
    if outer is not None:
        limits = _Limits(seconds, min(end, outer.end), outer.workers)
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
    except (Exception, SystemExit, GeneratorExit) as fault:  # noqa: BLE001 - named, and raised again
        _raise_named(fault, name, doing, error, home, job, passes)


def _raise_named(
    fault: BaseException,
    name: str,
    doing: str,
    error: type[Exception],
    home: str | None,
    job: int | None,
    passes: Callable[[BaseException], bool],
) -> NoReturn:
    if isinstance(fault, (StrategyError, error)) or passes(fault):
        raise fault
    raise error(failure(name, doing, fault, job, home)) from fault


def call(
    name: str,
    doing: str,
    function: Callable[[], R],
    job: int | None = None,
    home: str | None = None,
    error: type[Exception] = StrategyError,
    passes: Callable[[BaseException], bool] = lambda _: False,
) -> tuple[R, int]:
    """The result of a third party's function, and its nanoseconds; what it raises becomes such an error.

    `home` is the package whose line an error names. Errors that pass are left as they are.
    """
    calls = _calls.get()
    limits = _current.get() if calls is None else calls.limits
    if limits is None:
        with short_calls():
            return call(name, doing, function, job, home, error, passes)
    if limits.end < inf and (name, doing) in _given_up:
        raise StuckError(_given_up[name, doing])
    if calls is not None:
        caller = calls.at_work
        at_work = calls.at_work = _Call(name, doing, job, caller)
        begun = perf_counter_ns()
        try:
            return function(), perf_counter_ns() - begun
        except (Exception, SystemExit, GeneratorExit) as fault:  # noqa: BLE001 - named, and raised again
            _raise_named(fault, name, doing, error, home, job, passes)
        finally:
            calls.at_work, calls.latest = caller, at_work
            calls.over += 1
    result = _result_in_time(function, limits)
    if result is None:
        raise _stuck(_Call(name, doing, job, None), limits)
    with faults_of(name, doing, error, home, job, passes):
        return result.outcome(), result.nanoseconds


@contextmanager
def work_of_caller() -> Iterator[None]:
    """A block in a third party's call in which its caller works, as to place a job: not in its time."""
    calls = _calls.get()
    if calls is None or (at_work := calls.at_work) is None:
        yield
        return
    calls.at_work = at_work.caller
    try:
        yield
    finally:
        calls.at_work = at_work
        calls.over += 1


def calls_in_one_thread(
    work: Callable[[], R], stop: Callable[[], object], progress: Callable[[], object] = lambda: None
) -> R:
    """The result of work that calls third parties many times: in one other thread, each call within its time.

    Where the work is not wanted, `stop` ends it. A call has its whole time again whenever `progress` changes.
    To hand each call to another thread takes longer than most of them do.
    """
    limits = _current.get()
    if limits is None:
        return work()
    calls = _Calls(limits)

    def reached() -> object:
        return (calls.over, progress()) if calls.at_work is not None else object()

    def watched() -> R:
        _calls.set(calls)
        try:
            return work()
        finally:
            _calls.set(None)

    try:
        result = _result_in_time(watched, limits, reached)
    except BaseException:
        stop()
        raise
    if result is None:
        stuck = calls.at_work or calls.latest
        stop()
        raise _stuck(stuck or _Call("", "", None, None), limits)
    answer: R = result.outcome()
    return answer


def _stuck(call: _Call, limits: _Limits) -> StuckError:
    """The error for a call that does not return; it is not waited for again."""
    name, doing, job, _ = call
    what = doing if job is None else tr("{doing} for job {job}").format(doing=doing, job=job)
    _given_up[name, doing] = tr("{name} did not return from {what} within {seconds:g} s").format(
        name=name, what=what, seconds=limits.seconds
    )
    return StuckError(_given_up[name, doing])


def _result_in_time(
    function: Callable[[], object], limits: _Limits, progress: Callable[[], object] = lambda: None
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
        if (result := worker.result(min(_BETWEEN_LOOKS, left))) is not None:
            return result
        now = monotonic()
        if worker.compiles:
            limits.end += now - before  # not the strategy's time
            with suppress(Stopped):  # once it is compiled: half a compilation would disturb the next
                look()
            continue
        left -= now - before
        if (further := progress()) != reached:
            reached, left = further, min(limits.seconds, limits.end - now)
        look()
        if left <= 0:
            return None
