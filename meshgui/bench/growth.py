"""Measures how the operations of a strategy grow with the mesh and with the jobs on it.

A machine is filled with a given number of jobs and kept there while jobs leave and others come, so that it is
as cut up as in use. The sides of the jobs are drawn so that together they hold about half of it: with the
mesh, the jobs grow as well; with more jobs on one mesh, they get smaller. Every strategy sees the same draws.

The result is given as powers and compared with the bounds that a paper states. A bound leaves a constant
open: at most `CONSTANT` times the bound is within it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Options, Reservation, Strategy
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.basics.geometry import Mesh, Size
from meshgui.engine.basics.translation import tr
from meshgui.model.charts.charts import ChartData, ChartSeries

CONSTANT = 10.0

SIDES = {2: (8, 16, 32, 64, 128), 3: (8, 16, 24, 32)}
JOBS = {2: (8, 16, 32, 64, 128, 256), 3: (8, 16, 32, 64)}
_JOBS_ON_EVERY_MESH = 12
_SIDE_FOR_ALL_JOBS = {2: 64, 3: 16}
_SHARE = 0.5  # of the machine that the jobs would hold if all were there
_ATTEMPTS = 60
# After which a point is made of what has been measured, so that it depends on the machine; none of the
# program's own strategies takes that long, by far.
_SECONDS = 60.0


class GrowthPoint(NamedTuple):
    """One setting: the mesh, how much was on it, and what an allocation and a release cost on average."""

    side: int
    processors: int
    jobs: float
    boxes: float
    allocation: float
    release: float
    seconds: float  # of one allocation and one release
    attempts: int


class GrowthSeries(NamedTuple):
    """One strategy over meshes or over jobs."""

    name: str
    points: tuple[GrowthPoint, ...]


class Powers(NamedTuple):
    """With which powers the work grows; None where there are too few points to tell."""

    n: float | None  # of the processors, in an allocation
    m: float | None  # of the boxes held, in an allocation
    release: float | None  # of the boxes held, in a release


class BoundRatios(NamedTuple):
    """The largest ratio of the measured work to its stated bound."""

    allocation: float
    release: float


class Growth(NamedTuple):
    """How the work of one strategy grows, beside what its paper states."""

    cls: type[Strategy]
    meshes: GrowthSeries
    jobs: GrowthSeries

    @property
    def powers(self) -> Powers:
        """The powers measured."""
        boxes = [p.boxes for p in self.jobs.points]
        return Powers(
            _power([p.processors for p in self.meshes.points], [p.allocation for p in self.meshes.points]),
            _power(boxes, [p.allocation for p in self.jobs.points]),
            _power(boxes, [p.release for p in self.jobs.points]),
        )

    @property
    def times(self) -> BoundRatios | None:
        """What was measured as a multiple of what is stated, if anything is."""
        stated = self.cls.complexity
        if stated is None:
            return None
        points = (*self.meshes.points, *self.jobs.points)
        return BoundRatios(
            max(p.allocation / stated.allocation.at(p.processors, p.boxes) for p in points),
            max(p.release / stated.release.at(p.processors, p.boxes) for p in points),
        )

    @property
    def verdict(self) -> str:
        """Whether what was measured keeps to what the paper states."""
        times = self.times
        if times is None:
            return tr("not stated in any paper")
        beyond = [what for what, most in times._asdict().items() if most > CONSTANT]
        return (
            tr("{figures} above the bound").format(figures=tr(" and ").join(beyond))
            if beyond
            else tr("within the bound")
        )


def growth_of(cls: type[Strategy], dims: int) -> Growth:
    """Measure a strategy over meshes of this many dimensions and over jobs."""
    return Growth(cls, over_meshes(cls, dims), over_jobs(cls, dims))


def over_meshes(cls: type[Strategy], dims: int) -> GrowthSeries:
    """Meshes of growing sides with a dozen jobs on each."""
    return _series(cls, ((side, _JOBS_ON_EVERY_MESH) for side in SIDES[dims]), dims)


def over_jobs(cls: type[Strategy], dims: int) -> GrowthSeries:
    """One mesh with more and more jobs on it."""
    return _series(cls, ((_SIDE_FOR_ALL_JOBS[dims], jobs) for jobs in JOBS[dims]), dims)


def growth_charts(measured: Sequence[Growth]) -> tuple[ChartData, ChartData]:
    """Operations over meshes and over the jobs on one mesh, a curve for each strategy."""
    return (
        _chart(
            tr("Larger meshes, a dozen jobs on each"),
            tr("processors of the mesh"),
            [growth.meshes for growth in measured],
            lambda point: point.processors,
        ),
        _chart(
            tr("More jobs on one mesh"),
            tr("jobs on the mesh"),
            [growth.jobs for growth in measured],
            lambda point: point.jobs,
        ),
    )


def _chart(
    title: str, across: str, grown: Sequence[GrowthSeries], amount: Callable[[GrowthPoint], float]
) -> ChartData:
    series = tuple(
        ChartSeries.of(
            one.name,
            one.name,
            place,
            [amount(point) for point in one.points],
            [max(point.allocation, 1.0) for point in one.points],
        )
        for place, one in enumerate(grown)
        if one.points
    )
    return ChartData(
        title,
        across,
        tr("operations per allocation"),
        series,
        x_scale="log",
        y_scale="log",
        empty=tr("No points."),
    )


def slope(amounts: Iterable[float], work: Iterable[float]) -> float:
    """The power with which the work grows: the slope of the line through the points, both logarithmic."""
    x, y = np.log(list(amounts)), np.log(list(work))
    return float(np.polyfit(x, y, 1)[0])


def _power(amounts: list[float], work: list[float]) -> float | None:
    return slope(amounts, [max(w, 1.0) for w in work]) if len(amounts) > 2 else None


def _series(cls: type[Strategy], settings: Iterable[tuple[int, int]], dims: int) -> GrowthSeries:
    points = []
    for side, jobs in settings:
        options = cls.options_model()
        meshes = (Mesh((side,) * dims), Mesh((side,) * dims, (True,) * dims))  # some work on tori alone
        mesh = next((mesh for mesh in meshes if cls.unfit(mesh, options) is None), None)
        point = None if mesh is None else _measure(cls, mesh, options, jobs)
        if point is not None:
            points.append(point)
    return GrowthSeries(cls.id, tuple(points))


def _measure(cls: type[Strategy], mesh: Mesh, options: Options, jobs: int) -> GrowthPoint | None:
    """Fill the machine, then let jobs leave and come until enough attempts have been counted."""
    warm_up = _Crowd(cls(mesh, options))  # compiling must not use up the time
    warm_up.ask(Request(0, (1, 1, 1)))
    if warm_up.present:
        warm_up.leave()
    crowd = _Crowd(cls(mesh, options))
    attempts: list[_Cost] = []
    releases: list[_Cost] = []
    began = perf_counter()
    taken = cls(mesh, options)
    for job, size in enumerate(size for size in _sizes(mesh, jobs) if taken.refusal(size) is None):
        while len(crowd.present) >= jobs:
            releases.append(crowd.leave())
        filled = len(crowd.present) >= jobs - 1
        cost, placed = crowd.ask(Request(job, size))
        if filled or not placed:
            attempts.append(cost)
        if not placed and crowd.present:  # too full for this one: another job leaves
            releases.append(crowd.leave())
        if len(attempts) >= _ATTEMPTS + jobs or perf_counter() - began > _SECONDS:
            break
    attempts, releases = attempts[jobs // 2 :] or attempts, releases[jobs // 2 :] or releases
    if not attempts or not releases:
        return None
    asked, left = (np.array(costs, dtype=np.float64).mean(axis=0) for costs in (attempts, releases))
    return GrowthPoint(
        mesh.shape[0],
        mesh.processors,
        float(asked[2]),
        float(asked[3]),
        float(asked[0]),
        float(left[0]),
        float(asked[1] + left[1]),
        len(attempts),
    )


class _Cost(NamedTuple):
    """One call: what it examined, how long it took, and the jobs and boxes that were there."""

    operations: int
    seconds: float
    jobs: int
    boxes: int


class _Crowd:
    """A strategy at work, and who is on its machine."""

    def __init__(self, working: Strategy) -> None:
        self.working = working
        self.present: dict[int, int] = {}  # how many boxes each job has
        self._rng = np.random.default_rng(20_040_102)

    def ask(self, request: Request) -> tuple[_Cost, bool]:
        """Have a job ask: the cost, and whether it was placed."""
        jobs, boxes = len(self.present), sum(self.present.values())
        before, at = self.working.operations, perf_counter()
        outcome = self.working.allocate(request)
        cost = _Cost(self.working.operations - before, perf_counter() - at, jobs, boxes)
        if outcome is None or isinstance(outcome, Reservation):
            return cost, False
        self.present[request.job] = len(outcome)
        return cost, True

    def leave(self) -> _Cost:
        """Have one of the jobs leave: the cost."""
        job = list(self.present)[int(self._rng.integers(len(self.present)))]
        jobs, boxes = len(self.present), sum(self.present.values())
        del self.present[job]
        before, at = self.working.operations, perf_counter()
        self.working.release(job)
        return _Cost(self.working.operations - before, perf_counter() - at, jobs, boxes)


def _sizes(mesh: Mesh, jobs: int) -> list[Size]:
    """Requests of which this many hold about half of the machine."""
    share = _SHARE * mesh.processors / jobs
    side = share ** (1 / mesh.dims)
    high = max(int(2 * side) - 1, 1)
    rng = np.random.default_rng(20_040_101)
    sides: NDArray[np.int64] = 1 + np.floor(rng.random((20 * (jobs + _ATTEMPTS), 3)) * high).astype(np.int64)
    sides = np.minimum(sides, np.array(mesh.extents))
    sides[:, mesh.dims :] = 1
    return [(w, d, h) for w, d, h in sides.tolist()]
