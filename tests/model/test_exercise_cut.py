"""A run cut off after some of its events looks at that moment as the whole run does."""

import numpy as np
import pytest

from meshgui.model.exercise_cut import cut_off
from tests.networks import PAPERS_LAWS, busy


@pytest.mark.parametrize("law", [{}, *PAPERS_LAWS], ids=str)
def test_the_network_of_a_cut_run_is_that_of_the_whole_one(law):
    """Channels granted by then are held although no header has entered them yet."""
    whole, granted = busy(20, **law), 0
    for position in range(5, len(whole), 7):
        cycle = int(whole.times[position - 1])
        cut, moment = cut_off(whole, position).network.at(cycle), whole.network.at(cycle)
        for part, same in zip(cut, moment, strict=True):
            assert np.array_equal(part, same)
        granted += len(set(moment.held_channels.tolist()) - set(moment.flit_channels.tolist()))
    assert granted
