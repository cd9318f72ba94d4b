"""Sends the messages of jobs, stage after stage, in compiled code: from a job's end to the next in one call.

A job is known by its processors in the order of its processes, the messages it still has to send, the number
of the next stage in its iteration, and its random numbers. Its stages are written when they are sent: by the
pattern's kernel, or by Python for a pattern that is plain Python (the kernels then return `STAGE_WANTED`), or
copied from the scenario's explicit packets.

Every kernel here can be called again after it has returned for want of something: it has done nothing since.

They are written for the kernel of headers; `with_flits` makes them for that of flits.
"""

from __future__ import annotations

from typing import Final, NamedTuple, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Floats, Ints, Ints32
from meshgui.engine.basics.geometry import list_cells, list_joined
from meshgui.engine.basics.kernel import Kernel, kernel, with_parts
from meshgui.engine.network.flit_network import FlitNetwork
from meshgui.engine.network.heap import pop, push
from meshgui.engine.network.packets import DELIVERED, DONE, HELD, HOPS, NOW, SENT, NetworkRules
from meshgui.engine.network.patterns.compiled import write_stage
from meshgui.engine.network.random_numbers import draw, seed_generator
from meshgui.engine.network.wormhole import NetworkState, advance, send

P = ParamSpec("P")
R = TypeVar("R")

# In place of a compiled pattern's number
PLAIN_PYTHON: Final = -1
EXPLICIT: Final = -2

# What the kernels return
BEGUN: Final = 0  # the job's first messages are sent
SENDS_NOTHING: Final = 1  # the job is done as it begins
IDLE: Final = 2  # no job is done by the time given
COMPLETED: Final = 3  # jobs are done: DONE_JOBS of them, at DONE_TIME
PAUSED: Final = 4  # as many hops are made as were allowed
NO_ROOM: Final = 5  # call Network.make_room, then the kernel again
STAGE_WANTED: Final = 6  # write the next stage of the job WANTING, its length at WRITTEN, then call again
WAITED_TOO_LONG: Final = 7  # a packet has

# The numbers in JobMessages.numbers
BARRIERS, DONE_JOBS, DONE_TIME, NODES, HOLDERS, WANTING, WRITTEN, BEGINS = range(8)

# What a job computes before an iteration
NOTHING: Final = 0
EACH: Final = 1  # the same number of cycles before each
SHARED: Final = 2  # a share of its cycles


class SendingRules(NamedTuple):
    """What the jobs have in common."""

    pattern: int  # its place among the compiled ones, or PLAIN_PYTHON, or EXPLICIT
    draws: int  # as in CompiledPattern
    draws_each: int
    startup: int
    between: int  # cycles from a processor's send to its next, at least
    by_iteration: int  # 1 if jobs wait for their messages between iterations only, not between stages
    computes: int  # NOTHING, EACH or SHARED


class JobMessages(NamedTuple):
    """The state of the kernels."""

    # jobs
    left: Ints  # messages still to be sent
    stage: Ints32  # the next stage of the iteration
    processes: Ints32  # how many, of a job that has begun; 0 before, and when it is done
    first: Ints  # where its processors begin in `nodes`
    generators: NDArray[np.uint64]  # [job, …]
    computing: Ints  # cycles, where jobs compute: before each iteration, or in all
    iterations: Ints  # of a job that has begun, where they share its cycles; and how many have begun
    begun: Ints
    # processors of the jobs under way, in the order in which these began; and the jobs
    nodes: Ints32
    holders: Ints32
    # messages from Python: explicit packets, job by job, or the stage that was wanted
    given: Ints  # [jobs + 1], where the explicit ones of each job begin
    given_asks: Ints  # cycles from the job's start
    given_sources: Ints  # processors, and of a stage processes
    given_targets: Ints
    # jobs all of whose messages so far have arrived, or will have at a known time: a heap by that time
    barriers: Ints32
    done: Ints32
    # the stage at hand
    sources: Ints
    targets: Ints
    asks: Ints
    groups: Ints
    drawn: Floats
    generator: NDArray[np.uint64]  # the job's own, once the stage is sent
    ready: Ints  # of each processor that a job holds, when it may send next
    seed: NDArray[np.uint64]  # of all jobs' random numbers, in words; the last stands for the job
    numbers: Ints


@kernel
def list_processors(
    boxes: NDArray[np.int16], rules: NetworkRules, most: int, ranks: Ints, across: int
) -> Ints:
    """The processors of a job's processes, at most this many, in the order of `Strategy.nodes`.

    `across` is not 0 where boxes are the parts of one that may lie across seams.
    """
    if across:
        return list_joined(boxes, rules.roads.sides)
    nodes = list_cells(boxes, rules.roads.sides[0], rules.roads.sides[1])
    if ranks.size:
        nodes = nodes[np.argsort(ranks[nodes])]
    return nodes[:most]


