"""A run as a trace: on every processor the jobs that held it, and counters that add up."""

import json
from itertools import pairwise

import numpy as np
import pytest

from meshgui.engine.network.routing import links
from meshgui.engine.runs.measures import JobFigures
from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.model.export.trace_events import trace_events
from tests.networks import crowd, sent_on_torus
from tests.scenarios import scenario, scenario_of


def trace_of(recording):
    """The trace as JSON has it."""
    return json.loads(b"".join(trace_events(recording)))


def of_phase(trace, phase):
    """The events of one kind."""
    return [event for event in trace["traceEvents"] if event["ph"] == phase]


def counted(trace, name):
    """The times and values of a counter."""
    found = [event for event in of_phase(trace, "C") if event["name"] == name]
    return [event["ts"] for event in found], [event["args"]["value"] for event in found]


@pytest.fixture(scope="module")
def recording():
    """Thirty jobs, some of them in several blocks, on a mesh of three dimensions."""
    return simulate(scenario((4, 3, 2), "gabl", jobs=30, load=2.0))


@pytest.fixture(scope="module")
def trace(recording):
    """Its trace."""
    return trace_of(recording)


def test_each_processor_has_the_jobs_that_held_it_one_after_the_other(recording, trace):
    """As many slices as processors are held at any time, and never two of one processor."""
    slices = of_phase(trace, "X")
    assert len(slices) == JobFigures(recording).held.sum()
    for thread in {slice_["tid"] for slice_ in slices}:
        own = sorted((s["ts"], s["ts"] + s["dur"]) for s in slices if s["tid"] == thread)
        assert all(end <= begin + 1e-6 for (_, end), (begin, _) in pairwise(own))
    begins = np.array([slice_["ts"] for slice_ in slices])
    ends = begins + [slice_["dur"] for slice_ in slices]
    times, busy = recording.busy_steps()
    for between, held in zip(1000 * (times[:-1] + times[1:]) / 2, busy.tolist()[:-1], strict=True):
        if between not in 1000 * times:
            assert np.count_nonzero((begins <= between) & (ends > between)) == held


@pytest.mark.parametrize("network", [False, True])
def test_a_run_that_has_not_begun_has_tracks_and_nothing_on_them(network):
    """It may be asked for as soon as a scenario is open."""
    finished = crowd() if network else simulate(scenario((4, 3, 2), "gabl", jobs=3, load=2.0))
    begun = Simulation(finished.scenario).recording()
    assert {event["ph"] for event in trace_of(begun)["traceEvents"]} == {"M"}


def test_processors_have_their_places_as_names(trace):
    """In order of number, x fastest."""
    names = [e["args"]["name"] for e in of_phase(trace, "M") if e["name"] == "thread_name"]
    assert names[:5] == ["(0,0,0)", "(1,0,0)", "(2,0,0)", "(3,0,0)", "(0,1,0)"]
    assert len(names) == 24


def test_jobs_wait_and_run_on_tracks_of_their_own(recording, trace):
    """Each begin has its end, and running takes the service time."""
    begun, ended = ({(e["id"], e["name"]): e["ts"] for e in of_phase(trace, phase)} for phase in "be")
    assert begun.keys() == ended.keys()
    for job, service in enumerate(recording.jobs.service.tolist()):
        name = (job, f"job {job} runs")
        assert ended[name] - begun[name] == pytest.approx(service * 1000)
    waited = sum(ended[name] - begun[name] for name in begun if name[1].endswith("waits"))
    started = recording.times[recording.started]
    assert waited == pytest.approx(1000 * float((started - recording.jobs.arrival).sum()))


@pytest.mark.parametrize(
    ("name", "steps"), [("processors in use", "busy_steps"), ("jobs waiting", "queue_steps")]
)
def test_counters_are_what_is_so_once_a_time_is_over(recording, trace, name, steps):
    """One value for each time at which it changes, the last of that time."""
    times, values = getattr(recording, steps)()
    shown = dict(zip(times.tolist(), values.tolist(), strict=True))  # of one time the last
    wanted = [(time * 1000, value) for time, value in shown.items()]
    wanted = wanted[:1] + [later for before, later in pairwise(wanted) if before[1] != later[1]]
    assert list(zip(*counted(trace, name), strict=True)) == wanted


def test_the_use_of_links_adds_up_to_the_flits_that_they_carried():
    """Of all links together and of the busiest alone; a cycle is a microsecond."""
    recording = crowd()
    trace, network = trace_of(recording), recording.network
    assert trace["otherData"]["unit"] == "1 cycle = 1 µs"
    times, values = counted(trace, "links, flits a cycle")
    carried = network.carried(times[-1])[links(recording.mesh)]
    assert np.dot(values[:-1], np.diff(times)) == pytest.approx(carried.sum())
    alone = {e["name"] for e in of_phase(trace, "C") if "→" in e["name"]}
    sums = []
    for name in alone:
        times, values = counted(trace, name)
        sums.append(np.dot(values[:-1], np.diff(times)))
    assert sorted(sums) == pytest.approx(sorted(carried)[-len(alone) :])


def test_channels_of_a_link_are_counted_apart_and_a_deadlock_is_an_instant():
    """A counter for each virtual channel among the busiest; the circle by packets and channels."""
    packets = [(0, (x, 1), ((x + 2) % 4, 1)) for x in range(4)]
    shared = sent_on_torus(*packets, flits=16, channels=2)
    names = {event["name"] for event in of_phase(trace_of(shared), "C")}
    assert {"(0,1)→(1,1) channel 0, flits a cycle", "(3,1)→(0,1) channel 1, flits a cycle"} <= names
    assert not of_phase(trace_of(shared), "i")
    stuck = sent_on_torus(*packets, flits=16)
    (instant,) = of_phase(trace_of(stuck), "i")
    assert instant["ts"] == stuck.deadlock.cycle
    assert instant["args"]["packets"] == list(stuck.deadlock.circle)
    assert "(3,1)→(0,1)" in instant["args"]["channels"]


def test_a_failure_is_on_the_tracks_of_its_processors_and_its_job_has_several_spans():
    """What was cut off, what was down, and waiting and running in turns."""
    rows = [{"arrival": 0, "size": [2, 1], "service": 5}]
    machine = {"failures": [{"node": [0, 0], "from": 2, "until": 4}]}
    recording = simulate(scenario_of((2, 1), rows, machine=machine))
    trace = trace_of(recording)
    slices = [(e["tid"], e["name"], e["ts"] / 1000, e["dur"] / 1000) for e in of_phase(trace, "X")]
    assert sorted(slices) == [
        (1, "down", 2, 2), (1, "job 0", 4, 5), (1, "job 0 hit", 0, 2), (2, "job 0", 4, 5),
        (2, "job 0 hit", 0, 2),
    ]  # fmt: skip
    spans = [(e["name"], e["ts"] / 1000) for e in of_phase(trace, "b")]
    assert spans == [("job 0 runs", 0), ("job 0 waits", 2), ("job 0 runs", 4)]
