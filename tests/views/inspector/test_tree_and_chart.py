"""Trees and charts of the inspector: drawn by their kinds, linked to the mesh, and still while one steps."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt

from meshgui.engine.allocation.first_fit import FirstFit
from meshgui.engine.allocation.inspection import (
    Chart,
    ChartMarker,
    Curve,
    Inspection,
    NodeKind,
    Table,
    TableRow,
    Tree,
    TreeNode,
)
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.allocation.steps import Mark, Role
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.model.scene.colours import contrast, from_hex
from meshgui.model.stepping.pin import Pin
from meshgui.views.exporting.picture_files import write_picture
from meshgui.views.inspector.chart_panel import ChartPanel, chart_data
from meshgui.views.inspector.panel import InspectorView
from meshgui.views.inspector.tree_panel import TreePanel
from meshgui.views.style.theme import DARK, LIGHT
from meshgui.views.widgets.table_painting import RowLook
from tests.views.pointer import move_to, turn_wheel
from tests.views.reading import svg_texts

LEFT = Qt.MouseButton.LeftButton

MESH = Mesh((4, 4))


def box_mark(x):
    """A mark of one processor."""
    return Mark(Role.TRIED, Box(x, 0, 0, 1, 1, 1), (0, 0, 0))


class Growing(FirstFit):
    """A strategy whose tree gets one more node at every step, now on this side, now on that."""

    id = "growing"
    title = "Growing"

    def inspect(self, moment):
        """A tree, a chart, a table of two rows."""
        nodes = [
            TreeNode(0, None, NodeKind.INTERNAL, "4×4", mark=box_mark(0)),
            TreeNode(1, 0, NodeKind.BUSY, "4×2", above="5.0", job=0, mark=box_mark(1)),
            TreeNode(2, 0, NodeKind.FREE, "2×2", mark=box_mark(2)),
        ]
        steps = len(moment.steps)
        nodes += [
            TreeNode(3 + step, 1 + step % 2, NodeKind.OPEN, "?", current=step == steps - 1)
            for step in range(steps)
        ]
        flat = np.array([0.0, 1.0])
        chart = Chart("Bound", "time", "boxes", (Curve("bound", flat, flat),))
        table = Table("Waiting", ("job",), (TableRow(("1",)), TableRow(("2",))), "Nothing waits.")
        return Inspection((Tree("Tree", tuple(nodes), "No tree."), chart, table), (), "")


@pytest.fixture
def view(show, cursor, run, monkeypatch):
    """The inspectors at the first step of job 1's attempt."""
    monkeypatch.setitem(strategies(), "growing", Growing)
    recording = run("growing", [4, 4], [(0.0, [4, 2], 5.0), (1.0, [3, 2], 1.0)])
    view = show(InspectorView, height=1000)
    cursor.show(recording)
    cursor.enter_attempt(recording.attempts_of(1)[0])
    return view


@pytest.fixture
def tree(view):
    """The tree's panel."""
    return view.sections["Tree"].body


@pytest.fixture
def alone(qtbot, selection, themes):
    """A tree panel by itself."""
    return opened(qtbot, TreePanel(selection, Pin(selection), themes), 300, 300)


def click(panel, at):
    """Press and release."""
    for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
        move_to(panel, at, LEFT, kind)


def drag(panel, start, end):
    """Press, move and release."""
    move_to(panel, start, LEFT, QEvent.Type.MouseButtonPress)
    move_to(panel, end, LEFT)
    move_to(panel, end, LEFT, QEvent.Type.MouseButtonRelease)


def opened(qtbot, panel, width, height):
    """A panel by itself on the screen."""
    qtbot.addWidget(panel)
    panel.resize(width, height)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


def places(panel):
    """Where each node stands."""
    return {node.key: panel.node_rect(node.key) for node in panel.tree.nodes}


def bush(count):
    """A root over this number of leaves."""
    leaves = tuple(TreeNode(key, 0, NodeKind.FREE, f"leaf {key}") for key in range(1, count + 1))
    return Tree("Bush", (TreeNode(0, None, NodeKind.INTERNAL, "root"), *leaves), "")


def test_no_node_moves_while_stepping(tree, cursor):
    """The layout is that of the attempt's last step; nodes that are not there yet are not drawn."""
    seen = {}
    attempt = cursor.position.attempt
    for _ in range(1000):
        if cursor.position.attempt != attempt:
            break
        now = places(tree)
        assert len(now) == len(tree.tree.nodes)
        for key, rect in now.items():
            assert seen.setdefault(key, rect) == rect
        cursor.next_step()
    assert cursor.position.attempt != attempt
    assert len(seen) > 10


