"""The sentence at the bottom of the window: the last event, or why nothing happens."""

from __future__ import annotations

from functools import lru_cache
from math import prod

import numpy as np

from meshgui.engine.basics.geometry import Size, describe_size, orientations
from meshgui.engine.basics.kinds import OF_MACHINE, AttemptOutcome, EventKind
from meshgui.engine.basics.sentences import (
    PacketLink,
    Piece,
    Sentence,
    compose,
    job_name,
    joined,
    packet_name,
)
from meshgui.engine.basics.translation import formatted, language, said_again, tr, tr_n
from meshgui.engine.basics.words import count_of, counted
from meshgui.engine.network.deadlock import CIRCLE_SHOWN, Deadlock
from meshgui.engine.network.record import NetworkMoment, NetworkRecord
from meshgui.engine.runs.recording import NEVER, Recording
from meshgui.engine.runs.snapshot import Event, Snapshot
from meshgui.model.moment.outlook import Outlook, outlook
from meshgui.model.moment.packet_states import PacketState, PacketStates, name_of, say_state, states_at


def narrate_step(recording: Recording, job: int, says: str, *, leaving: bool) -> Sentence:
    """A sentence for a step of a job's attempt or release; `says` is what the strategy says about it."""
    template = tr("{job} leaves. {step}") if leaving else tr("{job}: {step}")
    return compose(template, {"job": job_title(recording, job), "step": says})


def narrate(recording: Recording, snapshot: Snapshot) -> Sentence:
    """One sentence, at most two, for an event and what follows from it."""
    return narrate_with(recording, snapshot, waiting_head(recording, snapshot))


def narrate_with(recording: Recording, snapshot: Snapshot, waits: int | None) -> Sentence:
    """The same where the `waiting_head` is known."""
    if snapshot.event is None:
        return Sentence(
            tr("The machine is empty: {processors}, {jobs} to come.").format(
                processors=counted(snapshot.mesh.processors, "processor"),
                jobs=counted(len(recording.jobs), "job"),
            )
        )
    happened = _happened(recording, snapshot, snapshot.event)
    return happened if waits is None else joined((happened, _why_it_waits(recording, snapshot, waits)))


def narrate_network(record: NetworkRecord, moment: NetworkMoment, *, complete: bool = True) -> Sentence:
    """A sentence on the network in a cycle without an event of a job; `complete` if the run is over."""
    return _in_cycle(moment.cycle, _on_network(record, moment, complete=complete))


def _on_network(record: NetworkRecord, moment: NetworkMoment, *, complete: bool) -> Sentence:
    states = states_at(record, moment)
    arrival = _arrivals(record, moment.cycle)
    if not len(states.packets):
        if arrival:
            return compose(tr("{arrival}. No other packet is in the network."), {"arrival": arrival})
        return Sentence(_empty_network(record, moment.cycle, complete=complete))
    if len(states.packets) == 1 and not arrival:
        return Sentence(say_state(record, states, 0), ".")
    if len(moment.packets) == 1 and not arrival:
        row = states.row(int(moment.packets[0])) or 0
        words = {"packet_does": say_state(record, states, row), "others_wait": _to_be_injected(moment)}
        return compose(tr("{packet_does}; {others_wait}."), words)
    counts = _counts(moment)
    first = compose(tr("{arrival}. Now {packets}."), {"arrival": arrival, "packets": counts})
    return joined((first if arrival else f"{counts}.", _greatest_trouble(record, states)))


def narrate_deadlock(recording: Recording, deadlock: Deadlock) -> Sentence:
    """Two sentences on the deadlock in which a run has ended: who waits for whom, and what is unfinished."""
    jobs = int(np.count_nonzero((recording.arrived != NEVER) & (recording.ended == NEVER)))
    left = tr_n("{number} job stays unfinished.", "{number} jobs stay unfinished.", jobs)
    said = tr("Deadlock in cycle {cycle}: nothing can move any more. Each waits for the next: {circle}.")
    names = [packet_name(*known, owned=False) for known in _in_circle(recording, deadlock)]
    shown = names if len(names) <= CIRCLE_SHOWN else [*names[:CIRCLE_SHOWN], Sentence("…")]
    words: dict[str, object] = {"cycle": deadlock.cycle, "circle": joined([*shown, names[0]], " → ")}
    return joined((compose(said, words), left if jobs else ""))


def describe_circle(recording: Recording, deadlock: Deadlock) -> Sentence:
    """The circle of a deadlock, whole and in few words: each packet waits for the next."""
    numbers = [
        Sentence(Piece(str(packet), PacketLink(packet, job)))
        for packet, job in _in_circle(recording, deadlock)
    ]
    return compose(tr("Deadlock: {circle}"), {"circle": joined([*numbers, numbers[0]], " → ")})


