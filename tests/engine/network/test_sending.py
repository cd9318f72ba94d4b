"""The kernels that send the stages of jobs: beside patterns in plain Python, and short of room."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.bench.messages import Messages
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box, Mesh, cells
from meshgui.engine.network import sending as sending_kernels
from meshgui.engine.network.patterns.compiled import COMPILED
from meshgui.engine.network.patterns.registry import patterns
from meshgui.engine.network.sending import NODES, list_processors
from meshgui.engine.network.switching import Law
from meshgui.engine.network.wormhole import Network
from meshgui.engine.runs.loop_state import HowFar
from meshgui.engine.runs.network_event_loop import NETWORK
from meshgui.engine.runs.simulation import Simulation, simulate
from tests.engine.network.patterns.test_patterns import with_network
from tests.engine.network.test_runs import crowds, told
from tests.networks import sending, sent
from tests.properties.networks import DEEP, FLAT
from tests.scale import cases

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
@given(data=st.data(), mapping=st.sampled_from(["blocks", "row-major"]))
def test_processors_are_listed_as_the_strategies_list_them(data, mapping):
    """Block by block, or row-major over the job; of what is held beyond the request, none."""
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
    nodes = list_processors(np.array(boxes, dtype=np.int16), rules, most, mapping == "row-major")
    assert nodes.tolist() == of.nodes(tuple(boxes))[:most].tolist()


@cases(60)
@given(of=crowds())
def test_the_messages_of_a_run_are_its_own_without_allocation(of):
    """Begun where and when its jobs were, in compiled code: every packet as in the run."""
    recorded = simulate(of)
    messages = Messages(recorded, of.network)
    messages.send(row_major=getattr(of.allocator.options, "mapping", "") == "row-major")
    for mine, theirs in zip(messages.traffic.packets(), recorded.packets, strict=True):
        np.testing.assert_array_equal(mine, theirs)
