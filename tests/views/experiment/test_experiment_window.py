"""The experiment window, driven as people drive it: choose, see what it takes, start, watch, stop."""

import re
from typing import NamedTuple

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtWidgets import QFileDialog

from meshgui.engine.basics.translation import speaking
from meshgui.engine.scenario import scenario_from
from meshgui.experiment.executors import ProcessPool
from meshgui.experiment.store import Store, StoreError
from meshgui.model.fields.names import strategy_name
from meshgui.model.studies.compute_target import ComputeTarget, executor_for
from meshgui.model.studies.experiment_charts import Results
from meshgui.views.charts.chart_points import points_in_sight
from meshgui.views.widgets.work_thread import WorkThread
from tests.experiments import SMALL
from tests.stores import runs_in
from tests.views.conftest import handle_events
from tests.views.experiment.conftest import fill, wait_for_end, wait_for_forecast

IMPRECISE = "6 of 6 points are not within 5\N{NO-BREAK SPACE}% after the maximum number of runs"


def test_nothing_asks_to_press_start_once_it_runs(window, qtbot):
    """Until the first run has ended the empty chart says that runs are under way."""
    wait_for_forecast(window, qtbot)
    fill(window, qtbot)
    window.start()
    assert window.busy
    assert "Start" not in window.results.chart.chart.empty
    wait_for_end(window, qtbot)


def test_at_first_one_point_can_be_run_and_the_window_says_what_to_do(window, qtbot):
    """Nothing is varied yet; the empty places say what comes next."""
    assert window.run_bar.words.text().startswith("1 point, 9 more runs at least; about 1 s on ")
    assert window.plan.invitation.isVisible()
    assert not window.run_bar.failures.isVisible()
    assert window.results.chart.chart.is_empty
    assert "Start" in window.results.chart.chart.empty
    assert window.windowTitle() == "small – Experiment – MeshGUI"
    # The place says what it expects; a scheduler that is not there stops nothing but the start
    place = window.plan.compute_target
    qtbot.mouseClick(place.where.buttons[True], Qt.MouseButton.LeftButton)
    assert "expected the address" in place.error_line.words.text().lower()
    qtbot.keyClicks(place.address.line, "tcp://127.0.0.1:9")
    assert place.target() == ComputeTarget(1, "tcp://127.0.0.1:9")
    assert place.error_line.words.text() == ""


def test_fields_and_values_make_a_forecast_before_anything_is_started(filled, qtbot):
    """Points and runs are counted, a time is given, no result is shown yet, nor asked about at closing."""
    # Four of the eighteen runs are there: of the scenario itself, and of the grid's first, last and middle.
    assert re.match(r"6 points, 14 more runs at least; about \d+ s on ", filled.run_bar.words.text())
    assert filled.results.results is None
    assert filled.close()
    filled.show()  # looks through the plan again
    wait_for_forecast(filled, qtbot)
    assert filled.run_bar.words.text().startswith("6 points")


def test_a_field_is_found_by_typing_and_its_values_are_ticked(window, qtbot):
    """The chooser opens by the mouse, letters and Enter pick, Space ticks; no mouse is needed after that."""
    qtbot.mouseClick(window.plan.add, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.plan.rows[-1].field.popup is not None)
    row = window.plan.rows[-1]
    search = row.field.popup.search
    qtbot.keyClicks(search, "strat")
    qtbot.keyClick(search, Qt.Key.Key_Return)
    assert row.key == "allocator.name"
    assert row.ticks.hasFocus()
    assert row.ticks.words == strategy_name("ff")
    qtbot.keyClick(row.ticks, Qt.Key.Key_Space)
    search = row.ticks.popup.search
    qtbot.keyClicks(search, "gabl")
    qtbot.keyClick(search, Qt.Key.Key_Return)
    qtbot.keyClick(search, Qt.Key.Key_Escape)
    assert row.ticks.values() == ("ff", "gabl")
    qtbot.waitUntil(lambda: window.run_bar.words.text().startswith("2 points"))


