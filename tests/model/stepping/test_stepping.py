"""Stepping through a run, and playing it."""

import pytest

from meshgui.conformance import same_state
from meshgui.engine.runs.simulation import simulate
from meshgui.model.moment.position import Position
from meshgui.model.stepping.cursor import Cursor, CursorChange
from meshgui.model.stepping.player import FACTORS, Granularity, Player
from tests.runs import cursor_in, first_events, run_of, same_snapshot
from tests.scenarios import STRATEGIES, scenario


def same_inspection(one, other):
    """Whether two inspections say and show the same; a grid's numbers are compared one by one."""

    def shown(panel):
        grid = hasattr(panel, "values")
        return (panel.title, panel.legend, panel.values.tolist()) if grid else panel

    ours, theirs = (list(map(shown, inspection.panels)) for inspection in (one, other))
    return (one.marks, one.says, ours) == (other.marks, other.says, theirs)


def assert_same_view(first, again):
    """Everything there is to see at a place is the same on both visits."""
    for part in ("position", "time", "line", "sentence"):
        assert getattr(first, part) == getattr(again, part), part
    assert same_snapshot(first.snapshot, again.snapshot)
    assert same_state(first.moment.state, again.moment.state)
    assert first.moment.request == again.moment.request
    assert first.moment.steps.rows.tolist() == again.moment.steps.rows.tolist()
    assert same_inspection(first.inspection, again.inspection)


def walk(cursor, forwards, back, most=10_000):
    """Go on until nothing changes, and back until nothing does; compare each view with its first visit."""
    visited = [cursor.view]
    forwards()
    while cursor.view is not visited[-1] and len(visited) < most:
        visited.append(cursor.view)
        forwards()
    if cursor.view is not visited[-1]:
        back()
    for first in reversed(visited):
        assert_same_view(first, cursor.view)
        back()
    return visited


@pytest.fixture(scope="module")
def buddies():
    """A run whose releases have steps."""
    return simulate(scenario((4, 4), "mbs", jobs=15, load=3))


def test_a_cursor_says_whether_it_moved_its_run_grew_or_is_another(buddies):
    """Several moves are one; what was known of a run does not become another by being known again."""
    cursor, seen = Cursor(), []
    cursor.changed.connect(seen.append)
    part = first_events(buddies, 5)
    cursor.show(part)
    cursor.last()
    cursor.extend(buddies)
    with cursor.moving():
        cursor.next_event()
        cursor.next_event()
    cursor.show(simulate(buddies.scenario))
    cursor.show(None)
    kind = CursorChange
    assert seen == [kind.RUN, kind.MOVED, kind.GREW, kind.MOVED, kind.RUN, kind.RUN]


@pytest.mark.kernel
@pytest.mark.parametrize("shape", [(5, 4), (3, 3, 2)], ids=["2d", "3d"])
@pytest.mark.parametrize("name", STRATEGIES)
def test_every_step_back_is_the_step_forward_undone(name, shape):
    """All events and all pseudo-code lines of a run, to its end and back again to its start."""
    recording = simulate(scenario(shape, name, jobs=12, load=3))
    cursor = cursor_in(recording)
    visited = walk(cursor, cursor.next_step, cursor.previous_step)
    assert cursor.position == Position(0)
    steps = sum(len(recording.trace(attempt).steps) for attempt in range(len(recording.attempts)))
    leavings = [n for n in range(len(recording)) if recording.leaving_at(n) is not None]
    steps += sum(len(recording.trace_release(position).steps) for position in leavings)
    assert len(visited) == len(recording) + 1 + steps
    assert len({view.position for view in visited}) == len(visited)


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_event_back_is_the_event_forward_undone(name):
    """N events forwards and N back, over key frames: each snapshot is the one of the first visit."""
    recording = simulate(scenario((8, 8), name, jobs=150, load=3))
    cursor = cursor_in(recording)
    visited = walk(cursor, cursor.next_event, cursor.previous_event)
    assert [view.position for view in visited] == [Position(n) for n in range(len(recording) + 1)]