def test_a_node_is_pointed_out_and_kept_by_a_click(tree, selection, cursor):
    """And leaving it stops both."""
    move_to(tree, tree.node_rect(1).center())
    assert selection.marks == (box_mark(1),)
    assert selection.hovered == 0
    move_to(tree, QPointF(1, 1))
    assert selection.marks == ()
    assert selection.hovered is None
    # Its box stays pointed out from step to step, until it is clicked again; its job stands out
    at, node = tree.node_rect(1).center(), tree.tree.nodes[1]
    assert tree.look(node) == RowLook()
    selection.hover(0)
    assert tree.look(node).hovered
    move_to(tree, at)
    click(tree, at)
    assert selection.job == 0
    assert tree.look(node).selected
    assert not tree.look(tree.tree.nodes[2]).selected
    move_to(tree, QPointF(1, 1))
    cursor.next_step()
    assert selection.marks == (box_mark(1),)
    click(tree, at)
    assert selection.marks == ()


def test_the_wheel_zooms_towards_the_pointer_and_up_and_down_choose_nodes(tree, selection, qtbot):
    """What is under the pointer stays there."""
    before = places(tree)
    at = tree.node_rect(2).center()
    turn_wheel(tree, at, 4)
    assert tree.node_rect(2).width() > before[2].width() * 1.5
    assert (tree.node_rect(2).center() - at).manhattanLength() < 0.5
    move_to(tree, at, LEFT, QEvent.Type.MouseButtonDblClick)
    assert places(tree) == before
    # Up and down choose nodes; the arrows that step through time are not taken away
    tree.setFocus()
    keys = Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Right
    for key, node in zip(keys, (0, 1, 0, 0), strict=True):
        qtbot.keyClick(tree, key)
        assert selection.marks == (box_mark(node),)
    assert selection.job == 0


def test_a_drag_moves_the_tree_and_chooses_nothing(tree, selection, cursor):
    """Even one that begins on a node."""
    before = tree.node_rect(1)
    drag(tree, before.center(), before.center() + QPointF(60, 20))
    assert selection.job is None
    assert tree.node_rect(1).topLeft() == before.topLeft() + QPointF(60, 20)
    # The current node comes back into sight with the next step, however far the tree was moved away
    drag(tree, QPointF(5, 5), QPointF(900, 5))
    cursor.next_step()
    current = next(node.key for node in tree.tree.nodes if node.current)
    assert tree.rect().contains(tree.node_rect(current).toRect())


