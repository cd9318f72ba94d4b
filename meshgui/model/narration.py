"""The sentence at the bottom of the window: the last event, or why nothing happens."""

from __future__ import annotations

import numpy as np

from meshgui.engine.basics.geometry import Box, Size, describe_size, orientations, region
from meshgui.engine.basics.sentences import Sentence, job_name, joined
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import are, counted, few, so_many
from meshgui.engine.network.record import NetworkMoment, NetworkRecord
from meshgui.engine.runs.attempts import AttemptOutcome
from meshgui.engine.runs.recording import Event, EventKind, Recording, Snapshot
from meshgui.model.packet_states import PacketState, PacketStates, describe_state, name_of, states_at

__all__ = [
    "job_title",
    "narrate",
    "narrate_network",
    "narrate_packet",
    "narrate_step",
    "shortage_sentence",
]


def narrate_step(recording: Recording, job: int, says: str, *, leaving: bool) -> Sentence:
    """A sentence for a step of a job's attempt or release; `says` is what the strategy says about it."""
    return Sentence(job_title(recording, job), " leaves. " if leaving else ": ", says)


def narrate(recording: Recording, snapshot: Snapshot) -> Sentence:
    """One sentence, at most two, for an event and what follows from it."""
    if snapshot.event is None:
        machine = counted(snapshot.mesh.processors, "processor")
        return Sentence(f"The machine is empty: {machine}, {counted(len(recording.jobs), 'job')} to come.")
    return joined((_happened(recording, snapshot, snapshot.event), _why_the_head_waits(recording, snapshot)))


def narrate_network(record: NetworkRecord, moment: NetworkMoment, *, complete: bool = True) -> Sentence:
    """A sentence on the network in a cycle without an event of a job; `complete` if the run is over."""
    cycle = tr("Cycle {cycle}: ").format(cycle=moment.cycle)
    states = states_at(record, moment)
    arrived = _arrivals(record, moment.cycle)
    if not len(states.packets):
        if arrived:
            return Sentence(cycle, arrived, ". No other packet is in the network.")
        following = _next_one(record, moment.cycle, complete=complete)
        return Sentence(cycle, f"no packet is in the network{following}.")
    if len(states.packets) == 1 and not arrived:
        return Sentence(cycle, _does(record, states, 0), ".")
    if len(moment.packets) == 1 and not arrived:
        row = states.row(int(moment.packets[0])) or 0
        return Sentence(cycle, _does(record, states, row), f"; {_to_be_injected(moment)}.")
    counts = _counts(moment)
    first = Sentence(cycle, arrived, f". Now {counts}.") if arrived else f"{cycle}{counts}."
    return joined((first, _greatest_trouble(record, states)))


def narrate_packet(record: NetworkRecord, moment: NetworkMoment, packet: int) -> Sentence:
    """A sentence on one packet in a cycle, and on the state of the network."""
    states = states_at(record, moment, np.array([packet], dtype=np.int64))
    does = Sentence(f"Cycle {moment.cycle}: ", _does(record, states, 0), ".")
    ends = {PacketState.ARRIVED, PacketState.TO_COME}
    if states.kinds[0] in ends and len(moment.packets) + len(moment.queued):
        return joined((does, Sentence(_counts(moment), ".").with_capital()))
    if states.kinds[0] == PacketState.BLOCKED:
        return joined((does, _end_of_chain(record, moment, packet)))
    return does


def _does(record: NetworkRecord, states: PacketStates, row: int) -> Sentence:
    """A packet's name and what it does."""
    return Sentence(name_of(record, int(states.packets[row])), " ", describe_state(record, states, row))


def _arrivals(record: NetworkRecord, cycle: int) -> Sentence:
    """The packets that arrive in this cycle."""
    here = np.flatnonzero(record.delivered == cycle)
    if not len(here):
        return Sentence()
    packet = int(here[0])
    name = name_of(record, packet)
    if len(here) > 1:
        others = "another" if len(here) == 2 else tr("{here} others").format(here=len(here) - 1)
        return Sentence(name, f" arrives, and {others}")
    row = int(np.searchsorted(record.arrived, packet))
    blocked = int(record.blocked[row])
    lost = tr("{blocked} of them blocked").format(blocked=blocked) if blocked else tr("never blocked")
    return Sentence(name, f" arrives after {counted(int(record.latency[row]), 'cycle')}, {lost}")


