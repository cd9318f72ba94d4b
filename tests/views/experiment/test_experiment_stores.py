"""Stores in the experiment window: runs kept in files, opened again without running, and compared."""

import sqlite3

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog

from meshgui.experiment.executors import InProcess
from meshgui.experiment.store import Store
from meshgui.experiment.sweep import Sweep
from meshgui.views.experiment.store_reader import StoreReader
from meshgui.views.widgets.list_popup import ListPopup
from meshgui.views.widgets.work_thread import WorkThread
from tests.experiments import SMALL, small_experiment
from tests.foreign_stores import with_endless_pages
from tests.stores import runs_in
from tests.views.experiment.conftest import fill, wait_for_end, wait_for_forecast


def test_a_click_on_a_button_that_asks_for_a_file_gives_it_no_frame(window, qtbot, once_open):
    """The keys are where they were as the dialog is closed again, by a click as well."""
    before = window.focusWidget()

    def cancel(dialog):
        [buttons] = dialog.findChildren(QDialogButtonBox)
        button = buttons.button(QDialogButtonBox.StandardButton.Cancel)
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    for button in (window.plan.store.new, window.plan.store.open):
        once_open(QFileDialog, cancel)
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(window.isActiveWindow)
        assert window.focusWidget() is before


AXES = ("allocator.name=ff,gabl", "workload.load=0.5,1,3")


def swept(path, *axes, data=SMALL):
    """Make a small experiment into a store."""
    with Store(path) as store:
        Sweep(small_experiment(*axes, data=data, least=3, most=4), store, InProcess()).run()
    return path


@pytest.fixture
def opened(window, qtbot, monkeypatch):
    """Presses Open, and chooses a file."""

    def press(path, button=None):
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a, **_k: (str(path), ""))
        qtbot.mouseClick(button or window.plan.store.open, Qt.MouseButton.LeftButton)

    return press


@pytest.fixture
def new(window, qtbot, monkeypatch):
    """Presses New, and chooses a place."""

    def press(path):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(path), ""))
        qtbot.mouseClick(window.plan.store.new, Qt.MouseButton.LeftButton)
        return path

    return press


def wait_for_results(window, qtbot):
    """Wait until the results of a store are shown, and what more of them would take."""
    qtbot.waitUntil(lambda: window.results.results is not None)
    qtbot.waitUntil(lambda: "after the maximum number of runs" in window.run_bar.words.text())


def test_closing_ends_the_reading_of_a_store(window, opened, qtbot, tmp_path, monkeypatch):
    """Its pages may lead to each other without an end."""
    path, begun = swept(tmp_path / "one.mgstore", *AXES), []
    with_endless_pages(path, "replications", copies=20, levels=12)
    monkeypatch.setattr(Store, "sweeps", lambda store: begun.append(store) or [*store.keys_with_runs()])
    opened(path)
    [reader] = [thread for thread in WorkThread.under_way() if isinstance(thread, StoreReader)]
    qtbot.waitUntil(lambda: bool(begun))
    with qtbot.waitSignal(reader.finished):
        window.close()


def test_a_store_is_shown_without_running_anything(window, opened, qtbot, hands, tmp_path):
    """Fields, values, target and results are those of the file, which gets no run more."""
    path = swept(tmp_path / "one.mgstore", *AXES)
    before = runs_in(path)
    opened(path)
    wait_for_results(window, qtbot)
    plan = window.plan
    assert [row.key for row in plan.rows] == ["allocator.name", "workload.load"]
    assert (plan.rows[0].ticks.values(), plan.rows[1].line.text()) == (("ff", "gabl"), "0.5, 1, 3")
    assert (plan.precision.most.value(), plan.store.path) == (4, path)
    assert [one.label for one in window.results.chart.chart.series] == ["ff", "gabl"]
    assert hands.made == 0
    assert runs_in(path) == before


def test_one_of_several_experiments_is_picked_from_a_list(window, opened, qtbot, tmp_path):
    """Each line says what is varied, in the words of the window; Enter takes it."""
    path = tmp_path / "two.mgstore"
    swept(path, "workload.load=1,2")
    opened(swept(path, "mesh.shape=4x4,6x6"))
    qtbot.waitUntil(lambda: bool(window.plan.store.open.findChildren(ListPopup)))
    [popup] = window.plan.store.open.findChildren(ListPopup)
    lines = [popup.list.item(row).text() for row in range(popup.list.count())]
    assert sum("· Load ·" in line for line in lines) == 1
    popup.list.setCurrentRow(next(row for row, line in enumerate(lines) if "· Shape ·" in line))
    qtbot.keyClick(popup.list, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.results.results is not None)
    assert window.results.chart.chart.categories == ("4×4", "6×6")


def test_runs_go_to_the_file_at_once_and_are_gone_on_with(window, new, qtbot, hands, tmp_path):
    """Cancelled half-way the store has what was made; nothing is asked at closing."""
    path = new(tmp_path / "kept.mgstore")
    fill(window, qtbot)
    with Store(path) as store:
        assert store.sweeps() == []  # what is only looked through is not listed
    hands.hold()
    window.start()
    hands.let(9)
    qtbot.waitUntil(lambda: hands.made == 9)
    qtbot.mouseClick(window.run_bar.cancel, Qt.MouseButton.LeftButton)
    wait_for_end(window, qtbot)
    wait_for_forecast(window, qtbot)
    with Store(path) as store:
        assert runs_in(store) >= 9
        assert len(store.sweeps()) == 1
    assert list(window.questions()) == []


