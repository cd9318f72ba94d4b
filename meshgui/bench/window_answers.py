"""Times the answers of the window: from a key or a click to the end of the last paint that it causes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from operator import length_hint
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final, NamedTuple

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from meshgui.bench.window_paints import LastPaint, repainted, timed, window_on
from meshgui.engine.basics.translation import tr
from meshgui.views.timeline.panel import TimelineView
from meshgui.views.widgets.work_thread import WorkThread
from meshgui.views.window.main_window import MainWindow

_SCENARIOS: Final = (("gabl-16x16", "16×16"), ("tbl-under-load", "8×8×8"))
_COMPARED: Final = (("gabl", "ff"), ("gabl", "ff", "bf", "mbs"))
_RUNS_OVER: Final = 60.0  # seconds
_STEPS: Final = 12  # of each kind
_NO_MODIFIER: Final = Qt.KeyboardModifier.NoModifier
_FEW_JOBS, _MANY_JOBS = 100, 10_000
_OPENINGS: Final = 5
_CLICKS: Final = 4  # along each side of a widget


class AnswerFigures(NamedTuple):
    """Milliseconds from an input to the end of its last paint, and painting the whole window."""

    mesh: str
    answers: int
    middle: float
    p95: float
    slowest: str  # which kind of input took longest
    repaint: float


def answer_figures() -> list[AnswerFigures]:
    """Times steps, leaps and clicks in a 2D and a 3D run, and steps of runs side by side."""
    figures = []
    for name, mesh in _SCENARIOS:
        with window_on(name, 20.0) as (window, painted):
            figures.append(_figures(mesh, window, painted, _inputs(window)))
    return [*figures, *_compared_answers()]


def _compared_answers() -> Iterator[AnswerFigures]:
    """Times steps and leaps of the clock of two and of four runs side by side."""
    name, mesh = _SCENARIOS[0]
    with window_on(name, 20.0) as (window, painted):
        window.commands.trigger("run.compare")
        page = window.studies.comparison
        values = page.choices.values
        try:
            for names in _COMPARED:
                values.choose(names)
                values.edited.emit()
                runs = page.comparison.runs
                begun = perf_counter()
                while not all(run.over for run in runs):
                    if perf_counter() - begun > _RUNS_OVER:
                        raise TimeoutError(tr("the runs side by side do not end"))
                    QTest.qWait(20)
                page.comparison.show_time(20.0)
                repainted(painted, window)
                yield _figures(
                    tr("{mesh}, {runs} runs side by side").format(mesh=mesh, runs=len(runs)),
                    window,
                    painted,
                    _clock_keys(page),
                )
        finally:
            page.end()
            WorkThread.end_all()


def _figures(
    mesh: str, window: QWidget, painted: LastPaint, inputs: Iterable[tuple[str, Callable[[], object]]]
) -> AnswerFigures:
    """Times the answers to some inputs, and five paints of the whole window."""
    taken = [(timed(painted, act), what) for what, act in inputs]
    repaints = [repainted(painted, window) for _ in range(5)]
    times = [time for time, _ in taken]
    p95 = quantiles(times, n=20)[-1]
    return AnswerFigures(mesh, len(times), median(times), p95, max(taken)[1], median(repaints))


class FirstAnswer(NamedTuple):
    """Milliseconds that something takes to the end of its last paint, by default its first use."""

    what: str
    taken: float
    again: float  # the same once more,
    beside: str = tr("the same again")  # or what it is compared with


def first_answers() -> list[FirstAnswer]:
    """Times what a fresh window does for the first time: steps by lines, a table, an entry of the gallery."""
    with window_on(_SCENARIOS[0][0], 20.0) as (window, painted), TemporaryDirectory() as folder:
        window.mesh.canvas.setFocus()
        step = partial(_press, window, Qt.Key.Key_1)
        export = partial(_export_table, window, Path(folder) / "table.csv")
        first_step = timed(painted, step)
        _press(window, Qt.Key.Key_3)
        found = [
            FirstAnswer(tr("the first step size line"), first_step, timed(painted, step)),
            FirstAnswer(tr("the first table exported"), timed(painted, export), timed(painted, export)),
        ]
        return [*found, _gallery_click(window)]


def _export_table(window: MainWindow, path: Path) -> None:
    """Find the tables and write the longest, as Ctrl+Shift+T does with a file that has been chosen."""
    tables = window.exports.exporter.tables(QApplication.focusWidget())
    window.exports.exporter.write_table(max(tables, key=lambda table: length_hint(table.rows)), path)


def opening_figures() -> list[FirstAnswer]:
    """Times opening a long run: from the command to the first paint that shows all of it."""
    with window_on("tbl-under-load", 20.0) as (window, painted), TemporaryDirectory() as folder:
        few, many = (_file_of_jobs(Path(folder), jobs) for jobs in (_FEW_JOBS, _MANY_JOBS))
        _opening(window, painted, many)  # which loads what the others are not to be measured with
        taken = [[_opening(window, painted, path) for path in (many, few)] for _ in range(_OPENINGS)]
        slow, quick = (median(times) for times in zip(*taken, strict=True))
        what = tr("a scenario of {jobs:,} jobs opened, to the paint of its finished run")
        beside = tr("a scenario of {jobs:,} jobs").format(jobs=_FEW_JOBS)
        return [FirstAnswer(what.format(jobs=_MANY_JOBS), slow, quick, beside)]


def _file_of_jobs(folder: Path, jobs: int) -> Path:
    workload = {"kind": "stochastic", "jobs": jobs, "load": 2.4}
    data = {"meshgui": 1, "mesh": {"shape": [8, 8, 8]}, "allocator": {"name": "tbl"}, "workload": workload}
    path = folder / f"{jobs}.meshgui.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def _opening(window: MainWindow, painted: LastPaint, path: Path) -> float:
    """Milliseconds from the command to the end of the first paint after the whole run is there."""
    begun = perf_counter()
    window.files.open(path)
    while (recording := window.time_cursor.recording) is None or not recording.over:
        QApplication.processEvents()
    whole = perf_counter()
    while painted.at < whole:
        QApplication.processEvents()
    return 1000 * (painted.at - begun)


def _gallery_click(window: MainWindow) -> FirstAnswer:
    """A click on an entry of the gallery, and on another."""
    window.commands.trigger("run.gallery")
    gallery = window.studies.gallery
    painted = LastPaint()
    gallery.installEventFilter(painted)
    QTest.qWaitForWindowActive(gallery)
    repainted(painted, gallery)
    entries = gallery.list.list
    taken = []
    for row in (3, 5):
        at = entries.visualItemRect(entries.item(row)).center()
        click = partial(QTest.mouseClick, entries.viewport(), Qt.MouseButton.LeftButton, _NO_MODIFIER, at)
        taken.append(timed(painted, click))
    gallery.close()
    first, again = taken
    return FirstAnswer(tr("the first click in the gallery"), first, again)


def _inputs(window: MainWindow) -> Iterator[tuple[str, Callable[[], object]]]:
    """What a lecturer presses and clicks, with names."""
    mesh, timeline = window.mesh.canvas, window.panels.view(TimelineView)
    mesh.setFocus()
    press = partial(_press, window)
    shift = Qt.KeyboardModifier.ShiftModifier
    for granularity, digit in (("event", Qt.Key.Key_3), ("line", Qt.Key.Key_1)):
        yield tr("step by {granularity}").format(granularity=granularity), partial(press, digit)
        yield from [
            (tr("{granularity} forward").format(granularity=granularity), partial(press, Qt.Key.Key_Right))
        ] * _STEPS
        yield from [
            (tr("{granularity} back").format(granularity=granularity), partial(press, Qt.Key.Key_Left))
        ] * _STEPS
    yield from [(tr("leap forward"), partial(press, Qt.Key.Key_Right, shift))] * (_STEPS // 2)
    yield from [(tr("next failure"), partial(press, Qt.Key.Key_F8, shift))] * (_STEPS // 2)
    for widget, what in ((mesh, tr("click on the mesh")), (timeline, tr("click on the timeline"))):
        for k in range(_CLICKS**2):
            across, down = (2 * (k % _CLICKS) + 1) / 2 / _CLICKS, (2 * (k // _CLICKS) + 1) / 2 / _CLICKS
            yield what, partial(_click, widget, across, down)


def _clock_keys(page: QWidget) -> Iterator[tuple[str, Callable[[], object]]]:
    """What one presses in a page of runs side by side, with names."""
    press, shift = partial(_press, page), Qt.KeyboardModifier.ShiftModifier
    yield from [("on", partial(press, Qt.Key.Key_Right))] * _STEPS
    yield from [("back", partial(press, Qt.Key.Key_Left))] * _STEPS
    yield from [("leap", partial(press, Qt.Key.Key_Right, shift))] * (_STEPS // 2)


def _press(window: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier = _NO_MODIFIER) -> None:
    QTest.keyClick(QApplication.focusWidget() or window, key, modifiers)


def _click(widget: QWidget, across: float, down: float) -> None:
    at = QPoint(round(across * widget.width()), round(down * widget.height()))
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, _NO_MODIFIER, at)
