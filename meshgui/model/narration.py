"""The sentence at the bottom of the window: what just happened, or why nothing does."""

from __future__ import annotations

import numpy as np

from meshgui.engine.allocation.base import counted, few
from meshgui.engine.geometry import Box, Size, describe_size, orientations, region
from meshgui.engine.network.record import NetworkMoment, NetworkRecord
from meshgui.engine.recording import AttemptOutcome, Event, EventKind, Recording, Snapshot
from meshgui.model.packet_states import PacketState, PacketStates, describe_state, packet_name, states_at

__all__ = ["job_name", "narrate", "narrate_network", "narrate_packet"]


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


def narrate_network(record: NetworkRecord, moment: NetworkMoment, *, complete: bool = True) -> str:
    """What the network does in a cycle in which nothing happens to a job; `complete` if the run is over."""
    cycle = f"Cycle {moment.cycle}:"
    states = states_at(record, moment)
    arrived = _arrivals(record, moment.cycle)
    if not len(states.packets):
        if arrived:
            return f"{cycle} {arrived}. No other packet is in the network."
        return f"{cycle} no packet is in the network{_next_one(record, moment.cycle, complete=complete)}."
    if len(states.packets) == 1 and not arrived:
        return f"{cycle} {packet_name(record, int(states.packets[0]))} {describe_state(record, states, 0)}."
    if len(moment.packets) == 1 and not arrived:
        row = states.row(int(moment.packets[0])) or 0
        queued = len(moment.queued)
        does = f"{packet_name(record, int(moment.packets[0]))} {describe_state(record, states, row)}"
        return f"{cycle} {does}; {queued} more {'waits' if queued == 1 else 'wait'} to be injected."
    counts = _counts(moment)
    first = f"{cycle} {arrived}. Now {counts}." if arrived else f"{cycle} {counts}."
    return f"{first} {_greatest_trouble(record, states)}".strip()


def narrate_packet(record: NetworkRecord, moment: NetworkMoment, packet: int) -> str:
    """What one packet does in a cycle, and the state of the network around it."""
    states = states_at(record, moment, np.array([packet], dtype=np.int64))
    name = packet_name(record, packet)
    does = f"Cycle {moment.cycle}: {name} {describe_state(record, states, 0)}."
    if states.kinds[0] in {PacketState.ARRIVED, PacketState.TO_COME} and len(moment.packets) + len(
        moment.queued
    ):
        return f"{does} {_capital(_counts(moment))}."
    if states.kinds[0] == PacketState.BLOCKED:
        return f"{does} {_end_of_chain(record, moment, packet)}".strip()
    return does


def _arrivals(record: NetworkRecord, cycle: int) -> str:
    """The packets that arrive in this cycle."""
    here = np.flatnonzero(record.delivered == cycle)
    if not len(here):
        return ""
    packet = int(here[0])
    row = int(np.searchsorted(record.arrived, packet))
    blocked = int(record.blocked[row])
    others = {1: "", 2: ", and another"}.get(len(here), f", and {len(here) - 1} others")
    if len(here) > 1:
        return f"{packet_name(record, packet)} arrives{others}"
    lost = f", {blocked} of them blocked" if blocked else ", never blocked"
    return f"{packet_name(record, packet)} arrives after {counted(int(record.latency[row]), 'cycle')}{lost}"


def _next_one(record: NetworkRecord, cycle: int, *, complete: bool) -> str:
    at = int(np.searchsorted(record.packet_times, cycle, side="right"))
    if at < len(record.packet_times):
        return f"; the next one sets out in cycle {int(record.packet_times[at])}"
    return ", and none is to come" if complete else ""


def _counts(moment: NetworkMoment) -> str:
    """How many packets are under way, blocked and not yet in the network."""
    count, blocked, queued = len(moment.packets), len(moment.blocked), len(moment.queued)
    if not count:
        said = "no packet is under way"
    elif count == 1:
        said = f"1 packet is under way, {'blocked' if blocked else 'not blocked'}"
    else:
        parts = {0: "none of them blocked", count: "all of them blocked"}.get(
            blocked, f"{blocked} of them blocked"
        )
        said = f"{count} packets are under way, {parts}"
    if queued:
        said += f"; {queued} more {'waits' if queued == 1 else 'wait'} to be injected"
    return said


def _greatest_trouble(record: NetworkRecord, states: PacketStates) -> str:
    """The packet that has been blocked for longest, and where."""
    row = int(np.argmax(states.trouble))
    if states.kinds[row] != PacketState.BLOCKED:
        return ""
    name = packet_name(record, int(states.packets[row]))
    return f"{_capital(name)} {describe_state(record, states, row)}."


def _end_of_chain(record: NetworkRecord, moment: NetworkMoment, packet: int) -> str:
    """Of a blocked packet, the one at the far end of the chain, which is not blocked."""
    chain = moment.chain(packet)
    if len(chain) < 2:
        return ""
    last = states_at(record, moment, np.array(chain[-1:], dtype=np.int64))
    if last.kinds[0] == PacketState.BLOCKED:
        return ""
    name = f"packet {chain[-1]} of job {int(record.jobs[chain[-1]])}"
    between = "At the end of the chain " if len(chain) > 2 else ""
    said = f"{name} {describe_state(record, last, 0)}."
    return f"{between}{said}" if between else _capital(said)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


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
    over = " It was the last job." if last else ""
    if recording.network is not None:
        return f"{name} finishes: {_its_messages(recording.network, event.job)}. It {frees}.{over}"
    return f"{name} finishes and {frees}.{over}"


def _its_messages(record: NetworkRecord, job: int) -> str:
    """Why a job with a network is over."""
    sent = int(np.count_nonzero(record.jobs == job))
    if not sent:
        return "it had no messages to send"
    return "its only message has arrived" if sent == 1 else f"its {sent} messages have arrived"


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
    if any(recording.attempt_outcomes[a] != AttemptOutcome.WAITS for a in attempts):
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
    turning = strategy.turning(recording.scenario.allocator.options)
    turns = orientations(size, snapshot.mesh.dims) if turning else (size,)
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
