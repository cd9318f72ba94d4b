"""Keeps a third-party strategy from taking the program down: it may raise, answer rubbish or never return.

Its calls run in a thread of their own while the caller waits, so that a caller can still be stopped, and goes
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
from math import isfinite
from numbers import Integral
from queue import Empty, SimpleQueue
from time import monotonic, perf_counter_ns
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Allocation, AttemptTrace, Boxes, Options, Reservation, Strategy
from meshgui.engine.allocation.inspection import Inspection, Moment, Request, State
from meshgui.engine.allocation.soundness import boxes_in, inspection_fault, misfit, steps_fault
from meshgui.engine.allocation.steps import Step, StepLog
from meshgui.engine.geometry import Mesh, Size

__all__ = ["Guarded", "StrategyError", "StuckError", "call", "failed", "guarded", "long_calls", "short_calls"]

SECONDS = 20.0  # how long a call may take
VARIABLE = "MESHGUI_STRATEGY_SECONDS"  # the environment variable that says otherwise
_BRISK = 0.25  # of it is what somebody who looks on has to wait
_BETWEEN_LOOKS = 0.05  # seconds
_PARTS = ("id", "title", "dims", "rotates", "contiguous", "source", "lines", "options_model", "help")
_NAMES = ("__module__", "__qualname__", "__doc__")

R = TypeVar("R")


class StrategyError(Exception):
    """A strategy that cannot be used, named, with the reason."""


class StuckError(StrategyError):
    """A strategy that did not come back in time."""


class _Abandoned(SystemExit):
    """Ends a thread that nobody waits for any more; no `except Exception` of a strategy keeps it."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a call came to."""

    value: Any
    error: BaseException | None
    nanoseconds: int


class _Worker:
    """A thread that calls what it is given, one thing after another."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], Any] | None] = SimpleQueue()
        self.answers: SimpleQueue[_Answer] = SimpleQueue()
        # A daemon: the program ends although a compiled loop never does.
        self._thread = threading.Thread(target=self._work, name="third-party strategy", daemon=True)
        self._thread.start()

    def ask(self, function: Callable[[], Any]) -> None:
        """Have something called; the answer will be in `answers`."""
        self._calls.put(function)

    def dismiss(self) -> None:
        """End, with nothing under way."""
        self._calls.put(None)
        self._thread.join()

    def abandon(self) -> None:
        """End in the midst of a call: at once in Python code, not before it returns in compiled code."""
        ident = ctypes.c_ulong(self._thread.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(_Abandoned))
        self._calls.put(None)

    def compiles(self) -> bool:
        """Whether Numba is compiling for the call, which is not the strategy's time."""
        frame = sys._current_frames().get(self._thread.ident or 0)  # noqa: SLF001 - public but for its name
        while frame is not None:
            if frame.f_globals.get("__name__", "").startswith("numba.core."):
                return True
            frame = frame.f_back
        return False

    def _work(self) -> None:
        with suppress(_Abandoned):
            self._answer_calls()

    def _answer_calls(self) -> None:
        while (function := self._calls.get()) is not None:
            value, error = None, None
            begun = perf_counter_ns()
            try:
                value = function()
            except _Abandoned:
                raise
            except BaseException as raised:  # noqa: BLE001 - whatever it is, the caller hears of it
                error = raised
            self.answers.put(_Answer(value, error, perf_counter_ns() - begun))
            del function, value, error  # kept alive by nobody but the caller


@dataclass
class _Watch:
    """The terms on which a thread calls strategies; they end with the block that set them."""

    seconds: float  # for each call
    end: float | None = None  # when all calls of the block must be over
    look: Callable[[], object] | None = None  # called while waiting; what it raises ends the wait
    workers: list[_Worker] = field(default_factory=list)  # the one at hand, if there is one


class _Here(threading.local):
    watch: _Watch | None = None


_here = _Here()
_given_up: dict[tuple[str, str], StuckError] = {}  # what did not come back since the last run began


def _seconds() -> float:
    try:
        seconds = float(os.environ.get(VARIABLE, ""))
    except ValueError:
        return SECONDS
    return seconds if isfinite(seconds) and seconds > 0 else SECONDS


@contextmanager
def _on(watch: _Watch) -> Iterator[None]:
    outer = _here.watch
    if outer is not None:
        watch.workers = outer.workers
    _here.watch = watch
    try:
        yield
    finally:
        _here.watch = outer
        if outer is None:
            while watch.workers:
                watch.workers.pop().dismiss()


