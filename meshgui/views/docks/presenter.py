"""Presenter mode: mesh, algorithm or network, and the sentence fill the screen, in large letters."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer

from meshgui.engine.basics.translation import tr
from meshgui.views.docks.black_screen import BlackScreen
from meshgui.views.docks.host import HostWindow
from meshgui.views.docks.panel_docks import PanelDocks
from meshgui.views.style.screens import screen_of
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.kept_place import WindowPlace

_DESIGN_HEIGHT: Final = 720  # a screen of this height shows the mode at 100 %
_LEAST_HEIGHT: Final = 640  # the design's pixels: in less, the mesh has no room above the time
_PATIENCE: Final = 250  # milliseconds until the window is painted, in any size
_LATE: Final = 3000  # milliseconds in which a slow window manager may still give it its size


class _Desk(NamedTuple):
    """What the window was like before."""

    state: Qt.WindowState
    place: QRect
    kept: WindowPlace


class Presenter(QObject):
    """Enters and leaves presenter mode; leaving it brings back every size and place."""

    def __init__(self, window: HostWindow, panels: PanelDocks) -> None:
        super().__init__(window)
        self._window, self._panels = window, panels
        self._desk: _Desk | None = None
        self._arrange: Callable[[], object] | None = None  # once the window has its new size
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE)
        self._patience.timeout.connect(self._arrive)
        self._lateness = QTimer(self, singleShot=True, interval=_LATE)
        self._lateness.timeout.connect(self._give_up)
        self._goal = QSize()  # the size that the window is to have
        self.black_screen = BlackScreen(window)
        window.installEventFilter(self)
        window.context.themes.changed.connect(self._follow_letters)

    def commands(self) -> list[Command]:
        """Presenter mode, and the black screen."""
        return commands_in(
            tr("Window"),
            Command(
                "window.presenter",
                tr("Presenter mode"),
                tr(
                    "Fill the screen in large type; again for mesh and code alone, "
                    "once more or Esc to go back"
                ),
                self.toggle,
                ("F5", "F11"),
                "presentation",
                mark=lambda: self.on,
                synonyms=tr("lecture presentation full screen projector large"),
                by_key=self.advance,
            ),
            Command(
                "window.black",
                tr("Black screen"),
                tr("Show nothing but black until the next key or click"),
                self.black_screen.toggle,
                ("B", "."),
                "square",
                synonyms=tr("blank pause projector"),
            ),
        )

    @property
    def on(self) -> bool:
        """Whether presenter mode is on."""
        return self._desk is not None

    @property
    def place(self) -> WindowPlace:
        """The window's place at the desk."""
        return WindowPlace.of(self._window) if self._desk is None else self._desk.kept

    def toggle(self) -> None:
        """Enter presenter mode, or leave it."""
        if not self.leave():
            self.enter()

    def advance(self) -> None:
        """Enter presenter mode; from there leave only mesh and code; from there go back to the desk."""
        if self.on and not self._panels.bare:
            self._let_go_of_keys()
            self._panels.lecture.fold()
        else:
            self.toggle()

    def enter(self) -> None:
        """Fill the screen."""
        window, height = self._window, self.screen_size().height()
        low = self._has_little_height()
        self._finish()
        window.context.messages.notice.put_off()  # they would lie over the mesh
        self._desk = _Desk(window.windowState(), window.geometry(), WindowPlace.of(window))
        window.setUpdatesEnabled(False)  # painted once, when all is in place
        self._let_go_of_keys()
        self._panels.lecture.begin(low=low)
        self._panels.text_enlarged.emit(min(max(round(100 * height / _DESIGN_HEIGHT), 80), 300))
        self._await(self.screen_size(), self._panels.lecture.fit)
        window.setWindowState(window.windowState() | Qt.WindowState.WindowFullScreen)

    def _has_little_height(self) -> bool:
        """Whether the screen is low for the letters."""
        return self.screen_size().height() < self._window.context.themes.px(_LEAST_HEIGHT)

    def _follow_letters(self) -> None:
        """Have the time below the mesh where the letters leave room for it."""
        lecture, low = self._panels.lecture, self._has_little_height()
        if self.on and not self._panels.bare and low != lecture.without_time:
            lecture.begin(low=low)
            lecture.fit()

    def leave(self) -> bool:
        """Go back to the desk; whether presenter mode was on."""
        if self._desk is None:
            return False
        window, desk = self._window, self._desk
        self._finish()
        self._desk = None
        window.setUpdatesEnabled(False)
        self._let_go_of_keys()
        window.context.messages.notice.bring_back()
        self._panels.text_enlarged.emit(None)
        size = desk.place.size()
        self._await(size, partial(self._panels.lecture.end, self._panels.lecture.leave(), size))
        window.setWindowState(desk.state)
        if not desk.state & Qt.WindowState.WindowMaximized:
            window.setGeometry(desk.place)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Arrange the panels as soon as the window has its new size."""
        if event.type() == QEvent.Type.Resize and self._arrange is not None and self._in_place():
            self._arrive()
        return super().eventFilter(watched, event)

    def _let_go_of_keys(self) -> None:
        """Have the focus nowhere: from what is hidden Qt hands it on as if by Tab, with a frame."""
        if (had := self._window.focusWidget()) is not None:
            had.clearFocus()

    def screen_size(self) -> QSize:
        """The size of the screen that the window is on."""
        return screen_of(self._window).size()

    def _in_place(self) -> bool:
        """Whether the window has the size and the state it is to have."""
        return self._window.size() == self._goal and (self.on or not self._window.isFullScreen())

    def _await(self, goal: QSize, arrange: Callable[[], object]) -> None:
        self._goal, self._arrange = goal, arrange
        self._patience.start()
        self._lateness.start()

    def _arrive(self) -> None:
        """Arrange the panels, and paint; once more if the window has its size only later."""
        arrange = self._arrange
        self._patience.stop()
        if self._in_place():
            self._give_up()
        if arrange is not None:
            arrange()
        self._window.setUpdatesEnabled(True)

    def _give_up(self) -> None:
        """Wait for the size no longer."""
        self._arrange = None
        self._lateness.stop()

    def _finish(self) -> None:
        """End a change of mode that still waits for its size."""
        if self._patience.isActive():
            self._arrive()
        self._give_up()