def staircase(levels):
    """A tree of two nodes a level, each with a number over it."""
    nodes = [TreeNode(0, None, NodeKind.INTERNAL, "(0,0)–(7,7)", above="15")]
    for key in range(2, 2 * levels):
        parent = max(2 * (key // 2) - 2, 0)
        nodes.append(TreeNode(key, parent, NodeKind.FREE, "(0,0)–(7,7)", above="15"))
    return Tree("Stairs", tuple(nodes), "")


def test_a_deep_tree_is_squeezed_in_height_only(alone, tmp_path):
    """It still uses the width, and its numbers have their full size, which grows with a picture to an end."""

    def letters_in(width, height):
        alone.resize(width, height)
        alone.show_data(staircase(6), MESH, fresh=True)
        [picture] = alone.pictures()
        write_picture(tmp_path / "tree.svg", picture.paint, picture.size)
        sizes = (tmp_path / "tree.svg").read_text("utf-8").split('font-size="')[1:]
        return {float(size.partition('"')[0]) for size in sizes}

    full, wide = letters_in(300, 600), alone.node_rect(0).width()
    assert letters_in(300, 230) == full
    rects = places(alone).values()
    assert all(alone.rect().contains(rect.toRect()) for rect in rects)
    assert max(rect.right() for rect in rects) - min(rect.left() for rect in rects) > 150
    assert max(letters_in(2000, 1400)) > max(full)
    assert alone.node_rect(0).width() == pytest.approx(1.6 * wide)


def test_the_legend_explains_only_what_the_tree_shows(alone, tmp_path):
    """A look that is gone is no longer listed; the room only grows, so that the tree stays where it is."""
    placed = Tree("Bush", (TreeNode(0, None, NodeKind.PLACED, "root"),), "")

    def explained():
        [picture] = alone.pictures()
        write_picture(tmp_path / "tree.svg", picture.paint, picture.size)
        return set(svg_texts(tmp_path / "tree.svg")) & {"free", "busy", "divided", "found"}

    alone.show_data(placed, MESH, fresh=True)
    assert explained() == {"found"}
    alone.show_data(bush(3), MESH, fresh=True)
    assert explained() == {"divided", "free"}
    before = places(alone)
    alone.show_data(placed, MESH, fresh=False)
    alone.show_data(bush(3), MESH, fresh=False)
    assert places(alone) == before


@pytest.mark.parametrize("count", [3, 60])
def test_a_large_tree_fits_into_its_panel(alone, count):
    """Few nodes are wide enough for their words; sixty are discs, and still all in sight."""
    alone.show_data(bush(count), MESH, fresh=True)
    assert all(alone.rect().contains(alone.node_rect(key).toRect()) for key in range(count + 1))
    leaf = alone.node_rect(1)
    assert (leaf.width() > 1.5 * leaf.height()) == (count == 3)


def test_a_node_says_all_about_itself_and_one_that_is_taken_back_is_drawn(alone):
    """What there is no room for is in its tooltip."""
    node = TreeNode(0, None, NodeKind.BUSY, "(0,0)–(3,1)", above="7.5", reserved=True, job=4)
    assert alone.words(node) == "(0,0)–(3,1), busy, 7.5, reserved, job 4"
    # A node that the last tree lacks is given a place: a strategy that takes nodes back is drawn all the same
    alone.show_data(bush(3), MESH, bush(2), fresh=True)
    rects = [alone.node_rect(key) for key in range(4)]
    assert not any(a.intersects(b) for i, a in enumerate(rects) for b in rects[:i])


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_white_and_black_nodes_are_told_apart_in_both_themes(theme):
    """Free is white and busy black; their edge is seen on the panel and on what it surrounds."""
    free, busy, edge, panel = map(from_hex, (theme.tree_free, theme.tree_busy, theme.mesh_axis, theme.panel))
    assert free == (1.0, 1.0, 1.0)
    assert contrast(free, busy) > 15
    assert contrast(edge, panel) >= 3
    assert contrast(edge, busy) >= 3 or contrast(busy, panel) >= 3


def test_a_tree_gets_more_of_the_height_than_a_table_and_an_empty_one_says_so(view, qtbot, tree):
    """By kind, whatever they hold now."""
    qtbot.waitUntil(lambda: view.sections["Tree"].height() > 250)
    heights = [view.sections[title].height() for title in ("Tree", "Bound", "Waiting")]
    assert heights == sorted(heights, reverse=True)
    assert heights[0] > 1.4 * heights[2]
    # Empty trees and charts are drawn without nodes and curves
    tree.show_data(Tree("Tree", (), "No tree."), MESH, fresh=True)
    chart = view.sections["Bound"].body
    chart.show_data(Chart("Bound", "time", "boxes", (), empty="Nothing yet."), MESH)
    assert not tree.grab().isNull()
    assert not chart.grab().isNull()
    assert chart.words(QPointF(100, 60)) == ""


@pytest.fixture
def chart(qtbot, selection, themes):
    """A chart of two curves and a sign."""
    panel = ChartPanel(selection, Pin(selection), themes)
    x = np.array([0.0, 1.0, 2.0])
    curves = (Curve("low", x, np.array([0.0, 1.0, 0.0])), Curve("high", x, 4 * x, current=True))
    panel.show_data(Chart("Rules", "error", "weight", curves, (ChartMarker("now", 1.5),)), MESH)
    return opened(qtbot, panel, 300, 200)


def drawn_at(panel, x, y):
    """Where a value is drawn."""
    layout = panel.arranged
    return QPointF(float(layout.xs(x)), float(layout.ys(y)))


def test_a_chart_draws_values_where_they_belong_and_one_curve_in_the_accent(chart, themes):
    """Further right for more of x, further up for more of y, all inside the panel; the pointer reads them."""
    low, high = drawn_at(chart, 0.0, 0.0), drawn_at(chart, 2.0, 8.0)
    assert low.x() < drawn_at(chart, 1.0, 0.0).x() < high.x()
    assert low.y() > drawn_at(chart, 0.0, 4.0).y() > high.y()
    assert chart.rect().contains(low.toPoint())
    assert chart.rect().contains(high.toPoint())
    assert chart.words(drawn_at(chart, 0.5, 2.0)) == "error 0.5\nlow: 0.5\nhigh: 2"
    # There is one accent in a chart: what counts now
    image, ratio = chart.grab().toImage(), chart.devicePixelRatioF()

    def colours_at(x, y):
        at = (drawn_at(chart, x, y) * ratio).toPoint()
        return {image.pixelColor(at.x() + dx, at.y() + dy).name() for dx in (-1, 0, 1) for dy in (-1, 0, 1)}

    assert themes.theme.accent in colours_at(1.0, 4.0)
    assert themes.theme.accent not in colours_at(1.0, 1.0)


@pytest.mark.parametrize(("steps", "worth"), [(True, 1.0), (False, 2.0)])
def test_a_curve_of_steps_holds_its_value(steps, worth):
    """Any other goes straight from point to point."""
    curve = Curve("c", np.array([0.0, 2.0]), np.array([1.0, 3.0]), steps=steps)
    [series] = chart_data(Chart("T", "x", "y", (curve,))).series
    assert series.value_at(1.0) == worth
