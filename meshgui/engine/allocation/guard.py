"""Calls third-party strategies: errors name them, their answers are checked, and waiting has a limit.

Each call runs in a thread of its own while the caller waits, so that a caller can still be stopped, and goes
on without an answer when the time is up. The project's own strategies are called directly.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from inspect import isfunction
from math import isfinite
from queue import Empty, SimpleQueue
from time import monotonic, perf_counter_ns
from typing import Any, ClassVar, TypeVar, cast, get_origin, get_type_hints

from meshgui.engine.allocation.answer_checks import (
    boxes_in,
    inspection_fault,
    misfit,
    nodes_fault,
    steps_fault,
)
from meshgui.engine.allocation.base import (
    Allocation,
    AttemptTrace,
    Options,
    ReleaseTrace,
    Reservation,
    Strategy,
)
from meshgui.engine.allocation.inspection import Moment, Request
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.basics.plugins import failure

__all__ = ["Guarded", "StrategyError", "StuckError", "call", "failed", "guarded", "long_calls", "short_calls"]

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
        super().__init__(name="third-party strategy", daemon=True)
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

    def compiles(self) -> bool:
        """Whether Numba is compiling for the call, which is not the strategy's time."""
        frame = sys._current_frames().get(self.ident or 0)  # noqa: SLF001 - public but for its name
        while frame is not None:
            if frame.f_globals.get("__name__", "").startswith("numba.core."):
                return True
            frame = frame.f_back
        return False


@dataclass
class _Limits:
    """The time limits of the calls in a block."""

    seconds: float  # each call
    end: float | None = None  # all calls of the block: when they must be over
    poll: Callable[[], object] | None = None  # called while waiting; an exception of it ends the wait
    workers: list[_Worker] = field(default_factory=list)  # the idle one, if any; shared with outer blocks


class _Current(threading.local):
    limits: _Limits | None = None


_current = _Current()
_given_up: dict[tuple[str, str], StuckError] = {}  # calls that have not returned since the last run began


def _seconds() -> float:
    try:
        seconds = float(os.environ.get(VARIABLE, ""))
    except ValueError:
        return SECONDS
    return seconds if isfinite(seconds) and seconds > 0 else SECONDS


@contextmanager
def _within(limits: _Limits) -> Iterator[None]:
    outer = _current.limits
    if outer is not None:
        limits.workers = outer.workers
    _current.limits = limits
    try:
        yield
    finally:
        _current.limits = outer
        if outer is None:
            for worker in limits.workers:
                worker.calls.put(None)
                worker.join()


@contextmanager
def long_calls(poll: Callable[[], object] | None = None) -> Iterator[None]:
    """A block, such as a run, in which each call may take its whole time; `poll` is called while waiting."""
    outer = _current.limits
    if outer is None:
        _given_up.clear()
        outer = _Limits(0.0)
    with _within(_Limits(_seconds(), outer.end, poll or outer.poll)):
        yield


@contextmanager
def short_calls() -> Iterator[None]:
    """A block whose calls must be over soon, all together: a person waits at the window."""
    outer, seconds = _current.limits, _SHORT * _seconds()
    end = monotonic() + seconds
    if outer is not None and outer.end is not None:
        end = min(end, outer.end)
    with _within(_Limits(seconds, end, outer.poll if outer else None)):
        yield


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
    if limits.end is not None and (name, doing) in _given_up:
        raise StuckError(str(_given_up[name, doing]))
    if not limits.workers:
        limits.workers.append(_Worker())
    worker = limits.workers[-1]
    worker.calls.put(function)
    try:
        value, raised, nanoseconds = _wait(
            worker, limits, name, f"{doing}{'' if job is None else f' for job {job}'}"
        )
    except BaseException as error:
        if isinstance(error, StuckError):
            _given_up[name, doing] = error
        limits.workers.remove(worker)
        worker.abandon()
        raise
    if raised is None:
        return value, nanoseconds
    if isinstance(raised, KeyboardInterrupt | StrategyError):
        raise raised
    raise failed(name, doing, raised, job, home) from raised


