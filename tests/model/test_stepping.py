"""Forwards and back: every moment on the way back is the very moment of the first visit."""

import pytest

from meshgui.conformance import same_state
from meshgui.engine.runs.simulation import simulate
from meshgui.model.position import Position
from tests.runs import cursor_in, same_snapshot
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