def test_values_are_typed_in_place_of_the_present_one(window, qtbot):
    """What is typed after a field is chosen is not put behind the value that it has."""
    qtbot.mouseClick(window.plan.add, Qt.MouseButton.LeftButton)
    row = window.plan.rows[-1]
    choose(row.field, "workload.jobs")
    assert row.line.text() == "30"
    qtbot.keyClicks(row.line, "2 4 6 8")
    assert row.row().text == "2 4 6 8"


@pytest.mark.parametrize(("language", "said"), [("en", "1 job"), ("ar", "مهمة واحدة")])
def test_one_job_is_one_job(window, language, said):
    """The jobs of the scenario are counted in the words of the language."""
    one = SMALL["workload"] | {"jobs": 1}
    with speaking(language):
        window.show_scenario(scenario_from(SMALL | {"workload": one}))
    assert window.plan.machine.text().split(" · ")[1] == said


def choose(button, *values):
    """Choose lines of a list, as a click on them does."""
    button.choose(values)
    button.edited.emit()


def retype(line, qtbot, text):
    """Type in place of what there is."""
    line.selectAll()
    qtbot.keyClicks(line, text)


def test_what_is_wrong_is_said_below_its_row_and_nothing_typed_is_lost(window, qtbot):
    """Start waits until it is mended; a row of its own keeps its text when the field is changed and back."""
    window.vary("workload.load")
    row = window.plan.rows[0]
    retype(row.line, qtbot, "1, x")
    qtbot.waitUntil(lambda: bool(row.error_line.words.text()))
    assert not window.run_bar.start.isEnabled()
    assert row.line.property("invalid")
    choose(row.field, "workload.jobs")
    assert row.line.text() == "30"
    choose(row.field, "workload.load")
    assert row.line.text() == "1, x"
    retype(row.line, qtbot, "1, 2")
    wait_for_forecast(window, qtbot)
    assert row.error_line.words.text() == ""
    # What was typed is quoted as it was typed; a sentence of the program begins with a capital
    window.vary("mesh.shape")
    row = window.plan.rows[-1]
    said = row.error_line.words
    retype(row.line, qtbot, "abc")
    qtbot.waitUntil(lambda: said.text() == "abc: expected a shape, for example 8×8")
    row.line.clear()
    row.line.textEdited.emit("")
    qtbot.waitUntil(lambda: said.text() == "Expected at least one value")


def test_values_stand_as_far_below_their_field_whatever_they_are(window, qtbot):
    """Chosen from a list, or typed."""
    for key in ("allocator.name", "workload.load", "mesh.shape"):
        window.vary(key)

    def gap(row):
        editor = row.ticks if row.ticks.isVisible() else row.line
        return editor.y() - row.field.y() - row.field.height()

    qtbot.waitUntil(lambda: [gap(row) for row in window.plan.rows] == [5, 5, 5])


