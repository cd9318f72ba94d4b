"""Cubes joined by optical switches, worked out by hand: any free ones, in order of number."""

import pytest

from meshgui.engine.runs.measures import JobFigures, summary
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import ScenarioError
from tests.attempts import Attempt, ask, at_work, box
from tests.scenarios import scenario_of

pytestmark = pytest.mark.kernel


def test_any_free_cubes_make_a_slice():
    """The lowest numbers, x fastest, listed in that order, side by side or not."""
    held = (4, 0, 0, 4, 4, 4), (0, 4, 0, 4, 4, 4)
    working = at_work("tpu-ocs", (8, 8, 8), *held)
    attempt = Attempt(working, (8, 4, 8), 7)
    corners = [(0, 0, 0), (4, 4, 0), (0, 0, 4), (4, 0, 4)]
    assert attempt.boxes == tuple(box(*corner, 4, 4, 4) for corner in corners)
    assert attempt.labels == ["whole", "pick", "busy", "busy", "pick", "pick", "pick", "found"]
    assert working.say(attempt.moment("pick", 1)) == "Cube 3 is free: 2 cubes picked."
    missing = Attempt(working, (4, 4, 12), 8)
    assert missing.boxes is None
    assert working.say(missing.moment("fail")) == "2 of 3 cubes are free, so the job waits."


def test_a_shape_may_be_longer_than_the_machine():
    """A slice of cubes is wired as it was asked for, wherever they are; what has too many is refused."""
    working = at_work("tpu-ocs", (8, 8, 8))
    assert working.refusal((4, 4, 32)) is None
    assert working.refusal((4, 4, 36)) == "4×4×36 takes 9 cubes, but the 8×8×8 machine has 8"
    assert working.refusal((2, 8, 8)) == (
        "2×8×8 is not a slice: expected sides that are all multiples of 4, or all at most 4"
    )
    assert len(ask(working, (4, 4, 32))) == 8
    recording = simulate(
        scenario_of((8, 8, 8), [{"arrival": 0, "size": [32, 4, 4], "service": 1}], "tpu-ocs")
    )
    assert JobFigures(recording).held.tolist() == [512]


def test_a_job_of_cubes_counts_as_one_block():
    """In every measure, though its boxes are listed."""
    jobs = [{"arrival": 0, "size": [4, 4, 4], "service": 3}, {"arrival": 0, "size": [4, 8, 8], "service": 3}]
    recording = simulate(scenario_of((8, 8, 8), jobs, "tpu-ocs"))
    assert recording.box_count.tolist() == [1, 4]
    assert recording.blocks.tolist() == [1, 1]
    found = summary(recording)
    assert (found["blocks_per_job"], found["contiguous_ratio"], found["busy_list_mean"]) == (1.0, 1.0, 2.0)


def test_a_network_is_refused():
    """When the scenario is checked, in a sentence that says why."""
    network = {"pattern": "all-to-all", "messages": 5}
    with pytest.raises(ScenarioError) as caught:
        scenario_of((8, 8, 8), [{"arrival": 0, "size": [4, 4, 4]}], "tpu-ocs", network=network)
    assert str(caught.value).endswith(
        "network: expected none: tpu-ocs joins cubes by switched links, which the network does not model"
    )
