"""One window for many tests: put back between them, and replaced as soon as it is not as a new one is."""

from collections.abc import Callable
from copy import deepcopy
from enum import Enum
from functools import cached_property
from pathlib import Path
from types import FunctionType
from unittest.mock import patch

from PySide6.QtCore import QPoint, QSize, QTimer
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDockWidget,
    QLabel,
    QLineEdit,
    QScrollBar,
    QWidget,
)

from meshgui.engine.runs.recording import Recording
from meshgui.model.player import Granularity
from meshgui.views.mesh.controls import MeshStatus
from meshgui.views.widgets.focus_ring import FocusRing
from meshgui.views.widgets.overlay_card import OverlayCard
from meshgui.views.widgets.work_thread import WorkThread
from meshgui.views.window.main_window import MainWindow
from tests.views.conftest import belongs_to, delete_now

State = dict[str, object]
PLAIN = (bool, int, float, str, bytes, Enum, tuple, frozenset, QSize, FunctionType, type(None))
# What is counted, worked out again where it is needed, or made at first use and shows the document then.
OF_NO_EFFECT = {
    *("pictures_drawn", "presenting", "_placed", "_shape", "_goal", "_latest"),
    *("_view", "_steps", "card", "popup", "_form_begun"),
}
UNLIMITED = 524_287  # what Qt sets for a dock whose content has no limit
TURNS = 20  # of the event loop, in which the panels find their places


def seen_in(window: MainWindow) -> list[tuple[str, tuple[int, ...], bool, str]]:
    """All that is in sight, with its place and its words.

    But for the welcome page, which flows, and the card of a job: it shows the selection, and has buttons left
    over where there is none.
    """
    whole, passing = window.rect(), (window.welcome, window.job_card)
    return sorted(
        (type(widget).__name__, place.getRect(), widget.isEnabled(), words_of(widget))
        for widget in window.findChildren(QWidget)
        if widget.isVisible()
        and not isinstance(widget, MeshStatus | FocusRing)
        and not any(part.isAncestorOf(widget) for part in passing)
        and (place := widget.rect().translated(widget.mapTo(window, QPoint()))).isValid()
        and whole.intersects(place)
    )


def words_of(widget: QWidget) -> str:
    """What is written on a widget."""
    return widget.text() if isinstance(widget, QAbstractButton | QLabel | QLineEdit) else ""


def state_of(window: MainWindow) -> State:
    """What tells a window that was used from a new one; of each of its parts all that is no object."""
    focused = window.focusWidget()
    window.commands.refresh_marks()
    actions = [window.commands.action(command.id) for command in window.commands]
    state: State = {
        "scenarios": [(tab.title, tab.path, tab.modified) for tab in window.scenarios.states],
        "place": (window.time_cursor.position, window.time_cursor.time),
        "selection": window.selection.state,
        "marks": (window.driving.breakpoints.all, window.driving.bookmarks.all),
        "mesh": (window.mesh.camera_data(), window.mesh.flat),
        "panels": window.panels.save(),
        "sizes": deepcopy(window.panels.sizes._wishes),
        "limits": [min(dock.maximumHeight(), UNLIMITED) for dock in window.panels.docks.values()],
        "window": (window.size(), window.windowState()),
        "theme": (window.themes.mode, window.themes.high_contrast, window.themes.scale),
        "settings": {key: window.settings.value(key) for key in window.settings.allKeys()},
        "files": window.recent.paths(),
        "commands": [(action.text(), action.isEnabled(), action.isChecked()) for action in actions],
        "focus": None if focused is None else (type(focused).__name__, focused.accessibleName()),
        "timers": sum(timer.isActive() for timer in window.findChildren(QTimer)),
        "lesson": window.lessons.session.lesson,
        "exercises": "session" in window.exercises.__dict__,
        "others": [type(one).__name__ for one in QApplication.topLevelWidgets() if one.isVisible()],
        "seen": seen_in(window),
    }
    for name, part in vars(window).items():
        passing = name in OF_NO_EFFECT or isinstance(getattr(MainWindow, name, None), cached_property)
        if type(part).__module__.startswith("meshgui.") and not passing:
            kept = getattr(part, "__dict__", {}).items()
            plain = {key: value for key, value in kept if isinstance(value, PLAIN)}
            state |= {f"{name}.{key}": value for key, value in plain.items() if key not in OF_NO_EFFECT}
    return state


def rest(window: MainWindow) -> None:
    """Stop all that goes on in a window, and close what it has opened."""
    window.player.pause()
    window.runs.end()
    window.search.end()
    WorkThread.end_all()
    window.presenter.leave()
    window.studies.ask_nothing()
    window.studies.close()
    drop_windows(window)
    for widget in QApplication.topLevelWidgets():
        if widget is not window and belongs_to(widget, [window]) and not isinstance(widget, QDockWidget):
            widget.close()
    for card in window.findChildren(OverlayCard):
        card.dismiss()


