"""Small machines with known boxes, for the tests of the mesh views."""

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage

from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import Scenario
from meshgui.model.moment.position import Position
from meshgui.model.scene.slicing import cut_boxes
from meshgui.model.stepping.cursor import Cursor
from meshgui.views.mesh.flat.canvas import MeshFlat

__all__ = [
    "SIZES",
    "SOLIDS",
    "after_all_started",
    "area",
    "cursor_of",
    "inside_attempt",
    "on_screen",
    "pixels",
    "place_of",
]

SIZES = [(3, 3), (2, 4), (5, 1), (1, 1)]
SOLIDS = [(2, 2, 2), (3, 1, 2), (1, 1, 1)]
"""The sizes of jobs on a square, and in a cube."""


def pixels(image):
    """A picture as an array of red, green and blue."""
    image = image.convertToFormat(QImage.Format.Format_RGBX8888)
    flat = np.frombuffer(image.constBits(), dtype=np.uint8)
    return flat.reshape(image.height(), image.bytesPerLine() // 4, 4)[:, : image.width(), :3].astype(int)


def area(image, colour):
    """How many pixels have a colour, three floats."""
    return int((np.abs(pixels(image) - np.round(np.array(colour) * 255)).max(axis=2) <= 2).sum())


def on_screen(view, place):
    """Where a place in space is on a 3D view."""
    x, y, _ = view.camera().project(np.array([place], dtype=float))[0]
    return QPointF((x + 1) / 2 * view.width(), (1 - y) / 2 * view.height())


def place_of(view, job):
    """The middle of a job's first box on a canvas, in its lowest layer shown; None where it is cut off."""
    scene, layout = view.source.scene, view.shown_layout
    if isinstance(view, MeshFlat):
        lows, highs, rows = cut_boxes(scene.boxes, layout.cut, layered=True)
    else:
        lows, highs, rows = layout.low, layout.high, layout.rows
    mine = np.flatnonzero(scene.jobs[rows] == job)
    if not len(mine):
        return None
    low, high = lows[mine[0]], highs[mine[0]]
    if not isinstance(view, MeshFlat):
        return on_screen(view, (low + high) / 2)
    x, y, z = low.tolist()
    return layout.rect(z, x, y, *(high - low)[:2].tolist()).center()


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
