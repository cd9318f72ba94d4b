"""Exercises in the window: asked, answered by mouse and keys, and with nothing given away before."""

import csv
import json
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from meshgui.engine.basics.geometry import Box
from meshgui.model.exercises.exercise import KINDS, ExerciseKey
from meshgui.model.exercises.exercise_runs import usual_shape
from meshgui.model.exercises.exercises import exercise_set, title_of
from meshgui.model.exercises.hand_in import ExerciseSet, grade_hand_in, write_part
from meshgui.model.moment.position import Position
from meshgui.model.stepping.place_words import read_place
from meshgui.model.tables.tables import PlainTable
from meshgui.views.exporting.exportable import tables_of
from meshgui.views.panels.why_sheet import WhySheet
from meshgui.views.widgets.elided_combo import ElidedCombo
from meshgui.views.widgets.focus_ring import focus_by_key
from meshgui.views.window.main_window import MainWindow
from tests.views.conftest import handle_events
from tests.views.window.conftest import at_a_desk, open_and_run

LEFT = Qt.MouseButton.LeftButton


def ask(window: MainWindow, qtbot: QtBot, kind: str, strategy: str = "bl", seed: int = 3):
    """Ask an exercise, and wait until its moment is shown."""
    window.exercises.ask(ExerciseKey(kind=kind, strategy=strategy, shape=usual_shape(strategy), seed=seed))
    return arrive(window, qtbot)


def arrive(window: MainWindow, qtbot: QtBot):
    """The exercise that is asked, once its moment is shown."""
    session = window.exercises.session
    qtbot.waitUntil(lambda: session.open and at_the_question(window))
    return session.exercise


def at_the_question(window: MainWindow) -> bool:
    """Whether the moment of the question is shown, and the run ends there."""
    exercise, recording = window.exercises.session.exercise, window.time_cursor.recording
    return (
        recording is not None
        and recording.scenario == exercise.recording.scenario
        and len(recording) == exercise.position
        and window.time_cursor.position == Position(exercise.position)
        and not window.runs.running
    )


def click_node(window: MainWindow, qtbot: QtBot, node: tuple[int, int, int]) -> None:
    """Click a node in the canvas that is shown."""
    canvas = window.mesh.canvas
    [side] = canvas._sides(np_boxes(node), [(2, 1)])
    qtbot.mouseClick(canvas, LEFT, pos=side.boundingRect().center().toPoint())


def press(qtbot: QtBot, button: QPushButton) -> None:
    """Press a button by its key."""
    focus_by_key(button)  # after a click the space bar is the window's
    qtbot.keyClick(button, Qt.Key.Key_Space)


def np_boxes(node):
    """A box of one node, as the canvases take them."""
    return np.array([(*node, 1, 1, 1)], dtype=np.int16)


@pytest.mark.parametrize("flat", [False, True])
def test_a_base_is_clicked_and_the_future_hidden_until_then(window, qtbot, flat):
    """A wrong base first, in either canvas; then what is right is said, and the steps are shown."""
    asked = ask(window, qtbot, "place")
    if window.mesh.flat != flat:
        window.mesh.toggle_flat()
    panel, cursor = window.exercises.panel, window.time_cursor
    assert panel.question.text() == asked.question
    gives_nothing_away(window)
    x, y = asked.right
    click_node(window, qtbot, (x, y - 1, 0))
    assert panel.form.field.text() == f"({x},{y - 1})"
    assert window.mesh.drawing.chosen == (Box(x, y - 1, 0, 1, 1, 1),)
    qtbot.mouseClick(panel.check_button, LEFT)
    assert panel.verdict.text().startswith("◐ x is right, y is not.")
    assert not window.mesh.drawing.placing
    assert len(cursor.recording) == len(asked.recording)
    assert cursor.position == Position(asked.position)
    assert window.commands.action("run.start").isEnabled()
    assert not window.commands.action("edit.undo").isEnabled()  # nothing was edited
    assert window.sentence.text != "What comes next is hidden until you have answered."
    qtbot.mouseClick(panel.steps_button, LEFT)
    assert cursor.position == Position(asked.position, asked.attempt)
    assert window.exercises.session.log.score == 0.25


