"""Jobs that compute before they send the messages of an iteration."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.network.patterns.registry import patterns
from meshgui.engine.network.spec import NetworkSpec
from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.engine.scenario import ScenarioError, scenario_from
from tests.engine.network.test_runs import crowds, machine_of, told
from tests.properties.networks import outcomes
from tests.scale import cases
from tests.scenarios import jobs_of, scenario_of


@st.composite
def computing_crowds(draw):
    """The same jobs where each computes before its iterations."""
    data = draw(crowds().filter(lambda of: of.network.pattern != "file")).model_dump(mode="json")
    data["network"]["compute"] = draw(
        st.sampled_from(
            [
                {"kind": "stated"},
                {"kind": "constant", "value": 7},
                {"kind": "exponential", "mean": 9},
                {"kind": "uniform", "low": 0, "high": 3},
            ]
        )
    )
    if data["network"]["compute"]["kind"] == "stated":
        for job in data["workload"]["jobs"]:
            job["service"] = draw(st.one_of(st.integers(0, 60), st.floats(0, 60)))
        data["scheduler"] = {"name": draw(st.sampled_from(["fcfs", "sjf"]))}
    return scenario_from(data)


@pytest.mark.kernel
@cases(120)
@given(of=computing_crowds())
def test_jobs_that_compute_before_their_iterations_are_the_naive_event_loops(of):
    """A law's time before each, or a share of the stated time; one that sends nothing only computes."""
    recording, machine = simulate(of), machine_of(of)
    assert told(recording) == machine.run()
    assert outcomes(recording.network) == [tuple(one) for one in machine.network.delivered().values()]
    cls = patterns()[of.network.pattern]
    with patch.dict(patterns(), {of.network.pattern: type("Mine", (cls,), {})}):
        assert told(simulate(of)) == told(recording)


@cases(40)
@given(of=computing_crowds())
def test_jobs_that_compute_run_alike_step_by_step(of):
    """As in one kernel; and no job is shorter than what it computes."""
    recording, run = simulate(of), Simulation(of)
    while run.step():
        pass
    assert told(run.recording()) == told(recording)
    if of.network.compute.kind == "stated" and recording.complete:
        lengths = recording.times[recording.ended] - recording.times[recording.started]
        assert (lengths >= np.rint(recording.jobs.service)).all()


JOB = {"arrival": 0, "size": [2, 2], "service": 100, "messages": 9}
SHARED = {"pattern": "one-to-all", "flits": 1, "routing_delay": 0, "compute": {"kind": "stated"}}


def test_the_stated_time_is_shared_over_the_iterations():
    """Nine messages to three others are three iterations: 33, 33 and 34 cycles before each."""
    recording = simulate(scenario_of((4, 4), [JOB], network=SHARED))
    sent, arrived = recording.packets.sent.tolist(), recording.network.delivered.tolist()
    begins = [0, max(arrived[:3]), max(arrived[:6])]
    assert [sent[3 * n] - begin for n, begin in enumerate(begins)] == [33, 33, 34]
    assert [len(set(sent[3 * n : 3 * n + 3])) for n in range(3)] == [1, 1, 1]
    plain = simulate(scenario_of((4, 4), [JOB], network={**SHARED, "compute": None}))
    assert recording.end_time == plain.end_time + 100


def test_a_trace_keeps_its_times_with_a_network():
    """A job of one processor runs its run time, and one of several that time and its messages'."""
    rows = [[0, 50, 1], [0, 40, 4], [10, 7.4, 1]]
    workload = {"kind": "swf", "jobs": rows}
    of = scenario_of((4, 4), workload, "gabl", network={**SHARED, "messages": 3, "quota": "fixed"})
    recording = simulate(of)
    lengths = (recording.times[recording.ended] - recording.times[recording.started]).tolist()
    assert lengths[0] == 50
    assert lengths[1] > 40
    assert lengths[2] == 7  # whole cycles


def test_a_law_draws_a_time_for_each_job_and_leaves_other_draws_as_they_were():
    """The same for every strategy; messages are those of a run without it."""
    law = {"pattern": "random", "compute": {"kind": "uniform", "low": 10, "high": 20}}
    drawn = {"kind": "stochastic", "jobs": 50, "load": 0.1}
    one, other = (jobs_of(scenario_of((8, 8), drawn, name, network=law), 3) for name in ("ff", "gabl"))
    assert one.computing.tolist() == other.computing.tolist()
    assert set(one.computing.tolist()) <= set(range(10, 21))
    assert len(set(one.computing.tolist())) > 5
    plain = jobs_of(scenario_of((8, 8), drawn, network={"pattern": "random"}), 3)
    assert plain.computing is None
    assert plain.messages.tolist() == one.messages.tolist()


@pytest.mark.parametrize(
    ("network", "workload", "expected"),
    [
        (
            {"pattern": "file", "packets": [], "compute": {"kind": "constant", "value": 1}},
            [JOB],
            "network.compute: expected none with the pattern file: packets say when they are sent",
        ),
        (
            {"pattern": "random", "compute": {"kind": "stated"}},
            [{"arrival": 0, "size": [2, 2]}],
            "network.compute: expected stated service times to share over the iterations",
        ),
    ],
)
def test_what_cannot_be_computed_is_one_line(network, workload, expected):
    """With the field and what was expected."""
    with pytest.raises(ScenarioError) as caught:
        scenario_of((4, 4), workload, network=network)
    assert str(caught.value) == f"scenario: {expected}"


def test_files_without_it_stay_as_they_were():
    """The field is left out where nothing is computed."""
    assert "compute" not in NetworkSpec(pattern="random").model_dump(mode="json")
    law = {"kind": "constant", "value": 2.0}
    assert NetworkSpec(pattern="random", compute=law).model_dump(mode="json")["compute"] == law
