"""A release is stepped in the window like an attempt: with the same keys, in the same panels."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from meshgui.engine.allocation.inspection import Tree
from meshgui.engine.allocation.mbs import MultipleBuddy
from meshgui.model.position import Position
from meshgui.views.inspector.tree_panel import TreePanel
from meshgui.views.window.main_window import MainWindow
from tests.views.window.conftest import open_and_run


def places(window: MainWindow) -> dict[int, tuple[float, float]]:
    """Where each node of the tree in the inspector stands."""
    body = window.inspector.sections["Blocks"].body
    assert isinstance(body, TreePanel)
    corners = {node.key: body.node_rect(node.key).topLeft() for node in body.tree.nodes}
    return {key: (corner.x(), corner.y()) for key, corner in corners.items()}


def test_buddies_merge_step_by_step_under_the_arrow_keys(window: MainWindow, qtbot: QtBot):
    """Line by line into the release and out of it behind the event, and the same way back."""
    open_and_run(window, qtbot, "multiple-buddy-16x16")
    cursor, canvas = window.time_cursor, window.mesh.canvas
    recording = cursor.recording
    assert recording is not None
    merges = MultipleBuddy.release_lines.index(
        next(n for n in MultipleBuddy.release_lines if n.label == "merge")
    )
    leaves = next(
        position
        for position in range(len(recording))
        if recording.leaving_at(position) is not None
        and merges in recording.trace_release(position).steps.lines()
    )
    steps = len(recording.trace_release(leaves).steps)
    cursor.go_to(Position(leaves))
    for _ in range(100):
        if cursor.position.release:
            break
        qtbot.keyClick(canvas, Qt.Key.Key_1)
        qtbot.keyClick(canvas, Qt.Key.Key_Right)
    assert window.algorithm.code.lines == MultipleBuddy.release_lines
    there, whole = [], places(window)
    for step in range(steps):
        view = cursor.view
        assert view is not None
        assert cursor.position == Position(leaves, step=step, release=True)
        assert window.algorithm.code.current == view.line
        assert window.sentence.text == view.sentence
        now = places(window)
        assert now.items() <= whole.items()  # nodes only vanish, and none moves
        if view.line == merges:
            [tree] = [panel for panel in view.inspection.panels if isinstance(panel, Tree)]
            [merged] = [node for node in tree.nodes if node.current]
            assert merged.mark is not None
            assert merged.mark.box == view.moment.marks[0].box
            assert len(now) <= len(whole) - 4
        there.append((cursor.position, window.sentence.text))
        qtbot.keyClick(canvas, Qt.Key.Key_Right)
    assert cursor.position == Position(leaves + 1)
    assert window.algorithm.code.lines == MultipleBuddy.lines
    for expected in reversed(there):
        qtbot.keyClick(canvas, Qt.Key.Key_Left)
        assert (cursor.position, window.sentence.text) == expected
