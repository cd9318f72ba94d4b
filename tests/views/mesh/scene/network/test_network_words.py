"""The card beside the pointer says what a packet does, and what a channel is used for."""

import pytest

from meshgui.views.mesh.scene.network.descriptions import describe_packet, describe_use
from tests.views.mesh.network_fixtures import ALONE, MEETING, network_cursor

DOINGS = [
    (0, 0, "sets out at (0,0)"),
    (2, 0, "is being routed at (0,0)"),
    (4, 0, "moves over (0,0)→(1,0)"),
    (6, 0, "is being routed at (1,0)"),
    (10, 0, "waits at (1,0) for (1,0)→(2,0), held by packet 1, for 2 cycles so far"),
    (26, 0, "moves over (1,0)→(2,0)"),
    (34, 0, "moves into its target (3,0)"),
    (36, 0, "arrives at (3,0): 2 of its 8 flits are there"),
    (45, 0, "arrived at (3,0) in cycle 42, after 42 cycles, blocked for 18 of them"),
    (0, 1, "sets out from (1,0) later"),
]


@pytest.mark.parametrize(("cycle", "packet", "words"), DOINGS)
def test_what_a_packet_does(cycle, packet, words):
    """Moving, routed, blocked by whom and since when, arriving, arrived."""
    cursor = network_cursor(MEETING, cycle)
    assert describe_packet(cursor.view, packet)[2] == words


def test_a_packet_that_queues_says_since_when():
    """Behind another from the same processor it waits for its injection."""
    cursor = network_cursor([[2, 1, 1, 0, 3, 1, 0, 0]] * 2, 6)
    view = cursor.view
    said = "waits at (1,1) for its injection, behind packet 0, for 4 cycles so far"
    assert describe_packet(view, 1)[2] == said


def test_a_stored_packet_gathers_before_it_goes_on():
    """With store-and-forward the words tell how much of it has come."""
    cursor = network_cursor(ALONE, 4, buffer=8, switching="store-and-forward")
    assert describe_packet(cursor.view, 0)[2] == "is being stored at (0,0): 4 of its 8 flits are there"


def test_a_packets_card_names_it_and_its_ends():
    """Its number and job, from where to where, its length."""
    view = network_cursor(MEETING, 10).view
    assert describe_packet(view, 1)[:2] == ("Packet 1   job 0", "(1,0) → (3,2)   8 flits")


def test_a_channels_card_tells_who_holds_it_and_who_waits():
    """And in how many of the cycles looked at it carried a flit."""
    view = network_cursor(MEETING, 10).view
    assert describe_use(view, 8, (0, 10)) == (
        "Channel (1,0)→(2,0)",
        "held by packet 1 of job 0",
        "packet 0 waiting for it",
        "in use 20.0 % of cycles 0–10",
    )
    assert describe_use(view, 32, (0, 5)) == ("Channel (0,1)→(1,1)", "free", "in use 0.0 % of cycles 0–5")
    assert describe_use(view, 8, (5, 10))[-1] == "in use 33.3 % of cycles 5–10"
