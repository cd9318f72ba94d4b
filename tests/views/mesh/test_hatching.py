"""A job is hatched alike wherever its colour is shown: read off the pixels of each view."""

from itertools import product

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from meshgui.model.scene.colours import contrast, inks_on, job_colour, job_pattern
from meshgui.model.scene.hatching import PATTERNS
from meshgui.model.stepping.selection import Selection
from meshgui.views.exporting.picture_files import write_picture
from meshgui.views.style.direction import mirror
from meshgui.views.timeline.canvas import TimelineCanvas
from meshgui.views.widgets.labels import SWATCH, paint_swatch
from tests.views.mesh.hatch_reading import JOBS, SIDE, assert_hatched
from tests.views.mesh.mesh_fixtures import after_all_started, cursor_of, on_screen, pixels, place_of
from tests.views.mesh.network_fixtures import network_cursor
from tests.views.showing import shown


@pytest.fixture(params=["light", "dark"])
def mode(request):
    """Either theme."""
    return request.param


@pytest.fixture
def nine():
    """Nine jobs side by side on a square."""
    assert {job_pattern(job) for job in JOBS} == set(range(len(PATTERNS)))
    return after_all_started((12, 12), [(4, 4)] * len(JOBS))


def beside_number(image, view, job):
    """A part of a job's box in a picture, left of and above its number."""
    middle = place_of(view, job).toPoint()
    return pixels(image)[middle.y() - 12 - SIDE : middle.y() - 12, middle.x() - 12 - SIDE : middle.x() - 12]


def test_a_swatch_has_the_pattern_also_where_the_picture_is_mirrored(themes, mode):
    """At its ten pixels it is read, in the job's colour: mirrored as all that is read from the right."""
    themes.set_mode(mode)
    for job, is_mirrored in product(JOBS, (False, True)):
        image = QImage(SWATCH, SWATCH, QImage.Format.Format_RGB32)
        with QPainter(image) as painter:
            if is_mirrored:
                mirror(painter, QRectF(0, 0, SWATCH, SWATCH))
            paint_swatch(painter, themes, job, 0, SWATCH / 2)
        part = pixels(image)[1:-1, 1:-1]
        assert_hatched(job, part)
        wanted = np.rint(np.array(job_colour(job, mode)) * 255)
        assert (np.abs(part - wanted).max(axis=2) <= 1).mean() > 0.35


def test_both_meshes_have_the_patterns(canvas, nine, mode):
    """In 3D and flat, each in its own way to draw."""
    view = canvas(nine, (600, 600), mode)
    for job in JOBS:
        assert_hatched(job, beside_number(view.grab_image(QSize(600, 600)), view, job))


