"""Makes job streams: drawn from distributions, read from an explicit list, or taken from a trace.

Gaps, sides and service times come from separate random streams, so that every strategy sees the same jobs for
the same seed, and a change of one distribution leaves the other draws as they were. Transforms go through the
C library's functions rather than NumPy's vectorised ones, whose last digit depends on the processor.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain

import numpy as np

from meshgui.engine.basics.arrays import Floats, Ints, Ints32
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.work import pieces
from meshgui.engine.network.patterns.registry import pattern
from meshgui.engine.network.spec import NetworkSpec
from meshgui.engine.workload.job_stream import JobStream
from meshgui.engine.workload.spec import ListWorkload, Service, Sides, StochasticWorkload, Workload
from meshgui.engine.workload.trace import TraceWorkload


def job_stream(workload: Workload, network: NetworkSpec | None, mesh: Mesh, seed: int) -> JobStream:
    """The jobs that a workload brings to a mesh, for a seed; with a network, also their messages."""
    if workload.kind == "list":
        stream = _listed(workload, network, mesh, seed)
    elif workload.kind == "swf":
        stream = _traced(workload, network, mesh, seed)
    else:
        stream = _drawn(workload, network, mesh, seed)
    if network is None:
        return stream
    fits_pattern = network.pattern == "file" or workload.kind == "list"  # or the scenario is refused
    if not fits_pattern and pattern(network.pattern).powers_of_two:
        stream = replace(stream, sizes=_powers_of_two(stream.sizes, mesh))
    return (
        stream if network.compute is None else replace(stream, computing=_cycles(network, stream, mesh, seed))
    )


def _cycles(network: NetworkSpec, stream: JobStream, mesh: Mesh, seed: int) -> Ints:
    """What each job computes, in whole cycles: its stated time, or a time before each iteration."""
    if network.compute is None or network.compute.kind == "stated":
        times = np.nan_to_num(stream.actual, nan=0.0)
    else:
        draws = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed).spawn(5)[4]))
        times = _service(network.compute, draws.random(len(stream)), stream.sizes, mesh)
    return np.rint(times).astype(np.int64)


def _listed(workload: ListWorkload, network: NetworkSpec | None, mesh: Mesh, seed: int) -> JobStream:
    jobs = sorted(workload.jobs, key=lambda job: job.arrival)
    if network is not None and network.pattern == "file":
        quotas = network.packets_of(len(jobs), mesh, seed)
    else:
        quotas = _quotas(network, len(jobs), seed)
    for i, job in enumerate(jobs):
        if job.messages is not None:
            quotas[i] = job.messages
    ended, requested = [job.ended_after for job in jobs], [job.requested_time for job in jobs]
    service = _times(job.service for job in jobs)
    asks = any(time is not None for time in requested)
    stated = np.where(np.isnan(_times(requested)), service, _times(requested)) if asks else service
    return JobStream(
        np.array([job.arrival for job in jobs]),
        np.array([job.extents for job in jobs], dtype=np.int32),
        stated,
        quotas,
        None if all(time is None for time in ended) else _times(ended),
        service if asks else None,
    )


def _times(times: Iterable[float | None]) -> Floats:
    return np.array([math.nan if time is None else time for time in times])


def _traced(workload: TraceWorkload, network: NetworkSpec | None, mesh: Mesh, seed: int) -> JobStream:
    arrival = workload.arrivals()
    services, run_times = workload.services(), workload.run_times()
    return JobStream(
        arrival,
        workload.sizes(mesh),
        services,
        _quotas(network, len(arrival), seed),
        run_time=None if (services == run_times).all() else run_times,
        numbers=workload.traced().number,
    )


def _drawn(workload: StochasticWorkload, network: NetworkSpec | None, mesh: Mesh, seed: int) -> JobStream:
    gaps, sides, service = (
        np.random.Generator(np.random.PCG64(s)) for s in np.random.SeedSequence(seed).spawn(3)
    )
    n = workload.jobs
    mean_gap = 1 / workload.load
    if workload.gaps.kind == "constant":
        arrival = np.array([mean_gap * i for i in range(1, n + 1)])
    else:
        arrival = np.cumsum(_mapped(lambda u: -mean_gap * math.log1p(-u), gaps.random(n)))
    sizes = np.ones((n, 3), dtype=np.int32)
    for part in map(sizes.__getitem__, pieces(n)):  # all draws at once would take more than the jobs do
        draws = sides.random((len(part), 3, 2))  # two numbers a side, for every distribution
        for axis, side in enumerate(mesh.shape):
            part[:, axis] = _sides(workload.sides, side, draws[:, axis])
    law = workload.service_law(network)
    services = np.full(n, math.nan) if law is None else _service(law, service.random(n), sizes, mesh)
    return JobStream(arrival, sizes, services, _quotas(network, n, seed))


def _quotas(network: NetworkSpec | None, n: int, seed: int) -> Ints:
    """How many messages each job sends, rounded, at least one (000 §4.3.2; all the mean: 003 §V A).

    With a mean m, uniform ones are in equal shares from 1 to 2m − 1: 002 §4 states the law, but no bounds.
    """
    if network is None:
        return np.empty(0, dtype=np.int64)
    if network.quota == "fixed":
        return np.full(n, max(1, round(network.messages)), dtype=np.int64)
    draws = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed).spawn(4)[3]))
    mean = network.messages
    if network.quota == "uniform":
        return np.maximum(np.floor((2 * mean - 1) * draws.random(n) + 1), 1).astype(np.int64)
    return _mapped(lambda u: max(1, round(-mean * math.log1p(-u))), draws.random(n)).astype(np.int64)


def _powers_of_two(sizes: Ints32, mesh: Mesh) -> Ints32:
    """Sides rounded to the nearest power of two that the mesh has room for (001 §4.2).

    A trace may have boxes that do not fit: they are not cut to the mesh, and those of more processors than it
    has stay as they are, to be rejected.
    """
    nearest = np.array([[1 << max(0, round(math.log2(side))) for side in size] for size in sizes.tolist()])
    largest = [1 << (side.bit_length() - 1) for side in mesh.extents]
    fits = (sizes <= mesh.extents).all(axis=1, keepdims=True)
    rounded = np.where(fits, np.minimum(nearest, largest), nearest)
    too_large = sizes.astype(np.int64).prod(axis=1, keepdims=True) > mesh.processors
    kept: Ints32 = np.where(too_large, sizes, rounded).astype(np.int32)
    return kept


def _sides(law: Sides, side: int, draws: Floats) -> Ints:
    first, second = draws[:, 0], draws[:, 1]
    if law.kind == "uniform":
        high = law.high if law.high is not None else max(side, law.low)
        return law.low + np.floor(first * (high - law.low + 1)).astype(np.int64)
    if law.kind == "exponential":
        mean = law.mean if law.mean is not None else side / 2
        if law.beyond == "redraw":
            # What lies in [1, side + 1) of an exponential is 1 and an exponential cut at the side: one draw
            # of that has the law of as many as it takes (004 §4.2).
            kept = -math.expm1(-side / mean)
            drawn = _mapped(lambda u: 1 + math.floor(-mean * math.log1p(-u * kept)), first)
            return np.minimum(drawn, side).astype(np.int64)
        lengths = _mapped(lambda u: math.floor(-mean * math.log1p(-u)), first)
        return np.clip(lengths, 1, side).astype(np.int64)
    ends = np.cumsum([p for _, _, p in law.intervals])
    chosen = np.minimum(np.searchsorted(ends, first, side="right"), len(ends) - 1)
    lows = np.array([low for low, _, _ in law.intervals])[chosen]
    highs = np.array([high for _, high, _ in law.intervals])[chosen]
    sides: Ints = lows + np.floor(second * (highs - lows + 1)).astype(np.int64)
    return sides


def _service(law: Service, uniforms: Floats, sizes: Ints32, mesh: Mesh) -> Floats:
    if law.kind == "by-size":
        least = law.threshold * mesh.processors
        large = sizes.astype(np.int64).prod(axis=1) >= least
        lows, highs = (np.where(large, *ends) for ends in zip(law.large, law.small, strict=True))
        by_size: Floats = lows + (highs - lows) * uniforms
        return by_size
    transform: Callable[[float], float]
    if law.kind == "exponential":
        mean = law.mean
        transform = lambda u: -mean * math.log1p(-u)  # noqa: E731 - four one-line laws read best side by side
    elif law.kind == "uniform":
        low, width = law.low, law.high - law.low
        transform = lambda u: low + width * u  # noqa: E731
    elif law.kind == "bounded-pareto":
        k, power, spread = law.k, -1 / law.alpha, 1 - (law.k / law.q) ** law.alpha
        transform = lambda u: k * (1 - u * spread) ** power  # noqa: E731
    else:
        value = law.value
        transform = lambda _: value  # noqa: E731
    return _mapped(transform, uniforms)


def _mapped(function: Callable[[float], float], numbers: Floats) -> Floats:
    """A function of each of many numbers."""
    parts = ([function(number) for number in numbers[part].tolist()] for part in pieces(len(numbers)))
    return np.fromiter(chain.from_iterable(parts), np.float64, len(numbers))
