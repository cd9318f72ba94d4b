"""Where a waiting job could be placed: now, or once running jobs have left; and who is in its places."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Boxes, Reservation, Strategy
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.basics.geometry import Box, Size, region
from meshgui.engine.basics.guard import StrategyError, short_calls
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import count_of, percent
from meshgui.engine.basics.work import Progress, telling
from meshgui.engine.runs.recording import NEVER, Recording
from meshgui.engine.runs.snapshot import Snapshot


class Opening(NamedTuple):
    """The first chance of a job, if the running jobs leave and no other takes their room."""

    time: float
    boxes: Boxes
    after: tuple[int, ...]  # the jobs that hold parts of these boxes now


def leaving_times(recording: Recording, jobs: NDArray[np.int32], position: int) -> list[float | None]:
    """When running jobs leave: as recorded, else as stated; None where that is not known."""
    times: list[float | None] = []
    of = recording.stints_at(position)
    for job in jobs.tolist():
        ended, service = int(of.ended[job]), recording.stated_service(job)
        if ended != NEVER:
            times.append(float(recording.times[ended]))
        elif service is None or recording.network is not None:
            times.append(None)
        else:
            left = service - recording.saved(job, position)
            times.append(float(recording.times[of.started[job]]) + left)
    return times


def places_met(
    snapshot: Snapshot, size: Size, *, across: bool = False
) -> tuple[int, dict[int, tuple[int, int]]]:
    """How many boxes of a size the mesh has; for each running job in how many it stands, and stands alone."""
    mesh = snapshot.mesh
    # Where a box spans a ring, all bases along it are those of one box.
    rings = [
        across and ring and side < extent
        for ring, side, extent in zip(mesh.rings, size, mesh.extents, strict=True)
    ]
    w, d, h = (
        extent if ring else extent - side + 1
        for extent, side, ring in zip(mesh.extents, size, rings, strict=True)
    )
    jobs = np.zeros((h, d, w), dtype=np.int32)  # by base of the box
    own: dict[int, NDArray[np.bool_]] = {}
    for box, owner in zip(snapshot.boxes.tolist(), snapshot.owners.tolist(), strict=True):
        bases = own.setdefault(owner, np.zeros((h, d, w), dtype=bool))
        low = [base - side + 1 for base, side in zip(box[:3], size, strict=True)]
        high = [base + side for base, side in zip(box[:3], box[3:], strict=True)]
        x, y, z = (
            [at % bound if ring else at for at in range(first if ring else max(first, 0), min(end, bound))]
            for first, end, bound, ring in zip(low, high, (w, d, h), rings, strict=True)
        )
        bases[np.ix_(z, y, x)] = True
    for bases in own.values():
        jobs += bases
    once = jobs == 1
    met = {job: (int(b.sum()), int((b & once).sum())) for job, b in own.items()}
    return jobs.size, met


def first_opening(recording: Recording, position: int, job: int) -> Opening | None:
    """The first time at which the strategy would place the job as the running jobs leave in turn."""
    snapshot = recording.snapshot(position)
    ends: dict[float, list[int]] = {}
    for running, time in zip(
        snapshot.running.tolist(), leaving_times(recording, snapshot.running, position), strict=True
    ):
        if time is not None:
            ends.setdefault(max(time, snapshot.time), []).append(running)
    free, volumes = snapshot.free, recording.held_processors()
    wanted = prod(recording.size(job))
    times, passed = sorted({snapshot.time, *ends}), 0
    words = tr("{share} of {departures}")
    departures = count_of(len(times) - 1, "departure")

    def far() -> Progress:
        return Progress(words=words.format(share=percent(passed / len(times), ".0f"), departures=departures))

    try:
        with short_calls(), telling(far):
            machine = recording.strategy_at(position)
            for passed, time in enumerate(times):  # noqa: B007 - it says how far the search is
                for leaving in ends.pop(time, ()):
                    machine.release(leaving)
                    free += int(volumes[leaving])
                if free >= wanted and (boxes := _boxes(machine, recording, job, time)):
                    return Opening(time, boxes, owners_in(snapshot, boxes))
    except StrategyError:
        return None
    return None


def placed_now(recording: Recording, position: int, job: int) -> Boxes:
    """The boxes that the job would get now; none if it would wait."""
    try:
        with short_calls():
            now = float(recording.times[position - 1]) if position else 0.0
            return _boxes(recording.strategy_at(position), recording, job, now)
    except StrategyError:
        return ()


def _boxes(machine: Strategy, recording: Recording, job: int, now: float) -> Boxes:
    service = recording.stated_service(job) or 0.0
    given = machine.allocate(Request(job, recording.size(job), now, service, recording.seed))
    return () if given is None or isinstance(given, Reservation) else tuple(Box(*box) for box in given)


def owners_in(snapshot: Snapshot, boxes: Boxes) -> tuple[int, ...]:
    """The jobs that hold parts of these boxes."""
    held = snapshot.mesh.occupancy()
    for box, owner in zip(snapshot.boxes.tolist(), snapshot.owners.tolist(), strict=True):
        region(held, Box(*box))[:] = owner
    found = {int(owner) for box in boxes for owner in np.unique(region(held, box))}
    return tuple(sorted(found - {-1}))
