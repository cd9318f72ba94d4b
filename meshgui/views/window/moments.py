"""Keeps what a window shows with its scenario, and shows it again when the scenario is opened."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario import ScenarioError
from meshgui.model.document.document import KEPT, DocumentState
from meshgui.model.document.moment_link import is_link, moment_link, read_link
from meshgui.model.document.window_moment import (
    WindowMoment,
    read_bookmarks,
    read_breakpoints,
    select_again,
    selection_data,
)
from meshgui.model.moment.clock_words import time_words
from meshgui.model.moment.instant import Instant
from meshgui.model.moment.position import Position
from meshgui.model.stepping.bookmarks import lacks_step
from meshgui.model.stepping.player import Player
from meshgui.views.docks.host import HostWindow
from meshgui.views.document.documents import Documents
from meshgui.views.mesh.panel import MeshView
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.notice import Topic


class MomentKeeper(QObject):
    """The moment of a window: written before its scenario is saved, and shown again once its run is there."""

    def __init__(self, host: HostWindow, documents: Documents, player: Player, mesh: MeshView) -> None:
        super().__init__(host)
        context = self._marked = host.context
        files, self._run = documents.files, documents.run
        self._files, self._document, self._panels = files, files.document, host.panels
        self._cursor, self._selection = context.cursor, context.selection
        self._mesh, self._player, self._messages = mesh, player, context.messages
        self._waiting: WeakKeyDictionary[DocumentState, WindowMoment] = WeakKeyDictionary()
        """Of each open scenario the moment whose time its run has not reached."""
        self._showing = False
        context.breakpoints.changed.connect(self._keep_marks)
        context.bookmarks.changed.connect(self._keep_marks)
        self._document.opened.connect(self._show_marks)
        files.saving.connect(self.keep)
        files.opened.connect(self._show)
        self._cursor.changed.connect(lambda _change: self._arrive())

    def commands(self) -> list[Command]:
        """Copying and opening links."""
        return commands_in(
            tr("File"),
            Command(
                "file.copy-link",
                tr("Copy a link to this moment"),
                tr("Copy a meshgui:// link that opens this scenario at this time, step and selection"),
                self.copy_link,
                ("Ctrl+Shift+L",),
                "link",
            ),
            Command(
                "file.open-link",
                tr("Open the link on the clipboard"),
                tr("Open the scenario and the moment that a copied meshgui:// link leads to"),
                self.open_copied_link,
                ("Ctrl+L",),
                "link",
            ),
        )

    def moment(self) -> WindowMoment:
        """What the window shows now."""
        return WindowMoment(
            self._cursor.instant if self._cursor.recording is not None else None,
            selection_data(self._selection),
            self._mesh.camera_data(),
            self._panels.unfolded,
            self._player.granularity,
        )

    def keep(self) -> None:
        """Write the moment into the document, to be saved."""
        self._document.keep({**self.moment().as_data(), **self._marks()})

    def copy_link(self) -> None:
        """Copy a link to the moment."""
        scenario = self._document.scenario
        if scenario is None:
            return
        try:
            view = {**self.moment().as_data(), **self._marks()}
            link = moment_link(scenario, self._document.path, view)
        except ScenarioError as error:
            self._fail(f"{error.message[0].upper()}{error.message[1:]}.")
            return
        QGuiApplication.clipboard().setText(link)
        self._messages.say(tr("The link to this moment is on the clipboard."))

    def open_copied_link(self) -> None:
        """Open the link on the clipboard."""
        text = QGuiApplication.clipboard().text()
        if is_link(text):
            self.open_link(text)
        else:
            self._fail(tr("There is no meshgui:// link on the clipboard."))

    def open_link(self, link: str) -> bool:
        """Open what a link leads to, unless there are changes to keep; whether it was opened."""
        try:
            linked = read_link(link)
        except ScenarioError as error:
            self._fail(str(error))
            return False
        if not self._files.may_leave():
            return False
        self._files.take(linked)
        return True

    def show(self, view: Mapping[str, Any]) -> None:
        """Show another moment of the open scenario, wherever the user has gone in it."""
        self._marked.breakpoints.replace(read_breakpoints(view.get("breakpoints")))
        self._selection.clear()
        self._waiting.pop(self._document.state, None)
        self._cursor.first()
        self._await(WindowMoment.from_data(view, self._panels.docks))

    def _fail(self, words: str) -> None:
        self._messages.tell(words, topic=Topic.MOMENT)

    # Breakpoints and bookmarks: at once, and with every change

    def _marks(self) -> dict[str, Any]:
        marked = self._marked
        marks: dict[str, list[dict[str, Any]]] = {
            "breakpoints": [breakpoint_.as_data() for breakpoint_ in marked.breakpoints.all],
            "bookmarks": [bookmark.as_data() for bookmark in marked.bookmarks.all],
        }
        return {key: rows for key, rows in marks.items() if rows}

    def _keep_marks(self) -> None:
        if not self._showing:
            others = {key: value for key, value in self._document.view.items() if key not in KEPT}
            self._document.keep(others | self._marks())

    def _show_marks(self) -> None:
        view, marked = self._document.view, self._marked
        self._showing = True
        marked.breakpoints.replace(read_breakpoints(view.get("breakpoints")))
        marked.bookmarks.replace(read_bookmarks(view.get("bookmarks")))
        self._showing = False

    # The moment: once the run has come so far

    def _show(self) -> None:
        self._player.begin()
        if view := self._document.view:
            self._await(WindowMoment.from_data(view, self._panels.docks))
        else:
            self._waiting.pop(self._document.state, None)

    def _await(self, moment: WindowMoment) -> None:
        """Arrange the panels for a moment, and show it once the run is there."""
        self._waiting[self._document.state] = moment
        if moment.panels is not None and not self._panels.presenting:
            self._panels.show_again(moment.panels)
        for name in moment.front:
            self._panels.bring_forward(name)
        if moment.fault:
            self._messages.tell(moment.fault, topic=Topic.MOMENT, lasting=True)
        self._arrive()

    def _arrive(self) -> None:
        """Show the moment if the run has reached its time; drop it if the user has gone elsewhere."""
        state, cursor = self._document.state, self._cursor
        waiting = self._waiting.get(state)
        recording = cursor.recording
        if waiting is None or recording is None or recording.scenario is not self._document.scenario:
            return
        if cursor.position != Position(0) or cursor.time:
            del self._waiting[state]
            return
        instant = waiting.instant
        known = self._run.whole(recording).over
        if not known and (instant is None or not instant.is_reached(recording)):
            return
        del self._waiting[state]
        front = [name for name in self._panels.docks if self._panels.in_front(name)]
        self._mesh.show_camera(waiting.camera)
        select_again(self._selection, waiting.selection, recording)
        if instant is not None:
            cursor.go_to_kept(instant, partial(self._tell, instant))
        if waiting.granularity is not None:
            self._player.granularity = waiting.granularity
        for name in front:  # the step has brought the algorithm in front of another
            self._panels.bring_forward(name)

    def _tell(self, wanted: Instant, found: Instant) -> None:
        """Say so where a link leads to a step of an attempt that was not made."""
        if lacks_step(wanted, found):
            self._fail(
                tr("At time {time} no allocation is attempted, so there is no step {step}.").format(
                    time=time_words(wanted.time), step=wanted.step + 1
                )
            )
