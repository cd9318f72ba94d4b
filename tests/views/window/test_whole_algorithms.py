"""Whole algorithms in the window: worked by mouse and by keys, checked at once, undone, and handed in."""

import pytest
from PySide6.QtCore import QSize, Qt
from pytestqt.qtbot import QtBot

from meshgui.engine.allocation.steps import Role
from meshgui.engine.basics.geometry import Box
from meshgui.model.exercises.exercise import ExerciseKey
from meshgui.model.exercises.exercises import exercise, suited
from meshgui.model.moment.position import Position
from meshgui.views.window.main_window import MainWindow
from tests.views.window.test_exercises import arrive, click_node, press

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window_size() -> QSize:
    """A small laptop's."""
    return QSize(1366, 768)


def ask_whole(window: MainWindow, qtbot: QtBot, strategy: str = "ff", level: int = 1):
    """Ask for a whole algorithm."""
    data = {"kind": "whole", "strategy": strategy, "shape": (8, 8), "seed": 3, "level": level}
    window.exercises.ask(ExerciseKey(**data))
    arrive(window, qtbot)
    return window.exercises.session.work


def at_the_decision(window: MainWindow) -> bool:
    """Whether the moment of the decision is shown, and the run ends there."""
    session, cursor = window.exercises.session, window.time_cursor
    return cursor.position == Position(session.position) and len(cursor.recording) == session.position


def test_bases_are_clicked_and_each_decision_is_checked(window, qtbot):
    """A wrong base first, which can be taken again; the next moment follows; the first try counts."""
    work = ask_whole(window, qtbot)
    window.mesh.toggle_flat()
    panel = window.exercises.panel
    (right,) = work.decision.right
    click_node(window, qtbot, (right.x + 1, right.y, 0))
    assert window.mesh.drawing.chosen == (Box(right.x + 1, right.y, 0, *right.size),)
    qtbot.mouseClick(panel.check_button, LEFT)
    assert "is not." in panel.form.words.text()
    assert window.exercises.session.open
    for number, decision in enumerate(work.exercise.decisions):
        assert panel.form.progress.text() == f"Decision {number + 1} of 4"
        assert at_the_decision(window)
        assert window.selection.job == decision.job
        if decision.right:
            click_node(window, qtbot, decision.right[0].base)
            qtbot.mouseClick(panel.check_button, LEFT)
        else:
            qtbot.mouseClick(panel.form.wait_button, LEFT)
    assert panel.verdict.text().startswith("◐ 3 of 4 decisions are right.")
    assert len(window.time_cursor.recording) == len(work.exercise.recording)
    assert not panel.form.isVisible()


def test_keys_alone_keep_the_list_of_a_buddy_system(window, qtbot):
    """Blocks are typed, split, merged and taken back; what was done is taken back with Undo."""
    work = ask_whole(window, qtbot, "2dbs", 3)
    form = window.exercises.panel.form
    assert window.exercises.panel.title.text().endswith(", seed 3, level 3")
    while not any(box.volume > 2 for box in work.decision.before):
        decide_by_keys(window, qtbot)
    assert form.boxes == work.decision.before
    large = max(range(len(work.boxes)), key=lambda n: work.boxes[n].volume)
    form.list.setFocus()
    form.list.setCurrentRow(large)
    press(qtbot, form.split_button)
    assert len(work.boxes) == len(work.decision.before) + 3
    assert at_the_decision(window)
    press(qtbot, form.undo_button)
    assert work.boxes == work.decision.before
    form.list.setFocus()
    form.list.setCurrentRow(0)
    qtbot.keyClick(form.list, Qt.Key.Key_Delete)
    assert work.boxes == work.decision.before[1:]
    place = work.place
    decide_by_keys(window, qtbot)
    assert work.place == place + 1
    press(qtbot, form.undo_button)
    assert work.place == place
    assert at_the_decision(window)


def test_tab_leads_through_all_that_can_be_pressed(window, qtbot):
    """From the field over the list and its buttons to Check."""
    ask_whole(window, qtbot, "mbs", 3)
    panel = window.exercises.panel
    panel.form.take_keys()
    passed = []
    while not panel.check_button.hasFocus():
        passed.append(window.focusWidget())
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    assert passed == [stop for stop in panel.form.stops if stop.isEnabled()]


def decide_by_keys(window: MainWindow, qtbot: QtBot) -> None:
    """Type the right decision."""
    work, form = window.exercises.session.work, window.exercises.panel.form
    if not work.decision.right and not work.decision.listed:
        press(qtbot, form.wait_button)
        return
    form.list.setFocus()
    form.list.selectAll()
    qtbot.keyClick(form.list, Qt.Key.Key_Delete)
    form.take_keys()
    for box in work.decision.right:
        qtbot.keyClicks(form.field, f"{box.x},{box.y} {box.w}x{box.d}")
        qtbot.keyClick(form.field, Qt.Key.Key_Return)
    qtbot.keyClick(form.field, Qt.Key.Key_Return)


