"""What the record tells of any cycle against the twin, watched after every cycle."""

from collections import defaultdict
from itertools import groupby, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.network.record import NEVER_YET
from meshgui.model.network.network_tables import channel_figures
from tests.properties.networks import Header, cases_of, channel_of, network_of, outcomes, record_of, watch
from tests.scale import cases

pytestmark = pytest.mark.kernel

SMALL = cases_of(most=25)


def shown(moment):
    """A moment's flits, channels and waiting headers as the twin tells them."""
    columns = (moment.blocked, moment.blocked_at, moment.blocked_since, moment.blocked_by)
    flits = zip(moment.flit_packets.tolist(), moment.flit_numbers.tolist(), strict=True)
    return (
        dict(zip(flits, moment.flit_channels.tolist(), strict=True)),
        dict(zip(moment.held_channels.tolist(), moment.held_by.tolist(), strict=True)),
        [Header(*row) for row in zip(*(column.tolist() for column in columns), strict=True)],
        moment.packets.tolist(),
        moment.queued.tolist(),
    )


def seen_by(watched, cycle):
    """The same of the twin; after its last cycle the network is empty."""
    if cycle >= len(watched.cycles):
        return ({}, {}, [], [], [])
    seen = watched.cycles[cycle]
    return (seen.flits, seen.held, seen.headers, seen.under_way, seen.queued)


def carried(record, cycle):
    """The flits that have crossed each channel, of those that any has."""
    told = record.carried(cycle)
    return {channel: int(told[channel]) for channel in np.flatnonzero(told).tolist()}


@cases(120)
@given(case=SMALL, draws=st.lists(st.floats(0, 1), min_size=12, max_size=12))
def test_any_cycle_looks_as_in_the_twin(case, draws):
    """Every flit's place, every channel's holder, who waits for what since when, and who queues outside."""
    watched, record = watch(case), record_of(case)
    busy = [c for c, seen in enumerate(watched.cycles) if seen.headers] or [0]
    some = [round(u * len(watched.cycles)) for u in draws]
    for cycle in {0, *some, *(busy[int(u * 0.99 * len(busy))] for u in draws)}:
        moment = record.at(cycle)
        assert shown(moment) == seen_by(watched, cycle)
        assert moment.cycle == cycle
        assert moment.flit_packets.tolist() == sorted(moment.flit_packets.tolist())
        for row in (moment.flit_numbers, moment.flit_channels, moment.held_channels, moment.blocked):
            assert row.dtype == np.int64


@cases(60)
@given(case=SMALL, share=st.floats(0, 1), hops=st.integers(1, 200))
def test_a_run_in_progress_shows_all_up_to_its_cycle(case, share, hops):
    """Of a network on its way, every cycle gone through looks as it will when all has arrived."""
    watched = watch(case)
    network = network_of(case)
    network.advance(len(watched.cycles), hops)
    now = network.now
    record = record_of(case, network)
    now = min(now, len(watched.cycles) - 1)
    for cycle in {0, now // 2, round(share * now), now}:
        assert shown(record.at(cycle)) == seen_by(watched, cycle)
        assert carried(record, cycle) == watched.cycles[cycle].carried
    for packet, (_, delivered, *_) in enumerate(watched.deliveries):
        known = [passage for passage in record.passages(packet) if passage.entered != NEVER_YET]
        assert record.hop_times_of(packet).tolist() == [passage.entered for passage in known]
        times = watched.twin.hop_times(packet)
        assert [passage.entered for passage in known] == [t for t in times if t <= now + case.law.cycles]
        assert record.delivered[packet] in (delivered, NEVER_YET)
        assert (record.delivered[packet] == NEVER_YET) == (len(known) < len(times))
        for passage, left in zip(known, watched.left[packet], strict=False):
            assert passage.left in (left, NEVER_YET)
            assert passage.left == left or left > now
    for channel in set(record.raw.channels.tolist()):
        told, true = record.crossings(channel).tolist(), watched.crossings[channel]
        assert told == sorted(told)
        assert set(told) <= set(true)
        assert [time for time in told if time <= now] == [time for time in true if time <= now]


@cases(80)
@given(case=SMALL, spans=st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=4, max_size=4))
def test_what_channels_carry_is_what_the_twin_sees_cross(case, spans):
    """Flits so far, the share of a span's cycles, the cycles themselves, and the waits for each channel."""
    watched, record = watch(case), record_of(case)
    end = len(watched.cycles)

    for share, other in spans:
        begin, last = sorted((int(share * end), int(other * end)))
        assert carried(record, last) == watched.cycles[min(last, end - 1)].carried
        use = record.use(begin, last)
        for channel, times in watched.crossings.items():
            busy = {time - before for time in times for before in range(case.law.cycles)}
            assert use[channel] * max(last - begin, 1) == pytest.approx(sum(begin < t <= last for t in busy))
        assert 0 <= use.min() <= use.max() <= 1
    assert carried(record, end + 9) == watched.cycles[-1].carried
    for channel, times in watched.crossings.items():
        assert record.crossings(channel).tolist() == sorted(times)
    waits = defaultdict(int)
    for packet in watched.twin.packets:
        for channel, asked, granted in zip(packet.path, packet.asked, packet.granted, strict=True):
            waits[channel_of(watched.twin.shape, channel)] += granted - asked
    figures = channel_figures(record, 0, end, links_only=False)
    told = zip(figures.channels.tolist(), figures.waited.tolist(), strict=True)
    assert {c: w for c, w in told if w} == {c: w for c, w in waits.items() if w}


