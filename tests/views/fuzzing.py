"""The files that only the window reads, with examples to spoil: its settings, and where its panels are.

They need Qt, so they stand apart from the kinds in `tests.fuzzing`.
"""

import json
import struct
import sys
import tempfile
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from PySide6.QtCore import QEvent, QSettings, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDockWidget

from meshgui.model.base.recent import RecentFiles
from meshgui.model.document.qt_state import layout_version
from meshgui.views.exporting.dialog import ExportDialog
from meshgui.views.exporting.exportable import Picture
from meshgui.views.style.application import qt_application
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.work_thread import WorkThread
from meshgui.views.window.main_window import MainWindow
from meshgui.views.window.settings_file import open_settings
from tests.arrangements import with_group
from tests.fuzzing import Target

_SIZE = 1280, 800


def _ini(path: Path) -> QSettings:
    return QSettings(str(path), QSettings.Format.IniFormat)


@cache
def _themes() -> ThemeManager:
    return ThemeManager(qt_application(), "light")


@contextmanager
def _errors_raised() -> Iterator[None]:
    """A block in which an error in what Qt calls is raised at the end."""
    errors: list[BaseException] = []
    before = sys.excepthook
    sys.excepthook = lambda _kind, error, _trace: errors.append(error)
    try:
        yield
    finally:
        sys.excepthook = before
    if errors:
        raise errors[0]


@contextmanager
def _window(settings: QSettings, folder: Path) -> Iterator[MainWindow]:
    """A window with these settings, shown, and gone afterwards."""
    with _errors_raised():
        window = _shown(settings, folder)
        try:
            yield window
            window.close()
        finally:
            _remove(window)


def _shown(settings: QSettings, folder: Path) -> MainWindow:
    window = MainWindow(_themes(), settings, RecentFiles(folder))
    window.resize(*_SIZE)
    window.show()
    QApplication.processEvents()
    return window


def _remove(window: MainWindow) -> None:
    import shiboken6  # noqa: PLC0415 - here alone

    WorkThread.end_all()
    shiboken6.delete(window)
    _themes().application.processEvents()


_PICTURES = (Picture("Mesh", QSize(80, 60), lambda *_: None),)


@cache
def _settings() -> tuple[bytes, ...]:
    """What a window writes that has been used, and a short one."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "settings.ini"
        settings = _ini(path)
        with _window(settings, Path(name)) as window:
            for command in ("window.larger-text", "window.smaller-text"):
                window.commands.trigger(command)
            ExportDialog(_PICTURES, settings, _themes(), window).accept()
        settings.sync()
        return path.read_bytes(), b'[window]\ntheme=dark\npanel-sizes="{\\"width\\": {\\"queue\\": 300}}"\n'


def _let_happen() -> None:
    """Let Qt do what it has put off, also what it does between two events only."""
    QApplication.processEvents()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@cache
def _arrangements() -> tuple[bytes, ...]:
    """Panels as they first are, floating, divided, shown and folded; and as older files have them."""
    with tempfile.TemporaryDirectory() as name, _window(_ini(Path(name) / "s.ini"), Path(name)) as window:
        return tuple(_used_arrangements(window))


def _used_arrangements(window: MainWindow) -> Iterator[bytes]:
    panels, docks, area = window.panels, window.panels.docks, Qt.DockWidgetArea.TopDockWidgetArea

    def kept() -> bytes:
        return json.dumps(panels.save().as_data()).encode()

    yield kept()
    docks["queue"].setFloating(True)
    yield kept()
    old = bytes(window.saveState(layout_version(rtl=False)).data())
    yield old
    yield struct.pack(">ii", 0xFF, layout_version(rtl=True)) + old[8:]
    yield with_group(old, "plots", "job")
    panels.show("lesson")
    window.addDockWidget(area, docks["timeline"])
    window.splitDockWidget(docks["timeline"], docks["job"], Qt.Orientation.Horizontal)
    window.splitDockWidget(docks["job"], docks["notes"], Qt.Orientation.Vertical)
    yield kept()
    panels.toggle_fold()
    yield kept()


_seen: set[tuple[tuple[str, str], ...]] = set()  # the settings that a window was made with


def _read_settings(path: Path) -> None:
    """Open the settings; half of all spoilt files come to some that a window was made with before."""
    spoilt = path.read_bytes() not in _settings()
    settings, _ = open_settings(_ini(path))
    held = tuple((key, repr(settings.value(key))) for key in settings.allKeys())
    if spoilt and held in _seen:
        return
    with _window(settings, path.parent) as window:
        ExportDialog(_PICTURES, settings, _themes(), window).accept()
        for command in ("window.larger-text", "panel.reset"):
            window.commands.trigger(command)
    _seen.add(held)  # not where it failed


# One window for all arrangements, as each is put over the one before

_kept: list[MainWindow] = []


def _kept_window(folder: Path) -> MainWindow:
    """The window for arrangements; what it writes, if anything, is in this folder."""
    if not _kept:
        _kept.append(_shown(_ini(folder / "s.ini"), folder))
    return _kept[0]


def drop_window() -> None:
    """Close the window for arrangements, if there is one."""
    while _kept:
        window = _kept.pop()
        window.close()
        _remove(window)


def _read_panels(path: Path) -> None:
    """Show an arrangement as a step of a lesson does: the window lives, and no panel is out of reach."""
    content = path.read_bytes()
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        data = b64encode(content).decode()  # Qt's own, as files of older versions have it
    sound = content in _arrangements()
    with _errors_raised():
        window = _kept_window(path.parents[1])
        window.notice.dismiss()
        window.resize(*_SIZE)
        window.moments.show({"panels": data})
        _let_happen()
        assert window.isVisible()
        assert not (sound and window.notice.text), window.notice.text
        assert set(window.panels.save().names()) == set(window.panels.docks)
        for name, dock in window.panels.docks.items():
            assert _is_in_reach(window, dock, in_front=window.panels.in_front(name)), name


def _is_in_reach(window: MainWindow, dock: QDockWidget, *, in_front: bool) -> bool:
    """Whether a dock has its place in the window, in sight where it is in front, or floats on a screen."""
    if dock.isFloating() or dock.window() is not window:
        screens = QGuiApplication.screens()
        return any(screen.geometry().intersects(dock.window().geometry()) for screen in screens)
    placed = window.dockWidgetArea(dock) != Qt.DockWidgetArea.NoDockWidgetArea
    return placed and (not in_front or window.rect().intersects(dock.geometry()))


WINDOW_TARGETS: dict[str, Target] = {
    "settings": Target(_settings, _read_settings, ()),
    "arrangement": Target(_arrangements, _read_panels, ()),
}