def drop_windows(window: MainWindow) -> None:
    """Have the windows of studies and help made again when they are asked for."""
    if "window" in window.help_pages.__dict__:
        window.time_cursor.changed.disconnect(window.help_pages._follow_strategy)
    for owner, names in (
        (window.studies, ("experiment", "comparison", "gallery")),
        (window.help_pages, ("window", "manual")),
    ):
        for name in names:
            if (one := owner.__dict__.pop(name, None)) is not None:
                one.deleteLater()


def close_scenarios(window: MainWindow) -> None:
    """Leave the welcome page, without a question."""
    with patch.object(window.files, "may_leave", lambda: True):
        while window.document.scenario is not None or len(window.scenarios) > 1:
            window.scenarios.close(0)


def put_back(window: MainWindow, size: QSize) -> None:
    """Undo what was done to a window, but for its scenario."""
    window.mesh.drawing.leave()
    if window.mesh.flat:
        window.mesh.toggle_flat()
    if window.welcome.isVisible():
        window.show_welcome()
    window.player.step_by(Granularity.EVENT)
    window.time_cursor.next_event()  # so that the sentence is that of the beginning
    window.time_cursor.first()
    window.selection.clear()
    window.driving.breakpoints.replace(())
    window.driving.bookmarks.replace(())
    window.edits._following = False
    window.settings.clear()
    window.recent.clear()
    window.themes.set_mode("light")
    window.themes.set_high_contrast(False)
    window.themes.set_scale(1.0)
    while window.notice.text:
        window.notice.dismiss()
    if window.size() != size:
        window.showNormal()
        window.resize(size)
    window.panels.reset()
    window.panels.wish_for_notes(104.0)
    window.mesh.show_from("home")
    if (focused := window.focusWidget()) is not None:
        focused.clearFocus()
    window.queue.waiting.table.setFocus()  # as where the window is shown, with its welcome page


class SharedWindow:
    """Keeps a window from test to test: without a scenario, or on the example that was asked for last."""

    def __init__(self, make_folder: Callable[[], Path]) -> None:
        self.windows: list[MainWindow] = []  # none, or one
        self.differences: list[str] = []  # for which the last window was given up
        self._make_folder = make_folder
        self._states: dict[str, State] = {}
        self._example = ""
        self._recording: Recording | None = None
        self._size = QSize()

    def take(
        self, example: str, make: Callable[[Path], MainWindow], show: Callable[[MainWindow], object]
    ) -> MainWindow:
        """A window as if it were new, on an example unless its name is empty."""
        if self._example not in {"", example}:
            self._close_example()
        if not self.windows:
            self.windows.append(make(self._make_folder()))
            self._example, self._size = "", self.windows[0].size()
            self._states = {"": self._settled()}
        [window] = self.windows
        if example != self._example:
            show(window)
            self._example, self._recording = example, window.time_cursor.recording
            self._states[example] = self._settled()
        return window

    def put_back(self) -> None:
        """Make the window as it was, or give it up."""
        for window in self.windows:
            if not window.isVisible():
                self.give_up()
            else:
                rest(window)
                if not (self._untouched and self._is_restored()):
                    self._close_example()

    def give_up(self) -> None:
        """Close the window: the next test gets a new one."""
        for window in self.windows:
            window.closing.close()
            window.deleteLater()
            WorkThread.end_all()
            delete_now()
            window.themes.application.setStyleSheet("")
            window.themes.deleteLater()
        self.windows.clear()
        self._example = ""

    @property
    def _untouched(self) -> bool:
        """Whether the example is there alone, with its first run."""
        [window] = self.windows
        return window.time_cursor.recording is self._recording and window.scenarios.states == [
            window.document.state
        ]

    def _close_example(self) -> None:
        close_scenarios(self.windows[0])
        self._example, self._recording = "", None
        if not self._is_restored():
            self.give_up()

    def _settled(self) -> State:
        """The state of a new window, or of one that has just opened an example."""
        put_back(self.windows[0], self._size)
        for _ in range(TURNS):
            QApplication.processEvents()
        return state_of(self.windows[0])

    def _is_restored(self) -> bool:
        """Undo what was done; whether nothing tells the window from a new one now."""
        [window], wanted = self.windows, self._states[self._example]
        if (found := state_of(window)) == wanted:
            return True
        put_back(window, self._size)
        for _ in range(TURNS):
            QApplication.processEvents()
            for bar in window.findChildren(QScrollBar):
                bar.setValue(bar.minimum())
            if window.crowding._room != self._size:  # it heeds no size while letters change
                window.resize(self._size - QSize(1, 0))
                window.resize(self._size)
            before, found = found, state_of(window)
            if found == wanted:
                return True
            if found == before:
                break
        self.differences = [
            key for key in found | wanted if found.get(key, "no value") != wanted.get(key, "no value")
        ]
        return False