def _next_one(record: NetworkRecord, cycle: int, *, complete: bool) -> str:
    at = int(np.searchsorted(record.packet_times, cycle, side="right"))
    if at < len(record.packet_times):
        return tr("; the next one sets out in cycle {packet_times}").format(
            packet_times=int(record.packet_times[at])
        )
    return tr(", and none is to come") if complete else ""


def _counts(moment: NetworkMoment) -> str:
    """How many packets are under way, blocked and not yet in the network."""
    count, blocked, queued = len(moment.packets), len(moment.blocked), len(moment.queued)
    if not count:
        said = tr("no packet is under way")
    elif count == 1:
        said = f"1 packet is under way, {'blocked' if blocked else 'not blocked'}"
    else:
        parts = {0: tr("none of them blocked"), count: tr("all of them blocked")}.get(
            blocked, tr("{blocked} of them blocked").format(blocked=blocked)
        )
        said = tr("{count} packets are under way, {parts}").format(count=count, parts=parts)
    if queued:
        said += f"; {_to_be_injected(moment)}"
    return said


def _to_be_injected(moment: NetworkMoment) -> str:
    queued = len(moment.queued)
    return f"{queued} more {'waits' if queued == 1 else 'wait'} to be injected"


def _greatest_trouble(record: NetworkRecord, states: PacketStates) -> Sentence:
    """The packet that has been blocked longest, and where."""
    row = int(np.argmax(states.trouble))
    if states.kinds[row] != PacketState.BLOCKED:
        return Sentence()
    return Sentence(_does(record, states, row), ".").with_capital()


def _end_of_chain(record: NetworkRecord, moment: NetworkMoment, packet: int) -> Sentence:
    """Of a blocked packet, the one at the far end of the chain, which is not blocked."""
    chain = moment.chain(packet)
    if len(chain) < 2:
        return Sentence()
    last = states_at(record, moment, np.array(chain[-1:], dtype=np.int64))
    if last.kinds[0] == PacketState.BLOCKED:
        return Sentence()
    said = Sentence(_does(record, last, 0), ".")
    return Sentence("At the end of the chain ", said) if len(chain) > 2 else said.with_capital()


def job_title(recording: Recording, job: int) -> Sentence:
    """A job and its request, e.g. Job 17 (2×4×4)."""
    size = describe_size(recording.size(job), recording.mesh.dims)
    return Sentence(job_name(job).with_capital(), f" ({size})")


def _happened(recording: Recording, snapshot: Snapshot, event: Event) -> Sentence:
    return Sentence(job_title(recording, event.job), " ", _event_sentence(recording, snapshot, event))


def _event_sentence(recording: Recording, snapshot: Snapshot, event: Event) -> str:
    if event.kind == EventKind.ARRIVE:
        ahead = int((snapshot.queue == event.job).argmax()) if event.job in snapshot.queue else 0
        others = f"; {so_many(ahead, 'job')} {'waits' if ahead == 1 else 'wait'} before it" if ahead else ""
        return f"arrives{others}."
    if event.kind == EventKind.START:
        return _started(recording, event)
    if event.kind == EventKind.REJECT:
        return tr("is rejected: {refusal}.").format(
            refusal=recording.new_strategy().refusal(recording.size(event.job))
        )
    if event.kind == EventKind.RESERVE:
        box = recording.reservation_of(event.job)
        where = box.describe(flat=recording.mesh.dims == 2) if box is not None else tr("a box")
        return tr("leaves the queue: {where} is reserved for it.").format(where=where)
    if event.kind == EventKind.MOVE:
        place = snapshot.queue.tolist().index(event.job)
        behind = tr("behind {jobs}").format(jobs=so_many(place, "job")) if place else tr("to its head")
        return tr("is moved in the queue by hand, {behind}.").format(behind=behind)
    held = sum(box.volume for box in recording.boxes_of(event.job))
    frees = tr("frees {processors}").format(processors=counted(held, "processor"))
    over = tr(" It was the last job.") if len(recording) == snapshot.position and recording.complete else ""
    if recording.network is not None:
        return tr("finishes: {its_messages}. It {frees}.{over}").format(
            its_messages=_its_messages(recording.network, event.job), frees=frees, over=over
        )
    by_hand = recording.jobs.lasting[event.job] < recording.jobs.service[event.job]
    return f"{'is ended by hand' if by_hand else 'finishes'} and {frees}.{over}"