@contextmanager
def long_calls(look: Callable[[], object] | None = None) -> Iterator[None]:
    """A block, such as a run, whose calls may each take their time; `look` is called in between."""
    outer = _here.watch
    if outer is None:
        _given_up.clear()
        outer = _Watch(0.0)
    with _on(_Watch(_seconds(), outer.end, look or outer.look)):
        yield


@contextmanager
def short_calls() -> Iterator[None]:
    """A block whose calls, all together, must be over soon: somebody looks on."""
    outer, seconds = _here.watch, _BRISK * _seconds()
    end = monotonic() + seconds
    if outer is not None and outer.end is not None:
        end = min(end, outer.end)
    with _on(_Watch(seconds, end, outer.look if outer else None)):
        yield


def call(name: str, doing: str, function: Callable[[], R], job: int | None = None) -> tuple[R, int]:
    """What a third party's function returns, and its nanoseconds; all that goes wrong is a StrategyError."""
    watch = _here.watch
    if watch is None:
        with short_calls():
            return call(name, doing, function, job)
    if watch.end is not None and (name, doing) in _given_up:
        raise StuckError(str(_given_up[name, doing]))
    if not watch.workers:
        watch.workers.append(_Worker())
    worker = watch.workers[-1]
    worker.ask(function)
    try:
        answer = _wait(worker, watch, name, f"{doing}{'' if job is None else f' for job {job}'}")
    except BaseException as error:
        if isinstance(error, StuckError):
            _given_up[name, doing] = error
        watch.workers.remove(worker)
        worker.abandon()
        raise
    raised = answer.error
    if raised is None:
        return answer.value, answer.nanoseconds
    if isinstance(raised, KeyboardInterrupt | StrategyError):
        raise raised
    raise failed(name, doing, raised, job) from raised


def _wait(worker: _Worker, watch: _Watch, name: str, what: str) -> _Answer:
    """The answer, if it comes in time."""
    now = monotonic()
    left = watch.seconds if watch.end is None else min(watch.seconds, watch.end - now)
    while True:
        before = now
        try:
            return worker.answers.get(timeout=max(0.0, min(_BETWEEN_LOOKS, left)))
        except Empty:
            now = monotonic()
        if worker.compiles():
            # Nobody gives up on it then: half a compilation left behind would disturb the next one.
            if watch.end is not None:
                watch.end += now - before
            continue
        left -= now - before
        if watch.look is not None:
            watch.look()
        if left <= 0:
            raise StuckError(f"{name} did not come back from {what} within {watch.seconds:g} s")


def failed(name: str, doing: str, error: BaseException, job: int | None = None) -> StrategyError:
    """What to say when a strategy raises."""
    where = f"while {doing}" if job is None else f"at job {job}"
    try:
        said = " ".join(str(error).split())
    except Exception:  # noqa: BLE001 - an exception may not even have words
        said = ""
    return StrategyError(f"{name} failed {where}: {type(error).__name__}: {said}".removesuffix(": "))


