"""Steps by cycle, by hop and by packet lead through the network and back, from wherever one comes."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meshgui.engine.basics.work import Work
from meshgui.engine.network.record import NEVER_YET
from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.model.moment.position import Position
from meshgui.model.stepping.player import Granularity, Player
from meshgui.model.stepping.selection import Selection
from tests.networks import crowd, sending
from tests.runs import cursor_in, report_at_every_event
from tests.scenarios import listed

IN_NETWORK = [granularity for granularity in Granularity if granularity.record.of_network]


def player_of(recording, granularity=None):
    """A player, its cursor at the start, and what is selected."""
    cursor, selection = cursor_in(recording), Selection()
    player = Player(cursor, selection)
    if granularity is not None:
        player.granularity = granularity
    return player, cursor, selection


def walk(cursor, step):
    """The moments visited by stepping until nothing changes."""
    seen = []
    while (here := (cursor.position, cursor.time)) not in seen[-1:]:
        seen.append(here)
        step()
    return seen


@cache
def moments_of(granularity):
    """All times at which one stops in a run with a network."""
    player, cursor, _ = player_of(crowd(), granularity)
    return [time for _, time in walk(cursor, player.step_forward)]


jobs = st.lists(
    st.tuples(
        st.one_of(st.integers(0, 60), st.floats(0, 60, allow_nan=False)),
        st.tuples(st.integers(1, 3), st.integers(1, 3)),
        st.integers(1, 4),
    ),
    min_size=1,
    max_size=5,
)
laws = st.fixed_dictionaries(
    {
        "flits": st.integers(1, 9),
        "routing_delay": st.integers(0, 3),
        "pattern": st.sampled_from(["random", "n-body"]),
    }
)


@settings(max_examples=40)
@given(jobs, laws)
def test_the_way_back_is_the_way_there_in_reverse(jobs, law):
    """By cycle, hop and packet, from the run's very start to its very end and back again."""
    recording = simulate(sending(sorted(jobs), **law))
    for granularity in IN_NETWORK:
        player, cursor, _ = player_of(recording, granularity)
        there = walk(cursor, player.step_forward)
        assert there[0][0] == Position(0)
        assert there[-1] == (Position(len(recording)), recording.end_time)
        assert walk(cursor, player.step_back) == there[::-1]


@settings(max_examples=40)
@given(jobs, laws, st.data())
def test_the_way_back_of_one_packet_is_its_way_there_in_reverse(jobs, law, data):
    """Hop steps follow the selected packet, from where it sets out to where its tail arrives."""
    recording = simulate(sending(sorted(jobs), **law))
    network = recording.network
    if not len(network):
        return
    player, cursor, selection = player_of(recording, Granularity.HOP)
    packet = data.draw(st.integers(0, len(network) - 1))
    selection.select_packet(packet, int(network.jobs[packet]))
    cursor.first()
    there = [time for _, time in walk(cursor, player.step_forward)[1:]]
    hops = network.hop_times_of(packet).tolist()
    own = sorted({int(network.injected[packet]), *hops, int(network.delivered[packet])})
    assert there == [time for time in own if time > 0 or recording.position_at(0.0) > 0]
    assert [time for _, time in walk(cursor, player.step_back)] == own[::-1]


def test_hops_and_packets_stop_where_something_happens():
    """By hop where a header enters a buffer, by packet where one sets out or arrives, by cycle in each."""
    network, end = crowd().network, int(crowd().end_time)
    entered = np.repeat(network.sent, network.distances + 2) + network.raw.entered
    wanted = {
        Granularity.CYCLE: set(range(end)),
        Granularity.HOP: set(entered.tolist()),
        Granularity.PACKET: {*network.injected.tolist(), *network.delivered.tolist()},
    }
    for granularity, cycles in wanted.items():
        player, cursor, _ = player_of(crowd(), granularity)
        times = [time for _, time in walk(cursor, player.step_forward)]
        assert times == [0.0, *sorted(cycles | {end})]  # 0 twice: before and after what happens there


@given(st.floats(0, 1), st.sampled_from(IN_NETWORK))
def test_a_step_there_and_back_from_anywhere_passes_no_moment(share, granularity):
    """From between two cycles too, on and back leads to the last moment at or before the place left."""
    player, cursor, _ = player_of(crowd(), granularity)
    moments = moments_of(granularity)
    cursor.go_to_time(share * crowd().end_time)
    left = cursor.time
    player.step_forward()
    if cursor.time > left:
        assert cursor.time == min(time for time in moments if time > left)
        player.step_back()
    assert cursor.time == max(time for time in moments if time <= left)


