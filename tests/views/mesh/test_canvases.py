"""Both canvases draw what the snapshot holds, and the pointer finds it."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QSize, Qt

from meshgui.engine.network.routing import WAYS
from meshgui.model.moment.position import Position
from meshgui.model.scene.colours import from_hex, job_colour
from meshgui.model.scene.network_pointing import NOWHERE
from meshgui.model.scene.slicing import Slice
from meshgui.model.stepping.cursor import Cursor
from meshgui.views.mesh.scene.source import MeshLook
from tests.views.mesh.mesh_fixtures import SIZES, SOLIDS, after_all_started, area, inside_attempt, place_of
from tests.views.mesh.network_fixtures import ALONE, MEETING, channel_place, network_cursor
from tests.views.pointer import move_to


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_every_jobs_colour_is_there_in_its_share(canvas, mode):
    """From above, the area of each job's colour follows the size of its box."""
    image = canvas(after_all_started((8, 8), SIZES), mode=mode).grab_image(QSize(500, 500))
    areas = [area(image, job_colour(job, mode)) for job in range(len(SIZES))]
    assert min(areas) > 0
    assert np.argsort(areas).tolist() == np.argsort([w * d for w, d in SIZES]).tolist()


@pytest.mark.parametrize("job", range(len(SOLIDS)))
def test_the_pointer_finds_each_job_where_it_is_drawn(canvas, job):
    """A pick at the middle of a job's box returns the job, its layer alone."""
    cursor = after_all_started((4, 4, 4), SOLIDS)
    layer = cursor.recording.boxes_of(job)[0].z
    view = canvas(cursor)
    view.show_camera({"view": "top"})
    view.source.show(MeshLook(Slice(2, layer, layer)))
    assert view.job_at(place_of(view, job)) == job


def test_a_click_selects_the_job_under_it_and_pointing_hovers_it(canvas, qtbot):
    """The job under a click is selected; a click beside the mesh selects nothing."""
    view = canvas(after_all_started((8, 8), SIZES))
    for at, job in ((place_of(view, 1).toPoint(), 1), (QPoint(2, 2), None)):
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=at)
        assert view.source.selection.job == job
    # Pointing hovers the job under the pointer, and none once it leaves the mesh
    for at, job in ((place_of(view, 2).toPoint(), 2), (QPoint(3, 3), None)):
        move_to(view, QPointF(at))
        qtbot.waitUntil(lambda job=job: view.source.selection.hovered == job)


def test_slicing_hides_what_lies_beyond(canvas):
    """With only the first column shown, jobs elsewhere leave the picture."""
    view = canvas(after_all_started((8, 8), SIZES))
    last = len(SIZES) - 1
    column = int(view.source.scene.boxes[last, 0])
    view.source.show(MeshLook(Slice(0, 0, column - 1)))
    assert area(view.grab_image(QSize(400, 400)), job_colour(last, "light")) == 0
    assert place_of(view, last) is None
    view.source.show(MeshLook())
    assert area(view.grab_image(QSize(400, 400)), job_colour(last, "light")) > 0


@pytest.mark.parametrize("size", [(320, 200), (800, 500), (123, 457)])
def test_a_picture_has_the_size_asked_for(canvas, size):
    """Whatever the widget's size, the picture has the one wanted."""
    image = canvas(after_all_started((4, 4, 4), SOLIDS)).grab_image(QSize(*size))
    assert (image.width(), image.height()) == size


def test_without_a_recording_there_is_one_line_on_the_ground(canvas):
    """The empty state is the ground and a line of text, and pointing at it finds nothing."""
    view = canvas(Cursor())
    ground = area(view.grab_image(QSize(600, 400)), view.source.themes.theme.rgb("mesh_background"))
    assert 0.98 * 600 * 400 < ground < 600 * 400
    assert view.job_at(QPointF(300, 200)) is None


def test_marks_of_an_attempt_are_drawn(canvas):
    """Inside an attempt the placed box appears in the accent; a step before it does not."""
    cursor = inside_attempt((8, 8), SIZES, "tbl")
    view = canvas(cursor)

    def marked():
        below_legend = view.grab_image(QSize(500, 500)).copy(0, 30, 500, 470)
        return area(below_legend, view.source.themes.theme.rgb("accent"))

    assert marked() > 50
    cursor.go_to(cursor.position._replace(step=0))
    assert marked() == 0


def test_what_changes_while_hidden_is_seen_when_shown(canvas, qtbot):
    """A hidden view makes no scene; shown again it draws the place the cursor is at."""
    cursor = after_all_started((8, 8), SIZES)
    view = canvas(cursor)
    view.hide()
    cursor.go_to(Position(5))
    with qtbot.waitExposed(view):
        view.show()
    shown = view.grab().toImage()
    drawn = {job for job in range(len(SIZES)) if area(shown, job_colour(job, "light"))}
    assert drawn == set(cursor.view.snapshot.running.tolist())


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


def test_a_blocked_head_is_ringed_and_the_use_of_channels_has_no_colour_of_a_job(canvas):
    """Vermilion appears while a packet is blocked, and is gone once it moves again."""
    cursor = network_cursor(MEETING, 10)
    view = canvas(cursor)
    vermilion = view.source.themes.theme.rgb("blocked")

    def red():
        return area(view.grab_image(QSize(600, 600)).copy(0, 30, 600, 570), vermilion)  # below the legend

    assert red() > 100
    cursor.go_to_time(27)
    assert red() == 0
    # The use of channels is shown instead of the worms, in the colours of its scale, none of which is a job's
    view = canvas(network_cursor(ALONE, 20))
    view.source.toggle_use()
    assert amount(view, job_colour(0, "light")) == 0
    assert amount(view, from_hex(view.source.themes.theme.heat_high)) > 100


def test_a_worm_is_pointed_at_and_clicked(canvas, qtbot):
    """Beside the mesh there is nothing."""
    view = canvas(network_cursor(MEETING, 10))
    selection = view.source.selection
    for at, found in ((channel_place(view, 8).toPoint(), (0, 1, 8)), (QPoint(2, 2), (None, None, None))):
        move_to(view, QPointF(at))
        qtbot.waitUntil(lambda found=found: selection.hovered_packet == found[1])
        assert (selection.hovered, selection.hovered_packet, selection.hovered_channel) == found
    # A click selects a packet with its job, an idle link beside it, or the job alone
    assert click(view, channel_place(view, 8), qtbot) == (0, 1, None)
    assert click(view, channel_place(view, IDLE), qtbot) == (0, 1, IDLE)
    assert amount(view, view.source.themes.theme.rgb("accent")) > 30
    cell = abs(channel_place(view, 5 * WAYS, 1.0).x() - channel_place(view, 5 * WAYS, 0.0).x())
    between = channel_place(view, 5 * WAYS) + QPointF(0.0, 0.33 * cell)
    assert click(view, between, qtbot) == (0, None, None)
    assert click(view, QPointF(2, 2), qtbot) == (None, None, None)
