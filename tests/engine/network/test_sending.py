"""By which channels, when and where messages are sent, and what a recorded packet and hop take."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.bench.messages import Messages
from meshgui.engine.allocation.base import mapping_ranks
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box, Mesh, cells, node_number, places
from meshgui.engine.network import sending as sending_kernels
from meshgui.engine.network.patterns.compiled import COMPILED
from meshgui.engine.network.patterns.registry import patterns
from meshgui.engine.network.routing import (
    EJECT,
    INJECT,
    LINKS,
    STEPS,
    WAYS,
    describe_channel,
    describe_node,
    distances,
    ends,
    lay_route,
    roads_of,
    route_length,
    spans,
)
from meshgui.engine.network.sending import NODES, list_processors
from meshgui.engine.network.spec import NetworkSpec
from meshgui.engine.network.switching import Law
from meshgui.engine.network.traffic import Traffic
from meshgui.engine.network.wormhole import Network
from meshgui.engine.runs.loop_state import HowFar
from meshgui.engine.runs.network_event_loop import NETWORK
from meshgui.engine.runs.simulation import Simulation, simulate
from tests.engine.network.patterns.test_patterns import with_network
from tests.engine.network.test_runs import crowds, told
from tests.networks import sending, sent
from tests.properties.networks import DEEP, FLAT, channel_of, node_of
from tests.scale import cases
from tests.scenarios import scenario_of
from tests.twins.network import PORTS, channels

pytestmark = pytest.mark.kernel

FIRST_HOPS = 8192  # of a network, at least


def in_python(cls):
    """The same pattern as a third party's, which no run knows to have a kernel."""
    return type(cls.__name__, (cls,), {})


