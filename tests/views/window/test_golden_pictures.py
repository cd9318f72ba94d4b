"""The main views look as they did: pictures, light and dark, at 100 and 200 %.

`make pictures` writes `tests/golden/pictures` again; look at what has changed.
"""

import os
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QCursor, QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from meshgui.views.mesh.solid import opengl
from meshgui.views.mesh.solid.canvas import MeshGL
from meshgui.views.widgets.work_thread import WorkThread
from meshgui.views.window.main_window import MainWindow
from tests.views.window.conftest import open_and_run

FOLDER = Path(__file__).parents[2] / "golden" / "pictures"
SIZE = QSize(1600, 1000)
KEPT = QSize(800, 500)
BLOCK = 10  # pixels of a kept picture: edges of letters and lines differ between machines, less so their mean
NEAR = 12  # of 255
MAY_DIFFER = 0.0025  # of all blocks


@pytest.fixture
def window_size() -> QSize:
    """As the pictures that are kept."""
    return SIZE


@pytest.fixture
def samples() -> int:
    """As in the pictures that are kept."""
    return opengl.SAMPLES


def welcome(window: MainWindow, _: QtBot) -> QWidget:
    """The page before any scenario."""
    return window


def algorithm(window: MainWindow, qtbot: QtBot) -> QWidget:
    """A step in the middle of an attempt, with tree and code."""
    open_and_run(window, qtbot, "tree-allocation-example-1")
    cursor = window.time_cursor
    cursor.go_to_time(0)
    cursor.enter_attempt(len(cursor.recording.attempts) - 1)
    for _ in range(6):
        cursor.next_step()
    return window


def network(window: MainWindow, qtbot: QtBot) -> QWidget:
    """Packets that wait for one another."""
    open_and_run(window, qtbot, "blocking-chain-8x6")
    window.time_cursor.go_to_time(window.time_cursor.recording.end_time / 3)
    return window


def experiment(window: MainWindow, qtbot: QtBot) -> QWidget:
    """The experiment window before its first run."""
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    window.studies.open_experiment()
    bar = window.studies.experiment.run_bar
    qtbot.waitUntil(lambda: "left to run" in bar.words.text())  # the trial is its one run
    return window.studies.experiment


def gallery(window: MainWindow, _: QtBot) -> QWidget:
    """The published results."""
    window.studies.open_gallery()
    return window.studies.gallery


VIEWS = {view.__name__: view for view in (welcome, algorithm, network, experiment, gallery)}


@pytest.mark.parametrize("name", VIEWS)
def test_it_looks_as_it_did(window, qtbot, tmp_path, name):
    """Of the blocks of each picture hardly any differs from the one that is kept."""
    shown = VIEWS[name](window, qtbot)
    window.mesh.setFocus()
    for mode in ("light", "dark"):
        for percent in (100, 200):
            window.themes.set_mode(mode)
            window.themes.set_scale(percent / 100)
            picture = picture_of(shown, window, qtbot)
            file = FOLDER / f"{name}-{mode}-{percent}.png"
            if "MESHGUI_WRITE_PICTURES" in os.environ:
                FOLDER.mkdir(exist_ok=True)
                assert picture.save(str(file))
            else:
                share = differing(picture, QImage(str(file)))
                assert share <= MAY_DIFFER or not picture.save(str(seen := tmp_path / file.name)), seen
    WorkThread.end_all()


@pytest.mark.parametrize(
    "change",
    [
        lambda painter: painter.drawText(80, 120, "A line of text that was not there"),
        lambda painter: painter.fillRect(200, 100, 60, 30, QColor("#3478f6")),
        lambda painter: painter.translate(4, 0),
    ],
    ids=["text", "rectangle", "shift"],
)
def test_a_change_is_seen(change):
    """A line of text, a button's ground, or all moved by four pixels."""
    kept = QImage(str(FOLDER / "algorithm-light-100.png"))
    changed = QImage(kept.size(), QImage.Format.Format_RGB32)
    painter = QPainter(changed)
    painter.drawImage(0, 0, kept)
    change(painter)
    if not painter.transform().isIdentity():
        painter.drawImage(0, 0, kept)
    painter.end()
    assert differing(changed, kept) > MAY_DIFFER


def picture_of(shown: QWidget, window: MainWindow, qtbot: QtBot) -> QImage:
    """The view at rest, half as large."""
    shown.resize(SIZE)
    qtbot.waitUntil(lambda: shown.size() == SIZE)
    QCursor.setPos(QGuiApplication.primaryScreen().geometry().bottomRight())
    settle(shown, qtbot)
    for widget in (window.mesh.canvas, window.mesh):  # wherever the pointer stands
        QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))
    if isinstance(window.mesh.canvas, MeshGL):
        window.mesh.canvas.come_to_rest()
    settle(shown, qtbot)
    image = shown.grab().toImage()
    return image.scaled(
        KEPT, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    ).convertToFormat(QImage.Format.Format_RGB32)


def settle(shown: QWidget, qtbot: QtBot) -> None:
    """Wait for layouts, first paints and what they defer, until three pictures are alike."""
    pictures: list[QImage] = []

    def rests() -> bool:
        pictures.append(shown.grab().toImage())
        put_off = any(timer.isActive() and timer.isSingleShot() for timer in shown.findChildren(QTimer))
        return not put_off and len(pictures) > 2 and pictures[-1] == pictures[-2] == pictures[-3]

    qtbot.waitUntil(rests)


def differing(one: QImage, other: QImage) -> float:
    """The share of blocks whose colour differs."""
    assert one.size() == other.size()
    far = np.abs(blocks(one) - blocks(other)).max(axis=2) > NEAR
    return float(far.mean())


def blocks(image: QImage) -> NDArray[np.float64]:
    """The mean colour of each block."""
    rgb = image.convertToFormat(QImage.Format.Format_RGB32)
    data = np.frombuffer(rgb.constBits(), np.uint8).reshape(rgb.height(), rgb.bytesPerLine() // 4, 4)
    rows, columns = rgb.height() // BLOCK, rgb.width() // BLOCK
    data = data[: rows * BLOCK, : columns * BLOCK, :3]
    means = data.reshape(rows, BLOCK, columns, BLOCK, 3).mean(axis=(1, 3))
    return np.asarray(means, dtype=np.float64)
