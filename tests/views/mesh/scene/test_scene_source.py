"""The scene of both canvases is built when what it shows has changed, and not when the pointer moves."""

from dataclasses import fields

import numpy as np
import pytest

from meshgui.engine.allocation.steps import Mark, Role
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.model.scene.colours import job_colour
from meshgui.model.scene.mesh_scene import box_grid, build_scene, describe_box
from meshgui.model.scene.packet_strokes import PacketStrokes
from meshgui.model.scene.strokes import Strokes
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.selection import Selection
from meshgui.views.mesh.scene import source as scene_source
from meshgui.views.mesh.scene.source import MeshLook, SceneSource
from meshgui.views.style.theme import DARK, LIGHT
from tests.networks import full_mesh
from tests.views.mesh.mesh_fixtures import SOLIDS, after_all_started, cursor_of, inside_attempt
from tests.views.mesh.network_fixtures import ALONE, MEETING, network_cursor


@pytest.fixture
def builds(monkeypatch):
    """The scenes built."""
    found = []

    def build(*arguments, **options):
        found.append(build_scene(*arguments, **options))
        return found[-1]

    monkeypatch.setattr(scene_source, "build_scene", build)
    return found


@pytest.fixture
def source_at(themes):
    """A source of scenes at a cursor."""
    return lambda cursor: SceneSource(cursor, Selection(), themes)


def same(one, other):
    """Whether two scenes, or parts of one, are drawn alike."""
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if hasattr(one, "__dataclass_fields__"):
        names = [field.name for field in fields(one) if field.name != "packets"]
        return all(same(getattr(one, name), getattr(other, name)) for name in names)
    return one == other


def fresh_scene(source):
    """The scene built from scratch with everything as it is."""
    return build_scene(source.view, source.selection, source.themes.theme, show_use=source.look.use)


def test_pointing_at_jobs_and_changing_canvases_builds_no_scene(source_at, builds, panel):
    """Their looks change as if the scene were built again."""
    source = source_at(after_all_started((4, 4, 4), [(2, 2, 2), (2, 2, 4), (2, 2, 2)]))
    source.selection.select(1)
    for job in (0, 1, 2, None):
        source.selection.hover(job)
        assert same(source.scene, fresh_scene(source))
        assert source.scene.hovered == job
    assert len(builds) == 1
    # Both canvases draw one scene: changing between 3D and flat builds nothing
    view = panel(after_all_started((4, 4, 4), [(2, 2, 2)]))
    view.grab()
    view.toggle_flat()
    view.grab()
    assert len(builds) == 2


@pytest.mark.parametrize("use", [False, True])
def test_pointing_at_packets_and_channels_builds_no_scene(source_at, builds, use):
    """Halos, ways and capsules come and go as if the scene were built again."""
    source = source_at(network_cursor(MEETING, 8))
    source.show(MeshLook(use=use))
    for packet, channel in ((0, None), (1, 3), (None, 3), (None, None), (2, 0), (0, 2)):
        source.selection.hover(None, packet, channel)
        assert same(source.scene, fresh_scene(source))
    assert len(builds) == 1


@pytest.mark.parametrize("chosen", [None, 0, 5])
def test_in_a_crowd_each_packet_pointed_at_stands_out(source_at, builds, chosen):
    """The marks of the one pointed at do not step back, whether it moves, is blocked or waits."""
    cursor = Cursor()
    cursor.show(full_mesh())
    cursor.go_to_time(130)
    source, moment = source_at(cursor), cursor.view.network
    if chosen is not None:
        source.selection.select_packet(int(moment.blocked[chosen]), 0)
    plain = source.scene.network.plain
    for packet in [*moment.packets[::7], *moment.blocked[::5], *moment.queued[::9]]:
        source.selection.hover(None, int(packet), None)
        shown = source.scene.network.strokes
        painter = PacketStrokes(cursor.recording.network, moment, source.selection, LIGHT, int(packet))
        assert same(shown, Strokes.together([*painter.marks(), *painter.packets()]))
        assert len(shown.starts) >= len(plain.starts)
    source.selection.hover(None)
    assert same(source.scene.network.strokes, plain)
    assert len(builds) == 1


def test_what_the_scene_shows_builds_it(source_at, builds):
    """A selected job, another time and another theme do; what has not changed does not."""
    source = source_at(after_all_started((4, 4), [(2, 2), (2, 2)]))
    assert source.scene is source.scene
    source.selection.select(0)
    assert source.scene.selected == 0
    source.cursor.first()
    assert not len(source.scene.jobs)
    assert source.scene is source.scene
    assert len(builds) == 3
    # Between two events, too: the place stays the same while the network goes on
    cursor = network_cursor(ALONE, 14)
    source = source_at(cursor)
    before, place = source.scene, cursor.position
    cursor.go_to_time(15)
    assert cursor.position == place
    now = source.scene
    assert now is not before
    cursor.go_to_time(15.5)
    assert source.scene is now


def test_boxes_are_the_snapshots_in_their_jobs_colours_and_described_by_a_card():
    """Each held box is there once, in the colour its job has everywhere."""
    view = after_all_started((4, 4, 4), SOLIDS).view
    for theme in (LIGHT, DARK):
        scene = build_scene(view, Selection(), theme)
        np.testing.assert_array_equal(scene.boxes, view.snapshot.boxes)
        for job, colour in zip(scene.jobs.tolist(), scene.colours, strict=True):
            assert colour == pytest.approx((*job_colour(job, theme.name), 1.0))
    # The card beside the pointer names the job, its size, its box and since when it runs
    view = after_all_started((4, 4, 4), SOLIDS).view
    scene = build_scene(view, Selection(), LIGHT)
    assert describe_box(view, scene, 0) == ("Job 0   2×2×2", "(0,0,0)–(1,1,1)", "since 0.00")