def test_a_step_is_shown_in_words_and_in_the_mesh(window, qtbot):
    """And what is given up is handed in as far as it was done."""
    work = ask_whole(window, qtbot, "fs")
    panel, drawing = window.exercises.panel, window.mesh.drawing
    qtbot.mouseClick(panel.form.step_button, LEFT)
    assert panel.form.words.text().startswith("Step 1 of ")
    assert drawing.marks == work.marks != ()
    decide_by_keys(window, qtbot)
    assert drawing.marks == ()
    press(qtbot, panel.give_up_button)
    assert panel.verdict.text().startswith("◐ 1 of 4 decisions are right. With steps shown: 1; ")
    assert [given.answer for given in window.exercises.session.log.answers()] == [work.answer]


def test_what_is_typed_and_is_no_box_is_said(window, qtbot):
    """Nothing is decided by it."""
    work = ask_whole(window, qtbot)
    form = window.exercises.panel.form
    qtbot.keyClicks(form.field, "9,9")
    qtbot.keyClick(form.field, Qt.Key.Key_Return)
    assert form.words.text().startswith("Type a base of the mesh")
    assert (work.boxes, work.answer) == ((), [])


def test_only_strategies_are_offered_that_can_be_asked_of(window, qtbot):
    """The level of a whole algorithm alone; the strategy stays where it can."""
    window.exercises.show_choice()
    panel = window.exercises.panel
    for kind in ("structure", "whole", "place"):
        panel.kind.setCurrentIndex(panel.kind.findData(kind))
        offered = [panel.strategy.itemData(row) for row in range(panel.strategy.count())]
        assert offered == suited(kind)
        assert panel.level.isVisibleTo(panel) == (kind == "whole")
    panel.strategy.setCurrentIndex(panel.strategy.findData("gabl"))
    panel.kind.setCurrentIndex(panel.kind.findData("structure"))
    assert panel.strategy.currentData() == "gabl"
    panel.kind.setCurrentIndex(panel.kind.findData("whole"))
    panel.level.setCurrentIndex(1)
    panel.seed.setText("3")
    press(qtbot, panel.begin_button)
    assert arrive(window, qtbot).key.level == 2


def test_what_went_wrong_is_asked_again(window, qtbot):
    """Until its last answer is right; the first answer still counts."""
    session, panel = window.exercises.session, window.exercises.panel
    window.exercises.show_choice()
    assert not panel.again_button.isEnabled()
    keys = [ExerciseKey(kind="wait", strategy="ff", shape=(6, 6), seed=seed) for seed in (1, 2, 3)]
    for key, right in zip(keys, (False, True, False), strict=True):
        made = exercise(key)
        session.ask(made)
        session.answer(made.right if right else None)
    window.exercises.show_choice()
    qtbot.mouseClick(panel.again_button, LEFT)
    for key in (keys[0], keys[2]):
        asked = arrive(window, qtbot)
        assert asked.key == key
        panel.form.list.setCurrentRow(asked.right)
        qtbot.mouseClick(panel.check_button, LEFT)
        if panel.next_button.isEnabled():
            qtbot.mouseClick(panel.next_button, LEFT)
    assert session.wrong_ones() == []
    assert session.log.score == 1


@pytest.mark.parametrize("flat", [False, True])
def test_both_boxes_are_shown_after_a_wrong_place(window, qtbot, flat):
    """The right one and the one that was answered, until another moment is shown."""
    window.exercises.ask(ExerciseKey(kind="place", strategy="bl", shape=(8, 8), seed=3))
    asked = arrive(window, qtbot)
    if window.mesh.flat != flat:
        window.mesh.toggle_flat()
    window.exercises.panel.form.field.setText("(0,0)")
    before = window.mesh.canvas.grab().toImage()
    qtbot.mouseClick(window.exercises.panel.check_button, LEFT)
    given, right = (Box(*node, *asked.boxes[0].size) for node in ((0, 0, 0), asked.boxes[0].base))
    marks = {(mark.role, mark.box) for mark in window.mesh.drawing.marks}
    assert marks == {(Role.CANDIDATE, right), (Role.BLOCKED, given)}
    assert window.mesh.canvas.grab().toImage() != before
    window.time_cursor.next_event()
    assert window.mesh.drawing.marks == ()


def test_an_option_is_chosen_when_it_looks_so(window, qtbot):
    """The keys alone choose none: the row that they are in is not an answer yet."""
    window.exercises.ask(ExerciseKey(kind="wait", strategy="ff", shape=(8, 8), seed=3))
    arrive(window, qtbot)
    form = window.exercises.panel.form
    form.take_keys()
    assert form.value() is None
    qtbot.keyClick(form.list, Qt.Key.Key_Down)
    assert form.list.item(form.value()).isSelected()


def test_the_options_are_in_sight(window, qtbot):
    """Without scrolling, on a small laptop."""
    panel = window.exercises.panel
    for kind, strategy in (("wait", "ff"), ("structure", "gabl"), ("order", "bl")):
        window.exercises.ask(ExerciseKey(kind=kind, strategy=strategy, shape=(8, 8), seed=3))
        arrive(window, qtbot)
        area, options = panel._middle.viewport(), panel.form.list
        qtbot.waitUntil(lambda: panel._middle.verticalScrollBar().maximum() == 0)
        assert area.rect().contains(options.mapTo(area, options.rect().bottomRight()))
        last = options.visualItemRect(options.item(options.count() - 1))
        assert last.bottom() <= options.viewport().rect().bottom()
