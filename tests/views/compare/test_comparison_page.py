"""Runs side by side, by mouse and keys: choose, step, find the first difference, select, export, close."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton

from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.basics.translation import PSEUDO, speaking
from meshgui.engine.runs.expectation import Pace
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario import scenario_from
from meshgui.model.base.named import id_of
from meshgui.model.comparison.comparison_clock import ClockKind
from meshgui.model.comparison.comparison_tables import DIFFERENCE
from meshgui.model.fields.names import strategy_name
from meshgui.views.exporting.picture_files import write_picture
from meshgui.views.mesh.controls import MeshControls
from meshgui.views.widgets.work_thread import WorkThread
from tests.scenarios import listed, scenario, scenario_of
from tests.views.compare.conftest import wait_for_runs
from tests.views.conftest import delete_now, handle_events
from tests.views.pointer import move_to, turn_wheel
from tests.views.reading import csv_rows


def names(page):
    """What is compared, from left to right."""
    return [column.run.name for column in page.meshes.columns]


def times(page):
    """The moment of each run."""
    return [run.cursor.time for run in page.comparison.runs]


def selected(page):
    """The job that is selected, in each run."""
    return {run.selection.job for run in page.comparison.runs}


def column_of(page, name):
    """The column of a strategy."""
    return next(column for column in page.meshes.columns if column.run.name == name)


def tick(page, qtbot, *wanted):
    """Open the list of values, click on these lines, and close it."""
    button = page.choices.values
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    rows = button.popup.list
    for name in wanted:
        items = rows.findItems("", Qt.MatchFlag.MatchContains)
        item = next(item for item in items if id_of(item.text()) == name)
        rows.scrollToItem(item)
        qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=rows.visualItemRect(item).center())
    button.popup.hide()


def place_of(canvas, job):
    """A point in a box of a job in one of the meshes."""
    points = (QPoint(x, y) for y in range(4, canvas.height(), 6) for x in range(4, canvas.width(), 6))
    return next(point for point in points if canvas.job_at(QPointF(point)) == job)


def test_a_lecture_with_two_strategies(comparison, qtbot):
    """Open, step by keys, go to a difference and back, and select its job in one mesh to see it in all."""
    page, clock, runs = comparison, comparison.comparison.clock, comparison.comparison.runs
    assert names(page) == ["tbl", "ff"]
    assert clock.at_start
    qtbot.keyClick(page, Qt.Key.Key_Right)
    assert clock.value == runs[0].cursor.recording.times[0]
    qtbot.keyClick(page, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert len(set(times(page))) == 1
    qtbot.keyClick(page, Qt.Key.Key_End)
    assert clock.at_end
    qtbot.keyClick(page, Qt.Key.Key_Home)
    assert clock.at_start
    qtbot.keyClick(page, Qt.Key.Key_D)
    found, *others = page.comparison.divergences
    assert page.sentence.plain.startswith(f"Difference 1 of {1 + len(others)}: Job {found.job} starts ")
    qtbot.mouseClick(page.differences.later, Qt.MouseButton.LeftButton)
    assert times(page) == [others[0].time] * 2
    qtbot.keyClick(page, Qt.Key.Key_D, Qt.KeyboardModifier.ShiftModifier)
    assert times(page) == [found.time, found.time]
    assert selected(page) == {found.job}
    assert page.deselect()
    assert not page.deselect()
    assert selected(page) == {None}
    shown = [run.cursor.view.snapshot.running for run in runs]
    canvas, job = page.meshes.columns[1].mesh.canvas, int(shown[1][0])
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=place_of(canvas, job))
    assert selected(page) == {job}
    assert page.meshes.columns[0].figures.text().startswith(f"{len(shown[0])} running")


def test_a_difference_is_told_while_the_clock_is_there(comparison, qtbot):
    """Not at another moment; what was written is passed on."""
    qtbot.keyClick(comparison, Qt.Key.Key_D)
    assert comparison.sentence.plain.startswith("Difference 1 of ")
    qtbot.keyClick(comparison, Qt.Key.Key_Right)
    assert not comparison.sentence.plain
    comparison.say("measures.csv was written: 9 rows.")
    qtbot.keyClick(comparison, Qt.Key.Key_Right)
    assert comparison.sentence.plain == "measures.csv was written: 9 rows."


def test_that_runs_are_still_being_made_is_said_until_they_are(comparison, qtbot):
    """It stayed in sight when they were over, until the clock was moved."""
    last = comparison.comparison.runs[-1]
    measures, last.measures = last.measures, None
    qtbot.keyClick(comparison, Qt.Key.Key_End)
    qtbot.keyClick(comparison, Qt.Key.Key_D)
    assert "still being made" in comparison.sentence.plain
    comparison.comparison.measure(last, measures)
    assert not comparison.sentence.plain
    # A difference that was found stays
    last.measures = None
    qtbot.keyClick(comparison, Qt.Key.Key_Home)
    qtbot.keyClick(comparison, Qt.Key.Key_D)
    comparison.comparison.measure(last, measures)
    assert comparison.sentence.plain.startswith("Difference 1 of ")


def test_measures_of_two_runs_are_in_sight_without_scrolling(make_comparison, qtbot):
    """In a window of 1366 pixels only the units go, and come again where there is room."""
    jobs = {"kind": "stochastic", "jobs": 40, "load": 0.1}
    page = make_comparison(scenario_of((6, 6), jobs, "tbl", network={"pattern": "one-to-all"}))
    window, table = page.window(), page.figures.table
    unit = table.rows.columnCount() - 1
    window.resize(1366, 700)
    qtbot.waitUntil(lambda: table.isColumnHidden(unit))
    assert not table.isColumnHidden(unit - 1)
    assert table.horizontalScrollBar().maximum() == 0
    window.resize(1900, 700)
    qtbot.waitUntil(lambda: not table.isColumnHidden(unit))
    assert table.horizontalScrollBar().maximum() == 0
    assert page.figures.isVisible()


@pytest.mark.parametrize("size", [(1366, 768), (1600, 1000), (1920, 1080)])
def test_names_of_measures_are_whole_in_a_lecture(make_comparison, qtbot, themes, size):
    """Also where the user has divided the page otherwise at the desk, and drags them narrower."""
    jobs = {"kind": "stochastic", "jobs": 40, "load": 0.1}
    page = make_comparison(scenario_of((6, 6), jobs, "tbl", network={"pattern": "one-to-all"}))
    window, table = page.window(), page.figures.table

    def names_are_whole():
        rows = range(table.rows.rowCount())
        return all(table.shown(row, 0) == table.rows.cell(row, 0).text for row in rows)

    for narrower in (False, True):
        themes.set_scale(1.0)
        window.resize(1480, 920)
        if narrower:
            handle = page.splitter.handle(1)
            qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=QPoint(1, 300))
            QTest.mouseMove(handle, QPoint(80, 300))
            QTest.mouseMove(handle, QPoint(250, 300))
            qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=QPoint(1, 300))
            qtbot.waitUntil(names_are_whole)
        themes.set_scale(size[1] / 720)
        window.resize(*size)
        qtbot.waitUntil(lambda: (window.width(), window.height()) == size)
        qtbot.waitUntil(names_are_whole)
        assert page.meshes.width() >= 0.7 * page.width()
        assert table.horizontalScrollBar().maximum() == 0
        if not narrower and size != (1600, 1000):  # too narrow for a text so large
            assert not any(map(table.isColumnHidden, range(table.rows.columnCount() - 1)))


def test_of_many_runs_differences_go_before_values_scroll(make_comparison, qtbot, themes):
    """A column that is cut says something else."""
    page = make_comparison(scenario((6, 6), "tbl", 40))
    page.choices.values.choose(("tbl", "ff", "bf"))
    page.choices.values.edited.emit()
    wait_for_runs(page, qtbot)
    table = page.figures.table
    differences = [i for i, column in enumerate(table.rows.columns) if column.id == DIFFERENCE]
    assert len(differences) == 2
    qtbot.waitUntil(lambda: all(map(table.isColumnHidden, differences)))
    assert table.horizontalScrollBar().maximum() == 0
    page.window().resize(1900, 920)
    page.splitter.setSizes([900, 1000])
    qtbot.waitUntil(lambda: not any(map(table.isColumnHidden, differences)))


def test_others_are_chosen_with_the_mouse_and_one_that_fails_leaves_them(comparison, qtbot, monkeypatch):
    """Two more join and the first two stay; with too many or too few ticked nothing changes."""
    page, kept = comparison, comparison.comparison.runs
    tick(page, qtbot, "mbs", "gabl")
    wait_for_runs(page, qtbot)
    assert set(names(page)) == {"tbl", "ff", "mbs", "gabl"}
    assert set(kept) <= set(page.comparison.runs)
    assert not any(run.fault for run in page.comparison.runs)
    tick(page, qtbot, "random")
    assert page.notice.text.startswith("Four runs")
    assert len(page.choices.values.values()) == 4
    tick(page, qtbot, "mbs", "gabl", "ff")
    assert set(names(page)) == {"tbl", "ff"}
    assert page.choices.values.words == f"{strategy_name('tbl')}, {strategy_name('ff')}"
    # The column of a run that fails says why in one sentence
    made = Simulation.run

    def fail(simulation, *rest):
        if simulation.scenario.allocator.name == "gabl":
            raise StrategyError("gabl answered nonsense")
        return made(simulation, *rest)

    monkeypatch.setattr(Simulation, "run", fail)
    tick(comparison, qtbot, "gabl")
    wait_for_runs(comparison, qtbot)
    column = column_of(comparison, "gabl")
    assert column.fault.text() == "The run with gabl stopped: gabl answered nonsense."
    assert not column.mesh.isVisible()
    assert comparison.comparison.divergences


def test_other_parts_differ(comparison, qtbot):
    """Their runs are made; the note says whether the jobs are the same."""
    page, figure = comparison, comparison.figures.chooser
    for part in (1, 2, 3):  # discipline, network, seed
        qtbot.mouseClick(page.choices.parts.button(part), Qt.MouseButton.LeftButton)
        wait_for_runs(page, qtbot)
        assert len(names(page)) == 2, part
        assert not any(run.fault for run in page.comparison.runs), part
        shared = "each run has jobs of its own" if part == 3 else "the same jobs in all runs"
        assert page.figures.note.text().endswith(shared)
        chosen = figure.values()
        figure.choose(("latency",))  # of what is offered alone
        assert figure.values() == (("latency",) if part == 2 else ()), part
        figure.choose(chosen)


def test_the_clock_has_three_meanings(comparison, qtbot):
    """Chosen with the mouse; at a job each run stands at its start."""
    runs, clock, bar = comparison.comparison.runs, comparison.comparison.clock, comparison.clock_bar
    qtbot.mouseClick(bar.kind.button(2), Qt.MouseButton.LeftButton)
    assert clock.kind is ClockKind.JOB
    for _ in range(5):
        qtbot.mouseClick(bar.forward_button, Qt.MouseButton.LeftButton)
    assert bar.value.text() == "job 5 starts"
    assert {run.cursor.view.snapshot.event.job for run in runs} == {5}
    qtbot.mouseClick(bar.kind.button(1), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(bar.back_button, Qt.MouseButton.LeftButton)
    assert len({run.cursor.position.events for run in runs}) == 1
    bar.slider.setValue(bar.slider.maximum())
    assert clock.at_end


def test_it_plays_and_stops(comparison, qtbot):
    """Space starts and stops, also after a button was clicked, which leaves the keys; closing stops too."""
    page, clock = comparison, comparison.comparison.clock
    for _ in range(6):
        qtbot.keyClick(page, Qt.Key.Key_Plus)
    qtbot.keyClick(page, Qt.Key.Key_Space)
    assert clock.playing
    qtbot.waitUntil(lambda: clock.value > 0.1 * clock.limit)
    qtbot.keyClick(page, Qt.Key.Key_Space)
    assert not clock.playing
    qtbot.mouseClick(page.differences.later, Qt.MouseButton.LeftButton)
    with speaking(PSEUDO), qtbot.captureExceptions() as faults:  # the icon is not found by the button's name
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
        assert clock.playing
        page.hide()
    assert faults == []
    assert not clock.playing


def test_the_cameras_move_together_and_a_pointer_in_one_mesh_points_in_all(comparison, qtbot):
    """Zoom one, and the other is zoomed to the same place; so do flat and solid."""
    first, second = (column.mesh for column in comparison.meshes.columns)
    assert first.flat
    turn_wheel(first.canvas, QPointF(first.canvas.rect().center()), 1)
    assert first.camera_data()["zoom"] > 1
    assert second.camera_data()["zoom"] == first.camera_data()["zoom"]
    second.show_from("home")
    assert "zoom" not in first.camera_data()
    second.toggle_flat()
    assert first.flat == second.flat
    # The job under it is hovered in every run
    comparison.show_difference(1)
    runs, canvas = comparison.comparison.runs, comparison.meshes.columns[1].mesh.canvas
    job = int(runs[1].cursor.view.snapshot.running[0])
    move_to(canvas, QPointF(place_of(canvas, job)))
    assert {run.selection.hovered for run in runs} == {job}


def test_exports_are_those_of_the_program(comparison, qtbot, tmp_path, monkeypatch):
    """The table as CSV by its key; a picture of every mesh, of all of them, and of the plot."""
    page, path = comparison, tmp_path / "measures.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    page.figures.table.setFocus()
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(page.figures.table, Qt.Key.Key_T, both)
    head, *rows = csv_rows(path)
    assert head == ["Measure", "tbl", "ff", "ff minus tbl", "Unit"]
    by_title = {row[0]: row[1:] for row in rows}
    tbl, *_, unit = by_title["Utilisation"]
    assert unit == "%"
    assert 1 < float(tbl) <= 100
    tbl, ff, difference = map(float, by_title["Turnaround"][:-1])
    assert difference == ff - tbl
    titles = [picture.title for picture in page.exporter.pictures(None)]
    now = f"{comparison.comparison.runs[0].cursor.time:.12g}"
    meshes = {f"{what} at {now}" for what in ("Mesh, tbl", "Mesh, ff", "Meshes side by side")}
    assert {*meshes, "Utilisation: tbl, ff"} <= set(titles)
    menu = page.export_button.menu()
    menu.aboutToShow.emit()
    entries = ["All meshes…", "Mesh of tbl…", "Mesh of ff…", "Plot…", "Measures as CSV…", "Copy measures"]
    assert [action.text() for action in menu.actions() if action.text()] == entries
    # All meshes side by side, and the plot, in every format
    shown = (*comparison.meshes.pictures(), *comparison.figures.chart.pictures())
    assert len(shown) == 2
    for picture in shown:
        for ending in ("png", "svg", "pdf"):
            path = tmp_path / f"picture.{ending}"
            write_picture(path, picture.paint, picture.size, title=picture.title)
            assert path.stat().st_size > 1000, ending
            path.unlink()


def test_an_exported_plot_names_the_scenario(make_comparison):
    """Beside the runs, which may be those of any scenario."""
    made = scenario((6, 6), "tbl", 20).model_copy(update={"title": "Twenty jobs"})
    titles = [picture.title for picture in make_comparison(made).exporter.pictures(None)]
    assert "Utilisation: Twenty jobs, tbl, ff" in titles


def test_closing_leaves_nothing_behind(make_comparison, qtbot):
    """No thread runs on after the window, even in the middle of a run; opened again it continues."""
    page = make_comparison(scenario((6, 6), "tbl", 30))
    page.show_scenario(scenario((16, 16), "tbl", 60_000, load=20), 0.0, None)
    qtbot.waitUntil(lambda: bool(WorkThread.under_way()))
    page.end()
    WorkThread.end_all()
    assert not any(thread.isRunning() for thread in WorkThread.under_way())
    assert not any(timer.isActive() for timer in page.clock_bar.findChildren(QTimer))
    # Opened again at once its runs go on, also where threads that were stopped have not ended
    page.show_scenario(scenario((6, 6), "tbl", 40), 0.0, None)
    assert WorkThread.under_way()
    page.end()
    page.hide()
    page.show()
    wait_for_runs(page, qtbot)
    assert not any(run.fault for run in page.comparison.runs)


def test_everything_is_in_reach_and_in_a_narrow_window_meshes_and_plots_take_turns(comparison, qtbot, themes):
    """At every size and in large text the window fits, and no control is out of it."""
    page = comparison
    controls = (page.choices.values, page.export_button, page.clock_bar.slider, page.differences.later)

    def all_fits(size):
        assert (page.width(), page.height()) == size
        assert page.meshes.width() >= 0.7 * page.width()
        for widget in controls:
            assert page.rect().contains(widget.mapTo(page, widget.rect().bottomRight()))

    for scale in (1.0, 2.0):
        themes.set_scale(scale)
        for size in ((960, 600), (1280, 720), (1600, 1000)):
            page.window().resize(*size)
            handle_events()
            qtbot.waitUntil(lambda size=size: all_fits(size))

    # In a narrow window with large letters meshes and plots take turns; with room both are there
    def visible():
        return page.meshes.isVisible(), page.figures.isVisible()

    themes.set_scale(2.0)
    page.window().resize(960, 600)
    qtbot.waitUntil(lambda: visible() == (True, False))
    qtbot.mouseClick(page.swap, Qt.MouseButton.LeftButton)
    assert visible() == (False, True)
    qtbot.keyClick(page, Qt.Key.Key_P)
    assert visible() == (True, False)
    themes.set_scale(1.0)
    page.window().resize(1366, 768)
    qtbot.waitUntil(lambda: visible() == (True, True))
    # Folded away they stay so, also after a time without room
    qtbot.keyClick(page, Qt.Key.Key_P)
    assert visible() == (True, False)
    themes.set_scale(2.0)
    themes.set_scale(1.0)
    handle_events()
    assert visible() == (True, False)


@pytest.mark.parametrize("size", [(950, 584), (960, 600), (1280, 720)])  # with a frame around 960×600, too
def test_four_runs_stand_side_by_side_and_whole(make_comparison, qtbot, size):
    """In a small window too, without scrolling, and as large whichever of them the pointer is over."""
    page = make_comparison(scenario((4, 4, 4), "tbl", 40))
    page.window().resize(*size)
    page.choices.values.choose(("tbl", "ff", "bf", "tff"))
    page.choices.values.edited.emit()
    wait_for_runs(page, qtbot)
    columns = page.meshes.columns
    qtbot.waitUntil(lambda: len({column.y() for column in columns}) == 1)
    for column in columns:
        corner = column.mapTo(page.meshes, column.rect().bottomRight())
        assert page.meshes.visibleRegion().boundingRect().contains(corner)
    for pointed in columns:
        QTest.mouseMove(pointed.mesh, QPoint(20, 20))
        QTest.mouseMove(pointed.mesh, QPoint(24, 20))
        qtbot.waitUntil(pointed.mesh.findChild(MeshControls).isVisible)
        assert len({column.mesh.canvas.height() for column in columns}) == 1


@pytest.mark.parametrize("shape", [(6, 6), (4, 4, 4)], ids=["flat", "solid"])
def test_columns_that_are_gone_are_touched_no_more(make_comparison, qtbot, themes, shape):
    """Runs that left the comparison follow neither theme nor text size, clock nor selection."""
    page = make_comparison(scenario(shape, "tbl", 30))
    for part in (3, 1, 0):
        qtbot.mouseClick(page.choices.parts.button(part), Qt.MouseButton.LeftButton)
        wait_for_runs(page, qtbot)
        handle_events()
        delete_now()
    themes.set_mode("dark")
    themes.set_scale(1.5)
    qtbot.keyClick(page, Qt.Key.Key_D)
    page.comparison.select(1)
    handle_events()
    themes.set_mode("light")
    assert len(page.meshes.columns) == 2


@pytest.fixture
def long_runs(make_comparison, monkeypatch):
    """A window in which every further run takes an hour."""
    page = make_comparison(scenario((16, 16), "tbl", 500))
    monkeypatch.setattr(Pace, "seconds", lambda *_: 4000.0)
    return page


def agree(page, qtbot):
    """Press the button of the question."""
    (button,) = (b for b in page.notice.findChildren(QPushButton) if b.text() == "Run it" and b.isVisible())
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_run_that_would_take_long_asks_first(long_runs, qtbot):
    """Its sentence names it, its column waits, and "Run it" makes it to the end."""
    page = long_runs
    tick(page, qtbot, "gabl")
    qtbot.waitUntil(lambda: page.notice.asks)
    assert page.notice.text == "gabl: This run will take about 67 min."
    column = column_of(page, "gabl")
    qtbot.waitUntil(lambda: not WorkThread.under_way())
    assert (column.run.fault, column.state.text()) == ("", "waiting")
    agree(page, qtbot)
    wait_for_runs(page, qtbot)
    assert not page.notice.asks
    assert not column.run.fault
    assert column.run.cursor.recording.complete


def test_runs_that_would_take_long_ask_once(long_runs, qtbot):
    """One question names them all; its answer leaves what else is said."""
    page = long_runs
    tick(page, qtbot, "gabl")
    tick(page, qtbot, "mbs")
    qtbot.waitUntil(lambda: "gabl:" in page.notice.text and "mbs:" in page.notice.text)
    qtbot.waitUntil(lambda: not WorkThread.under_way())
    page.notice.tell("A picture could not be written.")
    agree(page, qtbot)
    assert not page.notice.asks
    assert page.notice.text == "A picture could not be written."
    wait_for_runs(page, qtbot)


def test_a_question_about_the_runs_goes_with_them(long_runs, qtbot):
    """Over another tab it would ask about runs that are not there; with them it comes back."""
    page = long_runs
    tick(page, qtbot, "gabl")
    qtbot.waitUntil(lambda: page.notice.asks)
    page.hide()
    assert not page.notice.text
    page.show()
    qtbot.waitUntil(lambda: page.notice.asks)
    assert page.notice.text == "gabl: This run will take about 67 min."
    qtbot.waitUntil(lambda: not WorkThread.under_way())


def test_a_part_with_one_choice_says_why_there_is_no_other(make_comparison, qtbot):
    """A job that is ended by hand has no network; other parts say nothing."""
    raw = listed((6, 6), [(0, (2, 2), 5)]).model_dump(mode="json")
    raw["workload"]["jobs"][0]["ended_after"] = 1
    page = make_comparison(scenario_from(raw))
    assert not page.notice.text
    qtbot.mouseClick(page.choices.parts.button(2), Qt.MouseButton.LeftButton)
    assert names(page) == ["no network"]
    assert page.notice.text.startswith("one-to-all cannot run this scenario: ")
    qtbot.mouseClick(page.choices.parts.button(0), Qt.MouseButton.LeftButton)
    assert not page.notice.text
    wait_for_runs(page, qtbot)
