"""The network's examples: every cycle and every figure that their notes state is what their runs come to."""

import numpy as np
import pytest

from meshgui.engine.basics.geometry import node_at, places
from meshgui.engine.network.record import NEVER_YET
from meshgui.engine.network.routing import INJECT, LINKS, WAYS, describe_channel, describe_node
from meshgui.engine.runs.measures import JobFigures, summary
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import load_scenario, scenario_from
from meshgui.model.document.examples import example, example_groups
from tests.runs import run_of
from tests.twins import network as naive

LISTED = [
    path.name.partition(".")[0]
    for path in example_groups()["The network"]
    if load_scenario(path).network.pattern == "file"
]


def notes(name):
    """What an example says to its reader."""
    return load_scenario(example(name)).notes


def network_and_notes(name):
    """An example's packets with what became of them, and its notes."""
    return run_of(name).network, notes(name)


def channel(record, words):
    """The number of a channel, by how the window calls it."""
    channels = np.unique(record.raw.channels).tolist()
    return next(c for c in channels if describe_channel(record.mesh, c) == words)


def passage(record, packet, words):
    """A packet at a channel of its route."""
    return next(p for p in record.passages(packet) if p.channel == channel(record, words))


def changed(name, **parts):
    """An example with other parts of its network, or another strategy, run."""
    data = load_scenario(example(name)).model_dump(mode="json")
    if "allocator" in parts:
        data["allocator"] = {"name": parts.pop("allocator"), "options": {}}
    data["network"] |= parts
    return simulate(scenario_from(data))


@pytest.mark.parametrize("name", LISTED)
def test_each_worm_has_the_colour_of_a_job_that_runs_while_it_travels(name):
    """Packets set out from a node of their own job, which ends with the last of them."""
    recording = run_of(name)
    record = recording.network
    for job in range(len(recording.jobs)):
        mine = record.jobs == job
        if not mine.any():  # it has nothing to send, and only takes its place
            continue
        boxes = recording.boxes_of(job)
        for x, y, _ in places(record.mesh, record.sources[mine]).tolist():
            assert any(b.x <= x < b.x + b.w and b.y <= y < b.y + b.d for b in boxes)
        if recording.deadlock is None:
            assert recording.times[recording.ended[job]] == record.delivered[mine].max()


def test_one_packet_takes_what_the_formula_says():
    """(h + 1)(ts + 1) + L cycles; 11 cycles a hop, and nothing with virtual cut-through."""
    record, text = network_and_notes("one-packet-6x4")
    assert (describe_node(record.mesh, record.sources[0]), record.distances[0]) == ("(0,0)", 6)
    assert record.latency[0] == (6 + 1) * (3 + 1) + 8 == 36
    way = record.passages(0)
    assert f"first link at cycle {way[1].entered}" in text
    assert f"turns into column 4 at {passage(record, 0, '(4,0)→(4,1)').entered} " in text
    assert f"at its target at {way[-1].entered}; the last flit is there at {record.delivered[0]}" in text
    assert "6 hops, 3 cycles of routing, 8 flits" in text
    record, text = network_and_notes("store-and-forward-6x4")
    hops = np.diff([p.entered for p in record.passages(0)])
    assert set(hops.tolist()) == {11}
    assert (
        f"at cycle {record.delivered[0]} instead of {run_of('one-packet-6x4').network.delivered[0]}" in text
    )
    assert f"every {hops[0]} cycles" in text
    through = changed("store-and-forward-6x4", switching="virtual-cut-through").network
    assert through.delivered[0] == 36
    assert text.endswith("36 again.")


def test_of_two_that_meet_one_waits_until_the_other_has_left():
    """Who waits, for what, from when and until when; five packets held up by the next one all arrive."""
    record, text = network_and_notes("two-packets-meet-6x4")
    late, early = passage(record, 0, "(1,0)→(2,0)"), passage(record, 1, "(1,0)→(2,0)")
    assert f"has the link (1,0)→(2,0) from cycle {early.granted} on" in text
    assert (late.asked, late.granted, late.blockers) == (8, 28, (1,))
    assert early.left == late.granted
    assert f"asks for it at cycle {late.asked} and is blocked; it gets it at {late.granted}" in text
    assert [record.at(cycle).chain(0) for cycle in (7, 8, 27, 28)] == [[0], [0, 1], [0, 1], [0]]
    assert f"arrives at {record.delivered[1]}, unhindered; job 0 at {record.delivered[0]}, after" in text
    assert record.blocked.tolist() == [20, 0]
    assert f"after {record.blocked[0]} cycles of waiting" in text
    alone = changed("two-packets-meet-6x4", packets=[[0, 0, 0, 0, 4, 2, 0, 0]]).network
    assert text.endswith(f"would have been {alone.delivered[0]}.")
    record, text = network_and_notes("blocking-chain-8x6")
    whole = [c for c in range(200) if record.at(c).chain(0) == [0, 1, 2, 3, 4]]
    assert whole == list(range(whole[0], whole[-1] + 1))
    assert f"from {whole[0]} to {whole[-1]} the chain is whole" in text
    first = next(c for c in range(200) if len(record.at(c).blocked))
    assert f"the first waits from cycle {first} on" in text
    d = record.delivered.tolist()
    assert d == sorted(d, reverse=True)
    assert f"job 4 arrives at {d[4]}, 3 at {d[3]}, 2 at {d[2]}, 1 at {d[1]} and 0 at {d[0]}" in text
    assert f"of which it stood for {record.blocked[0]}" in text
    assert record.law.flits == 24 > (record.distances + 2).max()


