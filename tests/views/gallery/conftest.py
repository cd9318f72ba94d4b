"""A gallery of a few entries that run in a moment, in a folder of the test's own."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from meshgui.catalogue.entries import CatalogueEntry, catalogue, entry_from
from meshgui.experiment.executors import InProcess
from meshgui.views.gallery.window import GalleryWindow
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.work_thread import WorkThread
from tests.views.resting import resting  # noqa: F401 - a fixture

Made = Callable[..., GalleryWindow]


def small_entry(name: str = "000-S1", source: str = "000 §3", runs: int = 2) -> CatalogueEntry:
    """Three strategies on a small mesh: a ratio, a range and an order."""
    numbers = [
        {"figure": "turnaround", "strategy": "gabl", "to": "ff", "load": 2.0, "value": 0.5},
        {"figure": "turnaround", "strategy": "bf", "to": "ff", "load": 2.0, "value": 1.0},
        {"figure": "utilization", "strategy": "ff", "load": 1.0, "least": 0.1, "most": 0.9},
        {"figure": "turnaround", "highest": ["ff"], "load": 2.0},
    ]
    small = setting("4×4, two loads", 4, ("ff", "bf", "gabl"), numbers) | {"loads": [1.0, 2.0]}
    large = setting("6×6", 6, ("ff",), [{"figure": "utilization", "strategy": "ff", "value": 0.5}])
    return entry_from(
        {
            "id": name,
            "title": "A small one",
            "source": source,
            "text": "Three strategies on a small mesh, and not much to be said of them. " * 8,
            "most": runs,
            "least": 2,
            "quick": {"runs": runs},
            "remarks": ["The mesh is small, and its jobs are few. " * 8] * 3,
            "settings": {"small": small, "large": large},
        }
    )


def setting(
    what: str, side: int, strategies: tuple[str, ...], numbers: list[dict[str, Any]]
) -> dict[str, Any]:
    """A setting of forty jobs on a square mesh."""
    workload = {"kind": "stochastic", "jobs": 40, "load": 2.0}
    return {
        "what": what,
        "scenario": {"meshgui": 1, "mesh": {"shape": [side, side]}, "workload": workload},
        "strategies": {name: {"name": name} for name in strategies},
        "numbers": numbers,
    }


def few_entries() -> dict[str, CatalogueEntry]:
    """Two small entries and the one of one run, of two papers."""
    return {
        "000-S1": small_entry(),
        "000-S2": small_entry("000-S2", runs=30),
        "004-E1": catalogue()["004-E1"],
    }


@pytest.fixture
def make_gallery(
    qtbot: QtBot, themes: ThemeManager, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Made]:
    """Opens galleries of the few entries, whose runs are made by the thread itself unless told otherwise."""
    monkeypatch.setattr("meshgui.views.gallery.window.catalogue", few_entries)
    made: list[GalleryWindow] = []

    def make(executor_for: Callable[[int], Any] = lambda _workers: InProcess()) -> GalleryWindow:
        settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
        window = GalleryWindow(themes, IconShelf(themes), settings, executor_for)
        made.append(window)
        window.resize(1400, 900)
        with qtbot.waitExposed(window):
            window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)  # keys go to the active window only
        return window

    yield make
    for window in made:
        window.end()
        WorkThread.end_all()  # nothing is kept that a question would be about
        window.close()
        window.deleteLater()


@pytest.fixture
def gallery(make_gallery: Made) -> GalleryWindow:
    """A gallery before anything has been run."""
    return make_gallery()


def run_entry(gallery: GalleryWindow, qtbot: QtBot, name: str) -> None:
    """Run an entry to its end by a click."""
    gallery.list.choose(name)
    gallery.run_bar.one.click()
    qtbot.waitUntil(lambda: not gallery.busy)
