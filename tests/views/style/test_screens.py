"""Which screen shows a widget."""

import gc
import re
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import dump, isValid

import meshgui
from meshgui.views.style.screens import screen_of


def test_a_window_takes_no_screen_with_it(qapp):
    """The screen is no part of the window, so it outlives it."""
    window = QWidget()
    window.itself = window  # as in most windows, so the garbage collector deletes it
    window.show()
    screen = screen_of(window)
    assert screen is QGuiApplication.primaryScreen()
    assert "parent" not in dump(screen)
    del window
    gc.collect()
    QApplication.processEvents()
    assert isValid(screen)


def test_no_widget_is_asked_for_its_screen():
    """That would make the screen a part of the widget."""
    asked = [
        str(file)
        for file in (Path(meshgui.__file__).parent / "views").rglob("*.py")
        if re.search(r"\.screen\(\)[.\s]", file.read_text("utf-8")) and file.name != "screens.py"
    ]
    assert asked == []
