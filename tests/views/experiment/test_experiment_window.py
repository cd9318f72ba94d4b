"""The experiment window, driven as people drive it: choose, see what it takes, start, watch, stop."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from meshgui.engine.scenario import scenario_from
from meshgui.experiment.executors import ProcessPool
from meshgui.experiment.store import Store, StoreError
from meshgui.model.compute_target import ComputeTarget, executor_for
from meshgui.model.experiment_session import DraftForecast
from meshgui.views.experiment.window import ExperimentWindow
from meshgui.views.widgets.work_thread import WorkThread
from tests.experiments import SMALL
from tests.views.conftest import Answers
from tests.views.experiment.conftest import Hands, fill, wait_for_end, wait_for_forecast

IMPRECISE = "6 of 6 points are not within 5 % after the maximum number of runs"


def test_at_first_one_point_can_be_run_and_the_window_says_what_to_do(window: ExperimentWindow):
    """Nothing is varied yet; the empty places say what comes next."""
    assert window.run_bar.words.text().startswith("1 point, 9 runs at least; about 1 s on ")
    assert window.plan.invitation.isVisible()
    assert not window.run_bar.failures.isVisible()
    assert window.results.chart.chart.is_empty
    assert "Start" in window.results.chart.chart.empty
    assert window.windowTitle() == "small – Experiment – MeshGUI"


def test_fields_and_values_make_a_forecast_before_anything_is_started(window: ExperimentWindow, qtbot: QtBot):
    """Points and runs are counted, a time is told, and no result is shown yet."""
    fill(window, qtbot)
    # Four of the eighteen runs are there: of the scenario itself, and of the grid's first, last and middle.
    assert re.match(r"6 points, 14 runs at least; about \d+ s on ", window.run_bar.words.text())
    assert window.results.results is None


def test_a_field_is_found_by_typing_and_its_values_are_ticked(window: ExperimentWindow, qtbot: QtBot):
    """The chooser opens by the mouse, letters and Enter pick, Space ticks; no mouse is needed after that."""
    qtbot.mouseClick(window.plan.add, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.plan.rows[-1].field.popup is not None)
    row = window.plan.rows[-1]
    search = row.field.popup.search
    qtbot.keyClicks(search, "strat")
    qtbot.keyClick(search, Qt.Key.Key_Return)
    assert row.key == "allocator.name"
    assert row.ticks.hasFocus()
    assert row.ticks.words == "ff"
    qtbot.keyClick(row.ticks, Qt.Key.Key_Space)
    search = row.ticks.popup.search
    qtbot.keyClicks(search, "gabl")
    qtbot.keyClick(search, Qt.Key.Key_Return)
    qtbot.keyClick(search, Qt.Key.Key_Escape)
    assert row.ticks.words == "ff, gabl"
    qtbot.waitUntil(lambda: window.run_bar.words.text().startswith("2 points"))


def test_what_is_wrong_is_said_below_its_row_and_nothing_typed_is_lost(
    window: ExperimentWindow, qtbot: QtBot
):
    """Start waits until it is mended; a row of its own keeps its text when the field is changed and back."""
    window.vary("workload.load")
    row = window.plan.rows[0]
    row.line.selectAll()
    qtbot.keyClicks(row.line, "1, x")
    qtbot.waitUntil(lambda: bool(row.error_line.words.text()))
    assert not window.run_bar.start.isEnabled()
    assert row.line.property("invalid")
    row.field.choose(("workload.jobs",))
    row.field.edited.emit()
    assert row.line.text() == "30"
    row.field.choose(("workload.load",))
    row.field.edited.emit()
    assert row.line.text() == "1, x"
    row.line.selectAll()
    qtbot.keyClicks(row.line, "1, 2")
    wait_for_forecast(window, qtbot)
    assert row.error_line.words.text() == ""


def test_values_stand_as_far_below_their_field_whatever_they_are(window: ExperimentWindow, qtbot: QtBot):
    """Chosen from a list, or typed."""
    for key in ("allocator.name", "workload.load", "mesh.shape"):
        window.vary(key)
    qtbot.wait(50)
    for row in window.plan.rows:
        editor = row.ticks if row.ticks.isVisible() else row.line
        assert editor.y() - row.field.y() - row.field.height() == 5


def test_what_was_typed_is_quoted_as_it_was_typed(window: ExperimentWindow, qtbot: QtBot):
    """No capital is put on somebody else's word; a sentence of the program begins with one."""
    window.vary("mesh.shape")
    row = window.plan.rows[0]
    row.line.selectAll()
    qtbot.keyClicks(row.line, "abc")
    line = row.error_line.words
    qtbot.waitUntil(lambda: line.text() == "abc: expected a shape, for example 8×8")
    row.line.clear()
    row.line.textEdited.emit("")
    qtbot.waitUntil(lambda: line.text() == "Expected at least one value")


