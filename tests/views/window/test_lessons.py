"""Lessons in the window: by mouse and keys, from the first step to the last and back."""

from pathlib import Path
from typing import get_args

import pytest
from PySide6.QtCore import QMimeData, QPointF, QSettings, QSize, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QPushButton, QScrollBar, QWidget
from pytestqt.qtbot import QtBot

from meshgui.engine.basics.translation import settings_folder
from meshgui.model.base.recent import RecentFiles
from meshgui.model.document.arrangement import Panel
from meshgui.model.document.examples import example
from meshgui.model.lessons.course import StepAnswer
from meshgui.model.lessons.lesson import load_lesson
from meshgui.model.lessons.lesson_shelf import shipped_lessons
from meshgui.model.stepping.breakpoints import BreakKind, Breakpoint
from meshgui.views.mesh.controls import MeshStatus
from meshgui.views.widgets.focus_ring import FocusRing
from meshgui.views.window.main_window import MainWindow
from meshgui.views.window.moments import MomentKeeper
from tests.views.window.conftest import at_a_desk, open_and_run, settle, wait_for_run
from tests.views.window.parts import WindowWithParts

LEFT = Qt.MouseButton.LeftButton


def arrived(window: MainWindow) -> bool:
    """Whether the window shows the moment of the step."""
    session, cursor = window.lessons.session, window.time_cursor
    moment = session.lesson.moment(session.place)
    recording = cursor.recording
    wanted = session.lesson.scenario(session.place)
    if recording is None or recording.scenario != wanted:
        return False
    whole = window.scenario_run.whole(recording)
    cut = session.cut(whole)
    if not whole.over or (cut is None) != (recording is whole):
        return False
    wished = moment.selection
    selection = window.selection
    return (
        cursor.time == min(moment.time or 0.0, recording.end_time)
        and (selection.job == (wished and wished.job) or selection.packet is not None)
        and selection.packet == (wished and wished.packet)
        and cursor.position.inside == (moment.step is not None and cut is None)
        and (cut is None or cursor.position.events == len(recording) == cut.position)
    )


def gives_nothing_away(window: MainWindow) -> None:
    """What would show the answer to the question of the step is out of sight, and says why."""
    asked, panels = window.lessons.session.asked, window.panels
    for name in panels.docks.keys() & {*asked.hidden}:
        assert panels.docks[name].widget().text() == "Hidden until you have answered."
        assert not panels.views[name].isVisible()
    said = window.sentence.text == "Hidden until you have answered."
    assert said == ("sentence" in asked.hidden)
    assert ("in use" in window.mesh.findChild(MeshStatus).text()) != ("readout" in asked.hidden)
    if asked.of_future:
        recording, cursor = window.time_cursor.recording, window.time_cursor
        before = cursor.position, cursor.time
        for move in (cursor.next_event, cursor.next_step, cursor.next_decision, cursor.last):
            move()
            assert (cursor.position, cursor.time) == before
        assert not recording.over


def hides_nothing(window: MainWindow) -> None:
    """All panels have their contents, and the run is whole."""
    for name, dock in window.panels.docks.items():
        assert dock.widget() is window.panels.views[name] or dock.widget().isAncestorOf(
            window.panels.views[name]
        )
    assert window.time_cursor.recording.over  # also one that ends in a deadlock
    assert window.sentence.text != "Hidden until you have answered."
    assert "in use" in window.mesh.findChild(MeshStatus).text()


def answer(window: MainWindow, qtbot: QtBot) -> None:
    """Answer the question of the step: what it hid comes back, in its place and at the moment of the step."""
    session, docks = window.lessons.session, window.panels.docks
    gives_nothing_away(window)
    queue = session.asked.follows_from == "times"
    assert not queue or window.panels.in_front("queue")
    before = {name: dock.geometry() for name, dock in docks.items() if dock.isVisible()}
    session.answer(StepAnswer("", right=False))
    qtbot.waitUntil(lambda: arrived(window))
    hides_nothing(window)
    shown = {name: dock.geometry() for name, dock in docks.items() if dock.isVisible()}
    assert queue or shown == before