def _wait(worker: _Worker, limits: _Limits, name: str, what: str) -> tuple[Any, BaseException | None, int]:
    """The answer, if it arrives within the limit."""
    now = monotonic()
    left = limits.seconds if limits.end is None else min(limits.seconds, limits.end - now)
    while True:
        before = now
        try:
            return worker.answers.get(timeout=max(0.0, min(_BETWEEN_POLLS, left)))
        except Empty:
            now = monotonic()
        if worker.compiles():
            # Nor may `poll` end it now: half a compilation left behind would disturb the next one.
            if limits.end is not None:
                limits.end += now - before
            continue
        left -= now - before
        if limits.poll is not None:
            limits.poll()
        if left <= 0:
            raise StuckError(f"{name} did not come back from {what} within {limits.seconds:g} s")


def failed(
    name: str, doing: str, error: BaseException, job: int | None = None, home: str | None = None
) -> StrategyError:
    """The error of a strategy, with its name."""
    return StrategyError(failure(name, doing, error, job, home))


class Guarded(Strategy):
    """A third-party strategy behind the guard: the same calls, each answer held to the interface."""

    inner: ClassVar[type[Strategy]]

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        cls = type(self)
        self.mesh = mesh
        self.options = options if options is not None else cls.options_model()
        self.took: int | None = 0  # the way to the other thread and back left out
        self._wrapped: Strategy | None = None

        def start() -> None:
            self._wrapped = cls.inner(mesh, options)

        self._call("starting", start)

    def _call(self, doing: str, function: Callable[[], R], job: int | None = None) -> R:
        """Call the strategy, and take over the values it keeps."""

        def answer() -> tuple[R, dict[str, object]]:
            value = function()
            return value, {name: getattr(self._wrapped, name) for name in _values()}

        (value, kept), self.took = call(self.id, doing, answer, job, _home(self.inner))
        for name, hint in _values().items():
            setattr(self, name, self._fitting(kept[name], hint, name))
        return value

    @classmethod
    def _fitting(cls, value: R, hint: object, what: str) -> R:
        """The value, if it is of the type stated."""
        fault = misfit(value, hint, what)
        if fault is not None:
            raise StrategyError(f"{cls.id} answered with {fault}")
        return value

    def _accept(self, name: str, answer: Any, args: tuple[Any, ...]) -> Any:  # noqa: ANN401 - any answer
        """The answer of a method, if the program can rely on it."""
        if name == "allocate":
            return self._boxes(args[0].job, answer)
        if name == "trace":
            self._check_steps(answer, AttemptTrace, len(self.lines), args[0].job)
            return answer._replace(outcome=self._boxes(args[0].job, answer.outcome))
        if name == "trace_release":
            self._check_steps(answer, ReleaseTrace, len(self.release_lines), args[0])
        if name in _INSPECTING and (fault := inspection_fault(answer, self.mesh)) is not None:
            raise StrategyError(f"{self.id} shows {fault}")
        if name == "nodes" and (fault := nodes_fault(answer, Strategy.nodes(self, args[0]))) is not None:
            raise StrategyError(f"{self.id} listed {fault}")
        return answer

    def _check_steps(self, answer: Any, kind: type, lines: int, job: int) -> None:  # noqa: ANN401
        """Raise an error where an answer is no such trace, or one with wrong steps."""
        known = isinstance(answer, kind)
        fault = steps_fault(answer.steps, lines) if known else f"{answer!r}: expected a trace"
        if fault is not None:
            raise StrategyError(f"{self.id} logged at job {job} {fault}")

    def _boxes(self, job: int, answer: Any) -> Allocation:  # noqa: ANN401 - any answer
        """An answer to a request, with its boxes as such."""
        if answer is None:
            return None
        reserved = isinstance(answer, Reservation)
        if isinstance(answer, Box):
            boxes, got = None, f"the bare box {tuple(answer)}"
        else:
            boxes, got = boxes_in((answer.box,) if reserved else answer), repr(answer)
        if boxes is None:
            raise StrategyError(
                f"{self.id} gave job {job} {got}: expected a sequence of boxes, such as (box,)"
            )
        return Reservation(boxes[0]) if reserved else boxes