def test_a_run_fills_chart_and_table_and_ends(window: ExperimentWindow, qtbot: QtBot, hands: Hands):
    """From Start by the keyboard to the end: every point has its runs, two curves over load, six rows."""
    fill(window, qtbot)
    qtbot.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert window.busy
    wait_for_end(window, qtbot)
    results = window.results
    assert window.run_bar.words.text().startswith(IMPRECISE)
    assert [one.label for one in results.chart.chart.series] == ["ff", "gabl"]
    assert all(one.known.all() for one in results.chart.chart.series)
    assert results.table.rows.rowCount() == 6
    assert hands.closed
    assert not window.run_bar.start.isEnabled()


def test_results_come_in_while_it_runs_and_the_window_answers(
    window: ExperimentWindow, qtbot: QtBot, hands: Hands
):
    """Runs of 30 ms: there are results long before the end, and events are handled in between."""
    fill(window, qtbot)
    hands.seconds = 0.03
    window.start()
    seen = set()

    def ended() -> bool:
        if window.results.results is not None:
            seen.add(sum(point.runs for point in window.results.results.points))
        return not window.busy

    qtbot.waitUntil(ended, timeout=120_000)
    assert len(seen) > 2
    assert "left" not in window.run_bar.words.text()


def test_pause_holds_and_resume_goes_on(window: ExperimentWindow, qtbot: QtBot, hands: Hands):
    """While paused no run is begun; afterwards it ends as it would have."""
    fill(window, qtbot)
    hands.seconds = 0.05
    window.start()
    qtbot.waitUntil(lambda: hands.made > 3)
    qtbot.mouseClick(window.run_bar.pause, Qt.MouseButton.LeftButton)
    qtbot.wait(200)
    made = hands.made
    assert window.run_bar.pause.text() == "Resume"
    assert window.run_bar.words.text().startswith("Paused. ")
    qtbot.wait(300)
    assert hands.made == made
    qtbot.mouseClick(window.run_bar.pause, Qt.MouseButton.LeftButton)
    hands.seconds = 0.0
    wait_for_end(window, qtbot)
    assert window.run_bar.words.text().startswith(IMPRECISE)


def test_cancel_keeps_what_was_made(window: ExperimentWindow, qtbot: QtBot, hands: Hands):
    """It stops soon; the forecast counts what is left, and a new start makes only that."""
    fill(window, qtbot)
    hands.seconds = 0.05
    window.start()
    qtbot.waitUntil(lambda: hands.made > 8)
    qtbot.mouseClick(window.run_bar.cancel, Qt.MouseButton.LeftButton)
    wait_for_end(window, qtbot)
    wait_for_forecast(window, qtbot)
    first = hands.made
    assert "more run" in window.run_bar.words.text()
    assert window.results.results is not None
    hands.seconds = 0.0
    window.start()
    wait_for_end(window, qtbot)
    assert hands.made < first + 24 - 3  # nothing is made twice


def test_the_plan_cannot_be_changed_while_it_runs(window: ExperimentWindow, qtbot: QtBot, hands: Hands):
    """It says what is run; a field asked for from the form is not added either."""
    fill(window, qtbot)
    hands.seconds = 0.05
    window.start()
    assert not window.plan.rows[0].field.isEnabled()
    window.vary("workload.jobs")
    assert len(window.plan.rows) == 2
    window._cancel()
    wait_for_end(window, qtbot)
    assert window.plan.rows[0].field.isEnabled()


def test_points_that_fail_are_named(window: ExperimentWindow, qtbot: QtBot, hands: Hands):
    """In a list below, in the table, and as a gap in the chart; the others are done."""
    fill(window, qtbot)
    hands.lost = ("gabl",)
    window.start()
    wait_for_end(window, qtbot)
    lines = [window.run_bar.failures.item(row).text() for row in range(window.run_bar.failures.count())]
    assert [re.sub(r"seed \d", "seed N", line) for line in lines] == [
        f"gabl, {load}: seed N: it was lost" for load in ("0.5", "1", "3")
    ]
    assert window.run_bar.failures.isVisible()
    assert window.run_bar.words.text().startswith("3 of 6 points failed")
    assert not window.results.chart.chart.series[1].known.any()
    assert window.run_bar.start.isEnabled()  # to try them again


