"""Each job's number stands on a box of its job, from wherever one looks."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QFontMetricsF

from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import Scenario
from meshgui.model.cursor import Cursor
from meshgui.model.position import Position
from meshgui.model.selection import Selection
from meshgui.views.mesh.scene.builder import build_scene
from meshgui.views.mesh.scene.labels import number_font
from meshgui.views.mesh.solid.camera import Camera, fitted
from meshgui.views.mesh.solid.canvas import MeshGL
from meshgui.views.mesh.solid.labels import JobNumbers
from meshgui.views.mesh.solid.layout import Layout, Numbered
from meshgui.views.mesh.solid.space import Space
from meshgui.views.style.lettering import label_font, text_of
from meshgui.views.style.theme import LIGHT

ROOM = QSize(900, 700)
SMALL = QSize(652, 366)
SIDES = [(-58.0, 24.0), (-90.0, 90.0), (20.0, 60.0), (130.0, 5.0), (-20.0, -30.0)]


def run_of(shape, allocator, seed=1, network=None):
    """A cursor over a short busy run."""
    scenario = Scenario.model_validate(
        {
            "mesh": {"shape": shape},
            "allocator": {"name": allocator},
            "workload": {"kind": "stochastic", "jobs": 40, "load": 8.0},
            "network": network,
            "seed": seed,
        }
    )
    cursor = Cursor()
    cursor.show(simulate(scenario))
    return cursor


def at_the_end_of_an_attempt(cursor, job):
    """Go to the last step of the attempt that placed a job."""
    recording = cursor.recording
    attempt = recording.attempts_of(job)[-1]
    steps = len(recording.trace(attempt).steps)
    cursor.go_to(Position(recording.attempts[attempt].position, attempt, steps - 1))


def places(cursor, themes, side, explode=0.0):
    """The numbers in a picture from a side, each with the job of the box under its middle and its ends."""
    scene = build_scene(cursor.view, Selection(), LIGHT)
    layout = Layout(scene, Space(scene.mesh, None, explode))
    shape = ROOM.width() / ROOM.height()
    camera = Camera(fitted(*side, layout.space.size, shape), shape)
    labels = JobNumbers(layout, themes).placed(ROOM, camera)
    for (x, y), letters, size in zip(labels.places, labels.letters, labels.sizes, strict=True):
        text = text_of(letters)
        reach = min(QFontMetricsF(label_font(int(size), strong=True)).horizontalAdvance(text) / 2, 10.0)
        for aside in (-reach, 0.0, reach):
            yield int(text), first_hit(layout.numbered, camera, QPointF(x + aside, y))


def first_hit(solids, camera, at):
    """The job of the nearest box at a point of the picture, those just placed among them."""
    start, way = camera.ray(2 * at.x() / ROOM.width() - 1, 1 - 2 * at.y() / ROOM.height())
    safe = np.where(np.abs(way) < 1e-12, 1e-12, way)
    one, two = (solids.low - start) / safe, (solids.high - start) / safe
    enter, leave = np.minimum(one, two).max(axis=1), np.maximum(one, two).min(axis=1)
    hit = np.flatnonzero((enter <= leave) & (leave > 0))
    return int(solids.jobs[hit[np.argmin(enter[hit])]]) if len(hit) else None


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    ("shape", "allocator"), [((8, 8, 8), "tbl"), ((6, 6, 6), "random"), ((8, 8), "paging"), ((16, 16), "mbs")]
)
def test_a_number_lies_on_a_box_of_its_job(themes, shape, allocator, side):
    """Between events and where an attempt has just placed a box, which hides what lies behind it."""
    cursor = run_of(shape, allocator)
    seen = []
    for job in (4, 9, 17, 26):
        at_the_end_of_an_attempt(cursor, job)
        seen += places(cursor, themes, side)
        cursor.go_to(Position(cursor.position.events))
        seen += places(cursor, themes, side)
    assert [pair for pair in seen if pair[0] != pair[1]] == [], len(seen)
    assert seen


def test_numbers_stand_on_the_layers_of_an_exploded_mesh(themes):
    """Each on a layer of its job, which no layer above it hides."""
    cursor = run_of((8, 8, 8), "tbl")
    cursor.go_to(Position(40))
    for side in SIDES[:3]:
        seen = list(places(cursor, themes, side, explode=1.0))
        assert seen
        assert [pair for pair in seen if pair[0] != pair[1]] == []


def test_numbers_beside_worms_lie_on_their_boxes(themes):
    """Where there is a network they stand in a corner, and only if no other box is before it."""
    cursor = run_of((6, 6, 6), "ff", network={"pattern": "all-to-all"})
    cursor.go_to(Position(30))
    for side in SIDES[:3]:
        assert all(under in {job, None} for job, under in places(cursor, themes, side))


def test_the_box_just_placed_bears_its_number(themes):
    """The job that an attempt has placed is named on its new box, in both canvases."""
    cursor = run_of((8, 8, 8), "tbl")
    at_the_end_of_an_attempt(cursor, 9)
    assert 9 in {job for job, _ in places(cursor, themes, SIDES[0])}


def test_small_blocks_say_whose_they_are(themes):
    """Single processors of a 16×16 mesh have their numbers, in smaller letters."""
    cursor = run_of((16, 16), "random")
    cursor.go_to(Position(40))
    blocks = len(cursor.view.snapshot.boxes)
    assert blocks > 20
    assert len(list(places(cursor, themes, SIDES[1]))) == 3 * blocks


@pytest.mark.parametrize("first", [100, 240])
def test_three_digits_stand_on_single_processors_in_a_small_window(build, themes, first):
    """In the room that a window of 1280×720 leaves a 16×16 mesh: on squares, lying and standing strips."""
    boxes = np.array([[x, 0, 0, 1, 1, 1] for x in range(14)] + [[0, 2, 0, 6, 1, 1], [8, 2, 0, 1, 6, 1]])
    cursor = run_of((16, 16), "random")
    canvas = build(MeshGL, cursor, SMALL.toTuple())
    canvas.set_camera_view("top", animated=False)
    scene = build_scene(cursor.view, Selection(), LIGHT)
    scene = replace(scene, tints=np.zeros(first + len(boxes), dtype=np.int64))
    layout = Layout(scene, Space(cursor.recording.mesh))
    low = boxes[:, :3].astype(np.float32) + np.float32(0.07)
    rows = np.arange(len(boxes))
    layout.numbered = Numbered(low, low + boxes[:, 3:] - np.float32(0.14), first + rows, rows)
    labels = JobNumbers(layout, themes).placed(SMALL, canvas.camera())
    assert sorted(int(text_of(letters)) for letters in labels.letters) == (first + rows).tolist()


def test_a_number_gets_smaller_before_it_goes(themes):
    """The font shrinks with its room down to eight pixels; below that there is no number."""
    sizes = [font.pixelSize() for room in (60, 26, 20) if (font := number_font("128", room, room, themes))]
    assert sizes == sorted(sizes, reverse=True)
    assert min(sizes) >= 8
    assert number_font("128", 12, 12, themes) is None
