"""What the event loop costs on top of the strategy's own work, recording or not, and with many jobs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.bench.measurement import RECORDING, Measurement, alternate, seconds
from meshgui.bench.own_strategies import IN_KERNELS, IN_PYTHON, manuals_strategies
from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.kernel_strategy import KernelStrategy
from meshgui.engine.allocation.registry import strategies, strategy
from meshgui.engine.basics.entry_points import Handle
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.engine.scenario import Scenario, scenario_from

_JOBS: Final = 1000
_MANY_JOBS: Final = 1_000_000
_REPEATS: Final = 5
_PLAIN: Final = "tbl"  # a strategy that gives a job one box
_OPTIONS: Final[dict[str, dict[str, Any]]] = {"bluegene": {"unit": 2}}


def scenario_for(name: str) -> Scenario:
    """A machine under a load that it can just bear: 3D where the strategy works there, a torus if it must."""
    works, options = strategy(name), _OPTIONS.get(name, {})
    deep = 3 in works.dims
    shape = (8, 8, 8) if deep else (16, 16)
    wrap = (True,) * len(shape) if works.unfit(Mesh(shape), works.options_model(**options)) else ()
    return scenario_from(
        {
            "meshgui": 1,
            "mesh": {"shape": shape, "wrap": wrap},
            "allocator": {"name": name, "options": options},
            "workload": {"kind": "stochastic", "jobs": _JOBS, "load": 5.8 if deep else 2.4},
        }
    )


class _Calls(NamedTuple):
    """The requests and releases of a run, in order."""

    requests: list[Request | int]  # a number: the job that is released
    rows: NDArray[np.int64]  # the same for the kernel: job, sides; no sides in a release
    times: NDArray[np.float64]


def _calls_of(scenario: Scenario) -> _Calls:
    """What a run asks of its strategy."""
    recording = simulate(scenario)
    attempts, asked, number = recording.attempts[:], list[Request | int](), 0
    for position in range(len(recording) + 1):
        while number < len(attempts) and attempts[number].position == position:
            asked.append(recording.request(number))
            number += 1
        if position < len(recording) and recording.kinds[position] == EventKind.FINISH:
            asked.append(int(recording.event_jobs[position]))
    rows = [(one, 0, 0, 0) if isinstance(one, int) else (one.job, *one.size) for one in asked]
    times = [(0.0, 0.0) if isinstance(one, int) else (one.now, one.service) for one in asked]
    return _Calls(asked, np.array(rows), np.array(times))


@kernel
def _repeat(
    allocate: Any,  # noqa: ANN401 - an entry point
    release: Any,  # noqa: ANN401
    handle: Handle,
    rows: NDArray[np.int64],
    times: NDArray[np.float64],
    seed: int,
    room: Handle,
) -> None:
    for n in range(rows.shape[0]):
        job, w, d, h = rows[n]
        if w:
            allocate(handle, job, w, d, h, times[n, 0], times[n, 1], seed, room)
        else:
            release(handle, job)


def _compiled(scenario: Scenario) -> float:
    return seconds(Simulation(scenario, record=False).run)


def _recorded(scenario: Scenario) -> float:
    return seconds(Simulation(scenario, record=True).run)


def _by_kernel(scenario: Scenario, calls: _Calls) -> float:
    """Seconds for the calls alone, from compiled code."""
    working = _working(scenario)
    if not isinstance(working, KernelStrategy):
        raise TypeError(f"{working.id} has no kernels")
    enter = working.entry_points
    arguments = (enter.allocate.handed, enter.release.handed, working.handle, calls.rows, calls.times)
    return seconds(lambda: _repeat(*arguments, scenario.seed, working.boxes_out.handle))


def _working(scenario: Scenario) -> Strategy:
    return strategy(scenario.allocator.name)(scenario.machine, scenario.allocator.options)


class _PerJob(NamedTuple):
    """Microseconds a job."""

    compiled: float
    alone: float  # the strategy's kernels
    recorded: float


def loops() -> Iterator[Measurement]:
    """For each strategy: the loop beside its calls alone, and recording beside not."""
    plain = _per_job_of(scenario_for(_PLAIN))
    own = plain.compiled - plain.alone
    with manuals_strategies():
        yield from _loop_and_recording(IN_KERNELS, own)
        yield from _plain_python()
    for name in strategies():
        if issubclass(strategy(name), KernelStrategy) and strategy(name).__module__.startswith("meshgui."):
            yield from _loop_and_recording(name, own)
    yield from _crowded()
    yield from _many_jobs()


def _per_job_of(scenario: Scenario) -> _PerJob:
    calls = _calls_of(scenario)
    measures = (
        partial(_compiled, scenario),
        partial(_by_kernel, scenario, calls),
        partial(_recorded, scenario),
    )
    for measure in measures:
        measure()  # kernels loaded
    return _PerJob(*(1e6 * taken / _JOBS for taken in alternate(*measures, repeats=_REPEATS)))


def _loop_and_recording(name: str, own: float) -> Iterator[Measurement]:
    scenario = scenario_for(name)
    compiled, alone, recorded = _per_job_of(scenario)
    mesh = scenario.machine.describe()
    beside = tr(
        "the strategy's kernels alone, called in the same order from compiled code, and the loop of {cls}"
    )
    yield Measurement(
        "loops",
        tr("{name}, {mesh}: figures only, per job").format(name=name, mesh=mesh),
        "µs",
        compiled,
        alone + own,
        beside.format(cls=_PLAIN),
        3.0,  # some give a job a hundred boxes
    )
    yield Measurement(
        "loops",
        tr("{name}, {mesh}: recorded, per job").format(name=name, mesh=mesh),
        "µs",
        recorded,
        compiled,
        tr("the same run, figures only"),
        RECORDING if name == _PLAIN else None,
    )


def _plain_python() -> Iterator[Measurement]:
    """The manual's strategy in plain Python: what a job costs beside its search."""
    scenario, kernels = scenario_for(IN_PYTHON), scenario_for(IN_KERNELS)
    for one in (scenario, kernels):
        _compiled(one)  # kernels loaded
    beside, _ = _per_job_beside_search(scenario, repeats=_REPEATS)
    yield Measurement(
        "loops",
        tr("{name}, {mesh}: figures only, per job beside its search").format(
            name=IN_PYTHON, mesh=scenario.machine.describe()
        ),
        "µs",
        beside,
        1e6 * _compiled(kernels) / scenario.job_count,
        tr("the same strategy in kernels"),
        30.0,
        of_ratio=False,
    )


