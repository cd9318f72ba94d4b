"""A point while its replications come in: it is decided by them alone, never by the order they come in."""

import math
import random
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics.work import Work
from meshgui.experiment.results import PointState
from meshgui.experiment.run_spec import RunResult
from meshgui.experiment.statistics import estimate
from meshgui.experiment.store import Store
from meshgui.experiment.sweep import Sweep
from meshgui.experiment.task import TaskOutcome
from tests.experiments import InAnyOrder, small_experiment

numbers = st.one_of(st.floats(0.5, 2), st.sampled_from([0.0, 1.0, 1.0, 1e12, -3.0]))
targets = st.tuples(st.integers(1, 4), st.integers(0, 8), st.sampled_from([0.05, 0.2, 0.5, 1.0]))


def experiment_of(target, *axes):
    """A point, or several, of a target: least runs, how many more at most, precision."""
    least, more, precision = target
    return small_experiment(*axes, least=least, most=least + more, precision=precision)


def twin(values, faults, target):
    """Runs, precise and whether it fails, from the definition: the first prefix that is enough."""
    least, more, precision = target
    for count in range(least + more + 1):
        if count >= least:
            if all(
                estimate([value[k] for value in values[:count]]).relative_error <= precision for k in (0, 1)
            ):
                return count, True, False
            if count == least + more:
                return count, False, False
        if count in faults:
            return count, False, True
    raise AssertionError


def made_of(value):
    """A replication with these two figures."""
    return RunResult(({"turnaround": value[0], "utilization": value[1], "waiting": 1.0},), {"w": 0.5}, 0.1)


@given(st.data(), targets)
def test_a_point_is_decided_by_the_first_runs_that_are_enough(data, target):
    """In any order, with runs among them that cannot be made: as the definition says, told truly."""
    most = target[0] + target[1]
    values = data.draw(st.lists(st.tuples(numbers, numbers), min_size=most, max_size=most))
    faults = data.draw(st.sets(st.integers(0, most - 1), max_size=2))
    order = data.draw(st.permutations(range(most)))
    experiment = experiment_of(target)
    state = PointState(experiment, experiment.points[0])
    for number in order:
        before = state.counted
        if number in faults:
            state.fail(number, "lost")
        else:
            state.take([(number, made_of(values[number]))])
        assert before <= state.counted <= state.needed() <= most
        assert state.needed() > state.counted or not state.open
        assert state.result.runs == state.counted
    runs, precise, failed = twin(values, faults, target)
    assert not state.open
    assert (state.counted, state.result.precise, bool(state.fault)) == (runs, precise, failed)
    assert state.result.samples("turnaround") == tuple(value[0] for value in values[:runs])
    if failed:
        assert state.fault == f"seed {7 + runs}: lost"
    if runs:
        assert state.result.estimates["utilization"] == estimate([value[1] for value in values[:runs]])
        assert state.result.wall["w"].mean == 0.5


@given(st.lists(st.floats(0.9, 1.1), min_size=2, max_size=60), st.sampled_from([0.5, 0.9, 0.95, 0.9999]))
def test_the_quick_look_never_overrules_the_plain_formula(values, confidence):
    """With precisions just at the error of some prefix: decided where the formula says."""
    experiment = small_experiment(
        least=2, most=100, confidence=confidence, figures=("turnaround",),
        precision=min(1.0, max(1e-6, estimate(values, confidence).relative_error)),
    )  # fmt: skip
    state = PointState(experiment, experiment.points[0])
    for number, value in enumerate(values):
        state.take([(number, made_of((value, value)))])
    precision = experiment.target.precision
    enough = [
        count
        for count in range(2, len(values) + 1)
        if estimate(values[:count], confidence).relative_error <= precision
    ]
    assert state.decided == bool(enough)
    assert state.counted == (enough[0] if enough else len(values))


def test_a_figure_that_counts_but_is_missing_fails_the_point():
    """At the first run, which says so; those that all runs have are estimated."""
    experiment = small_experiment(least=2, most=5, figures=("latency",))
    state = PointState(experiment, experiment.points[0])
    state.take([(0, RunResult(({"turnaround": 1.0},), {}, math.nan))])
    assert not state.open
    assert state.result.fault == "its runs have no latency"
    experiment = small_experiment(least=2, most=5, figures=("turnaround",))
    state = PointState(experiment, experiment.points[0])
    for number in range(5):
        figures = {"turnaround": 1.0 + number} | ({"waiting": 2.0} if number else {})
        state.take([(number, RunResult((figures,), {}, math.nan))])
    assert (state.counted, state.decided, state.result.precise) == (5, True, False)
    assert set(state.result.estimates) == {"turnaround"}


def value_of(key, seed):
    """What a run comes to; None for some that cannot be made."""
    drawn = random.Random(f"{key}{seed}")
    return None if drawn.random() < 0.03 else (drawn.gauss(1, 0.3), drawn.gauss(1, 0.1))


def drawn(task, _):
    """The outcome of a task."""
    value = value_of(task.spec.key, task.seed)
    return TaskOutcome(task.number, made_of(value) if value else None, "" if value else "lost")


@given(st.integers(0, 10**6), targets)
def test_progress_never_lies(seed, target):
    """Done never falls and never exceeds what is needed, the points add up, and in the end both are equal."""
    experiment = experiment_of(target, "allocator.name=ff,gabl", "workload.load=1,2,3")
    told = []
    with Store() as store:
        sweep = Sweep(experiment, store, InAnyOrder(seed, drawn))

        def look():
            told.append(sweep.progress)
            results = sweep.results
            now = told[-1]
            assert now.done == sum(result.runs for result in results) <= now.needed
            assert now.failed_points == sum(bool(result.fault) for result in results)
            assert now.open_points == sum(not (r.decided or r.fault) for r in results)
            assert now.seconds_left is None or now.seconds_left >= 0

        store_keep = store.keep
        store.keep = lambda *made: (look(), store_keep(*made))[1]
        sweep.run(Work(lambda _: look()))
        results = sweep.results
    assert all(one.done <= other.done for one, other in pairwise(told))
    last = told[-1]
    assert (last.done, last.open_points, last.seconds_left, last.share) == (last.needed, 0, 0.0, 1.0)
    for result in results:
        values = [value_of(result.point.spec.key, 7 + number) for number in range(sum(target[:2]))]
        faults = {number for number, value in enumerate(values) if value is None}
        assert (result.runs, result.precise, bool(result.fault)) == twin(values, faults, target)
