"""A scenario's network part: one line for everything that is wrong, and what it does to the rest."""

import json
import re

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics.limits import MAX_PACKETS
from meshgui.engine.network.spec import NetworkSpec
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario import ScenarioError, json_schema, scenario_from
from tests.scenarios import parse_scenario

ROW = [0, 0, 0, 0, 1, 0, 0]


def data(network, workload=None, **parts):
    """A scenario on a 4×3 mesh, of one listed job unless told otherwise."""
    one = {"kind": "list", "jobs": [{"arrival": 0, "size": [2, 2]}]}
    return {
        "meshgui": 1,
        "mesh": {"shape": [4, 3]},
        "allocator": {"name": "ff"},
        "workload": workload or one,
        "network": network,
        **parts,
    }


def complaint(*args, **parts):
    """The one line a scenario is refused with."""
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(json.dumps(data(*args, **parts)), "f")
    assert str(caught.value).isprintable()
    return str(caught.value).removeprefix("f: ")


def own(*rows, **changes):
    """A network of explicit packets."""
    return {"pattern": "file", "packets": list(rows), **changes}


def drawn(**changes):
    """A drawn workload."""
    return {"kind": "stochastic", "load": 1.0, "jobs": 5, **changes}


def one_job(**changes):
    """A list of one job."""
    return {"kind": "list", "jobs": [{"arrival": 0, "size": [2, 2], **changes}]}


RANDOM = {"pattern": "random"}
BAD_NETWORKS = [
    ({}, "network.pattern: expected a value"),
    ([], "network: expected an object"),
    (
        {"pattern": "gossip"},
        "network.pattern: expected one-to-all, all-to-all, all-to-all-rounds, random, n-body, fft, fft-",
    ),
    (RANDOM | {"messages": 10**7}, "network.messages: expected at most 1000000, got 10000000"),
    (RANDOM | {"quota": "mean"}, "network.quota: expected exponential, uniform or fixed, got “mean”"),
    (RANDOM | {"barrier": "round"}, "network.barrier: expected stage or iteration, got “round”"),
    (RANDOM | {"flits": 0}, "network.flits: expected at least 1, got 0"),
    (RANDOM | {"flits": -8}, "network.flits: expected at least 1"),
    (RANDOM | {"flits": 65537}, "network.flits: expected at most 65536"),
    (RANDOM | {"flits": 8.5}, "network.flits: expected a whole number, got 8.5"),
    (RANDOM | {"flits": True}, "network.flits: expected a whole number, got true"),
    (RANDOM | {"flits": 10**30}, "network.flits: expected at most 65536"),
    (RANDOM | {"buffer": 0}, "network.buffer: expected at least 1, got 0"),
    (RANDOM | {"buffer": "1"}, "network.buffer: expected a whole number"),
    (RANDOM | {"routing_delay": -1}, "network.routing_delay: expected at least 0, got -1"),
    (RANDOM | {"routing_delay": 65537}, "network.routing_delay: expected at most 65536"),
    (RANDOM | {"startup": -1}, "network.startup: expected at least 0, got -1"),
    (RANDOM | {"startup": 10**9}, "network.startup: expected at most 1048576"),
    (RANDOM | {"between_sends": -1}, "network.between_sends: expected at least 0, got -1"),
    (RANDOM | {"messages": 0}, "network.messages: expected more than 0"),
    (RANDOM | {"messages": float("nan")}, "network.messages: expected a finite number"),
    (
        RANDOM | {"switching": "cut-through"},
        "network.switching: expected wormhole, virtual-cut-through or store",
    ),
    (
        RANDOM | {"switching": "virtual-cut-through", "buffer": 7},
        "network.buffer: expected at least 8 with virtual-cut-through, which needs room for a packet, got 7",
    ),
    (
        RANDOM | {"switching": "store-and-forward", "flits": 3, "buffer": 2},
        "network.buffer: expected at least 3 with store-and-forward",
    ),
    (RANDOM | {"per_hop": "body"}, "network.per_hop: expected header or flit, got “body”"),
    (
        RANDOM | {"per_hop": "flit", "switching": "store-and-forward", "buffer": 8},
        "network.per_hop: expected header with store-and-forward, got flit",
    ),
    (
        RANDOM | {"per_hop": "flit", "flits": 1 << 16, "routing_delay": 16},
        "network.flits: expected packets that take at most 1048576 cycles for a channel, got 1114112",
    ),
    (RANDOM | {"ports": "two"}, "network.ports: expected one or free, got “two”"),
    (RANDOM | {"packets": [ROW]}, "network.packets: expected none with the pattern random"),
    (RANDOM | {"path": "a.csv"}, "network.path: expected none with the pattern random"),
    (RANDOM | {"path": ["a.csv"]}, "network.path: expected text"),
    (own(path="a.csv"), "network.path: expected the packets themselves"),
    (own(ROW[:6]), "network.packets.0: expected at least 7 values"),
    (own([*ROW, 0, 0]), "network.packets.0: expected at most 8 values"),
    (own(ROW, [0.5, *ROW[1:]]), "network.packets.1.0: expected a whole number, got 0.5"),
    (own(ROW, ["1", *ROW[1:]]), "network.packets.1.0: expected a whole number, got “1”"),
    (own(ROW, [True, *ROW[1:]]), "network.packets.1.0: expected a whole number, got true"),
    (own(ROW, [-1, *ROW[1:]]), "network.packets.1: expected a time from 0 to 1000000000000, got -1"),
    (own(ROW, [10**13, *ROW[1:]]), "network.packets.1: expected a time from 0 to 1000000000000"),
    (own(ROW, [0, 4, 0, 0, 0, 0, 0]), "network.packets.1: expected a source on the 4×3 mesh, got (4,0,0)"),
    (own(ROW, [0, 0, 0, 0, 0, 0, 1]), "network.packets.1: expected a target on the 4×3 mesh, got (0,0,1)"),
    (own(ROW, [0, 3, 2, 0, 3, 2, 0]), "network.packets.1: expected a target other than the source"),
    (own([*ROW, 1]), "network.packets.0: expected a job from 0 to 0, got 1"),
    (own([*ROW, -1]), "network.packets.0: expected a job from 0 to 0, got -1"),
    (own(*[ROW] * (MAX_PACKETS + 1)), "network.packets: expected at most 100000 values"),
]


