"""Trees and charts of the inspector: drawn by their kinds, linked to the mesh, and still while one steps."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

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
from meshgui.engine.basics.geometry import Box
from meshgui.views.inspector.chart_panel import ChartPanel, chart_data
from meshgui.views.inspector.panel import InspectorView
from meshgui.views.inspector.pin import Pin
from meshgui.views.inspector.tree_panel import TreePanel
from meshgui.views.style.colours import contrast, from_hex
from meshgui.views.style.theme import DARK, LIGHT
from meshgui.views.widgets.table_painting import RowLook


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
    panel = TreePanel(selection, Pin(selection), themes)
    qtbot.addWidget(panel)
    panel.resize(300, 300)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


def move_to(panel, at, buttons=Qt.MouseButton.NoButton, kind=QEvent.Type.MouseMove):
    """The pointer comes to a place of a panel, or does something there."""
    button = buttons if kind != QEvent.Type.MouseMove else Qt.MouseButton.NoButton
    event = QMouseEvent(kind, at, panel.mapToGlobal(at), button, buttons, Qt.KeyboardModifier(0))
    QApplication.sendEvent(panel, event)


def click(panel, at):
    """Press and release."""
    move_to(panel, at, Qt.MouseButton.LeftButton, QEvent.Type.MouseButtonPress)
    move_to(panel, at, Qt.MouseButton.LeftButton, QEvent.Type.MouseButtonRelease)


def wheel(panel, at, notches):
    """Turn the wheel over a place."""
    where, none = QPointF(panel.mapToGlobal(at)), QPointF().toPoint()
    turn = QPointF(0, 120 * notches).toPoint()
    phase = Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(at, where, none, turn, Qt.MouseButton.NoButton, Qt.KeyboardModifier(0), phase, False)
    QApplication.sendEvent(panel, event)


def places(panel):
    """Where each node stands."""
    return {node.key: panel.node_rect(node.key) for node in panel.tree.nodes}


def bush(count):
    """A root over so many leaves."""
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


def test_nodes_the_last_tree_lacks_are_given_a_place(alone):
    """A strategy that takes nodes back is drawn all the same."""
    alone.show_tree(bush(3), bush(2), fresh=True)
    rects = [alone.node_rect(key) for key in range(4)]
    assert not any(a.intersects(b) for i, a in enumerate(rects) for b in rects[:i])


def test_pointing_at_a_node_points_its_box_out_and_hovers_its_job(tree, selection):
    """And leaving it stops both."""
    move_to(tree, tree.node_rect(1).center())
    assert selection.marks == (box_mark(1),)
    assert selection.hovered == 0
    move_to(tree, QPointF(1, 1))
    assert selection.marks == ()
    assert selection.hovered is None


def test_clicking_a_node_keeps_it_and_selects_its_job(tree, selection, cursor):
    """Its box stays pointed out from step to step, until it is clicked again."""
    at = tree.node_rect(1).center()
    move_to(tree, at)
    click(tree, at)
    assert selection.job == 0
    move_to(tree, QPointF(1, 1))
    cursor.next_step()
    assert selection.marks == (box_mark(1),)
    click(tree, at)
    assert selection.marks == ()


def test_a_job_pointed_at_elsewhere_stands_out_in_the_tree(tree, selection):
    """So does one selected elsewhere."""
    node = tree.tree.nodes[1]
    assert tree.look(node) == RowLook()
    selection.hover(0)
    assert tree.look(node).hovered
    selection.select(0)
    assert tree.look(node).selected
    assert not tree.look(tree.tree.nodes[2]).selected


def test_the_wheel_zooms_towards_the_pointer_and_a_double_click_shows_all_again(tree):
    """What is under the pointer stays there."""
    before = places(tree)
    at = tree.node_rect(2).center()
    wheel(tree, at, 4)
    assert tree.node_rect(2).width() > before[2].width() * 1.5
    assert (tree.node_rect(2).center() - at).manhattanLength() < 0.5
    move_to(tree, at, Qt.MouseButton.LeftButton, QEvent.Type.MouseButtonDblClick)
    assert places(tree) == before


def test_a_drag_moves_the_tree_and_chooses_nothing(tree, selection):
    """Even one that begins on a node."""
    start = tree.node_rect(1).center()
    before = places(tree)
    left = Qt.MouseButton.LeftButton
    move_to(tree, start, left, QEvent.Type.MouseButtonPress)
    move_to(tree, start + QPointF(60, 20), left)
    move_to(tree, start + QPointF(60, 20), left, QEvent.Type.MouseButtonRelease)
    assert selection.job is None
    assert tree.node_rect(1).topLeft() == before[1].topLeft() + QPointF(60, 20)


def test_the_current_node_comes_back_into_sight_with_the_next_step(tree, cursor):
    """However far the tree was moved away."""
    left = Qt.MouseButton.LeftButton
    move_to(tree, QPointF(5, 5), left, QEvent.Type.MouseButtonPress)
    move_to(tree, QPointF(900, 5), left)
    move_to(tree, QPointF(900, 5), left, QEvent.Type.MouseButtonRelease)
    cursor.next_step()
    current = next(node.key for node in tree.tree.nodes if node.current)
    assert tree.rect().contains(tree.node_rect(current).toRect())


def test_up_and_down_choose_nodes_and_sideways_is_left_to_the_window(tree, selection, qtbot):
    """The arrows that step through time are not taken away."""
    tree.setFocus()
    qtbot.keyClick(tree, Qt.Key.Key_Down)
    assert selection.marks == (box_mark(0),)
    qtbot.keyClick(tree, Qt.Key.Key_Down)
    assert selection.marks == (box_mark(1),)
    assert selection.job == 0
    qtbot.keyClick(tree, Qt.Key.Key_Up)
    assert selection.marks == (box_mark(0),)
    qtbot.keyClick(tree, Qt.Key.Key_Right)
    assert selection.marks == (box_mark(0),)


def staircase(levels):
    """A tree of two nodes a level, each with a number over it."""
    nodes = [TreeNode(0, None, NodeKind.INTERNAL, "(0,0)–(7,7)", above="15")]
    for level in range(1, levels):
        nodes += [
            TreeNode(2 * level + side, max(2 * level - 2, 0), NodeKind.FREE, "(0,0)–(7,7)", above="15")
            for side in range(2)
        ]
    return Tree("Stairs", tuple(nodes), "")


def test_a_deep_tree_is_squeezed_in_height_only(alone):
    """It still uses the width, and its numbers have their full size."""
    alone.resize(300, 230)
    alone.show_tree(staircase(6), None, fresh=True)
    rects = places(alone).values()
    assert alone._scale == 1.0
    assert all(alone.rect().contains(rect.toRect()) for rect in rects)
    assert max(rect.right() for rect in rects) - min(rect.left() for rect in rects) > 150


def test_a_tree_grows_with_a_large_picture(alone):
    """Though not without end."""
    alone.resize(2000, 1400)
    alone.show_tree(staircase(6), None, fresh=True)
    assert alone._scale == 1.6


def test_the_legend_explains_only_what_the_tree_shows(alone):
    """A look that is gone is no longer listed."""
    found = Tree("Bush", (TreeNode(0, None, NodeKind.PLACED, "root"),), "")
    alone.show_tree(found, None, fresh=True)
    assert alone._looks == {(NodeKind.PLACED, False)}
    alone.show_tree(bush(3), None, fresh=False)
    assert alone._looks == {(NodeKind.INTERNAL, False), (NodeKind.FREE, False)}


@pytest.mark.parametrize("count", [3, 60])
def test_a_large_tree_fits_into_its_panel(alone, count):
    """Few nodes are wide enough for their words; sixty are discs, and still all in sight."""
    alone.show_tree(bush(count), None, fresh=True)
    assert all(alone.rect().contains(alone.node_rect(key).toRect()) for key in range(count + 1))
    leaf = alone.node_rect(1)
    assert (leaf.width() > 1.5 * leaf.height()) == (count == 3)


def test_a_node_says_all_about_itself(alone):
    """What there is no room for is in its tooltip."""
    node = TreeNode(0, None, NodeKind.BUSY, "(0,0)–(3,1)", above="7.5", reserved=True, job=4)
    assert alone.words(node) == "(0,0)–(3,1), busy, 7.5, reserved, job 4"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_white_and_black_nodes_are_told_apart_in_both_themes(theme):
    """Free is white and busy black; their edge is seen on the panel and on what it surrounds."""
    free, busy, edge, panel = map(from_hex, (theme.tree_free, theme.tree_busy, theme.mesh_axis, theme.panel))
    assert free == (1.0, 1.0, 1.0)
    assert contrast(free, busy) > 15
    assert contrast(edge, panel) >= 3
    assert contrast(edge, busy) >= 3 or contrast(busy, panel) >= 3


def test_a_tree_gets_more_of_the_height_than_a_table(view, qtbot):
    """By kind, whatever they hold now."""
    qtbot.waitUntil(lambda: view.sections["Tree"].height() > 250)
    heights = [view.sections[title].height() for title in ("Tree", "Bound", "Waiting")]
    assert heights == sorted(heights, reverse=True)
    assert heights[0] > 1.4 * heights[2]


def test_an_empty_tree_and_an_empty_chart_say_so(view, tree):
    """They are drawn without nodes and curves."""
    tree.show_tree(Tree("Tree", (), "No tree."), None, fresh=True)
    chart = view.sections["Bound"].body
    chart.show_chart(Chart("Bound", "time", "boxes", (), empty="Nothing yet."))
    assert not tree.grab().isNull()
    assert not chart.grab().isNull()
    assert chart.words(QPointF(100, 60)) == ""


@pytest.fixture
def chart(qtbot, selection, themes):
    """A chart of two curves and a sign."""
    panel = ChartPanel(selection, Pin(selection), themes)
    qtbot.addWidget(panel)
    panel.resize(300, 200)
    x = np.array([0.0, 1.0, 2.0])
    curves = (Curve("low", x, np.array([0.0, 1.0, 0.0])), Curve("high", x, 4 * x, current=True))
    panel.show_chart(Chart("Rules", "error", "weight", curves, (ChartMarker("now", 1.5),)))
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


def drawn_at(panel, x, y):
    """Where a value is drawn."""
    layout = panel.arranged
    return QPointF(float(layout.xs(x)), float(layout.ys(y)))


def test_a_chart_draws_values_where_they_belong(chart):
    """Further right for more of x, further up for more of y, all inside the panel."""
    low, high = drawn_at(chart, 0.0, 0.0), drawn_at(chart, 2.0, 8.0)
    assert low.x() < drawn_at(chart, 1.0, 0.0).x() < high.x()
    assert low.y() > drawn_at(chart, 0.0, 4.0).y() > high.y()
    assert chart.rect().contains(low.toPoint())
    assert chart.rect().contains(high.toPoint())


def test_a_chart_says_what_its_curves_are_worth_at_the_pointer(chart):
    """In the words of its axes."""
    assert chart.words(drawn_at(chart, 0.5, 2.0)) == "error 0.5\nlow: 0.5\nhigh: 2"


def test_the_current_curve_and_the_signs_alone_have_the_accent(chart, themes):
    """There is one accent in a chart: what counts now."""
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


def test_the_room_for_the_legend_only_grows_in_a_run(alone):
    """The tree does not move up and down with the looks there are."""
    alone.show_tree(bush(3), None, fresh=True)
    before = places(alone)
    found = Tree("Bush", (TreeNode(0, None, NodeKind.PLACED, "root"),), "")
    alone.show_tree(found, None, fresh=False)
    alone.show_tree(bush(3), None, fresh=False)
    assert places(alone) == before
