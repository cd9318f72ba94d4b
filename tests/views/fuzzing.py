"""The files that only the window reads, with examples to spoil: its settings, and where its panels are.

They need Qt, so they stand apart from the kinds in `tests.fuzzing`.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QApplication

from meshgui.model.recent import RecentFiles
from meshgui.views.exporting.dialog import ExportDialog
from meshgui.views.style.application import qt_application
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.work_thread import WorkThread
from meshgui.views.window.main_window import MainWindow
from meshgui.views.window.settings_file import keep, open_settings
from tests.fuzzing import Target

_STATE = "window/state"
_SIZE = 1280, 800


def _ini(path: Path) -> QSettings:
    return QSettings(str(path), QSettings.Format.IniFormat)


@cache
def _themes() -> ThemeManager:
    return ThemeManager(qt_application(), "light")


@contextmanager
def _window(settings: QSettings, folder: Path) -> Iterator[MainWindow]:
    """A window with these settings, shown, and gone afterwards; an error in what Qt calls is raised here."""
    errors: list[BaseException] = []
    before = sys.excepthook
    sys.excepthook = lambda _kind, error, _trace: errors.append(error)
    window = MainWindow(_themes(), settings, RecentFiles(folder))
    try:
        window.resize(*_SIZE)
        window.show()
        QApplication.processEvents()
        yield window
        window.close()
    finally:
        _remove(window)
        sys.excepthook = before
    if errors:
        raise errors[0]


def _remove(window: MainWindow) -> None:
    import shiboken6  # noqa: PLC0415 - here alone

    WorkThread.end_all()
    shiboken6.delete(window)
    _themes().application.processEvents()


@cache
def _settings() -> tuple[bytes, ...]:
    """What a window writes that has been used, and a short one."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "settings.ini"
        settings = _ini(path)
        with _window(settings, Path(name)) as window:
            for command in ("window.larger-text", "window.smaller-text"):
                window.commands.trigger(command)
            ExportDialog(window.mesh.pictures(), settings, _themes(), window).accept()
        settings.sync()
        return path.read_bytes(), b'[window]\ntheme=dark\npanel-sizes="{\\"width\\": {\\"queue\\": 300}}"\n'


@cache
def _layouts() -> tuple[bytes, ...]:
    """The docks as they first are, folded away, and with a panel that floats."""
    with tempfile.TemporaryDirectory() as name, _window(_ini(Path(name) / "s.ini"), Path(name)) as window:
        panels = window.panels
        first = bytes(panels.save().data())
        panels.docks["queue"].setFloating(True)
        floating = bytes(panels.save().data())
        panels.reset()
        panels.toggle_fold()
        return first, floating, bytes(panels.save().data())


_seen: set[tuple[tuple[str, str], ...]] = set()  # the settings that a window was made with


def _read_settings(path: Path) -> None:
    """Open the settings; half of all spoilt files come to some that a window was made with before."""
    spoilt = path.read_bytes() not in _settings()
    settings, _ = open_settings(_ini(path))
    held = tuple((key, repr(settings.value(key))) for key in settings.allKeys())
    if spoilt and held in _seen:
        return
    with _window(settings, path.parent) as window:
        ExportDialog(window.mesh.pictures(), settings, _themes(), window).accept()
        for command in ("window.larger-text", "panel.reset"):
            window.commands.trigger(command)
    _seen.add(held)  # not where it failed


def _read_layout(path: Path) -> None:
    settings = _ini(path.with_name("settings.ini"))
    content = path.read_bytes()
    keep(settings, _STATE, QByteArray(content if content in _layouts() else _layouts()[0]))
    settings.setValue(_STATE, QByteArray(content))
    with _window(settings, path.parent) as window:
        assert (window.notice.text == "") == (content in _layouts())
        window.panels.toggle_fold()
        window.panels.toggle_fold()
        window.panels.reset()


WINDOW_TARGETS: dict[str, Target] = {
    "settings": Target(_settings, _read_settings, ()),
    "layout": Target(_layouts, _read_layout, ()),
}
