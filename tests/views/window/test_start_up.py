"""What the window does not wait for before its first paint, and the note of what is compiled behind it."""

import os
import subprocess
import sys

import pytest

from meshgui import itself
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.translation import speaking
from meshgui.model.document.examples import DEFAULT_EXAMPLE, example
from meshgui.views.document.run_control import RunControl, RunProgress
from meshgui.views.style.icons import IconShelf
from meshgui.views.window import preparation_note
from meshgui.views.window.preparation_note import PreparationNote, wants_preparation
from tests.views.conftest import handle_events

OF_OTHERS = {"numba", "scipy", "pyqtgraph", "numpy.ma", "PySide6.QtSvg", "PySide6.QtSvgWidgets"}
OF_OURS = {
    "catalogue.papers",
    "experiment",
    "views.charts.plots",
    "views.commands.palette",
    "views.commands.shortcuts_sheet",
    "views.compare",
    "views.experiment",
    "views.exporting.exporter",
    "views.exporting.film_files",
    "views.exporting.picture_files",
    "views.gallery",
    "views.network.panel",
    "views.network.packet_list",
    "views.panels.stops",
    "views.panels.why",
    "views.scenario.form",
    "views.scenario.network_section",
}
PROGRAM = """
import linecache, os, sys

def leave(status):
    print(*sys.modules, flush=True)
    print(*(f"source:{name}" for name in linecache.cache), flush=True)
    really_leave(status)

really_leave, os._exit = os._exit, leave
from meshgui.cli.entry import run
run(sys.argv[1:])
"""


def first_paints(*words: list[str]) -> list[set[str]]:
    """The modules loaded when windows opened with these words, side by side, are painted."""
    windows = [
        subprocess.Popen([sys.executable, "-c", PROGRAM, *args], stdout=subprocess.PIPE, text=True)
        for args in words
    ]
    try:
        said = [window.communicate(timeout=120)[0].split() for window in windows]
    finally:
        for window in windows:
            window.kill()
            window.wait()
    assert all("painted" in words for words in said)
    return [set(words) for words in said]


def test_what_the_first_paint_does_not_show_is_loaded_after_it(monkeypatch, tmp_path):
    """Neither on the welcome page nor on a scenario, whose strategy alone is imported."""
    monkeypatch.setenv("MESHGUI_BENCH_FIRST_PAINT", "1")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    welcome, scenario = first_paints([], [str(example(DEFAULT_EXAMPLE))])
    late = OF_OTHERS | {f"meshgui.{name}" for name in OF_OURS}
    assert late & welcome == set()
    assert late & scenario == set()
    files = {cls.__module__ for cls in strategies().values() if cls.__module__.startswith("meshgui.")}
    assert files & welcome == set()
    assert files & scenario == {strategies()["tbl"].__module__}
    # No source is read as modules are imported: PySide would search each of them for its name
    assert [word for word in welcome if word.startswith("source:") and "/meshgui/" in word] == []


_HALF = "import sys; print('0 4', flush=True); print('2 4', flush=True); sys.stdin.read()"


@pytest.fixture
def note(window, monkeypatch):
    """A note in a window, of a process that is half done and continues until it is ended."""
    monkeypatch.setattr(itself, "command", lambda *_: [sys.executable, "-c", _HALF])
    note = PreparationNote()
    window.bars.add_sign(note)
    yield note
    note.end()


def test_how_far_it_is_stands_on_the_first_line_of_the_sentence(note, qtbot, window, themes):
    """From its first word on, until it is ended, and its process with it."""
    assert not note.isVisible()
    note.begin(0)
    qtbot.waitUntil(lambda: "50 %" in note.text())
    assert note.isVisible()
    assert note.text().startswith("Preparing the algorithms for this machine")
    handle_events()
    sentence = window.bars.sentence
    note_line = note.mapTo(window, note.rect().center()).y()
    first_line = sentence.mapTo(window, sentence.words[0].rect.center().toPoint()).y()
    assert abs(note_line - first_line) <= 1
    letters = note.fontInfo().pixelSize()
    themes.toggle()
    handle_events()
    assert note.fontInfo().pixelSize() == letters
    note.present(on=True)  # the sentence has the whole line during a lecture
    assert not note.isVisible()
    note.present(on=False)
    assert note.isVisible()
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


def test_the_first_run_that_compiles_says_so_in_place_of_the_count_of_jobs(qtbot, themes):
    """The count continues afterwards."""
    control = RunControl()
    progress = RunProgress(control, themes, IconShelf(themes))
    qtbot.addWidget(progress)
    control.started.emit()
    control.compiling.emit()
    assert progress._words.text() == "Compiling, the first time only"
    control.progressed.emit(1, 3)
    assert progress._words.text() == "1 of 3 jobs"
    with speaking("ar"):  # the noun follows the total, and so does its form
        for total, said in ((3, "0 من 3 مهام"), (1000, "0 من 1000 مهمة")):
            control.progressed.emit(0, total)
            assert progress._words.text() == said
    # Compiling keeps the window from its layout for a while, so the count has room beforehand
    control.started.emit()
    qtbot.waitExposed(progress)
    progress.layout().activate()
    control.progressed.emit(0, 501)
    assert progress._words.width() >= progress._words.fontMetrics().horizontalAdvance("0 of 501 jobs")
