"""Job streams follow their laws: means, bounds, frequencies and quantiles, against SciPy and the formulas."""

import math

import numpy as np
import pytest

from tests.scenarios import jobs_of, listed, scenario, scenario_of

stats = pytest.importorskip("scipy.stats", reason="SciPy is not installed; test-nojit runs this")
pytestmark = pytest.mark.scipy


JOBS = 20_000
UNLIKELY = 1e-3  # a fixed seed either passes or does not; this is what it was allowed to be unlucky by


def stream(shape=(8, 8, 8), seed=11, load=2.0, **workload):
    """A long stream of jobs."""
    return jobs_of(scenario(shape, jobs=JOBS, load=load, **workload), seed)


def test_exponential_gaps_have_the_mean_of_the_load_and_constant_gaps_are_all_the_same():
    """The load is one over the mean gap; constant, job j arrives (j + 1) gaps after the start."""
    gaps = np.diff(stream(load=4.0).arrival, prepend=0)
    assert stats.kstest(gaps, stats.expon(scale=1 / 4).cdf).pvalue > UNLIKELY
    arrival = stream(load=4.0, gaps={"kind": "constant"}).arrival
    np.testing.assert_array_equal(arrival, 0.25 * np.arange(1, JOBS + 1))


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_uniform_sides_are_uniform_up_to_the_meshs_side(axis):
    """Each side from 1 to the mesh's side in its own dimension, equally often (χ²)."""
    shape = (8, 5, 3)
    sides = stream(shape).sizes[:, axis]
    counts = np.bincount(sides, minlength=shape[axis] + 1)
    assert counts[0] == 0
    assert len(counts) == shape[axis] + 1
    assert stats.chisquare(counts[1:]).pvalue > UNLIKELY


def test_uniform_sides_keep_their_bounds_and_are_drawn_independently():
    """Both ends are drawn and nothing outside; on a flat mesh the height is 1; bounds may be equal."""
    sides = stream(sides={"kind": "uniform", "low": 3, "high": 6}).sizes
    assert stats.chisquare(np.bincount(sides.ravel())[3:]).pvalue > UNLIKELY
    assert set(np.unique(sides)) == {3, 4, 5, 6}
    table = np.zeros((4, 4))
    sizes = stream((4, 4, 4)).sizes - 1
    np.add.at(table, (sizes[:, 0], sizes[:, 1]), 1)
    assert stats.chi2_contingency(table).pvalue > UNLIKELY
    assert set(stream((8, 8)).sizes[:, 2]) == {1}
    assert set(stream(sides={"kind": "uniform", "low": 3, "high": 3}).sizes.ravel()) == {3}


@pytest.mark.parametrize("mean", [None, 2.5])
def test_exponential_sides_are_rounded_down_and_held_inside(mean):
    """Floor, then at least 1 and at most the mesh's side; the mean is half the side unless given."""
    side, scale = 8, mean or 4
    drawn = stream(sides={"kind": "exponential", "mean": mean}).sizes.ravel()
    at_least = np.exp(-np.arange(side + 1) / scale)
    expected = np.append(at_least[:side] - at_least[1:], at_least[side])  # floor is 0 … 7, or 8 and more
    expected = np.append(expected[0] + expected[1], expected[2:])  # 0 is raised to 1
    counts = np.bincount(drawn, minlength=side + 1)[1:]
    assert stats.chisquare(counts, expected * len(drawn)).pvalue > UNLIKELY


