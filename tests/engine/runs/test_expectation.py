"""What a run will take: said before, and refused where it is more than there may be."""

import pytest

from meshgui.engine.basics import memory
from meshgui.engine.basics.memory import MemoryBoundError
from meshgui.engine.runs import simulation
from meshgui.engine.runs.expectation import Pace, expectation
from meshgui.engine.runs.simulation import Simulation, simulate, simulate_figures
from meshgui.engine.scenario import Scenario
from tests.scenarios import scenario_of


def talking(jobs: int, messages: int, side: int = 8, allocator: str = "ff") -> Scenario:
    """Jobs that send messages."""
    return scenario_of(
        (side, side),
        {"kind": "stochastic", "jobs": jobs, "load": 0.5, "sides": {"kind": "uniform"}},
        allocator,
        title="Talk",
        network={"pattern": "all-to-all", "messages": messages, "quota": "fixed"},
    )


@pytest.mark.parametrize("allocator", ["ff", "paging"])
def test_the_packets_are_known_and_the_memory_nearly(allocator: str):
    """No fewer bytes than the arrays of the network hold at the end, and not many times as many."""
    scenario = talking(60, 500, allocator=allocator)
    simulation = Simulation(scenario)
    expected = expectation(scenario, simulation.jobs)
    packets = simulation.run().packets
    assert packets is not None
    assert expected.packets == len(packets.sent)
    held = sum(array.nbytes for array in packets)
    assert held < expected.bytes_ < 8 * held


def test_a_run_beyond_the_bound_is_refused_before_it_begins(monkeypatch: pytest.MonkeyPatch):
    """Recorded or not, with what it would take and how to allow it."""
    scenario = talking(400, 500)
    monkeypatch.setenv("MESHGUI_MEMORY_GB", "0.01")
    monkeypatch.setattr(
        memory, "_resident", lambda: 0
    )  # what other tests left in this process does not count
    for run in (simulate, simulate_figures):
        with pytest.raises(
            MemoryBoundError, match=r"at least 0.013 GB .* for 200,000 packets.*MESHGUI_MEMORY_GB"
        ):
            run(scenario)
    assert expectation(scenario, Simulation(scenario, record=False).jobs).large


def test_jobs_beyond_the_bound_are_refused_before_they_are_drawn(monkeypatch: pytest.MonkeyPatch):
    """Drawing ten million takes most of a minute; what was not expected is noticed as it happens."""
    scenario = talking(10_000_000, 1).model_copy(update={"network": None})
    monkeypatch.setenv("MESHGUI_MEMORY_GB", "0.5")
    monkeypatch.setattr(simulation, "job_stream", lambda *_: pytest.fail("they were drawn"))
    for run in (simulate, simulate_figures):
        with pytest.raises(MemoryBoundError, match=r"at least 5.6 GB of memory for 10,000,000 jobs, but may"):
            run(scenario)
    begun = Simulation(talking(400, 2))
    monkeypatch.setattr(memory, "_BETWEEN_LOOKS", 0.0)
    bounds = iter([100])
    monkeypatch.setattr(memory, "memory_bound", lambda: next(bounds, 0) << 30)
    with pytest.raises(MemoryBoundError, match="needs more than the"):
        begun.run()


def test_a_pace_says_how_long_all_takes_and_a_pace_of_nothing_says_nothing():
    """After work for a second and a half, without the longest pauses; nothing where no job has ended."""
    now = [0.0]
    pace = Pace(lambda: now[0])
    assert pace.seconds(0, 1000) is None
    for ended, passed in ((0, 5.0), (1, 9.0), (2, 30.0)):
        now[0] += passed
        assert pace.seconds(ended, 1000) is None
    for ended in range(3, 17):
        now[0] += 0.1
        assert pace.seconds(ended, 1000) is None
    now[0] += 0.11
    assert pace.seconds(17, 1000) == pytest.approx(1.51 / 17 * 1000)
    now = [0.0]
    pace = Pace(lambda: now[0])
    for _ in range(100):
        now[0] += 0.1
        assert pace.seconds(7, 1000) is None
