"""Breakpoints, bookmarks and going to places, for one window."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from meshgui.engine.basics.sentences import Sentence, compose
from meshgui.engine.basics.translation import tr
from meshgui.model.moment.narration import narrate_packet
from meshgui.model.stepping.bookmarks import Bookmarks
from meshgui.model.stepping.breakpoints import BREAK_KINDS, BreakKind, Breakpoint, Breakpoints, Stop
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.player import Player
from meshgui.model.stepping.selection import Selection
from meshgui.model.stepping.stop_search import causes_of
from meshgui.views.commands.bookmark_card import BookmarkCard
from meshgui.views.commands.place_card import PlaceCard
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.command import Command, commands_in

_FAILURE = Breakpoint(BreakKind.FAILURE)


class Driving(QObject):
    """What stops the cursor of a window, and the named places it can go to."""

    told = Signal(object)  # a sentence: why the run stopped, or that nothing does

    def __init__(self, cursor: Cursor, selection: Selection, themes: ThemeManager, window: QWidget) -> None:
        super().__init__(window)
        self._cursor, self._selection, self._themes, self._window = cursor, selection, themes, window
        self.breakpoints, self.bookmarks = Breakpoints(), Bookmarks()
        cursor.breakpoints = lambda: self.breakpoints.enabled
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
                tr("Continue to the next breakpoint"),
                tr("Jump to where the next breakpoint stops the run"),
                lambda: self.run_to_stop(player),
                ("F8",),
                "circle-dot",
            ),
            (
                "stop.failure",
                tr("Next failure"),
                tr("Go to the next attempt that fails, at the step that decides it"),
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
                tr("Go to the next named moment; after the last one, to the first"),
                self._next_bookmark,
                ("J",),
                "bookmark",
            ),
            synonyms={"stop.list": " ".join(rule.title for rule in BREAK_KINDS.values())},
        )

    def run_to_stop(self, player: Player) -> None:
        """Go on to the next stop."""
        self._cursor.move(lambda: self._tell_found(found=player.run_to_stop()))

    def _tell_found(self, *, found: bool) -> None:
        if not found:
            set_any = bool(self.breakpoints.enabled)
            self.told.emit(
                tr("No breakpoint stops the run after this.") if set_any else tr("No breakpoint is set.")
            )

    def _next_failure(self) -> None:
        self._cursor.move(self._go_to_failure)

    def _go_to_failure(self) -> None:
        stop = self._cursor.next_stop([_FAILURE], self._cursor.instant)
        if stop is None:
            self.told.emit(tr("No attempt fails after this."))
        else:
            self._cursor.go_to_instant(stop.instant)

    def _bookmark(self) -> None:
        if self._cursor.recording is not None:
            self.bookmark_card.ask_about(self.bookmarks.add(self._cursor.instant))

    def _next_bookmark(self) -> None:
        bookmark = self.bookmarks.next_after(self._cursor.instant)
        if bookmark is None or self._cursor.recording is None:
            self.told.emit(tr("No moment has a bookmark yet."))
        else:
            self._cursor.go_to_kept(bookmark.instant)

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