def test_a_run_fills_chart_and_table_and_ends(filled, qtbot, hands):
    """From Start by the keyboard to the end: every point has its runs, two curves over load, six rows."""
    qtbot.keyClick(filled, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert filled.busy
    wait_for_end(filled, qtbot)
    results = filled.results
    assert filled.run_bar.words.text().startswith(IMPRECISE)
    assert [one.label for one in results.chart.chart.series] == ["ff", "gabl"]
    assert all(one.known.all() for one in results.chart.chart.series)
    assert results.table.rows.rowCount() == 6
    assert hands.closed
    assert not filled.run_bar.start.isEnabled()


def test_results_come_in_while_it_runs_and_the_window_answers(filled, qtbot, hands):
    """There are results long before the end, and events are handled in between."""
    hands.hold()
    filled.start()
    for number in (5, 10, 15):
        hands.let(5)
        qtbot.waitUntil(lambda: filled.results.results is not None)
        qtbot.waitUntil(
            lambda number=number: sum(p.runs for p in filled.results.results.points) == number + 4
        )
        assert filled.busy
    hands.let()
    wait_for_end(filled, qtbot)
    assert "left" not in filled.run_bar.words.text()


def test_the_keys_go_to_pause_where_the_plan_that_had_them_is_locked(filled, qtbot, hands):
    """Not to what Qt finds next, which is to cancel the runs."""
    hands.hold()
    filled.plan.rows[0].field.setFocus()
    filled.start()
    qtbot.waitUntil(lambda: not filled.plan.rows[0].field.isEnabled())
    assert filled.focusWidget() is filled.run_bar.pause
    hands.let()
    wait_for_end(filled, qtbot)


def test_pause_holds_and_resume_goes_on(resting, filled, qtbot, hands):
    """While paused no run is begun; afterwards it ends as it would have."""
    hands.hold()
    filled.start()
    hands.let(5)
    qtbot.waitUntil(lambda: hands.made == 5)
    qtbot.mouseClick(filled.run_bar.pause, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(resting)
    hands.let()
    assert filled.run_bar.pause.text() == "Resume"
    assert filled.run_bar.words.text().startswith("Paused. ")
    assert resting()
    assert hands.made == 5
    qtbot.keyClick(filled, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    wait_for_end(filled, qtbot)
    assert hands.made == 20
    assert filled.run_bar.words.text().startswith(IMPRECISE)


def test_nothing_is_said_to_run_while_it_is_paused(resting, filled, qtbot, hands):
    """The bar rests too, where it cannot say yet how much is done, and no row says that it is running."""
    hands.hold()
    filled.start()
    bar, table = filled.run_bar.bar, filled.results.table
    assert bar.maximum() == 0
    qtbot.mouseClick(filled.run_bar.pause, Qt.MouseButton.LeftButton)
    assert bar.maximum() > 0
    qtbot.mouseClick(filled.run_bar.pause, Qt.MouseButton.LeftButton)
    hands.let(5)
    qtbot.waitUntil(lambda: "running" in set(flattened(table)))
    qtbot.mouseClick(filled.run_bar.pause, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(resting)
    assert not {"running", "waiting"} & set(flattened(table))


def flattened(table):
    """The texts of all cells of a table."""
    rows, columns = range(table.rows.rowCount()), range(table.rows.columnCount())
    return [table.rows.index(row, column).data() for row in rows for column in columns]


def test_cancel_keeps_what_was_made(filled, qtbot, hands):
    """It stops soon; the forecast counts what is left, and a new start makes only that."""
    hands.hold()
    filled.start()
    field = filled.plan.rows[0].field
    assert not field.isEnabled()
    filled.vary("workload.jobs")  # the plan says what is run, and takes no other field
    assert len(filled.plan.rows) == 2
    hands.let(9)
    qtbot.waitUntil(lambda: hands.made == 9)
    qtbot.mouseClick(filled.run_bar.cancel, Qt.MouseButton.LeftButton)
    wait_for_end(filled, qtbot)
    assert field.isEnabled()
    wait_for_forecast(filled, qtbot)
    assert "more run" in filled.run_bar.words.text()
    assert filled.results.results is not None
    hands.let()
    filled.start()
    wait_for_end(filled, qtbot)
    assert hands.made == 20  # nothing is made twice


def test_points_that_fail_are_named(filled, qtbot, hands):
    """In a list below, in the table, and as a gap in the chart; the others are done."""
    hands.lost = ("gabl",)
    filled.start()
    wait_for_end(filled, qtbot)
    failures = filled.run_bar.failures
    lines = [re.sub(r"seed \d", "seed N", failures.item(row).text()) for row in range(failures.count())]
    assert lines == [f"gabl, {load}: seed N: it was lost" for load in ("0.5", "1", "3")]
    assert failures.isVisible()
    assert filled.run_bar.words.text().startswith("3 of 6 points failed")
    assert not filled.results.chart.chart.series[1].known.any()
    assert filled.run_bar.start.isEnabled()  # to try them again


def test_a_store_that_fails_holds_the_run_until_it_can_be_used(filled, qtbot, hands, monkeypatch):
    """The sentence stands there with a button; after it not one run is lost."""
    keep, failed = Store.keep, []

    def full(store, *made):
        if len(failed) < 2:
            failed.append(made)
            raise StoreError("the results: the disk is full; what the store holds is safe")
        keep(store, *made)

    monkeypatch.setattr(Store, "keep", full)
    filled.start()
    for number in (1, 2):
        qtbot.waitUntil(lambda number=number: len(failed) == number and filled.run_bar.again.isVisible())
        assert "the disk is full" in filled.run_bar.error_line.words.text()
        assert filled.busy
        qtbot.mouseClick(filled.run_bar.again, Qt.MouseButton.LeftButton)
    wait_for_end(filled, qtbot)
    assert filled.run_bar.words.text().startswith(IMPRECISE)
    assert hands.made == sum(point.runs for point in filled.results.results.points) - 4  # of the forecast


def test_a_stuck_run_can_be_cancelled(filled, qtbot, monkeypatch):
    """Without a disk that can be mended."""

    def full(*_given):
        raise StoreError("the results: the disk is full")

    monkeypatch.setattr(Store, "keep", full)
    filled.start()
    qtbot.waitUntil(filled.run_bar.again.isVisible)
    qtbot.mouseClick(filled.run_bar.cancel, Qt.MouseButton.LeftButton)
    wait_for_end(filled, qtbot)


def test_closing_while_it_runs_asks_and_ends_the_runs(filled, qtbot, hands, answers):
    """Keep running leaves everything as it is; Stop and close leaves no thread."""
    hands.hold()
    filled.start()
    answers += ["Keep running"]
    assert not filled.close()
    qtbot.waitUntil(lambda: not filled.closing.under_way)
    assert filled.isVisible()
    assert filled.busy
    answers += ["Stop and close"]
    assert not filled.close()
    qtbot.waitUntil(lambda: not filled.isVisible())
    qtbot.waitUntil(lambda: WorkThread.under_way() == [])
    assert answers.asked == ["The experiment is running."] * 2


def test_runs_in_memory_are_not_lost_without_a_question(ended, qtbot, tmp_path, monkeypatch, answers):
    """Keep in a file puts them all there; the window closes then."""
    runs = sum(point.runs for point in ended.results.results.points)
    path = tmp_path / "kept.mgstore"
    answers += ["Keep in a file…"]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(path), ""))
    assert not ended.close()
    qtbot.waitUntil(lambda: not ended.isVisible())
    WorkThread.end_all()
    with Store(path) as store:
        assert runs_in(store) >= runs
        assert [sweep.title for sweep in store.sweeps()] == ["small"]


def test_a_point_is_opened_by_click_and_a_row_by_enter(ended, qtbot):
    """Either lights up the other, and hands out the point's scenario with the first seed, named after it."""
    chart, table = ended.results.chart, ended.results.table
    table.pointed.emit(4, 0)
    assert chart.pointed_at == ("point", 4)
    qtbot.keyClick(chart, Qt.Key.Key_Home)
    about = chart.pointed_at
    assert table.look(table.order_of_rows().index(about[1])).hovered
    [spot] = [
        s for s in points_in_sight(chart.arranged) if chart.chart.series[s.series].points[s.point] == about
    ]
    with qtbot.waitSignal(ended.run_asked) as caught:
        qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=QPoint(round(spot.x), round(spot.y)))
    [scenario] = caught.args
    assert (scenario.workload.load, scenario.seed) == (0.5, 7)
    assert scenario.title.startswith("small: ")
    table.setFocus()
    table.setCurrentIndex(table.rows.index(5, 0))
    with qtbot.waitSignal(ended.run_asked) as caught:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    [scenario] = caught.args
    assert (scenario.allocator.name, scenario.workload.load) == ("gabl", 3)


def test_a_table_sorts_by_its_captions_and_figure_axis_and_slice_can_be_chosen(ended, qtbot):
    """By the figure, down at first; what has no value stays below either way."""
    table = ended.results.table
    head = table.horizontalHeader()
    column = [c.title for c in table.rows.columns].index("Turnaround")
    at = QPoint(head.sectionViewportPosition(column) + 20, head.height() // 2)
    means = [p.estimates["turnaround"].mean for p in ended.results.results.points]
    down = sorted(range(6), key=lambda i: -means[i])
    for order in (down, down[::-1]):
        qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert table.order_of_rows() == order
    # Another figure, bars of strategies at the highest load, then at another one
    results = ended.results
    choose(results.figure, "waiting")
    assert results.chart.chart.y_label.startswith("Waiting")
    assert [c.title for c in results.table.rows.columns][2] == "Waiting"
    choose(results.across, "allocator.name")
    assert results.chart.chart.kind == "bars"
    assert results.slices["workload.load"].words == "Load: 3"
    choose(results.slices["workload.load"], 0)
    assert results.chart.chart.note.startswith("Load 0.5 ")
    assert not results.log_x.isEnabled()


def test_published_values_are_offered_only_where_there_are_any(ended, qtbot):
    """The box lays them over the chart, and takes them off."""

    class Said(NamedTuple):
        point: int = 1
        figure: str = "turnaround"
        low: float = 2.0
        high: float = 2.0
        label: str = "a paper"

    results = ended.results
    assert not results.published.isVisible()
    known = Results(results.results.experiment, results.results.points, published=(Said(),))
    results.show_results(known, ended.plan.words)
    assert results.published.isVisible()
    assert len(results.chart.chart.marks) == 1
    place = QPoint(8, results.published.height() // 2)
    qtbot.mouseClick(results.published, Qt.MouseButton.LeftButton, pos=place)
    assert results.chart.chart.marks == ()


def test_the_window_comes_back_as_it_was(make_window, qtbot):
    """Size and splitters are remembered."""
    first = make_window()
    first.splitter.setSizes([420, 860])
    first.results.splitter.setSizes([500, 300])
    qtbot.waitUntil(lambda: first.splitter.sizes()[0] == 420)
    sizes = first.results.splitter.sizes()
    assert first.close()
    second = make_window()
    assert second.splitter.sizes()[0] == 420
    assert second.results.splitter.sizes() == sizes


def test_real_processes_make_the_same_and_are_gone_afterwards(make_window, qtbot):
    """Two worker processes; the pool is closed when the run has ended."""
    pool, made = executor_for(ComputeTarget(2)), []
    assert isinstance(pool, ProcessPool)
    pool.close()

    def at(place):
        made.append(ProcessPool(place.workers))
        return made[-1]

    window = make_window(at)
    wait_for_forecast(window, qtbot)
    fill(window, qtbot)
    window.start()
    wait_for_end(window, qtbot)
    assert window.run_bar.words.text().startswith(IMPRECISE)
    assert len(made) == 1


@pytest.mark.parametrize("scale", [2.0, 2.5])
def test_in_large_letters_the_window_stays_on_the_screen_of_a_laptop(ended, themes, qtbot, scale):
    """Choices break into lines, and chart and table, too high together, are scrolled as one."""
    room, results = QSize(1350, 720), ended.results
    themes.set_scale(scale)
    ended.resize(room)
    qtbot.waitUntil(lambda: ended.minimumSizeHint().boundedTo(room) == ended.minimumSizeHint())
    handle_events()
    assert ended.size() == room
    tools = [results.figure, results.across, results.log_x, results.log_y, results.compare_button]
    for part in (*tools, ended.live.button, ended.exports.button, ended.help):
        assert part.visibleRegion().boundingRect() == part.rect(), part
    assert results.table.verticalScrollBar().maximum() == 0


def test_the_row_of_choices_is_one_line_where_there_is_room(ended, qtbot):
    """At a desk no choice is pushed below another."""
    ended.resize(1400, 900)
    handle_events()
    results = ended.results
    parts = (results.figure, results.across, results.compare_button, ended.help)
    middles = {part.mapTo(results, part.rect().center()).y() for part in parts}
    assert max(middles) - min(middles) <= 1


def test_another_width_is_divided_again_until_it_was_divided_by_hand(window, qtbot):
    """In a lecture the plan kept the width that a narrower window had left it."""
    handle, plan = window.splitter.handle(1), window.splitter.widget(0)
    window.resize(760, 600)
    qtbot.waitUntil(lambda: window.width() == 760)
    narrow = plan.width()
    window.resize(1400, 800)
    qtbot.waitUntil(lambda: plan.width() > narrow)
    at = handle.rect().center()
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseMove(handle, at + QPoint(80, 0))
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=at)
    chosen = plan.width()
    assert chosen > narrow
    window.resize(1500, 800)
    qtbot.waitUntil(lambda: window.width() == 1500)
    handle_events()
    assert plan.width() == chosen
