"""What packets are doing, and from when until when they are under way."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics.work import Work
from meshgui.engine.network.record import NEVER_YET, chain_of
from meshgui.engine.runs.simulation import Simulation
from meshgui.model.moment.packet_states import PacketState, describe_state, reached, state_wordings, states_at
from meshgui.model.moment.position import Position
from meshgui.model.network.network_tables import channel_now
from meshgui.model.network.packet_tables import PACKET_COLUMNS, PacketRows
from meshgui.model.tables.columns import SortOrder, rows_in_order
from meshgui.model.timeline.packet_spans import PacketSpans, packet_spans
from tests.networks import PAPERS_LAWS, alone, busy, crowd, full_mesh, sending, sent, three_in_a_row
from tests.runs import cursor_in, report_at_every_event


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


@pytest.mark.parametrize("buffer", [1, 2])
def test_where_flits_share_links_each_reaches_the_target_in_its_own_cycle(buffer):
    """With credit and one place for a flit, one comes every second cycle; the last as the packet arrives."""
    recording = sent(
        (0, (0, 0), (3, 1)), (0, (1, 0), (3, 2)), (1, (0, 1), (3, 1)), credit=1, buffer=buffer, channels=2
    )
    record = recording.network
    for packet in range(len(record)):
        arrived = int(record.delivered[packet])
        there = [reached(record, packet, cycle) for cycle in range(arrived + 2)]
        assert there[arrived - 1 :] == [record.law.flits - 1, *[record.law.flits] * 2]
        assert all(later - earlier in {0, 1} for earlier, later in pairwise(there))


def test_flits_reach_the_target_one_a_cycle():
    """All when it is delivered; packet 2 waits for packet 1, that for packet 0, which arrives."""
    record = alone().network
    assert [reached(record, 0, cycle) for cycle in (16, 17, 20, 24, 99)] == [0, 1, 4, 8, 8]
    assert record.delivered[0] != NEVER_YET
    recording = sent((0, (0, 0), (3, 0)), (2, (0, 0), (0, 3)), (30, (1, 1), (2, 2)))
    assert said(recording, 2, 5) == "sets out from (1,1) later"
    assert said(recording, 1, 2) == "waits at (0,0) for its injection, behind packet 0"
    assert said(recording, 1, 9) == "waits at (0,0) for its injection, behind packet 0, for 7 cycles so far"
    assert int(recording.network.injected[1]) == recording.network.passages(0)[0].left
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
    """It is under way, and blocked; in order of trouble those lead that wait longest."""
    recording = sent((0, (0, 0), (1, 0)), (2, (0, 0), (2, 0)), ports="free")
    assert said(recording, 1, 5) == "waits at (0,0) for (0,0)→(1,0), held by packet 0, for 3 cycles so far"
    moment, _ = looked_at(recording, 5)
    assert (moment.packets.tolist(), moment.queued.tolist()) == ([0, 1], [])
    now = channel_now(recording.network, moment)
    assert (now.holders[0], now.waiting[0], now.waiting.sum()) == (0, 1, 1)
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


def naive_lanes(spans):
    """The lowest lane that is free when each packet sets out, in order of setting out, then of number."""
    taken = {}
    for begin, packet, end in sorted((begin, packet, end) for packet, (begin, end) in spans.items()):
        lane = 0
        while any(lane == other and until > begin for other, until in taken.values()):
            lane += 1
        taken[packet] = (lane, end)
    return {packet: lane for packet, (lane, _) in taken.items()}


def ends(record):
    """From when to when each packet that has set out is under way."""
    pairs = zip(record.injected.tolist(), record.delivered.tolist(), strict=True)
    return {packet: pair for packet, pair in enumerate(pairs) if pair[0] != NEVER_YET}


@pytest.mark.kernel
def test_each_packet_takes_the_lowest_lane_that_is_free():
    """Lane for lane as a count by hand gives it; two packets in one lane never overlap."""
    for recording in (crowd(), full_mesh(8, 40)):
        record = recording.network
        wanted = naive_lanes(ends(record))
        assert PacketSpans(record).lanes.tolist() == [wanted[packet] for packet in range(len(record))]


@given(st.floats(-10, 2300), st.floats(0, 400))
def test_in_sight_is_whoever_is_under_way_at_some_time(low, span):
    """No packet is missed and none is added, however little or much is in sight."""
    record = full_mesh().network
    spans = packet_spans(record)
    wanted = {p for p, (begin, end) in ends(record).items() if begin <= low + span and end >= low}
    found = spans.in_sight(low, low + span).tolist()
    assert len(found) == len(set(found))
    assert set(found) == wanted
    assert len(found) <= spans.at_most(low, low + span)


def test_the_curve_counts_the_packets_under_way_and_a_run_that_sends_nothing_has_no_packets():
    """In every cycle; its peak is the most there ever are. Jobs of one processor send nothing."""
    record = full_mesh().network
    spans = packet_spans(record)
    counts = [len(record.at(cycle).packets) for cycle in range(int(full_mesh().end_time) + 1)]
    assert [spans.under_way.at(cycle) for cycle in range(len(counts))] == counts
    assert spans.most == max(counts)
    spans = PacketSpans(Simulation(sending([(0, (1, 1), 3)])).run().network)
    assert (len(spans), spans.most, spans.in_sight(0.0, 10.0).tolist()) == (0, 0, [])
    assert np.all(spans.lanes == -1)


def test_seen_from_a_place_packets_of_jobs_yet_to_start_are_not_under_way():
    """As many as the network's moment holds; alone, a job's packets lie as if there were no others."""
    recording = crowd()
    spans, cursor = packet_spans(recording.network), cursor_in(recording)
    counts = []
    for position in range(len(recording) + 1):
        cursor.go_to(Position(position))
        counts.append(spans.now(recording, cursor.position, cursor.time))
        assert counts[-1] == len(cursor.view.network.packets)
    assert spans.under_way.at(0.0) > counts[0] == 0
    cursor.go_to_time(20.5)
    assert spans.now(recording, cursor.position, cursor.time) == len(cursor.view.network.packets) > 0
    record = full_mesh().network
    spans = packet_spans(record)
    job = 3
    own = {packet: pair for packet, pair in ends(record).items() if record.jobs[packet] == job}
    lanes = spans.of_job(job).lanes
    assert {packet: int(lanes[packet]) for packet in own} == naive_lanes(own)
    assert np.count_nonzero(lanes >= 0) == len(own)
    packet = max(own, key=lambda number: sum(passage.waited for passage in record.passages(number)[1:]))
    wanted = {packet} | {b for passage in record.passages(packet) for b in passage.blockers}
    assert len(wanted) > 1
    assert set(np.flatnonzero(spans.around(packet).lanes >= 0).tolist()) == wanted


def test_no_bar_moves_when_the_run_goes_on(monkeypatch):
    """In a run in progress a packet that has set out has the lane it will have in the whole run."""
    report_at_every_event(monkeypatch)
    simulation = Simulation(sending([(20 * n, (4, 4), 20) for n in range(10)], shape=(8, 8)))
    parts, grown = [], 0
    whole = simulation.run(Work(lambda _: parts.append(simulation.recording())))
    final = PacketSpans(whole.network).lanes
    for part in parts:
        lanes = PacketSpans(part.network).lanes
        set_out = part.network.injected <= part.end_time
        grown += int(set_out.sum())
        assert lanes[set_out].tolist() == final[: len(lanes)][set_out].tolist()
    assert grown > 0