def test_contention_grows_in_a_straight_line_with_the_pairs():
    """001, figure 11: k pairs, k messages over one link one after another, 66 cycles for each."""
    record, text = network_and_notes("worst-case-contention-12x7")
    rounds = [record.sent == 1000 * k for k in range(9)]
    assert [int(r.sum()) for r in rounds] == list(range(1, 10))
    last = [int((record.delivered - record.sent)[r].max()) for r in rounds]
    mean = [float((record.delivered - record.sent)[r].mean()) for r in rounds]
    assert last == [66 * pairs for pairs in range(1, 10)]
    assert mean == [33 * (pairs + 1) for pairs in range(1, 10)]
    assert "66 cycles with one pair, 132 with two, 198 with three, 594 with nine" in text
    assert "66, 99, 132 … 330" in text
    assert max(last) < 1000  # no round reaches into the next
    middle = channel(record, "(8,0)→(9,0)")
    assert all(middle in [p.channel for p in record.passages(i)] for i in range(len(record)))


def test_a_hot_spot_blocks_the_whole_mesh_and_who_has_nothing_to_do_with_it():
    """All but one of the headers stand; the bystander takes nine times as long as alone."""
    record, text = network_and_notes("hot-spot-8x8")
    hot = [describe_node(record.mesh, t) == "(4,4)" for t in record.targets]
    [bystander] = np.flatnonzero(~np.array(hot)).tolist()
    assert f"by cycle 8, {len(record.at(8).blocked)} of the {len(record)} headers are blocked" in text
    alone = (record.distances[bystander] + 1) * 4 + 8
    assert f"arrives at {record.delivered[bystander]} instead of {alone}" in text
    [held_up] = [p for p in record.passages(bystander) if p.waited]
    assert {int(record.jobs[b]) for b in held_up.blockers} == {6}
    assert text.endswith(f"arrives at {record.delivered.max()}.")
    ejection = channel(record, "out of (4,4)")
    busiest = int(np.argmax(record.use(0, int(record.delivered.max()))))
    assert busiest == ejection


def turning_left(shape, source, target):
    """The route of a worm around the square that turns left, even where that is from y into x."""
    corner = (source[0], target[1], source[2])
    if (target[0] > source[0]) == (target[1] > source[1]):
        return naive.channels(shape, source, target)
    return naive.channels(shape, source, corner)[:-1] + naive.channels(shape, corner, target)[1:]


def test_turning_left_would_have_ended_in_a_deadlock(monkeypatch):
    """In the naive simulator nothing moves after cycle 16: the header of each wants the next one's side."""
    rows = load_scenario(example("no-deadlock-6x6")).network.packets[::2]
    ways = [turning_left((6, 6, 1), row[1:4], row[4:7]) for row in rows]
    monkeypatch.setattr(naive, "channels", lambda *_: ways[len(net.packets)])
    net = naive.FlitNetwork((6, 6, 1), 16)
    for row in rows:
        net.send(0, row[1:4], row[4:7])
    while net.now < 16:
        net.step()
    stood = [net.places(i) for i in range(4)]
    assert [max(places) for places in stood] == [3] * 4  # beyond the injection, the three links of a side
    wanted = [net.owner(*way[4]) for way in ways]
    assert sorted(wanted) == [0, 1, 2, 3]
    while net.now < 1000:
        net.step()
    assert [net.places(i) for i in range(4)] == stood
    assert not net.delivered()
    assert "from cycle 16 on, for ever" in notes("no-deadlock-6x6")