@pytest.mark.parametrize("name", STRATEGIES)
def test_decisions_back_pass_the_places_of_decisions_forward(name):
    """Stepping from decision to decision visits the same places both ways."""
    recording = simulate(scenario((4, 4), name, jobs=15, load=3))
    cursor = cursor_in(recording)
    visited = walk(cursor, cursor.next_decision, cursor.previous_decision)
    assert len(recording) < len(visited)


def test_the_next_steps_are_those_of_an_attempt_or_of_a_release(buddies):
    """What follows is the first of both in reading order; an event back from inside a release leaves it."""
    cursor = cursor_in(buddies)
    for position in range(len(buddies) + 1):
        cursor.go_to(Position(position))
        following = cursor.following
        while not cursor.position.inside and cursor.position.events < len(buddies):
            cursor.next_step()
        assert following == (cursor.position if cursor.position.inside else None)
    for job in range(15):
        cursor.enter_release(job)
        inside = cursor.position
        assert inside == Position(int(buddies.ended[job]), release=True)
        assert cursor.time == buddies.times[inside.events]
        cursor.previous_event()
        assert cursor.position == Position(inside.events)
        cursor.go_to(inside)
        cursor.next_event()
        assert cursor.position == Position(inside.events + 1)


@pytest.mark.parametrize("name", STRATEGIES)
def test_an_event_back_from_inside_an_attempt_leaves_the_attempt(name):
    """From a pseudo-code line, the previous event is the one the attempt follows."""
    cursor = cursor_in(simulate(scenario((4, 4), name, jobs=15, load=3)))
    cursor.enter_attempt(4)
    inside = cursor.position
    cursor.previous_event()
    assert cursor.position == Position(inside.events)
    cursor.next_step()
    assert cursor.position.events == inside.events


@pytest.fixture(scope="module")
def recording():
    """A small run."""
    return run_of("three-jobs-4x4x4")


@pytest.fixture
def cursor(recording):
    """A cursor at the start of the run."""
    return cursor_in(recording)


@pytest.fixture
def player(cursor):
    """A player of that cursor."""
    return Player(cursor)


def test_the_whole_run_takes_a_minute(player, cursor, recording):
    """At the usual speed a minute on the clock leads from start to end, and not a tenth of a second less."""
    player.play()
    for _ in range(599):
        player.advance(0.1)
    assert player.playing
    assert cursor.time < recording.end_time
    player.advance(0.11)
    assert cursor.position == Position(len(recording))


@pytest.mark.parametrize("factor", FACTORS)
def test_a_factor_multiplies_the_speed(player, cursor, recording, factor):
    """In a tenth of a second the cursor covers the factor's share of the run."""
    player.factor = factor
    player.play()
    player.advance(0.1)
    assert cursor.time == pytest.approx(recording.end_time * factor / 600)


def test_there_is_no_speed_beyond_those_offered(player):
    """Faster and slower stop at the last ones."""
    with pytest.raises(ValueError, match="expected one of"):
        player.factor = 3.0
    for change, last in ((player.faster, FACTORS[-1]), (player.slower, FACTORS[0])):
        for _ in range(20):
            change()
        assert player.factor == last


@pytest.mark.parametrize("granularity", Granularity)
def test_the_same_clock_gives_the_same_places(recording, granularity):
    """Two players told the same times visit the same moments, whatever the granularity."""

    def journey():
        cursor, seen = cursor_in(recording), []
        player = Player(cursor)
        player.granularity = granularity
        cursor.changed.connect(lambda _change: seen.append((cursor.position, cursor.time)))
        player.play()
        for tick in range(400):
            player.advance(0.01 + 0.001 * (tick % 7))
        return seen

    assert journey() == journey() != []


