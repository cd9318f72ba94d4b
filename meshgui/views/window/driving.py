"""Breakpoints, bookmarks and going to places, for one window."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from meshgui.engine.basics.sentences import Sentence, compose
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.model.bookmarks import Bookmarks, settled
from meshgui.model.breakpoints import BREAK_KINDS, BreakKind, Breakpoint, Breakpoints, Stop
from meshgui.model.cursor import Cursor
from meshgui.model.instant import Instant
from meshgui.model.narration import narrate_packet
from meshgui.model.player import Player
from meshgui.model.selection import Selection
from meshgui.model.stop_search import SearchPaused, causes_of, next_stop
from meshgui.views.commands.bookmark_card import BookmarkCard
from meshgui.views.commands.place_card import PlaceCard
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.command import Command, commands_in

__all__ = ["Driving"]

_FAILURE = Breakpoint(BreakKind.FAILURE)
_SLICE = 0.08  # seconds of a search between which the window answers


class Driving(QObject):
    """What stops the cursor of a window, and the named places it can go to."""

    told = Signal(object)  # a sentence: why the run stopped, or that nothing does

    def __init__(self, cursor: Cursor, selection: Selection, themes: ThemeManager, window: QWidget) -> None:
        super().__init__(window)
        self._cursor, self._selection, self._themes, self._window = cursor, selection, themes, window
        self.breakpoints, self.bookmarks = Breakpoints(), Bookmarks()
        self._search: tuple[Instant, Instant] | None = None  # where a long search began, and how far it is
        self._slice = QTimer(self)
        self._slice.setSingleShot(True)
        self._slice.timeout.connect(self._search_on)
        cursor.find_stop = self._find_stop
        cursor.stopped.connect(self._tell)

    @cached_property
    def place_card(self) -> PlaceCard:
        """The card to type a place into, created at first use."""
        return PlaceCard(self._window, self._cursor, self._selection, self._themes)

    @cached_property
    def bookmark_card(self) -> BookmarkCard:
        """The card to type the name of a bookmark into, created at first use."""
        return BookmarkCard(self._window, self.bookmarks, self._themes)

    def commands(self, player: Player, show_panel: Callable[[], object]) -> list[Command]:
        """Going on to stops and places."""
        return commands_in(
            tr("Time"),
            (
                "stop.continue",
                tr("Go on to the next breakpoint"),
                tr("Run on at once to where the next breakpoint stops"),
                lambda: self.run_to_stop(player),
                ("F8",),
                "circle-dot",
            ),
            (
                "stop.failure",
                tr("Next failure"),
                tr("Go on to the next attempt that fails, to the step that settles it"),
                self._next_failure,
                ("Shift+F8",),
                "triangle-alert",
            ),
            (
                "stop.list",
                tr("Breakpoints and bookmarks"),
                tr("Set, list and remove breakpoints on what happens, and name moments"),
                show_panel,
                ("Ctrl+B",),
                "list",
            ),
            (
                "time.go-to",
                tr("Go to a time, job or cycle…"),
                tr("Type a time, job 17, cycle 300 or event 40"),
                lambda: self.place_card.toggle(),  # noqa: PLW0108 - made when first used
                ("Ctrl+G",),
                "search",
            ),
            (
                "bookmark.add",
                tr("Bookmark this moment"),
                tr("Give this moment a name on the timeline; it is saved with the scenario"),
                self._bookmark,
                ("Ctrl+D",),
                "bookmark",
            ),
            (
                "bookmark.next",
                tr("Next bookmark"),
                tr("Go to the next named moment, after the last to the first"),
                self._next_bookmark,
                ("J",),
                "bookmark",
            ),
            synonyms={"stop.list": " ".join(rule.title for rule in BREAK_KINDS.values())},
        )

    def _find_stop(self, recording: Recording, after: Instant, until: Instant | None) -> Stop | None:
        """The next stop; a move looks for a line of code for a while only."""
        if until is None:
            return next_stop(recording, self.breakpoints.enabled, after, patience=_SLICE)
        try:
            return next_stop(recording, self.breakpoints.enabled, after, until)
        except SearchPaused:
            return None

    def run_to_stop(self, player: Player) -> None:
        """Go on to the next stop; a long search for a line of code goes on until the cursor is moved."""
        try:
            self._tell_found(found=player.run_to_stop())
        except SearchPaused as pause:
            self._pause_at(self._cursor.instant, pause.searched)

    def _pause_at(self, begun: Instant, searched: Instant) -> None:
        self._search = begun, searched
        self.told.emit(
            tr("Searching for the line of code, at t {time:.2f}. A step ends the search.").format(
                time=searched.time
            )
        )
        self._slice.start()

    def _search_on(self) -> None:
        """Search for as long as the window can wait, and then again, unless the cursor was moved."""
        recording, search = self._cursor.recording, self._search
        self._search = None
        if recording is None or search is None or self._cursor.instant != search[0]:
            return
        try:
            stop = next_stop(recording, self.breakpoints.enabled, search[1], patience=_SLICE)
        except SearchPaused as pause:
            self._pause_at(search[0], pause.searched)
            return
        if stop is not None:
            self._cursor.stop_at(stop)
        self._tell_found(found=stop is not None)

    def _tell_found(self, *, found: bool) -> None:
        if not found:
            set_any = bool(self.breakpoints.enabled)
            self.told.emit(
                tr("No breakpoint stops the run after this.") if set_any else tr("No breakpoint is set.")
            )

    def _next_failure(self) -> None:
        recording = self._cursor.recording
        stop = next_stop(recording, [_FAILURE], self._cursor.instant) if recording is not None else None
        if stop is None:
            self.told.emit(tr("No attempt fails after this."))
        else:
            self._cursor.go_to_instant(stop.instant)

    def _bookmark(self) -> None:
        if self._cursor.recording is not None:
            self.bookmark_card.ask_about(self.bookmarks.add(self._cursor.instant))

    def _next_bookmark(self) -> None:
        recording = self._cursor.recording
        bookmark = self.bookmarks.next_after(self._cursor.instant)
        if bookmark is None or recording is None:
            self.told.emit(tr("No moment has a bookmark yet."))
        else:
            self._cursor.go_to_instant(settled(bookmark.instant, recording))

    def _tell(self, stop: Stop) -> None:
        view = self._cursor.view
        if view is None:
            return
        # Between events the last one may be about others than who has waited for so long.
        met, said = stop.breakpoint, view.sentence
        for cause in causes_of(view.recording, stop)[:1].tolist():
            if met.kind == BreakKind.PACKET and view.network_now is not None:
                said = narrate_packet(*view.network_now, cause)
            else:
                met = met._replace(job=cause)
        words = met.describe(view.recording)
        what = f"{words[0].lower()}{words[1:]}"
        self.told.emit(compose(tr("Stopped: {what}. {said}"), {"what": what, "said": Sentence(said)}))
