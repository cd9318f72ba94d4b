"""The 3D view draws what the snapshot holds, and the pointer finds it. Needs a screen with OpenGL."""

import subprocess
import sys

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QImage, QMouseEvent, QOpenGLContext
from PySide6.QtWidgets import QMainWindow

from meshgui.model.cursor import Cursor
from meshgui.model.position import Position
from meshgui.model.selection import Selection
from meshgui.views.mesh.panel import MeshView
from meshgui.views.mesh.scene.slicing import Slice
from meshgui.views.mesh.scene.source import MeshLook, SceneSource
from meshgui.views.mesh.solid.camera import VIEWS
from meshgui.views.mesh.solid.canvas import MeshGL
from meshgui.views.mesh.solid.renderer import MeshRenderer
from meshgui.views.style.colours import job_colour
from meshgui.views.style.theme import ThemeManager
from tests.views.mesh.mesh_fixtures import after_all_started, inside_attempt, place_of

ENDS_WITH_A_VIEW = """
from meshgui.model.selection import Selection
from meshgui.views.mesh.scene.source import SceneSource
from meshgui.views.mesh.solid.canvas import MeshGL
from meshgui.views.style.application import qt_application
from meshgui.views.style.theme import ThemeManager
from tests.views.mesh.mesh_fixtures import after_all_started

application = qt_application()
source = SceneSource(
    after_all_started((4, 4, 4), [(2, 2, 2)]), Selection(), ThemeManager(application, "light")
)
view = MeshGL(source)
view.show()
application.processEvents()
view.grabFramebuffer()
print("drawn")
"""

SIZES = [(3, 3), (2, 4), (5, 1), (1, 1)]
SOLIDS = [(2, 2, 2), (3, 1, 2), (1, 1, 1)]


@pytest.fixture(autouse=True)
def opengl(screen_has_opengl):
    """Skip where no context can be made."""
    if not screen_has_opengl:
        pytest.skip("this screen has no OpenGL")


@pytest.fixture
def make(qtbot, qapp):
    """Shows a 3D view of a cursor."""

    def show(cursor, mode="light"):
        themes = ThemeManager(qapp, mode)
        view = MeshGL(SceneSource(cursor, Selection(), themes))
        view.motion = False
        qtbot.addWidget(view)
        view.resize(600, 500)
        view.show()
        qtbot.waitExposed(view)
        return view

    return show


def pixels(image):
    """A picture as an array of red, green and blue."""
    image = image.convertToFormat(QImage.Format.Format_RGBX8888)
    flat = np.frombuffer(image.constBits(), dtype=np.uint8)
    return flat.reshape(image.height(), image.bytesPerLine() // 4, 4)[:, : image.width(), :3].astype(int)


def area(image, job, theme="light"):
    """How many pixels have a job's colour."""
    colour = np.round(np.array(job_colour(job, theme)) * 255)
    return int((np.abs(pixels(image) - colour).max(axis=2) <= 2).sum())


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_every_jobs_colour_is_there_in_its_share(make, mode):
    """From above, the area of each job's colour follows the size of its box."""
    view = make(after_all_started((8, 8), SIZES), mode)
    image = view.grab_image(QSize(800, 800))
    areas = np.array([area(image, job, mode) for job in range(len(SIZES))])
    sizes = np.array([w * d for w, d in SIZES])
    assert (areas > 0).all()
    assert (np.argsort(areas) == np.argsort(sizes)).all()


@pytest.mark.parametrize("job", range(len(SOLIDS)))
def test_the_pointer_finds_each_job_where_it_is_drawn(make, job):
    """A pick at the projected middle of a box returns its job, from above and askew, its layer alone."""
    cursor = after_all_started((4, 4, 4), SOLIDS)
    layer = cursor.recording.boxes_of(job)[0].z
    view = make(cursor)
    view.source.show(MeshLook(Slice(2, layer, layer)))
    view.set_camera_view("top")
    assert view.job_at(place_of(view, job)) == job
    view.turn(10.0, -25.0)
    assert view.job_at(place_of(view, job)) == job


def test_a_click_selects_and_a_click_on_nothing_clears(make, qtbot):
    """The job under a click is selected; a click beside the mesh selects nothing."""
    view = make(after_all_started((8, 8), SIZES))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place_of(view, 1).toPoint())
    assert view._selection.job == 1
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert view._selection.job is None


def test_a_drag_turns_and_selects_nothing(make, qtbot):
    """Dragging with the left button turns the eye, stops straight above, and is no click."""
    view = make(after_all_started((4, 4, 4), SOLIDS))
    before = view.pose
    start = place_of(view, 0).toPoint()
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    for way in range(10, 400, 30):
        drag(view, start + QPoint(way, way))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=start + QPoint(400, 400))
    assert view.pose.azimuth != before.azimuth
    assert view.pose.elevation == 90.0
    assert view.camera().up[2] >= 0.0
    assert view._selection.job is None


