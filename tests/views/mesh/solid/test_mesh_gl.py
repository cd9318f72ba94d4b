"""The 3D view turns, fits what it shows, and uploads no more than has changed. Needs OpenGL."""

import subprocess
import sys

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QOpenGLContext
from PySide6.QtWidgets import QMainWindow

from meshgui.engine.network.routing import WAYS
from meshgui.model.moment.position import Position
from meshgui.model.scene.camera import VIEWS
from meshgui.model.scene.colours import job_colour
from meshgui.model.scene.network_pointing import NOWHERE
from meshgui.model.scene.slicing import Slice
from meshgui.model.stepping.selection import Selection
from meshgui.views.mesh.panel import MeshView
from meshgui.views.mesh.scene.source import MeshLook
from meshgui.views.mesh.solid.renderer import MeshRenderer
from tests.views.mesh.mesh_fixtures import SIZES, SOLIDS, after_all_started, area, pixels, place_of
from tests.views.mesh.network_fixtures import ALONE, CUBE, channel_place, network_cursor

ENDS_WITH_A_VIEW = """
from meshgui.model.stepping.selection import Selection
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

BOX, LETTER = 19, 10  # numbers of an instance


def jobs_seen(view):
    """The jobs whose colours are on the screen."""
    shown = view.grabFramebuffer()
    return [job for job in range(len(SIZES)) if area(shown, job_colour(job, "light"))]


def drag(view, to):
    """Move the pointer with the left button down."""
    left = Qt.MouseButton.LeftButton
    where = QPointF(to)
    event = QMouseEvent(
        QEvent.Type.MouseMove, where, view.mapToGlobal(where), left, left, Qt.KeyboardModifier.NoModifier
    )
    QCoreApplication.sendEvent(view, event)


def test_the_pointer_finds_jobs_askew(solid):
    """Each in its layer alone."""
    cursor = after_all_started((4, 4, 4), SOLIDS)
    view = solid(cursor)
    view.set_camera_view("top")
    view.turn(10.0, -25.0)
    for job in range(len(SOLIDS)):
        layer = cursor.recording.boxes_of(job)[0].z
        view.source.show(MeshLook(Slice(2, layer, layer)))
        assert view.job_at(place_of(view, job)) == job


def test_a_drag_turns_and_selects_nothing(solid, qtbot):
    """Dragging with the left button turns the eye, stops straight above, and is no click."""
    view = solid(after_all_started((4, 4, 4), SOLIDS))
    before = view.pose
    start = place_of(view, 0).toPoint()
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    for way in range(10, 400, 30):
        drag(view, start + QPoint(way, way))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=start + QPoint(400, 400))
    assert view.pose.azimuth != before.azimuth
    assert view.pose.elevation == 90.0
    assert view.camera().up[2] >= 0.0
    assert view.source.selection.job is None


def test_numbers_survive_a_picture_of_the_whole_window(panel):
    """A parent that grabs itself gets the same mesh, numbers included, as is on the screen."""
    window = panel(after_all_started((8, 8), SIZES))
    assert jobs_seen(window.canvas) == list(range(len(SIZES)))
    alone = pixels(window.canvas.grabFramebuffer())
    together = pixels(window.grab().toImage())[: alone.shape[0], : alone.shape[1]]
    assert np.abs(alone - together).max() <= 2


def test_2d_meshes_are_seen_from_above_and_can_be_tipped(solid):
    """A 2D mesh starts straight from above; a 3D one starts askew."""
    assert solid(after_all_started((8, 8), SIZES)).pose.elevation == VIEWS["top"][1]
    view = solid(after_all_started((4, 4, 4), SOLIDS))
    assert (view.pose.azimuth, view.pose.elevation) == VIEWS["home"]
    view.turn(0.0, -30.0)
    assert view.pose.elevation < VIEWS["home"][1]
    # A view that does not exist is an error that names those that do
    with pytest.raises(ValueError, match="home, top, front, side"):
        solid(after_all_started((4, 4, 4), SOLIDS)).set_camera_view("below")


def test_views_are_reached_by_turning_unless_motion_is_off(solid, qtbot):
    """With motion on the eye is still on its way at first; it arrives where it would have jumped."""
    view = solid(after_all_started((4, 4, 4), SOLIDS))
    view.set_camera_view("front")
    there = view.pose
    view.set_camera_view("home")
    view.motion = True
    view.set_camera_view("front")
    assert view.pose != there
    qtbot.waitUntil(lambda: view.pose == there)


def test_the_view_survives_another_window(solid, qtbot):
    """Moved into another window it gets another context there, and draws as before."""
    view = solid(after_all_started((8, 8), SIZES))
    assert 0 in jobs_seen(view)
    window = QMainWindow()
    qtbot.addWidget(window)
    window.resize(600, 500)
    window.setCentralWidget(view)
    window.show()
    qtbot.waitExposed(window)
    assert 0 in jobs_seen(view)
    window.takeCentralWidget().setParent(None)  # each is closed by itself


def test_a_window_that_ends_releases_its_buffers_in_their_own_context(solid, themes, qtbot, monkeypatch):
    """Once, and while the view's context is current; the contexts that follow can be made current, too."""
    released = []
    release = MeshRenderer.release

    def record(renderer):
        released.append(QOpenGLContext.currentContext())
        release(renderer)

    monkeypatch.setattr(MeshRenderer, "release", record)
    window = QMainWindow()
    qtbot.addWidget(window)
    view = MeshView(after_all_started((4, 4, 4), SOLIDS), Selection(), themes)
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
    assert 0 in jobs_seen(solid(after_all_started((8, 8), SIZES)))


