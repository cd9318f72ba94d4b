"""What is said of a run beforehand, and how it is stopped."""

import pytest

from meshgui.engine.allocation import kernel_strategy
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics import memory
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.memory import MemoryBoundError
from meshgui.engine.basics.work import Stopped, Work
from meshgui.engine.runs import simulation
from meshgui.engine.runs.expectation import Pace, expectation
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
    """No caller waits for what it would find."""
    machine = strategy(name)(Mesh((8, 8)))
    assert machine.allocate(Request(0, (2, 3, 1))) is not None
    machine.stop()
    assert machine.allocate(Request(1, (2, 3, 1))) is None


@pytest.mark.parametrize("name", ["genalg", "ff"])
@pytest.mark.parametrize("run", [simulate, simulate_figures])
def test_what_is_done_beside_has_the_same_outcome(monkeypatch, name, run):
    """On the smallest mesh on which calls may take long, with a job that waits."""
    scenario = scenarios.scenario(
        (128, 128), name, jobs=20, sides={"kind": "uniform"}, scheduler={"name": "easy"}
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
    """On a large mesh it works beside the caller, who gets what had happened when it continued."""
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
    """Recorded or not, with what it needs and how to allow it."""
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
        with pytest.raises(MemoryBoundError, match=r"at least 2.8 GB of memory for 10,000,000 jobs, but may"):
            run(scenario)
    monkeypatch.undo()
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