def drag(view, to):
    """Move the pointer with the left button down."""
    left = Qt.MouseButton.LeftButton
    where = QPointF(to)
    event = QMouseEvent(
        QEvent.Type.MouseMove, where, view.mapToGlobal(where), left, left, Qt.KeyboardModifier.NoModifier
    )
    QCoreApplication.sendEvent(view, event)


def test_pointing_at_a_job_lights_it_up(make, qtbot):
    """The job under the pointer is the hovered one, and none is when the pointer leaves the mesh."""
    view = make(after_all_started((8, 8), SIZES))
    qtbot.mouseMove(view, place_of(view, 2).toPoint())
    qtbot.waitUntil(lambda: view._selection.hovered == 2)
    qtbot.mouseMove(view, QPoint(3, 3))
    qtbot.waitUntil(lambda: view._selection.hovered is None)


def test_slicing_hides_what_lies_beyond(make):
    """With only the first column shown, jobs elsewhere leave the picture."""
    view = make(after_all_started((8, 8), SIZES))
    last = len(SIZES) - 1
    column = int(view._current_layout().scene.boxes[last, 0])
    assert column > 0
    view.source.show(MeshLook(Slice(0, 0, column - 1)))
    assert area(view.grab_image(QSize(400, 400)), last) == 0
    assert place_of(view, last) is None
    view.source.show(MeshLook())
    assert area(view.grab_image(QSize(400, 400)), last) > 0


def test_the_window_shows_what_a_picture_shows(make):
    """What is on the screen and what is exported have the same jobs in the same colours."""
    view = make(after_all_started((8, 8), SIZES))
    shown = view.grabFramebuffer()
    assert [area(shown, job) > 0 for job in range(len(SIZES))] == [True] * len(SIZES)


def test_numbers_survive_a_picture_of_the_whole_window(make, qtbot, qapp):
    """A parent that grabs itself gets the same mesh, numbers included, as is on the screen."""
    cursor = after_all_started((8, 8), SIZES)
    window = MeshView(cursor, Selection(), ThemeManager(qapp, "light"))
    qtbot.addWidget(window)
    window.resize(600, 500)
    window.show()
    qtbot.waitExposed(window)
    alone = pixels(window.canvas.grabFramebuffer())
    together = pixels(window.grab().toImage())[: alone.shape[0], : alone.shape[1]]
    assert np.abs(alone - together).max() <= 2


@pytest.mark.parametrize("size", [(320, 200), (1600, 1000), (123, 457)])
def test_a_picture_has_the_size_asked_for(make, size):
    """Whatever the widget's size, the picture has the one wanted."""
    view = make(after_all_started((4, 4, 4), SOLIDS))
    image = view.grab_image(QSize(*size))
    assert (image.width(), image.height()) == size


def test_without_a_recording_there_is_one_line_on_the_ground(make, qapp):
    """The empty state is the ground and a line of text, and pointing at it finds nothing."""
    view = make(Cursor())
    image = pixels(view.grab_image(QSize(600, 400)))
    ground = np.round(np.array(view._themes.theme.rgb("mesh_background")) * 255)
    differs = np.abs(image - ground).max(axis=2) > 40
    assert 0 < differs.sum() < 0.02 * differs.size
    assert view.job_at(QPointF(300, 200)) is None


def test_marks_of_an_attempt_are_drawn(make):
    """Inside an attempt the placed box appears in the accent; a step before it does not."""
    cursor = inside_attempt((8, 8), SIZES, "tbl")
    view = make(cursor)
    accent = np.round(np.array(view._themes.theme.rgb("accent")) * 255)

    def amount():
        below_legend = pixels(view.grab_image(QSize(500, 500)))[30:]
        return int((np.abs(below_legend - accent).max(axis=2) <= 4).sum())

    placed = amount()
    cursor.go_to(cursor.position._replace(step=0))
    assert placed > 50
    assert amount() == 0


def test_2d_meshes_are_seen_from_above_and_can_be_tipped(make):
    """A 2D mesh starts straight from above; a 3D one starts askew."""
    assert make(after_all_started((8, 8), SIZES)).pose.elevation == VIEWS["top"][1]
    view = make(after_all_started((4, 4, 4), SOLIDS))
    assert (view.pose.azimuth, view.pose.elevation) == VIEWS["home"]
    view.turn(0.0, -30.0)
    assert view.pose.elevation < VIEWS["home"][1]


def test_views_are_reached_by_turning_unless_motion_is_off(make, qtbot):
    """With motion on the eye is still on its way at first; it arrives where it would have jumped."""
    view = make(after_all_started((4, 4, 4), SOLIDS))
    view.set_camera_view("front")
    there = view.pose
    view.set_camera_view("home")
    view.motion = True
    view.set_camera_view("front")
    assert view.pose != there
    qtbot.waitUntil(lambda: view.pose == there)


