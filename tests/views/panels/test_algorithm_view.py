"""The pseudo-code follows the cursor, and clicking it moves the cursor."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QScrollArea

from meshgui.engine.allocation.busy_list import TurningBusyList
from meshgui.engine.allocation.busy_list_kernel import FOUND, SUBTRACT, TURN
from meshgui.engine.allocation.two_d_buddy import TwoDBuddy
from meshgui.model.moment.position import Position
from meshgui.views.panels.algorithm import AlgorithmView
from tests.views.conftest import handle_events


@pytest.fixture
def algorithm(show, cursor, small_run):
    """Shows the strategy of the small run, or of another."""

    def shown(recording=small_run, **size):
        view = show(AlgorithmView, **size)
        cursor.show(recording)
        return view

    return shown


def click(qtbot, button):
    """Click a button."""
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def click_line(qtbot, view, line):
    """Click a line of pseudo-code."""
    at = view.code.line_rect(line).center()
    qtbot.mouseClick(view.code, Qt.MouseButton.LeftButton, pos=at)


def rect_of(widget, view):
    """Where a widget lies in the panel."""
    return QRect(widget.mapTo(view, QPoint(0, 0)), widget.size())


def middle_of(widget, view):
    """The height of a widget's middle in the panel."""
    return rect_of(widget, view).center().y()


def test_it_shows_the_strategy_and_its_source_and_offers_the_next_attempt(algorithm, cursor, qtbot):
    """Title, paper and place, and the lines themselves."""
    view = algorithm()
    assert view.title.text() == "Turning Busy List"
    assert view.source.text() == "Bani-Mohammad 2008, chapter 3, figures 3.3 to 3.7, appendix B"
    assert view.code.lines == TurningBusyList.lines
    # There is nothing to run
    cursor.go_to(Position(1))
    click_line(qtbot, view, FOUND)
    assert cursor.position == Position(1)
    # One line says whose, one button goes there
    cursor.go_to(Position(1))
    assert view.where.text() == "Next allocation: Job 0 (4×2)"
    assert view.code.current is None
    for width, shown in ((300, "Next: Job 0 (4×2)"), (220, "Next: Job 0")):
        view.resize(width, 310)
        handle_events()
        assert view.where.shown == shown
    click(qtbot, view.enter)
    assert cursor.position == Position(1, 0, 0)
    assert view.code.current == TURN
    assert not view.enter.isVisible()
    cursor.last()
    assert view.where.text() == "No allocation follows."
    assert not view.enter.isEnabled()


def test_inside_an_attempt_it_says_which_and_how_far(algorithm, cursor, small_run):
    """The words, the bar and the line move with every step, forwards and back."""
    view = algorithm()
    attempt = small_run.attempts_of(2)[1]
    steps = small_run.trace(attempt).steps
    of = len(small_run.attempts_of(2))
    cursor.enter_attempt(attempt)
    for step in [*range(len(steps)), *reversed(range(len(steps)))]:
        cursor.go_to(Position(cursor.position.events, attempt, step))
        assert view.where.text() == f"Job 2, attempt 2 of {of}, step {step + 1} of {len(steps)}"
        assert (view.progress.value(), view.progress.maximum()) == (step + 1, len(steps))
        assert view.code.current == steps[step].line


def test_its_buttons_step_back_on_to_a_decision_and_out(algorithm, cursor, small_run, qtbot):
    """Each does what the cursor does."""
    view = algorithm(width=340)
    cursor.enter_attempt(small_run.attempts_of(1)[0])
    start = cursor.position
    click(qtbot, view.buttons["step"])
    assert cursor.position == start._replace(step=1)
    click(qtbot, view.buttons["back"])
    assert cursor.position == start
    click(qtbot, view.buttons["decision"])
    assert TurningBusyList.lines[view.code.current].decision
    click(qtbot, view.buttons["leave"])
    assert cursor.position == Position(start.events)