def _its_messages(record: NetworkRecord, job: int) -> str:
    """A clause on the messages of a job that has finished with a network."""
    sent = int(np.count_nonzero(record.jobs == job))
    if not sent:
        return tr("it had no messages to send")
    return (
        tr("its only message has arrived")
        if sent == 1
        else tr("its {sent} messages have arrived").format(sent=sent)
    )


def _started(recording: Recording, event: Event) -> str:
    dims = recording.mesh.dims
    boxes = recording.boxes_of(event.job)
    if len(boxes) > 1:
        where = tr("in {boxes} boxes").format(boxes=len(boxes))
    else:
        where = tr("in {describe}").format(describe=boxes[0].describe(flat=dims == 2))
        if boxes[0].size != recording.size(event.job):
            where += tr(", turned to {describe_size}").format(
                describe_size=describe_size(boxes[0].size, dims)
            )
    waited = event.time - float(recording.jobs.arrival[event.job])
    after = tr(", after a wait of {waited:.2f}").format(waited=waited) if waited > 0 else ""
    return tr("starts {where}{after}.").format(where=where, after=after)


def _why_the_head_waits(recording: Recording, snapshot: Snapshot) -> Sentence:
    queue = snapshot.queue[~np.isin(snapshot.queue, snapshot.reserved)]
    if not len(queue):
        return Sentence()
    head = int(queue[0])
    attempts = recording.attempts_at(snapshot.position)
    if any(recording.attempts[a].outcome != AttemptOutcome.WAITS for a in attempts):
        return Sentence()  # it starts next, or has a box reserved
    tried = any(recording.attempts[a].job == head for a in attempts)
    event = snapshot.event
    untouched = event is not None and event.kind == EventKind.ARRIVE and event.job != head
    if not (tried or untouched):
        return Sentence()
    return Sentence(job_title(recording, head), f" waits: {shortage_sentence(recording, snapshot, head)}.")


def shortage_sentence(recording: Recording, snapshot: Snapshot, head: int) -> str:
    """The reason why the job at the head of the queue cannot start."""
    size = recording.size(head)
    asked = size[0] * size[1] * size[2]
    if snapshot.free < asked:
        return tr("it asks for {processors}, and {few} free").format(
            processors=counted(asked, "processor"), few=few(snapshot.free)
        )
    shape = describe_size(size, snapshot.mesh.dims)
    strategy = recording.strategy
    if not strategy.contiguous:
        return tr("{free}, but not as {strategy} needs them").format(
            free=_free(snapshot.free), strategy=strategy.title
        )
    turning = strategy.turning(recording.scenario.allocator.options)
    turns = orientations(size, snapshot.mesh.dims) if turning else (size,)
    if any(_has_free(snapshot, turn) for turn in turns):  # missed, or kept for another
        return tr("{free}, but {strategy} has no {shape} box for it").format(
            free=_free(snapshot.free), strategy=strategy.title, shape=shape
        )
    turned = tr(", however turned") if len(turns) > 1 else ""
    return tr("{free}, but no {shape} box is{turned}").format(
        free=_free(snapshot.free), shape=shape, turned=turned
    )


def _has_free(snapshot: Snapshot, size: Size) -> bool:
    """Whether a box of this size is free anywhere: sums of held processors over all such boxes at once."""
    held = np.zeros(snapshot.mesh.extents[::-1], dtype=np.int32)
    for box in snapshot.boxes.tolist():
        region(held, Box(*box))[:] = 1
    for axis, length in enumerate(reversed(size)):
        places = held.shape[axis] - length + 1
        if places < 1:
            return False
        sums = np.moveaxis(held.cumsum(axis), axis, 0)
        sums[length:] -= sums[: places - 1].copy()
        held = np.moveaxis(sums[length - 1 :], 0, axis)
    return bool((held == 0).any())


def _free(count: int) -> str:
    return tr("{processors} {are} free").format(processors=counted(count, "processor"), are=are(count))
