"""The network on paper: drawn, pointed at, clicked, with what leads to another layer."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QImage

from meshgui.engine.network.routing import WAYS
from meshgui.model.selection import Selection
from meshgui.views.mesh.flat.canvas import MeshFlat
from meshgui.views.mesh.scene.network.channels import channel_segments
from meshgui.views.mesh.scene.network.pointing import NOWHERE
from meshgui.views.mesh.scene.slicing import Slice
from meshgui.views.mesh.scene.source import MeshLook, SceneSource
from meshgui.views.style.colours import job_colour
from meshgui.views.style.theme import ThemeManager
from tests.views.mesh.network_fixtures import ALONE, MEETING, network_cursor

CUBE = {"shape": (3, 3, 3), "sizes": ((3, 3, 3),)}
THROUGH = [[0, 0, 0, 0, 0, 0, 2, 0]]  # straight up
UP = 4  # the channel from (0,0,0) to (0,0,1)


@pytest.fixture
def make(qtbot, qapp):
    """Shows a flat view of a cursor."""

    def show(cursor):
        view = MeshFlat(SceneSource(cursor, Selection(), ThemeManager(qapp, "light")))
        qtbot.addWidget(view)
        view.resize(700, 600)
        view.show()
        qtbot.waitExposed(view)
        return view

    return show


def amount(view, colour):
    """How many pixels of a picture have a colour, three floats."""
    image = view.grab_image(QSize(600, 600)).convertToFormat(QImage.Format.Format_RGBX8888)
    seen = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(600, -1, 4)[:, :600, :3].astype(int)
    return int((np.abs(seen - np.round(np.array(colour) * 255)).max(axis=2) <= 2).sum())


def top_is(view, colour):
    """Whether the margin above the mesh, to the right of the axis, has one colour throughout."""
    margin = view.grab_image(QSize(900, 600)).copy(200, 8, 690, 20)
    wanted = QColor.fromRgbF(*colour).rgb()
    return all(margin.pixel(x, y) == wanted for x in range(0, 690, 3) for y in range(0, 20, 3))


def place_of(view, channel, share=0.5):
    """Where a channel runs on its board."""
    scene = view.source.scene
    layout = view._layout(scene, view.width(), view.height())
    places, _ = layout.points(channel_segments(scene.mesh, np.array([channel])).points(np.array([share])))
    return QPointF(*places[0])


def test_worms_and_rings_are_drawn(make):
    """The job's colour where its worms are, vermilion while one is blocked, neither without the network."""
    cursor = network_cursor(MEETING, 10)
    view = make(cursor)
    vermilion = view._themes.theme.rgb("blocked")
    assert amount(view, job_colour(1, "light")) > 300
    assert amount(view, vermilion) > 100
    cursor.go_to_time(27)
    assert amount(view, vermilion) == 0
    assert amount(view, job_colour(0, "light")) > 300
    view.source.toggle_network()
    assert view.source.scene.network is None


def test_pointing_and_clicking_find_packets_and_channels(make, qtbot):
    """A worm gives its packet, an idle link its channel, the cell between them the job."""
    view, selection = (made := make(network_cursor(MEETING, 10))), made._selection
    left = Qt.MouseButton.LeftButton
    qtbot.mouseMove(view, place_of(view, 8).toPoint())
    qtbot.waitUntil(lambda: (selection.hovered_packet, selection.hovered_channel) == (1, 8))
    qtbot.mouseClick(view, left, pos=place_of(view, 8).toPoint())
    assert (selection.packet, selection.job) == (1, 0)
    idle = 5 * WAYS + 1
    qtbot.mouseClick(view, left, pos=place_of(view, idle).toPoint())
    assert (selection.packet, selection.channel) == (1, idle)
    cell = view._layout(view.source.scene, view.width(), view.height()).cell
    beside = place_of(view, 5 * WAYS) + QPointF(0.0, 0.33 * cell)
    qtbot.mouseClick(view, left, pos=beside.toPoint())
    assert (selection.job, selection.packet, selection.channel) == (0, None, None)
    qtbot.mouseClick(view, left, pos=QPoint(2, 2))
    assert selection.job is None


def test_what_leads_to_another_layer_is_seen_on_both_boards(make):
    """A channel upwards is a dot on the board it leaves and on the one it comes to."""
    view = make(network_cursor(THROUGH, 7, **CUBE))
    assert UP in view.source.view.network.held_channels
    for share in (0.0, 1.0):
        assert view.pointed_at(place_of(view, UP, share)).packet == 0
    view.source.show(MeshLook(Slice(2, 2, 2)))
    assert view.pointed_at(place_of(view, 2 * 9 * WAYS)) != NOWHERE
    assert amount(view, job_colour(0, "light")) == 0


def test_the_use_of_channels_has_no_colour_of_a_job(make):
    """Shown instead of the worms, in the colours of its scale, with its legend."""
    view = make(network_cursor(ALONE, 20))
    ground = view._themes.theme.rgb("mesh_background")
    assert top_is(view, ground)
    view.source.toggle_use()
    assert not top_is(view, ground)
    assert amount(view, job_colour(0, "light")) == 0
    high = view._themes.theme.heat_high
    assert amount(view, [int(high[n : n + 2], 16) / 255 for n in (1, 3, 5)]) > 100


def test_cards_tell_of_what_is_pointed_at(make, qtbot):
    """With the pointer on a worm the picture of the view has a card that it has not without."""
    view = make(network_cursor(ALONE, 14))
    before = view.grab().toImage()
    qtbot.mouseMove(view, place_of(view, 0).toPoint())
    qtbot.waitUntil(lambda: view._selection.hovered_packet == 0)
    assert view.grab().toImage() != before


def test_a_worm_does_not_cover_a_jobs_number(make):
    """Down the first column it runs through the corner of job 0, whose number stays as it was."""
    cursor = network_cursor([[0, 0, 3, 0, 0, 0, 0, 1], [90, 3, 1, 0, 3, 0, 0, 0]], 0)
    view = make(cursor)

    def number():
        size = QSize(190, 190)
        image = view.grab_image(size)
        corner = view._layout(view.source.scene, 190, 190, zoomed=False).rect(0, 0, 1, 1, 1).toRect()
        ink = view._themes.theme.colour("text")
        around = (
            (x, y) for x in range(corner.left(), corner.right()) for y in range(corner.top(), corner.bottom())
        )
        pixels = (image.pixelColor(x, y) for x, y in around)
        return sum(abs(pixel.lightness() - ink.lightness()) < 40 for pixel in pixels)

    alone = number()
    cursor.go_to_time(18)
    assert np.isin(cursor.view.network.held_channels, WAYS * 8 + 3).any()
    assert number() >= alone > 5
