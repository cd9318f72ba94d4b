"""Runs that can never move again: how they end, what they say, and what is left in them."""

import numpy as np
import pytest

from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.network.packets import Packets
from meshgui.engine.runs.figures import figures_of
from meshgui.engine.runs.measures import summary
from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.engine.scenario import scenario_from
from tests.networks import ring
from tests.scenarios import scenario_of

pytestmark = pytest.mark.kernel


def test_a_run_ends_in_the_first_cycle_in_which_nothing_can_move_any_more():
    """Not before the last arrival; its jobs are unfinished, and it is not complete."""
    recording = simulate(ring())
    assert recording.deadlock == (30, (0, 1, 2, 3))
    assert recording.end_time == 30
    assert not recording.complete
    assert [EventKind(kind).name for kind in recording.kinds] == ["ARRIVE", "START", "ARRIVE"]
    assert recording.snapshot(len(recording)).running.tolist() == [0]
    found = summary(recording)
    assert (found["jobs"], found["unfinished"]) == (0, 2)
    assert found["deadlock"] == {"cycle": 30, "packets": [0, 1, 2, 3]}
    earlier = simulate(ring(jobs=((0, 4),)))
    assert earlier.deadlock is not None
    # The headers ask for their second links at 8: 3 + 1 cycles for each channel they have
    assert earlier.deadlock.cycle == 8
    assert earlier.deadlock.words.startswith("deadlock in cycle 8: each of the packets 0, 1, 2, 3 waits")


@pytest.mark.parametrize("changes", [{"channels": 2}, {"channels": 3, "routing": "yx"}])
def test_virtual_channels_let_it_finish(changes):
    """The same packets, which change to the other class of channels at the seam."""
    recording = simulate(ring(**changes))
    assert recording.complete
    assert recording.deadlock is None
    assert summary(recording)["jobs"] == 2


def test_stepping_and_stopping_see_the_same_end():
    """Time by time, a run comes to the same deadlock; before its end it has none."""
    simulation = Simulation(ring())
    while simulation.step():
        if simulation.now < 30:
            assert simulation.recording().deadlock is None
    assert simulation.recording().deadlock == (30, (0, 1, 2, 3))


def test_processors_held_at_the_end_take_energy():
    """By the contract's formula: idle and busy time to the end, and each link that a flit has passed."""
    energies = {"idle_energy": 0.5, "busy_energy": 2, "flit_energy": 0.25}
    flowing = ring(jobs=((2, 4), (40, 4)), channels=2, **energies)
    recording = simulate(flowing)
    network, end = recording.network, recording.end_time
    held = 4 * (recording.times[list(recording.kinds).index(EventKind.FINISH)] - 2)
    passed = 8 * int(network.distances.sum())
    expected = 0.5 * (4 * end - held) + 2 * held + 0.25 * passed
    assert summary(recording)["energy"] == pytest.approx(expected)
    assert figures_of(recording)[0]["energy"] == pytest.approx(expected)
    stuck = simulate(ring(jobs=((0, 4),), **energies))
    # Every header is in the buffer of its first link, which has room for one flit
    assert summary(stuck)["energy"] == pytest.approx(2 * 4 * 8 + 0.25 * 4)
    plain = simulate(ring(jobs=((0, 4),), channels=2))
    assert summary(plain)["energy"] == pytest.approx(4 * plain.end_time)


def test_packets_until_a_cycle_know_nothing_later():
    """What an exercise cuts off is that of a run which went no further."""
    recording = simulate(ring(channels=2, routing="adaptive"))
    whole, law = recording.network, recording.scenario.network.law
    for cycle in (0, 5, 9, 20, 44):
        cut = recording.packets.until(cycle, law)
        assert isinstance(cut, Packets)
        now, before = type(whole)(whole.mesh, law, cut).at(cycle), whole.at(cycle)
        for one, other in zip(now, before, strict=True):
            assert np.array_equal(one, other)


def test_defaults_are_left_out_of_files():
    """A file of before is written as it was; what differs is written."""
    jobs = [{"arrival": 0, "size": [2, 2]}]
    plain = scenario_of((4, 4), jobs, network={"pattern": "random"}).model_dump(mode="json")
    assert plain["mesh"] == {"shape": [4, 4]}
    new = {"routing", "channels", "credit", "idle_energy", "busy_energy", "flit_energy"}
    assert not new & set(plain["network"])
    changed = ring(channels=2, flit_energy=0.5).model_dump(mode="json")
    assert changed["mesh"] == {"shape": [4, 1], "wrap": [True, False]}
    assert {name: changed["network"][name] for name in new & set(changed["network"])} == {
        "channels": 2,
        "flit_energy": 0.5,
    }
    assert scenario_from(changed) == ring(channels=2, flit_energy=0.5)