@pytest.mark.parametrize(("network", "expected"), BAD_NETWORKS, ids=lambda value: str(value)[:60])
def test_a_bad_network_is_one_line_with_field_and_expectation(network, expected):
    """The very field, then what was expected there."""
    assert complaint(network).startswith(expected)


@pytest.mark.parametrize(
    ("network", "workload", "expected"),
    [
        (own(ROW), drawn(), "network.pattern: expected a pattern other than file, which needs a list"),
        (
            {"pattern": "fft"}, one_job(size=[3, 2]),
            "workload.jobs.0.size: expected powers of two with the pattern fft, got 3×2",
        ),
        ({"pattern": "multigrid"}, one_job(size=[1, 3]), "workload.jobs.0.size: expected powers of two"),
        (own(ROW), one_job(messages=3), "workload.jobs.0.messages: expected none: no pattern"),
        (None, one_job(service=1, messages=3), "workload.jobs.0.messages: expected none: no pattern"),
        (None, one_job(), "workload.jobs.0.service: expected a value, but there is none"),
        (RANDOM, one_job(messages=0), "workload.jobs.0.messages: expected at least 1"),
        (RANDOM, one_job(messages=1.5), "workload.jobs.0.messages: expected a whole number"),
        (RANDOM, one_job(messages=10**18), "workload.jobs.0.messages: expected at most"),
    ],
)  # fmt: skip
def test_jobs_that_do_not_go_with_the_network_are_one_line(network, workload, expected):
    """Explicit packets want a list, transforms powers of two, and quotas a pattern."""
    assert complaint(network, workload).startswith(expected)


def jobs_stating(*services):
    """A list of jobs with these service times, some of them None."""
    rows = [one_job() if service is None else one_job(service=service) for service in services]
    return {"kind": "list", "jobs": [row for workload in rows for row in workload["jobs"]]}


@pytest.mark.parametrize("demand", ["time", "processor-time"])
@pytest.mark.parametrize("network", [RANDOM, own(ROW)])
def test_ssd_ranks_all_jobs_by_service_or_none(network, demand):
    """A service time does not compare with a number of messages; the first job without one is named."""
    parts = {"scheduler": {"name": "ssd", "options": {"demand": demand}}}
    assert complaint(network, jobs_stating(2.0, 3.0, None, None), **parts) == (
        "workload.jobs.2.service: expected a value for every job or for none: "
        "ssd cannot rank service times against messages"
    )
    for services in ((2.0, 3.0), (None, None)):
        scenario_from(data(network, jobs_stating(*services), **parts))
    scenario_from(data(network, jobs_stating(2.0, None)))


@pytest.mark.parametrize(
    ("allocator", "scheduler"),
    [({"name": "ff"}, {"name": "easy"}), ({"name": "ta", "options": {"eafr": True}}, {"name": "fcfs"})],
)
@pytest.mark.parametrize("workload", [one_job(), drawn()])
def test_who_plans_ahead_wants_stated_service_times(allocator, scheduler, workload):
    """EASY and EAFR work with when jobs say they end; without that the scenario says so."""
    parts = {"allocator": allocator, "scheduler": scheduler}
    said = complaint(RANDOM, workload, **parts)
    assert said.startswith("workload.service: expected stated service times: ")
    stated = one_job(service=3.0) if workload["kind"] == "list" else drawn(service={"kind": "exponential"})
    assert scenario_from(data(RANDOM, stated, **parts)).network == NetworkSpec(**RANDOM)


