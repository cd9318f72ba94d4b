"""Small machines with known boxes, for the tests of the mesh views."""

import numpy as np
from PySide6.QtCore import QPointF

from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import Scenario
from meshgui.model.cursor import Cursor
from meshgui.model.position import Position
from meshgui.views.mesh.flat.canvas import MeshFlat
from meshgui.views.mesh.scene.slicing import cut_boxes

__all__ = ["after_all_started", "cursor_of", "inside_attempt", "place_of"]


def place_of(view, job):
    """The middle of a job's first box on a canvas, in its lowest layer shown; None where it is cut off."""
    scene = view.source.scene
    if isinstance(view, MeshFlat):
        low, high, rows = cut_boxes(scene.boxes, view.source.look.cut, layered=True)
        mine = np.flatnonzero(scene.jobs[rows] == job)
        if not len(mine):
            return None
        x, y, z = low[mine[0]].tolist()
        width, depth = (high[mine[0], :2] - low[mine[0], :2]).tolist()
        return view._layout(scene, view.width(), view.height()).rect(z, x, y, width, depth).center()
    layout = view._current_layout()
    mine = np.flatnonzero(scene.jobs[layout.rows] == job)[:1]
    if not len(mine):
        return None
    x, y, _ = view.camera().project((layout.low[mine] + layout.high[mine]) / 2)[0]
    return QPointF((x + 1) / 2 * view.width(), (1 - y) / 2 * view.height())


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
    cursor.go_to(Position(recording.attempts[attempt].position, attempt, step % steps))
    return cursor
