"""What a recorded packet and hop take."""

import numpy as np
import pytest

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.network.spec import NetworkSpec
from meshgui.engine.network.switching import Law
from meshgui.engine.network.traffic import Traffic
from meshgui.engine.network.wormhole import Network
from meshgui.engine.runs.simulation import simulate
from tests.scenarios import scenario_of


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
