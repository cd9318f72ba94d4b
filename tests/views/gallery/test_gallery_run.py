"""Runs of the gallery are paused, cancelled and gone on with, and leave no thread and no process."""

import multiprocessing

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from meshgui.catalogue.reproduction import Reproduction
from meshgui.experiment.executors import ExecutorError, InProcess, ProcessPool
from meshgui.experiment.store import Store, StoreError
from meshgui.views.widgets.work_thread import WorkThread
from tests.stores import runs_in
from tests.views.gallery.conftest import run_entry
from tests.views.gated import Gated


@pytest.fixture
def gate():
    """What lets runs be made."""
    held = Gated()
    held.hold()
    return held


@pytest.fixture
def gated(make_gallery, gate):
    """A gallery whose runs wait at the gate, on the entry of many runs."""
    gallery = make_gallery(lambda _workers: gate)
    gallery.list.choose("000-S2")
    return gallery


def counted(gallery):
    """Runs counted so far."""
    return gallery.session.results["000-S2"].counted


def begun(gated, gate, qtbot, runs):
    """Begin the entry of many runs, and wait for some of them."""
    gated.run_bar.one.click()
    gate.let(runs)
    qtbot.waitUntil(lambda: counted(gated) >= runs)


def run_on(gated, gate, qtbot, name="000-S2"):
    """Let all runs be made, and wait for the end."""
    gate.let()
    qtbot.waitUntil(lambda: not gated.busy)
    assert gated.session.results[name].done


def test_results_fill_in_while_it_runs(gated, gate, qtbot):
    """Numbers come with the runs; the foot says how far it is and has Pause and Cancel only."""
    bar = gated.run_bar
    starts = [gated.commands.action(name) for name in ("run.entry", "run.all")]
    assert all(start.isEnabled() for start in starts)
    qtbot.mouseClick(bar.one, Qt.MouseButton.LeftButton)
    assert gated.busy
    assert [button.isVisible() for button in (bar.one, bar.pause, bar.cancel)] == [False, True, True]
    assert not any(start.isEnabled() for start in starts), "there is nothing that they would do"
    gate.let(12)
    qtbot.waitUntil(lambda: counted(gated) >= 12)
    assert "runs" in bar.words.text()
    assert 0 < bar.bar.value() < bar.bar.maximum()
    assert "from 12 runs" in gated.page.state.text()
    run_on(gated, gate, qtbot)
    assert all(start.isEnabled() for start in starts)
    bar.workers.box.lineEdit().setText("none")
    bar.workers.edited.emit()
    assert not any(button.isEnabled() for button in (bar.one, bar.all, *starts))


@pytest.mark.parametrize("button", ["one", "all"])
def test_the_focus_stays_with_the_run(gated, gate, qtbot, button):
    """From the button that began it to Pause, while it stops to nothing else, and back to the beginning."""
    bar, start = gated.run_bar, getattr(gated.run_bar, button)
    start.setFocus()
    qtbot.keyClick(start, Qt.Key.Key_Space)
    assert gated.busy
    assert gated.focusWidget() is bar.pause
    bar.cancel.setFocus()
    qtbot.keyClick(bar.cancel, Qt.Key.Key_Space)
    if gated.busy:
        assert gated.focusWidget() is bar
    gate.let(1)
    qtbot.waitUntil(lambda: not gated.busy)
    assert gated.focusWidget() is bar.one


