"""Long work in plain Python looks between pieces of a bounded size whether it is to end."""

import numpy as np
import pytest

from meshgui.engine.basics.polling import PIECE, mapped, pieces, polled
from meshgui.engine.runs.simulation import Cancelled, Simulation
from tests.scenarios import scenario

JOBS = 3 * PIECE


class Poll:
    """Counts the looks, and ends the work at one of them."""

    def __init__(self, most: int) -> None:
        self.looks, self.most = 0, most

    def __call__(self) -> None:
        """Look."""
        self.looks += 1
        if self.looks > self.most:
            raise Cancelled


def test_pieces_are_bounded_and_all_of_it():
    """Also where nothing polls."""
    assert [len(range(PIECE * 2 + 5)[part]) for part in pieces(PIECE * 2 + 5)] == [PIECE, PIECE, 5]
    assert list(pieces(0)) == []
    numbers = np.arange(PIECE + 3, dtype=np.float64)
    assert mapped(lambda number: 2 * number, numbers).tolist() == (2 * numbers).tolist()


@pytest.mark.parametrize("most", [0, 1, 5, 9])
def test_the_drawing_of_jobs_can_be_ended_in_each_of_its_pieces(most):
    """Arrivals, sides and service times: of a million jobs that takes seconds."""
    poll = Poll(most)
    with pytest.raises(Cancelled), polled(poll):
        Simulation(scenario(jobs=JOBS, sides={"kind": "exponential"}))
    assert poll.looks == most + 1


def test_who_polls_is_forgotten_after_the_block():
    """So that other work of the thread goes on."""
    poll = Poll(100)
    with polled(poll):
        Simulation(scenario(jobs=JOBS))
    assert poll.looks >= 9
    seen = poll.looks
    Simulation(scenario(jobs=JOBS))
    assert poll.looks == seen