@at_a_desk
@pytest.mark.parametrize("path", shipped_lessons(), ids=lambda path: path.name)
def test_every_shipped_lesson_goes_from_its_first_step_to_its_last_and_back(window, qtbot, path):
    """By keys; each shows its moment, and hides what answers its question. One is passed by at first."""
    assert window.lessons.open(path)
    session, panel = window.lessons.session, window.lessons.panel.view
    passed_by = None
    for place in range(session.last + 1):
        if place:
            qtbot.keyClick(window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
        assert panel.progress.text() == f"step {place + 1} of {session.last + 1}"
        qtbot.waitUntil(lambda: arrived(window))
        assert session.step.title in panel.page.toPlainText()
        for name in session.step.moment.highlight:
            assert not window.panels.docks[name].isHidden()
        if session.asked is None:
            hides_nothing(window)
        elif passed_by is None and place < session.last:
            gives_nothing_away(window)
            passed_by = place
        else:
            answer(window, qtbot)
    for place in reversed(range(session.last)):
        qtbot.keyClick(window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
        assert panel.progress.text() == f"step {place + 1} of {session.last + 1}"
        if place == passed_by:
            qtbot.waitUntil(lambda: arrived(window))
            answer(window, qtbot)
    qtbot.waitUntil(lambda: arrived(window))  # what was passed by leaves nothing behind
    hides_nothing(window)
    qtbot.keyClick(window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: arrived(window))
    hides_nothing(window)  # what was answered stays so
    assert len(window.scenarios) == 1
    assert not window.document.modified


def test_a_student_goes_through_a_lesson(lecture, qtbot):
    """Chosen from the list; a wrong answer, a right one, a walk elsewhere, and the step again."""
    lecture.time_cursor.go_to_time(2)
    own = lecture.document.state
    qtbot.keyClick(lecture.mesh.canvas, "L", Qt.KeyboardModifier.ShiftModifier)
    panel = lecture.lessons.panel.view
    assert panel.list.hasFocus()
    for _ in range(4):  # below each lesson are the exercises to it
        qtbot.keyClick(panel.list, Qt.Key.Key_Down)
    qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: arrived(lecture))
    assert panel.title.text() == "Turning a request"
    assert len(lecture.scenarios) == 2
    assert not panel.back_button.isEnabled()
    box = panel.prediction
    qtbot.mouseClick(box.field, LEFT)
    qtbot.keyClicks(box.field, "x")
    qtbot.keyClick(box.field, Qt.Key.Key_Return)
    assert box.verdict.text().startswith("Type a number")
    box.field.clear()
    qtbot.keyClicks(box.field, "1")
    qtbot.mouseClick(box.button, LEFT)
    qtbot.waitUntil(lambda: box.verdict.text().startswith("✗ Not quite."))
    assert "That is the answer of Turning First Fit." in box.verdict.text()
    assert "When job 0 leaves" not in panel.page.toPlainText()
    gives_nothing_away(lecture)
    box.field.clear()
    qtbot.keyClicks(box.field, "5,0")
    qtbot.keyClick(box.field, Qt.Key.Key_Return)
    assert box.verdict.text() == "✓ Right."
    assert "When job 0 leaves" in panel.page.toPlainText()
    assert panel.next_button.hasFocus()
    qtbot.waitUntil(lambda: arrived(lecture))
    hides_nothing(lecture)
    qtbot.mouseClick(panel.next_button, LEFT)
    qtbot.waitUntil(lambda: arrived(lecture))
    assert lecture.document.scenario.allocator.name == "tff"
    assert box.verdict.text() == box.field.text() == ""
    lecture.time_cursor.last()
    lecture.selection.deselect_innermost()
    qtbot.mouseClick(panel.again_button, LEFT)
    qtbot.waitUntil(lambda: arrived(lecture))
    lecture.strategy.run_with("tbl")  # what a student tries is undone by the next step
    wait_for_run(lecture, qtbot)
    qtbot.mouseClick(panel.back_button, LEFT)
    qtbot.waitUntil(lambda: arrived(lecture))
    assert lecture.document.scenario.allocator.name == "ff"
    assert not lecture.document.modified
    hides_nothing(lecture)
    assert (box.field.text(), box.verdict.text()) == ("5,0", "✓ Right.")
    assert "When job 0 leaves" in panel.page.toPlainText()
    qtbot.mouseClick(box.again_button, LEFT)  # as if it had not been answered
    qtbot.waitUntil(lambda: arrived(lecture))
    gives_nothing_away(lecture)
    assert box.field.text() == box.verdict.text() == ""
    lecture.scenarios.show(0)
    assert lecture.document.state is own
    assert lecture.time_cursor.time == 2
    qtbot.mouseClick(panel.list_button, LEFT)
    assert panel.list.isVisible()
    assert panel.list.count() == 2 * len(shipped_lessons())


def test_a_lesson_that_cannot_be_read_changes_nothing_and_the_list_shows_titles_whole(
    window, tmp_path, qtbot
):
    """A sentence says where its fault is; in the list it cannot be chosen."""
    bad = tmp_path / "lessons" / "bad.lesson.md"
    bad.parent.mkdir()
    bad.write_text("# A\n")
    assert not window.lessons.open(bad)
    assert "bad.lesson.md:1: expected at least one step" in window.notice.text
    assert window.lessons.session.lesson is None
    window.lessons.show_list()
    panel = window.lessons.panel.view
    last = panel.list.item(panel.list.count() - 1)
    assert last.text() == "bad.lesson.md  ·  cannot be read"
    assert not last.flags() & Qt.ItemFlag.ItemIsEnabled
    # One that is too long for the line beside the padding has two, and none is cut
    titles = window.lessons.panel.view.list
    metrics, margin = titles.fontMetrics(), 2 * (window.themes.px(8) + 2)
    for width in range(260, 380, 10):
        titles.setFixedWidth(width)
        titles.doItemsLayout()
        for row in range(titles.count()):
            item = titles.item(row)
            lines = titles.visualItemRect(item).height() // metrics.height()
            room = titles.viewport().width() - margin
            assert lines * room >= metrics.horizontalAdvance(item.text()), (width, item.text())
    # Exercises are found by a button below it
    qtbot.mouseClick(window.lessons.panel.view.exercises_button, LEFT)
    qtbot.waitUntil(window.exercises.panel.begin_button.isVisible)
    # The panels that a lesson can name are there
    assert {*get_args(Panel)} <= set(window.panels.docks) - {"notes", "lesson"}


def test_the_list_of_lessons_has_the_keys_in_a_small_window(window, qtbot):
    """Where panels are folded away for it: an arrow key chooses a lesson, and the mesh has no frame."""
    window.resize(960, 600)
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    settle(window, qtbot)
    window.trigger("lesson.list")
    settle(window, qtbot)
    assert window.focusWidget() is window.lessons.panel.view.list


@at_a_desk
def test_a_small_window_shows_the_first_panel_that_a_step_names(window, qtbot):
    """Beside the text of the lesson: there is room for one."""
    window.resize(960, 600)
    assert window.lessons.open(shipped_lessons()[0])
    qtbot.waitUntil(lambda: arrived(window))
    window.panels.lesson.show_step(("algorithm", "queue", "inspector"))
    settle(window, qtbot)
    assert window.panels.in_front("algorithm")
    assert window.panels.in_front("lesson")


def places(window: MainWindow) -> dict[str, tuple[int, int]]:
    """Where the panels that are shown lie."""
    docks = window.panels.docks.items()
    return {name: (dock.x(), dock.y()) for name, dock in docks if not dock.isHidden() and dock.x() >= 0}


@at_a_desk
def test_the_panels_come_back_when_the_lesson_is_closed_in_a_low_window_too(lecture, qtbot):
    """While it is open it has its column; the panels that stood there lie behind the inspector."""
    docks = lecture.panels.docks
    qtbot.waitUntil(docks["notes"].isVisible)
    before = places(lecture)
    lecture.lessons.show_list()
    qtbot.waitUntil(docks["lesson"].isVisible)
    assert {docks["queue"], docks["job"]} <= {*lecture.tabifiedDockWidgets(docks["inspector"])}
    mesh, timeline = lecture.centralWidget().geometry(), docks["timeline"].geometry()
    qtbot.waitUntil(
        lambda: (
            (lesson := docks["lesson"].geometry()).top() <= mesh.top()
            and lesson.bottom() >= timeline.bottom()
        )
    )
    assert docks["notes"].isHidden()
    docks["lesson"].close()
    qtbot.waitUntil(lambda: places(lecture) == before)
    # In a low window a step keeps its text and its buttons in place: panels lie behind the inspector then
    lecture.resize(1280, 680)
    lesson = next(path for path in shipped_lessons() if "best-fit" in path.name)
    assert lecture.lessons.open(lesson)
    panel, docks = lecture.lessons.panel.view, lecture.panels.docks
    qtbot.waitUntil(lambda: arrived(lecture))
    qtbot.waitUntil(lambda: docks["lesson"].height() > 300)
    before = panel.next_button.mapTo(lecture, panel.next_button.rect().center())
    qtbot.mouseClick(panel.next_button, LEFT)
    qtbot.waitUntil(lambda: arrived(lecture) and docks["job"].isVisible())
    assert "job" in lecture.lessons.session.step.moment.highlight
    assert docks["job"] in lecture.tabifiedDockWidgets(docks["inspector"])
    assert panel.next_button.mapTo(lecture, panel.next_button.rect().center()) == before
    docks["lesson"].close()
    qtbot.waitUntil(lambda: docks["job"] not in lecture.tabifiedDockWidgets(docks["inspector"]))


def test_what_a_student_does_in_between_is_undone_or_left_alone(window, qtbot):
    """Another strategy, another time, a selected job, a breakpoint and a hidden panel."""
    assert window.lessons.open(shipped_lessons()[0])
    for _ in range(2):
        qtbot.keyClick(window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: arrived(window))
    window.strategy.run_with("ff")
    wait_for_run(window, qtbot)
    window.driving.breakpoints.replace([Breakpoint(BreakKind.START)])
    window.time_cursor.last()
    window.selection.select(1)
    window.panels.docks["timeline"].hide()
    qtbot.mouseClick(window.lessons.panel.view.again_button, LEFT)
    qtbot.waitUntil(lambda: arrived(window))
    assert not window.document.modified
    assert window.document.scenario.allocator.name == "tbl"
    assert not window.driving.breakpoints.all
    assert not window.panels.docks["timeline"].isHidden()
    # A scenario opened over the lesson is left alone: the next step opens a tab of its own again
    assert window.files.open(example("three-jobs-4x4x4"), as_example=True)
    own = window.document.state
    window.commands.trigger("lesson.next")
    qtbot.waitUntil(lambda: arrived(window))
    assert len(window.scenarios) == 2
    assert own in window.scenarios.states


def test_a_lesson_is_found_by_its_title_and_opened_by_a_drop(window, qtbot):
    """The palette knows each; the welcome page leads to the list."""
    qtbot.mouseClick(window.welcome.lessons_button, LEFT)
    qtbot.waitUntil(window.lessons.panel.view.list.isVisible)
    window.palette_sheet.open()
    window.palette_sheet.search.setText("greedy shrinking")
    assert "Greedy shrinking in GABL" in [command.title for command in window.palette_sheet.commands()]
    window.palette_sheet.dismiss()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(shipped_lessons()[2]))])
    drop = QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, LEFT, Qt.KeyboardModifier.NoModifier)
    window.dropEvent(drop)
    assert drop.isAccepted()
    qtbot.waitUntil(lambda: arrived(window))
    assert window.lessons.panel.view.title.text() == "Turning a request"


