"""A run can be stopped within a search, however long that takes, and says beforehand what it will take."""

import pytest

from meshgui.engine.allocation import kernel_strategy
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.work import Stopped, Work
from meshgui.engine.runs.expectation import expectation
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import Simulation, simulate, simulate_figures
from meshgui.engine.scenario import Scenario
from tests import scenarios
from tests.engine.runs.test_event_loop import assert_equal
from tests.scenarios import scenario_of

LARGE = (1024, 1024)


def stopped() -> Work:
    """Work that is not wanted once it has begun."""
    work = Work()
    work.stop()
    return work


def listed(*sizes: tuple[int, int], name: str = "genalg", shape: tuple[int, int] = LARGE) -> Scenario:
    """Jobs that arrive one after the other."""
    jobs = [{"arrival": n, "size": list(size), "service": 1} for n, size in enumerate(sizes)]
    return scenario_of(shape, jobs, name)


def test_a_run_is_stopped_within_its_first_search():
    """Which takes ten seconds. The loop may still be at work on what is later: nothing is shown of it."""
    simulate(listed((1, 1)))  # which compiles what the other is then not stopped in
    run = Simulation(listed((300, 300)))
    with pytest.raises(Stopped):
        run.run(stopped())
    assert run.recording().kinds.tolist() == []


@pytest.mark.kernel
@pytest.mark.parametrize("name", ["genalg", "pald-ff", "pald-bf"])
def test_a_search_that_is_told_to_stop_gives_up(name):
    """Nobody waits for what it would find."""
    machine = strategy(name)(Mesh((8, 8)))
    assert machine.allocate(Request(0, (2, 3, 1))) is not None
    machine.stop()
    assert machine.allocate(Request(1, (2, 3, 1))) is None


@pytest.mark.parametrize("name", ["genalg", "ff"])
@pytest.mark.parametrize("run", [simulate, simulate_figures])
def test_what_is_done_beside_has_the_same_outcome(monkeypatch, name, run):
    """On the smallest mesh on which calls may take long, with a job that waits."""
    scenario = scenarios.scenario(
        (128, 128), name, jobs=40, sides={"kind": "uniform"}, scheduler={"name": "easy"}
    )
    beside = run(scenario)
    monkeypatch.setattr(kernel_strategy, "_BESIDE", 1 << 15)
    assert_equal(run(scenario), beside)


def test_a_machine_is_stopped_by_who_polls_a_single_call():
    """As of a plan, which works on a copy of the machine; and as `meshgui trace` steps."""
    strategy("genalg")(Mesh((4, 4))).trace(Request(0, (2, 2, 1)))  # compiled here, as nothing stops that
    machine = strategy("genalg")(Mesh(LARGE))
    with pytest.raises(Stopped), stopped().under_way():
        machine.allocate(Request(0, (300, 300, 1)))
    machine = strategy("genalg")(Mesh(LARGE))
    with pytest.raises(Stopped), stopped().under_way():
        machine.trace(Request(0, (300, 300, 1)))
    assert machine.state.tally[kernel_strategy.STOPPED]


def test_long_searches_are_said_before_the_run():
    """Ten jobs of 300×300 take more than a minute; of 4×4 they take a second, and with First Fit nothing."""
    large, small = [(300, 300)] * 10, [(4, 4)] * 10

    def expected(scenario):
        return expectation(scenario, Simulation(scenario).jobs)

    assert expected(listed(*large)).large
    assert 70 < expected(listed(*large)).seconds < 300
    assert expected(listed(*large)).words.endswith(" for 10 jobs")
    assert 0.2 < expected(listed(*small)).seconds < 5
    assert expected(listed(*large, name="ff")).seconds == 0
    assert expected(listed(*small, shape=(16, 16))).seconds < 0.01


def test_what_has_happened_can_be_asked_for_while_the_loop_goes_on():
    """On a large mesh it works beside the caller, who gets what had happened when it went on."""
    run = Simulation(scenarios.scenario((256, 256), "ff", jobs=3000, load=5), record=True)
    seen: list[Recording] = []
    whole = run.run(Work(lambda _: seen.append(run.recording())))
    assert len(seen) > 1
    for recording in seen:
        events = len(recording)
        assert recording.times.tolist() == whole.times[:events].tolist()
        assert list(recording.attempts) == whole.attempts[: len(recording.attempts)]
        assert not recording.complete or events == len(whole)
    assert_equal(whole, simulate(run.scenario))
