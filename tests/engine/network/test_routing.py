"""Channels and routes, and how the window names them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics.geometry import Mesh, node_number, places
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
    route_length,
    spans,
)
from meshgui.engine.network.switching import PORTS, Law
from tests.properties.networks import DEEP, FLAT, channel_of, node_of
from tests.twins.network import channels

pytestmark = pytest.mark.kernel

DEEP_MESH = Mesh((4, 3, 2))


@given(shape=st.one_of(FLAT, DEEP), ports=st.sampled_from(PORTS))
def test_every_route_goes_in_x_then_y_then_z(shape, ports):
    """From any node to any other, as the twin walks it; over free ports on links alone."""
    ends = Law(ports=ports).ends
    mesh = Mesh(shape)
    pairs = [(s, d) for s in range(mesh.processors) for d in range(mesh.processors) if s != d]
    width, depth, _ = mesh.extents
    nodes = places(mesh, np.arange(mesh.processors)).astype(np.int32)
    row = np.full(sum(mesh.extents) + 2, -1, dtype=np.int32)
    for source, target in pairs:
        end = lay_route(source, target, nodes, (1, width, width * depth), ends, row, 1)
        way = channels(mesh.extents, node_of(shape, source), node_of(shape, target), ports)
        assert row[1:end].tolist() == [channel_of(shape, channel) for channel in way]
        assert end - 1 == route_length(source, target, nodes, ends)
        assert end - 1 == distances(mesh, np.array([source]), np.array([target]))[0] + ends


def test_a_channel_leads_to_the_neighbour_it_is_named_for():
    """Six links; injection and ejection stay at their node; with as many coordinates as sides."""
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


def test_the_rows_of_some_packets_stand_one_after_another():
    """In the order asked for, each with its place along its route."""
    rows, steps = spans(np.array([0, 3, 5, 9]), np.array([2, 0]))
    assert rows.tolist() == [5, 6, 7, 8, 0, 1, 2]
    assert steps.tolist() == [0, 1, 2, 3, 0, 1, 2]
    assert [part.size for part in spans(np.array([0, 3]), np.array([], dtype=np.int64))] == [0, 0]