def test_a_process_that_ends_with_a_view_on_the_screen_ends_without_a_word():
    """Whatever Python destroys first: neither a fault in the release of buffers nor a warning of Qt."""
    done = subprocess.run(
        [sys.executable, "-c", ENDS_WITH_A_VIEW], capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "drawn\n", "")


def test_buffers_change_only_with_the_scene(solid, uploads):
    """Turning uploads nothing but where letters are; going to another place uploads the boxes once."""
    cursor = after_all_started((4, 4, 4), SOLIDS)
    view = solid(cursor)
    view.grabFramebuffer()
    uploads.clear()
    view.turn(2.0, 2.0)
    view.grabFramebuffer()
    assert {numbers for _, numbers in uploads} <= {LETTER}
    cursor.go_to(Position(4))
    view.grabFramebuffer()
    assert uploads.count((len(view.shown_layout.low), BOX)) == 1


def test_what_is_too_small_to_be_seen_is_not_drawn(solid, uploads):
    """A million free nodes, and lines between nodes of less than a pixel; near enough they are there."""
    view = solid(after_all_started((600, 500), [(300, 500), (20, 100)]))
    view.grabFramebuffer()
    free, lines = 600 * 500 - 300 * 500 - 20 * 100, 601 + 501
    few_lines = 600 // 4 + 1 + 500 // 2 + 1
    sent = {rows for rows, _ in uploads}
    assert few_lines in sent
    assert not {free, lines} & sent
    view.zoom(40.0)
    view.grabFramebuffer()
    assert {free, lines} <= {rows for rows, _ in uploads}
    uploads.clear()
    solid(after_all_started((256, 8), SIZES)).grabFramebuffer()
    assert 257 + 9 in {rows for rows, _ in uploads}


@pytest.mark.parametrize("turned", [False, True])
def test_exploding_fits_the_layers_from_where_one_looks(solid, turned):
    """All layers are in the picture after they moved apart, also if the view was turned by hand."""
    view = solid(after_all_started((4, 4, 4), SOLIDS))
    if turned:
        view.turn(40.0, 12.0)
        view.zoom(2.5)
    side = (view.pose.azimuth, view.pose.elevation)
    view.source.toggle_explode()
    corners = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)]) * view.shown_layout.space.size
    seen = view.camera().project(corners)[:, :2]
    assert 0.6 < np.abs(seen).max() < 1.0
    assert (view.pose.azimuth, view.pose.elevation) == side


THROUGH = [[0, 0, 0, 0, 2, 2, 2, 0]]
STROKE = 16  # numbers of an instance


def test_links_too_close_to_be_seen_are_not_pointed_at(solid):
    """In a large mesh seen whole, only worms are; near enough, the same link is found."""
    view = solid(network_cursor(ALONE, 14, shape=(100, 100), sizes=((100, 100),)))
    idle = (50 * 100 + 50) * WAYS
    assert view.pointed_at(channel_place(view, idle)) == NOWHERE
    view.zoom(20.0, channel_place(view, idle))
    assert view.pointed_at(channel_place(view, idle)).channel == idle


@pytest.mark.parametrize("turn", [(0.0, 0.0), (20.0, -30.0)])
def test_a_worm_is_found_from_above_and_askew(solid, turn):
    """Where it is projected."""
    view = solid(network_cursor(ALONE, 14))
    view.turn(*turn)
    assert tuple(view.pointed_at(channel_place(view, 0))) == (0, 0)


def test_worms_keep_their_colour_from_frame_to_frame(solid):
    """A value of the whole frame had the name of their opacity: from the second on they were pale."""
    cursor = network_cursor(ALONE, 14)
    view, colour = solid(cursor), job_colour(0, "light")
    for cycle in (15, 14):
        cursor.go_to_time(cycle)
        frame = view.grabFramebuffer()
    assert area(frame, colour) > 0.9 * area(view.grab_image(frame.size()), colour) > 0


def test_worms_are_seen_inside_a_job_in_3d(solid):
    """Through the glass of the box around them, from every named side."""
    view = solid(network_cursor(THROUGH, 24, **CUBE))
    held = view.source.view.network.held_channels.tolist()
    for name in ("home", "top", "front", "side"):
        view.set_camera_view(name, animated=False)
        assert {view.pointed_at(channel_place(view, channel)).packet for channel in held} == {0}
    # A slice cuts the network too: with only the uppermost layer shown, a worm in the lowest is gone
    view = solid(network_cursor(THROUGH, 10, **CUBE))
    at = channel_place(view, 0)
    assert view.pointed_at(at).packet == 0
    view.source.show(MeshLook(Slice(2, 2, 2)))
    assert not len(view.shown_layout.strokes.starts)
    assert view.pointed_at(at).packet is None


def test_idle_links_are_uploaded_once(solid, uploads):
    """From cycle to cycle only what moves goes to the graphics card."""
    cursor = network_cursor(ALONE, 14)
    view = solid(cursor)
    view.grabFramebuffer()
    uploads.clear()
    cursor.go_to_time(15)
    view.grabFramebuffer()
    strokes = [rows for rows, numbers in uploads if numbers == STROKE]
    assert strokes == [len(view.shown_layout.strokes.starts)]
    assert strokes[0] > 0
