"""The figures of channels, of one channel and of a job's messages, against counting by hand."""

from collections import Counter

import numpy as np
import pytest

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.network.routing import EJECT, WAYS
from meshgui.model.network import network_tables
from meshgui.model.network.channel_tables import CHANNEL_COLUMNS, ChannelRows
from meshgui.model.network.network_tables import channel_figures, channel_now, channel_traffic, channels_of
from meshgui.model.tables.columns import SortOrder, rows_in_order
from tests.networks import PAPERS_LAWS, alone, busy, three_in_a_row
from tests.runs import run_of

EAST = 2 * WAYS  # (2,0)→(3,0) on the 4×4 mesh
UP = (4 * 8 + 5) * WAYS + 2  # (5,4)→(5,5) of the blocking chain


def row_of(figures, channel):
    """The place of a channel in the table."""
    return int(np.flatnonzero(figures.channels == channel)[0])


@pytest.fixture(scope="module")
def busiest():
    """Who passes the busiest channel of a busy run."""
    record = busy().network
    channel = int(channels_of(record.mesh)[channel_figures(record, 0, 10**6).flits.argmax()])
    return channel_traffic(record, channel)


@pytest.mark.parametrize(
    ("shape", "links"),
    [((4, 4), 2 * (4 * 3 + 4 * 3)), ((3, 2, 2), 2 * (2 * 4 + 6 + 6)), ((1, 5), 8), ((64, 64), 4 * 64 * 63)],
)
def test_a_mesh_has_a_link_each_way_between_neighbours(shape, links):
    """And every processor an injection and an ejection besides."""
    mesh = Mesh(shape)
    assert len(channels_of(mesh)) == links
    assert len(channels_of(mesh, links_only=False)) == links + 2 * mesh.processors


def test_a_lone_packets_flits_are_counted_on_its_way_only():
    """Eight flits cross each of three links; in cycle 10 packet 0 holds the last link, and one waits."""
    figures = channel_figures(alone().network, 0, 24)
    assert (figures.flits.sum(), figures.waited.sum()) == (3 * 8, 0)
    assert figures.use[row_of(figures, EAST)] == pytest.approx(8 / 24)
    record = three_in_a_row().network
    now = channel_now(record, record.at(10))
    assert (now.holders[EAST], now.waiting[EAST]) == (0, 1)
    assert (now.holders[WAYS], now.waiting[WAYS]) == (1, 1)
    assert (now.holders[3 * WAYS + EJECT], now.waiting.sum()) == (0, 2)
    figures, now = channel_figures(record, 0, 30), channel_now(record, record.at(30))
    channels = ChannelRows(record, figures, now)
    for column in CHANNEL_COLUMNS:
        rows = rows_in_order(CHANNEL_COLUMNS, channels, SortOrder(column.key, descending=True))
        assert sorted(rows) == list(range(len(figures.channels)))
    by_use = figures.use[rows_in_order(CHANNEL_COLUMNS, channels, SortOrder("use", descending=True))]
    assert (np.diff(by_use) <= 0).all()


@pytest.mark.parametrize(
    ("begin", "end", "last", "before"), [(0, 67, 16, 35), (10, 20, 11, 11)], ids=["whole", "part"]
)
def test_waiting_is_counted_at_the_channel_waited_for_and_in_the_span_only(begin, end, last, before):
    """Packet 1 waits at (2,0)→(3,0) from cycle 8 to 24, packet 2 a link before it from 8 to 43."""
    figures = channel_figures(three_in_a_row().network, begin, end)
    assert figures.waited[[row_of(figures, channel) for channel in (EAST, WAYS)]].tolist() == [last, before]
    assert figures.waited.sum() == last + before


def test_the_waits_of_the_whole_run_are_the_recordings_and_both_ends_of_a_span_are_counted():
    """Of links and ejections, injections besides; cycles 35 to 70 are 36."""
    recording = busy()
    record, end = recording.network, int(recording.end_time)
    figures = channel_figures(record, 0, end, links_only=False)
    doors = figures.channels % WAYS == 6
    waits = Counter()
    for packet in range(len(record)):
        for passage in record.passages(packet)[1:]:
            waits[passage.channel] += passage.waited
    assert figures.waited[~doors].tolist() == [waits[c] for c in figures.channels[~doors].tolist()]
    assert figures.waited[doors].sum() == (record.injected - record.sent).sum()
    parts = [channel_figures(record, a, b, links_only=False) for a, b in ((0, 5000), (5001, end))]
    assert (parts[0].waited + parts[1].waited).tolist() == figures.waited.tolist()
    assert (parts[0].flits + parts[1].flits).tolist() == figures.flits.tolist()
    record = run_of("blocking-chain-8x6").network
    crossings = record.crossings(UP)
    figures = channel_figures(record, 35, 70)
    assert np.count_nonzero((crossings >= 35) & (crossings <= 70)) == 29
    assert network_tables.flits_within(crossings, 35, 70) == (29, pytest.approx(29 / 36))
    assert figures.use[row_of(figures, UP)] == pytest.approx(29 / 36)
    assert record.use(*network_tables.moments_of(35, 70))[UP] == pytest.approx(29 / 36)
    record = run_of("blocking-chain-8x6").network
    end = int(record.packet_times[-1])
    total = sum(channel_figures(record, cycle, cycle).flits for cycle in range(end + 1))
    moved = channel_figures(record, 40, 40)
    assert (moved.flits.max(), moved.use.max()) == (1, 1.0)
    assert total.tolist() == channel_figures(record, 0, end).flits.tolist()
    assert network_tables.moments_of(0, 40) == (0, 40) == network_tables.moments_of(1, 40)
    assert record.carried(0).sum() == channel_figures(record, 0, 0).flits.sum() == 0


