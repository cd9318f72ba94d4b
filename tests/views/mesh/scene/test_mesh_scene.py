"""The scene says what the snapshot, the attempt and the selection hold."""

import numpy as np
import pytest

from meshgui.engine.allocation.steps import Mark, Role
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.model.selection import Selection
from meshgui.views.mesh.scene.builder import box_grid, build_scene, describe_box
from meshgui.views.style.colours import job_colour
from meshgui.views.style.theme import DARK, LIGHT
from tests.views.mesh.mesh_fixtures import SOLIDS, after_all_started, cursor_of, inside_attempt


def test_boxes_are_the_snapshots_in_their_jobs_colours():
    """Each held box is there once, in the colour its job has everywhere."""
    view = after_all_started((4, 4, 4), SOLIDS).view
    for theme in (LIGHT, DARK):
        scene = build_scene(view, Selection(), theme)
        np.testing.assert_array_equal(scene.boxes, view.snapshot.boxes)
        for job, colour in zip(scene.jobs.tolist(), scene.colours, strict=True):
            assert colour == pytest.approx((*job_colour(job, theme.name), 1.0))


def test_every_free_node_is_a_dot():
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


def test_the_grid_of_boxes_agrees_with_filling_them_one_by_one():
    """Random cuts of a mesh into disjoint boxes fill the same nodes either way."""
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
    assert scene.inside_attempt
    assert (scene.colours[:, 3] < 1.0).all()


def test_between_attempts_nothing_is_marked():
    """Outside an attempt only what an inspector points out is marked."""
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


def test_a_box_is_described_by_job_size_corners_and_start():
    """The card beside the pointer names the job, its size, its box and since when it runs."""
    view = after_all_started((4, 4, 4), SOLIDS).view
    scene = build_scene(view, Selection(), LIGHT)
    assert describe_box(view, scene, 0) == ("Job 0   2×2×2", "(0,0,0)–(1,1,1)", "since 0.00")
