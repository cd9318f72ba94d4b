"""The network in the 3D view: drawn, pointed at, clicked. Needs a screen with OpenGL."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QImage

from meshgui.engine.network.routing import WAYS
from meshgui.model.selection import Selection
from meshgui.views.mesh.panel import MeshView
from meshgui.views.mesh.scene.network.channels import channel_segments
from meshgui.views.mesh.scene.network.pointing import NOWHERE
from meshgui.views.mesh.scene.slicing import Slice
from meshgui.views.mesh.scene.source import MeshLook, SceneSource
from meshgui.views.mesh.solid.canvas import MeshGL
from meshgui.views.style.colours import job_colour
from meshgui.views.style.theme import ThemeManager
from tests.views.mesh.mesh_fixtures import after_all_started
from tests.views.mesh.network_fixtures import ALONE, MEETING, network_cursor

CUBE = {"shape": (3, 3, 3), "sizes": ((3, 3, 3),)}
THROUGH = [[0, 0, 0, 0, 2, 2, 2, 0]]


@pytest.fixture(autouse=True)
def opengl(screen_has_opengl):
    """Skip where no context can be made."""
    if not screen_has_opengl:
        pytest.skip("this screen has no OpenGL")


@pytest.fixture
def make(qtbot, qapp):
    """Shows a 3D view of a cursor."""

    def show(cursor, mode="light", kind=MeshGL):
        parts = cursor, Selection(), ThemeManager(qapp, mode)
        view = MeshView(*parts) if kind is MeshView else MeshGL(SceneSource(*parts))
        qtbot.addWidget(view)
        view.resize(600, 500)
        view.show()
        qtbot.waitExposed(view)
        return view

    return show


def amount(view, colour, size=600):
    """How many pixels of a picture have a colour, three floats."""
    image = view.grab_image(QSize(size, size)).convertToFormat(QImage.Format.Format_RGBX8888)
    seen = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(size, -1, 4)[:, :size, :3].astype(int)
    return int((np.abs(seen - np.round(np.array(colour) * 255)).max(axis=2) <= 2).sum())


def place_of(view, channel, share=0.5):
    """Where a channel runs in the widget."""
    way = channel_segments(view.source.view.recording.mesh, np.array([channel]))
    places, _ = view._current_layout().space.along(way.points(np.array([share])))
    x, y, _ = view.camera().project(places.astype(float))[0]
    return QPointF((x + 1) / 2 * view.width(), (1 - y) / 2 * view.height())


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_worms_are_drawn_in_full_colour_over_jobs_of_glass(make, mode):
    """A job's own colour is there where its worm is, and hardly before the packet sets out."""
    cursor = network_cursor(ALONE, 14)
    view = make(cursor, mode)
    colour = job_colour(0, mode)
    under_way = amount(view, colour)
    cursor.go_to_time(0)
    assert under_way > 5 * amount(view, colour) > 0


def test_the_picture_changes_from_cycle_to_cycle(make):
    """Between two events, too: the place stays the same while the network goes on."""
    cursor = network_cursor(ALONE, 14)
    view = make(cursor)
    before, place = view.source.scene, cursor.position
    cursor.go_to_time(15)
    assert cursor.position == place
    assert view.source.scene is not before
    now = view.source.scene
    cursor.go_to_time(15.5)
    assert view.source.scene is now


def test_a_blocked_head_is_ringed(make):
    """Vermilion appears while a packet is blocked, and is gone once it goes on."""
    cursor = network_cursor(MEETING, 10)
    view = make(cursor)
    vermilion = view._themes.theme.rgb("blocked")
    assert amount(view, vermilion) > 100
    cursor.go_to_time(27)
    assert amount(view, vermilion) == 0


def test_without_the_network_jobs_are_solid_again(make):
    """Hidden, it leaves the picture that there is without one."""
    view = make(network_cursor(ALONE, 14))
    with_worms = amount(view, job_colour(0, "light"))
    view.source.toggle_network()
    assert view.source.scene.network is None
    assert amount(view, job_colour(0, "light")) > 5 * with_worms
    assert view.pointed_at(place_of(view, 0)) == NOWHERE


def test_the_use_of_channels_has_no_colour_of_a_job(make):
    """Shown instead of the worms, in the colours of its scale."""
    view = make(network_cursor(ALONE, 20))
    view.source.toggle_use()
    theme = view._themes.theme
    assert amount(view, job_colour(0, "light")) == 0
    assert amount(view, [int(theme.heat_high[n : n + 2], 16) / 255 for n in (1, 3, 5)]) > 100


