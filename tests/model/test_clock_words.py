"""The time is told in cycles where there is a network, and as a number elsewhere."""

import pytest

from meshgui.model.clock_words import clock_words, longest_clock_words
from tests.networks import crowd
from tests.runs import run_of


@pytest.mark.parametrize(
    ("run", "time", "words"),
    [
        (crowd, 0.0, "cycle 0"),
        (crowd, 17.0, "cycle 17"),
        (crowd, 7.3, "t 7.30"),
        (lambda: run_of("three-jobs-4x4x4"), 3.0, "t 3.00"),
    ],
)
def test_with_a_network_whole_times_are_cycles(run, time, words):
    """An arrival may lie between two cycles; then, and without a network, a time has two decimals."""
    assert clock_words(run(), time) == words


def test_no_time_needs_more_room_than_the_longest_words():
    """What is reserved is enough for every moment of the run."""
    room = len(longest_clock_words(crowd()))
    times = [*range(int(crowd().end_time) + 1), *crowd().times.tolist()]
    assert max(len(clock_words(crowd(), float(time))) for time in times) <= room