def _in_circle(recording: Recording, deadlock: Deadlock) -> list[tuple[int, int]]:
    """The packets of a circle with their jobs."""
    network = recording.network
    return [(p, 0 if network is None else int(network.jobs[p])) for p in deadlock.circle]


def narrate_packet(record: NetworkRecord, moment: NetworkMoment, packet: int) -> Sentence:
    """A sentence on one packet in a cycle, and on the state of the network."""
    states = states_at(record, moment, np.array([packet], dtype=np.int64))
    does = _in_cycle(moment.cycle, Sentence(say_state(record, states, 0), "."))
    ends = {PacketState.ARRIVED, PacketState.TO_COME}
    if states.kinds[0] in ends and len(moment.packets) + len(moment.queued):
        return joined((does, Sentence(_counts(moment), ".").with_capital()))
    if states.kinds[0] == PacketState.BLOCKED:
        return joined((does, _end_of_chain(record, moment, packet)))
    return does


def _in_cycle(cycle: int, sentence: Sentence) -> Sentence:
    return compose(tr("Cycle {cycle}: {sentence}"), {"cycle": cycle, "sentence": sentence})


def _arrivals(record: NetworkRecord, cycle: int) -> Sentence:
    """The packets that arrive in this cycle."""
    here = np.flatnonzero(record.delivered == cycle)
    if not len(here):
        return Sentence()
    packet = int(here[0])
    name = name_of(record, packet)
    if len(here) > 1:
        return compose(
            tr_n(
                "{packet} arrives, and another",
                "{packet} arrives, and {number} others",
                len(here) - 1,
                packet="{packet}",
            ),
            {"packet": name},
        )
    row = int(np.searchsorted(record.arrived, packet))
    blocked = int(record.blocked[row])
    template = (
        tr("{packet} arrives after {cycles}, {blocked} of them blocked")
        if blocked
        else tr("{packet} arrives after {cycles}, never blocked")
    )
    cycles = counted(int(record.latency[row]), "cycle")
    return compose(template, {"packet": name, "cycles": cycles, "blocked": blocked})


def _empty_network(record: NetworkRecord, cycle: int, *, complete: bool) -> str:
    at = int(np.searchsorted(record.packet_times, cycle, side="right"))
    if at < len(record.packet_times):
        return tr("no packet is in the network; the next one sets out in cycle {cycle}.").format(
            cycle=int(record.packet_times[at])
        )
    if complete:
        return tr("no packet is in the network, and none is to come.")
    return tr("no packet is in the network.")


def _counts(moment: NetworkMoment) -> str:
    """How many packets are under way, blocked and not yet in the network."""
    count, blocked = len(moment.packets), len(moment.blocked)
    if not count:
        said = tr("no packet is under way")
    elif not blocked:
        said = tr_n(
            "{number} packet is under way, not blocked",
            "{number} packets are under way, none of them blocked",
            count,
        )
    elif blocked == count:
        said = tr_n(
            "{number} packet is under way, blocked",
            "{number} packets are under way, all of them blocked",
            count,
        )
    else:
        said = tr_n(
            "{number} packet is under way, {blocked} of them blocked",
            "{number} packets are under way, {blocked} of them blocked",
            count,
            blocked=blocked,
        )
    if len(moment.queued):
        return tr("{packets}; {others_wait}").format(packets=said, others_wait=_to_be_injected(moment))
    return said


def _to_be_injected(moment: NetworkMoment) -> str:
    return tr_n("{number} more waits to be injected", "{number} more wait to be injected", len(moment.queued))


def _greatest_trouble(record: NetworkRecord, states: PacketStates) -> Sentence:
    """The packet that has been blocked longest, and where."""
    row = int(np.argmax(states.trouble))
    if states.kinds[row] != PacketState.BLOCKED:
        return Sentence()
    return Sentence(say_state(record, states, row), ".").with_capital()


def _end_of_chain(record: NetworkRecord, moment: NetworkMoment, packet: int) -> Sentence:
    """Of a blocked packet, the one at the far end of the chain, which is not blocked."""
    chain = moment.chain(packet)
    if len(chain) < 2:
        return Sentence()
    last = states_at(record, moment, np.array(chain[-1:], dtype=np.int64))
    if last.kinds[0] == PacketState.BLOCKED:
        return Sentence()
    does = say_state(record, last, 0)
    if len(chain) > 2:
        return compose(tr("At the end of the chain {packet_does}."), {"packet_does": does})
    return Sentence(does, ".").with_capital()


def job_title(recording: Recording, job: int) -> Sentence:
    """A job and its request, e.g. Job 17 (2×4×4)."""
    return _titled(language(), job, recording.size(job), recording.mesh.dims)