def test_a_step_opens_its_experiment(window, qtbot):
    """Filled in and not run; the button is there only where a step has one."""
    [path] = [path for path in shipped_lessons() if "contention" in path.name]
    assert window.lessons.open(path)
    panel, session = window.lessons.panel.view, window.lessons.session
    assert panel.experiment_button.isHidden()
    while session.place < session.last:
        session.next()
    qtbot.mouseClick(panel.experiment_button, LEFT)
    plan = window.studies.experiment.plan
    assert [row.key for row in plan.rows] == ["allocator.name", "workload.load"]
    assert plan.scenario.network is not None
    window.studies.experiment.close()
    qtbot.waitUntil(lambda: arrived(window))


def test_own_lessons_lie_beside_the_settings(qtbot, themes, tmp_path):
    """In the folder that the manual and the command line name, wherever the window keeps its own data."""
    own = tmp_path / "settings" / "lessons" / "own.lesson.md"
    own.parent.mkdir(parents=True)
    own.write_text("# Of my own\n\n## Step\n\nText\n", encoding="utf-8")
    settings = QSettings(str(tmp_path / "settings" / "settings.ini"), QSettings.Format.IniFormat)
    window = WindowWithParts(themes, settings, RecentFiles(tmp_path / "data"))
    qtbot.addWidget(window)
    assert own in [lesson.path for lesson in window.lessons.found()]
    usual = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "MeshGUI", "MeshGUI")
    assert Path(usual.fileName()).parent == settings_folder()