@pytest.mark.parametrize("granularity", IN_NETWORK)
def test_events_can_be_stepped_from_inside_the_network(granularity):
    """From a cycle between two events, an event on is the next one and an event back the last one."""
    player, cursor, _ = player_of(crowd())
    recording = crowd()
    for _ in range(25):
        player.granularity = granularity
        player.step_forward()
        time, position = cursor.time, cursor.position.events
        player.granularity = Granularity.EVENT
        if position < len(recording):
            player.step_forward()
            assert cursor.position == Position(position + 1)
        cursor.go_to_time(time)
        player.step_back()
        before = max([0.0, *recording.times[recording.times < time].tolist()])
        at_the_event = recording.times[position - 1] == time and cursor.position == Position(position - 1)
        assert cursor.time == before or at_the_event
        cursor.go_to_time(time)


@pytest.mark.parametrize("granularity", IN_NETWORK)
def test_a_step_in_the_network_leaves_an_attempt(granularity):
    """From a pseudo-code line both ways lead out of the allocation, into the cycles around it."""
    player, cursor, _ = player_of(crowd(), granularity)
    for move in (player.step_forward, player.step_back):
        cursor.enter_attempt(3)
        inside = cursor.time
        move()
        assert cursor.position.attempt is None
        assert (cursor.time > inside) == (move == player.step_forward)


@pytest.mark.parametrize("granularity", IN_NETWORK)
def test_a_leap_is_ten_steps(granularity):
    """The larger step goes as far as ten smaller ones, both ways."""
    player, cursor, _ = player_of(crowd(), granularity)
    moments = moments_of(granularity)
    player.leap_forward()
    player.leap_forward()
    assert cursor.time == moments[20]
    player.leap_back()
    assert cursor.time == moments[10]


@pytest.mark.parametrize("granularity", IN_NETWORK)
def test_playing_in_the_network_keeps_a_steady_pace(granularity):
    """As many steps a second as the pace says, however finely the clock ticks, and a stop at the end."""
    player, cursor, _ = player_of(crowd(), granularity)
    player.factor = 2.0
    player.play()
    for _ in range(128):
        player.advance(1 / 64)
    assert cursor.time == moments_of(granularity)[round(2 * player.pace)]
    for _ in range(100_000):
        player.advance(0.25)
    assert not player.playing
    assert cursor.position == Position(len(crowd()))


def test_playing_along_a_packet_stops_where_it_arrives_and_begins_where_it_sets_out():
    """By hop with a packet selected, playing shows its way; once more from its own start."""
    player, cursor, selection = player_of(crowd(), Granularity.HOP)
    network = crowd().network
    packet = int(np.argmax(network.injected))
    selection.select_packet(packet, int(network.jobs[packet]))
    cursor.last()
    player.play()
    assert cursor.time == network.injected[packet]
    for _ in range(1000):
        player.advance(0.25)
    assert not player.playing
    assert cursor.time == network.delivered[packet]
    assert player.reach == (True, False)


def test_whom_it_follows_is_told_and_without_a_network_there_are_no_cycles_to_step():
    """Nothing else selected is announced; where there is no network a step is an event."""
    player, _, selection = player_of(crowd())
    told = []
    player.changed.connect(lambda: told.append(selection.packet))
    selection.select(1)
    selection.select_packet(2, int(crowd().network.jobs[2]))
    selection.select(None)
    assert told == [2, None]
    player, cursor, _ = player_of(simulate(listed((4, 4), [(2, (2, 2), 5)])), Granularity.HOP)
    assert player.granularity is Granularity.EVENT
    player.step_forward()
    assert cursor.position == Position(1)
    cursor.show(crowd())
    assert player.granularity is Granularity.HOP


def test_another_scenario_is_stepped_through_by_what_was_chosen_not_by_what_an_attempt_made_of_it():
    """Inside an attempt hops become lines, for that scenario alone; a size that was chosen stays."""
    player, cursor, _ = player_of(crowd())
    cursor.go_to(Position(1, 0))
    assert player.granularity is Granularity.LINE
    player.begin()
    assert player.granularity is Granularity.HOP
    player.granularity = Granularity.LINE
    cursor.go_to(Position(1, 1))
    player.begin()
    assert player.granularity is Granularity.LINE


def test_a_run_in_progress_is_stepped_as_far_as_it_has_got(monkeypatch):
    """No step leads beyond what is recorded; nothing stops, for more will come."""
    report_at_every_event(monkeypatch)
    partial, so_far = Simulation(sending([(0, (4, 4), 3), (4, (4, 4), 3)], "all-to-all")), []
    partial.run(Work(lambda _: so_far.append(partial.recording())))
    short = next(r for r in so_far if len(r) and not r.complete)
    for granularity in IN_NETWORK:
        player, cursor, _ = player_of(short, granularity)
        assert walk(cursor, player.step_forward)[-1][1] == short.end_time < NEVER_YET
        player.play()
        player.advance(1.0)
        assert player.playing
