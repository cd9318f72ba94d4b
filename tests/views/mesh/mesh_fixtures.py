"""Small machines with known boxes, for the tests of the mesh views."""

from meshgui.engine.scenario import Scenario
from meshgui.engine.simulation import simulate
from meshgui.model.cursor import Cursor, Position

__all__ = ["after_all_started", "cursor_of", "inside_attempt"]


def cursor_of(shape, sizes, allocator="ff", service=10.0):
    """A cursor at the start of a run in which jobs of these sizes arrive at once."""
    jobs = [{"arrival": 0.0, "size": list(size), "service": service} for size in sizes]
    scenario = Scenario.model_validate(
        {
            "mesh": {"shape": list(shape)},
            "allocator": {"name": allocator},
            "workload": {"kind": "list", "jobs": jobs},
        }
    )
    cursor = Cursor()
    cursor.show(simulate(scenario))
    return cursor


def after_all_started(shape, sizes, allocator="ff"):
    """The same, once every job holds its box."""
    cursor = cursor_of(shape, sizes, allocator)
    cursor.go_to(Position(2 * len(sizes)))
    assert len(cursor.view.snapshot.running) == len(sizes)
    return cursor


def inside_attempt(shape, sizes, allocator, step=-1):
    """The same, at a step of the last job's attempt."""
    cursor = cursor_of(shape, sizes, allocator)
    recording = cursor.recording
    attempt = recording.attempts_of(len(sizes) - 1)[0]
    steps = len(recording.trace(attempt).steps)
    cursor.go_to(Position(int(recording.attempt_positions[attempt]), attempt, step % steps))
    return cursor