@pytest.mark.parametrize("mean", [None, 2.5, 60.0])
def test_exponential_sides_beyond_the_mesh_are_drawn_again(mean):
    """004 §4.2: what is not in [1, side + 1) is discarded, and the rest rounded down."""
    side, scale = 8, mean or 4
    sides = stream(sides={"kind": "exponential", "mean": mean, "beyond": "redraw"}).sizes
    at_least = np.exp(-np.arange(1, side + 2) / scale)
    expected = (at_least[:-1] - at_least[1:]) / (at_least[0] - at_least[-1])
    counts = np.bincount(sides.ravel(), minlength=side + 1)
    assert counts[0] == 0
    assert stats.chisquare(counts[1:], expected * sides.size).pvalue > UNLIKELY
    plain = np.random.default_rng(3).exponential(scale, 200_000)
    kept = np.floor(plain[(plain >= 1) & (plain < side + 1)]).astype(int)
    both = np.stack([counts[1:], np.bincount(kept, minlength=side + 1)[1:]])
    assert stats.chi2_contingency(both).pvalue > UNLIKELY


@pytest.mark.parametrize("mean", [1e-12, 1e12])
def test_means_far_from_the_mesh_leave_sides_inside_when_drawn_again(mean):
    """A mean of nearly nothing gives sides of 1, one beyond all measure every side alike."""
    sides = stream((4, 4), sides={"kind": "exponential", "mean": mean, "beyond": "redraw"}).sizes[:, :2]
    if mean < 1:
        assert set(sides.ravel()) == {1}
    else:
        assert stats.chisquare(np.bincount(sides.ravel())[1:]).pvalue > UNLIKELY


def test_interval_sides_come_from_each_interval_as_often_as_told():
    """001's laws: the interval by its probability, the side uniform inside it."""
    intervals = [[1, 2, 0.5], [3, 6, 0.3], [8, 8, 0.2]]
    drawn = stream(sides={"kind": "intervals", "intervals": intervals}).sizes.ravel()
    expected = np.array([0.25, 0.25, 0.075, 0.075, 0.075, 0.075, 0, 0.2])
    counts = np.bincount(drawn, minlength=9)[1:]
    assert counts[6] == 0
    present = expected > 0
    assert stats.chisquare(counts[present], expected[present] * len(drawn)).pvalue > UNLIKELY


@pytest.mark.parametrize(
    ("service", "law"),
    [
        ({"kind": "exponential", "mean": 3.0}, stats.expon(scale=3)),
        ({"kind": "uniform", "low": 5, "high": 10}, stats.uniform(5, 5)),
    ],
    ids=["exponential", "uniform"],
)
def test_service_times_follow_their_law(service, law):
    """Kolmogorov and Smirnov find no difference."""
    assert stats.kstest(stream(service=service).service, law.cdf).pvalue > UNLIKELY


@pytest.mark.parametrize(("k", "q", "alpha"), [(15, 4241, 1), (1, 100, 1.5), (2, 50, 0.7)])
def test_bounded_pareto_has_the_quantiles_of_its_formula(k, q, alpha):
    """000, equation 5.1: density α kᵅ x^(−α−1) / (1 − (k/q)ᵅ) on [k, q]."""

    def cdf(x):
        return (1 - (k / x) ** alpha) / (1 - (k / q) ** alpha)

    drawn = stream(service={"kind": "bounded-pareto", "k": k, "q": q, "alpha": alpha}).service
    assert drawn.min() >= k
    assert drawn.max() <= q
    assert stats.kstest(drawn, cdf).pvalue > UNLIKELY
    for share in (0.1, 0.5, 0.9, 0.99):
        wanted = k * (1 - share * (1 - (k / q) ** alpha)) ** (-1 / alpha)
        assert abs(np.mean(drawn <= wanted) - share) < 4 * math.sqrt(share * (1 - share) / JOBS)


def test_the_papers_bounded_pareto_has_its_mean():
    """For α = 1 it is k q ln(q/k) / (q − k), 84.97; 004's case 2 draws by size from two intervals."""
    drawn = stream(service={"kind": "bounded-pareto", "k": 15, "q": 4241, "alpha": 1}).service
    mean = 15 * 4241 * math.log(4241 / 15) / (4241 - 15)
    assert abs(drawn.mean() - mean) < 4 * drawn.std() / math.sqrt(JOBS)
    assert set(stream(service={"kind": "constant", "value": 2.5}).service) == {2.5}
    law = {"kind": "by-size", "threshold": 0.5, "large": [5, 10], "small": [2, 5]}
    jobs = stream((4, 4), service=law)
    large = jobs.processors >= 8
    assert stats.kstest(jobs.service[large], stats.uniform(5, 5).cdf).pvalue > UNLIKELY
    assert stats.kstest(jobs.service[~large], stats.uniform(2, 3).cdf).pvalue > UNLIKELY