def _crowded() -> Iterator[Measurement]:
    """The disciplines that look past the head, on a machine that is full."""
    for queue, name, jobs in (("ooo", "OOO", 2000), ("easy", "EASY", 2000), ("easy", "EASY", 16_000)):
        scenario = _saturated("ff", [16, 16], queue, jobs)
        compiled, recorded = _per_job(scenario, repeats=3)
        yield Measurement(
            "loops",
            tr("{name}, 16×16, {jobs:,} jobs at load 6: recorded, per job").format(name=name, jobs=jobs),
            "µs",
            recorded,
            compiled,
            tr("the same run, figures only"),
            2.0,
        )
    yield Measurement(
        "loops",
        tr("{name}, 16×16, {jobs:,} jobs at load 6: figures only, per job").format(name=name, jobs=jobs),
        "µs",
        compiled,
        None,
        "",
        200.0,
        of_ratio=False,
    )


def _many_jobs() -> Iterator[Measurement]:
    """The disciplines that serve the head alone: what a job costs does not grow with the queue.

    Without the strategy's search, which takes longer where a discipline leaves many small jobs together.
    """
    for queue in ("fcfs", "ssd", "sjf", "ljf", "lcfs"):
        few, few_recorded = _per_job_beside_search(
            _saturated("tbl", [8, 8, 8], queue, _JOBS), repeats=_REPEATS
        )
        many, many_recorded = _per_job_beside_search(
            _saturated("tbl", [8, 8, 8], queue, _MANY_JOBS), repeats=1
        )
        for what, of_many, of_few in (
            (tr("figures only"), many, few),
            (tr("recorded"), many_recorded, few_recorded),
        ):
            yield Measurement(
                "loops",
                tr("{queue}, tbl 8×8×8, {jobs:,} jobs at load 5.8: {what}, per job beside its search").format(
                    queue=queue, jobs=_MANY_JOBS, what=what
                ),
                "µs",
                of_many,
                of_few,
                tr("{jobs:,} jobs").format(jobs=_JOBS),
                1.5,
            )


def _saturated(name: str, shape: list[int], queue: str, jobs: int) -> Scenario:
    return scenario_from(
        {
            "meshgui": 1,
            "mesh": {"shape": shape},
            "allocator": {"name": name},
            "scheduler": {"name": queue},
            "workload": {"kind": "stochastic", "jobs": jobs, "load": 6 if len(shape) == 2 else 5.8},
        }
    )


def _per_job(scenario: Scenario, repeats: int) -> list[float]:
    """Microseconds a job, for the figures alone and recorded; kernels are loaded."""
    measures = (partial(_compiled, scenario), partial(_recorded, scenario))
    for measure in measures:
        measure()
    return [1e6 * taken / scenario.job_count for taken in alternate(*measures, repeats=repeats)]


def _per_job_beside_search(scenario: Scenario, repeats: int) -> list[float]:
    """The same without the time that the strategy took."""

    def taken(*, record: bool) -> float:
        run = Simulation(scenario, record=record)
        whole = seconds(run.run)
        return whole - float(run.recording().seconds.sum())

    measures = (partial(taken, record=False), partial(taken, record=True))
    return [1e6 * beside / scenario.job_count for beside in alternate(*measures, repeats=repeats)]