@pytest.mark.parametrize("law", PAPERS_LAWS, ids=str)
def test_a_channel_is_busy_for_as_long_as_flits_take(law):
    """Its share is the same in every view: of the record, the table, the card and the curve."""
    record = busy(**law).network
    end = int(record.delivered.max())
    begin, last = end // 3, end // 3 + 5
    figures = channel_figures(record, begin, last, links_only=False)
    assert (figures.channels % WAYS < 6).all() == (record.law.ports == "free")
    known = dict(zip(figures.channels.tolist(), figures.use.tolist(), strict=True))
    for channel in figures.channels[np.argsort(-figures.use)][:20].tolist():
        busy_in = {t - before for t in record.crossings(channel) for before in range(record.law.cycles)}
        expected = sum(begin <= cycle <= last for cycle in busy_in) / (last - begin + 1)
        traffic = channel_traffic(record, channel)
        _, share = network_tables.flits_within(traffic.crossings, begin, last, traffic.cycles)
        shares, edges = network_tables.bins(traffic, begin, last, 3)
        curve = (shares * np.diff(edges)).sum() / (last - begin + 1)
        assert known[channel] == share == pytest.approx(expected)
        assert curve == pytest.approx(expected)
        assert record.use(*network_tables.moments_of(begin, last))[channel] == pytest.approx(expected)


def test_counting_in_parts_comes_to_the_same(monkeypatch):
    """With totals kept every few hundred hops, in whatever order cycles are asked for."""
    record = busy().network
    whole = network_tables.ChannelTotals(record)
    monkeypatch.setattr(network_tables, "_AT_ONCE", 300)
    parts = network_tables.ChannelTotals(record)
    assert not parts.come_nearer(15_000)
    for cycle in (9_000, 100, 19_608, 5_000, 12_345):
        assert parts.at(cycle).tolist() == whole.at(cycle).tolist()
    assert parts.come_nearer(19_608)


def test_a_channels_traffic_tells_who_passes_it_in_turn(busiest):
    """One packet after another, none before the one before it has left; as their ways tell it."""
    record, traffic = busy().network, busiest
    assert len(traffic.packets) > 20
    assert (traffic.granted[1:] >= traffic.left[:-1]).all()
    for packet, granted, left in zip(traffic.packets, traffic.granted, traffic.left, strict=True):
        passage = next(p for p in network_tables.way_of(record, int(packet)) if p.channel == traffic.channel)
        assert (passage.granted, passage.left) == (granted, left)


@pytest.mark.parametrize(
    ("begin", "end", "most"), [(0, 19608, 100), (100, 140, 100), (5, 5, 10), (0, 19608, 1)]
)
def test_the_curve_counts_each_crossing_once(busiest, begin, end, most):
    """The bins' shares times their lengths are the flits; none is fuller than full."""
    shares, edges = network_tables.bins(busiest, begin, end, most)
    inside = (busiest.crossings >= begin) & (busiest.crossings <= end)
    assert (shares * np.diff(edges)).sum() == pytest.approx(inside.sum())
    assert shares.max() <= 1
    assert len(shares) <= most


def test_a_jobs_messages_are_counted_as_they_come_and_go():
    """In cycle 30 one of three has arrived, after 24 cycles and never blocked."""
    record = three_in_a_row().network
    assert network_tables.job_traffic(record, 0, 30) == (3, 1, 24.0, 0.0)
    end = network_tables.job_traffic(record, 0, 67)
    assert (end.sent, end.arrived) == (3, 3)
    assert end.latency == pytest.approx((24 + 44 + 67) / 3)
    assert end.blocked == pytest.approx((0 + 16 + 35) / 3)
    assert np.isnan(network_tables.job_traffic(record, 0, 5).latency)
    assert network_tables.packets_of(record, 0).tolist() == [0, 1, 2]
