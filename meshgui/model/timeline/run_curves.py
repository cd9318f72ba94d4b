"""A run as curves and rows of events over time, computed once for every view that draws time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.network.record import NEVER_YET
from meshgui.engine.runs.recording import Recording
from meshgui.model.base.kept import kept
from meshgui.model.charts.curves import StepCurve


class Readings(NamedTuple):
    """The values of the curves at a position."""

    in_use: float  # percent of the processors
    waiting: int
    running: int


class RunCurves:
    """Processors in use, jobs waiting and jobs running over time, and when which job had which event."""

    def __init__(self, recording: Recording) -> None:
        times, busy = recording.busy_steps()
        _, waiting = recording.queue_steps()
        kinds = recording.kinds
        change = (kinds == EventKind.START).astype(np.int64)
        change -= (kinds == EventKind.FINISH) | (kinds == EventKind.KILL)
        running = np.cumsum(change)
        percent = busy * (100.0 / recording.mesh.processors)
        self._after = percent, waiting, running
        self.in_use = StepCurve(times, percent)
        self.waiting = StepCurve(times, waiting)
        self.running = StepCurve(times, running)
        self.down = StepCurve(times, recording.down_steps() * (100.0 / recording.mesh.processors))
        self._events = {kind: np.flatnonzero(kinds == kind) for kind in EventKind}
        self._times = {kind: times[index] for kind, index in self._events.items()}
        self._event_jobs, self._network = recording.event_jobs, recording.network

    @cached_property
    def under_way(self) -> StepCurve:
        """The packets in the network over time; none without one."""
        record = self._network
        if record is None:
            return StepCurve(np.zeros(0), np.zeros(0))
        injected = record.injected[record.injected != NEVER_YET]
        gone = record.delivered[record.arrived]
        times = np.concatenate((injected, gone))
        change = np.repeat(np.array([1, -1]), [len(injected), len(gone)])
        order = np.argsort(times, kind="stable")
        return StepCurve(times[order].astype(np.float64), np.cumsum(change[order]))

    def readings(self, position: int) -> Readings:
        """The three quantities after that many events."""
        if position == 0:
            return Readings(0.0, 0, 0)
        percent, waiting, running = (values[position - 1] for values in self._after)
        return Readings(float(percent), int(waiting), int(running))

    def prepare(self) -> None:
        """Make what is made at first use, as here it may be in another thread than the window's."""
        for curve in (self.in_use, self.waiting, self.running):
            curve.integrate()
        self.most  # noqa: B018 - it is kept

    @cached_property
    def most(self) -> Readings:
        """The maximum of each reading at any position, even if it holds for no time."""
        percent, waiting, running = (values.max(initial=0) for values in self._after)
        return Readings(float(percent), int(waiting), int(running))

    def event_columns(
        self, kind: EventKind, edges: NDArray[np.float64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """How many events of a kind lie between each two neighbouring edges, and the first one's job."""
        at = np.searchsorted(self._times[kind], edges, side="left")
        at[-1] = np.searchsorted(self._times[kind], edges[-1], side="right")  # the run ends with an event
        events = self._events[kind]
        counts = np.diff(at)
        first = np.full(len(counts), -1, dtype=np.int32)
        some = counts > 0
        first[some] = self._event_jobs[events[at[:-1][some]]]
        return counts, first


@kept
def run_curves(recording: Recording) -> RunCurves:
    """The curves of a recording; they are kept as long as it is, so that views share them."""
    return RunCurves(recording)