def test_the_frame_of_the_focus_shows_in_the_list_and_in_each_lesson(window, qtbot):
    """Also the second time, when Qt hands the focus on with the page."""
    panel = window.lessons.panel.view
    for path in shipped_lessons()[:2]:
        qtbot.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ShiftModifier)
        qtbot.waitUntil(lambda: panel.list.hasFocus() and panel.list.isVisible())
        assert ring_of(panel.list).isVisible()
        qtbot.waitUntil(lambda: ring_of(panel.list).geometry() == panel.list.rect())
        assert window.lessons.open(path)
        qtbot.waitUntil(lambda: panel.page.hasFocus() and panel.page.isVisible())
        assert ring_of(panel.page).isVisible()


def ring_of(canvas: QWidget) -> FocusRing:
    """The frame over a canvas."""
    [ring] = canvas.findChildren(FocusRing, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return ring


def test_a_step_shows_its_moment_once_and_no_welcome_page_before_it(lecture, qtbot, monkeypatch):
    """Its tab opens with the scenario of the step."""
    shown, pages = [], []
    show = MomentKeeper._await
    monkeypatch.setattr(
        MomentKeeper, "_await", lambda keeper, moment: (shown.append(moment), show(keeper, moment))
    )
    lecture.document.changed.connect(lambda: pages.append(lecture.document.scenario))
    assert lecture.lessons.open(shipped_lessons()[0])
    qtbot.waitUntil(lambda: arrived(lecture))
    assert len(lecture.scenarios) == 2
    assert len(shown) == 1
    assert None not in pages
    lecture.lessons.session.next()
    qtbot.waitUntil(lambda: arrived(lecture))
    assert len(shown) == 2


def test_a_lesson_ends_with_what_was_right_its_exercises_and_the_next_one(window, qtbot):
    """An exercise in between does not lose the lesson."""
    first, second = shipped_lessons()[:2]
    assert window.lessons.open(first)
    session, panel = window.lessons.session, window.lessons.panel.view
    qtbot.waitUntil(lambda: arrived(window))
    session.answer(StepAnswer("64", right=True))
    assert panel.practice_button.isHidden()
    while session.place < session.last:
        session.next()
    text = panel.page.toPlainText()
    assert "1 of 4 questions right. Look again at step 2 (A job asks for a box), 3" in text
    assert "Next lesson: Internal and external fragmentation" in text
    qtbot.mouseClick(panel.practice_button, LEFT)
    exercises = window.exercises
    qtbot.waitUntil(lambda: exercises.session.open)
    assert exercises.panel.progress.text() == "1 of 6"
    exercises.panel.give_up()
    [back] = [each for each in panel.findChildren(QPushButton) if each.text() == "Back to the lesson"]
    qtbot.mouseClick(back, LEFT)
    qtbot.waitUntil(lambda: arrived(window))
    assert panel.page.isVisible()
    assert session.place == session.last
    qtbot.mouseClick(panel.next_button, LEFT)
    qtbot.waitUntil(lambda: arrived(window))
    assert (session.lesson.path, session.place) == (second, 0)
    qtbot.mouseClick(panel.list_button, LEFT)
    rows = [panel.list.item(row).text().replace("\N{NO-BREAK SPACE}", " ") for row in range(4)]
    assert rows[0] == "1. What a mesh machine is  ·  8 min  ·  ✓ 1 of 4"
    assert rows[1].strip() == "Exercises · 1 of 6"
    assert rows[2] == "2. Internal and external fragmentation  ·  10 min  ·  after 1"
    panel.list.itemActivated.emit(panel.list.item(1))
    qtbot.waitUntil(lambda: exercises.session.open and exercises.panel.progress.text() == "2 of 6")


def test_the_end_of_a_lesson_comes_after_the_answer_to_its_last_question(window, qtbot):
    """It counts the answer, and stands below what explains it; asked again it is gone."""
    path = shipped_lessons()[1]
    assert window.lessons.open(path)
    session, panel = window.lessons.session, window.lessons.panel.view
    for _ in range(session.last):
        session.next()
    qtbot.waitUntil(lambda: arrived(window))
    assert "questions right" not in panel.page.toPlainText()
    panel.prediction.field.setText("44")
    panel.prediction.check()
    qtbot.waitUntil(lambda: "questions right" in panel.page.toPlainText())
    explained, end = panel.page.toPlainText().split("Source: ")
    assert end.startswith(load_lesson(path).source)
    assert "A large part of the machine is free" in explained
    assert "1 of 6 questions right. Look again at step 1 (Free, but useless), 2" in end
    assert "6 (" not in end
    session.back()
    session.next()
    assert panel.page.toPlainText() == f"{explained}Source: {end}"
    qtbot.mouseClick(panel.prediction.again_button, LEFT)
    assert "questions right" not in panel.page.toPlainText()
    qtbot.waitUntil(lambda: arrived(window))


def test_pictures_of_a_step_are_drawn_by_the_program(window, qtbot):
    """In the colours of the theme; the room is kept until their runs are there."""
    [path] = [path for path in shipped_lessons() if "best-fit" in path.name]
    assert window.lessons.open(path)
    session, panel = window.lessons.session, window.lessons.panel.view
    while not (session.step.moment and session.step.moment.pictures):
        session.next()
    empty = panel._pictures.draw(0, 320)
    with qtbot.waitSignal(panel._pictures.came):
        pass
    light = panel._pictures.draw(0, 320)
    assert light.size() == empty.size() != light.scaledToWidth(1).size()
    assert light != empty
    assert panel._pictures.draw(1, 320) is None
    window.themes.set_mode("dark")
    assert panel._pictures.draw(0, 320) != light
    qtbot.waitUntil(lambda: arrived(window))


def test_a_closed_panel_hides_nothing_more(window, qtbot):
    """Its question cannot be answered; the lesson opens where it was left, and asks again."""
    assert window.lessons.open(shipped_lessons()[1])
    qtbot.waitUntil(lambda: arrived(window))
    window.lessons.session.next()
    qtbot.waitUntil(lambda: arrived(window))
    gives_nothing_away(window)
    window.panels.docks["lesson"].close()
    qtbot.waitUntil(lambda: window.time_cursor.recording.complete)
    hides_nothing(window)
    assert window.lessons.open(shipped_lessons()[1])
    qtbot.waitUntil(lambda: arrived(window))
    gives_nothing_away(window)


def test_on_a_laptop_in_large_letters_the_text_stays_and_one_bar_scrolls_it(window, qtbot):
    """It went with all panels as a step brought its own, and was scrolled within what was scrolled."""
    window.resize(1350, 720)
    window.themes.set_scale(2.0)
    settle(window, qtbot)
    window.lessons.show_list()
    settle(window, qtbot)
    panel = window.lessons.panel.view
    dock = window.panels.docks["lesson"]
    assert bars_in_sight(dock) == 1
    panel.chosen.emit(shipped_lessons()[1])
    settle(window, qtbot)
    for _ in range(3):
        assert panel.page.isVisible()
        assert window.size() == QSize(1350, 720)
        assert bars_in_sight(dock) == 1
        bar = dock.widget().verticalScrollBar()
        qtbot.keyClick(panel.page, Qt.Key.Key_Down)
        assert bar.value() > 0
        panel.next_button.click()
        settle(window, qtbot)
        assert bar.value() == 0
    window.trigger("exercise.list")
    settle(window, qtbot)
    assert bars_in_sight(dock) == 1


def bars_in_sight(dock):
    """How many scroll bars a panel has."""
    return sum(bar.isVisible() for bar in dock.findChildren(QScrollBar))
