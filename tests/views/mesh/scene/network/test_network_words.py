"""The card beside the pointer says what a packet does, and what a channel is used for."""

from meshgui.views.mesh.scene.network.descriptions import describe_packet, describe_use
from tests.views.mesh.network_fixtures import MEETING, network_cursor


def test_a_packets_card_names_it_and_its_ends_and_says_what_it_does():
    """Its number and job, from where to where, its length; what a packet can do is tested with its states."""
    assert describe_packet(network_cursor(MEETING, 10).view, 0) == (
        "Packet 0   job 0",
        "(0,0) → (3,0)   8 flits",
        "waits at (1,0) for (1,0)→(2,0), held by packet 1, for 2 cycles so far",
    )


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
