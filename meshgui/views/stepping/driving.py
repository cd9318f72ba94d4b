"""Breakpoints, bookmarks and going to places, for one window."""

from __future__ import annotations

from functools import cached_property

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QToolTip

from meshgui.engine.basics.sentences import Sentence, compose
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import within
from meshgui.model.moment.narration import narrate_packet
from meshgui.model.stepping.breakpoints import BREAK_KINDS, BreakKind, Breakpoint, Stop
from meshgui.model.stepping.cursor import CursorChange
from meshgui.model.stepping.place_words import PLACE_HINT
from meshgui.model.stepping.player import Player
from meshgui.model.stepping.stop_search import causes_of
from meshgui.views.docks.host import HostWindow
from meshgui.views.stepping.bookmark_card import BookmarkCard
from meshgui.views.stepping.place_card import PlaceCard
from meshgui.views.stepping.time_commands import time_commands
from meshgui.views.widgets.command import Command, commands_in

_FAILURE = Breakpoint(BreakKind.FAILURE)


class Driving(QObject):
    """What plays and stops the cursor of a window, and the named places it can go to."""

    def __init__(self, host: HostWindow) -> None:
        super().__init__(host)
        self._host, context = host, host.context
        self._cursor, self._selection, self._themes = context.views
        self._say = context.messages.say
        self.breakpoints, self.bookmarks = context.breakpoints, context.bookmarks
        self.player = Player(self._cursor, self._selection)
        self._cursor.breakpoints = lambda: self.breakpoints.enabled
        self._cursor.stopped.connect(self._tell)
        self._cursor.changed.connect(_hide_tip)

    @cached_property
    def place_card(self) -> PlaceCard:
        """The card to type a place into, created at first use."""
        return PlaceCard(self._host, self._cursor, self._selection, self._themes)

    @cached_property
    def bookmark_card(self) -> BookmarkCard:
        """The card to type the name of a bookmark into, created at first use."""
        return BookmarkCard(self._host, self.bookmarks, self._themes)

    def commands(self) -> list[Command]:
        """Playing and stepping, and going on to stops and places."""
        moves = time_commands(self.player, self._host.context)
        return moves + commands_in(
            tr("Time"),
            Command(
                "stop.continue",
                tr("Continue to the next breakpoint"),
                tr("Jump to where the next breakpoint stops the run"),
                self._run_to_stop,
                ("F8",),
                "circle-dot",
            ),
            Command(
                "stop.failure",
                tr("Next failure"),
                tr("Go to the next attempt that fails, at the step that decides it"),
                self._next_failure,
                ("Shift+F8",),
                "triangle-alert",
            ),
            Command(
                "stop.list",
                tr("Breakpoints and bookmarks"),
                tr("Set, list and remove breakpoints on what happens, and name moments"),
                lambda: self._host.panels.toggle("stops"),
                ("Ctrl+B",),
                "list",
                synonyms=" ".join(rule.title for rule in BREAK_KINDS.values()),
            ),
            Command(
                "time.go-to",
                tr("Go to a time, job or cycle…"),
                tr("Type where to go, such as {examples}").format(examples=PLACE_HINT),
                lambda: self.place_card.toggle(),  # noqa: PLW0108 - made when first used
                ("Ctrl+G",),
                "search",
            ),
            Command(
                "bookmark.add",
                tr("Bookmark this moment"),
                tr("Give this moment a name on the timeline; it is saved with the scenario"),
                self._bookmark,
                ("Ctrl+D",),
                "bookmark",
            ),
            Command(
                "bookmark.next",
                tr("Next bookmark"),
                tr("Go to the next named moment; after the last one, to the first"),
                self._next_bookmark,
                ("J",),
                "bookmark",
            ),
        )

    def _run_to_stop(self) -> None:
        self._cursor.move(lambda: self._tell_found(found=self.player.run_to_stop()))

    def _tell_found(self, *, found: bool) -> None:
        if not found:
            set_any = bool(self.breakpoints.enabled)
            self._say(
                tr("No breakpoint stops the run after this.") if set_any else tr("No breakpoint is set.")
            )

    def _next_failure(self) -> None:
        self._cursor.move(self._go_to_failure)

    def _go_to_failure(self) -> None:
        stop = self._cursor.next_stop([_FAILURE], self._cursor.instant)
        if stop is None:
            self._say(tr("No attempt fails after this."))
        else:
            self._cursor.go_to_instant(stop.instant)

    def _bookmark(self) -> None:
        if self._cursor.recording is not None:
            self.bookmark_card.ask_about(self.bookmarks.add(self._cursor.instant))

    def _next_bookmark(self) -> None:
        bookmark = self.bookmarks.next_after(self._cursor.instant)
        if bookmark is None or self._cursor.recording is None:
            self._say(tr("No moment has a bookmark yet."))
        else:
            self._cursor.go_to_kept(bookmark.instant)

    def _tell(self, stop: Stop) -> None:
        view = self._cursor.view
        if view is None:
            return
        # Between events the last one may be about others than who has waited for so long.
        met, said = stop.breakpoint, view.sentence
        for cause in causes_of(view.recording, stop)[:1].tolist():
            if met.kind == BreakKind.DEADLOCK:
                break  # the sentence names them all
            if BREAK_KINDS[met.kind].network and view.network_now is not None:
                said = narrate_packet(*view.network_now, cause)
            else:
                met = met._replace(job=cause)
        what = within(met.describe(view.recording))
        self._say(compose(tr("Stopped: {what}. {said}"), {"what": what, "said": Sentence(said)}))


def _hide_tip(change: CursorChange) -> None:
    """Hide a tooltip, which would cover what is stepped; one that is read stays while a run grows."""
    if change is not CursorChange.GREW:
        QToolTip.hideText()