@pytest.mark.parametrize("turn", [(0.0, 0.0), (20.0, -30.0)])
def test_pointing_at_a_worm_finds_packet_and_channel(make, qtbot, turn):
    """From above and askew; beside the mesh there is nothing."""
    view = make(network_cursor(ALONE, 14))
    view.turn(*turn)
    at = place_of(view, 0)
    qtbot.mouseMove(view, at.toPoint())
    selection = view._selection
    qtbot.waitUntil(lambda: selection.hovered_packet == 0)
    assert (selection.hovered, selection.hovered_channel) == (0, 0)
    qtbot.mouseMove(view, QPoint(2, 2))
    qtbot.waitUntil(lambda: selection.hovered_packet is None)


def test_a_click_on_a_worm_selects_the_packet_and_its_job(make, qtbot):
    """A click beside everything clears both."""
    view = make(network_cursor(MEETING, 10))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place_of(view, 8).toPoint())
    assert (view._selection.packet, view._selection.job) == (1, 0)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert (view._selection.packet, view._selection.job) == (None, None)


def test_a_click_on_an_idle_link_selects_the_channel(make, qtbot):
    """The one of the two directions that was pointed at; the job selected stays so."""
    view = make(network_cursor(ALONE, 14))
    view._selection.select(0)
    channel = 5 * WAYS + 1  # from (1,1) back to (0,1)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place_of(view, channel).toPoint())
    assert (view._selection.channel, view._selection.job) == (channel, 0)
    accent = view._themes.theme.rgb("accent")
    assert amount(view, accent) > 30


def test_a_click_on_a_job_between_links_selects_the_job(make, qtbot):
    """As without a network."""
    view = make(network_cursor(ALONE, 14))
    corner = place_of(view, 5 * WAYS)
    beside = QPointF(corner.x(), corner.y() + 0.33 * view.height() / view.pose.extent)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=beside.toPoint())
    assert (view._selection.job, view._selection.packet, view._selection.channel) == (0, None, None)


def test_links_too_close_to_be_seen_are_not_pointed_at(make):
    """In a large mesh seen whole, only worms are; near enough, the same link is found."""
    view = make(network_cursor(ALONE, 14, shape=(100, 100), sizes=((100, 100),)))
    idle = (50 * 100 + 50) * WAYS
    assert view.pointed_at(place_of(view, idle)) == NOWHERE
    view.zoom(20.0, place_of(view, idle))
    assert view.pointed_at(place_of(view, idle)).channel == idle


def test_worms_are_seen_inside_a_job_in_3d(make):
    """Through the glass of the box around them, from every named side."""
    view = make(network_cursor(THROUGH, 24, **CUBE))
    for name in ("home", "top", "front", "side"):
        view.set_camera_view(name, animated=False)
        assert view.source.scene.network is not None
        assert len(view.source.view.network.packets) == 1
        packets = {
            view.pointed_at(place_of(view, int(c))).packet for c in view.source.view.network.held_channels
        }
        assert packets == {0}


def test_a_slice_cuts_the_network_too(make):
    """With only the uppermost layer shown, a worm in the lowest is gone."""
    view = make(network_cursor(THROUGH, 10, **CUBE))
    at = place_of(view, 0)
    assert view.pointed_at(at).packet == 0
    view.source.show(MeshLook(Slice(2, 2, 2)))
    assert not len(view._current_layout().strokes.starts)
    assert view.pointed_at(at).packet is None


def test_idle_links_are_uploaded_once(make, monkeypatch):
    """From cycle to cycle only what moves goes to the graphics card."""
    cursor = network_cursor(ALONE, 14)
    view = make(cursor)
    view.grabFramebuffer()
    filled = []
    for name in ("_links", "_worms"):
        batch = getattr(view._renderer, name)
        monkeypatch.setattr(batch, "fill", lambda rows, name=name: filled.append((name, len(rows) > 0)))
    cursor.go_to_time(15)
    view.grabFramebuffer()
    assert filled == [("_worms", True)]


def test_both_views_and_the_switches_follow_the_commands(make, qtbot):
    """Showing the use shows the network; hiding the network hides both; the switches say so."""
    view = make(network_cursor(ALONE, 14), kind=MeshView)
    controls = view._controls
    assert not controls._network.isHidden()
    source = view.source
    source.toggle_network()
    assert (source.look.network, controls._network.isChecked()) == (False, False)
    source.toggle_use()
    assert (source.look.network, source.look.use) == (True, True)
    assert view._flat.source is view._space.source is source
    assert controls._use.isChecked()
    source.toggle_use()
    assert (source.look.network, source.look.use) == (True, False)


def test_switches_of_the_network_are_offered_only_where_there_is_one(make):
    """A run without a network has no use for them."""
    controls = make(after_all_started((4, 4), [(2, 2)]), kind=MeshView)._controls
    assert controls._network.isHidden()
    assert controls._use.isHidden()