def test_clicking_a_line_runs_to_its_next_step_or_back_to_its_last(algorithm, cursor, small_run, qtbot):
    """Ahead where there is one, else behind."""
    view = algorithm(height=900)
    attempt = small_run.attempts_of(1)[0]
    lines = small_run.trace(attempt).steps.lines().tolist()
    cursor.enter_attempt(attempt)
    handle_events()  # lines are laid out
    click_line(qtbot, view, SUBTRACT)
    assert cursor.position.step == lines.index(SUBTRACT)
    click_line(qtbot, view, SUBTRACT)
    assert cursor.position.step == lines.index(SUBTRACT, lines.index(SUBTRACT) + 1)
    click_line(qtbot, view, FOUND)
    assert cursor.position.step == len(lines) - 1
    click_line(qtbot, view, TURN)
    assert cursor.position.step == len(lines) - 1 - lines[::-1].index(TURN)


def test_the_code_keeps_its_place_and_wraps_in_a_narrow_panel(algorithm, cursor):
    """Narrow, it becomes higher, never wider; and entering an attempt moves no line."""
    view = algorithm(width=340, height=900)
    wide = view.code.height()
    cursor.enter_attempt(0)
    assert view.code.height() == wide
    assert view.minimumSizeHint().width() <= 240
    view.resize(240, 900)
    assert view.code.height() > wide
    assert view.code.width() <= 240


def test_a_release_is_stepped_like_an_attempt(algorithm, cursor, run, qtbot):
    """Its own pseudo-code, the same buttons; it is offered where a job leaves next."""
    recording = run("2dbs", [4, 4], [(0.0, [2, 2], 1.0), (0.5, [1, 1], 9.0)])
    view = algorithm(recording, width=340)
    leaves = int(recording.ended[0])
    cursor.go_to(Position(leaves))
    assert view.where.text() == "Next release: Job 0 (2×2)"
    click(qtbot, view.enter)
    assert cursor.position == Position(leaves, release=True)
    assert cursor.time == recording.times[leaves]
    assert view.title.text() == "2D Buddy System: release"
    assert view.code.lines == TwoDBuddy.release_lines
    assert view.where.text() == "Job 0, release, step 1 of 3"
    assert view.code.current == 0
    assert cursor.view.sentence == "Job 0 (2×2) leaves. The block ⟨0,0,2⟩ is given back: it is free."
    click(qtbot, view.buttons["step"])
    assert cursor.view.sentence.endswith("Not all of its buddy ⟨2,0,2⟩ is free, so ⟨0,0,2⟩ stays as it is.")
    click(qtbot, view.buttons["decision"])
    assert view.where.text() == "Job 0, release, step 3 of 3"
    click(qtbot, view.buttons["step"])
    assert cursor.position == Position(leaves + 1)
    assert view.code.lines == TwoDBuddy.lines
    cursor.previous_step()
    assert cursor.position == Position(leaves, step=2, release=True)
    click_line(qtbot, view, 0)
    click(qtbot, view.buttons["leave"])
    assert cursor.position == Position(leaves)


def test_a_low_panel_leaves_the_room_to_the_code(algorithm, cursor, small_run):
    """What comes next and its button, or the step and the four buttons, share one row, in whole words."""
    view = algorithm(width=340, height=310)
    cursor.go_to(Position(1))
    for inside in (False, True):
        if inside:
            cursor.enter_attempt(0)
        handle_events()
        row = view.code.line_rect(0).height() / 2  # the first line wraps once
        assert view.findChild(QScrollArea).viewport().height() > 9 * row
        buttons = [button for button in (*view.buttons.values(), view.enter) if button.isVisible()]
        middles = {abs(middle_of(button, view) - middle_of(view.where, view)) <= 1 for button in buttons}
        assert middles == {True}
        assert len(buttons) == (4 if inside else 1)
        assert all(view.rect().contains(rect_of(button, view)) for button in buttons)
        assert QFontMetrics(view.where.face()).horizontalAdvance(view.where.shown) <= view.where.width()
        assert not view.progress.isVisible()
    assert view.where.shown == f"Step 1 of {len(small_run.trace(0).steps)}"
    view.resize(250, 310)
    assert view.where.shown == f"1 / {len(small_run.trace(0).steps)}"
    view.resize(340, 600)
    assert view.progress.isVisible()
    assert middle_of(view.buttons["step"], view) > middle_of(view.where, view) + 10
    # In a still lower panel the source stands beside the title as far as it does so whole
    view.resize(340, 304)
    handle_events()
    row = view.code.line_rect(0).height() / 2
    assert view.findChild(QScrollArea).viewport().height() > 11 * row
    assert abs(middle_of(view.paper, view) - middle_of(view.title, view)) <= 1
    assert view.paper.shown == "Bani-Mohammad 2008"
    assert not view.source.isVisible()
    view.resize(240, 304)
    assert view.paper.shown == ""
    view.resize(340, 600)
    handle_events()
    assert middle_of(view.source, view) > middle_of(view.title, view) + 10
    assert view.source.text().endswith("appendix B")
    assert view.source.heightForWidth(view.source.width()) <= view.source.height()