def test_every_free_node_is_a_dot_and_the_grid_of_boxes_fills_the_others():
    """Dots and boxes together cover each node exactly once; at the start all are dots."""
    empty = build_scene(cursor_of((4, 4, 4), SOLIDS).view, Selection(), LIGHT)
    assert (len(empty.boxes), len(empty.dots), empty.marks) == (0, 64, ())
    scene = build_scene(after_all_started((4, 4, 4), SOLIDS).view, Selection(), LIGHT)
    covered = np.zeros((4, 4, 4), dtype=int)
    for x, y, z, w, d, h in scene.boxes.tolist():
        covered[z : z + h, y : y + d, x : x + w] += 1
    x, y, z = scene.dots.T
    covered[z, y, x] += 1
    assert (covered == 1).all()
    # The grid of boxes agrees with filling them one by one, in random cuts of a mesh into disjoint boxes
    rng = np.random.default_rng(5)
    mesh = Mesh((7, 6, 5))
    cells = [(x, y, z, 1, 1, 1) for x in range(7) for y in range(6) for z in range(4)]
    boxes = np.array(
        [cells[i] for i in rng.permutation(len(cells))[:60]] + [(0, 0, 4, 5, 6, 1)], dtype=np.int16
    )
    expected = np.full((5, 6, 7), -1)
    for row, (x, y, z, w, d, h) in enumerate(boxes.tolist()):
        expected[z : z + h, y : y + d, x : x + w] = row
    np.testing.assert_array_equal(box_grid(mesh, boxes), expected)


def test_a_selected_job_is_outlined_and_the_others_step_back():
    """The selected job keeps its colour; every other one moves towards the ground."""
    view = after_all_started((4, 4, 4), SOLIDS).view
    selection = Selection()
    plain = build_scene(view, selection, LIGHT)
    selection.select(1)
    scene = build_scene(view, selection, LIGHT)
    chosen = scene.jobs == 1
    np.testing.assert_array_equal(scene.colours[chosen], plain.colours[chosen])
    assert (scene.colours[~chosen, :3] > plain.colours[~chosen, :3]).any(axis=1).all()
    assert (scene.edges[chosen, :3] == np.float32(LIGHT.rgb("accent"))).all()


def test_inside_an_attempt_its_marks_are_drawn_over_glass():
    """The marks of the step are there with their boxes, and every job lets them shine through."""
    cursor = inside_attempt((4, 4, 4), SOLIDS, "tbl")
    scene = build_scene(cursor.view, Selection(), LIGHT)
    marks = [mark for mark in cursor.view.inspection.marks if mark.box.volume]
    assert [(mark.role, mark.box) for mark in scene.marks] == [(mark.role, mark.box) for mark in marks]
    assert scene.marks[-1].role == Role.PLACED
    assert scene.marks[-1].fill == (*job_colour(2, "light"), 1.0)
    assert (scene.colours[:, 3] < 1.0).all()
    # Outside an attempt only what an inspector points out is marked
    view = after_all_started((4, 4, 4), SOLIDS).view
    selection = Selection()
    assert build_scene(view, selection, LIGHT).marks == ()
    selection.point_out(Mark(Role.PROHIBITED, Box(0, 0, 0, 2, 2, 2), (0, 0, 0)))
    (mark,) = build_scene(view, selection, LIGHT).marks
    assert mark.box == Box(0, 0, 0, 2, 2, 2)
    assert mark.edge == LIGHT.rgba("accent", 1.0)


def test_first_fits_bit_array_colours_the_nodes_it_has_judged():
    """Inside an attempt the grid's bases and non-bases are coloured dots."""
    cursor = inside_attempt((4, 4), [(3, 3), (2, 1)], "ff")
    (grid,) = cursor.view.inspection.panels
    scene = build_scene(cursor.view, Selection(), LIGHT)
    colours = {
        tuple(dot): tuple(colour) for dot, colour in zip(scene.dots.tolist(), scene.dot_colours, strict=True)
    }
    for value, token in ((2, "prohibited"), (3, "candidate")):
        for _, y, x in np.argwhere(grid.values.reshape(1, 4, 4) == value).tolist():
            assert colours[x, y, 0][:3] == pytest.approx(LIGHT.rgb(token))
    assert 3 in grid.values


@pytest.mark.parametrize(
    ("selected", "hovered", "faded"),
    [
        (None, None, [False] * 3),
        (9, None, [False] * 3),
        (0, None, [False, True, True]),
        (0, 1, [False, False, True]),
    ],
)
def test_boxes_step_back_where_one_is_selected_and_only_there(selected, hovered, faded):
    """A number is written for the colour its box has: a job that waits, or runs in another run, dims none."""
    view, selection = after_all_started((4, 4, 4), SOLIDS).view, Selection()
    selection.select(selected)
    selection.hover(hovered)
    scene = build_scene(view, selection, LIGHT)
    assert scene.faded[np.argsort(scene.jobs)].tolist() == faded
