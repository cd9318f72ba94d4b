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

__all__ = ["EVENTS_BETWEEN_FRAMES", "FRAME_BYTES_PER_EVENT", "Recorder"]

_WAITS, _PLACED = AttemptOutcome.WAITS, AttemptOutcome.PLACED
EVENTS_BETWEEN_FRAMES = 64
_STARTS_TOGETHER = 256
FRAME_BYTES_PER_EVENT = 12  # how much memory key frames may take, spread over the events between them


class Recorder:
    """The growing arrays of a run; attempts and key frames only where all is recorded."""

    def __init__(self, jobs: int, *, all_recorded: bool, counts_parts: bool) -> None:
        self._all_recorded = all_recorded
        self._jobs = jobs
        self.times, self._kinds, self._event_jobs = array("d"), array("B"), array("i")
        self._boxes, self._box_counts, self._reservations = array("h"), array("i"), array("h")
        self._latest_boxes: list[BoxRows] = []  # of the starts that are not in these arrays yet
        self._attempt_counts = array("i", [0]) * jobs
        self._attempts = AttemptRecorder()
        self._rank_positions, self._rank_jobs, self._new_ranks = array("i"), array("i"), array("d")
        self._operations, self._nanoseconds = array("q", [0]) * jobs, array("q", [0]) * jobs
        self._part_attempts = array("i", [0]) * (jobs if counts_parts else 0)
        self._frames: list[KeyFrame] = []
        self._next_frame = EVENTS_BETWEEN_FRAMES

    def event(self, time: float, kind: EventKind, job: int) -> None:
        """Add an event."""
        self.times.append(time)
        self._kinds.append(kind)
        self._event_jobs.append(job)

    def start(self, time: float, job: int, rows: BoxRows, part_attempts: int | None) -> None:
        """Add the start of a job in boxes."""
        if self._part_attempts:
            self._part_attempts[job] = part_attempts or 0
        self._latest_boxes.append(rows)
        if len(self._latest_boxes) == _STARTS_TOGETHER:
            self._take_boxes()
        self.event(time, EventKind.START, job)

    def _take_boxes(self) -> None:
        """Move the boxes of the latest starts into the arrays: many at once take a fraction of the time."""
        if self._latest_boxes:
            self._box_counts.extend(map(len, self._latest_boxes))
            self._boxes.frombytes(np.concatenate(self._latest_boxes).astype(np.int16).tobytes())
            self._latest_boxes.clear()

    def reservation(self, time: float, job: int, row: BoxRows) -> None:
        """Add the reservation of a box for a job."""
        self._reservations.frombytes(row.astype(np.int16).tobytes())
        self.event(time, EventKind.RESERVE, job)

    def attempt(self, job: int, outcome: Allocation | BoxRows) -> None:
        """Add an allocation attempt."""
        self._attempt_counts[job] += 1
        if self._all_recorded:
            if outcome is None:
                what = _WAITS
            else:  # from a kernel mostly, of which no more has to be asked
                what = _PLACED if outcome.__class__ is np.ndarray else AttemptOutcome.of(outcome)
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
        self._next_frame = position + max(EVENTS_BETWEEN_FRAMES, nbytes // FRAME_BYTES_PER_EVENT)

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
        self._take_boxes()
        kinds = np.array(self._kinds, dtype=np.uint8)
        event_jobs = np.array(self._event_jobs, dtype=np.int32)

        def latest(*wanted: EventKind) -> NDArray[np.int32]:
            """The position of each job's latest event of these kinds."""
            found = np.flatnonzero(np.isin(kinds, wanted))
            positions = np.full(self._jobs, NEVER, dtype=np.int32)
            positions[event_jobs[found]] = found
            return positions

        box_counts = np.array(self._box_counts, dtype=np.int32)
        first_box, box_count = np.zeros((2, self._jobs), dtype=np.int32)
        started = event_jobs[kinds == EventKind.START]
        box_count[started] = box_counts
        first_box[started] = np.cumsum(box_counts) - box_counts
        return Recording(
            scenario=scenario,
            seed=seed,
            jobs=jobs,
            complete=complete,
            times=np.array(self.times, dtype=np.float64),
            kinds=kinds,
            event_jobs=event_jobs,
            arrived=latest(EventKind.ARRIVE),
            started=latest(EventKind.START),
            ended=latest(EventKind.FINISH, EventKind.REJECT),
            reserved=latest(EventKind.RESERVE),
            reservations=np.array(self._reservations, dtype=np.int16).reshape(-1, 6),
            ranks=ranks,
            rank_positions=np.array(self._rank_positions, dtype=np.int32),
            rank_jobs=np.array(self._rank_jobs, dtype=np.int32),
            new_ranks=np.array(self._new_ranks, dtype=np.float64),
            first_box=first_box,
            box_count=box_count,
            boxes=np.array(self._boxes, dtype=np.int16).reshape(-1, 6),
            attempt_counts=np.array(self._attempt_counts, dtype=np.int32),
            attempts=self._attempts.attempts(),
            key_frames=tuple(self._frames),
            operations=np.array(self._operations, dtype=np.int64),
            seconds=np.array(self._nanoseconds, dtype=np.float64) * 1e-9,
            part_attempts=np.array(self._part_attempts, dtype=np.int32),
            packets=packets,
        )