def gives_nothing_away(window: MainWindow) -> None:
    """Nothing that shows the run knows more of it than the moment of the question."""
    cursor, asked = window.time_cursor, window.exercises.session.exercise
    recording = cursor.recording
    assert recording.end_time == asked.time
    assert not recording.complete
    assert recording.boxes_of(asked.job) == ()
    assert asked.attempt not in recording.attempts_of(asked.job)
    assert list(recording.attempts_at(asked.position)) == []
    for move in (cursor.next_event, cursor.next_step, cursor.next_decision, cursor.last, cursor.next_cycle):
        move()
        assert (cursor.position, cursor.time) == (Position(asked.position), asked.time)
    assert not cursor.run_to_stop()
    assert window.sentence.text == "What comes next is hidden until you have answered."
    for name in (
        "run.start",
        "run.compare",
        "run.experiment",
        "run.strategy",
        "job.draw",
        "job.end",
    ):
        assert not window.commands.action(name).isEnabled(), name
    before = window.document.scenario
    window.strategy.run_with("tff")
    assert window.document.scenario == before
    assert "hidden until you have answered" in window.notice.text
    window.panels.show("job")
    section = window.why.made
    assert section is None or section.reason is None
    assert not window.form.isVisible()
    events = window.palette_sheet.commands()
    assert all(not c.id.startswith(f"job.{asked.job}.starts") for c in events)


def test_a_sheet_gives_nothing_away_either(window, qtbot):
    """While presenting: it says that the reason is hidden until the answer."""
    open_and_run(window, qtbot, "gabl-16x16")
    window.panels.lecture.begin(low=False)
    window.panels.show("job")
    sheet = window.findChild(WhySheet)
    assert sheet.isVisible()
    ask(window, qtbot, "place")
    window.panels.show("job")
    assert sheet.words.plain == "What comes next is hidden until you have answered."
    assert sheet.reason is None


def test_the_keys_go_to_where_the_answer_is_given(window, qtbot, subtests):
    """In the form of each kind that asks about a moment."""
    for kind in (kind for kind in KINDS if kind != "whole"):
        with subtests.test(kind):
            ask_by_keys(window, qtbot, kind)


def ask_by_keys(window: MainWindow, qtbot: QtBot, kind: str) -> None:
    """From Ask into the form, and with Shift+X from the mesh; Tab leads to Check, Return checks."""
    window.exercises.show_choice()
    panel = window.exercises.panel
    panel.kind.setCurrentIndex(panel.kind.findData(kind))
    panel.strategy.setCurrentIndex(panel.strategy.findData("bl"))
    panel.seed.setText("3")
    press(qtbot, panel.begin_button)
    arrive(window, qtbot)
    qtbot.waitUntil(lambda: panel.form.isAncestorOf(window.focusWidget()))
    given_in = window.focusWidget()
    window.mesh.canvas.setFocus()
    qtbot.keyClick(window.mesh.canvas, "X", Qt.KeyboardModifier.ShiftModifier)
    assert window.focusWidget() is given_in
    for _ in panel.form.stops[panel.form.stops.index(given_in) :]:
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    assert panel.check_button.hasFocus()
    answer = window.exercises.session.exercise.right
    if kind in {"place", "packet", "fragment"}:
        panel.form.field.setText(str(answer))
    elif kind != "order":
        panel.form.list.setCurrentRow(answer)
    panel.form.take_keys()
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    assert not window.exercises.session.open
    assert panel.next_button.hasFocus()


