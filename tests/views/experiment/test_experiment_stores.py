"""Stores in the experiment window: runs kept in files, opened again without running, and compared."""

import sqlite3
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from meshgui.experiment.executors import InProcess
from meshgui.experiment.store import Store
from meshgui.experiment.sweep import Sweep
from meshgui.views.experiment.store_reader import StoreReader
from meshgui.views.experiment.window import ExperimentWindow
from meshgui.views.widgets.list_popup import ListPopup
from meshgui.views.widgets.work_thread import WorkThread
from tests.experiments import SMALL, runs_in, small_experiment
from tests.foreign_stores import with_endless_pages
from tests.views.experiment.conftest import Hands, fill, wait_for_end, wait_for_forecast

AXES = ("allocator.name=ff,gabl", "workload.load=0.5,1,3")


def swept(path: Path, *axes: str, data: dict[str, object] = SMALL) -> None:
    """Make a small experiment into a store."""
    with Store(path) as store:
        Sweep(small_experiment(*axes, data=data, least=3, most=4), store, InProcess()).run()


def answer_open(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Choose a file wherever one is to be opened."""
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a, **_k: (str(path), ""))


def open_store(window: ExperimentWindow, qtbot: QtBot) -> None:
    """Press Open, and wait until the results are shown."""
    qtbot.mouseClick(window.plan.store.open, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.results.results is not None)
    qtbot.waitUntil(lambda: "after the most runs" in window.run_bar.words.text())


def test_closing_ends_the_reading_of_a_store(
    window: ExperimentWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Its pages may lead to each other without an end."""
    path, looks, original = tmp_path / "one.mgstore", [], StoreReader._look

    def look(reader: StoreReader) -> None:
        looks.append(reader)
        original(reader)

    swept(path, *AXES)
    with_endless_pages(path, "replications", copies=20, levels=12)
    monkeypatch.setattr(Store, "sweeps", lambda store: [*store.keys_with_runs()])
    monkeypatch.setattr("meshgui.views.experiment.window.StoreReader._look", look)
    answer_open(monkeypatch, path)
    qtbot.mouseClick(window.plan.store.open, Qt.MouseButton.LeftButton)
    [reader] = [thread for thread in WorkThread.under_way() if isinstance(thread, StoreReader)]
    qtbot.waitUntil(lambda: bool(looks))
    with qtbot.waitSignal(reader.finished):
        window.close()


def test_a_store_is_shown_without_running_anything(
    window: ExperimentWindow, qtbot: QtBot, hands: Hands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Fields, values, target and results are those of the file, which gets no run more."""
    path = tmp_path / "one.mgstore"
    swept(path, *AXES)
    with Store(path) as store:
        before = runs_in(store)
    answer_open(monkeypatch, path)
    open_store(window, qtbot)
    assert [row.key for row in window.plan.rows] == ["allocator.name", "workload.load"]
    assert window.plan.rows[0].ticks.words == "ff, gabl"
    assert window.plan.rows[1].line.text() == "0.5, 1, 3"
    assert window.plan.precision.most.value() == 4
    assert window.plan.store.path == path
    assert [one.label for one in window.results.chart.chart.series] == ["ff", "gabl"]
    assert hands.made == 0
    with Store(path) as store:
        assert runs_in(store) == before


def test_one_of_several_experiments_is_picked_from_a_list(
    window: ExperimentWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Each line says what is varied; Enter takes it."""
    path = tmp_path / "two.mgstore"
    swept(path, "workload.load=1,2")
    swept(path, "mesh.shape=4x4,6x6")
    answer_open(monkeypatch, path)
    qtbot.mouseClick(window.plan.store.open, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(window.plan.store.open.findChildren(ListPopup)))
    [popup] = window.plan.store.open.findChildren(ListPopup)
    lines = [popup.list.item(row).text() for row in range(popup.list.count())]
    wanted = next(row for row, line in enumerate(lines) if "mesh.shape" in line)
    popup.list.setCurrentRow(wanted)
    qtbot.keyClick(popup.list, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.results.results is not None)
    assert window.results.chart.chart.categories == ("4×4", "6×6")


def test_runs_go_to_the_file_at_once_and_are_gone_on_with(
    window: ExperimentWindow, qtbot: QtBot, hands: Hands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Cancelled half-way the store has what was made; nothing is asked at closing."""
    path = tmp_path / "kept.mgstore"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(path), ""))
    qtbot.mouseClick(window.plan.store.new, Qt.MouseButton.LeftButton)
    fill(window, qtbot)
    with Store(path) as store:
        assert store.sweeps() == []  # what is only looked through is not listed
    hands.seconds = 0.03
    window.start()
    qtbot.waitUntil(lambda: hands.made > 8)
    window._cancel()
    wait_for_end(window, qtbot)
    wait_for_forecast(window, qtbot)
    with Store(path) as store:
        assert runs_in(store) >= 8
        assert len(store.sweeps()) == 1
    assert list(window.questions()) == []


def test_another_store_is_laid_over_and_its_ratios_stand_in_the_table(
    window: ExperimentWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Dashed curves of its own, a column more, and both gone again with one click."""
    one, other = tmp_path / "one.mgstore", tmp_path / "other.mgstore"
    swept(one, *AXES)
    constant = SMALL | {"workload": SMALL["workload"] | {"service": {"kind": "constant"}}}
    swept(other, *AXES, data=constant)
    answer_open(monkeypatch, one)
    open_store(window, qtbot)
    answer_open(monkeypatch, other)
    results = window.results
    qtbot.mouseClick(results.compare_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(results.chart.chart.series) == 4)
    assert [s.label for s in results.chart.chart.series] == ["ff", "gabl", "ff · other", "gabl · other"]
    titles = [column.title for column in results.table.rows.columns]
    column = titles.index("Over other")
    mine, theirs = (series.y[0] for series in results.chart.chart.series[::2])
    assert results.table.rows.cell(0, column).text == f"{mine / theirs:.3f}"
    qtbot.mouseClick(results.compare_button, Qt.MouseButton.LeftButton)
    assert len(results.chart.chart.series) == 2
    assert "Over other" not in [column.title for column in results.table.rows.columns]


def test_a_file_that_is_no_store_is_a_sentence(
    window: ExperimentWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The window stays as it was."""
    path = tmp_path / "letter.mgstore"
    path.write_text("Dear reader, this is no database, but quite a few words of prose all the same.\n" * 20)
    answer_open(monkeypatch, path)
    qtbot.mouseClick(window.plan.store.open, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "expected a store" in window.notice.text)
    assert window.plan.store.path is None


def test_a_store_of_another_kind_of_experiment_is_a_sentence(
    window: ExperimentWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Such as one of a later version: it says so, and nothing is changed."""
    path = tmp_path / "later.mgstore"
    swept(path, "workload.load=1,2")
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE sweeps SET body = '{\"later\": true}'")
    connection.close()
    answer_open(monkeypatch, path)
    qtbot.mouseClick(window.plan.store.open, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "cannot be read" in window.notice.text)
    assert window.plan.rows == []


def test_a_place_that_cannot_be_written_is_said_where_it_was_chosen(
    window: ExperimentWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """There is no such folder; memory again, and all is well."""
    path = tmp_path / "nowhere" / "kept.mgstore"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(path), ""))
    qtbot.mouseClick(window.plan.store.new, Qt.MouseButton.LeftButton)
    line = window.plan.store.error_line
    qtbot.waitUntil(lambda: "there is no folder" in line.words.text())
    assert not window.run_bar.start.isEnabled()
    qtbot.mouseClick(window.plan.store.forget, Qt.MouseButton.LeftButton)
    wait_for_forecast(window, qtbot)
    assert line.words.text() == ""


@pytest.mark.parametrize("replaced", [False, True])
def test_a_file_deleted_during_the_run_is_said_and_its_runs_are_not_lost(
    window: ExperimentWindow,
    qtbot: QtBot,
    hands: Hands,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    replaced: bool,
):
    """Memory has them, the window shows them, and they can be kept in another file."""
    path, other = tmp_path / "kept.mgstore", tmp_path / "other.mgstore"
    chosen = iter((str(path), str(other)))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (next(chosen), ""))
    qtbot.mouseClick(window.plan.store.new, Qt.MouseButton.LeftButton)
    fill(window, qtbot)
    hands.seconds = 0.1
    window.start()
    qtbot.waitUntil(lambda: hands.made > 4)
    for file in tmp_path.glob("kept.mgstore*"):
        file.unlink()
    if replaced:
        path.write_bytes(b"")
    wait_for_end(window, qtbot)
    assert window.notice.text == f"{path}: the file is gone; the runs made since are in memory only."
    assert window.plan.store.path is None
    wait_for_forecast(window, qtbot)
    runs = sum(point.runs for point in window.results.results.points)
    assert 4 < runs < 24  # it stopped within a second or so, not at the end
    qtbot.mouseClick(window.plan.store.new, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.session.unsaved)
    with Store(other) as store:
        assert runs_in(store) >= runs
    assert list(window.questions()) == []


def test_a_file_deleted_just_before_the_end_is_noticed_at_the_end(
    window: ExperimentWindow, qtbot: QtBot, hands: Hands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A run quicker than the checks does not end as if all were well."""
    path = tmp_path / "kept.mgstore"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(path), ""))
    qtbot.mouseClick(window.plan.store.new, Qt.MouseButton.LeftButton)
    fill(window, qtbot)
    monkeypatch.setattr("meshgui.views.experiment.worker._BETWEEN_CHECKS", 1e9)
    window.start()
    qtbot.waitUntil(lambda: hands.made > 1)
    path.unlink()
    wait_for_end(window, qtbot)
    assert "the file is gone" in window.notice.text
    assert sum(point.runs for point in window.results.results.points) == 24


def test_a_store_that_another_program_uses_is_waited_for_in_words(
    window: ExperimentWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """After a second it is said, and once the other has ended all goes on by itself."""
    path = tmp_path / "shared.mgstore"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(path), ""))
    qtbot.mouseClick(window.plan.store.new, Qt.MouseButton.LeftButton)
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


def test_a_fault_of_the_program_loses_no_runs_in_memory(
    window: ExperimentWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """What was ordered ends with a sentence; those made before can still be kept in a file."""
    fill(window, qtbot)
    window.start()
    wait_for_end(window, qtbot)
    with qtbot.captureExceptions() as met:
        monkeypatch.setattr("meshgui.views.experiment.worker.write_bundle", lambda *_: 1 / 0)
        window.exports.bundle_asked.emit(window.results.results.experiment, tmp_path / "runs.zip")
        qtbot.waitUntil(lambda: window.notice.text == "A fault in the program ended this work.")
    assert [kind for kind, *_ in met] == [ZeroDivisionError]
    window.plan.store.created.emit(tmp_path / "kept.mgstore")
    qtbot.waitUntil(lambda: not window.session.unsaved)
    with Store(tmp_path / "kept.mgstore") as store:
        assert runs_in(store) == 24
