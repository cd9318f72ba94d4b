"""Folds panels away in a small window, and where letters are so large that it would outgrow its place."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, QTimer

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import within
from meshgui.views.docks.host import HostWindow
from meshgui.views.docks.perspectives import ROOMS
from meshgui.views.style.screens import screen_of
from meshgui.views.widgets.soon import soon

_TRIES, _BETWEEN = 5, 20  # milliseconds


class Crowding(QObject):
    """Keeps the window as large as it was when the text grows, and brings the panels back when they fit."""

    def __init__(self, host: HostWindow) -> None:
        super().__init__(host)
        self._window, self._panels = host, host.panels
        self._themes, self._messages = host.context.themes, host.context.messages
        self._said = ""  # of panels that there was no room for
        window, themes = host, self._themes
        self._room = window.size()  # as the user has it: what panels need may be more
        self._place = 0  # among the rooms that windows have for panels
        self._arranged = False  # whether panels were in sight that can be missed
        self._needed: dict[int, QSize] = {}  # at a text size of 100 %, where more than the window had
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._settle)
        window.installEventFilter(self)
        themes.changed.connect(self.expect_panels)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Note what room there is: not that which Qt gives the window, as its panels need it."""
        if event.type() == QEvent.Type.Resize and not self._has_outgrown():
            self._room = self._window.size()
        if event.type() in {QEvent.Type.Show, QEvent.Type.Resize}:
            self._soon.start()
        return super().eventFilter(watched, event)

    def _has_outgrown(self) -> bool:
        """Whether the window is larger than its room where its panels need that."""
        size, least, room = self._window.size(), self._window.minimumSize(), self._room
        wider = size.width() > room.width() and least.width() > room.width()
        return wider or (size.height() > room.height() and least.height() > room.height())

    def _screen(self) -> QSize:
        """The room for the window inside its frame."""
        frame = self._window.frameGeometry().size() - self._window.size()
        return screen_of(self._window).availableSize() - frame

    def expect_panels(self) -> None:
        """See whether the window has room for panels, once they have their sizes."""
        self._soon.start()

    def _settle(self) -> None:
        """Fold the panels that the window has no room for, and unfold those that it has room for again."""
        window, panels = self._window, self._panels
        # presenter mode arranges the panels itself, and a page, as the mesh alone, has none beside it
        if not panels.sizes.active or panels.folded or not window.isVisible():
            return
        room = self._room.boundedTo(self._screen())
        least = window.minimumSizeHint()
        if least != least.boundedTo(room):
            self._needed[self._place] = least / self._themes.scale
        before, self._place = self._place, self._place_in(room)
        arranged, self._arranged = self._arranged, True
        if before == self._place and panels.room.crowded == bool(self._place):
            return
        self._needed.pop(self._place, None)  # it is seen again once its panels are there
        folded = panels.room.make(ROOMS[self._place])
        if before != self._place:
            self._messages.unsay(self._said)
        if before < self._place and arranged and (said := self._what_folded(folded)):
            self._said = said
            self._messages.say(said)
        soon(self, self._return_to_room)

    def _place_in(self, room: QSize) -> int:
        """The first of the rooms that a window of this size has."""
        px = self._themes.px
        for place, each in enumerate(ROOMS):
            least = QSize(px(each.width), px(each.height))
            least = least.expandedTo(self._needed.get(place, QSize()) * self._themes.scale)
            if least == least.boundedTo(room):
                return place
        return len(ROOMS) - 1

    def _what_folded(self, folded: list[str]) -> str:
        """The sentence on panels that have no room now."""
        room, titles = ROOMS[self._place], [self._panels.docks[name].windowTitle() for name in folded]
        if room.areas and titles:
            return tr("Folded away, as there is no room: {panels}.").format(panels=tr(", ").join(titles))
        if kept := self._panels.looked_at():
            words = tr("Only the {panel} panel stays: there is no room for the others.")
            return words.format(panel=within(self._panels.docks[kept[0]].windowTitle()))
        return tr("The panels are folded away: there is no room for them.") if titles else ""

    def _return_to_room(self, tries: int = _TRIES) -> None:
        """Make the window as large as it was, once its layout knows that it can be.

        Where panels come back, Qt first gives each a title, also those that share a place.
        """
        self._panels.retitle()
        layout = self._window.layout()
        if layout is not None:
            layout.activate()
        room = self._room.boundedTo(self._screen())
        self._window.resize(room)
        self._panels.sizes.fit()
        if tries and self._window.size() != room:
            soon(self, partial(self._return_to_room, tries - 1), _BETWEEN)
        else:
            self._soon.start()  # to see whether the panels fit