def test_a_store_that_fails_holds_the_run_until_it_can_be_used(
    window: ExperimentWindow, qtbot: QtBot, hands: Hands, monkeypatch: pytest.MonkeyPatch
):
    """The sentence stands there with a button; after it not one run is lost."""
    answers: list[DraftForecast] = []
    window._worker().forecast_ready.connect(answers.append)
    fill(window, qtbot)
    keep, failed = Store.keep, []

    def full(store: Store, *made: object) -> None:
        if len(failed) < 2:
            failed.append(made)
            raise StoreError("the results: the disk is full; what the store holds is safe")
        keep(store, *made)

    monkeypatch.setattr(Store, "keep", full)
    window.start()
    for number in (1, 2):
        qtbot.waitUntil(lambda number=number: len(failed) == number and window.run_bar.again.isVisible())
        assert "the disk is full" in window.run_bar.error_line.words.text()
        assert window.busy
        qtbot.mouseClick(window.run_bar.again, Qt.MouseButton.LeftButton)
    wait_for_end(window, qtbot)
    assert window.run_bar.words.text().startswith(IMPRECISE)
    assert (
        hands.made == sum(point.runs for point in window.results.results.points) - answers[-1].forecast.kept
    )


def test_a_stuck_run_can_be_cancelled(
    window: ExperimentWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
):
    """Somebody who cannot mend the disk gets out."""
    fill(window, qtbot)

    def full(*_given: object) -> None:
        raise StoreError("the results: the disk is full")

    monkeypatch.setattr(Store, "keep", full)
    window.start()
    qtbot.waitUntil(window.run_bar.again.isVisible)
    qtbot.mouseClick(window.run_bar.cancel, Qt.MouseButton.LeftButton)
    wait_for_end(window, qtbot)


def test_closing_while_it_runs_asks_and_ends_the_runs(
    window: ExperimentWindow, qtbot: QtBot, hands: Hands, answers: Answers
):
    """Keep running leaves everything as it is; Stop and close leaves no thread."""
    fill(window, qtbot)
    hands.seconds = 0.05
    window.start()
    answers += ["Keep running"]
    assert not window.close()
    qtbot.waitUntil(lambda: not window.closing.under_way)
    assert window.isVisible()
    assert window.busy
    answers += ["Stop and close"]
    assert not window.close()
    qtbot.waitUntil(lambda: not window.isVisible())
    qtbot.waitUntil(lambda: WorkThread.under_way() == [])
    assert answers.asked == ["The experiment is running."] * 2


def test_runs_in_memory_are_not_lost_without_a_question(
    window: ExperimentWindow,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answers: Answers,
):
    """Keep in a file puts them all there; the window closes then."""
    fill(window, qtbot)
    window.start()
    wait_for_end(window, qtbot)
    runs = sum(point.runs for point in window.results.results.points)
    path = tmp_path / "kept.mgstore"
    answers += ["Keep in a file…"]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(path), ""))
    assert not window.close()
    qtbot.waitUntil(lambda: not window.isVisible())
    WorkThread.end_all()
    with Store(path) as store:
        assert store.count() >= runs
        [sweep] = store.sweeps()
        assert sweep.title == "small"


def test_nothing_is_asked_where_nothing_would_be_lost(window: ExperimentWindow, qtbot: QtBot):
    """A forecast's few runs are no results."""
    fill(window, qtbot)
    assert window.close()


def test_a_row_and_a_point_light_each_other_up(window: ExperimentWindow, qtbot: QtBot):
    """Pointing at a row points at the chart, and the other way round."""
    fill(window, qtbot)
    window.start()
    wait_for_end(window, qtbot)
    chart, table = window.results.chart, window.results.table
    table.pointed.emit(4, 0)
    assert chart.pointed_at == ("point", 4)
    qtbot.keyClick(chart, Qt.Key.Key_Home)
    assert chart.pointed_at is not None
    assert table._hovered == chart.pointed_at[1]


def test_a_point_is_opened_by_click_and_a_row_by_enter(window: ExperimentWindow, qtbot: QtBot):
    """Either hands out the scenario of the point with the first seed, named after it."""
    fill(window, qtbot)
    window.start()
    wait_for_end(window, qtbot)
    chart, table = window.results.chart, window.results.table
    with qtbot.waitSignal(window.run_asked) as caught:
        qtbot.keyClick(chart, Qt.Key.Key_Home)
        [spot] = [
            s for s in chart._points if chart.chart.series[s.series].points[s.point] == chart.pointed_at
        ]
        qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=QPoint(round(spot.x), round(spot.y)))
    [scenario] = caught.args
    assert scenario.workload.load == 0.5
    assert scenario.seed == 7
    assert scenario.title.startswith("small: ")
    with qtbot.waitSignal(window.run_asked) as caught:
        table.setFocus()
        table.setCurrentIndex(table.rows.index(5, 0))
        qtbot.keyClick(table, Qt.Key.Key_Return)
    [scenario] = caught.args
    assert (scenario.allocator.name, scenario.workload.load) == ("gabl", 3)


