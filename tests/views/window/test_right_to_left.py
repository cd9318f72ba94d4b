"""With a language that is read from the right the window is laid out so; the mesh and numbers are not."""

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from meshgui.model.charts import ChartData, ChartSeries
from meshgui.views.charts.result_chart import ResultChart
from meshgui.views.style.direction import has_letters_from_the_right, mirror, write
from meshgui.views.style.theme import ThemeManager
from meshgui.views.style.tinting import tinted
from tests.views.window.conftest import open_and_run

RIGHT_TO_LEFT, LEFT_TO_RIGHT = Qt.LayoutDirection.RightToLeft, Qt.LayoutDirection.LeftToRight


@pytest.fixture
def from_the_right(qapp: QApplication) -> Iterator[None]:
    """An application that is laid out from right to left."""
    qapp.setLayoutDirection(RIGHT_TO_LEFT)
    yield
    qapp.setLayoutDirection(LEFT_TO_RIGHT)


@pytest.fixture
def themes(from_the_right: None, themes: ThemeManager) -> ThemeManager:
    """The theme of such an application."""
    return themes


def ink(image: QImage) -> tuple[int, int]:
    """The first and the last column in which something is drawn."""
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.array(grey.constBits()).reshape(grey.height(), grey.bytesPerLine())[:, : grey.width()]
    columns = np.flatnonzero((rows != rows[0, 0]).any(axis=0))
    return int(columns[0]), int(columns[-1])


def test_the_whole_window_reads_from_the_right(make_window, qtbot: QtBot, qapp: QApplication):
    """Panels change sides, early times lie right and are reached there, first columns stand at the right."""
    window = open_and_run(make_window(), qtbot, "three-jobs-4x4x4")
    docks = window.panels.docks
    assert docks["queue"].x() > window.mesh.mapTo(window, QPoint()).x() > docks["algorithm"].x()

    timeline, cursor = window.timeline, window.time_cursor
    end = cursor.recording.end_time
    qtbot.mouseClick(timeline, Qt.MouseButton.LeftButton, pos=QPoint(timeline.width() - 150, 60))
    early = cursor.time
    qtbot.mouseClick(timeline, Qt.MouseButton.LeftButton, pos=QPoint(150, 60))
    assert 0 < early < 0.2 * end < 0.8 * end < cursor.time < end
    line = QRect(150 - 8, 26, 16, 40)
    picture = timeline.grab(line).toImage()
    assert picture.pixelColor(8, 20) == window.themes.theme.colour("accent")

    overview = window.findChild(type(window.overview)) if hasattr(window, "overview") else None
    assert overview is None or overview.layoutDirection() == RIGHT_TO_LEFT
    table = window.queue.findChild(QLabel) and window.queue.running
    first, last = (table.visualRect(table.rows.index(0, column)) for column in (0, 1))
    assert first.left() > last.left()

    qtbot.keyClick(window, Qt.Key.Key_Home)
    before = cursor.position
    qtbot.keyClick(window, Qt.Key.Key_Right)
    assert cursor.position > before, "Right is the next step in every language"
    play = window.findChild(type(window.transport)) if hasattr(window, "transport") else None
    assert play is None or play.layoutDirection() == LEFT_TO_RIGHT

    canvas = window.mesh.canvas
    shown = canvas.grab().toImage()
    window.setLayoutDirection(LEFT_TO_RIGHT)
    size = canvas.size()
    canvas.resize(size)
    assert canvas.layoutDirection() == LEFT_TO_RIGHT
    assert canvas.grab().toImage() == shown, "a mesh keeps its direction"