@kernel
def begin_job(
    network: NetworkState,
    rules: NetworkRules,
    jobs: JobMessages,
    sending: SendingRules,
    job: int,
    nodes: Ints,
    cycle: int,
) -> int:
    """Let a job send from a cycle on, its processes on `nodes`: BEGUN, SENDS_NOTHING or what is wanted."""
    if sending.pattern == EXPLICIT:
        if jobs.given[job] == jobs.given[job + 1]:
            return SENDS_NOTHING
    elif nodes.size < 2:
        return SENDS_NOTHING
    elif jobs.processes[job] == 0:
        keep_nodes(jobs, job, nodes)
        jobs.seed[-1] = np.uint64(job)
        seed_generator(jobs.seed, jobs.generators[job])
        if sending.computes == SHARED and sending.pattern >= 0:
            jobs.iterations[job] = count_iterations(jobs, sending, job)
    return send_stage(network, rules, jobs, sending, job, cycle)


@kernel
def count_iterations(jobs: JobMessages, sending: SendingRules, job: int) -> int:
    """How many iterations a job begins until its messages are sent; their lengths depend on no lot."""
    n, left = jobs.processes[job], jobs.left[job]
    for i in range(sending.draws + sending.draws_each * left):
        jobs.drawn[i] = 0.0
    length, stage, written = 0, 0, 1
    while written and length < left:
        written = write_stage(
            sending.pattern, n, stage, left - length, jobs.drawn, jobs.sources[length:], jobs.targets[length:]
        )
        length += written
        stage += 1
    return int(-(-left // length))


@kernel
def computes_alone(jobs: JobMessages, sending: SendingRules, job: int) -> int:
    """The cycles for which a job computes that sends nothing."""
    return int(jobs.computing[job]) if sending.computes else 0


@kernel
def computed_before(jobs: JobMessages, sending: SendingRules, job: int) -> int:
    """The cycles that a job computes before the iteration it begins now."""
    if sending.computes != SHARED:
        return int(jobs.computing[job]) if sending.computes == EACH else 0
    total, number, of = int(jobs.computing[job]), int(jobs.begun[job]), int(jobs.iterations[job])
    return total * (number + 1) // of - total * number // of  # whole cycles that add up to all


@kernel
def keep_nodes(jobs: JobMessages, job: int, nodes: Ints) -> None:
    """Keep a job's processors; where there is no more room, those of jobs that are done give way.

    There is room for twice the machine's processors, of which each is held by one job at most.
    """
    numbers, kept = jobs.numbers, jobs.nodes
    if numbers[NODES] + nodes.size > kept.size:
        at, holders = 0, 0
        for holder in range(numbers[HOLDERS]):
            other = jobs.holders[holder]
            begin, count = jobs.first[other], jobs.processes[other]
            if count:
                for i in range(count):  # forwards: what is overwritten has been moved
                    kept[at + i] = kept[begin + i]
                jobs.first[other] = at
                jobs.holders[holders] = other
                at += count
                holders += 1
        numbers[NODES], numbers[HOLDERS] = at, holders
    at = numbers[NODES]
    for i in range(nodes.size):
        kept[at + i] = nodes[i]
        jobs.ready[nodes[i]] = 0  # what another job had sent from there
    jobs.first[job], jobs.processes[job] = at, nodes.size
    jobs.holders[numbers[HOLDERS]] = job
    numbers[NODES] = at + nodes.size
    numbers[HOLDERS] += 1


@kernel
def send_stage(
    network: NetworkState, rules: NetworkRules, jobs: JobMessages, sending: SendingRules, job: int, cycle: int
) -> int:
    """Send a job's next stage: BEGUN, or what is wanted."""
    begin, count, stage, begins = 0, 0, 0, False
    if sending.pattern >= 0:
        count, stage, begins = write_next_stage(jobs, sending, job)
    else:
        if sending.pattern == EXPLICIT:
            begin = jobs.given[job]
            count = jobs.given[job + 1] - begin
        else:
            count, begins = jobs.numbers[WRITTEN], jobs.numbers[BEGINS] != 0
            if count == 0:
                jobs.numbers[WANTING] = job
                return STAGE_WANTED
        for i in range(count):
            jobs.sources[i] = jobs.given_sources[begin + i]
            jobs.targets[i] = jobs.given_targets[begin + i]
    if sending.pattern == EXPLICIT:
        for i in range(count):
            jobs.asks[i] = cycle + jobs.given_asks[begin + i]
    else:
        if begins:
            cycle += computed_before(jobs, sending, job)
        first = jobs.first[job]
        for i in range(count):
            jobs.sources[i] = jobs.nodes[first + jobs.sources[i]]
            jobs.targets[i] = jobs.nodes[first + jobs.targets[i]]
            jobs.asks[i] = cycle
        if sending.startup or sending.between:
            take_turns(jobs.asks, jobs.sources, count, sending.startup, sending.between, jobs.ready)
    for i in range(count):
        jobs.groups[i] = job
    if not send(network, rules, count, jobs.asks, jobs.sources, jobs.targets, jobs.groups):
        for i in range(count - 1, -1, -1):  # the next call is to find them as this one did
            jobs.ready[jobs.sources[i]] = jobs.asks[i] - sending.startup
        return NO_ROOM
    for i in range(jobs.generator.size):
        jobs.generators[job, i] = jobs.generator[i]
    jobs.left[job] -= count
    jobs.stage[job] = stage
    if begins and sending.computes:
        jobs.begun[job] += 1
    jobs.numbers[WRITTEN] = 0
    return BEGUN


@kernel
def write_next_stage(jobs: JobMessages, sending: SendingRules, job: int) -> tuple[int, int, bool]:
    """Write a job's next messages, from process to process.

    Returned are how many, the number of the next stage, and whether they begin an iteration.
    """
    n, left, stage = jobs.processes[job], jobs.left[job], jobs.stage[job]
    for i in range(jobs.generator.size):
        jobs.generator[i] = jobs.generators[job, i]
    count, begins = 0, False
    while True:
        if stage == 0:
            begins = True
            for i in range(sending.draws + sending.draws_each * left):
                jobs.drawn[i] = draw(jobs.generator)
        written = write_stage(
            sending.pattern, n, stage, left - count, jobs.drawn, jobs.sources[count:], jobs.targets[count:]
        )
        count += written
        stage = stage + 1 if written else 0
        if count == left or (count and not (written and sending.by_iteration)):
            return count, stage, begins


@kernel
def take_turns(asks: Ints, sources: Ints, count: int, startup: int, between: int, ready: Ints) -> None:
    """Put messages off until their processors are free: each takes `startup` cycles before a message.

    After it, at least `between` cycles pass. The messages are in order of time; `ready` is when each
    processor may send next.
    """
    for i in range(count):
        source = sources[i]
        asks[i] = max(asks[i], ready[source]) + startup
        ready[source] = asks[i] + between


@kernel
def run_until_completion(
    network: NetworkState,
    rules: NetworkRules,
    jobs: JobMessages,
    sending: SendingRules,
    until: int,
    most_hops: int,
) -> int:
    """Advance until all messages of a job have arrived: COMPLETED, or IDLE if that is not by cycle `until`.

    Jobs that have further stages send them as soon as those before have arrived; of several that do so in one
    cycle the lower number first. Jobs stay COMPLETED until the caller has set
    their number to 0.
    """
    numbers, clock = jobs.numbers, network.clock
    stop = clock[HOPS] + most_hops
    while True:
        barrier = network.ends[jobs.barriers[0]] if numbers[BARRIERS] else HELD
        if numbers[DONE_JOBS]:
            if barrier > numbers[DONE_TIME]:
                return COMPLETED
        elif clock[DELIVERED] < clock[SENT] and clock[NOW] < min(barrier, until):
            if clock[HOPS] >= stop:
                return PAUSED
            if not advance(network, rules, min(barrier, until), stop - clock[HOPS]):
                return WAITED_TOO_LONG
            for i in range(clock[DONE]):
                push(jobs.barriers, numbers[BARRIERS], network.ends, network.done[i])
                numbers[BARRIERS] += 1
            continue
        elif barrier > until:
            return IDLE
        job = jobs.barriers[0]
        if jobs.left[job] > 0:
            outcome = send_stage(network, rules, jobs, sending, job, barrier)
            if outcome != BEGUN:
                return outcome
        else:
            jobs.processes[job] = 0
            jobs.done[numbers[DONE_JOBS]] = job
            numbers[DONE_JOBS] += 1
            numbers[DONE_TIME] = barrier
        pop(jobs.barriers, numbers[BARRIERS], network.ends)
        numbers[BARRIERS] -= 1


def with_flits(template: Kernel[P, R]) -> Kernel[P, R]:
    """The same kernel for a network in which every flit is moved."""
    return with_parts(template, "flits", **FlitNetwork.kernels._asdict())


class SendingKernels(NamedTuple):
    """The kernels that Python calls."""

    begin_job: Kernel[[NetworkState, NetworkRules, JobMessages, SendingRules, int, Ints, int], int]
    run_until_completion: Kernel[[NetworkState, NetworkRules, JobMessages, SendingRules, int, int], int]


BY_HEADERS: Final = SendingKernels(begin_job, run_until_completion)
BY_FLITS: Final = SendingKernels(with_flits(begin_job), with_flits(run_until_completion))