def test_a_table_sorts_by_what_its_captions_say(window: ExperimentWindow, qtbot: QtBot):
    """By the figure, down at first; what has no value stays below either way."""
    fill(window, qtbot)
    window.start()
    wait_for_end(window, qtbot)
    table = window.results.table
    head = table.horizontalHeader()
    column = [c.title for c in table.rows.columns].index("Turnaround")
    at = QPoint(head.sectionViewportPosition(column) + 20, head.height() // 2)
    qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=at)
    means = [p.estimates["turnaround"].mean for p in window.results.results.points]
    down = sorted(range(6), key=lambda i: -means[i])
    assert table.order_of_rows() == down
    qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert table.order_of_rows() == down[::-1]


def test_figure_axis_and_slice_can_be_chosen(window: ExperimentWindow, qtbot: QtBot):
    """Another figure, bars of strategies at the highest load, then at another one."""
    fill(window, qtbot)
    window.start()
    wait_for_end(window, qtbot)
    results = window.results
    results.figure.choose(("waiting",))
    results.figure.edited.emit()
    assert results.chart.chart.y_label.startswith("Waiting")
    assert [c.title for c in results.table.rows.columns][2] == "Waiting"
    results.across.choose(("allocator.name",))
    results.across.edited.emit()
    assert results.chart.chart.kind == "bars"
    assert results.slices["workload.load"].words == "Load: 3"
    results.slices["workload.load"].choose((0,))
    results.slices["workload.load"].edited.emit()
    assert results.chart.chart.note.startswith("Load 0.5 ")
    assert not results.log_x.isEnabled()


def test_published_values_are_offered_only_where_there_are_any(window: ExperimentWindow, qtbot: QtBot):
    """The box lays them over the chart, and takes them off."""

    class Said(NamedTuple):
        point: int = 1
        figure: str = "turnaround"
        low: float = 2.0
        high: float = 2.0
        label: str = "a paper"

    fill(window, qtbot)
    window.start()
    wait_for_end(window, qtbot)
    results = window.results
    assert results.results is not None
    assert not results.published.isVisible()
    results.show_results(results.results._replace(published=(Said(),)), window.plan.words)
    assert results.published.isVisible()
    assert len(results.chart.chart.marks) == 1
    place = QPoint(8, results.published.height() // 2)
    qtbot.mouseClick(results.published, Qt.MouseButton.LeftButton, pos=place)
    assert results.chart.chart.marks == ()


def test_the_window_comes_back_as_it_was(make_window: Callable[[], ExperimentWindow], qtbot: QtBot):
    """Size and splitters are remembered."""
    first = make_window()
    first.show_scenario(scenario_from(SMALL))
    first.splitter.setSizes([420, 860])
    first.results.splitter.setSizes([500, 300])
    qtbot.waitUntil(lambda: first.splitter.sizes()[0] == 420)
    sizes = first.results.splitter.sizes()
    assert first.close()
    second = make_window()
    assert second.splitter.sizes()[0] == 420
    assert second.results.splitter.sizes() == sizes


def test_after_closing_the_plan_is_still_there(window: ExperimentWindow, qtbot: QtBot):
    """Opened again it looks through the plan anew."""
    fill(window, qtbot)
    assert window.close()
    window.show()
    wait_for_forecast(window, qtbot)
    assert window.run_bar.words.text().startswith("6 points")


def test_real_processes_make_the_same_and_are_gone_afterwards(
    themes: object, window: ExperimentWindow, qtbot: QtBot, hands: Hands
):
    """Two worker processes; the pool is closed when the run has ended."""
    pool = executor_for(ComputeTarget(2))
    assert isinstance(pool, ProcessPool)
    pool.close()
    made: list[ProcessPool] = []

    def at(place: ComputeTarget) -> ProcessPool:
        made.append(ProcessPool(place.workers))
        return made[-1]

    window.end()
    window._executor_for = at
    fill(window, qtbot)
    window.start()
    wait_for_end(window, qtbot)
    assert window.run_bar.words.text().startswith(IMPRECISE)
    assert len(made) == 1


def test_an_address_where_nobody_answers_is_a_sentence(window: ExperimentWindow, qtbot: QtBot, hands: Hands):
    """The place says what it expects; a scheduler that is not there stops nothing but the start."""
    place = window.plan.compute_target
    qtbot.mouseClick(place.where.buttons[True], Qt.MouseButton.LeftButton)
    assert "expected the address" in place.error_line.words.text().lower()
    qtbot.keyClicks(place.address.line, "tcp://127.0.0.1:9")
    assert place.target() == ComputeTarget(1, "tcp://127.0.0.1:9")
    assert place.error_line.words.text() == ""