def test_a_run_leaves_the_focus_on_the_list(gated, gate, qtbot):
    """Begun by a key from the list, and ended, it takes the focus from no widget."""
    rows = gated.list.list
    gated.run_bar.one.setFocus()
    rows.setFocus()
    qtbot.keyClick(rows, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert gated.busy
    assert gated.focusWidget() is rows
    run_on(gated, gate, qtbot)
    assert gated.focusWidget() is rows


def test_updates_keep_what_is_looked_at(gated, gate, qtbot):
    """The part in sight, the number selected and its chart stay while results come."""
    qtbot.waitUntil(lambda: len(gated.page.shown) == 2)
    small = gated.page.shown[0]
    small.select(2)
    gated.resize(1000, 500)
    gated.page.verticalScrollBar().setValue(120)

    def looked_at():
        heights = [section.height() for section in gated.page.shown]
        return small.selected, small.chart.chart.title, gated.page.verticalScrollBar().value(), heights

    before = looked_at()
    assert before[::2] == (2, 120)
    begun(gated, gate, qtbot, 20)
    assert looked_at() == before


def test_a_paused_run_hands_nothing_out_until_it_is_resumed(resting, gated, gate, qtbot):
    """No run is made meanwhile; Resume continues to the end."""
    begun(gated, gate, qtbot, 5)
    qtbot.mouseClick(gated.run_bar.pause, Qt.MouseButton.LeftButton)
    assert gated.run_bar.words.text().startswith("Paused. ")
    assert gated.run_bar.pause.text() == "Resume"
    qtbot.waitUntil(resting)
    gate.let()
    assert resting()
    assert gate.made == 5
    qtbot.keyClick(gated, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    run_on(gated, gate, qtbot)


def test_a_cancelled_run_keeps_what_was_made_and_is_gone_on_with(gated, gate, qtbot):
    """Cancel stops it soon; started again, what is there is not run again."""
    begun(gated, gate, qtbot, 10)
    qtbot.mouseClick(gated.run_bar.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not gated.busy)
    assert counted(gated) == 10
    assert gated.run_bar.one.isVisible()
    gated.run_bar.one.click()
    run_on(gated, gate, qtbot)
    assert gate.made == counted(gated)


def test_closing_while_it_runs_asks_first(gated, gate, qtbot, answers, tmp_path):
    """With a store nothing made is lost; who keeps running has an open window."""
    gated.run_bar.store.created.emit(tmp_path / "runs.mgstore")
    begun(gated, gate, qtbot, 5)
    answers += ["Keep running"]
    assert not gated.close()
    qtbot.waitUntil(lambda: not gated.closing.under_way)
    assert gated.busy
    answers += ["Stop and close"]
    assert not gated.close()
    qtbot.waitUntil(lambda: not gated.isVisible())
    WorkThread.end_all()
    assert not gated.busy
    with Store(tmp_path / "runs.mgstore") as store:
        [state] = Reproduction([gated.session.results["000-S2"].entry], store, InProcess(), quick=True).states
    assert state.counted >= 5


def test_processes_are_gone_after_a_cancel_and_after_a_close(make_gallery, qtbot):
    """Of a pool of two none is left; a process comes to the same number of the entry of one run."""
    gallery = make_gallery(ProcessPool)
    run_entry(gallery, qtbot, "004-E1")
    assert [one.verdict.value for one in gallery.session.results["004-E1"].judged] == ["reproduced"]
    gallery.list.choose("000-S2")
    gallery.run_bar.workers.set_value(2)
    gallery.run_bar.one.click()
    qtbot.waitUntil(lambda: len(multiprocessing.active_children()) == 2)
    qtbot.mouseClick(gallery.run_bar.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not gallery.busy)
    assert multiprocessing.active_children() == []
    gallery.run_bar.one.click()
    qtbot.waitUntil(lambda: len(multiprocessing.active_children()) == 2)
    gallery.end()
    WorkThread.end_all()
    assert multiprocessing.active_children() == []


def test_a_full_disk_waits_until_somebody_tries_again(gated, gate, qtbot, monkeypatch, tmp_path):
    """The sentence is in the foot with Try again; nothing is lost by it."""
    bar = gated.run_bar
    bar.store.created.emit(tmp_path / "runs.mgstore")

    def no_room(*_):
        raise StoreError("runs.mgstore: no space is left on the disk")

    with monkeypatch.context() as full:
        full.setattr(Store, "keep", no_room)
        bar.one.click()
        gate.let()
        qtbot.waitUntil(bar.again.isVisible)
        assert bar.error_line.words.text() == "Runs.mgstore: no space is left on the disk"
        assert not bar.pause.isVisible()
    qtbot.mouseClick(bar.again, Qt.MouseButton.LeftButton)
    run_on(gated, gate, qtbot)
    assert not bar.error_line.isVisible()


def test_runs_that_a_file_cannot_take_stay_in_memory(gallery, qtbot, monkeypatch, answers, tmp_path):
    """They are shown as before, and closing asks again; once a file has them, it closes."""
    run_entry(gallery, qtbot, "000-S1")
    made = gallery.session.results["000-S1"].counted
    places = [tmp_path / "none" / "runs.mgstore", tmp_path / "none" / "runs.mgstore", tmp_path / "a.mgstore"]
    answers += ["Keep in a file…", "Keep in a file…"]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(places.pop(0)), ""))
    qtbot.mouseClick(gallery.run_bar.store.new, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "there is no folder" in gallery.notice.text)
    qtbot.waitUntil(lambda: gallery.session.store is None)
    assert gallery.session.results["000-S1"].counted == made
    assert not gallery.close()
    qtbot.waitUntil(lambda: not gallery.isVisible())
    WorkThread.end_all()
    assert not places
    with Store(tmp_path / "a.mgstore") as store:
        assert runs_in(store) == made


