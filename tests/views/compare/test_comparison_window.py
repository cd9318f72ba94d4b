"""Runs side by side, by mouse and keys: choose, step, find the first difference, select, export, close."""

import csv
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QListWidgetItem, QPushButton
from pytestqt.qtbot import QtBot

from meshgui.engine.basics.translation import PSEUDO, speaking
from meshgui.engine.runs.compiled_run import CompiledRun
from meshgui.engine.runs.expectation import Pace
from meshgui.engine.scenario import scenario_from
from meshgui.model.comparison_clock import ClockKind
from meshgui.views.compare.window import ComparisonWindow
from meshgui.views.widgets.work_thread import WorkThread
from tests.scenarios import listed, scenario
from tests.views.compare.conftest import wait_for_runs


def names(window: ComparisonWindow) -> list[str]:
    """What is compared, from left to right."""
    return [column.run.name for column in window.meshes.columns]


def times(window: ComparisonWindow) -> list[float]:
    """The moment of each run."""
    return [run.cursor.time for run in window.comparison.runs]


def tick(window: ComparisonWindow, qtbot: QtBot, *wanted: str) -> None:
    """Open the list of values, click on these lines, and close it."""
    button = window.choices.values
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    popup = button.popup
    assert popup is not None
    for name in wanted:
        item = line_of(popup.list.findItems("", Qt.MatchFlag.MatchContains), name)
        popup.list.scrollToItem(item)
        at = popup.list.visualItemRect(item).center()
        qtbot.mouseClick(popup.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
    popup.hide()


def line_of(items: list[QListWidgetItem], name: str) -> QListWidgetItem:
    """The line of a strategy."""
    return next(item for item in items if item.text().partition(" · ")[0] == name)


def place_of(canvas, job: int) -> QPoint:
    """A point in a box of a job in one of the meshes."""
    points = (QPoint(x, y) for y in range(4, canvas.height(), 6) for x in range(4, canvas.width(), 6))
    return next(point for point in points if canvas.job_at(QPointF(point)) == job)


def test_a_lecture_with_two_strategies(comparison: ComparisonWindow, qtbot: QtBot):
    """Open, step by keys, go to the first difference, and select its job in one mesh to see it in all."""
    window, clock = comparison, comparison.comparison.clock
    assert names(window) == ["tbl", "ff"]
    assert clock.at_start
    qtbot.keyClick(window, Qt.Key.Key_Right)
    first = window.comparison.runs[0].cursor.recording
    assert clock.value == first.times[0]
    qtbot.keyClick(window, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert len(set(times(window))) == 1
    qtbot.keyClick(window, Qt.Key.Key_End)
    assert clock.at_end
    qtbot.keyClick(window, Qt.Key.Key_Home)
    assert clock.at_start
    qtbot.keyClick(window, Qt.Key.Key_D)
    found = window.comparison.divergence
    assert window.sentence.text().startswith(f"Job {found.job} starts ")
    assert times(window) == [found.time, found.time]
    assert {run.selection.job for run in window.comparison.runs} == {found.job}
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert {run.selection.job for run in window.comparison.runs} == {None}
    running = window.comparison.runs[1].cursor.view.snapshot.running
    canvas = window.meshes.columns[1].mesh.canvas
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=place_of(canvas, int(running[0])))
    assert {run.selection.job for run in window.comparison.runs} == {int(running[0])}
    assert (
        window.meshes.columns[0]
        .figures.text()
        .startswith(f"{len(window.comparison.runs[0].cursor.view.snapshot.running)} running")
    )


def test_others_are_chosen_with_the_mouse(comparison: ComparisonWindow, qtbot: QtBot):
    """Two more join and the first two stay; with too many or too few ticked nothing changes."""
    window = comparison
    kept = window.comparison.runs
    tick(window, qtbot, "mbs", "gabl")
    wait_for_runs(window, qtbot)
    assert set(names(window)) == {"tbl", "ff", "mbs", "gabl"}
    assert set(kept) <= set(window.comparison.runs)
    assert not any(run.fault for run in window.comparison.runs)
    tick(window, qtbot, "random")
    assert window.notice.text.startswith("Four runs")
    assert len(window.choices.values.values()) == 4
    tick(window, qtbot, "mbs", "gabl", "ff")
    assert set(names(window)) == {"tbl", "ff"}
    assert window.choices.values.words == "tbl, ff"


@pytest.mark.parametrize("part", [1, 2, 3], ids=["discipline", "network", "seed"])
def test_other_parts_differ(comparison: ComparisonWindow, qtbot: QtBot, part: int):
    """Their runs are made; the note says whether the jobs are the same."""
    window = comparison
    qtbot.mouseClick(window.choices.parts.button(part), Qt.MouseButton.LeftButton)
    wait_for_runs(window, qtbot)
    assert len(names(window)) == 2
    assert not any(run.fault for run in window.comparison.runs)
    shared = "each run has jobs of its own" if part == 3 else "the same jobs in all runs"
    assert window.figures.note.text().endswith(shared)
    offered = [line.value for line in window.figures.chooser._lines]
    assert ("latency" in offered) == (part == 2)


def test_the_clock_has_three_meanings(comparison: ComparisonWindow, qtbot: QtBot):
    """Chosen with the mouse; at a job each run stands at its start."""
    window, bar = comparison, comparison.clock_bar
    qtbot.mouseClick(bar.kind.button(2), Qt.MouseButton.LeftButton)
    assert window.comparison.clock.kind is ClockKind.JOB
    for _ in range(5):
        qtbot.mouseClick(bar.forward_button, Qt.MouseButton.LeftButton)
    assert bar.value.text() == "job 5 starts"
    for run in window.comparison.runs:
        assert run.cursor.view.snapshot.event.job == 5
    qtbot.mouseClick(bar.kind.button(1), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(bar.back_button, Qt.MouseButton.LeftButton)
    assert len({run.cursor.position.events for run in window.comparison.runs}) == 1
    bar.slider.setValue(bar.slider.maximum())
    assert window.comparison.clock.at_end


def test_it_plays_and_stops(comparison: ComparisonWindow, qtbot: QtBot):
    """Space starts and stops; closing stops too."""
    window, clock = comparison, comparison.comparison.clock
    for _ in range(6):
        qtbot.keyClick(window, Qt.Key.Key_Plus)
    qtbot.keyClick(window, Qt.Key.Key_Space)
    assert clock.playing
    qtbot.waitUntil(lambda: clock.value > 0.1 * clock.limit)
    qtbot.keyClick(window, Qt.Key.Key_Space)
    assert not clock.playing
    with speaking(PSEUDO), qtbot.captureExceptions() as faults:  # the icon is not found by the button's name
        qtbot.keyClick(window, Qt.Key.Key_Space)
        window.close()
    assert faults == []
    assert not clock.playing


def test_the_cameras_move_together(comparison: ComparisonWindow, qtbot: QtBot):
    """Zoom one, and the other is zoomed to the same place; so do flat and solid."""
    first, second = (column.mesh for column in comparison.meshes.columns)
    assert first.flat
    wheel(first.canvas)
    assert first.camera_data()["zoom"] > 1
    assert second.camera_data()["zoom"] == first.camera_data()["zoom"]
    second.show_from("home")
    assert "zoom" not in first.camera_data()
    second.toggle_flat()
    assert first.flat == second.flat


def wheel(canvas) -> None:
    """Turn the wheel by a notch over the middle of a canvas."""
    at = QPointF(canvas.rect().center())
    way, none = QPoint(0, 120), Qt.MouseButton.NoButton
    event = QWheelEvent(
        at,
        QPointF(canvas.mapToGlobal(at.toPoint())),
        QPoint(),
        way,
        none,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(canvas, event)


def test_a_pointer_in_one_mesh_points_in_all(comparison: ComparisonWindow, qtbot: QtBot):
    """The job under it is hovered in every run."""
    window = comparison
    window.show_difference()
    first, second = (run.selection for run in window.comparison.runs)
    canvas = window.meshes.columns[1].mesh.canvas
    job = int(window.comparison.runs[1].cursor.view.snapshot.running[0])
    at, none = QPointF(place_of(canvas, job)), Qt.MouseButton.NoButton
    there = QPointF(canvas.mapToGlobal(at.toPoint()))
    move = QMouseEvent(QEvent.Type.MouseMove, at, there, none, none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(canvas, move)
    assert (first.hovered, second.hovered) == (job, job)


def test_exports_are_those_of_the_program(
    comparison: ComparisonWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The table as CSV by its key; a picture of every mesh, of all of them, and of the plot."""
    window = comparison
    path = tmp_path / "measures.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    window.figures.table.setFocus()
    qtbot.keyClick(
        window.figures.table,
        Qt.Key.Key_T,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    assert head == ["Measure", "Unit", "tbl", "ff", "ff − tbl"]
    turnaround = next(row for row in rows if row[0] == "Turnaround")
    use = next(row for row in rows if row[0] == "Utilisation")
    assert use[1] == "%"
    assert 1 < float(use[2]) <= 100
    assert float(turnaround[4]) == float(turnaround[3]) - float(turnaround[2])
    titles = [picture.title for picture in window.exporter.pictures(None)]
    assert {"Mesh, tbl", "Mesh, ff", "Meshes side by side", "Utilisation: tbl, ff"} <= set(titles)
    window._export_menu.aboutToShow.emit()
    entries = [action.text() for action in window._export_menu.actions() if action.text()]
    assert entries == [
        *("All meshes…", "Mesh of tbl…", "Mesh of ff…", "Plot…"),
        *("Measures as CSV…", "Copy measures"),
    ]


def test_an_exported_plot_names_the_scenario(make_comparison):
    """Beside the runs, which may be those of any scenario."""
    made = scenario((6, 6), "tbl", 20).model_copy(update={"title": "Twenty jobs"})
    titles = [picture.title for picture in make_comparison(made).exporter.pictures(None)]
    assert "Utilisation: Twenty jobs, tbl, ff" in titles


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_pictures_are_written_in_every_format(comparison: ComparisonWindow, tmp_path: Path, ending: str):
    """All meshes side by side, and the plot."""
    from meshgui.views.exporting.picture_files import write_picture  # noqa: PLC0415 - here alone

    shown = (*comparison.meshes.pictures(), *comparison.figures.chart.pictures())
    assert len(shown) == 2
    for number, picture in enumerate(shown):
        path = tmp_path / f"{number}.{ending}"
        write_picture(path, picture.paint, picture.size, title=picture.title)
        assert path.stat().st_size > 1000


def test_a_run_that_fails_leaves_the_others(comparison: ComparisonWindow, qtbot: QtBot, monkeypatch):
    """Its column says why in one sentence."""
    window = comparison
    made = CompiledRun.run

    def fail(simulation: CompiledRun, *rest: object):
        from meshgui.engine.allocation.guard import StrategyError  # noqa: PLC0415 - here alone

        if simulation.scenario.allocator.name == "gabl":
            raise StrategyError("gabl answered nonsense")
        return made(simulation, *rest)

    monkeypatch.setattr(CompiledRun, "run", fail)
    tick(window, qtbot, "gabl")
    wait_for_runs(window, qtbot)
    column = next(column for column in window.meshes.columns if column.run.name == "gabl")
    assert column.fault.text() == "The run with gabl stopped: gabl answered nonsense."
    assert not column.mesh.isVisible()
    assert window.comparison.divergence is not None


def test_closing_leaves_nothing_behind(make_comparison, qtbot: QtBot):
    """No thread runs on after the window, even in the middle of a run; opened again it goes on."""
    window = make_comparison(scenario((6, 6), "tbl", 30))
    window.show_scenario(scenario((16, 16), "tbl", 60_000, load=20), 0.0, None)
    qtbot.waitUntil(lambda: bool(WorkThread.under_way()))
    window.close()
    window.threads.stop()
    WorkThread.end_all()
    assert not any(thread.isRunning() for thread in WorkThread.under_way())
    assert not window.clock_bar._timer.isActive()


@pytest.mark.parametrize("size", [(960, 600), (1280, 720), (1600, 1000)])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_everything_is_in_reach(comparison: ComparisonWindow, qtbot: QtBot, themes, size, scale):
    """At every size and in large text the window fits, and no control is out of it."""
    window = comparison
    themes.set_scale(scale)
    window.resize(*size)
    qtbot.wait(50)
    assert (window.width(), window.height()) == size
    assert window.figures.height() <= 0.5 * window.height()
    for widget in (window.choices.values, window.export_button, window.clock_bar.slider, window.difference):
        corner = widget.mapTo(window, widget.rect().bottomRight())
        assert window.rect().contains(corner)


@pytest.mark.parametrize("size", [(950, 584), (960, 600), (1280, 720)])  # with a frame around 960×600, too
def test_four_runs_stand_side_by_side_and_whole(make_comparison, qtbot: QtBot, size):
    """In a small window too, without scrolling, and as large whichever of them the pointer is over."""
    window = make_comparison(scenario((4, 4, 4), "tbl", 40))
    window.resize(*size)
    window.choices.values.choose(("tbl", "ff", "bf", "tff"))
    window.choices.values.edited.emit()
    wait_for_runs(window, qtbot)
    columns = window.meshes.columns
    qtbot.waitUntil(lambda: len({column.y() for column in columns}) == 1)
    for column in columns:
        corner = column.mapTo(window.meshes, column.rect().bottomRight())
        assert window.meshes.visibleRegion().boundingRect().contains(corner)
    for pointed in columns:
        QTest.mouseMove(pointed.mesh, QPoint(20, 20))
        QTest.mouseMove(pointed.mesh, QPoint(24, 20))
        qtbot.waitUntil(pointed.mesh._controls.isVisible)
        assert len({column.mesh.canvas.height() for column in columns}) == 1


def test_in_a_low_window_meshes_and_plots_take_turns(comparison: ComparisonWindow, qtbot: QtBot, themes):
    """Large letters leave no room for both: a button and P change them over; with room both are there."""
    window = comparison
    themes.set_scale(2.0)
    window.resize(960, 600)
    qtbot.waitUntil(window.swap.isVisible)
    assert window.meshes.isVisible()
    assert not window.figures.isVisible()
    qtbot.mouseClick(window.swap, Qt.MouseButton.LeftButton)
    assert window.figures.isVisible()
    assert not window.meshes.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_P)
    assert window.meshes.isVisible()
    themes.set_scale(1.0)
    qtbot.waitUntil(lambda: window.figures.isVisible() and window.meshes.isVisible())
    assert not window.swap.isVisible()


@pytest.mark.parametrize("shape", [(6, 6), (4, 4, 4)], ids=["flat", "solid"])
def test_columns_that_are_gone_are_touched_no_more(make_comparison, qtbot: QtBot, themes, shape):
    """Runs that left the comparison follow neither theme nor text size, clock nor selection."""
    window = make_comparison(scenario(shape, "tbl", 30))
    for part in (3, 1, 0):
        qtbot.mouseClick(window.choices.parts.button(part), Qt.MouseButton.LeftButton)
        wait_for_runs(window, qtbot)
        qtbot.wait(20)  # what is to be deleted is gone
    themes.set_mode("dark")
    themes.set_scale(1.5)
    qtbot.keyClick(window, Qt.Key.Key_D)
    window.comparison.select(1)
    qtbot.wait(20)
    themes.set_mode("light")
    assert len(window.meshes.columns) == 2


def test_a_run_that_would_take_long_asks_first(make_comparison, qtbot: QtBot, monkeypatch):
    """Its sentence names it, its column waits, and "Run it" makes it to the end."""
    window = make_comparison(scenario((16, 16), "tbl", 500))
    monkeypatch.setattr(Pace, "seconds", lambda *_: 4000.0)
    tick(window, qtbot, "gabl")
    qtbot.waitUntil(lambda: window.notice.asks)
    assert window.notice.text == "gabl: This run will take about 67 min."
    column = next(column for column in window.meshes.columns if column.run.name == "gabl")
    qtbot.waitUntil(lambda: not WorkThread.under_way())
    assert not column.run.fault
    assert column.state.text() == "waiting"
    (button,) = (b for b in window.notice.findChildren(QPushButton) if b.text() == "Run it")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    wait_for_runs(window, qtbot)
    assert not window.notice.asks
    assert not column.run.fault
    assert column.run.cursor.recording.complete


def test_runs_that_would_take_long_ask_once(make_comparison, qtbot: QtBot, monkeypatch):
    """One question names them all; its answer leaves what else is said."""
    window = make_comparison(scenario((16, 16), "tbl", 500))
    monkeypatch.setattr(Pace, "seconds", lambda *_: 4000.0)
    tick(window, qtbot, "gabl")
    tick(window, qtbot, "mbs")
    qtbot.waitUntil(lambda: "gabl:" in window.notice.text and "mbs:" in window.notice.text)
    qtbot.waitUntil(lambda: not WorkThread.under_way())
    window.notice.tell("A picture could not be written.")
    (button,) = (b for b in window.notice.findChildren(QPushButton) if b.text() == "Run it" and b.isVisible())
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not window.notice.asks
    assert window.notice.text == "A picture could not be written."
    wait_for_runs(window, qtbot)


def test_opened_again_at_once_its_runs_go_on(make_comparison, qtbot: QtBot):
    """Also where the threads that closing has stopped have not ended yet."""
    window = make_comparison(scenario((6, 6), "tbl", 30))
    window.show_scenario(scenario((6, 6), "tbl", 40), 0.0, None)
    assert WorkThread.under_way()
    window.close()
    window.show()
    wait_for_runs(window, qtbot)
    assert not any(run.fault for run in window.comparison.runs)


def test_space_plays_after_the_first_difference_was_clicked(comparison: ComparisonWindow, qtbot: QtBot):
    """The button does not take the keys from the clock."""
    window, clock = comparison, comparison.comparison.clock
    qtbot.mouseClick(window.difference, Qt.MouseButton.LeftButton)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert clock.playing
    clock.pause()


def test_a_part_with_one_choice_says_why_there_is_no_other(make_comparison, qtbot: QtBot):
    """A job that is ended by hand has no network; other parts say nothing."""
    raw = listed((6, 6), [(0, (2, 2), 5)]).model_dump(mode="json")
    raw["workload"]["jobs"][0]["ended_after"] = 1
    window = make_comparison(scenario_from(raw))
    assert not window.notice.text
    qtbot.mouseClick(window.choices.parts.button(2), Qt.MouseButton.LeftButton)
    assert names(window) == ["no network"]
    assert window.notice.text.startswith("one-to-all cannot run this scenario: ")
    qtbot.mouseClick(window.choices.parts.button(0), Qt.MouseButton.LeftButton)
    assert not window.notice.text
    wait_for_runs(window, qtbot)
