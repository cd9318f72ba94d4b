"""The legend of an attempt explains every colour and outline that its steps draw."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRect, QSize
from PySide6.QtGui import QImage, QPainter

from meshgui.engine.allocation.steps import Mark, Role
from meshgui.engine.basics.geometry import Box
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import Scenario
from meshgui.model.jobs.waiting import why_it_waits
from meshgui.model.moment.position import Position
from meshgui.model.scene.marks import LegendEntry, Sign
from meshgui.model.scene.mesh_scene import build_scene
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.selection import Selection
from meshgui.views.mesh.flat.canvas import MeshFlat
from meshgui.views.mesh.scene.drawn_box import draw_hint
from meshgui.views.mesh.scene.legend import draw_legend, place_legend
from meshgui.views.mesh.solid.canvas import MeshGL
from meshgui.views.style.theme import DARK, LIGHT, EnlargedDress
from tests.networks import sent_on_torus
from tests.views.mesh.mesh_fixtures import cursor_of, inside_attempt
from tests.views.mesh.network_fixtures import MEETING, network_cursor

STRATEGIES = ["ff", "bf", "tbl", "gabl", "mbs", "paging", "fs", "as", "2dbs", "anca", "ls", "adj", "qa"]


def run_of(allocator):
    """A cursor over a short run."""
    try:
        scenario = Scenario.model_validate(
            {
                "mesh": {"shape": [8, 8]},
                "allocator": {"name": allocator},
                "workload": {"kind": "stochastic", "jobs": 14, "load": 20.0},
            }
        )
    except ValueError:
        pytest.skip(f"there is no strategy {allocator} of 2D meshes")
    cursor = Cursor()
    cursor.show(simulate(scenario))
    return cursor


def explained(scene):
    """The looks of the legend, which has those of all marks."""
    looks = {(entry.fill, entry.edge, entry.width) for entry in scene.legend}
    assert {(mark.fill, mark.edge, mark.width) for mark in scene.marks} <= looks
    return looks


@pytest.mark.parametrize("allocator", STRATEGIES)
def test_every_mark_and_dot_of_every_step_is_explained(allocator):
    """Fill, outline and width of each mark are in the legend, as are colours of dots, in either theme."""
    cursor = run_of(allocator)
    recording = cursor.recording
    for attempt in range(0, len(recording.attempts), 3):
        for step in range(0, len(recording.trace(attempt).steps), 4):
            cursor.go_to(Position(recording.attempts[attempt].position, attempt, step))
            for theme in (LIGHT, DARK):
                scene = build_scene(cursor.view, Selection(), theme)
                dots = {fill[:3] for fill, _, width in explained(scene) if not width}
                meant = ~scene.unmarked_dots & (scene.dot_sizes < np.float32(0.35))
                for colour in np.unique(scene.dot_colours[meant, :3], axis=0).tolist():
                    assert any(colour == pytest.approx(dot, abs=1e-6) for dot in dots)


def test_the_legend_stays_from_step_to_step():
    """It explains all that the attempt will draw, and so does not change while one steps through it."""
    cursor = inside_attempt((8, 8), [(3, 3), (2, 4), (5, 1), (1, 1)], "tbl", step=0)
    place, legends = cursor.position, set()
    for step in range(len(cursor.view.trace.steps)):
        cursor.go_to(place._replace(step=step))
        legends.add(tuple(entry.words for entry in build_scene(cursor.view, Selection(), LIGHT).legend))
    (words,) = legends
    assert {"looked at", "right border plane", "placed"} <= set(words)
    # Between events there is none; inside an attempt the outline of the selected job is named in it
    cursor = inside_attempt((8, 8), [(3, 3), (2, 4)], "tbl")
    selection = Selection()
    selection.select(0)
    assert build_scene(cursor.view, selection, LIGHT).legend[-1].words == "selected"
    cursor.go_to(Position(cursor.position.events))
    assert build_scene(cursor.view, selection, LIGHT).legend == ()


def test_in_a_release_it_names_what_is_free():
    """Every mark is explained, in the words of a release; the boxes of the job that leaves step back."""
    cursor = run_of("fsl")
    recording, words = cursor.recording, set()
    for position in range(len(recording)):
        if recording.leaving_at(position) is None:
            continue
        for step in range(len(recording.trace_release(position).steps)):
            cursor.go_to(Position(position, step=step, release=True))
            scene = build_scene(cursor.view, Selection(), LIGHT)
            explained(scene)
            words |= {entry.words for entry in scene.legend}
            leaving = scene.jobs == cursor.view.job
            assert leaving.any()
            if not leaving.all():
                assert scene.colours[leaving, 3].max() < scene.colours[~leaving, 3].min()
    assert words == {"looked at", "free", "cut or dropped", "rules it out"}


def painted(view, size):
    """A picture by a painter alone, who writes the legend where it is in every picture."""
    image = QImage(*size, QImage.Format.Format_RGB32)
    image.fill(0)
    with QPainter(image) as painter:
        view.draw_lines(painter, QSize(*size))
    return image


def both_pictures(view, size):
    """A picture inside the attempt with its legend, and one of the same machine without."""
    cursor = view.source.cursor
    inside = cursor.position
    shown = painted(view, size)
    cursor.go_to(inside._replace(attempt=None, step=0))
    plain = painted(view, size)
    cursor.go_to(inside)
    return shown, plain


def test_the_legend_is_drawn_above_the_mesh(build):
    """In the margin of a picture, at its right, and in as many rows as a narrow one needs."""
    for width, step in ((800, -1), (260, 3)):
        view = build(MeshFlat, inside_attempt((8, 8), [(3, 3), (2, 4)], "tbl", step))
        with_legend, without = both_pictures(view, (width, 500))
        corner = QRect(width - 150, 0, 150, 24)
        assert with_legend.copy(corner) != without.copy(corner)


@pytest.fixture(params=[MeshFlat, MeshGL])
def from_above(request, build):
    """Either view inside an attempt, with the mesh seen from above."""
    view = build(request.param, inside_attempt((8, 8), [(3, 3), (2, 4)], "tbl", step=3))
    if request.param is MeshGL:
        view.set_camera_view("top", animated=False)
    return view


def test_the_legend_leaves_the_letter_of_the_upward_axis_and_the_mesh_in_sight(from_above, themes):
    """Where a row of all entries would reach over it, they fill two."""
    for width in range(320, 700, 20):
        with_legend, without = both_pictures(from_above, (width, 366))
        left = (width - 310) // 2  # of the mesh, which is as high as the picture but for its margins
        letter = QRect(max(left - 34, 0), 0, 24, 26)
        assert with_legend.copy(letter) == without.copy(letter), width
    # In large letters a second row would hide the mesh's uppermost nodes: it stands beside the mesh
    themes.set_scale(2.0)
    with_legend = from_above.grab_image(QSize(1200, 500))
    from_above.source.scene.__dict__["legend"] = ()
    without = from_above.grab_image(QSize(1200, 500))
    over_the_mesh = QRect(400, 0, 400, 500)
    assert with_legend.copy(over_the_mesh) == without.copy(over_the_mesh)
    assert with_legend != without


def test_what_the_pointer_does_is_said_beside_the_legend(build):
    """While jobs are drawn, in as many words as the legend leaves room for."""
    view = build(MeshFlat, inside_attempt((8, 8), [(3, 3), (2, 4)], "tbl"), (652, 366))
    before = view.grab().toImage()
    left = int(view.legend_left)
    assert 0 < left < 652
    view.source.drawing.toggle()
    drawing = view.grab().toImage()
    legend = QRect(left, 0, 652 - left, 26)
    assert drawing.copy(legend) == before.copy(legend)
    assert drawing != before


def test_what_a_panel_points_out_is_in_the_legend_as_it_is_drawn():
    """Where a waiting job could start, and who rules it out, have the accent's outline in both."""
    cursor = cursor_of((4, 4), [(4, 2), (2, 2), (4, 4)])
    cursor.go_to(Position(len(cursor.recording.jobs) + 2))
    view, selection = cursor.view, Selection()
    reason = why_it_waits(view, 2)
    selection.point_out(*reason.marks(view.snapshot))
    scene = build_scene(view, selection, DARK)
    assert {mark.role for mark in scene.marks} == {Role.CANDIDATE, Role.BLOCKED}
    looks = {(entry.role, entry.fill, entry.edge, entry.width) for entry in scene.legend}
    assert {(mark.role, mark.fill, mark.edge, mark.width) for mark in scene.marks} == looks
    # A row chosen inside an attempt is named: its outline is the accent's, the roles keep theirs
    cursor = inside_attempt((8, 8), [(3, 3), (2, 4), (5, 1), (1, 1)], "tbl", step=0)
    selection = Selection()
    selection.point_out(Mark(Role.TRIED, Box(0, 0, 0, 2, 2, 1), (0, 0, 0)))
    scene = build_scene(cursor.view, selection, LIGHT)
    assert scene.legend[-1].words == "selected"
    assert scene.legend[-1].edge == scene.marks[-1].edge


