"""Steps by cycle, by hop and by packet lead through the network and back, from wherever one comes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meshgui.engine.network.record import NEVER_YET
from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.engine.scenario import scenario_from
from meshgui.model.cursor import Cursor
from meshgui.model.player import Granularity, Player
from meshgui.model.position import Position
from meshgui.model.selection import Selection
from tests.networks import crowd, sending

IN_NETWORK = [granularity for granularity in Granularity if granularity.of_network]


def player_of(recording):
    """A player, its cursor at the start, and what is selected."""
    cursor, selection = Cursor(), Selection()
    cursor.show(recording)
    return Player(cursor, selection), cursor, selection


def walk(cursor, step):
    """The moments visited by stepping until nothing changes."""
    seen = [(cursor.position, cursor.time)]
    while True:
        step()
        here = cursor.position, cursor.time
        if here == seen[-1]:
            return seen
        seen.append(here)


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
        player, cursor, _ = player_of(recording)
        player.granularity = granularity
        there = walk(cursor, player.step_forward)
        assert there[0][0] == Position(0)
        assert there[-1] == (Position(len(recording)), recording.end_time)
        back = walk(cursor, player.step_back)
        assert back == there[::-1]


@settings(max_examples=40)
@given(jobs, laws, st.data())
def test_the_way_back_of_one_packet_is_its_way_there_in_reverse(jobs, law, data):
    """Hop steps follow the selected packet, from where it sets out to where its tail arrives."""
    recording = simulate(sending(sorted(jobs), **law))
    network = recording.network
    if not len(network):
        return
    player, cursor, selection = player_of(recording)
    player.granularity = Granularity.HOP
    packet = data.draw(st.integers(0, len(network) - 1))
    selection.select_packet(packet, int(network.jobs[packet]))
    cursor.first()
    there = [time for _, time in walk(cursor, player.step_forward)[1:]]
    hops = network.hop_times_of(packet).tolist()
    own = sorted({int(network.injected[packet]), *hops, int(network.delivered[packet])})
    assert there == [time for time in own if time > 0 or recording.position_at(0.0) > 0]
    back = [time for _, time in walk(cursor, player.step_back)]
    assert back == own[::-1]


def test_every_whole_cycle_is_visited():
    """By cycle one stands at 0, 1, 2 and so on, and at the end of the run."""
    player, cursor, _ = player_of(crowd())
    player.granularity = Granularity.CYCLE
    times = [time for _, time in walk(cursor, player.step_forward)]
    assert times == [0.0, *range(int(crowd().end_time) + 1)]  # 0 twice: before and after what happens there


def test_hops_and_packets_stop_where_something_happens():
    """By hop in every cycle in which a header enters a buffer, by packet where one sets out or arrives."""
    player, cursor, _ = player_of(crowd())
    network = crowd().network
    entered = np.repeat(network.sent, network.distances + 2) + network.raw.entered
    wanted = {
        Granularity.HOP: set(entered.tolist()),
        Granularity.PACKET: {*network.injected.tolist(), *network.delivered.tolist()},
    }
    for granularity, cycles in wanted.items():
        cursor.first()
        player.granularity = granularity
        times = [time for _, time in walk(cursor, player.step_forward)]
        assert times == [0.0, *sorted(cycles | {crowd().end_time})]


@given(st.floats(0, 1), st.sampled_from(IN_NETWORK))
def test_a_step_there_and_back_from_anywhere_passes_no_moment(share, granularity):
    """From between two cycles too, on and back leads to the last moment at or before the place left."""
    player, cursor, _ = player_of(crowd())
    player.granularity = granularity
    moments = [time for _, time in walk(cursor, player.step_forward)]
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
        assert cursor.time == max([0.0, *recording.times[recording.times < time].tolist()]) or (
            recording.times[position - 1] == time and cursor.position == Position(position - 1)
        )
        cursor.go_to_time(time)


@pytest.mark.parametrize("granularity", IN_NETWORK)
def test_a_step_in_the_network_leaves_an_attempt(granularity):
    """From a pseudo-code line both ways lead out of the allocation, into the cycles around it."""
    player, cursor, _ = player_of(crowd())
    player.granularity = granularity
    for move in (player.step_forward, player.step_back):
        cursor.enter_attempt(3)
        inside = cursor.time
        move()
        assert cursor.position.attempt is None
        assert (cursor.time > inside) == (move == player.step_forward)


@pytest.mark.parametrize("granularity", IN_NETWORK)
def test_a_leap_is_ten_steps(granularity):
    """The larger step goes as far as ten smaller ones, both ways."""
    player, cursor, _ = player_of(crowd())
    player.granularity = granularity
    places = [cursor.time]
    for _ in range(20):
        player.step_forward()
        places.append(cursor.time)
    cursor.first()
    player.leap_forward()
    player.leap_forward()
    assert cursor.time == places[20]
    player.leap_back()
    assert cursor.time == places[10]


@pytest.mark.parametrize("granularity", IN_NETWORK)
def test_playing_in_the_network_keeps_a_steady_pace(granularity):
    """As many steps a second as the pace says, however finely the clock ticks, and a stop at the end."""
    player, cursor, _ = player_of(crowd())
    player.granularity = granularity
    steps = [time for _, time in walk(cursor, player.step_forward)]
    cursor.first()
    player.factor = 2.0
    player.play()
    for _ in range(128):
        player.advance(1 / 64)
    assert cursor.time == steps[round(2 * player.pace)]
    for _ in range(100_000):
        player.advance(0.25)
    assert not player.playing
    assert cursor.position == Position(len(crowd()))


def test_playing_along_a_packet_stops_where_it_arrives_and_begins_where_it_sets_out():
    """By hop with a packet selected, playing shows its way; once more from its own start."""
    player, cursor, selection = player_of(crowd())
    network = crowd().network
    packet = int(np.argmax(network.injected))
    selection.select_packet(packet, int(network.jobs[packet]))
    player.granularity = Granularity.HOP
    cursor.last()
    player.play()
    assert cursor.time == network.injected[packet]
    for _ in range(1000):
        player.advance(0.25)
    assert not player.playing
    assert cursor.time == network.delivered[packet]
    assert player.reach == (True, False)


def test_whom_it_follows_is_told():
    """Who shows the player hears of another packet to follow, and of nothing else selected."""
    player, _, selection = player_of(crowd())
    told = []
    player.changed.connect(lambda: told.append(selection.packet))
    selection.select(1)
    selection.select_packet(2, int(crowd().network.jobs[2]))
    selection.select(None)
    assert told == [2, None]


def test_without_a_network_there_are_no_cycles_to_step():
    """A choice that takes a network falls back to events where there is none, and stays for the next run."""
    plain = simulate(
        scenario_from(
            {
                "meshgui": 1,
                "mesh": {"shape": [4, 4]},
                "allocator": {"name": "ff"},
                "workload": {"kind": "list", "jobs": [{"arrival": 2, "size": [2, 2], "service": 5}]},
            }
        )
    )
    player, cursor, _ = player_of(plain)
    player.granularity = Granularity.HOP
    assert player.granularity is Granularity.EVENT
    player.step_forward()
    assert cursor.position == Position(1)
    cursor.show(crowd())
    assert player.granularity is Granularity.HOP


def test_a_run_in_progress_is_stepped_as_far_as_it_has_got():
    """No step leads beyond what is recorded; nothing stops, for more will come."""
    partial = Simulation(sending([(0, (4, 4), 3), (4, (4, 4), 3)], "all-to-all"))
    so_far = []
    partial.run(lambda *_: so_far.append(partial.recording()) or True)
    short = next(r for r in so_far if len(r) and not r.complete)
    for granularity in IN_NETWORK:
        player, cursor, _ = player_of(short)
        player.granularity = granularity
        times = [time for _, time in walk(cursor, player.step_forward)]
        assert times[-1] == short.end_time < NEVER_YET
        player.play()
        player.advance(1.0)
        assert player.playing