def rank(mesh, channel):
    """The place of a channel in the order in which all routes take theirs."""
    node, way = divmod(channel, WAYS)
    if way >= LINKS:
        return (0, 0) if way == INJECT else (LINKS, 0)
    x, y, _ = node_at(mesh, node)
    forwards = (x, -x, y, -y)[way]
    return (1 + way // 2, forwards)


def test_with_x_before_y_all_arrive_and_every_wait_is_for_a_later_channel():
    """Four unhindered, four behind them; a header's wish always ranks above all that its packet holds."""
    record, text = network_and_notes("no-deadlock-6x6")
    leaders, followers = record.delivered[::2].tolist(), record.delivered[1::2].tolist()
    assert (leaders, followers) == ([44] * 4, [83] * 4)
    assert record.blocked[::2].tolist() == [0] * 4
    waits = {(p.asked, p.granted) for i in range(1, 8, 2) for p in record.passages(i) if p.waited}
    assert waits == {(8, 39)}
    assert "the four arrive at 44 without a wait, and those behind, blocked from cycle 8 to 39, at 83" in text
    seen = 0
    for cycle in range(84):
        moment = record.at(cycle)
        for packet, wanted in zip(moment.blocked.tolist(), moment.blocked_at.tolist(), strict=True):
            held = moment.held_channels[moment.held_by == packet].tolist()
            assert max(rank(record.mesh, c) for c in held) < rank(record.mesh, wanted)
            seen += 1
    assert seen == 4 * (39 - 8)


def figures(recording):
    """Mean latency, mean blocking, mean hops, mean turnaround, and when the last job leaves."""
    record = recording.network
    assert (record.delivered != NEVER_YET).all()
    means = record.latency, record.blocked, record.distances, JobFigures(recording).turnaround
    return (*(float(np.mean(m)) for m in means), recording.end_time)


def test_messages_of_jobs_in_several_boxes_hinder_each_other():
    """GABL beside First Fit and Random: blocking against waiting for room."""
    text = notes("gabl-contention-16x16")
    latency, blocked, _, turnaround, _ = figures(run_of("gabl-contention-16x16"))
    assert f"takes {latency:.1f} cycles on average, and {blocked:.1f} of them" in text
    gabl = turnaround
    latency, blocked, _, turnaround, _ = figures(changed("gabl-contention-16x16", allocator="ff"))
    assert (
        f"{latency:.1f} and {blocked:.1f}, but a turnaround of {turnaround:.0f} instead of {gabl:.0f}" in text
    )
    latency, blocked, _, turnaround, _ = figures(changed("gabl-contention-16x16", allocator="random"))
    assert text.endswith(f"With random: {latency:.1f} and {blocked:.1f}, and {turnaround:.0f}.")


def test_where_a_job_lies_decides_how_far_its_partners_are():
    """An FFT in one box beside one on processors from all over the machine."""
    text = notes("butterflies-8x8x8")
    latency, _, hops, _, near = figures(run_of("butterflies-8x8x8"))
    assert f"{hops:.1f} hops apart and a message takes {latency:.1f} cycles" in text
    latency, _, hops, _, end = figures(changed("butterflies-8x8x8", allocator="random"))
    assert text.endswith(
        f"{hops:.1f} hops, {latency:.1f} cycles, and the last job leaves at {end:.0f} instead of {near:.0f}."
    )


def test_a_ring_stands_still_without_a_dateline():
    """Each holds its first link and waits for its second; with two channels the chain has an end."""
    still = run_of("ring-6x3")
    assert still.deadlock == (8, tuple(range(6)))
    assert not still.complete
    through = changed("ring-6x3", channels=2).network
    assert through.delivered.tolist() == [117, 99, 81, 63, 45, 27]
    assert through.blocked[5] == 0
    text = notes("ring-6x3")
    assert "from cycle 8 on nothing moves" in text
    assert "Packet 5 is through at 27 without a wait" in text
    assert text.endswith("packet 0 as the last at 117.")


def test_four_left_turns_close_a_circle_and_any_turn_model_opens_it():
    """Four packets wait from cycle 13 on; the other two arrive at 32."""
    still = run_of("four-turns-4x4")
    assert still.deadlock == (32, (0, 1, 5, 4))
    moment = still.network.at(13)
    assert dict(zip(moment.blocked.tolist(), moment.blocked_by.tolist(), strict=True)) == {
        0: 1,
        1: 5,
        5: 4,
        4: 0,
    }
    assert still.network.delivered[2:4].tolist() == [32, 32]
    for routing in ("xy", "yx", "west-first", "north-last", "negative-first", "odd-even"):
        assert changed("four-turns-4x4", routing=routing).complete
    text = notes("four-turns-4x4")
    assert "From cycle 13 on" in text
    assert "Packets 2 and 3 arrive at 32" in text


def test_a_second_channel_passes_what_waits_at_the_head_of_the_line():
    """Packet 1 is blocked behind packet 0, which waits for packet 2; with two channels for nothing."""
    one, two = run_of("head-of-line-6x3").network, changed("head-of-line-6x3", channels=2).network
    assert (one.blocked[1], one.delivered[1]) == (62, 116)
    assert (two.blocked[1], two.delivered[1]) == (0, 56)
    text = notes("head-of-line-6x3")
    assert "blocked for 62 cycles and arrives at 116" in text
    assert text.endswith("arrives at 56 without a wait.")


def test_beyond_saturation_links_carry_no_more_however_much_is_offered():
    """Up to 8 flits waits are short; from 32 to 64 the use of links stays the same, and time doubles."""
    runs = {flits: changed("saturation-6x6", flits=flits) for flits in (2, 8, 32, 64)}
    assert len(runs[2].network) == 143
    assert all(np.mean(runs[flits].network.blocked) < 3 for flits in (2, 8))
    use = {flits: summary(run)["channel_use"]["mean"] for flits, run in runs.items()}
    assert abs(use[64] - use[32]) < 0.01
    assert runs[64].end_time > 1.9 * runs[32].end_time
    text = notes("saturation-6x6")
    assert "143 packets" in text
    assert "2 flits are a load of 0.02" in text
