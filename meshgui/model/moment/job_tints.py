"""Chooses the tint of each job, its colour and pattern: neighbours and jobs that run together differ.

A tint is chosen when its job starts, from the jobs that run then, and never changes: the same job looks the
same at every moment of a run, and while the run grows.
"""

from __future__ import annotations

from threading import Lock
from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.runs.recording import Recording

HUE_COUNT: Final = 16
PATTERN_COUNT: Final = 6
"""A tint is a hue, the remainder by their number, and a round of patterns."""

ALIKE: Final = np.array(
    [
        [hue >> (HUE_COUNT - 1 - other) & 1 for other in range(HUE_COUNT)]
        for hue in (
            *(0x8A90, 0x4080, 0x2020, 0x1042, 0x888C, 0x0469, 0x8210, 0x0101),
            *(0xC888, 0x1442, 0x2421, 0x8210, 0x0C88, 0x0804, 0x1042, 0x0521),
        )
    ],
    dtype=np.int64,
)
"""Which hues are hardly told apart in some kind of colour blindness; see the test of colours."""

_START, _FINISH = int(EventKind.START), int(EventKind.FINISH)
_KEPT: Final = 6  # runs whose tints are kept


class _RunTints:
    """The tints of one run as far as it has gone."""

    def __init__(self, recording: Recording) -> None:
        w, d, h = recording.mesh.extents
        self.scenario, self.seed = recording.scenario, recording.seed
        self.tints = np.arange(len(recording.jobs), dtype=np.int64) % HUE_COUNT  # until they start
        self._holders = np.full((h, d, w), -1, dtype=np.int64)
        self._uses = np.zeros(HUE_COUNT * PATTERN_COUNT, dtype=np.int64)
        self._events = 0

    def belongs_to(self, recording: Recording) -> bool:
        """Whether the recording is of this run; runs of a scenario from the same seed are equal."""
        same = recording.scenario is self.scenario and recording.seed == self.seed
        return same and len(recording.jobs) == len(self.tints)

    def covers(self, recording: Recording) -> bool:
        """Whether the tints are chosen for all of the recording."""
        return self._events >= len(recording)

    def follow(self, recording: Recording) -> None:
        """Choose the tints of the jobs that have started since."""
        if not self.covers(recording):
            choose_tints(
                recording.kinds[self._events :],
                recording.event_jobs[self._events :],
                recording.first_box,
                recording.box_count,
                recording.boxes,
                ALIKE,
                self._holders,
                self._uses,
                self.tints,
            )
            self._events = len(recording)


_runs: list[_RunTints] = []
_choosing = Lock()  # the thread of a run chooses, too: of a long run it takes too long for the window's


def job_tints(recording: Recording) -> Ints:
    """The tint of each job of a run; of one that has not started, what it would have alone."""
    found = _run_of(recording)
    if found is None or not found.covers(recording):
        with _choosing:
            found = _run_of(recording)
            if found is None:
                found = _RunTints(recording)
                _runs.insert(0, found)
                del _runs[_KEPT:]
            found.follow(recording)
    return found.tints


def _run_of(recording: Recording) -> _RunTints | None:
    return next((run for run in tuple(_runs) if run.belongs_to(recording)), None)


def load_kernels() -> None:
    """Compile the kernel before the first picture needs it."""
    none, grid = np.zeros(0, dtype=np.int32), np.zeros((1, 1, 1), dtype=np.int64)
    boxes, uses = np.zeros((0, 6), dtype=np.int16), np.zeros(0, dtype=np.int64)
    choose_tints(np.zeros(0, dtype=np.uint8), none, none, none, boxes, ALIKE, grid, uses, uses)


@kernel
def choose_tints(
    kinds: NDArray[np.uint8],
    jobs: NDArray[np.int32],
    first_box: NDArray[np.int32],
    box_count: NDArray[np.int32],
    boxes: NDArray[np.int16],
    alike: NDArray[np.int64],
    holders: NDArray[np.int64],
    uses: NDArray[np.int64],
    tints: NDArray[np.int64],
) -> None:
    """Go through more events of a run: set the tint of each job that starts, and who holds which node.

    Of the hues that no neighbour has, the one that fewest running jobs have, then the one that is like those
    of fewest neighbours, then of fewest others; of equal ones the next after the job's number. Jobs of equal
    hue have different patterns as long as there are any.
    """
    hues = len(alike)
    near = np.zeros(hues, dtype=np.int64)
    for index in range(len(kinds)):
        job, kind = jobs[index], kinds[index]
        rows = range(first_box[job], first_box[job] + box_count[job])
        if kind == _FINISH:
            uses[tints[job]] -= 1
            for row in rows:
                x, y, z, w, d, h = boxes[row]
                holders[z : z + h, y : y + d, x : x + w] = -1
        if kind != _START:
            continue
        near[:] = 0
        for row in rows:
            x, y, z, w, d, h = boxes[row]
            around = holders[max(z - 1, 0) : z + h + 1, max(y - 1, 0) : y + d + 1, max(x - 1, 0) : x + w + 1]
            for holder in around.flat:
                if holder >= 0:
                    near[tints[holder] % hues] = 1
        best, least = 0, -1
        for step in range(hues):
            hue = (job + step) % hues
            cost = near[hue] * 100_000_000 + uses[hue::hues].sum() * 10_000
            for other in range(hues):
                if near[other]:
                    cost += alike[hue, other] * 20
                elif uses[other::hues].sum():
                    cost += alike[hue, other]
            if least < 0 or cost < least:
                best, least = hue, cost
        tint = best
        for other in range(best, len(uses), hues):
            if uses[other] < uses[tint]:
                tint = other
        tints[job] = tint
        uses[tint] += 1
        for row in rows:
            x, y, z, w, d, h = boxes[row]
            holders[z : z + h, y : y + d, x : x + w] = job
