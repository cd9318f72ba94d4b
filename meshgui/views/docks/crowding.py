"""Folds panels away in a small window, and where letters are so large that it would outgrow its place."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, QTimer

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import within
from meshgui.views.docks.host import HostWindow
from meshgui.views.style.screens import screen_of
from meshgui.views.widgets.soon import soon

_WIDE_ENOUGH = 600  # for the mesh and one panel
_LARGE_ENOUGH = QSize(1000, 640)  # for all panels: in less, each is a slice
_TRIES, _BETWEEN = 5, 20  # milliseconds


class Crowding(QObject):
    """Keeps the window as large as it was when the text grows, and brings the panels back when they fit."""

    def __init__(self, host: HostWindow) -> None:
        super().__init__(host)
        self._window, self._panels = host, host.panels
        self._themes, self._say = host.context.themes, host.context.messages.say
        window, themes = host, self._themes
        self._scale = themes.scale
        self._room = window.size()  # before the text grew, and on the screen
        self._needed = (
            QSize()
        )  # by the panels at a size of text of 100 %, while they are folded for lack of room
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._settle)
        self._coming = False  # whether panels come back for which the window may have no room
        window.installEventFilter(self)
        themes.changed.connect(self._follow)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Note what room there is, as long as the text keeps its size."""
        if event.type() == QEvent.Type.Show:
            self._soon.start()
        elif event.type() == QEvent.Type.Resize and self._themes.scale == self._scale:
            size = self._window.size()
            fits = self._themes.scale <= 1 or size == size.boundedTo(self._screen())
            if fits and not self._coming:
                self._room = size
            # A panel that opens at large letters makes the window outgrow the screen by itself.
            small = size.expandedTo(_LARGE_ENOUGH) != size
            if small or not fits or not self._needed.isEmpty():
                self._soon.start()
        return super().eventFilter(watched, event)

    def _screen(self) -> QSize:
        """The room for the window inside its frame."""
        frame = self._window.frameGeometry().size() - self._window.size()
        return screen_of(self._window).availableSize() - frame

    def _follow(self) -> None:
        if self._themes.scale != self._scale and self._panels.sizes.active:
            self._soon.start()  # once everything has its new size

    def expect_panels(self) -> None:
        """See whether the window has room for panels that come back, from behind a page or all at once."""
        self._coming = True
        self._soon.start()

    @property
    def lacks_room(self) -> bool:
        """Whether panels are folded away because the window has no room for them."""
        return not self._needed.isEmpty()

    def _settle(self) -> None:
        """Fold the panels, or all but one, if the window has outgrown its room; unfold them if they fit."""
        window, panels = self._window, self._panels
        grown = self._themes.scale > self._scale
        self._scale, self._coming = self._themes.scale, False
        # presenter mode arranges the panels itself, and a page has none beside it
        if not panels.sizes.active or panels.covered or not window.isVisible():
            return
        room = self._room.boundedTo(self._screen())
        keep_one = room.width() >= self._themes.px(_WIDE_ENOUGH)
        if grown and panels.folded and not self._needed.isEmpty() and not keep_one:
            panels.toggle_fold()  # what stayed goes, too
        least = window.minimumSizeHint().expandedTo(_LARGE_ENOUGH)
        if panels.folded or (least.width() <= room.width() and least.height() <= room.height()):
            self._unfold()
            return
        self._needed = least / self._scale
        if kept := panels.fold(keep_one=keep_one):
            words = tr("Only the {panel} panel stays: there is no room for the others.")
            self._say(words.format(panel=within(panels.docks[kept].windowTitle())))
        else:
            self._say(tr("The panels are folded away: there is no room for them."))
        self._return_to(room)

    def _unfold(self) -> None:
        """Bring the panels back if they were folded for lack of room and have it again."""
        needed = self._needed * self._scale
        if (
            self._needed.isEmpty()
            or needed.width() > self._room.width()
            or needed.height() > self._room.height()
        ):
            return
        self._needed = QSize()
        if self._panels.folded and not self._panels.covered:
            room = QSize(self._room)
            self._panels.toggle_fold()
            soon(self, partial(self._return_to, room))

    def _return_to(self, room: QSize, tries: int = _TRIES) -> None:
        """Make the window as large as it was, once its layout knows that it can be.

        Where panels come back, Qt first gives each a title, also those that share a place.
        """
        self._panels.retitle()
        layout = self._window.layout()
        if layout is not None:
            layout.activate()
        self._window.resize(room)
        self._panels.sizes.fit()
        if tries and self._window.size() != room:
            soon(self, partial(self._return_to, room, tries - 1), _BETWEEN)
