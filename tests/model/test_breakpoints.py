"""Breakpoints stop every way of running, once each, and are kept as plain data."""

import pytest

from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.runs.simulation import simulate
from meshgui.model.breakpoints import BREAK_KINDS, BreakKind, Breakpoint, Breakpoints
from meshgui.model.cursor import Cursor
from meshgui.model.player import Granularity, Player
from meshgui.model.position import Position
from tests.runs import run_of
from tests.scenarios import listed

JOBS = [(0.0, (4, 2), 5.0), (1.0, (2, 2), 9.0), (2.0, (3, 3), 1.0), (3.0, (2, 1), 1.0)]


def run(*breakpoints: Breakpoint) -> tuple[Cursor, Player, list[str]]:
    """A small run with breakpoints, and what has stopped it so far."""
    cursor = Cursor()
    player = Player(cursor)
    stopped: list[str] = []
    cursor.breakpoints = lambda: breakpoints
    cursor.stopped.connect(lambda stop: stopped.append(stop.breakpoint.describe(cursor.recording)))
    cursor.show(simulate(listed((4, 4), JOBS, name="tbl")))
    return cursor, player, stopped


def test_playing_stops_at_a_breakpoint_and_goes_on_past_it():
    """Job 2 arrives at 2, in one change of the views; played again, the run ends without another stop."""
    cursor, player, stopped = run(Breakpoint(BreakKind.ARRIVAL, job=2))
    player.play()
    for _ in range(1000):
        player.advance(0.1)
        if not player.playing:
            break
    assert (cursor.time, stopped) == (2.0, ["Job 2 arrives"])
    assert cursor.recording.event(cursor.position.events - 1).kind == EventKind.ARRIVE
    player.play()
    player.advance(1e6)
    assert (cursor.time, stopped) == (cursor.recording.end_time, ["Job 2 arrives"])
    cursor.first()
    seen = []
    cursor.changed.connect(lambda: seen.append(cursor.time))
    player.leap_forward()
    assert seen == [2.0]


@pytest.mark.parametrize("granularity", [Granularity.LINE, Granularity.DECISION, Granularity.EVENT])
def test_steps_and_leaps_stop_too(granularity):
    """A leap of ten events ends at the first start of a job."""
    cursor, player, stopped = run(Breakpoint(BreakKind.START, job=1))
    player.step_by(granularity)
    for _ in range(40):
        player.leap_forward()
        if stopped:
            break
    assert stopped == ["Job 1 starts"]
    assert cursor.position == Position(int(cursor.recording.started[1]) + 1)


def test_a_failing_attempt_stops_at_its_last_step_and_playing_goes_on_by_events():
    """Inside an attempt one steps by line, but what played by events before the stop does so after it."""
    cursor, player, _ = run(Breakpoint(BreakKind.FAILURE))
    player.play()
    player.advance(1e6)
    attempt = cursor.position.attempt
    assert cursor.recording.attempts[attempt].job == 2
    assert cursor.position.step == len(cursor.recording.trace(attempt).steps) - 1
    assert (player.playing, player.granularity) == (False, Granularity.LINE)
    player.play()
    assert player.granularity == Granularity.EVENT


def test_one_goes_on_from_stop_to_stop_but_going_to_a_place_does_not_stop():
    """The timeline and the keys for start and end lead where they say; four jobs arrive one after another."""
    cursor, player, stopped = run(Breakpoint(BreakKind.ARRIVAL))
    cursor.last()
    cursor.go_to_time(2.5)
    cursor.first()
    assert stopped == []
    while player.run_to_stop():
        pass
    assert (cursor.time, stopped) == (3.0, ["A job arrives"] * 4)


def test_breakpoints_survive_being_written_and_read_and_every_kind_is_described():
    """What is not known is left out; in words that name the job, the value, the node or the line."""
    every = [
        Breakpoint(BreakKind.LINE, line="fail"),
        Breakpoint(BreakKind.WAIT, job=3, value=2.5, enabled=False),
        Breakpoint(BreakKind.NODE, node=(1, 2, 0)),
    ]
    assert [Breakpoint.from_data(b.as_data()) for b in every] == every
    assert every[0].as_data() == {"kind": "line", "line": "fail"}
    for odd in (None, {}, {"kind": "moon"}, [1]):
        assert Breakpoint.from_data(odd) is None
    assert Breakpoint.from_data({"kind": "start", "job": "x", "node": 3}) == Breakpoint(BreakKind.START)
    assert Breakpoint.from_data({"kind": "wait", "value": 10**400}) == Breakpoint(BreakKind.WAIT)
    recording = run_of("tbl-under-load")
    assert Breakpoint(BreakKind.LINE, line="fail").describe(recording) == "Line 7: no plane is left: fail"
    assert (
        Breakpoint(BreakKind.LINE, line="x").describe(recording)
        == "Line “x”, which this strategy does not have"
    )
    assert Breakpoint(BreakKind.WAIT, job=3, value=2.5).describe() == "Job 3 waits longer than 2.5"
    assert all(Breakpoint(kind).describe(recording) for kind in BREAK_KINDS)


def test_a_line_is_toggled_and_a_list_has_no_doubles():
    """A second click on a line's number takes its breakpoint away."""
    breakpoints, changes = Breakpoints(), []
    breakpoints.changed.connect(lambda: changes.append(len(breakpoints.all)))
    breakpoints.toggle_line("fail")
    breakpoints.add(Breakpoint(BreakKind.FAILURE))
    breakpoints.add(Breakpoint(BreakKind.FAILURE))
    breakpoints.enable(Breakpoint(BreakKind.FAILURE), on=False)
    assert breakpoints.enabled == [Breakpoint(BreakKind.LINE, line="fail")]
    breakpoints.toggle_line("fail")
    assert changes == [1, 2, 2, 1]
