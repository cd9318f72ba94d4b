"""Packets over time: who is under way, how many, and in which lane, as counting one by one gives it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics.work import Work
from meshgui.engine.network.record import NEVER_YET
from meshgui.engine.runs.simulation import Simulation
from meshgui.model.packet_spans import PacketSpans, packet_spans
from meshgui.model.position import Position
from tests.networks import crowd, full_mesh, sending
from tests.runs import cursor_in, report_at_every_event


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
