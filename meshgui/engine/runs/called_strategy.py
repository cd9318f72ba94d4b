"""A strategy as the event loop calls it: by the addresses of its kernels, or of Python functions."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter_ns
from typing import Final, TypeVar

import numpy as np

from meshgui.engine.allocation.base import Allocation, Boxes, Reservation, Strategy
from meshgui.engine.allocation.feedback import NO_FEEDBACK
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.kernel_strategy import (
    ALLOCATE,
    ATTEMPTS,
    DUE,
    NANOSECONDS,
    OPERATIONS,
    RELEASE,
    RESERVED,
    WAITS,
    KernelStrategy,
    new_tally,
)
from meshgui.engine.basics.guard import StrategyError, StuckError
from meshgui.engine.basics.plugins import failure
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import RunError, Stopped
from meshgui.engine.runs.faults import wrong_answer
from meshgui.engine.runs.loop_state import AnswerFault, StrategyCalls
from meshgui.engine.runs.python_calls import PythonCalls
from meshgui.engine.runs.recording import NEVER

R = TypeVar("R")

_WORKING, _PLANNING = 0, 1  # the handles of a strategy in plain Python
_FARTHEST: Final = 2**15 - 1  # the greatest coordinate that is recorded


def calls_of_kernels(working: KernelStrategy, planning: KernelStrategy, python: PythonCalls) -> StrategyCalls:
    """A strategy that is kernels alone, and another like it to plan with."""
    enter = working.entry_points
    return StrategyCalls(
        allocate=enter.allocate.handed,
        release=enter.release.handed,
        due=enter.due.handed,
        ask=python.ask,
        handle=working.handle,
        planning_state=planning.handle,
        boxes_room=working.boxes_out.handle,
        due_room=working.jobs_due.handle,
        tally=working.state.tally,
        memory=working.memory,
        planning_memory=planning.memory,
        boxes_out=working.boxes_out.rows,
        jobs_due=working.jobs_due.rows,
        feedback=working.feedback,
    )


class CalledPython:
    """A strategy in plain Python, and another like it to plan with."""

    def __init__(self, working: Strategy, make: Callable[[], Strategy], python: PythonCalls) -> None:
        self._working, self._make = working, make
        self._planning = working  # until there is something to plan
        self._boxes_out, self._jobs_due = np.empty((2, working.mesh.processors, 6), dtype=np.int32)
        self._tally = new_tally()
        memory = np.empty(0, dtype=np.uint8)
        self.calls = StrategyCalls(
            allocate=python.callback(self._allocate, ALLOCATE),
            release=python.callback(self._release, RELEASE),
            due=python.callback(self._due, DUE),
            ask=python.ask,
            handle=_WORKING,
            planning_state=_PLANNING,
            boxes_room=0,  # not needed to find these rooms
            due_room=0,
            tally=self._tally,
            memory=memory,
            planning_memory=memory,
            boxes_out=self._boxes_out,
            jobs_due=self._jobs_due,
            feedback=NO_FEEDBACK,
        )

    def copy(self, _: int) -> None:
        """Bring the strategy to plan with to where the other is."""
        if self._planning is self._working:
            self._planning = self._make()
        self._planning.restore(self._working.capture())

    def warm_up(self) -> None:
        """Let it compile what it compiles before anything is timed: allocate and release one node."""
        try:
            scratch = self._make()
            if scratch.allocate(Request(0, (1, 1, 1))) is not None:
                scratch.release(0)
        except (Stopped, StuckError):
            raise  # rather than wait for the same once more
        except Exception:  # noqa: BLE001 - what goes wrong here goes wrong again in the run, which says where
            return

    def _allocate(
        self, handle: int, job: int, w: int, d: int, h: int, now: float, service: float, seed: int, _room: int
    ) -> int:
        request = Request(int(job), (int(w), int(d), int(h)), float(now), float(service), int(seed))
        outcome: Allocation = self._measured(
            handle, tr("allocating"), Strategy.allocate, request, request.job
        )
        if outcome is None:
            return WAITS
        if isinstance(outcome, Reservation):
            self._write((outcome.box,), request.job)
            return RESERVED
        self._write(outcome, request.job)
        return len(outcome)

    def _write(self, boxes: Boxes, job: int) -> None:
        """Write boxes where the loop reads them: what it could not read is said to be wrong here."""
        if not len(boxes):
            raise wrong_answer(self._working.id, AnswerFault.FEW, job)
        if len(boxes) > len(self._boxes_out):
            raise wrong_answer(
                self._working.id, AnswerFault.COUNT, job, count=len(boxes), most=len(self._boxes_out)
            )
        for n, box in enumerate(boxes):
            if min(box) < -_FARTHEST or max(box) > _FARTHEST:
                raise wrong_answer(self._working.id, AnswerFault.OUTSIDE, job, box)
            self._boxes_out[n] = box

    def _release(self, handle: int, job: int) -> int:
        self._measured(handle, tr("releasing"), Strategy.release, int(job), int(job))
        return 0

    def _due(self, _handle: int, _room: int) -> int:
        jobs = self._working.due()
        if len(jobs) > len(self._jobs_due):
            raise wrong_answer(self._working.id, AnswerFault.NOT_RESERVED, jobs[-1], jobs=jobs)
        self._jobs_due[: len(jobs), 0] = np.clip(np.array(jobs, dtype=np.int64), -1, NEVER)
        return len(jobs)

    def _measured(self, handle: int, doing: str, method: Callable[..., R], argument: object, job: int) -> R:
        """What a method answers; the time and the operations that took are the job's."""
        called = self._planning if handle == _PLANNING else self._working
        before, begun = called.operations, perf_counter_ns()
        try:
            answer: R = getattr(called, method.__name__)(argument)
        except (RunError, Stopped):  # of a call that was stopped within
            raise
        except Exception as error:
            raise StrategyError(failure(called.id, doing, error, job)) from error
        if called is self._working:
            took = perf_counter_ns() - begun if called.took is None else called.took
            tally = self._tally
            tally[OPERATIONS] += called.operations - before  # what it counts beside the loop is no job's
            tally[NANOSECONDS], tally[ATTEMPTS] = took, called.part_attempts or 0
        return answer
