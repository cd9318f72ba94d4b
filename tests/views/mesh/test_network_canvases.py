"""Both canvases draw the network, and the pointer finds its packets and channels."""

import pytest
from PySide6.QtCore import QPoint, QPointF, QSize, Qt

from meshgui.engine.network.routing import WAYS
from meshgui.views.mesh.scene.network.pointing import NOWHERE
from meshgui.views.style.colours import from_hex, job_colour
from tests.views.mesh.mesh_fixtures import area
from tests.views.mesh.network_fixtures import ALONE, MEETING, channel_place, network_cursor

IDLE = 5 * WAYS + 1  # from (1,1) back to (0,1)


def amount(view, colour):
    """How many pixels of a picture have a colour."""
    return area(view.grab_image(QSize(600, 600)), colour)


def click(view, at, qtbot):
    """Click a place; returns the job, packet and channel that are selected then."""
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=at.toPoint())
    selection = view.source.selection
    return selection.job, selection.packet, selection.channel


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_worms_are_drawn_in_full_colour_over_jobs_of_glass(canvas, mode):
    """A job's own colour is there where its worm is, hardly before, and everywhere without the network."""
    cursor, colour = network_cursor(ALONE, 14), job_colour(0, mode)
    view = canvas(cursor, mode=mode)
    under_way = amount(view, colour)
    cursor.go_to_time(0)
    assert under_way > 5 * amount(view, colour) > 0
    view.source.toggle_network()
    assert view.source.scene.network is None
    assert amount(view, colour) > 5 * under_way
    assert view.pointed_at(channel_place(view, 0)) == NOWHERE


def test_a_blocked_head_is_ringed(canvas):
    """Vermilion appears while a packet is blocked, and is gone once it goes on."""
    cursor = network_cursor(MEETING, 10)
    view = canvas(cursor)
    vermilion = view.source.themes.theme.rgb("blocked")
    assert amount(view, vermilion) > 100
    cursor.go_to_time(27)
    assert amount(view, vermilion) == 0


def test_the_use_of_channels_has_no_colour_of_a_job(canvas):
    """Shown instead of the worms, in the colours of its scale."""
    view = canvas(network_cursor(ALONE, 20))
    view.source.toggle_use()
    assert amount(view, job_colour(0, "light")) == 0
    assert amount(view, from_hex(view.source.themes.theme.heat_high)) > 100


def test_pointing_at_a_worm_finds_packet_and_channel(canvas, qtbot):
    """Beside the mesh there is nothing."""
    view = canvas(network_cursor(MEETING, 10))
    selection = view.source.selection
    for at, found in ((channel_place(view, 8).toPoint(), (0, 1, 8)), (QPoint(2, 2), (None, None, None))):
        qtbot.mouseMove(view, at)
        qtbot.waitUntil(lambda found=found: selection.hovered_packet == found[1])
        assert (selection.hovered, selection.hovered_packet, selection.hovered_channel) == found


def test_a_click_selects_what_is_under_it(canvas, qtbot):
    """A packet with its job, an idle link beside it, between links the job alone; beside all, nothing."""
    view = canvas(network_cursor(MEETING, 10))
    assert click(view, channel_place(view, 8), qtbot) == (0, 1, None)
    assert click(view, channel_place(view, IDLE), qtbot) == (0, 1, IDLE)
    assert amount(view, view.source.themes.theme.rgb("accent")) > 30
    cell = abs(channel_place(view, 5 * WAYS, 1.0).x() - channel_place(view, 5 * WAYS, 0.0).x())
    between = channel_place(view, 5 * WAYS) + QPointF(0.0, 0.33 * cell)
    assert click(view, between, qtbot) == (0, None, None)
    assert click(view, QPointF(2, 2), qtbot) == (None, None, None)
