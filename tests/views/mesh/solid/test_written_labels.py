"""What the graphics card writes over the mesh looks as a painter writes it, and a turn does little work."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, QSize
from PySide6.QtGui import QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication

from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import Scenario
from meshgui.model.moment.position import Position
from meshgui.model.scene import colours
from meshgui.model.scene.camera import Camera, fitted
from meshgui.model.scene.mesh_scene import build_scene
from meshgui.model.scene.solid_layout import Layout, Numbered
from meshgui.model.scene.space import Space
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.selection import Selection
from meshgui.views.mesh.scene.labels import number_font
from meshgui.views.mesh.solid.canvas import MeshGL
from meshgui.views.mesh.solid.glyphs import GlyphSheet
from meshgui.views.mesh.solid.labels import JobNumbers
from meshgui.views.style.lettering import LETTERS, Labels, label_font, letter_sizes, letters_of, text_of
from meshgui.views.style.theme import LIGHT
from tests.views.mesh.mesh_fixtures import SOLIDS, after_all_started, inside_attempt, pixels

SIZE = QSize(600, 500)


@pytest.fixture
def make(solid, themes):
    """Shows a 3D view of a cursor at rest, without a pointer over it."""

    def made(cursor, mode="light", scale=1.0):
        themes.set_scale(scale)
        view = solid(cursor, SIZE.toTuple(), mode)
        QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
        view.come_to_rest()
        return view

    return made


def label(text, x, y, size=12, *, strong=True):
    """One label in black."""
    black = np.array([[0, 0, 0, 1]], dtype=np.float32)
    place, looks = np.array([[x, y]]), (np.array([size]), np.array([strong]), black)
    return Labels(place, letters_of(np.array([int(text)])), *looks)


@pytest.mark.parametrize("number", [0, 7, 10, 305, 1_000_000, 2_147_483_647])
def test_numbers_are_written_with_their_digits(number):
    """None is missing, and no zero stands before the first."""
    (letters,) = letters_of(np.array([number]))
    assert text_of(letters) == str(number)


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0, 2.5])
@pytest.mark.parametrize("size", [8, 12, 24])
def test_letters_lie_where_a_painter_writes_them(themes, ratio, size):
    """At every ratio of pixels: they have as much ink, around the same middle."""
    sheet, labels = GlyphSheet(ratio), label("128", 40.3, 20.6, size)
    parts = sheet.parts(labels)
    across, down = round(80 * ratio), round(40 * ratio)
    written = np.zeros((down, across))
    for x, y, u, v, width, height in parts[:, :6].astype(int).tolist():
        written[y : y + height, x : x + width] += sheet.cover[v : v + height, u : u + width]
    image = QImage(across, down, QImage.Format.Format_RGB32)
    image.fill(0)
    image.setDevicePixelRatio(ratio)
    with QPainter(image) as painter:
        font = themes.text("body")
        font.setPixelSize(size)
        font.setWeight(font.Weight.DemiBold)
        painter.setPen("white")
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        left = 40.3 - metrics.horizontalAdvance("128") / 2
        painter.drawText(QPointF(left, 20.6 + metrics.capHeight() / 2), "128")
    painted = pixels(image)[..., 0]
    assert written.sum() == pytest.approx(painted.sum(), rel=0.03)
    rows, columns = np.indices(written.shape)
    for places in (rows, columns):
        middles = [(places * ink).sum() / ink.sum() for ink in (written, painted)]
        assert middles[0] == pytest.approx(middles[1], abs=0.6)


def test_digits_of_a_label_keep_their_distances(themes):
    """From letter to letter by the width of a digit, to a quarter of a pixel."""
    sheet = GlyphSheet(1.0)
    parts = sheet.parts(label("1111", 100.0, 20.0))
    phases = (parts[:, 3] - parts[0, 3]) / parts[0, 5]
    lefts = parts[:, 0] + (phases - phases.min()) / 4
    width = letter_sizes(12, strong=True)[0]
    assert np.abs(np.diff(lefts) - width).max() <= 0.26


@pytest.mark.parametrize(("mode", "scale"), [("light", 1.0), ("dark", 1.0), ("light", 2.0)])
def test_the_screen_shows_what_a_painter_writes_into_a_picture(make, mode, scale):
    """The same labels and legend at the same places: the colours of blocks of ten pixels are close."""
    for cursor in (after_all_started((4, 4, 4), SOLIDS), inside_attempt((4, 4, 4), SOLIDS, "tbl")):
        view = make(cursor, mode, scale)
        shown, still = (
            pixels(image)[:500, :600] for image in (view.grabFramebuffer(), view.grab_image(SIZE))
        )
        means = [image.reshape(50, 10, 60, 10, 3).mean(axis=(1, 3)) for image in (shown, still)]
        assert np.abs(means[0] - means[1]).max() < 24


def test_a_turn_works_out_nothing_that_it_does_not_change(make, monkeypatch):
    """No text is painted or measured, no contrast is worked out, no letter and no legend is drawn again."""
    view = make(inside_attempt((4, 4, 4), SOLIDS, "tbl"))

    def turned():
        for _ in range(20):
            view.turn(1.5, 0.0)
            view.grabFramebuffer()

    turned()
    before, done = view.pose, []
    for owner, name in (
        (QPainter, "drawText"),
        (QFontMetricsF, "horizontalAdvance"),
        (colours, "ink_on"),
        (GlyphSheet, "_draw"),
    ):
        monkeypatch.setattr(owner, name, lambda *_, name=name: done.append(name))
    view.turn(-30.0, 0.0)
    turned()
    assert view.pose.azimuth == pytest.approx(before.azimuth)
    assert done == []


def test_the_legend_follows_what_it_explains(make):
    """Painted once, it is painted again where the attempt, the theme or the size of text has changed."""
    cursor = inside_attempt((4, 4, 4), SOLIDS, "tbl")
    view = make(cursor)
    top = np.s_[4:24, 300:]
    first = pixels(view.grabFramebuffer())[top]
    view.source.themes.set_mode("dark")
    dark = pixels(view.grabFramebuffer())[top]
    assert first.mean() > 150 > dark.mean()
    cursor.go_to(cursor.position._replace(attempt=None, step=0))
    assert np.abs(pixels(view.grabFramebuffer())[top] - dark).max() > 60


def test_every_label_is_made_of_letters_of_the_sheet():
    """Numbers and the names of the axes."""
    assert set(LETTERS) == set("0123456789xyz")


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
    # Where there is a network they are in a corner, and only if no other box is before it
    cursor = run_of((6, 6, 6), "ff", network={"pattern": "all-to-all"})
    cursor.go_to(Position(30))
    for side in SIDES[:3]:
        assert all(under in {job, None} for job, under in places(cursor, themes, side))


def test_the_box_just_placed_bears_its_number(themes):
    """The job that an attempt has placed is named on its new box, in both canvases."""
    cursor = run_of((8, 8, 8), "tbl")
    at_the_end_of_an_attempt(cursor, 9)
    assert 9 in {job for job, _ in places(cursor, themes, SIDES[0])}
    # Single processors of a 16×16 mesh have their numbers, in smaller letters
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


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_numbers_can_be_read_on_every_face(make, mode):
    """Their contrast with the colour that is most around them is that of texts, also where light is least."""
    cursor = run_of((8, 8, 8), "tbl")
    for job in (9, 17, 26):
        at_the_end_of_an_attempt(cursor, job)
        cursor.go_to(Position(cursor.position.events))
        view = make(cursor, mode)
        for azimuth, elevation in SIDES:
            view.turn(azimuth - view.pose.azimuth, elevation - view.pose.elevation)
            image = pixels(view.grabFramebuffer())
            labels = JobNumbers(view.shown_layout, view.source.themes).placed(view.size(), view.camera())
            assert len(labels.places)
            for (x, y), size, ink in zip(labels.places, labels.sizes, labels.colours, strict=True):
                across, down = (round(place) for place in (x, y))
                around = image[down - size // 2 : down + size // 2 + 1, across - size : across + size + 1]
                shades, counts = np.unique(around.reshape(-1, 3), axis=0, return_counts=True)
                counts[(shades == np.rint(ink[:3] * 255)).all(axis=1)] = 0  # of the letters themselves
                ground = shades[counts.argmax()] / 255.0
                assert colours.contrast(tuple(ground), tuple(ink[:3])) >= 4.5, (mode, x, y, size)
