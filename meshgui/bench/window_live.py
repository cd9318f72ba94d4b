"""Times live curves: from a mouse event at the slider to the paint of the first curves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QEventLoop, QObject, QPoint, QPointF, QSettings, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionSlider

from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario import scenario_from
from meshgui.experiment.fields import FieldAxis
from meshgui.experiment.grid import Experiment
from meshgui.experiment.preview import Preview
from meshgui.views.experiment.window import ExperimentWindow
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.work_thread import WorkThread

_STRATEGIES: Final = ("ff", "tbl", "bf", "qa")
_LOADS: Final = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0)
_MOVES: Final = 20
_BETWEEN_LOOKS: Final = 250  # milliseconds, so that patience can end
_PATIENCE: Final = 300.0  # seconds: kernels are compiled at the first curves


class LiveFigures(NamedTuple):
    """Milliseconds: the curves after a move of the mouse, and the same chart painted again."""

    first: float  # the median
    late: float  # 95 % of them are no later
    precise: float  # until the last pass has been painted
    repaint: float
    what: str


class _Paints(QObject):
    """Counts the paint events of a widget."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        del watched
        self.count += event.type() == QEvent.Type.Paint
        return False


def live_figures() -> LiveFigures:
    """Four strategies at eight loads on a 16×16 mesh, the mean service dragged."""
    existing = QApplication.instance()
    application = existing if isinstance(existing, QApplication) else QApplication([])
    themes = ThemeManager(application, "light")
    with TemporaryDirectory() as folder, _window(themes, folder) as window:
        seen: list[bool] = []
        paints = _Paints()

        def see(_: object, preview: Preview) -> None:
            seen.append(preview.last)
            paints.count = 0  # those from here on show it

        window.live.previewed.connect(see)
        window.results.chart.installEventFilter(paints)
        window.live.button.click()
        _wait(lambda: True in seen)
        firsts = []
        far = -(-window.live.slider.width() // window.live.slider.maximum()) + 1  # on by a value at least
        handle = _handle(window)
        _mouse(window, QEvent.Type.MouseButtonPress, handle)
        for move in range(_MOVES):
            seen.clear()
            begun = perf_counter()
            before = window.live.slider.value()
            _mouse(window, QEvent.Type.MouseMove, handle + QPoint(far * (move + 1), 0))
            if window.live.slider.value() == before:
                raise RuntimeError("the slider did not move: nothing would be measured")
            _wait(lambda: bool(seen) and paints.count > 0)
            firsts.append(1000 * (perf_counter() - begun))
        begun = perf_counter()
        _mouse(window, QEvent.Type.MouseMove, handle)
        seen.clear()
        _wait(lambda: True in seen)
        precise = 1000 * (perf_counter() - begun)
        _mouse(window, QEvent.Type.MouseButtonRelease, handle)
        repaints = []
        for _ in range(_MOVES):
            begun = perf_counter()
            window.results.chart.repaint()
            repaints.append(1000 * (perf_counter() - begun))
    firsts.sort()
    what = tr("{STRATEGIES} strategies at {LOADS} loads, 16×16").format(
        STRATEGIES=len(_STRATEGIES), LOADS=len(_LOADS)
    )
    return LiveFigures(median(firsts), firsts[int(0.95 * len(firsts))], precise, median(repaints), what)


@contextmanager
def _window(themes: ThemeManager, folder: str) -> Iterator[ExperimentWindow]:
    settings = QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat)
    window = ExperimentWindow(themes, IconShelf(themes), settings)
    scenario = scenario_from(
        {
            "meshgui": 1,
            "mesh": {"shape": [16, 16]},
            "allocator": {"name": "ff"},
            "workload": {"kind": "stochastic", "jobs": 1000, "load": 1.0},
        }
    )
    strategies = FieldAxis(key="allocator.name", values=_STRATEGIES)
    loads = FieldAxis(key="workload.load", values=_LOADS)
    try:
        window.plan.show_experiment(Experiment(scenario, (strategies, loads)))
        window.resize(1600, 1000)
        window.show()
        yield window
    finally:
        window.end()
        WorkThread.end_all()
        window.close()
        window.deleteLater()


def _wait(done: Callable[[], bool]) -> None:
    """Handle events as they come. Asleep until then, as the program is: runs are made beside it."""
    end = perf_counter() + _PATIENCE
    waker = QTimer()
    waker.start(_BETWEEN_LOOKS)
    while not done():
        if perf_counter() > end:
            raise TimeoutError(tr("no curves came"))
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    waker.stop()


def _handle(window: ExperimentWindow) -> QPoint:
    slider, option = window.live.slider, QStyleOptionSlider()
    slider.initStyleOption(option)
    kind, part = QStyle.ComplexControl.CC_Slider, QStyle.SubControl.SC_SliderHandle
    return slider.style().subControlRect(kind, option, part, slider).center()


def _mouse(window: ExperimentWindow, kind: QEvent.Type, place: QPoint) -> None:
    slider, button = window.live.slider, Qt.MouseButton.LeftButton
    held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else button
    where = QPointF(place)
    event = QMouseEvent(kind, where, slider.mapToGlobal(where), button, held, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(slider, event)
