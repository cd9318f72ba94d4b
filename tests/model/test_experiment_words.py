"""What is said about experiments."""

import math

import pytest

from meshgui.experiment.executors import InProcess
from meshgui.experiment.forecast import Forecast, StoppedTrial, forecast, run_trial
from meshgui.experiment.results import results_of
from meshgui.experiment.statistics import Estimate
from meshgui.experiment.store import Store
from meshgui.experiment.sweep import Sweep, SweepProgress
from meshgui.model.experiment_words import (
    end_words,
    estimate_words,
    forecast_words,
    progress_words,
    relative_words,
    state_words,
)
from tests.experiments import small_experiment

AT_THE_MAXIMUM = "after the maximum number of runs; raise the maximum to continue."


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (Forecast(24, 0, 120, 24000, 120, None), "24 points, 120 runs at least"),
        (Forecast(24, 3, 117, 23997, 117, 170.0), "24 points, 117 runs at least; about 3 min on 2 cores"),
        (Forecast(1, 0, 1, 5, 1, 2.0), "1 point, 1 run at least; about 2 s on 2 cores"),
        (
            Forecast(2, 10, 0, 990, 40, 4.0),
            "2 points, 40 more runs, estimated from the runs so far; about 4 s on 2 cores",
        ),
        (
            Forecast(2, 0, 6, 24, 6, 90.0, cut=StoppedTrial(2.5, 30.0)),
            "2 points, 6 runs at least; about 2 min or more on 2 cores",
        ),
        (
            Forecast(2, 0, 6, 24, 6, None, cut=StoppedTrial(2.5)),
            "2 points, 6 runs at least; no time known yet: one run takes more than 2.5 s",
        ),
        (Forecast(2, 50, 0, 0, 0, 0.0), "2 points, all of them done: 50 runs are kept"),
        (
            Forecast(12, 96, 0, 0, 0, 0.0, 12, 0.05),
            f"12 of 12 points are not within 5 % {AT_THE_MAXIMUM}",
        ),
        (
            Forecast(1, 8, 0, 0, 0, 0.0, 1, 0.025),
            f"1 of 1 point is not within 2.5 % {AT_THE_MAXIMUM}",
        ),
    ],
)
def test_a_forecast_is_one_sentence(found, words):
    """How many points and runs, and how long if that is known."""
    assert forecast_words(found, "on 2 cores") == words


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ({"precision": 1.0, "least": 6}, "All points are done: 12 runs."),
        (
            {"precision": 0.0001, "most": 3},
            f"2 of 2 points are not within 0.01 % {AT_THE_MAXIMUM}",
        ),
    ],
)
def test_the_end_tells_precise_points_from_those_that_ran_out_of_runs(target, words):
    """Nobody takes the most runs allowed for a result as precise as wanted."""
    experiment = small_experiment("workload.load=0.5,1", **target)
    with Store() as store:
        sweep = Sweep(experiment, store, InProcess())
        sweep.run()
        assert end_words(sweep.results, experiment.target.precision) == words
        assert forecast(experiment, store).imprecise == sum(not point.precise for point in sweep.results)


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        ((37, 240, 30, 4, 0, 115.0), "37 of about 240 runs, 2 min left"),
        ((3, 240, 0, 4, 0, None), "3 of about 240 runs"),
        ((3, 240, 0, 4, 0, 9.0, "asleep"), "3 of about 240 runs, asleep"),
        ((240, 240, 240, 0, 0, 0.0), "240 of 240 runs"),
    ],
)
def test_progress_says_how_far_and_how_long(progress, words):
    """About as long as points are open; the number itself at the end."""
    assert progress_words(SweepProgress(*progress)) == words


@pytest.mark.parametrize(
    ("name", "found", "words"),
    [
        ("turnaround", Estimate(22.318, 1.2, 5), "22.3 ± 1.2"),
        ("turnaround", Estimate(22.318, math.inf, 1), "22.32"),
        ("utilization", Estimate(0.5012, 0.004, 5), "50.12 ± 0.40 %"),
        ("turnaround", Estimate(12345.6, 80.0, 5), "12346 ± 80"),
        ("turnaround", Estimate(2.0, 0.0, 5), "2 ± 0"),
        ("turnaround", None, "–"),
    ],
)
def test_means_have_as_many_figures_as_their_intervals_bear(name, found, words):
    """Two figures of the half width; shares in percent."""
    assert estimate_words(name, found) == words


def test_an_error_that_is_not_known_is_a_dash_and_a_point_without_a_run_waits():
    """One run has no interval; a point is not said to run before something of it is there."""
    known, unknown = Estimate(2.0, 0.1, 5), Estimate(2.0, math.inf, 1)
    assert [relative_words(known), relative_words(unknown)] == ["5.0 %", "–"]
    experiment = small_experiment("workload.load=0.5,1", least=3)
    with Store() as store:
        sweep = Sweep(experiment, store, InProcess())
        assert [state_words(point, running=True) for point in sweep.results] == ["waiting", "waiting"]
        assert run_trial(experiment, store, 1e-9) is None  # one run of the first point
        first, second = results_of(experiment, store)
    assert (state_words(first, running=True), state_words(first, running=False)) == ("running", "open")
    assert (state_words(second, running=True), state_words(second, running=False)) == ("waiting", "–")