@lru_cache(maxsize=4096)  # a page says each in several sentences and languages
def _titled(_spoken: str, job: int, size: Size, dims: int) -> Sentence:
    return Sentence(job_name(job).with_capital(), f" ({describe_size(size, dims)})")


def _happened(recording: Recording, snapshot: Snapshot, event: Event) -> Sentence:
    sentence = _event_sentence(recording, snapshot, event)
    last = len(recording) == snapshot.position and recording.complete and event.kind == EventKind.FINISH
    return joined((sentence, tr("It was the last job.") if last else ""))


def _event_sentence(recording: Recording, snapshot: Snapshot, event: Event) -> Sentence:
    if event.kind in OF_MACHINE:
        return Sentence(failure_sentence(recording, snapshot.position - 1))
    words: dict[str, object] = {"job": job_title(recording, event.job)}
    if event.kind == EventKind.ARRIVE:
        ahead = int((snapshot.queue == event.job).argmax()) if event.job in snapshot.queue else 0
        template = _arrives_behind(ahead) if ahead else tr("{job} arrives.")
    elif event.kind == EventKind.START:
        template = _started(recording, event, snapshot.position - 1, words)
    elif event.kind == EventKind.REJECT:
        template = tr("{job} is rejected: {refusal}.")
        words["refusal"] = recording.rejection(event.job)
    elif event.kind == EventKind.RESERVE:
        template = tr("{job} leaves the queue: {box} is reserved for it.")
        box = recording.reservation_of(event.job)
        words["box"] = box.describe(flat=recording.mesh.dims == 2) if box is not None else tr("a box")
    elif event.kind == EventKind.MOVE:
        place = snapshot.queue.tolist().index(event.job)
        template = _moved_behind(place) if place else tr("{job} is moved in the queue by hand, to its head.")
    elif event.kind == EventKind.KILL:
        template = _killed(recording, snapshot.position - 1, words)
    else:
        template = _finished(recording, event, words)
    return compose(template, words)


def failure_sentence(recording: Recording, index: int) -> str:
    """What a fail or repair event is about."""
    boxes = () if recording.outages is None else recording.outages.boxes_at(index)
    flat, count = recording.mesh.dims == 2, sum(box.volume for box in boxes)
    down = recording.kinds[index] == EventKind.FAIL
    if count == 1:
        place = boxes[0].corner(flat=flat)
        said = tr("Processor {place} fails.") if down else tr("Processor {place} is repaired.")
        return said.format(place=place)
    if len(boxes) == 1:
        place = boxes[0].describe(flat=flat)
        said = tr("The processors {place} fail.") if down else tr("The processors {place} are repaired.")
        return said.format(place=place)
    said = tr("{processors} fail.") if down else tr("{processors} are repaired.")
    return said.format(processors=counted(count, "processor"))


def _killed(recording: Recording, index: int, words: dict[str, object]) -> str:
    outages, rules = recording.outages, recording.scenario.reliability
    job = int(recording.event_jobs[index])
    words["lost"] = formatted(outages.lost_at(index) if outages is not None else 0.0, ".2f")
    if rules is not None and rules.on_failure == "end":
        return tr("{job} is hit and ends: {lost} of processor-time is lost.")
    saved = recording.saved(job, index + 1)
    if saved > 0:
        words["saved"] = formatted(saved, ".2f")
        return tr(
            "{job} is hit and goes to the head of the queue, with {saved} of its work in a checkpoint: "
            "{lost} of processor-time is lost."
        )
    return tr("{job} is hit and goes to the head of the queue: {lost} of processor-time is lost.")


def _arrives_behind(jobs: int) -> str:
    return tr_n(
        "{job} arrives; {number} job waits before it.",
        "{job} arrives; {number} jobs wait before it.",
        jobs,
        job="{job}",
    )


def _moved_behind(jobs: int) -> str:
    return tr_n(
        "{job} is moved in the queue by hand, behind {number} job.",
        "{job} is moved in the queue by hand, behind {number} jobs.",
        jobs,
        job="{job}",
    )


def _finished(recording: Recording, event: Event, words: dict[str, object]) -> str:
    words["processors"] = counted(recording.processors_of(event.job, len(recording)), "processor")
    record = recording.network
    if record is None:
        if recording.jobs.ended_by_hand(event.job):
            return tr("{job} is ended by hand and frees {processors}.")
        return tr("{job} finishes and frees {processors}.")
    sent = int(np.count_nonzero(record.jobs == event.job))
    if not sent:
        return tr("{job} finishes: it had no messages to send. It frees {processors}.")
    return tr_n(
        "{job} finishes: its only message has arrived. It frees {processors}.",
        "{job} finishes: its {number} messages have arrived. It frees {processors}.",
        sent,
        job="{job}",
        processors="{processors}",
    )


