"""What packets do in a cycle, in figures and in words, against the recording and against counting by hand."""

from functools import cache

import numpy as np
import pytest

from meshgui.engine.network.record import NEVER_YET, chain_of
from meshgui.model.columns import SortOrder, rows_in_order
from meshgui.model.network_tables import channel_now
from meshgui.model.packet_states import PacketState, describe_state, reached, state_wordings, states_at
from meshgui.model.packet_tables import PACKET_COLUMNS, PacketRows
from tests.networks import PAPERS_LAWS, alone, busy, sent, three_in_a_row
from tests.runs import cursor_in


def looked_at(recording, cycle):
    """The network's moment in a cycle, and what all packets there are do."""
    moment = cursor_in(recording, time=cycle).view.network
    return moment, states_at(recording.network, moment)


def said(recording, packet, cycle):
    """What a packet does in a cycle, in words."""
    moment, _ = looked_at(recording, cycle)
    states = states_at(recording.network, moment, np.array([packet]))
    return describe_state(recording.network, states, 0)


def slow():
    """Four cycles a channel; the last link leads to the processor, and packet 1 holds it until cycle 32."""
    return sent((0, (0, 0), (2, 0)), (0, (1, 0), (2, 0)), per_hop="flit", ports="free")


def stored():
    """A packet of four flits that is whole three cycles after its header came in, and routed from then on."""
    return sent((0, (0, 0), (2, 0)), flits=4, routing_delay=2, buffer=4, switching="store-and-forward")


@pytest.mark.parametrize(
    ("recording", "cycle", "does"),
    [
        (alone, 0, "sets out at (0,0)"),
        (alone, 1, "is being routed at (0,0)"),
        (alone, 3, "is being routed at (0,0)"),
        (alone, 4, "moves over (0,0)→(1,0)"),
        (alone, 5, "is being routed at (1,0)"),
        (alone, 12, "moves over (2,0)→(3,0)"),
        (alone, 16, "moves into its target (3,0)"),
        (alone, 17, "arrives at (3,0): 1 of its 8 flits is there"),
        (alone, 23, "arrives at (3,0): 7 of its 8 flits are there"),
        (alone, 24, "arrived at (3,0) in cycle 24, after 24 cycles, never blocked"),
        (stored, 1, "is being stored at (0,0): 1 of its 4 flits is there"),
        (stored, 3, "is being stored at (0,0): 3 of its 4 flits are there"),
        (stored, 4, "is being routed at (0,0)"),
        (stored, 6, "moves over (0,0)→(1,0)"),
        (slow, 0, "moves over (0,0)→(1,0)"),
        (slow, 3, "moves over (0,0)→(1,0)"),
        (slow, 4, "waits at (1,0) for (1,0)→(2,0), held by packet 1"),
        (slow, 31, "waits at (1,0) for (1,0)→(2,0), held by packet 1, for 27 cycles so far"),
        (slow, 32, "moves over (1,0)→(2,0)"),
        (slow, 36, "arrives at (2,0): 1 of its 8 flits is there"),
        (slow, 43, "arrives at (2,0): 2 of its 8 flits are there"),
        (slow, 64, "arrived at (2,0) in cycle 64, after 64 cycles, blocked for 28 of them"),
    ],
)
def test_what_a_packet_does_in_a_cycle(recording, cycle, does):
    """Three hops with a routing delay of 3: 8 + 4 · 4 = 24 cycles; stored first, where packets are."""
    assert said(recording(), 0, cycle) == does


def test_flits_reach_the_target_one_a_cycle():
    """All when it is delivered; a second waits until the first one's tail has left the injection."""
    record = alone().network
    assert [reached(record, 0, cycle) for cycle in (16, 17, 20, 24, 99)] == [0, 1, 4, 8, 8]
    assert record.delivered[0] != NEVER_YET
    recording = sent((0, (0, 0), (3, 0)), (2, (0, 0), (0, 3)), (30, (1, 1), (2, 2)))
    assert said(recording, 2, 5) == "sets out from (1,1) later"
    assert said(recording, 1, 2) == "waits at (0,0) for its injection, behind packet 0"
    assert said(recording, 1, 9) == "waits at (0,0) for its injection, behind packet 0, for 7 cycles so far"
    assert int(recording.network.injected[1]) == recording.network.passages(0)[0].left