@pytest.fixture
def box_of(solid):
    """Shows a job's box in 3D, and in its picture what is beside the middle of its face across an axis."""

    def shown_box(job, mode):
        cursor = cursor_of((4, 4, 4), [(4, 4, 4)] * (job + 1), service=10.0)  # one after the other
        cursor.go_to_time(10.0 * job + 5.0)
        view = solid(cursor, (600, 600), mode)

        def drawn():
            return pixels(view.grab_image(QSize(600, 600)))

        def face(picture, axis=None):
            """The face across this axis, or to the eye."""
            assert view.source.scene.jobs.tolist() == [job]
            (low,), (high,) = view.shown_layout.low, view.shown_layout.high
            axis = int(np.abs(view.camera().back).argmax()) if axis is None else axis
            middle = (low + high) / 2
            middle[axis] = (high if view.camera().back[axis] > 0 else low)[axis]
            at = on_screen(view, middle).toPoint()
            return picture[at.y() + 14 : at.y() + 14 + SIDE, at.x() - SIDE // 2 : at.x() + SIDE // 2]

        return view, drawn, face

    return shown_box


@pytest.mark.parametrize("job", [1, 2, 3])
def test_a_box_has_its_pattern_from_every_side(box_of, job):
    """Lines do not turn with the faces: rising ones would fall on the other side, lying ones stand."""
    view, drawn, face = box_of(job, "light")
    for name in ("front", "top"):
        view.set_camera_view(name, animated=False)
        for _ in range(4):
            assert_hatched(job, face(drawn()))
            view.turn(90.0, 0.0)


def test_lines_go_away_from_the_numbers_on_shaded_faces(box_of, mode):
    """What is read on a face, black or white, is read on its lines, which are lighter or darker."""
    inks = set()
    for job in (1, 3, 17):
        view, drawn, face = box_of(job, mode)
        for _ in range(12):
            view.turn(30.0, 0.0)
            picture = drawn()
            for axis in np.flatnonzero(np.abs(view.camera().back) > 0.4).tolist():
                part = face(picture, axis)[:14]  # faces seen aslant are low
                shades, counts = np.unique(part.reshape(-1, 3), axis=0, return_counts=True)
                ground = shades[counts.argmax()] / 255
                ink = tuple(inks_on(ground[None])[0].tolist())
                apart = [contrast(tuple(shade), ink) for shade in shades / 255]
                assert min(apart) >= 4.5
                assert max(apart) > 1.25 * contrast(tuple(ground), ink)
                inks.add(ink)
    assert len(inks) == 2


def test_lines_are_as_strong_on_faint_boxes_however_they_are_drawn(flat, solid, themes, mode):
    """Where a network is shown: by the graphics card, and by a painter in 3D and flat."""
    size, large = QSize(600, 600), 6  # lines of shapes lie between pixels, too
    cursor = network_cursor([[0, 2, 0, 0, 3, 3, 0, 1]], 5.0, sizes=((2, 4), (2, 4)))
    found = []
    for kind in (solid, flat):
        view = kind(cursor, size.toTuple(), mode)
        drawn = QImage(large * size, QImage.Format.Format_RGB32)
        drawn.fill(themes.theme.colour("mesh_background"))
        with QPainter(drawn) as painter:
            painter.scale(large, large)
            view.draw_lines(painter, size)
        for image, scale in ((view.grab_image(size), 1), (drawn, large)):
            middle = scale * place_of(view, 1).toPoint()
            y, x, side = middle.y() + scale * 24, middle.x() + scale * 24, scale * SIDE
            part = pixels(image)[y : y + side, x : x + side].reshape(-1, 3)
            shades, counts = np.unique(part, axis=0, return_counts=True)
            found.append(shades[np.argsort(counts)[:-3:-1]])
    assert np.abs(found - found[0]).max() <= 2


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_a_bar_of_the_timeline_has_the_pattern(qtbot, themes, nine, mode, direction):
    """Also where time runs to the left."""
    themes.set_mode(mode)
    canvas = TimelineCanvas(nine, Selection(), themes)
    canvas.setLayoutDirection(direction)
    shown(qtbot, canvas, 900, 500)
    picture = pixels(canvas.grab().toImage())
    x = 300
    for job in JOBS:
        rows = [y for y in range(canvas.height()) if canvas.job_at(QPointF(x, y)) == job]
        assert len(rows) > 8
        assert_hatched(job, picture[rows[0] : rows[-1], x : x + 60])


@pytest.mark.parametrize("flat", [False, True], ids=["solid", "flat"])
def test_a_picture_of_lines_has_the_patterns(opengl, panel, nine, tmp_path, flat):
    """Where the PNG has them, the SVG has them."""
    size = QSize(600, 600)
    view = panel(nine, size.toTuple())
    if flat:
        view.toggle_flat()
    (picture,) = view.pictures()
    svg, png = tmp_path / "p.svg", tmp_path / "p.png"
    for path in (svg, png):
        write_picture(path, picture.paint, size, title=picture.title)
    drawn = QImage(size, QImage.Format.Format_RGB32)
    with QPainter(drawn) as painter:
        QSvgRenderer(str(svg)).render(painter)
    for image in (drawn, QImage(str(png))):
        for job in JOBS:
            y, x = (60 + 176 * (2 - job // 3), 60 + 176 * (job % 3))  # in a corner of its box
            assert_hatched(
                job, pixels(image)[y : y + SIDE, x : x + SIDE], least=0.5
            )  # lines of shapes lie between pixels, too