def test_it_stops_at_the_end_and_starts_over_and_playing_by_line_steps_at_a_readable_pace(
    player, cursor, recording
):
    """Without a recording nothing is played; by line two steps a second, few after an hour."""
    player.play()
    player.advance(100)
    assert (player.playing, cursor.position) == (False, Position(len(recording)))
    player.play()
    assert (player.playing, cursor.position) == (True, Position(0))
    empty = Player(Cursor())
    empty.play()
    empty.advance(1)
    assert (empty.playing, empty.speed) == (False, 0)
    visited = []
    cursor.changed.connect(lambda _change: visited.append(cursor.position))
    player.granularity = Granularity.LINE
    player.play()
    for _ in range(128):
        player.advance(1 / 64)
    assert len(visited) == 4
    visited.clear()
    player.factor = 64.0
    player.advance(3600)
    assert 0 < len(visited) <= 32


def test_it_waits_at_the_end_of_a_run_in_progress(player, cursor, recording):
    """Where the run has not got further yet, playing continues as soon as it has."""
    partial = first_events(recording, len(recording) // 2)
    cursor.show(partial)
    player.play()
    player.advance(1000)
    assert (player.playing, cursor.time) == (True, partial.end_time)
    cursor.extend(recording)
    player.advance(1000)
    assert (player.playing, cursor.time) == (False, recording.end_time)


@pytest.mark.parametrize("granularity", Granularity)
def test_steps_lead_there_and_back(player, cursor, recording, granularity):
    """As many steps back as on visit the same places in reverse; from between two events, the one before."""
    player.granularity = granularity
    there = [cursor.position]
    for _ in range(40):
        player.step_forward()
        if cursor.position != there[-1]:
            there.append(cursor.position)
    back = [cursor.position]
    while cursor.position != Position(0):
        player.step_back()
        back.append(cursor.position)
    assert back == there[::-1]
    player.granularity = Granularity.EVENT
    gap = next(i for i in range(1, len(recording)) if recording.times[i] > recording.times[i - 1])
    cursor.go_to_time((recording.times[gap - 1] + recording.times[gap]) / 2)
    player.step_back()
    assert (cursor.position, cursor.time) == (Position(gap), recording.times[gap - 1])


@pytest.mark.parametrize("granularity", [Granularity.LINE, Granularity.DECISION])
def test_from_between_two_events_no_step_leads_the_wrong_way(buddies, granularity):
    """What was tried at the earlier one lies behind, as it does after a switch of strategy at such a time."""
    recording, cursor = buddies, cursor_in(buddies)
    player = Player(cursor)
    player.granularity = granularity
    gaps = [n for n in range(1, len(recording)) if recording.times[n] > recording.times[n - 1]]
    assert any(len(recording.attempts_at(n)) for n in gaps)
    for events in gaps:
        now = (recording.times[events - 1] + recording.times[events]) / 2
        cursor.go_to_time(now)
        player.step_forward()
        assert cursor.time > now
        after = cursor.position
        player.step_back()
        back = cursor.position
        cursor.go_to_time(now)
        player.step_back()
        assert (cursor.position, cursor.time < now) == (back, True)
        player.step_forward()
        assert cursor.position == after


def test_a_leap_is_an_event_by_line_and_ten_events_by_event(player, cursor, recording):
    """The larger step leaves the attempt when stepping by line, and crosses ten events by event."""
    player.granularity = Granularity.LINE
    player.step_forward()
    player.leap_forward()
    first = cursor.position
    assert first.attempt is None
    player.granularity = Granularity.EVENT
    cursor.first()
    player.leap_forward()
    assert cursor.position.events == min(10, len(recording))
    player.leap_back()
    assert cursor.position == Position(0)


@pytest.mark.parametrize("step", ["step_forward", "step_back", "leap_forward", "leap_back"])
def test_a_step_pauses(player, cursor, step):
    """Small or large; inside an attempt larger steps become steps by line, and smaller ones stay."""
    cursor.go_to(Position(4))
    player.play()
    getattr(player, step)()
    assert not player.playing
    cursor.enter_attempt(1)
    assert player.granularity is Granularity.LINE
    player.step_by(Granularity.DECISION)
    cursor.first()
    cursor.enter_attempt(0)
    assert player.granularity is Granularity.DECISION