def test_a_chain_of_blocking_ends_with_the_one_that_moves():
    """Packet 2 waits for packet 1, that for packet 0, which arrives."""
    recording = three_in_a_row()
    _, states = looked_at(recording, 10)
    assert [state_wordings(recording.network, states, row)[0] for row in range(3)] == [
        "arriving, 2 of 16 flits",
        "blocked by 0 at (2,0)→(3,0)",
        "blocked by 1 at (1,0)→(2,0)",
    ]
    assert chain_of(2, states.packets, states.blockers) == [2, 1, 0]
    assert chain_of(0, states.packets, states.blockers) == [0]
    assert said(recording, 2, 10) == "waits at (1,0) for (1,0)→(2,0), held by packet 1, for 2 cycles so far"
    assert said(recording, 2, 67).endswith("after 67 cycles, blocked for 35 of them")


@pytest.mark.parametrize("law", [{}, *PAPERS_LAWS], ids=str)
def test_what_is_said_of_packets_is_what_the_recording_knows(law):
    """In 150 cycles of a busy run: who is blocked, queued, or there in part."""
    recording = busy(**law)
    record, blocked = recording.network, 0
    passages = cache(record.passages)
    for cycle in np.linspace(1, recording.end_time - 1, 150).astype(int):
        moment, states = looked_at(recording, cycle)
        kinds = dict(zip(states.packets.tolist(), states.kinds.tolist(), strict=True))
        assert {p for p, kind in kinds.items() if kind == PacketState.BLOCKED} == set(moment.blocked.tolist())
        assert {p for p, kind in kinds.items() if kind == PacketState.QUEUED} == set(moment.queued.tolist())
        blocked += len(moment.blocked)
        for row, packet in enumerate(states.packets.tolist()):
            way = passages(packet)
            kind, channel = states.kinds[row], int(states.channels[row])
            at = next(passage for passage in way if passage.channel == channel)
            if kind in {PacketState.BLOCKED, PacketState.QUEUED}:
                assert at.asked <= cycle < at.granted
                assert states.waited[row] == cycle - at.asked
                assert states.blockers[row] == -1 or int(states.blockers[row]) in at.blockers
            elif kind == PacketState.MOVING:
                assert at.granted <= cycle < at.entered
            elif kind == PacketState.ROUTING:
                following = way[way.index(at) + 1]
                assert at.entered <= cycle < following.asked
            else:
                assert kind == PacketState.ARRIVING
                assert at is way[-1]
                assert at.entered <= cycle < record.delivered[packet]
                there = sum(time <= cycle for time in record.crossings(channel) if time >= at.entered)
                assert reached(record, packet, cycle) == min(there, record.law.flits)
    assert blocked > 100


def test_over_free_ports_a_packet_waits_at_its_processor_for_its_first_link():
    """It is under way, and blocked: nothing waits to be injected."""
    recording = sent((0, (0, 0), (1, 0)), (2, (0, 0), (2, 0)), ports="free")
    assert said(recording, 1, 5) == "waits at (0,0) for (0,0)→(1,0), held by packet 0, for 3 cycles so far"
    moment, _ = looked_at(recording, 5)
    assert (moment.packets.tolist(), moment.queued.tolist()) == ([0, 1], [])
    now = channel_now(recording.network, moment)
    assert (now.holders[0], now.waiting[0], now.waiting.sum()) == (0, 1, 1)


def test_the_greatest_trouble_comes_first():
    """In order of trouble the blocked lead, those that wait longest before the others."""
    recording = busy()
    cycle = max(range(0, int(recording.end_time), 20), key=lambda c: len(recording.network.at(c).blocked))
    _, states = looked_at(recording, cycle)

    def rows_by(key, descending):
        packets = PacketRows(recording.network, states)
        return rows_in_order(PACKET_COLUMNS, packets, SortOrder(key, descending))

    rows = rows_by("trouble", descending=True)
    kinds, waited = states.kinds[rows], states.waited[rows]
    count = int((kinds == PacketState.BLOCKED).sum())
    assert count > 2
    assert (kinds[:count] == PacketState.BLOCKED).all()
    assert (np.diff(waited[:count]) <= 0).all()
    assert states.packets[rows_by("packet", descending=False)].tolist() == states.packets.tolist()
    assert (np.diff(states.ages[rows_by("age", descending=True)]) <= 0).all()