@cases(80)
@given(case=SMALL)
def test_a_packets_way_is_told_channel_by_channel(case):
    """When it asked, was granted, came in and had left; and who held the channel while it waited."""
    watched, record = watch(case), record_of(case)
    for packet in watched.twin.packets:
        way = record.passages(packet.number)
        assert [passage.channel for passage in way] == [
            channel_of(watched.twin.shape, channel) for channel in packet.path
        ]
        assert [passage.asked for passage in way] == packet.asked
        assert [passage.granted for passage in way] == packet.granted
        assert [passage.entered for passage in way] == packet.entered
        assert [passage.left for passage in way] == watched.left[packet.number]
        blocking = way[1:] if case.law.ports == "one" else way
        assert sum(passage.waited for passage in blocking) == watched.deliveries[packet.number][3]
        for passage in way:
            waited = range(passage.asked, passage.granted)
            holders = [watched.cycles[cycle].held[passage.channel] for cycle in waited]
            assert passage.blockers == tuple(holder for holder, _ in groupby(holders))


@cases(60)
@given(case=SMALL)
def test_the_times_to_stop_at_are_those_at_which_something_happens(case):
    """Headers that enter buffers, packets that set out and arrive: each such cycle once, in order."""
    watched, record = watch(case), record_of(case)
    entered = [time for packet in watched.twin.packets for time in packet.entered]
    assert record.hop_times.tolist() == sorted(set(entered))
    ends = [time for injected, delivered, *_ in watched.deliveries for time in (injected, delivered)]
    assert record.packet_times.tolist() == sorted(set(ends))
    assert outcomes(record) == watched.deliveries
    assert len(record) == len(case.packets)
    assert record.sent.tolist() == [packet.time for packet in case.packets]


@cases(60)
@given(case=SMALL, data=st.data())
def test_packets_may_be_left_out(case, data):
    """Of those shown all is as it was; a packet held up by one that is not shown is held up by none shown."""
    record = record_of(case)
    chosen = np.array(data.draw(st.lists(st.booleans(), min_size=len(record), max_size=len(record))))
    cycle = data.draw(st.integers(0, int(record.delivered.max())))
    flits, held, headers, packets, queued = shown(record.at(cycle))
    kept = {packet for packet in range(len(record)) if chosen[packet]}
    assert shown(record.at(cycle, chosen)) == (
        {key: channel for key, channel in flits.items() if key[0] in kept},
        {channel: owner for channel, owner in held.items() if owner in kept},
        [h._replace(holder=h.holder if h.holder in kept else -1) for h in headers if h.packet in kept],
        [packet for packet in packets if packet in kept],
        [packet for packet in queued if packet in kept],
    )


@cases(60)
@given(case=cases_of(most=40))
def test_a_chain_of_blocking_ends_with_one_that_goes_on(case):
    """From each blocked packet over those that hold what is waited for; no packet twice, so no deadlock."""
    record = record_of(case)
    for cycle in record.hop_times.tolist()[::7]:
        moment = record.at(cycle)
        holders = dict(zip(moment.blocked.tolist(), moment.blocked_by.tolist(), strict=True))
        for packet in moment.packets.tolist():
            chain = moment.chain(packet)
            assert chain[0] == packet
            assert len(set(chain)) == len(chain)
            assert all(holders[one] == other for one, other in pairwise(chain))
            assert chain[-1] not in holders
