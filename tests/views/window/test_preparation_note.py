"""The note of the algorithms that are compiled in the background."""

import os
import sys

import pytest
from PySide6.QtWidgets import QMainWindow

from meshgui import itself
from meshgui.views.style.icons import IconShelf
from meshgui.views.window import preparation_note
from meshgui.views.window.preparation_note import PreparationNote, wants_preparation
from meshgui.views.window.run_control import RunControl, RunProgress

_HALF = "import sys; print('0 4', flush=True); print('2 4', flush=True); sys.stdin.read()"


@pytest.fixture
def note(qtbot, themes, monkeypatch):
    """A note in a window, of a process that is half done and goes on until it is ended."""
    monkeypatch.setattr(itself, "command", lambda *_: [sys.executable, "-c", _HALF])
    window = QMainWindow()
    qtbot.addWidget(window)
    note = PreparationNote(window, themes)
    window.show()
    yield note
    note.end()


def test_how_far_it_is_stands_in_the_status_bar(note, qtbot):
    """From its first word on, until it is ended, and its process with it."""
    assert not note.isVisible()
    note.begin(0)
    qtbot.waitUntil(lambda: "50 %" in note.text())
    assert note.isVisible()
    assert note.text().startswith("Preparing the algorithms for this machine")
    note.end()
    qtbot.waitUntil(lambda: not note.isVisible())
    assert not note.active


def test_a_window_that_closes_at_once_starts_nothing(note):
    """The process waits for the first paint, and then some."""
    assert not note.pending
    note.begin()
    assert note.pending
    note.end()
    assert not note.active
    assert not note.pending


def test_only_where_kernels_are_compiled_here(monkeypatch, tmp_path):
    """Not where they come with the program, are switched off, cannot be kept, or in tests."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")
    assert not wants_preparation()
    monkeypatch.delenv("MESHGUI_PREPARE")
    assert wants_preparation()
    if os.name != "nt":
        shared = tmp_path / "shared"
        shared.mkdir()
        shared.chmod(0o777)
        with monkeypatch.context() as elsewhere:
            elsewhere.setenv("NUMBA_CACHE_DIR", str(shared))
            assert not wants_preparation()
    monkeypatch.setattr(preparation_note, "shipped_folder", lambda: tmp_path)
    assert not wants_preparation()


def test_the_first_run_that_compiles_says_so(qtbot, themes):
    """In place of the count of jobs, which goes on afterwards."""
    control = RunControl()
    progress = RunProgress(control, themes, IconShelf(themes))
    qtbot.addWidget(progress)
    control.started.emit()
    control.compiling.emit()
    assert progress._words.text() == "Compiling, the first time only"
    control.progressed.emit(1, 3)
    assert progress._words.text() == "1 of 3 jobs"


def test_the_count_of_jobs_is_whole_at_once(qtbot, themes):
    """Compiling keeps the window from its layout for a while, so the count has room beforehand."""
    control = RunControl()
    progress = RunProgress(control, themes, IconShelf(themes))
    qtbot.addWidget(progress)
    control.started.emit()
    qtbot.waitExposed(progress)
    progress.layout().activate()
    control.progressed.emit(0, 501)
    assert progress._words.width() >= progress._words.fontMetrics().horizontalAdvance("0 of 501 jobs")
