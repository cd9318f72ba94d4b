"""Checks a scenario's parts against each other: what each of them allows, and not together."""

from __future__ import annotations

from collections.abc import Iterator

from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Mesh, describe_size
from meshgui.engine.basics.limits import MAX_JOBS, MAX_MESSAGES
from meshgui.engine.basics.parts import at, printable, raise_all
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.patterns.registry import pattern
from meshgui.engine.network.spec import NetworkSpec, TrafficSpec, fault_of_routing
from meshgui.engine.scenario.failures import MachineSpec
from meshgui.engine.scenario.specs import AllocatorSpec, SchedulerSpec
from meshgui.engine.scheduling.base import Discipline
from meshgui.engine.scheduling.registry import discipline
from meshgui.engine.workload.spec import (
    IntervalSides,
    ListedJob,
    ListWorkload,
    StochasticWorkload,
    UniformSides,
    Workload,
)
from meshgui.engine.workload.trace import TraceWorkload


def check_together(
    mesh: Mesh,
    allocator: AllocatorSpec,
    scheduler: SchedulerSpec,
    workload: Workload,
    network: NetworkSpec | None,
) -> None:
    """Raise a complaint about the first parts that do not go together, or about all such jobs of a list."""
    cls = strategy(allocator.name)
    if (fault := cls.unfit(mesh, allocator.options)) is not None:
        raise at("allocator.name", printable(fault))
    reserves, queue = cls.reserves(allocator.options), discipline(scheduler.name)
    plans = queue.plans
    if plans and reserves:
        said = tr("expected a discipline other than {scheduler}: {cls} makes reservations itself")
        raise at("scheduler.name", said.format(scheduler=scheduler.name, cls=cls.id))
    if isinstance(workload, ListWorkload):
        raise_all(_faults_of_jobs(workload, mesh, cls, network))
        _check_moves(workload, queue)
        if queue.ranks_by_service:
            _check_comparable(workload, scheduler.name)
    elif isinstance(workload, TraceWorkload):
        _check_traced(workload, cls)
    else:
        _check_drawn(workload, mesh)
    if network is not None:
        if cls.switched:
            said = tr("expected none: {cls} joins cubes by switched links, which the network does not model")
            raise at("network", said.format(cls=cls.id))
        if (fault := fault_of_routing(network.routing, mesh)) is not None:
            raise at("network.routing", fault)
        _check_pattern(network, workload, mesh)
        _check_messages(network, workload)
        shares = network.compute is not None and network.compute.kind == "stated"
        if shares and not workload.states_services(network):
            raise at("network.compute", tr("expected stated service times to share over the iterations"))
        planner = cls.id if reserves else scheduler.name if plans else None
        if planner is not None and not workload.states_services(network):
            said = tr("expected stated service times: {planner} plans with them")
            raise at("workload.service", said.format(planner=planner))


def check_failures(
    machine: MachineSpec, mesh: Mesh, allocator: AllocatorSpec, network: NetworkSpec | None
) -> None:
    """Raise a complaint where processors cannot fail, or not those."""
    if network is not None:
        said = tr("expected none with a network: messages through a processor that is down are not modelled")
        raise at("machine.failures", said)
    cls = strategy(allocator.name)
    if not cls.can_hold_out():
        said = tr("expected none: {strategy} cannot take processors that are down out of its structures")
        raise at("machine.failures", said.format(strategy=cls.id))
    machine.check_on(mesh)


def _faults_of_jobs(
    workload: ListWorkload, mesh: Mesh, cls: type[Strategy], network: NetworkSpec | None
) -> Iterator[at]:
    """The fault of each job that has one."""
    unfit = dict[tuple[int, ...], str | None]()
    contiguous = cls.contiguous and not cls.switched
    for i, job in enumerate(workload.jobs):
        if job.size not in unfit:
            unfit[job.size] = _unfit_size(job, mesh, contiguous=contiguous)
        fault = unfit[job.size]
        if job.service is None and network is None:
            yield at(f"workload.jobs.{i}.service", tr("expected a value, but there is none"))
        elif job.messages is not None and (network is None or network.pattern == "file"):
            said = tr("expected none: no pattern of communication sends them")
            yield at(f"workload.jobs.{i}.messages", said)
        elif job.ended_after is not None and network is not None:
            said = tr("expected none: a job ends when its messages arrive")
            yield at(f"workload.jobs.{i}.ended_after", said)
        elif fault is not None:
            yield at(f"workload.jobs.{i}.size", fault)


def _check_moves(workload: ListWorkload, queue: type[Discipline]) -> None:
    """Refuse moves that no run could make: of jobs not there yet, or in a queue with an order of its own."""
    if workload.moves and not queue.by_arrival:
        said = tr("expected none: {queue} keeps the queue in an order of its own")
        raise at("workload.moves", said.format(queue=queue.id))
    arrivals = sorted(job.arrival for job in workload.jobs) if workload.moves else []
    for i, (time, job, _) in enumerate(workload.moves):
        if job >= len(arrivals):
            said = tr("expected a job from 0 to {arrivals}, got {job}")
            raise at(f"workload.moves.{i}", said.format(arrivals=len(arrivals) - 1, job=job))
        if time < arrivals[job]:
            arrives = tr("job {job} arrives at {arrivals:g}").format(job=job, arrivals=arrivals[job])
            said = tr("expected a time from when {arrives}, got {time:g}")
            raise at(f"workload.moves.{i}", said.format(arrives=arrives, time=time))


