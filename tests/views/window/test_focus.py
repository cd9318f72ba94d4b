"""Wherever Tab goes, in every window and every theme, it is seen what has the keys."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from meshgui.model.exercise import KINDS
from meshgui.model.lesson_shelf import shipped_lessons
from meshgui.views.exporting.table_sheet import TableSheet
from meshgui.views.window.main_window import MainWindow
from tests.views.window.conftest import open_and_run
from tests.views.window.test_accessibility import name_of, nameless_in
from tests.views.window.test_exercises import ask
from tests.views.window.test_lessons import arrived

LEAST_PIXELS = 24  # of a frame around a small button
LEAST_CONTRAST = 3.0  # what has the keys, beside the same without them: WCAG 2.2, 2.4.13
THEMES = ((0, 0), (1, 0), (0, 1), (1, 1))  # dark, high contrast


def brightness(picture: QImage) -> np.ndarray:
    """The relative luminance of each pixel."""
    picture = picture.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(picture.constBits(), np.uint8).reshape(picture.height(), -1, 4)
    bgr = rows[:, : picture.width(), :3] / 255.0
    linear = np.where(bgr <= 0.04045, bgr / 12.92, ((bgr + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.0722, 0.7152, 0.2126])


def seen(one: QImage, other: QImage) -> int:
    """The pixels in which one picture stands out against the other."""
    a, b = brightness(one), brightness(other)
    ratio = (np.maximum(a, b) + 0.05) / (np.minimum(a, b) + 0.05)
    return int((ratio >= LEAST_CONTRAST).sum())


def unseen_stops(room: QWidget, qtbot: QtBot) -> tuple[list[str], int]:
    """Go through a window with Tab: what looks the same with the keys and without, and how many stops."""
    room.activateWindow()
    qtbot.waitUntil(room.isActiveWindow)
    if (first := room.focusWidget()) is None:
        qtbot.keyClick(room, Qt.Key.Key_Tab)
    else:
        first.clearFocus()
        first.setFocus(Qt.FocusReason.TabFocusReason)
    stops, unseen = [], []
    while (focused := room.focusWidget()) not in stops:
        stops.append(focused)
        with_it = pictured(room, focused)
        focused.clearFocus()
        pixels = seen(with_it, pictured(room, focused))
        if pixels < LEAST_PIXELS:
            unseen.append(f"{type(focused).__name__} {name_of(focused)}: {pixels}")
        focused.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
    return unseen, len(stops)


def pictured(room: QWidget, widget: QWidget) -> QImage:
    """A widget as it is drawn in its window."""
    QApplication.processEvents()
    return room.grab(QRect(widget.mapTo(room, QPoint()), widget.size())).toImage()


def in_every_theme(window: MainWindow, room: QWidget, qtbot: QtBot, least: int) -> None:
    """No stop is unseen in light, dark and high contrast, and none is without a name."""
    assert nameless_in(room) == []
    found = {}
    for dark, contrast in THEMES:
        window.themes.set_mode("dark" if dark else "light")
        window.themes.set_high_contrast(bool(contrast))
        QApplication.processEvents()
        unseen, stops = unseen_stops(room, qtbot)
        if unseen:
            found[window.themes.theme.name] = unseen
        assert stops >= least
    assert found == {}


@pytest.mark.parametrize(
    "command",
    [
        "run.experiment",
        "run.compare",
        "run.gallery",
        "help.manual",
        "run.about",
        "run.about-network",
        "help.about",
        "stop.list",
        "lesson.list",
        "exercise.list",
        "run.edit",
        "file.welcome",
    ],
)
def test_other_windows_show_what_has_the_keys(lecture: MainWindow, qtbot: QtBot, command: str):
    """Those of experiments, comparison, published results, help, and all that lies over the window."""
    before = set(QApplication.topLevelWidgets())
    lecture.commands.trigger(command)
    qtbot.wait(300)
    new = [one for one in QApplication.topLevelWidgets() if one.isVisible() and one not in before]
    in_every_theme(lecture, (new or [lecture])[0], qtbot, 1)
    for one in new:
        one.close()


def test_a_table_shows_what_has_the_keys(lecture: MainWindow, qtbot: QtBot):
    """That of the mesh, in a window of its own."""
    lecture.mesh.canvas.setFocus(Qt.FocusReason.TabFocusReason)
    lecture.commands.trigger("file.show-table")
    [sheet] = lecture.findChildren(TableSheet)
    in_every_theme(lecture, sheet, qtbot, 3)
    sheet.close()


def test_a_published_result_shows_what_has_the_keys(lecture: MainWindow, qtbot: QtBot):
    """The page of an entry that can be run."""
    lecture.commands.trigger("run.gallery")
    gallery = lecture.studies.gallery
    gallery.list.choose("004-E1")
    QApplication.processEvents()
    in_every_theme(lecture, gallery, qtbot, 5)
    gallery.close()


def test_a_lesson_shows_what_has_the_keys(window: MainWindow, qtbot: QtBot):
    """A step with a prediction."""
    assert window.lessons.open(shipped_lessons()[2])
    qtbot.waitUntil(lambda: arrived(window))
    in_every_theme(window, window, qtbot, 10)


@pytest.mark.parametrize("kind", KINDS)
def test_an_exercise_shows_what_has_the_keys(window: MainWindow, qtbot: QtBot, kind: str):
    """Each of the forms that are answered in."""
    ask(window, qtbot, kind)
    in_every_theme(window, window, qtbot, 10)


def test_packets_show_what_has_the_keys(window: MainWindow, qtbot: QtBot):
    """The card of a packet, and that of a channel."""
    open_and_run(window, qtbot, "blocking-chain-8x6")
    window.panels.show("network")
    window.selection.select_packet(0, 0)
    QApplication.processEvents()
    in_every_theme(window, window, qtbot, 10)
