"""The pseudo-code follows the cursor, and clicking it moves the cursor."""

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication

from meshgui.engine.allocation.busy_list import TurningBusyList
from meshgui.engine.allocation.busy_list_kernel import FOUND, SUBTRACT, TURN
from meshgui.engine.allocation.two_d_buddy import TwoDBuddy
from meshgui.model.position import Position
from meshgui.views.panels.algorithm import AlgorithmView


def click_line(qtbot, view, line):
    """Click a line of pseudo-code."""
    at = view.code.line_rect(line).center()
    qtbot.mouseClick(view.code, Qt.MouseButton.LeftButton, pos=at)


def test_it_shows_the_strategy_and_its_source(show, cursor, small_run):
    """Title, paper and place, and the lines themselves."""
    view = show(AlgorithmView)
    cursor.show(small_run)
    assert view.title.text() == "Turning Busy List"
    assert view.source.text() == "Bani-Mohammad 2008, chapter 3, figures 3.3 to 3.7, appendix B"
    assert view.code.lines == TurningBusyList.lines


def test_outside_an_attempt_it_offers_the_next_one(show, cursor, small_run, qtbot):
    """One line says whose, one button goes there."""
    view = show(AlgorithmView)
    cursor.show(small_run)
    cursor.go_to(Position(1))
    assert view.where.text() == "Next allocation: Job 0 (4×2)"
    assert view.code.current is None
    qtbot.mouseClick(view.enter, Qt.MouseButton.LeftButton)
    assert cursor.position == Position(1, 0, 0)
    assert view.code.current == TURN
    assert not view.enter.isVisible()
    cursor.last()
    assert view.where.text() == "No allocation follows."
    assert not view.enter.isEnabled()


def test_inside_an_attempt_it_says_which_and_how_far(show, cursor, small_run):
    """The words, the bar and the line move with every step, forwards and back."""
    view = show(AlgorithmView)
    cursor.show(small_run)
    attempt = small_run.attempts_of(2)[1]
    steps = small_run.trace(attempt).steps
    of = len(small_run.attempts_of(2))
    cursor.enter_attempt(attempt)
    for step in [*range(len(steps)), *reversed(range(len(steps)))]:
        cursor.go_to(Position(cursor.position.events, attempt, step))
        assert view.where.text() == f"Job 2, attempt 2 of {of}, step {step + 1} of {len(steps)}"
        assert (view.progress.value(), view.progress.maximum()) == (step + 1, len(steps))
        assert view.code.current == steps[step].line


def test_its_buttons_step_back_on_to_a_decision_and_out(show, cursor, small_run, qtbot):
    """Each does what the cursor does."""
    view = show(AlgorithmView, width=340)
    cursor.show(small_run)
    cursor.enter_attempt(small_run.attempts_of(1)[0])
    start = cursor.position
    qtbot.mouseClick(view.buttons["step"], Qt.MouseButton.LeftButton)
    assert cursor.position == start._replace(step=1)
    qtbot.mouseClick(view.buttons["back"], Qt.MouseButton.LeftButton)
    assert cursor.position == start
    qtbot.mouseClick(view.buttons["decision"], Qt.MouseButton.LeftButton)
    assert TurningBusyList.lines[view.code.current].decision
    qtbot.mouseClick(view.buttons["leave"], Qt.MouseButton.LeftButton)
    assert cursor.position == Position(start.events)


def test_clicking_a_line_runs_to_its_next_step_or_back_to_its_last(show, cursor, small_run, qtbot):
    """Ahead where there is one, else behind."""
    view = show(AlgorithmView, height=900)
    cursor.show(small_run)
    attempt = small_run.attempts_of(1)[0]
    lines = small_run.trace(attempt).steps.lines().tolist()
    cursor.enter_attempt(attempt)
    qtbot.wait(1)
    click_line(qtbot, view, SUBTRACT)
    assert cursor.position.step == lines.index(SUBTRACT)
    click_line(qtbot, view, SUBTRACT)
    assert cursor.position.step == lines.index(SUBTRACT, lines.index(SUBTRACT) + 1)
    click_line(qtbot, view, FOUND)
    assert cursor.position.step == len(lines) - 1
    click_line(qtbot, view, TURN)
    assert cursor.position.step == len(lines) - 1 - lines[::-1].index(TURN)


def test_clicking_a_line_outside_an_attempt_does_nothing(show, cursor, small_run, qtbot):
    """There is nothing to run."""
    view = show(AlgorithmView, height=900)
    cursor.show(small_run)
    cursor.go_to(Position(1))
    click_line(qtbot, view, FOUND)
    assert cursor.position == Position(1)


def test_the_code_keeps_its_place_and_wraps_in_a_narrow_panel(show, cursor, small_run):
    """Narrow, it becomes higher, never wider; and entering an attempt moves no line."""
    view = show(AlgorithmView, width=340, height=900)
    cursor.show(small_run)
    wide = view.code.height()
    cursor.enter_attempt(0)
    assert view.code.height() == wide
    assert view.minimumSizeHint().width() <= 240
    view.resize(240, 900)
    assert view.code.height() > wide
    assert view.code.width() <= 240