def guarded(cls: type[Strategy]) -> type[Strategy]:
    """A third-party strategy's class behind the guard: every member of Strategy leads to its own."""
    parts = {name: getattr(cls, name) for name in (*_class_variables(), *_NAMES)}
    methods = {name: _forward(name) for name, member in vars(Strategy).items() if _is_method(name, member)}
    return cast("type[Strategy]", type(cls.__name__, (Guarded,), {**parts, **methods, "inner": cls}))


_NAMES = ("__module__", "__qualname__", "__doc__")
_INSPECTING = {"inspect", "inspect_release"}
_IN_WORDS = {  # the activity of a method for errors, and the type of its answer
    "allocate": ("allocating", "boxes"),
    "release": ("releasing", ""),
    "capture": ("capturing its state", "a state"),
    "restore": ("restoring a state", ""),
    "due": ("naming the jobs due", "jobs due"),
    "inspect": ("showing what it keeps", "an inspection"),
    "inspect_release": ("showing what it keeps", "an inspection"),
    "released": ("following a release", "a state"),
    "replay": ("replaying", ""),
    "turns": ("turning a request", "turns"),
    "granted": ("counting what it grants", "a number of processors"),
    "refusal": ("judging a request", "a reason"),
    "nodes": ("listing processors", "processors"),
    "say": ("speaking", "a sentence"),
    "words": ("speaking", "words"),
    "release_words": ("speaking", "words"),
    "trace": ("stepping", "a trace"),
    "trace_release": ("stepping", "a trace"),
    "unfit": ("judging a mesh", "a reason"),
}


def _is_method(name: str, member: object) -> bool:
    return not name.startswith("_") and (isfunction(member) or isinstance(member, classmethod))


def _forward(name: str) -> Any:  # noqa: ANN401 - a method of any kind
    """A method of Guarded that calls the same method of the third party."""
    member = vars(Strategy)[name]
    doing, what = _IN_WORDS.get(name, (f"answering {name}", name))
    hint = get_type_hints(getattr(Strategy, name)).get("return", Any)
    if name in {"allocate", "trace", "trace_release", *_INSPECTING} or hint is type(
        None
    ):  # `_accept` checks, or nothing counts
        hint = Any

    def of_class(cls: type[Guarded], *args: Any, **given: Any) -> Any:  # noqa: ANN401
        answer, _ = call(
            cls.id, doing, lambda: getattr(cls.inner, name)(*args, **given), None, _home(cls.inner)
        )
        return cls._fitting(answer, hint, what)

    def of_object(self: Guarded, *args: Any, **given: Any) -> Any:  # noqa: ANN401
        answer = self._call(doing, lambda: getattr(self._wrapped, name)(*args, **given), _job_in(name, args))
        return self._accept(name, self._fitting(answer, hint, what), args)

    return classmethod(of_class) if isinstance(member, classmethod) else of_object


def _job_in(name: str, args: tuple[Any, ...]) -> int | None:
    """The job that a call is about."""
    first = args[0] if args else None
    if isinstance(first, Moment):
        first = first.request
    if isinstance(first, Request):
        return first.job
    return first if name in {"release", "trace_release"} else None


@cache
def _class_variables() -> tuple[str, ...]:
    """The class variables of a strategy."""
    return tuple(name for name, hint in get_type_hints(Strategy).items() if get_origin(hint) is ClassVar)


@cache
def _values() -> dict[str, object]:
    """The counters of a strategy, with their types."""
    given = {"mesh", "options", "took"}
    hints = get_type_hints(Strategy).items()
    return {name: hint for name, hint in hints if get_origin(hint) is not ClassVar and name not in given}


def _home(cls: type[Strategy]) -> str:
    """The package a strategy is in."""
    return cls.__module__.partition(".")[0]