class Guarded(Strategy):
    """A third-party strategy behind the guard: the same calls, each held to the interface."""

    inner: ClassVar[type[Strategy]]

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        cls = type(self)
        self.mesh = mesh
        self.options = options if options is not None else cls.options_model()
        self.operations = 0
        self.took = 0  # nanoseconds of the last call, the way to the other thread and back left out
        self._wrapped, _ = call(cls.id, "starting", lambda: cls.inner(mesh, options))

    def _do(self, doing: str, function: Callable[[], R], job: int | None = None) -> R:
        def counted() -> tuple[R, object]:
            value = function()
            return value, self._wrapped.operations

        (value, operations), self.took = call(self.id, doing, counted, job)
        if not isinstance(operations, Integral):
            raise StrategyError(f"{self.id} has counted {operations!r} operations: expected a whole number")
        self.operations = int(operations)
        return value

    def _hold(self, value: R, hint: object, what: str) -> R:
        fault = misfit(value, hint, what)
        if fault is not None:
            raise StrategyError(f"{self.id} answered with {fault}")
        return value

    @classmethod
    def unfit(cls, mesh: Mesh, options: Options) -> str | None:
        """See Strategy."""
        reason, _ = call(cls.id, "judging a mesh", lambda: cls.inner.unfit(mesh, options))
        if reason is not None and not isinstance(reason, str):
            raise StrategyError(f"{cls.id} gave {reason!r} for a reason: expected words, or None")
        return reason

    def allocate(self, request: Request, log: StepLog | None = None) -> Allocation:
        """See Strategy; whoever takes the boxes looks at them."""
        return self._do("allocating", lambda: self._wrapped.allocate(request, log), request.job)

    def release(self, job: int) -> None:
        """See Strategy."""
        self._do("releasing", lambda: self._wrapped.release(job), job)

    def capture(self) -> State:
        """See Strategy."""
        return self._hold(self._do("capturing its state", self._wrapped.capture), State, "a state")

    def restore(self, state: State) -> None:
        """See Strategy."""
        self._do("restoring a state", lambda: self._wrapped.restore(state))

    def due(self) -> tuple[int, ...]:
        """See Strategy."""
        return self._hold(self._do("naming the jobs due", self._wrapped.due), tuple[int, ...], "jobs due")

    def replay(self, request: Request, boxes: Boxes) -> None:
        """See Strategy."""
        self._do("replaying", lambda: self._wrapped.replay(request, boxes), request.job)

    def inspect(self, moment: Moment) -> Inspection:
        """See Strategy."""
        job = moment.request.job if moment.request is not None else None
        seen = self._do("showing what it keeps", lambda: self._wrapped.inspect(moment), job)
        fault = inspection_fault(seen, self.mesh)
        if fault is not None:
            raise StrategyError(f"{self.id} shows {fault}")
        return seen

    def turns(self, size: Size) -> tuple[Size, ...]:
        """See Strategy."""
        turns = self._do("turning a request", lambda: self._wrapped.turns(size))
        return self._hold(turns, tuple[Size, ...], "turns")

    def granted(self, size: Size) -> int:
        """See Strategy."""
        granted = self._do("counting what it grants", lambda: self._wrapped.granted(size))
        return self._hold(granted, int, "a number of processors")

    def refusal(self, size: Size) -> str | None:
        """See Strategy."""
        reason = self._do("judging a request", lambda: self._wrapped.refusal(size))
        return self._hold(reason, str | None, "a reason")

    def nodes(self, boxes: Boxes) -> NDArray[np.int64]:
        """See Strategy."""
        nodes = self._do("listing processors", lambda: self._wrapped.nodes(boxes))
        self._hold(nodes, NDArray[np.int64], "processors")
        if nodes.ndim != 1 or not np.array_equal(np.sort(nodes), np.sort(super().nodes(boxes))):
            raise StrategyError(f"{self.id} listed other processors than those of the job's boxes")
        return np.ascontiguousarray(nodes, dtype=np.int64)

    def say(self, moment: Moment) -> str:
        """See Strategy."""
        job = moment.request.job if moment.request is not None else None
        return self._hold(self._do("speaking", lambda: self._wrapped.say(moment), job), str, "a sentence")

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        """See Strategy."""
        words = self._do("speaking", lambda: self._wrapped.words(step, moment))
        return self._hold(words, dict[str, object], "words")

    def trace(self, request: Request) -> AttemptTrace:
        """See Strategy."""
        name, job = self.id, request.job
        trace = self._do("stepping", lambda: self._wrapped.trace(request), job)
        if not isinstance(trace, AttemptTrace):
            raise StrategyError(f"{name} answered with {trace!r}: expected a trace")
        fault = steps_fault(trace.steps, len(self.lines))
        if fault is not None:
            raise StrategyError(f"{name} logged at job {job} {fault}")
        outcome = trace.outcome
        if outcome is None:
            return trace
        boxes = boxes_in((outcome.box,) if isinstance(outcome, Reservation) else outcome)
        if boxes is None:
            raise StrategyError(f"{name} gave job {job} {outcome!r}: expected a sequence of boxes")
        return trace._replace(outcome=Reservation(boxes[0]) if isinstance(outcome, Reservation) else boxes)


def guarded(cls: type[Strategy]) -> type[Strategy]:
    """A third-party strategy's class, to be used like any other."""
    parts = {name: getattr(cls, name) for name in (*_PARTS, *_NAMES)}
    return cast("type[Strategy]", type(cls.__name__, (Guarded,), {**parts, "inner": cls}))