def test_another_store_is_laid_over_and_its_ratios_stand_in_the_table(window, opened, qtbot, tmp_path):
    """Dashed curves of its own, a column more, and both gone again with one click."""
    constant = SMALL | {"workload": SMALL["workload"] | {"service": {"kind": "constant"}}}
    opened(swept(tmp_path / "one.mgstore", *AXES))
    wait_for_results(window, qtbot)
    results = window.results
    opened(swept(tmp_path / "other.mgstore", *AXES, data=constant), results.compare_button)
    qtbot.waitUntil(lambda: len(results.chart.chart.series) == 4)
    series = results.chart.chart.series
    assert [s.label for s in series] == ["ff", "gabl", "ff · other", "gabl · other"]
    column = [column.title for column in results.table.rows.columns].index("Over other")
    assert results.table.rows.cell(0, column).text == f"{series[0].y[0] / series[2].y[0]:.3f}"
    qtbot.mouseClick(results.compare_button, Qt.MouseButton.LeftButton)
    assert len(results.chart.chart.series) == 2
    assert "Over other" not in [column.title for column in results.table.rows.columns]


def test_a_file_that_is_no_store_and_a_place_that_cannot_be_written_are_sentences(
    window, opened, qtbot, tmp_path, new
):
    """Nor is one of a later version: it says so, and the window stays as it was."""
    letter = tmp_path / "letter.mgstore"
    letter.write_text("Dear reader, this is no database, but quite a few words of prose all the same.\n" * 20)
    opened(letter)
    qtbot.waitUntil(lambda: "expected a store" in window.notice.text)
    assert window.plan.store.path is None
    later = swept(tmp_path / "later.mgstore", "workload.load=1,2")
    with sqlite3.connect(later) as connection:
        connection.execute("UPDATE sweeps SET body = '{\"later\": true}'")
    connection.close()
    opened(later)
    qtbot.waitUntil(lambda: "cannot be read" in window.notice.text)
    assert window.plan.rows == []
    # Said where the place was chosen: there is no such folder; memory again, and all is well
    new(tmp_path / "nowhere" / "kept.mgstore")
    said = window.plan.store.error_line.words
    qtbot.waitUntil(lambda: "there is no folder" in said.text())
    assert not window.run_bar.start.isEnabled()
    qtbot.mouseClick(window.plan.store.forget, Qt.MouseButton.LeftButton)
    wait_for_forecast(window, qtbot)
    assert said.text() == ""


@pytest.mark.parametrize("replaced", [False, True])
def test_a_file_deleted_during_the_run_is_said_and_its_runs_are_not_lost(
    window, new, qtbot, hands, tmp_path, replaced
):
    """Memory has them, the window shows them, and they can be kept in another file."""
    path = new(tmp_path / "kept.mgstore")
    fill(window, qtbot)
    hands.hold()
    window.start()
    hands.let(5)
    qtbot.waitUntil(lambda: hands.made == 5)
    for file in tmp_path.glob("kept.mgstore*"):
        file.unlink()
    if replaced:
        path.write_bytes(b"")
    wait_for_end(window, qtbot)  # it is noticed though no more runs are made
    assert window.notice.text == f"{path}: the file is gone; the runs made since are in memory only."
    assert window.plan.store.path is None
    wait_for_forecast(window, qtbot)
    runs = sum(point.runs for point in window.results.results.points)
    assert 4 < runs < 24
    other = new(tmp_path / "other.mgstore")
    qtbot.waitUntil(lambda: not window.session.unsaved)
    assert runs_in(other) >= runs
    assert list(window.questions()) == []


def test_a_file_deleted_just_before_the_end_is_noticed_at_the_end(
    window, new, qtbot, hands, tmp_path, monkeypatch
):
    """A run quicker than the checks does not end as if all were well."""
    path = new(tmp_path / "kept.mgstore")
    fill(window, qtbot)
    monkeypatch.setattr("meshgui.views.experiment.worker._BETWEEN_CHECKS", 1e9)
    hands.hold()
    window.start()
    hands.let(2)
    qtbot.waitUntil(lambda: hands.made == 2)
    path.unlink()
    hands.let()
    wait_for_end(window, qtbot)
    assert "the file is gone" in window.notice.text
    assert sum(point.runs for point in window.results.results.points) == 24


def test_a_store_that_another_program_uses_is_waited_for_in_words(window, new, qtbot, tmp_path):
    """After a second it is said, and once the other has ended all continues by itself."""
    path = new(tmp_path / "shared.mgstore")
    wait_for_forecast(window, qtbot)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    window.start()
    words = window.run_bar.words
    qtbot.waitUntil(lambda: words.text() == "Waiting for another program that uses the store.")
    assert not window.run_bar.error_line.words.text()
    other.execute("ROLLBACK")
    other.close()
    wait_for_end(window, qtbot)
    assert not words.text().startswith("Waiting")
    assert window.results.results is not None


def test_a_fault_of_the_program_loses_no_runs_in_memory(ended, qtbot, tmp_path, monkeypatch):
    """What was ordered ends with a sentence; those made before can still be kept in a file."""
    with qtbot.captureExceptions() as met:
        monkeypatch.setattr("meshgui.views.experiment.worker.write_bundle", lambda *_: 1 / 0)
        ended.exports.bundle_asked.emit(ended.results.results.experiment, tmp_path / "runs.zip")
        qtbot.waitUntil(lambda: ended.notice.text == "An internal error ended this work.")
    assert [kind for kind, *_ in met] == [ZeroDivisionError]
    ended.plan.store.created.emit(tmp_path / "kept.mgstore")
    qtbot.waitUntil(lambda: not ended.session.unsaved)
    assert runs_in(tmp_path / "kept.mgstore") == 24