def test_changing_one_law_leaves_the_other_draws_alone():
    """Gaps, sides and service have streams of their own; an explicit list is taken as it is."""
    plain = stream()
    other = stream(service={"kind": "constant"}, gaps={"kind": "constant"})
    np.testing.assert_array_equal(plain.sizes, other.sizes)
    slower = stream(sides={"kind": "exponential"}, service={"kind": "exponential", "mean": 10})
    np.testing.assert_array_equal(plain.arrival, slower.arrival)
    np.testing.assert_allclose(slower.service, 10 * plain.service)
    short, long = (jobs_of(scenario(jobs=n, sides={"kind": "exponential"}), 5) for n in (50, 80))
    for part in ("arrival", "sizes", "service"):
        np.testing.assert_array_equal(getattr(short, part), getattr(long, part)[:50])
    jobs = jobs_of(listed((4, 4), [(5, (1, 2), 1), (0, (3, 4), 2), (5, (2, 1), 3)]), seed=99)
    assert jobs.arrival.tolist() == [0, 5, 5]
    assert [jobs.size(j) for j in range(3)] == [(3, 4, 1), (1, 2, 1), (2, 1, 1)]
    assert jobs.service.tolist() == [2, 1, 3]


def test_a_seed_means_the_same_jobs_on_every_machine():
    """Three streams of the seed: gaps, two numbers for each of three sides, and services."""
    streams = [np.random.Generator(np.random.PCG64(s)) for s in np.random.SeedSequence(5).spawn(3)]
    gaps, sides, services = (
        stream.random(shape) for stream, shape in zip(streams, (9, (9, 3, 2), 9), strict=True)
    )
    exponential = {"kind": "exponential", "mean": 3.0}
    jobs = jobs_of(scenario((8, 5), jobs=9, load=2.0, service=exponential), 5)
    np.testing.assert_allclose(jobs.arrival, np.cumsum(-np.log1p(-gaps) / 2))
    assert jobs.sizes[:, 0].tolist() == [1 + math.floor(8 * u) for u in sides[:, 0, 0]]
    assert jobs.sizes[:, 1].tolist() == [1 + math.floor(5 * u) for u in sides[:, 1, 0]]
    np.testing.assert_allclose(jobs.service, -3 * np.log1p(-services))


LAWS = [
    ({"kind": "exponential"}, {"mean": 1.0}),
    ({"kind": "bounded-pareto"}, {"k": 15.0, "q": 4241.0, "alpha": 1.0}),
    ({"kind": "constant"}, {"value": 1.0}),
    ({"kind": "by-size"}, {"threshold": 0.5, "large": (5.0, 10.0), "small": (2.0, 5.0)}),
]


@pytest.mark.parametrize(("law", "parameters"), LAWS)
def test_laws_have_the_parameters_of_the_papers(law, parameters):
    """000's bounded Pareto, 004's second case; the others have the mean 1."""
    assert scenario(service=law).workload.service.model_dump() == law | parameters


def test_a_workload_has_a_thousand_jobs_with_sides_up_to_the_meshs():
    """Whatever is not said."""
    workload = scenario_of((4, 4), {"kind": "stochastic", "load": 2.0}).workload
    assert (workload.jobs, workload.gaps.kind, workload.service) == (1000, "exponential", None)
    assert workload.sides.model_dump() == {"kind": "uniform", "low": 1, "high": None}
    assert workload.service_law(None).model_dump() == {"kind": "exponential", "mean": 1.0}
