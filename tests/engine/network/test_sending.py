"""The kernels that send the stages of jobs: beside patterns in plain Python, and short of room."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given

from meshgui.engine.network.patterns.compiled import COMPILED
from meshgui.engine.network.patterns.registry import patterns
from meshgui.engine.network.sending import NODES
from meshgui.engine.simulation import Simulation, simulate
from tests.engine.network.test_patterns import with_network
from tests.engine.network.test_runs import crowds, told
from tests.scale import cases

pytestmark = pytest.mark.kernel


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


def test_the_processors_of_jobs_that_are_done_give_way():
    """There is room for twice the machine's, however many jobs come."""
    simulation = Simulation(with_network("gabl", "n-body", jobs=100))
    simulation.run()
    jobs = simulation._traffic.jobs
    assert len(jobs.nodes) == 2 * 64
    assert jobs.numbers[NODES] <= len(jobs.nodes)
    assert not jobs.processes.any()