def test_marks_of_another_job_than_the_selected_one_say_whose_they_are():
    """First, in its look: what a panel shows of the job that is served next, and the steps of an attempt."""
    cursor, selection = cursor_of((4, 4), [(4, 2), (2, 2), (4, 4), (1, 1)]), Selection()
    cursor.go_to_time(0.0)
    view = cursor.view
    assert view.snapshot.queue.tolist() == [2, 3]
    reason = why_it_waits(view, 3)
    selection.point_out(*reason.marks(view.snapshot), job=reason.subject)

    def whose() -> list[tuple[int, str]]:
        legend = build_scene(cursor.view, selection, LIGHT).legend
        return [(place, entry.words) for place, entry in enumerate(legend) if entry.job == 2]

    for job, said in ((3, [(0, "for job 2")]), (2, []), (None, [])):
        selection.select(job)
        assert whose() == said
    selection.point_out()
    cursor.enter_attempt([attempt.job for attempt in cursor.recording.attempts].index(2))
    for job, said in ((0, [(0, "for job 2")]), (2, []), (None, [])):
        selection.select(job)
        assert whose() == said


def test_signs_of_packets_are_explained_between_events():
    """The same at every moment, each sign once; not where links show their use, nor inside an attempt."""
    cursor = network_cursor(MEETING, 0)

    def legend(**shown):
        return build_scene(cursor.view, Selection(), LIGHT, **shown).legend

    first = legend()
    assert [(entry.words, entry.sign) for entry in first] == [
        ("blocked", Sign.RING),
        ("asked for", Sign.DASHES),
        ("header", Sign.ARROW),
        ("flits", Sign.BEADS),
        ("granted", Sign.LINE),
        ("queued", Sign.DOT),
    ]
    cursor.go_to_time(cursor.recording.end_time / 2)
    assert legend() == first
    assert legend(show_use=True) == legend(show_network=False) == ()
    cursor.go_to(Position(cursor.recording.attempts[0].position, 0, 0))
    assert not {entry.words for entry in first} & {entry.words for entry in legend()}