def test_an_unknown_view_is_refused(make):
    """A view that does not exist is an error that names those that do."""
    with pytest.raises(ValueError, match="home, top, front, side"):
        make(after_all_started((4, 4, 4), SOLIDS)).set_camera_view("below")


def test_the_view_survives_another_window(make, qtbot):
    """Moved into another window it gets another context there, and draws as before."""
    view = make(after_all_started((8, 8), SIZES))
    assert area(view.grabFramebuffer(), 0) > 0
    window = QMainWindow()
    qtbot.addWidget(window)
    window.resize(600, 500)
    window.setCentralWidget(view)
    window.show()
    qtbot.waitExposed(window)
    assert area(view.grabFramebuffer(), 0) > 0
    window.takeCentralWidget().setParent(None)  # each is closed by itself


def test_a_window_that_ends_releases_its_buffers_in_their_own_context(make, qtbot, qapp, monkeypatch):
    """Once, and while the view's context is current; the contexts that follow can be made current, too."""
    released = []
    release = MeshRenderer.release

    def record(renderer):
        released.append(QOpenGLContext.currentContext())
        release(renderer)

    monkeypatch.setattr(MeshRenderer, "release", record)
    window = QMainWindow()
    qtbot.addWidget(window)
    view = MeshView(after_all_started((4, 4, 4), SOLIDS), Selection(), ThemeManager(qapp, "light"))
    window.setCentralWidget(view)
    window.show()
    qtbot.waitExposed(window)
    view.canvas.grabFramebuffer()
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete.value)
    assert len(released) == 1
    assert released[0] is not None
    assert QOpenGLContext.currentContext() is None
    assert area(make(after_all_started((8, 8), SIZES)).grabFramebuffer(), 0) > 0


def test_a_process_that_ends_with_a_view_on_the_screen_ends_without_a_word():
    """Whatever Python destroys first: neither a fault in the release of buffers nor a warning of Qt."""
    done = subprocess.run(
        [sys.executable, "-c", ENDS_WITH_A_VIEW], capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "drawn\n", "")


def test_buffers_change_only_with_the_scene(make, monkeypatch):
    """Turning uploads nothing that has not changed; going to another place does."""
    cursor = after_all_started((4, 4, 4), SOLIDS)
    view = make(cursor)
    view.grabFramebuffer()
    filled = []
    solid = view._renderer._solid
    fill = solid.fill
    monkeypatch.setattr(solid, "fill", lambda rows: (filled.append(len(rows)), fill(rows)))
    view.turn(2.0, 2.0)
    view.grabFramebuffer()
    assert filled == []
    cursor.go_to(Position(4))
    view.grabFramebuffer()
    assert len(filled) == 1


def test_what_is_too_small_to_be_seen_is_not_drawn(make):
    """A million free nodes, and lines between nodes of less than a pixel; near enough they are there."""
    view = make(after_all_started((600, 500), [(300, 500), (20, 100)]))
    view.grabFramebuffer()
    free, grid = view._renderer._free, view._renderer._grid
    assert free.count == 0
    assert grid.count == 600 // 4 + 1 + 500 // 2 + 1
    view.zoom(40.0)
    view.grabFramebuffer()
    assert free.count == 600 * 500 - 300 * 500 - 20 * 100
    assert grid.count == 601 + 501
    small = make(after_all_started((256, 8), SIZES))
    small.grabFramebuffer()
    assert small._renderer._grid.count == 257 + 9


def test_what_changes_while_hidden_is_seen_when_shown(make, qtbot):
    """A hidden view makes no scene; shown again it draws the place the cursor is at."""
    cursor = after_all_started((8, 8), SIZES)
    view = make(cursor)
    view.hide()
    cursor.go_to(Position(5))
    view.show()
    qtbot.waitExposed(view)
    shown = view.grabFramebuffer()
    assert [area(shown, job) > 0 for job in range(4)] == [
        job in cursor.view.snapshot.running for job in range(4)
    ]


@pytest.mark.parametrize("turned", [False, True])
def test_exploding_fits_the_layers_from_where_one_looks(make, turned):
    """All layers are in the picture after they moved apart, also if the view was turned by hand."""
    view = make(after_all_started((4, 4, 4), SOLIDS))
    if turned:
        view.turn(40.0, 12.0)
        view.zoom(2.5)
    side = (view.pose.azimuth, view.pose.elevation)
    view.source.toggle_explode()
    size = np.array(view._space().size)
    corners = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)]) * size
    seen = view.camera().project(corners)[:, :2]
    assert np.abs(seen).max() < 1.0
    assert np.abs(seen).max() > 0.6
    assert (view.pose.azimuth, view.pose.elevation) == side
