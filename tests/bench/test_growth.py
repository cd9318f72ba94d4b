"""What is measured: growth, the plain count of First Fit, and the strategies of the manual."""

import sys

import pytest

from meshgui.bench.first_fit import CountingFirstFit
from meshgui.bench.growth import JOBS, Growth, GrowthPoint, GrowthSeries, over_jobs, over_meshes, slope
from meshgui.bench.own_strategies import IN_KERNELS, IN_PYTHON, manuals_strategies
from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.first_fit import FirstFit
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.kernel_strategy import KernelStrategy
from meshgui.engine.allocation.registry import strategies, strategy
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.runs.simulation import simulate_figures
from tests.scale import COMPILED
from tests.scenarios import listed


def test_a_power_is_found_from_its_points():
    """Of the processors and of the boxes."""
    amounts = [4, 16, 64, 256]
    assert slope(amounts, [7 * n**1.5 for n in amounts]) == pytest.approx(1.5)
    assert slope(amounts, [3, 3, 3, 3]) == pytest.approx(0)
    growth = measured("as", 2)
    assert growth.powers == pytest.approx((1, 1, 0), abs=1e-9)
    assert growth._replace(jobs=GrowthSeries("as", growth.jobs.points[:2])).powers[1:] == (None, None)


def measured(name, factor):
    """A strategy whose allocations take n·m operations times a factor, and whose releases always take 3."""

    def point(side, boxes):
        return GrowthPoint(side, side**2, boxes, boxes, factor * side**2 * boxes, 3.0, 1e-6, 60)

    meshes = tuple(point(side, 12) for side in (8, 16, 32))
    jobs = tuple(point(16, boxes) for boxes in (8, 16, 32))
    return Growth(strategy(name), GrowthSeries(name, meshes), GrowthSeries(name, jobs))


@pytest.mark.parametrize(
    ("name", "factor", "times", "verdict"),
    [
        ("as", 2, (2, 3), "within the bound"),  # 004 table 2: O(n·m), and a release in constant time
        ("as", 11, (11, 3), "allocation above the bound"),
        ("asmb", 11, None, "not stated in any paper"),
    ],
)
def test_the_verdict_leaves_a_bound_its_constant(name, factor, times, verdict):
    """Up to ten times what is stated is within it."""
    growth = measured(name, factor)
    assert growth.times == (times if times is None else pytest.approx(times))
    assert growth.verdict == verdict


@pytest.mark.skipif(not COMPILED, reason="large meshes need compiled kernels")
def test_a_busy_list_grows_with_the_jobs_and_not_with_the_mesh():
    """000 §3.4: O(m²) whatever the mesh; a quarter is left for the chance in the jobs."""
    meshes, jobs = over_meshes(strategy("bl"), 2), over_jobs(strategy("bl"), 2)
    sides = [p.side for p in meshes.points]
    assert sides == [8, 16, 32, 64, 128]
    assert abs(slope([p.processors for p in meshes.points], [p.allocation for p in meshes.points])) < 0.25
    assert 1 < slope([p.jobs for p in jobs.points], [p.allocation for p in jobs.points]) < 2.25
    assert slope([p.jobs for p in jobs.points], [p.release for p in jobs.points]) == pytest.approx(1, abs=0.1)


@pytest.mark.skipif(not COMPILED, reason="large meshes need compiled kernels")
def test_first_fit_grows_with_the_mesh():
    """Counting every processor of every tried box costs more than looking at each processor once."""
    meshes = over_meshes(strategy("ff"), 2)
    assert slope([p.processors for p in meshes.points], [p.allocation for p in meshes.points]) > 1.25
    assert all(p.release == p.processors for p in meshes.points)


@pytest.mark.skipif(not COMPILED, reason="large meshes need compiled kernels")
def test_a_point_tells_the_jobs_on_the_machine_and_their_boxes():
    """As many jobs as were to be there or few less; about half the processors, of which each is a box."""
    points = over_jobs(strategy("random"), 2).points
    for count, point in zip(JOBS[2], points, strict=True):
        assert 0.75 * count < point.jobs <= count
        assert 0.25 < point.boxes / point.processors < 0.75


class Roomy(Strategy):
    """Gives every job the same processor, and counts one operation for each job, two for a release."""

    id = "roomy"
    dims = frozenset({2})
    rotates = False
    contiguous = True

    def __init__(self, mesh, options=None):
        super().__init__(mesh, options)
        self.jobs = set()

    def allocate(self, request, log=None):
        del log
        self.operations += 1 + len(self.jobs)
        self.jobs.add(request.job)
        return (Box(0, 0, 0, 1, 1, 1),)

    def release(self, job):
        self.operations += 2
        self.jobs.remove(job)

    def capture(self):
        """Not needed, nor is it restored."""

    restore = capture


def test_only_attempts_on_a_full_machine_are_counted():
    """While it is being filled, fewer jobs are there than the point is about."""
    for count, point in zip(JOBS[2], over_jobs(Roomy, 2).points, strict=True):
        assert (point.jobs, point.boxes) == (count - 1, count - 1)
        assert (point.allocation, point.release) == (count, 2)


@pytest.mark.kernel
@pytest.mark.parametrize("shape", [(7, 5), (3, 4, 5)])
def test_a_plain_count_gives_the_same_boxes_and_operations(shape):
    """Otherwise the two would not be the same search."""
    summed, counting = FirstFit(Mesh(shape)), CountingFirstFit(Mesh(shape))
    for job, size in enumerate([(2, 2, 1), (3, 1, 1), (1, 3, 1), (4, 4, 1), (2, 3, 1), (1, 1, 1)]):
        request = Request(job, size)
        assert summed.allocate(request) == counting.allocate(request)
        if job % 2:
            summed.release(job)
            counting.release(job)
    assert summed.operations == counting.operations


@pytest.mark.kernel
def test_both_give_the_same_boxes_and_only_one_runs_by_its_kernels():
    """Scenarios can name them within the block alone."""
    known = {*strategies()}, [*sys.path]
    with manuals_strategies():
        runs = [listed((4, 3), [(0, (2, 2), 5), (1, (3, 1), 1)], name) for name in (IN_KERNELS, IN_PYTHON)]
        assert [issubclass(strategy(run.allocator.name), KernelStrategy) for run in runs] == [True, False]
        kernels, python = map(simulate_figures, runs)
    assert kernels.boxes.tolist() == python.boxes.tolist() == [[2, 1, 0, 2, 2, 1], [1, 0, 0, 3, 1, 1]]
    assert ({*strategies()}, sys.path) == known