def test_the_band_of_a_deadlock_is_explained_where_it_is_drawn():
    """Every sign then has its row, the band first."""
    cursor = Cursor()
    cursor.show(sent_on_torus(*((0, (x, 1), ((x + 2) % 4, 1)) for x in range(4)), flits=16))
    before = build_scene(cursor.view, Selection(), LIGHT).legend
    cursor.go_to_time(cursor.recording.deadlock.cycle)
    band, *others = build_scene(cursor.view, Selection(), LIGHT).legend
    assert (band.words, band.sign) == ("deadlock", Sign.BAND)
    assert tuple(others) == before
    assert {entry.sign for entry in (band, *others)} == set(Sign)


@pytest.mark.parametrize(("width", "kept"), [(900, 6), (440, 5), (300, 3), (180, 1), (60, 1)])
def test_signs_of_packets_take_one_line(width, kept, themes):
    """In a narrow view the least needed are counted: further lines would cover worms."""
    entries = build_scene(network_cursor(MEETING, 0).view, Selection(), LIGHT).legend
    placed = place_legend(QSize(width, 400), entries, themes, [])
    assert placed.entries[:kept] == entries[:kept]
    assert [entry.words for entry in placed.entries[kept:]] == ([f"+{6 - kept}"] if kept < 6 else [])
    assert width < 100 or len({top for _, top in placed.places}) == 1


def test_the_legend_of_an_attempt_covers_no_more_than_a_quarter_of_the_mesh(themes):
    """Presented in large letters it covered half: what has no room is counted."""
    themes.set_scale(2.0)
    cursor = inside_attempt((8, 8), [(3, 3), (2, 4), (5, 1), (1, 1)], "tbl", step=0)
    entries = build_scene(cursor.view, Selection(), LIGHT).legend
    room = QSize(300, 400)
    enlarged = EnlargedDress(themes)
    enlarged.set_zoom(1.6)
    placed = place_legend(QSize(900, 400), entries, enlarged, [])
    assert placed.entries == entries  # in smaller letters
    assert placed.frame.height() < 0.4 * 400
    placed = place_legend(room, entries, enlarged, [])
    assert placed.frame.height() < 0.4 * room.height()
    shown = len(placed.entries) - 1
    assert placed.entries[shown].words == f"+{len(entries) - shown}"


@pytest.mark.parametrize("sign", Sign)
def test_signs_of_packets_differ_without_colour(sign, themes):
    """Each covers another part of its sample."""
    pictures = {}
    for one in Sign:
        entry = LegendEntry("", LIGHT.rgba("text", 1.0), sign=one)
        placed = place_legend(QSize(80, 30), (entry,), themes, [])
        image = QImage(80, 30, QImage.Format.Format_RGB32)
        image.fill(LIGHT.colour("panel"))
        with QPainter(image) as painter:
            draw_legend(painter, placed)
        pictures[one] = image
    assert all(pictures[sign] != picture for one, picture in pictures.items() if one != sign)


@pytest.mark.parametrize(("room", "line"), [(400, 0), (60, 1)])
def test_what_the_pointer_does_is_said_beside_the_legend_or_below_it(themes, room, line):
    """In a narrow mesh of a lecture it lay over the first of the colours."""
    picture = QImage(400, 120, QImage.Format.Format_RGB32)
    picture.fill(0)
    with QPainter(picture) as painter:
        draw_hint(painter, room, ("Drag the size of a job", "Draw · Esc"), themes)
    drawn = np.flatnonzero([any(picture.pixel(x, y) & 0xFFFFFF for x in range(400)) for y in range(120)])
    height = drawn[-1] - drawn[0]
    assert drawn[0] // height == line


def test_the_legend_stands_beside_the_mesh_only_where_its_end_is_known(themes):
    """In a low mesh the upward axis alone had its letter, and what stood behind that covered the packets."""
    entries = build_scene(network_cursor(MEETING, 0).view, Selection(), LIGHT).legend
    for letters, one_line in (([QPointF(20, 20)], True), ([QPointF(20, 20), QPointF(150, 300)], False)):
        placed = place_legend(QSize(300, 400), entries, themes, letters)
        assert (len({top for _, top in placed.places}) == 1) == one_line
