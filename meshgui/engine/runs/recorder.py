"""Records a run as it happens: events, boxes, attempts and costs in growing arrays, and key frames."""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Allocation, BoxRows, Strategy
from meshgui.engine.network.wormhole import Packets
from meshgui.engine.runs.attempts import AttemptOutcome, AttemptRecorder
from meshgui.engine.runs.recording import NEVER, EventKind, KeyFrame, Recording
from meshgui.engine.scenario import Scenario
from meshgui.engine.workload.job_stream import JobStream

__all__ = ["Recorder"]

_WAITS = AttemptOutcome.WAITS
_EVENTS_BETWEEN_FRAMES = 64
_FRAME_BYTES_PER_EVENT = 12  # how much memory key frames may take, spread over the events between them


class Recorder:
    """The growing arrays of a run; attempts and key frames only where all is recorded."""

    def __init__(self, jobs: int, *, all_recorded: bool, counts_parts: bool) -> None:
        self._all_recorded = all_recorded
        self.times, self._kinds, self._event_jobs = array("d"), array("B"), array("i")
        self._arrived, self._started, self._ended, self._reserved = (
            array("i", [NEVER]) * jobs for _ in range(4)
        )
        moved = array("i", [NEVER]) * jobs  # of no interest
        # of the latest event of each kind, by job
        self._positions = (self._arrived, self._started, self._ended, self._ended, self._reserved, moved)
        self._first_box, self._box_count = array("i", [0]) * jobs, array("i", [0]) * jobs
        self._boxes, self._reservations = array("h"), array("h")
        self._attempt_counts = array("i", [0]) * jobs
        self._attempts = AttemptRecorder()
        self._rank_positions, self._rank_jobs, self._new_ranks = array("i"), array("i"), array("d")
        self._operations, self._nanoseconds = array("q", [0]) * jobs, array("q", [0]) * jobs
        self._part_attempts = array("i", [0]) * (jobs if counts_parts else 0)
        self._frames: list[KeyFrame] = []
        self._next_frame = _EVENTS_BETWEEN_FRAMES

    def event(self, time: float, kind: EventKind, job: int) -> None:
        """Add an event."""
        self._positions[kind][job] = len(self.times)
        self.times.append(time)
        self._kinds.append(kind)
        self._event_jobs.append(job)

    def start(self, time: float, job: int, rows: BoxRows, part_attempts: int | None) -> None:
        """Add the start of a job in boxes."""
        if self._part_attempts:
            self._part_attempts[job] = part_attempts or 0
        self._first_box[job] = len(self._boxes) // 6
        self._box_count[job] = len(rows)
        self._boxes.frombytes(rows.astype(np.int16).tobytes())
        self.event(time, EventKind.START, job)

    def reservation(self, time: float, job: int, row: BoxRows) -> None:
        """Add the reservation of a box for a job."""
        self._reservations.frombytes(row.astype(np.int16).tobytes())
        self.event(time, EventKind.RESERVE, job)

    def attempt(self, job: int, outcome: Allocation | BoxRows) -> None:
        """Add an allocation attempt."""
        self._attempt_counts[job] += 1
        if self._all_recorded:
            what = _WAITS if outcome is None else AttemptOutcome.of(outcome)  # most do
            self._attempts.add(len(self.times), job, what)

    def rank(self, job: int, rank: float) -> None:
        """Add a new rank of a waiting job."""
        self._rank_positions.append(len(self.times))
        self._rank_jobs.append(job)
        self._new_ranks.append(rank)

    def cost(self, job: int, operations: int, nanoseconds: int) -> None:
        """Add to the cost of a job."""
        self._operations[job] += operations
        self._nanoseconds[job] += nanoseconds

    def key_frame(self, strategy: Strategy) -> None:
        """Add a key frame, if one is due."""
        position = len(self.times)
        if position < self._next_frame or not self._all_recorded:
            return
        state = strategy.capture()
        self._frames.append(KeyFrame(position, state))
        nbytes = sum(values.nbytes for values in state.values())
        self._next_frame = position + max(_EVENTS_BETWEEN_FRAMES, nbytes // _FRAME_BYTES_PER_EVENT)

    def recording(
        self,
        scenario: Scenario,
        seed: int,
        jobs: JobStream,
        ranks: NDArray[np.float64],
        packets: Packets | None,
        *,
        complete: bool,
    ) -> Recording:
        """What has happened so far."""
        return Recording(
            scenario=scenario,
            seed=seed,
            jobs=jobs,
            complete=complete,
            times=np.array(self.times, dtype=np.float64),
            kinds=np.array(self._kinds, dtype=np.uint8),
            event_jobs=np.array(self._event_jobs, dtype=np.int32),
            arrived=np.array(self._arrived, dtype=np.int32),
            started=np.array(self._started, dtype=np.int32),
            ended=np.array(self._ended, dtype=np.int32),
            reserved=np.array(self._reserved, dtype=np.int32),
            reservations=np.array(self._reservations, dtype=np.int16).reshape(-1, 6),
            ranks=ranks,
            rank_positions=np.array(self._rank_positions, dtype=np.int32),
            rank_jobs=np.array(self._rank_jobs, dtype=np.int32),
            new_ranks=np.array(self._new_ranks, dtype=np.float64),
            first_box=np.array(self._first_box, dtype=np.int32),
            box_count=np.array(self._box_count, dtype=np.int32),
            boxes=np.array(self._boxes, dtype=np.int16).reshape(-1, 6),
            attempt_counts=np.array(self._attempt_counts, dtype=np.int32),
            attempts=self._attempts.attempts(),
            key_frames=tuple(self._frames),
            operations=np.array(self._operations, dtype=np.int64),
            seconds=np.array(self._nanoseconds, dtype=np.float64) * 1e-9,
            part_attempts=np.array(self._part_attempts, dtype=np.int32),
            packets=packets,
        )