@cases(150)
@given(of=crowds())
def test_patterns_in_python_send_what_compiled_ones_do(of):
    """Every packet and event, stage by stage."""
    compiled = simulate(of)
    with patch.dict(patterns(), {cls.id: in_python(cls) for cls in COMPILED}):
        simulation = Simulation(of)
        assert of.network.pattern == "file" or not simulation._traffic.compiled
        other = simulation.run()
    assert told(other) == told(compiled)
    for mine, theirs in zip(other.packets, compiled.packets, strict=True):
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("pattern", ["random", "one-to-all", "n-body"])
def test_packets_outgrow_their_room(pattern):
    """Thousands of them, of jobs whose processors are kept in far less room than all took together."""
    of = with_network("mbs", pattern, jobs=200, messages=40.0)
    compiled = simulate(of)
    assert len(compiled.packets.channels) > 16_000
    assert compiled.jobs.messages[compiled.jobs.processors > 1].sum() == len(compiled.packets.sent)
    assert compiled.jobs.processors.sum() > 20 * of.machine.processors
    with patch.dict(patterns(), {cls.id: in_python(cls) for cls in COMPILED}):
        other = simulate(of)
    for mine, theirs in zip(other.packets, compiled.packets, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_routes_that_outgrow_their_room_are_kept_and_what_kernels_return_is_told_apart():
    """Longer ones than a mesh's mean; every outcome has a number of its own."""
    length, count = 30, 270
    packets = [(40 * n, (0, 0), (length - 1, 0)) for n in range(count)]
    recorded = sent(*packets, shape=(length, 1), flits=1, routing_delay=0)
    assert len(recorded.packets.channels) == (length + 1) * count
    assert len(recorded.packets.channels) > FIRST_HOPS > (2 + length // 3) * count
    record = recorded.network
    alone = recorded.scenario.network.law.unblocked(length - 1)
    assert record.delivered.tolist() == [40 * n + alone for n in range(count)]
    network = ("BEGUN", "SENDS_NOTHING", "IDLE", "COMPLETED", "PAUSED", "NO_ROOM", "STAGE_WANTED")
    numbers = [getattr(sending_kernels, name) for name in (*network, "WAITED_TOO_LONG")]
    assert sorted(numbers) == list(range(8))
    assert max(HowFar) < NETWORK


def test_the_processors_of_jobs_that_are_done_give_way():
    """There is room for twice the machine's; those that go on keep theirs, the first of all among them."""
    simulation = Simulation(with_network("gabl", "n-body", jobs=100, messages=60.0))
    recorded = simulation.run()
    record = recorded.network
    for job in range(100):
        mine, boxes = record.jobs == job, np.array(recorded.boxes_of(job), dtype=np.int64)
        held = set(cells(boxes, recorded.mesh).tolist())
        assert held.issuperset(record.sources[mine].tolist())
        assert held.issuperset(record.targets[mine].tolist())
    jobs = simulation._traffic.jobs
    assert len(jobs.nodes) == 2 * 64
    assert jobs.numbers[NODES] <= len(jobs.nodes)
    assert not jobs.processes.any()
    rows = [(0, (2, 2), 300), (0, (2, 2), 300), *((40 * n, (2, 2), 3) for n in range(1, 30))]
    recorded = simulate(sending(rows, "n-body"))
    record = recorded.network
    for job in range(len(rows)):
        held = set(cells(np.array(recorded.boxes_of(job), dtype=np.int64), recorded.mesh).tolist())
        mine = record.jobs == job
        assert held == {*record.sources[mine].tolist(), *record.targets[mine].tolist()}


@cases(300)
@given(data=st.data(), mapping=st.sampled_from(["blocks", "row-major", "snake", "hilbert"]))
def test_processors_are_listed_as_the_strategies_list_them(data, mapping):
    """Block by block, or in an order over the job; of what is held beyond the request, none."""
    shape = data.draw(st.one_of(FLAT, DEEP))
    mesh = Mesh(shape)
    of = strategy("gabl")(mesh, strategy("gabl").options_model(mapping=mapping))
    boxes, number = [], data.draw(st.integers(1, 4))
    for _ in range(number):
        base = [data.draw(st.integers(0, side - 1)) for side in mesh.extents]
        size = [data.draw(st.integers(1, side - at)) for side, at in zip(mesh.extents, base, strict=True)]
        box = Box(*base, *size)
        if not any(box.overlaps(other) for other in boxes):
            boxes.append(box)
    most = data.draw(st.integers(1, sum(box.volume for box in boxes)))
    rules = Network(mesh, Law()).rules
    rows = np.array(boxes, dtype=np.int16)
    nodes = list_processors(rows, rules, most, mapping_ranks(of), 0)
    assert nodes.tolist() == of.nodes(tuple(boxes))[:most].tolist()


@pytest.mark.parametrize("mapping", ["snake", "hilbert"])
@pytest.mark.parametrize("shape", [(4, 4), (8, 8), (4, 4, 4)])
def test_processes_of_a_job_that_holds_the_mesh_are_laid_next_to_each_other(mapping, shape):
    """Each process beside the one before, though the job has two blocks."""
    mesh = Mesh(shape)
    of = strategy("gabl")(mesh, strategy("gabl").options_model(mapping=mapping))
    w, d, h = mesh.extents
    halves = (Box(0, 0, 0, w, d // 2, h), Box(0, d // 2, 0, w, d - d // 2, h))
    at = places(mesh, of.nodes(halves))
    assert sorted(map(tuple, at.tolist())) == [
        (x, y, z) for x in range(w) for y in range(d) for z in range(h)
    ]
    assert (np.abs(np.diff(at, axis=0)).sum(axis=1) == 1).all()


@cases(60)
@given(of=crowds())
def test_the_messages_of_a_run_are_its_own_without_allocation(of):
    """Begun where and when its jobs were, in compiled code: every packet as in the run."""
    recorded = simulate(of)
    messages = Messages(recorded, of.network)
    messages.send(of.allocator.options)
    for mine, theirs in zip(messages.traffic.network.packets(), recorded.packets, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def nbytes(packets):
    """Bytes of all arrays of packets."""
    return sum(array.nbytes for array in packets)


@pytest.mark.parametrize("distance", [1, 2, 14])
def test_a_hop_takes_eight_bytes_and_a_packet_twenty(distance):
    """Four bytes a hop for its channel, four for its cycle; injection and ejection are hops. Below 64."""
    network = Network(Mesh((15, 1)), Law())
    network.send(np.zeros(100, dtype=np.int64), np.zeros(100, dtype=np.int64), np.full(100, distance))
    network.advance(1 << 40)
    packets = network.packets()
    hops = 100 * (distance + 2)
    assert len(packets.channels) == network.hops == hops
    assert nbytes(packets) == 8 * hops + 20 * 100 + 8
    assert nbytes(packets) / hops < 64


def test_a_run_keeps_nothing_else_of_its_hops():
    """A recording has its packets once, counted with it; on a large mesh most packets stay near."""
    drawn = {"kind": "stochastic", "jobs": 50, "load": 0.05}
    recorded = simulate(scenario_of((8, 8), drawn, "gabl", network={"pattern": "random", "messages": 20}))
    packets = recorded.packets
    assert nbytes(packets) == 8 * len(packets.channels) + 20 * len(packets.sent) + 8
    assert nbytes(packets) / len(packets.channels) < 64
    assert recorded.nbytes > nbytes(packets)
    spec = NetworkSpec(pattern="random", messages=1)
    traffic = Traffic(spec, Mesh((1024, 1024)), np.array([65_536]), 1)
    assert nbytes(traffic.network.state[:9]) < 20e6


DEEP_MESH = Mesh((4, 3, 2))


@given(shape=st.one_of(FLAT, DEEP), ports=st.sampled_from(PORTS))
def test_every_route_goes_in_x_then_y_then_z(shape, ports):
    """From any node to any other, as the twin walks it; over free ports on links alone."""
    ends = Law(ports=ports).ends
    mesh = Mesh(shape)
    pairs = [(s, d) for s in range(mesh.processors) for d in range(mesh.processors) if s != d]
    nodes = places(mesh, np.arange(mesh.processors)).astype(np.int32)
    row = np.full(sum(mesh.extents) + 2, -1, dtype=np.int32)
    for source, target in pairs:
        end = lay_route(source, target, nodes, roads_of(mesh), False, ends, row, 1)
        way = channels(mesh.extents, node_of(shape, source), node_of(shape, target), ports)
        assert row[1:end].tolist() == [channel_of(shape, channel) for channel in way]
        assert end - 1 == route_length(source, target, nodes, roads_of(mesh), ends)
        assert end - 1 == distances(mesh, np.array([source]), np.array([target]))[0] + ends


def test_a_channel_leads_to_the_neighbour_it_is_named_for():
    """Six links, and the ends stay at their node; rows in the order asked for, each with its place."""
    middle = node_number(Mesh((3, 3, 3)), (1, 1, 1))
    begin, end = ends(Mesh((3, 3, 3)), middle * WAYS + np.arange(WAYS))
    assert begin.tolist() == [[1, 1, 1]] * WAYS
    assert (end - begin).tolist() == [
        [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1], [0, 0, 0], [0, 0, 0],
    ]  # fmt: skip
    assert (LINKS, INJECT, EJECT, WAYS, len(STEPS)) == (6, 6, 7, 8, 6)
    flat = Mesh((4, 3))
    assert describe_node(flat, 6) == "(2,1)"
    assert describe_node(DEEP_MESH, 18) == "(2,1,1)"
    assert describe_channel(flat, 6 * WAYS) == "(2,1)→(3,1)"
    assert describe_channel(flat, 6 * WAYS + 3) == "(2,1)→(2,0)"
    assert describe_channel(flat, 6 * WAYS + INJECT) == "into (2,1)"
    assert describe_channel(flat, 6 * WAYS + EJECT) == "out of (2,1)"
    assert describe_channel(DEEP_MESH, 18 * WAYS + 5) == "(2,1,1)→(2,1,0)"
    rows, steps = spans(np.array([0, 3, 5, 9]), np.array([2, 0]))
    assert rows.tolist() == [5, 6, 7, 8, 0, 1, 2]
    assert steps.tolist() == [0, 1, 2, 3, 0, 1, 2]
    assert [part.size for part in spans(np.array([0, 3]), np.array([], dtype=np.int64))] == [0, 0]
