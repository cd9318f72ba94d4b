"""What theory expects: formulas at their textbook values, and machines that are such a queue indeed."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.runs.event_log import log_lines
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import scenario_from
from meshgui.experiment.executors import InProcess
from meshgui.experiment.store import Store
from meshgui.experiment.sweep import Sweep
from meshgui.experiment.theory import erlang, expected, expected_wait, pollaczek_khinchine, servers_of
from tests.experiments import small_experiment
from tests.scale import cases

pytestmark = pytest.mark.kernel
EXPONENTIAL = {"kind": "exponential", "mean": 1.0}


def counter(shape=(4, 4), name="ff", side=4, load=0.5, service=None, **changes):
    """A machine whose jobs all ask for one size."""
    workload = {
        "kind": "stochastic", "jobs": 60, "load": load,
        "sides": {"kind": "uniform", "low": side, "high": side}, "service": service or EXPONENTIAL,
    }  # fmt: skip
    parts = {"mesh": {"shape": list(shape)}, "allocator": {"name": name}, "workload": workload}
    return scenario_from({"meshgui": 1} | parts | changes)


def test_waits_of_one_server_and_of_several():
    """M/M/1 and M/D/1 at half load; two servers at half of theirs, where a third of the jobs wait."""
    assert pollaczek_khinchine(0.5, 1.0, 2.0) == pytest.approx(1.0)
    assert pollaczek_khinchine(0.5, 1.0, 1.0) == pytest.approx(0.5)
    assert erlang(1.0, 1.0, 2) == pytest.approx(1 / 3)
    assert erlang(0.5, 1.0, 1) == pytest.approx(1.0)
    assert math.isnan(pollaczek_khinchine(1.0, 1.0, 2.0))
    assert math.isnan(erlang(2.0, 1.0, 2))


@pytest.mark.parametrize(
    ("service", "wait"),
    [
        ({"kind": "constant", "value": 2.0}, 0.25 * 4 / (2 * 0.5)),
        ({"kind": "uniform", "low": 1, "high": 3}, 0.25 * (13 / 3) / (2 * 0.5)),
        # k = 1, q = 2: a mean of 2 ln 2, a second moment of 2
        ({"kind": "bounded-pareto", "k": 1, "q": 2, "alpha": 1}, 0.25 * 2 / (2 * (1 - 0.5 * math.log(2)))),
        # and with alpha 2 a mean of 4/3, a second moment of 8/3 ln 2
        (
            {"kind": "bounded-pareto", "k": 1, "q": 2, "alpha": 2},
            0.25 * 8 / 3 * math.log(2) / (2 * (1 - 1 / 3)),
        ),
    ],
)
def test_any_law_of_service_with_one_server(service, wait):
    """From its two moments, worked by hand; turnaround has the mean service in it."""
    found = expected_wait(counter(service=service, load=0.25), "waiting")
    assert found.value == pytest.approx(wait)
    assert found.name == "M/G/1"
    assert expected_wait(counter(load=0.5), "turnaround").value == pytest.approx(2.0)


def test_what_is_no_such_queue_has_no_expectation():
    """Sides that differ, other orders and arrivals, other figures; several servers with other laws."""
    assert servers_of(counter()) == 1
    assert expected_wait(counter(), "utilization") is None
    constant = {"kind": "constant", "value": 1.0}
    assert expected_wait(counter(side=1, service=constant), "waiting") is None
    drawn = {"kind": "stochastic", "jobs": 60, "load": 0.5}
    for changes in (
        {"workload": drawn},
        {"workload": drawn | {"sides": {"kind": "exponential"}}},
        {"workload": drawn | {"sides": {"kind": "uniform", "low": 4}, "gaps": {"kind": "constant"}}},
        {"scheduler": {"name": "sjf"}},
        {"network": {"pattern": "random"}},
        {"mesh": {"shape": [4, 4], "wrap": [True, False]}},
        {"mesh": {"shape": [3, 4]}},
    ):
        assert servers_of(counter(**changes)) == 0, changes
    assert servers_of(counter(workload=drawn | {"sides": {"kind": "uniform", "low": 4}})) == 1
    assert servers_of(counter(side=2, name="bf")) == 0


@cases(60)
@given(
    shape=st.one_of(st.tuples(*[st.integers(1, 6)] * 2), st.tuples(*[st.integers(1, 3)] * 3)),
    name=st.sampled_from(["ff", "bf", "tff", "random", "mbs", "gabl", "paging", "bl"]),
    side=st.integers(1, 4),
    seed=st.integers(0, 50),
)
def test_whenever_a_job_waits_all_servers_are_busy(shape, name, side, seed):
    """Under an overload, at every time: never more jobs than servers, and as many while one waits."""
    of = counter(shape, name, min(side, *shape), load=100.0, seed=seed)
    servers = servers_of(of)
    if not servers:
        return
    waiting, running = 0, 0
    lines = list(log_lines(simulate(of)))
    for line, following in zip(lines, [*lines[1:], None], strict=True):
        waiting += {"arrive": 1, "start": -1, "reject": -1}.get(line["event"], 0)
        running += {"start": 1, "finish": -1}.get(line["event"], 0)
        assert running <= servers
        if following is None or following["t"] != line["t"]:
            assert running == servers or not waiting


def test_the_latency_of_an_unloaded_network_is_that_of_messages_that_never_meet():
    """A job alone whose process sends one message a stage: measured and expected are the same."""
    base = counter((4, 4), side=4, load=0.001).model_dump(mode="json")
    network = {"pattern": "one-to-all", "messages": 1, "quota": "fixed"}
    experiment = small_experiment(
        "network.routing_delay=0,3", data=base | {"network": network}, least=1, most=1
    )
    with Store() as store:
        sweep = Sweep(experiment, store, InProcess())
        sweep.run()
        for result in sweep.results:
            found = expected(result, "latency")
            assert found.value == pytest.approx(result.estimates["latency"].mean)
            assert expected(result, "waiting") is None