def test_stated_service_times_are_kept_beside_a_network():
    """None is made up where none is stated; packets are parted by job in the order they are listed."""
    services = Simulation(scenario_from(data(RANDOM, one_job(service=3.0)))).jobs.service
    assert services.tolist() == [3.0]
    assert np.isnan(Simulation(scenario_from(data(RANDOM, drawn()))).jobs.service).all()
    assert not np.isnan(Simulation(scenario_from(data(None, drawn()))).jobs.service).any()
    assert len(Simulation(scenario_from(data(None, drawn()))).jobs.messages) == 0
    rows = [[7, 0, 0, 0, 3, 2, 0, 1], [5, 3, 0, 0, 0, 1, 0], [2, 0, 1, 0, 0, 2, 0, 1]]
    jobs = {"kind": "list", "jobs": [{"arrival": n, "size": [1, 1]} for n in range(3)]}
    of = scenario_from(data(own(*rows), jobs))
    assert of.network.packets_of(3, of.machine, 1).tolist() == [1, 2, 0]
    parted = [[part.tolist() for part in mine] for mine in of.network.packets_by_job(of.machine, 3, 1)]
    assert parted == [[[5], [3], [4]], [[7, 2], [0, 4], [11, 8]], [[], [], []]]
    deep = scenario_from(data(own([0, 1, 2, 3, 3, 1, 0]), one_job(size=[2, 2, 2]), mesh={"shape": [4, 3, 5]}))
    [[_, source, target]] = deep.network.packets_by_job(deep.machine, 1, 1)
    assert (source.tolist(), target.tolist()) == ([1 + 4 * 2 + 12 * 3], [3 + 4])


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=9,
)
FIELDS = sorted(NetworkSpec.model_fields)


@given(pattern=st.sampled_from(["random", "file"]), field=st.sampled_from(FIELDS), value=json_values)
def test_anything_in_a_network_is_taken_or_refused_in_one_line(pattern, field, value):
    """Never another error; and what is taken agrees with the schema."""
    said, given_data = "", data({"pattern": pattern, field: value})
    try:
        parse_scenario(json.dumps(given_data), "f")
        jsonschema.validate(json.loads(json.dumps(given_data)), json_schema())
    except ScenarioError as error:
        said = str(error)
    assert said.isprintable()


@given(rows=st.lists(st.lists(st.integers(-1, 5), min_size=6, max_size=9), max_size=4))
def test_any_rows_are_packets_or_one_line(rows):
    """Of whatever length, on the mesh or off it."""
    said = ""
    try:
        of = scenario_from(data(own(*rows)), "f")
        assert sum(of.network.packets_of(1, of.machine, 1)) == len(rows)
    except ScenarioError as error:
        said = str(error)
    assert said.isprintable()
    assert not said or said.startswith("f: network.packets.")


@pytest.mark.parametrize(
    ("workload", "expected"),
    [
        (drawn(jobs=1000), "network.messages: expected at most 10000 on average for 1000 jobs, got 20000"),
        (
            {"kind": "list", "jobs": [{"arrival": 0, "size": [2, 2], "messages": 9_999_999}] * 2},
            "workload.jobs: expected at most 10000000 messages in all, got 2e+07",
        ),
    ],
)
def test_a_run_has_so_many_messages_at_most(workload, expected):
    """More would take more memory than there is; said before anything is run."""
    with pytest.raises(ScenarioError, match=re.escape(expected)):
        scenario_from(data(RANDOM | {"messages": 20_000}, workload))
    just_as_many = one_job(messages=5_000_000)["jobs"] * 2
    assert scenario_from(data(RANDOM, {"kind": "list", "jobs": just_as_many})).job_count == 2


def test_a_network_is_wormhole_switched_unless_it_says_otherwise():
    """000's: eight flits, three cycles in a router, a flit a buffer, five messages a job, sent at once."""
    assert NetworkSpec(pattern="random").model_dump() == {
        "pattern": "random", "messages": 5.0, "quota": "exponential", "barrier": "stage", "flits": 8,
        "routing_delay": 3, "buffer": 1, "switching": "wormhole", "startup": 0, "path": None, "packets": (),
    }  # fmt: skip


def test_later_fields_are_written_only_where_they_do_something():
    """An older version reads a file without them; the kernel looks that number of cycles ahead."""
    spec = NetworkSpec(pattern="random")
    assert (spec.per_hop, spec.ports) == ("header", "one")
    assert NetworkSpec.model_validate(spec.model_dump() | {"per_hop": "header", "ports": "one"}) == spec
    for later in ({"per_hop": "flit"}, {"ports": "free"}, {"between_sends": 7}):
        changed = NetworkSpec(pattern="random", **later)
        assert changed.model_dump() == spec.model_dump() | later
        assert NetworkSpec.model_validate_json(changed.model_dump_json()) == changed
    longest = {"per_hop": "flit", "flits": 1 << 16, "routing_delay": 15}
    assert scenario_from(data(RANDOM | longest, drawn())).network.per_hop == "flit"