def _check_comparable(workload: ListWorkload, queue: str) -> None:
    """Refuse jobs of which only some state a service: the others have but messages to be ranked by."""
    stated = [job.states_service for job in workload.jobs]
    if any(stated) and not all(stated):
        said = tr(
            "expected a value for every job or for none: {queue} cannot rank service times against messages"
        )
        without = (i for i, states in enumerate(stated) if not states)
        raise_all(at(f"workload.jobs.{i}.service", said.format(queue=queue)) for i in without)


def _unfit_size(job: ListedJob, mesh: Mesh, *, contiguous: bool) -> str | None:
    """Why a job can never be placed on the mesh, or None."""
    if len(job.size) != mesh.dims:
        said = tr("expected {dims} numbers for a {dims}D mesh, got {size}")
        return said.format(dims=mesh.dims, size=len(job.size))
    w, d, h = job.extents
    fits = all(n <= m for n, m in zip(sorted(job.size), sorted(mesh.shape), strict=True))
    if w * d * h <= mesh.processors and (fits or not contiguous):
        return None
    asked = describe_size(job.extents, mesh.dims)
    said = tr("expected a request no larger than the {mesh} mesh, got {asked}")
    return said.format(mesh=mesh.describe(), asked=asked)


def _check_traced(workload: TraceWorkload, cls: type[Strategy]) -> None:
    """Jobs that are too large for the mesh are no fault: a run rejects them."""
    if workload.shape == "none" and cls.needs_box:
        said = tr("expected most-square or most-square-that-fits: {strategy} places boxes")
        raise at("workload.shape", said.format(strategy=cls.id))
    if workload.job_count > MAX_JOBS:
        said = tr("expected at most {MAX_JOBS} jobs, got {job_count}")
        raise at("workload.max_jobs", said.format(MAX_JOBS=MAX_JOBS, job_count=workload.job_count))


def _check_drawn(workload: StochasticWorkload, mesh: Mesh) -> None:
    largest, sides = max(mesh.shape), workload.sides
    if isinstance(sides, UniformSides) and (sides.high or sides.low) > largest:
        field = "high" if sides.high is not None else "low"
        said = tr("expected at most the mesh's side {largest}, got {value}")
        raise at(f"workload.sides.{field}", said.format(largest=largest, value=sides.high or sides.low))
    if isinstance(sides, IntervalSides):
        reach = max(high for _, high, _ in sides.intervals)
        if reach > largest:
            said = tr("expected sides up to the mesh's side {largest}, got {reach}")
            raise at("workload.sides.intervals", said.format(largest=largest, reach=reach))


def _check_pattern(network: NetworkSpec, workload: Workload, mesh: Mesh) -> None:
    if network.pattern == "file":
        if not isinstance(workload, ListWorkload):
            raise at("network.pattern", tr("expected a pattern other than file, which needs a list of jobs"))
        network.check_packets(mesh, len(workload.jobs))
        if network.load is not None:
            _check_load(network, network.load, workload, mesh)
    elif isinstance(workload, ListWorkload) and pattern(network.pattern).powers_of_two:
        raise_all(_faults_of_powers(network.pattern, workload))


def _faults_of_powers(name: str, workload: ListWorkload) -> Iterator[at]:
    """The fault of each job with a side that is no power of two, under a pattern that needs them."""
    said = tr("expected powers of two with the pattern {pattern}, got {asked}")
    for i, job in enumerate(workload.jobs):
        if any(side & (side - 1) for side in job.size):
            asked = describe_size(job.extents, len(job.size))
            yield at(f"workload.jobs.{i}.size", said.format(pattern=name, asked=asked))


def _check_load(network: NetworkSpec, load: TrafficSpec, workload: ListWorkload, mesh: Mesh) -> None:
    """A steady load is put on the whole machine: it is the job of all its nodes."""
    fault = load.on(mesh, network.law, 0).fault()
    if fault is not None:
        field, words = fault
        raise at(f"network.load.{field.replace('-', '_')}", words)
    if len(workload.jobs) != 1 or workload.jobs[0].extents != mesh.extents:
        raise at("workload.jobs", tr("expected one job on the whole machine, for its steady load of packets"))


def _check_messages(network: NetworkSpec, workload: Workload) -> None:
    """Refuse more messages in all than a run can hold; explicit packets have a limit of their own."""
    if network.pattern == "file":
        return
    if not isinstance(workload, ListWorkload):
        jobs = workload.job_count
        if jobs * network.messages > MAX_MESSAGES:
            most = tr("{MAX_MESSAGES:g} on average for {jobs} jobs").format(
                MAX_MESSAGES=MAX_MESSAGES / jobs, jobs=jobs
            )
            said = tr("expected at most {most}, got {messages:g}")
            raise at("network.messages", said.format(most=most, messages=network.messages))
        return
    stated = sum(network.messages if job.messages is None else job.messages for job in workload.jobs)
    if stated > MAX_MESSAGES:
        said = tr("expected at most {MAX_MESSAGES} messages in all, got {stated:g}")
        raise at("workload.jobs", said.format(MAX_MESSAGES=MAX_MESSAGES, stated=stated))
