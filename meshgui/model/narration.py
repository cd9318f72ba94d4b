"""The sentence at the bottom of the window: what just happened, or why nothing does."""

from __future__ import annotations

import numpy as np

from meshgui.engine.allocation.base import counted, few
from meshgui.engine.geometry import Box, Size, describe_size, orientations, region
from meshgui.engine.recording import Attempted, Event, EventKind, Recording, Snapshot

__all__ = ["job_name", "narrate"]


def narrate(recording: Recording, snapshot: Snapshot, attempt: int | None, says: str) -> str:
    """One sentence, at most two, for a place; `says` is what the strategy says about the step we are at."""
    if attempt is not None:
        return f"{job_name(recording, int(recording.attempt_jobs[attempt]))}: {says}"
    if snapshot.event is None:
        machine = counted(snapshot.mesh.processors, "processor")
        return f"The machine is empty: {machine}, {counted(len(recording.jobs), 'job')} to come."
    happened = _happened(recording, snapshot, snapshot.event)
    waiting = _why_the_head_waits(recording, snapshot)
    return f"{happened} {waiting}".strip()


def job_name(recording: Recording, job: int) -> str:
    """A job and what it asks for, e.g. Job 17 (2×4×4)."""
    return f"Job {job} ({describe_size(recording.size(job), recording.mesh.dims)})"


def _happened(recording: Recording, snapshot: Snapshot, event: Event) -> str:
    name = job_name(recording, event.job)
    if event.kind == EventKind.ARRIVE:
        ahead = int((snapshot.queue == event.job).argmax()) if event.job in snapshot.queue else 0
        others = {0: "", 1: "; 1 job waits before it"}.get(ahead, f"; {ahead} jobs wait before it")
        return f"{name} arrives{others}."
    if event.kind == EventKind.START:
        return _started(recording, event, name)
    if event.kind == EventKind.REJECT:
        reason = recording.new_strategy().refusal(recording.size(event.job))
        return f"{name} is rejected: {reason}."
    if event.kind == EventKind.RESERVE:
        box = recording.reservation_of(event.job)
        where = box.describe(flat=recording.mesh.dims == 2) if box is not None else "a box"
        return f"{name} leaves the queue: {where} is reserved for it."
    held = sum(box.volume for box in recording.boxes_of(event.job))
    last = len(recording) == snapshot.position and recording.complete
    frees = f"frees {counted(held, 'processor')}"
    return f"{name} finishes and {frees}." + (" It was the last job." if last else "")


def _started(recording: Recording, event: Event, name: str) -> str:
    dims = recording.mesh.dims
    boxes = recording.boxes_of(event.job)
    if len(boxes) > 1:
        where = f"in {len(boxes)} boxes"
    else:
        where = f"in {boxes[0].describe(flat=dims == 2)}"
        if boxes[0].size != recording.size(event.job):
            where += f", turned to {describe_size(boxes[0].size, dims)}"
    waited = event.time - float(recording.jobs.arrival[event.job])
    after = f", after a wait of {waited:.2f}" if waited > 0 else ""
    return f"{name} starts {where}{after}."


def _why_the_head_waits(recording: Recording, snapshot: Snapshot) -> str:
    queue = snapshot.queue[~np.isin(snapshot.queue, snapshot.reserved)]
    if not len(queue):
        return ""
    head = int(queue[0])
    attempts = recording.attempts_at(snapshot.position)
    if any(recording.attempt_outcomes[a] != Attempted.WAITS for a in attempts):
        return ""  # it starts next, or has a box reserved
    tried = any(int(recording.attempt_jobs[a]) == head for a in attempts)
    event = snapshot.event
    untouched = event is not None and event.kind == EventKind.ARRIVE and event.job != head
    if not (tried or untouched):
        return ""
    size = recording.size(head)
    asked = size[0] * size[1] * size[2]
    name = job_name(recording, head)
    if snapshot.free < asked:
        return f"{name} waits: it asks for {counted(asked, 'processor')}, and {few(snapshot.free)} free."
    shape = describe_size(size, snapshot.mesh.dims)
    strategy = recording.strategy
    if not strategy.contiguous:
        return f"{name} waits: {_free(snapshot.free)}, but not as {strategy.title} needs them."
    turns = orientations(size, snapshot.mesh.dims) if strategy.rotates else (size,)
    if any(_has_free(snapshot, turn) for turn in turns):  # missed, or kept for another
        return f"{name} waits: {_free(snapshot.free)}, but {strategy.title} has no {shape} box for it."
    turned = ", however turned" if len(turns) > 1 else ""
    return f"{name} waits: {_free(snapshot.free)}, but no {shape} box is{turned}."


def _has_free(snapshot: Snapshot, size: Size) -> bool:
    """Whether a box of this size is free anywhere: sums of held processors over all such boxes at once."""
    held = np.zeros(snapshot.mesh.extents[::-1], dtype=np.int32)
    for box in snapshot.boxes.tolist():
        region(held, Box(*box))[:] = 1
    for axis, length in enumerate(reversed(size)):
        sums = np.insert(held.cumsum(axis), 0, 0, axis)
        places = sums.shape[axis] - length
        if places < 1:
            return False
        held = np.take(sums, range(length, length + places), axis) - np.take(sums, range(places), axis)
    return bool((held == 0).any())


def _free(count: int) -> str:
    return f"{counted(count, 'processor')} {'is' if count == 1 else 'are'} free"
