"""What is said about experiments."""

import math

import pytest

from meshgui.engine.experiment.forecast import Forecast
from meshgui.engine.experiment.sweep import Progress
from meshgui.engine.statistics import Estimate
from meshgui.model.experiment_words import (
    duration,
    estimate_words,
    forecast_words,
    progress_words,
    relative_words,
)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "1 s"), (40, "40 s"), (89, "89 s"), (91, "2 min"), (179, "3 min"), (7200, "2.0 h")],
)
def test_times_are_said_as_people_say_them(seconds, words):
    """Seconds, then minutes, then hours; never nothing."""
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (Forecast(24, 0, 120, 24000, 120, None), "24 points, 120 runs at least"),
        (Forecast(24, 3, 117, 23997, 117, 170.0), "24 points, 117 runs at least; about 3 min on 2 cores"),
        (Forecast(1, 0, 1, 5, 1, 2.0), "1 point, 1 run at least; about 2 s on 2 cores"),
        (
            Forecast(2, 10, 0, 990, 40, 4.0),
            "2 points, 40 more runs, going by those there are; about 4 s on 2 cores",
        ),
        (Forecast(2, 50, 0, 0, 0, 0.0), "2 points, all of them done: 50 runs are kept"),
    ],
)
def test_a_forecast_is_one_sentence(found, words):
    """How many points and runs, and how long if that is known."""
    assert forecast_words(found, "on 2 cores") == words


def test_progress_says_how_far_and_how_long():
    """About as long as points are open; the number itself at the end."""
    assert progress_words(Progress(37, 240, 30, 4, 0, 115.0)) == "37 of about 240 runs, 2 min left"
    assert progress_words(Progress(3, 240, 0, 4, 0, None)) == "3 of about 240 runs"
    assert progress_words(Progress(240, 240, 240, 0, 0, 0.0)) == "240 of 240 runs"


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


def test_an_error_that_is_not_known_is_a_dash():
    """One run has no interval."""
    assert relative_words(Estimate(2.0, math.inf, 1)) == "–"
    assert relative_words(Estimate(2.0, 0.1, 5)) == "5.0 %"
