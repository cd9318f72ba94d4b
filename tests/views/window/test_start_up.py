"""What the window does not wait for before it is first painted."""

import subprocess
import sys

from meshgui.engine.allocation.registry import strategies
from meshgui.model.examples import DEFAULT_EXAMPLE, example

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
    "views.network",
    "views.panels.stops",
    "views.panels.why",
    "views.scenario",
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


def test_no_source_is_read_as_modules_are_imported(monkeypatch, tmp_path):
    """PySide would search each of them for its name."""
    monkeypatch.setenv("MESHGUI_BENCH_FIRST_PAINT", "1")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (words,) = first_paints([])
    assert [word for word in words if word.startswith("source:") and "/meshgui/" in word] == []