def _started(recording: Recording, event: Event, index: int, words: dict[str, object]) -> str:
    dims = recording.mesh.dims
    count = recording.block_count(event.job, index)
    waited = event.time - recording.queued_since(event.job, index)
    words["waited"] = formatted(waited, ".2f")
    if count > 1:
        words["boxes"] = count_of(count, "box")
        if waited > 0:
            return tr("{job} starts in {boxes}, after a wait of {waited}.")
        return tr("{job} starts in {boxes}.")
    box = recording.blocks_of(event.job, index)[0]
    words["box"] = recording.mesh.describe_box(box)
    asked, size = recording.size(event.job), box.size
    words["size"] = describe_size(size, dims)
    if size != asked and sorted(size) == sorted(asked):
        if waited > 0:
            return tr("{job} starts in {box}, turned to {size}, after a wait of {waited}.")
        return tr("{job} starts in {box}, turned to {size}.")
    if size != asked and prod(size) > prod(asked):
        if waited > 0:
            return tr("{job} starts in {box}, rounded up to {size}, after a wait of {waited}.")
        return tr("{job} starts in {box}, rounded up to {size}.")
    if size != asked:
        if waited > 0:
            return tr("{job} starts in {box}, as {size}, after a wait of {waited}.")
        return tr("{job} starts in {box}, as {size}.")
    return (
        tr("{job} starts in {box}, after a wait of {waited}.") if waited > 0 else tr("{job} starts in {box}.")
    )


def _why_it_waits(recording: Recording, snapshot: Snapshot, head: int) -> Sentence:
    words = {"job": job_title(recording, head), "reason": shortage_sentence(recording, snapshot, head)}
    return compose(tr("{job} waits: {reason}."), words)


def waiting_head(recording: Recording, snapshot: Snapshot) -> int | None:
    """The head of the queue, where it is time to say why it waits."""
    queue = snapshot.queue
    if len(snapshot.reserved):
        queue = queue[~np.isin(queue, snapshot.reserved)]
    if not len(queue):
        return None
    head = int(queue[0])
    attempts = recording.attempts_at(snapshot.position)
    if any(recording.attempts[a].outcome != AttemptOutcome.WAITS for a in attempts):
        return None  # it starts next, or has a box reserved
    if outlook(recording, snapshot, head) is not Outlook.WAITS:
        return None
    tried = any(recording.attempts[a].job == head for a in attempts)
    event = snapshot.event
    untouched = event is not None and event.kind == EventKind.ARRIVE and event.job != head
    return head if tried or untouched else None


def shortage_sentence(recording: Recording, snapshot: Snapshot, head: int) -> str:
    """The reason why the job at the head of the queue cannot start."""
    reason = _shortage(recording, snapshot, head)
    if not snapshot.failed:
        return reason
    return tr_n(
        "{reason}; {number} processor is down",
        "{reason}; {number} processors are down",
        snapshot.failed,
        reason=reason,
    )


def _shortage(recording: Recording, snapshot: Snapshot, head: int) -> str:
    size = recording.size(head)
    asked = size[0] * size[1] * size[2]
    free = snapshot.free
    if free < asked:
        return _too_few(asked, free)
    strategy = recording.strategy
    words: dict[str, object] = {
        "strategy": said_again(strategy.title),
        "shape": describe_size(size, snapshot.mesh.dims),
    }
    if not strategy.contiguous or strategy.switched:
        return tr_n(
            "{number} processor is free, but not as {strategy} needs them",
            "{number} processors are free, but not as {strategy} needs them",
            free,
            **words,
        )
    turning = strategy.turning(recording.scenario.allocator.options)
    turns = orientations(size, snapshot.mesh.dims) if turning else (size,)
    if snapshot.has_free_box(turns):  # missed, or kept for another
        return tr_n(
            "{number} processor is free, but {strategy} has no {shape} box for it",
            "{number} processors are free, but {strategy} has no {shape} box for it",
            free,
            **words,
        )
    if len(turns) > 1:
        return tr_n(
            "{number} processor is free, but no {shape} box is, however turned",
            "{number} processors are free, but no {shape} box is, however turned",
            free,
            **words,
        )
    return tr_n(
        "{number} processor is free, but no {shape} box is",
        "{number} processors are free, but no {shape} box is",
        free,
        **words,
    )


def _too_few(asked: int, free: int) -> str:
    processors = counted(asked, "processor")
    if not free:
        return tr("it asks for {processors}, but none is free").format(processors=processors)
    return tr_n(
        "it asks for {processors}, but only {number} is free",
        "it asks for {processors}, but only {number} are free",
        free,
        processors=processors,
    )
