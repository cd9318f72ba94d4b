"""Plays, scrubs and steps through a run for an hour, and looks whether memory and handles stay level.

`make soak MINUTES=60`. What is still growing after the first quarter is a fault.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

from monkey import resident, watched
from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from meshgui.model.base.recent import RecentFiles
from meshgui.model.document.examples import example
from meshgui.views.style.application import qt_application
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.work_thread import WorkThread
from meshgui.views.window.main_window import MainWindow

_GROWTH: Final = 24 << 20  # bytes by which the memory of the last quarter may exceed that of the second
_STEPS = 15  # through time and into an allocation, on each example
_LEAST: Final = 8  # rounds
_PATIENCE: Final = 120  # seconds for a run
_OPENED = ("tbl-under-load", "hot-spot-8x8", "first-fit-16x16")


class Level(NamedTuple):
    """What the process holds."""

    bytes_: int
    handles: int
    widgets: int
    objects: int


def level() -> Level:
    """What the process holds now, once garbage is gone."""
    gc.collect()
    return Level(
        resident(),
        len(list(Path("/proc/self/fd").iterdir())),
        len(QApplication.allWidgets()),
        len(gc.get_objects()),
    )


def round_of(window: MainWindow, draw: random.Random) -> None:
    """Some seconds of a lecture on each example: play, scrub to and fro, step into allocations and back."""
    for name in _OPENED:
        window.documents.open_example(example(name))
        _wait_for_run(window)
        for page in ("plots", "timeline", "inspector"):
            window.panels.show(page)
        for _ in range(2):
            window.commands.trigger("time.play")
            QTest.qWait(300)
        recording = window.time_cursor.recording
        if recording is None:
            continue
        for _ in range(_STEPS):
            window.time_cursor.go_to_time(draw.uniform(0, recording.end_time))
            QTest.qWait(5)
        for command in (
            "time.by-line",
            *["time.forward"] * _STEPS,
            *["time.back"] * _STEPS,
            "mesh.flat",
            "mesh.flat",
        ):
            window.commands.trigger(command)
            QTest.qWait(2)


def _wait_for_run(window: MainWindow) -> None:
    end = time.monotonic() + _PATIENCE
    while window.documents.runs.running and time.monotonic() < end:
        QTest.qWait(20)


def grown(levels: list[Level]) -> list[str]:
    """What the last quarter of the rounds holds beyond the second."""
    quarter = max(1, len(levels) // 4)
    early, late = levels[quarter : 2 * quarter] or levels[:1], levels[-quarter:]
    found = []
    for name, allowed in (("bytes_", _GROWTH), ("handles", 0), ("widgets", 0)):
        before = max(getattr(one, name) for one in early)
        after = min(getattr(one, name) for one in late)
        if after > before + allowed:
            found.append(f"{name.strip('_')}: {before} before, {after} after")
    return found


def main() -> int:
    """Go on for as long as is asked, and say what has grown; the exit status."""
    parser = argparse.ArgumentParser(description="play and scrub for long")
    parser.add_argument("--minutes", type=float, default=60.0)
    options = parser.parse_args()
    application = qt_application()
    faults: list[str] = []
    levels: list[Level] = []
    with tempfile.TemporaryDirectory() as folder, watched(faults):
        settings = QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat)
        window = MainWindow(ThemeManager(application, "light"), settings, RecentFiles(Path(folder)))
        window.show()
        draw = random.Random(1)
        begun = time.monotonic()
        while time.monotonic() - begun < options.minutes * 60 or len(levels) < _LEAST:
            round_of(window, draw)
            levels.append(level())
            now = levels[-1]
            print(  # noqa: T201
                f"{len(levels):4} rounds, {(time.monotonic() - begun) / 60:5.1f} min, {now.bytes_ >> 20} MB,"
                f" {now.handles} handles, {now.widgets} widgets, {now.objects} objects",
                flush=True,
            )
        faults += grown(levels)
        window.close()
        WorkThread.end_all()
    for fault in faults:
        print(fault)  # noqa: T201
    sys.stdout.flush()
    os._exit(1 if faults else 0)


if __name__ == "__main__":
    sys.exit(main())