def test_without_a_run_it_says_what_to_do(show):
    """One line, and no button that would do nothing."""
    view = show(AlgorithmView)
    assert view.where.text() == "Open a scenario to see its strategy."
    assert not view.enter.isEnabled()
    view.resize(300, 300)
    assert not view.enter.isVisible()  # the words have its room
    assert view.where.shown == view.where.text()


def test_no_line_is_cut_in_half(algorithm):
    """Where the panel ends within a line, or is scrolled into one, that line is left out as a whole."""
    view = algorithm(width=340, height=310)
    area = view.findChild(QScrollArea)
    bar = area.verticalScrollBar()

    def has_ink(rows: range) -> bool:
        image, place = view.grab().toImage(), rect_of(area.viewport(), view)
        columns = range(place.left(), place.right() + 1)
        return any(image.pixelColor(x, place.top() + y).lightness() < 100 for y in rows for x in columns)

    for height in range(300, 322, 3):
        view.resize(340, height)
        for scrolled in range(0, 21, 5):
            bar.setValue(scrolled)
            handle_events()
            last = area.viewport().height() - 1
            assert not has_ink(range(1))
            assert not has_ink(range(last, last + 1))
            assert has_ink(range(last - 60, last))


@pytest.mark.parametrize("height", [230, 260, 290, 340])
def test_stepping_keeps_the_current_line_whole_and_begins_with_a_whole_line(
    algorithm, cursor, small_run, height
):
    """A wrapped line above it stood there without its first half."""
    view = algorithm(width=260, height=height)
    area, code = view.findChild(QScrollArea), view.code
    bar = area.verticalScrollBar()
    cursor.enter_attempt(0)
    for _ in small_run.trace(0).steps:
        handle_events()
        first, end = bar.value(), bar.value() + area.viewport().height()
        rect = code.line_rect(code.current)
        assert first <= rect.top()
        assert rect.bottom() < end
        tops = [code.line_rect(number).top() for number in range(len(code.lines))]
        if first and first not in tops:  # the code ends within the panel, and begins with a blank
            assert first == bar.maximum()
            blank = min(top for top in tops if top > first) - first
            image, place = view.grab().toImage(), rect_of(area.viewport(), view)
            rows, columns = range(blank), range(place.left() + 60, place.right() - 12)
            assert all(image.pixelColor(x, place.top() + y).lightness() > 100 for y in rows for x in columns)
        cursor.next_step()
    assert bar.maximum() > 0


def test_another_code_is_read_from_its_first_line(algorithm, cursor, run):
    """As after a change of strategy, also where the code before was scrolled."""
    jobs = [(0.0, [2, 2], 5.0)]
    view = algorithm(run("tbl", [4, 4], jobs), height=240)
    bar = view.findChild(QScrollArea).verticalScrollBar()
    bar.setValue(40)
    assert bar.value() == 40
    cursor.show(run("ff", [4, 4], jobs))
    handle_events()
    assert bar.value() == 0