@at_a_desk
def test_keys_alone_answer_a_question(lecture, qtbot):
    """Shift+X, a choice by keys, the arrow keys in the mesh, Return, and Ctrl+Shift+X for the next."""
    qtbot.keyClick(lecture.mesh.canvas, "X", Qt.KeyboardModifier.ShiftModifier)
    panel = lecture.exercises.panel
    assert panel.kind.hasFocus()
    panel.strategy.setCurrentIndex(panel.strategy.findData("bl"))
    panel.seed.setText("3")
    press(qtbot, panel.begin_button)
    asked = arrive(lecture, qtbot)
    assert len(lecture.scenarios) == 2
    canvas = lecture.mesh.canvas
    canvas.setFocus()
    x, y = asked.right
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    for _ in range(x):
        qtbot.keyClick(canvas, Qt.Key.Key_Right)
    for _ in range(y):
        qtbot.keyClick(canvas, Qt.Key.Key_Up)
    qtbot.keyClick(canvas, Qt.Key.Key_Return)
    press(qtbot, panel.check_button)
    assert panel.verdict.text().startswith("✓ Right: ")
    qtbot.keyClick(lecture, "X", Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert arrive(lecture, qtbot).key.seed == 4
    assert len(lecture.scenarios) == 2
    lecture.scenarios.show(0)
    assert lecture.commands.action("run.start").isEnabled()
    assert lecture.time_cursor.recording.complete
    lecture.scenarios.show(1)
    gives_nothing_away(lecture)


def test_an_exercise_can_be_given_up(window, qtbot):
    """The answer is shown, the future too; it counts as not solved, and the next one can be asked."""
    asked = ask(window, qtbot, "place")
    panel, session = window.exercises.panel, window.exercises.session
    window.commands.trigger("exercise.next")
    assert window.sentence.text == "Answer this exercise first, or give up."
    press(qtbot, panel.give_up_button)
    assert panel.verdict.text().startswith("✗ Not answered. Right: the job gets ")
    assert panel.explanation.text() == asked.explanation
    assert not panel.give_up_button.isVisible()
    assert len(window.time_cursor.recording) == len(asked.recording)
    assert [given.answer for given in session.log.answers()] == [None]
    assert session.log.score == 0
    qtbot.keyClick(window, "X", Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert arrive(window, qtbot).key.seed == 4
    assert panel.give_up_button.isVisible()


def test_answers_that_cannot_be_kept_are_said(window, qtbot, tmp_path):
    """As on a full disk; they are still there for the hand-in."""
    ask(window, qtbot, "wait")
    (tmp_path / "exercises.json").mkdir()
    window.exercises.session.answer(None)
    assert window.notice.text == (
        "Your answers cannot be kept: is a directory. Write the hand-in before you close the window."
    )
    window.exercises.write_hand_in_to(tmp_path / "mine.hand-in.json")
    assert len(json.loads((tmp_path / "mine.hand-in.json").read_bytes())["answers"]) == 1


def test_boxes_lines_and_packets_are_given_by_mouse_and_keys(window, qtbot):
    """A click points out a processor, another on it takes it back."""
    asked = ask(window, qtbot, "place", "mbs")
    window.mesh.toggle_flat()
    form = window.exercises.panel.form
    click_node(window, qtbot, (0, 0, 0))
    click_node(window, qtbot, (2, 1, 0))
    assert form.value() == [[0, 0, 0, 1, 1, 1], [2, 1, 0, 1, 1, 1]]
    click_node(window, qtbot, (0, 0, 0))
    assert form.value() == [[2, 1, 0, 1, 1, 1]]
    form.field.clear()
    for box in asked.right:
        form.place(Box(*box))
    qtbot.mouseClick(window.exercises.panel.check_button, LEFT)
    assert window.exercises.session.judgement.right
    # Ctrl and an arrow key move the current line, and so do the buttons
    asked = ask(window, qtbot, "order")
    panel = window.exercises.panel
    rows = panel.form.list
    rows.setFocus()
    for place, line in enumerate(asked.right):
        row = panel.form.value().index(line)
        rows.setCurrentRow(row)
        for _ in range(row - place):
            qtbot.keyClick(rows, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    assert panel.form.value() == asked.right
    qtbot.mouseClick(panel.check_button, LEFT)
    assert window.exercises.session.judgement.right
    # The network's panel is covered, and a click on a packet in the mesh selects nothing
    asked = ask(window, qtbot, "packet", "gabl")
    assert not window.network.isVisible()
    window.mesh.drawing.packet_chosen.emit(asked.right)
    assert window.exercises.panel.form.value() == asked.right
    assert window.selection.packet is None
    qtbot.mouseClick(window.exercises.panel.check_button, LEFT)
    assert window.exercises.session.judgement.right
    assert window.exercises.panel.explanation.text().startswith(f"Packet {asked.packet} waits at ")


def test_options_and_sizes_are_given(window, qtbot):
    """An option is chosen in a list, a size typed."""
    for kind, strategy in (("wait", "ta"), ("structure", "gabl"), ("fragment", "ff")):
        asked = ask(window, qtbot, kind, strategy, seed=2)
        form, panel = window.exercises.panel.form, window.exercises.panel
        qtbot.mouseClick(panel.check_button, LEFT)
        assert panel.verdict.text() == "Give an answer first."
        if kind == "fragment":
            qtbot.keyClicks(form.field, "x".join(map(str, asked.right)))
        else:
            form.list.setCurrentRow(asked.right)
            assert form.list.horizontalScrollBar().maximum() == 0  # long options take two lines
        panel.check_button.setFocus()
        qtbot.mouseClick(panel.check_button, LEFT)
        assert panel.verdict.text().startswith("✓ Right")
        assert panel.next_button.hasFocus()  # not what lies behind the button that is gone


def test_the_choice_elides_long_questions_and_says_what_cannot_be_asked(window, qtbot):
    """In the narrow column of a lesson a tip has the question whole."""
    window.exercises.show_choice()
    panel = window.exercises.panel
    kind = panel.kind
    qtbot.waitUntil(kind.isVisible)
    kind.setCurrentIndex(kind.findData("structure"))
    assert isinstance(kind, ElidedCombo)
    assert kind.toolTip() == title_of("structure")
    kind.setCurrentIndex(kind.findData("place"))
    # A mesh on which the strategy does not work, and one that is too large
    panel.strategy.setCurrentIndex(panel.strategy.findData("fs"))
    panel.shape.setText("4x4x4")
    qtbot.mouseClick(panel.begin_button, LEFT)
    qtbot.waitUntil(lambda: panel.note.text().startswith("Fs works on 2D meshes"))
    panel.shape.setText("100x100")
    qtbot.mouseClick(panel.begin_button, LEFT)
    assert panel.note.text().startswith("Type a mesh, for example 8×8")


def test_a_set_is_answered_and_handed_in(window, qtbot, tmp_path):
    """One question after the other; what is written is graded as it was answered."""
    keys = exercise_set(("ff",), ("wait",), 2, 5)
    path = tmp_path / "week.exercises.json"
    write_part(path, ExerciseSet(title="Week", asked=keys))
    window.exercises.open_set(path)
    panel = window.exercises.panel
    for number in range(2):
        asked = arrive(window, qtbot)
        assert panel.progress.text() == f"{number + 1} of 2"
        assert not panel.next_button.isEnabled()
        panel.form.list.setCurrentRow(asked.right)
        qtbot.mouseClick(panel.check_button, LEFT)
        if panel.next_button.isEnabled():
            qtbot.mouseClick(panel.next_button, LEFT)
    panel.name.setText("A. Student")
    window.exercises.write_hand_in_to(tmp_path / "mine.hand-in.json")
    grade = grade_hand_in(tmp_path / "mine.hand-in.json", ExerciseSet(title="Week", asked=keys))
    assert (grade.student, grade.score, grade.remark) == ("A. Student", 2, "")
    window.exercises.open_set(tmp_path / "mine.hand-in.json")
    assert "unknown key" in window.notice.text


def test_a_copy_of_the_run_gives_nothing_away_either(window, qtbot):
    """Its title alone differs: it is cut off as well, until the answer, and whole afterwards in both tabs."""
    asked = ask(window, qtbot, "place")
    window.scenarios.duplicate()
    qtbot.waitUntil(lambda: window.document.scenario.title != asked.recording.scenario.title)
    gives_nothing_away(window)
    window.commands.trigger("run.start")
    assert len(window.time_cursor.recording) == asked.position
    window.exercises.ask(asked.key.model_copy(update={"seed": 4}))
    assert window.exercises.session.exercise is asked
    window.exercises.panel.give_up()
    for place in (0, 1):
        window.scenarios.show(place)
        qtbot.waitUntil(lambda: len(window.time_cursor.recording) == len(asked.recording))


def test_no_table_or_picture_knows_what_comes_next(window, qtbot):
    """What is exported while a question is open ends at its moment, and grows with the answer."""
    for kind in ("place", "structure", "fragment", "packet"):
        ask(window, qtbot, kind)
        asked = window.exercises.session.exercise
        before = offered(window)
        assert len(before) > 2
        known = np.flatnonzero(asked.recording.jobs.arrival <= asked.time)
        for title, table in before.items():
            for column, values in zip(table.columns, zip(*table.rows, strict=True), strict=False):
                numbers = [value for value in values if isinstance(value, int | float)]
                if column in {"Time", "Arrives", "Starts", "Leaves"} and numbers:
                    assert max(numbers) <= asked.time, title
                if column == "Job" and numbers:
                    assert set(numbers) <= set(known.tolist()), title
        window.exercises.panel.give_up()
        length = len(asked.recording)
        qtbot.waitUntil(lambda length=length: len(window.time_cursor.recording) == length)
        after = offered(window)
        assert sum(len(list(table.rows)) for table in after.values()) > sum(
            len(list(table.rows)) for table in before.values()
        )


@pytest.mark.parametrize("kind", ["place", "packet", "order"])
def test_no_exported_file_typed_place_or_link_leads_to_what_comes_next(
    window, qtbot, tmp_path, monkeypatch, kind
):
    """Every table in sight, through the dialog: no time after the question, no start of the job in it."""
    window.resize(1600, 1000)
    asked = ask(window, qtbot, kind)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "shown.csv"), ""))
    tables = {}
    for panel in window.panels.docks:
        window.panels.show(panel)
        handle_events()
        tables |= {table.title: table for table in window.exporter.tables(None)}
    assert tables.keys() >= {"Jobs over time", "Overview of the whole run"}
    assert (f"Pseudo-code of {window.algorithm.title.text()}" in tables) is (kind != "order")
    columns = {"Time", "Arrives", "Starts", "Leaves"}
    for table in tables.values():
        window.exporter.export(table)
        with (tmp_path / "shown.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        times = [float(row[column]) for row in rows for column in columns & row.keys() if row[column]]
        assert max(times, default=0.0) <= asked.time, table.title
        if table.title == "Jobs over time" and kind == "place":
            [job] = [row for row in rows if row["Job"] == str(asked.job)]
            assert (job["Starts"], job["Leaves"]) == ("", "")
    # Nor does a later job, event or time, or a link to the moment that is opened in another tab
    whole, shown = asked.recording, window.time_cursor.recording
    for job in np.flatnonzero(whole.arrived >= asked.position):
        assert read_place(f"job {job}", shown).instant is None
    for event in (asked.position + 1, len(whole)):
        assert read_place(f"event {event}", shown).instant is None
    assert read_place(str(whole.end_time), shown).instant is None
    window.moments.copy_link()
    window.scenarios.open_empty()
    assert window.moments.open_link(QApplication.clipboard().text())
    qtbot.waitUntil(lambda: window.time_cursor.recording is not None and not window.runs.running)
    assert len(window.time_cursor.recording) == asked.position


def offered(window: MainWindow) -> dict[str, PlainTable]:
    """All tables that can be exported, by title."""
    found: dict[str, PlainTable] = {}
    for panel in ("plots", "timeline"):
        window.panels.show(panel)
        handle_events()
        tables = [table for widget in window.findChildren(QWidget) for table in tables_of(widget)]
        found |= {table.title: replace(table, rows=[tuple(row) for row in table.rows]) for table in tables}
    return found


@pytest.mark.parametrize("name", ["shape", "seed"])
def test_return_in_a_field_asks(window, qtbot, name):
    """What is drawn with what was typed, without a way to the button."""
    window.exercises.show_choice()
    panel = window.exercises.panel
    panel.shape.setText("7x5")
    panel.seed.setText("3")
    qtbot.keyClick(getattr(panel, name), Qt.Key.Key_Return)
    assert arrive(window, qtbot).key == ExerciseKey(kind="place", strategy="ff", shape=(7, 5), seed=3)