def test_workers_that_cannot_be_had_are_a_sentence(make_gallery, qtbot):
    """The run ends, and the foot says why."""

    def nobody(_workers):
        raise ExecutorError("no process could be started")

    gallery = make_gallery(nobody)
    gallery.run_bar.one.click()
    qtbot.waitUntil(lambda: not gallery.busy)
    assert gallery.run_bar.error_line.words.text() == "No process could be started"
    assert gallery.run_bar.one.isEnabled()


def test_neither_a_file_that_is_no_store_nor_no_processes_are_run(gallery, qtbot, tmp_path):
    """Below the store's name; what was published is still shown."""
    path = tmp_path / "notes.db"
    path.write_text("These are notes, and no store at all." * 50, encoding="utf-8")
    gallery.run_bar.store.opened.emit(path)
    qtbot.waitUntil(gallery.run_bar.store.error_line.isVisible)
    assert "expected a store of MeshGUI" in gallery.run_bar.store.error_line.words.text()
    assert gallery.page.state.text() == "Not run yet: only published values."
    # Without a number of processes the buttons cannot be used
    box = gallery.run_bar.workers.box
    line = box.lineEdit()
    box.setFocus()
    for text in ("", "0", "none"):
        line.selectAll()
        qtbot.keyClick(line, Qt.Key.Key_Delete)
        qtbot.keyClicks(line, text)
        assert not gallery.run_bar.one.isEnabled(), text
        qtbot.keyClick(line, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        assert not gallery.busy, text


def test_an_entry_with_its_runs_says_what_is_not_precise_and_runs_until_all_is(gallery, qtbot):
    """However many runs that takes; then the sentence and the button are gone."""
    page, name = gallery.page, "000-S1"
    assert not page.precise.isVisible()
    run_entry(gallery, qtbot, name)
    before = gallery.session.results[name]
    assert before.imprecise
    assert page.precision.text().startswith(f"{before.imprecise} number")
    assert "more runs may change the verdict" in page.precision.text()
    qtbot.mouseClick(page.precise, Qt.MouseButton.LeftButton)
    assert not page.precise.isVisible()
    qtbot.waitUntil(lambda: not gallery.busy, timeout=60_000)
    after = gallery.session.results[name]
    assert (after.imprecise, after.done) == (0, True)
    assert after.counted > before.counted
    assert not page.precision.isVisible()
    assert not page.precise.isVisible()