def test_a_release_is_stepped_like_an_attempt(show, cursor, run, qtbot):
    """Its own pseudo-code, the same buttons; it is offered where a job leaves next."""
    recording = run("2dbs", [4, 4], [(0.0, [2, 2], 1.0), (0.5, [1, 1], 9.0)])
    view = show(AlgorithmView, width=340)
    cursor.show(recording)
    leaves = int(recording.ended[0])
    cursor.go_to(Position(leaves))
    assert view.where.text() == "Next release: Job 0 (2×2)"
    qtbot.mouseClick(view.enter, Qt.MouseButton.LeftButton)
    assert cursor.position == Position(leaves, release=True)
    assert cursor.time == recording.times[leaves]
    assert view.title.text() == "2D Buddy System: release"
    assert view.code.lines == TwoDBuddy.release_lines
    assert view.where.text() == "Job 0, release, step 1 of 3"
    assert view.code.current == 0
    assert cursor.view.sentence == "Job 0 (2×2) leaves. The block ⟨0,0,2⟩ is given back: it is free."
    qtbot.mouseClick(view.buttons["step"], Qt.MouseButton.LeftButton)
    assert cursor.view.sentence.endswith("Not all of its buddy ⟨2,0,2⟩ is free, so ⟨0,0,2⟩ stays as it is.")
    qtbot.mouseClick(view.buttons["decision"], Qt.MouseButton.LeftButton)
    assert view.where.text() == "Job 0, release, step 3 of 3"
    qtbot.mouseClick(view.buttons["step"], Qt.MouseButton.LeftButton)
    assert cursor.position == Position(leaves + 1)
    assert view.code.lines == TwoDBuddy.lines
    cursor.previous_step()
    assert cursor.position == Position(leaves, step=2, release=True)
    click_line(qtbot, view, 0)
    qtbot.mouseClick(view.buttons["leave"], Qt.MouseButton.LeftButton)
    assert cursor.position == Position(leaves)


def test_a_low_panel_leaves_the_room_to_the_code(show, cursor, small_run):
    """What comes next and its button, or the step and the four buttons, stand in one row, in whole words."""
    view = show(AlgorithmView, width=340, height=310)
    cursor.show(small_run)
    cursor.go_to(Position(1))
    qapp = QApplication.instance()
    for inside in (False, True):
        if inside:
            cursor.enter_attempt(0)
        qapp.processEvents()
        row = view.code.line_rect(0).height() / 2  # the first line wraps once
        assert view._scroll.viewport().height() > 9 * row
        buttons = [button for button in (*view.buttons.values(), view.enter) if button.isVisible()]
        middles = {abs(_middle_of(button, view) - _middle_of(view.where, view)) <= 1 for button in buttons}
        assert middles == {True}
        assert len(buttons) == (4 if inside else 1)
        assert all(view.rect().contains(_rect_of(button, view)) for button in buttons)
        assert QFontMetrics(view.where.face()).horizontalAdvance(view.where.shown) <= view.where.width()
        assert not view.progress.isVisible()
    assert view.where.shown == f"Step 1 of {len(small_run.trace(0).steps)}"
    view.resize(250, 310)
    assert view.where.shown == f"1 / {len(small_run.trace(0).steps)}"
    view.resize(340, 600)
    assert view.progress.isVisible()
    assert _middle_of(view.buttons["step"], view) > _middle_of(view.where, view) + 10


def test_in_a_still_lower_panel_the_source_gives_its_row_to_the_code(show, cursor, small_run):
    """It stands beside the title as far as it does so whole: the paper, or nothing but its tooltip."""
    view = show(AlgorithmView, width=340, height=304)
    cursor.show(small_run)
    cursor.enter_attempt(0)
    QApplication.instance().processEvents()
    row = view.code.line_rect(0).height() / 2
    assert view._scroll.viewport().height() > 11 * row
    assert abs(_middle_of(view.source, view) - _middle_of(view.title, view)) <= 1
    assert view.source.shown == "Bani-Mohammad 2008"
    assert view.source.text().endswith("appendix B")
    view.resize(240, 304)
    assert view.source.shown == ""
    view.resize(340, 600)
    QApplication.instance().processEvents()
    assert _middle_of(view.source, view) > _middle_of(view.title, view) + 10


def _rect_of(widget, view):
    """Where a widget lies in the panel."""
    return QRect(widget.mapTo(view, QPoint(0, 0)), widget.size())


def _middle_of(widget, view):
    """The height of a widget's middle in the panel."""
    return _rect_of(widget, view).center().y()


def test_without_a_run_it_says_what_to_do(show):
    """One line, and no button that would do nothing."""
    view = show(AlgorithmView)
    assert view.where.text() == "Open a scenario to see its strategy."
    assert not view.enter.isEnabled()
    view.resize(300, 300)
    assert not view.enter.isVisible()  # the words have its room
    assert view.where.shown == view.where.text()
