"""The searches that moves of a cursor wait for, and what they have found."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, Final

from meshgui.engine.allocation.base import AttemptTrace, ReleaseTrace
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.model.moment.instant import Instant, InstantPhase
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.position import Position
from meshgui.model.stepping.bookmarks import counts_steps, settled
from meshgui.model.stepping.breakpoints import Breakpoint, Stop
from meshgui.model.stepping.search import Purpose, Search, Searcher
from meshgui.model.stepping.stop_search import NO_PATIENCE, PATIENCE, SearchPaused, next_stop

_KEPT: Final = 2  # searches of large meshes, each of which may have millions of steps


class UnsearchedError(Exception):
    """A move needs what is yet to be searched for."""

    def __init__(self, search: Search) -> None:
        super().__init__(search.words)
        self.search = search


def search_steps(recording: Recording, place: Position) -> View:
    """The view at the first step of an attempt or a release, with the steps found."""
    view = View(recording, place, 0.0)
    if view.trace is not None:  # what every view asks of all steps is looked up here, too
        for ask in (view.trace.steps.lines, view.with_whole_trees):
            ask()
        view.trace.steps.lines_passed, view.trace.steps.roles  # noqa: B018
    return view


def _step_search(recording: Recording, place: Position) -> Search:
    job = View(recording, place, 0.0).job
    words = tr("Searching the steps of job {job} …").format(job=job)
    return Search(recording, place, partial(search_steps, recording, place), words)


class MoveSearches:
    """Makes moves, each once all that it needs has been found.

    With a `searcher`, a move that needs what takes long to find, such as the steps of an attempt on a large
    mesh, begins a search, and is made when it is found. Any other move meanwhile drops it.
    """

    def __init__(self, searcher: Searcher | None) -> None:
        self._searcher = searcher
        self._recording: Recording | None = None  # of the run that is shown
        self._views: list[View] = []  # with the steps found; the latest last
        self._found: dict[Hashable, Any] = {}  # for the move that is to be made
        self._depth = 0  # of moves that make others

    def make(self, move: Callable[[], object]) -> None:
        """Make moves together; where they need what is not known yet, once it is found."""
        if self._depth:
            move()
            return
        self._depth += 1
        try:
            move()
        except UnsearchedError as unsearched:
            if self._searcher is None:
                raise
            search = unsearched.search
            self._searcher.begin(search, lambda found: self._arrive(search, found, move), Purpose.MOVE)
        else:
            self._found.clear()
            self.drop(Purpose.MOVE)
        finally:
            self._depth -= 1

    def _arrive(self, search: Search, found: object, move: Callable[[], object]) -> None:
        """Go on with a move for which something has been found, in the same run."""
        if search.recording.is_of_run(self._recording):
            self._found[search.key] = found
            if isinstance(found, View):
                self._views = [*self._views[1 - _KEPT :], found]
            self.make(move)

    def look_up(
        self,
        search: Search,
        arrived: Callable[[Any], object],
        purpose: Purpose,
        stopped: Callable[[], object] = lambda: None,
    ) -> bool:
        """Hand over what a search finds: at once, or if that may take long later; whether it was at once."""
        if self._searcher is None or not self._searcher.is_long(search.recording):
            arrived(search.find())
            return True
        self._searcher.begin(search, arrived, purpose, stopped)
        return False

    def drop(self, purpose: Purpose) -> None:
        """Drop the search for a purpose, if there is one."""
        if self._searcher is not None:
            self._searcher.cancel(purpose)

    def take_run(self, recording: Recording | None) -> None:
        """Take the run that is shown; searches in another one are dropped, with what they found."""
        if recording is None or not recording.is_of_run(self._recording):
            for purpose in Purpose:
                self.drop(purpose)
            self._views.clear()
            self._found.clear()
        self._recording = recording

    def view_at(self, position: Position, shown: View) -> View:
        """A view in an attempt or a release; where its steps are not known, a search for them comes first."""
        if not self.searches_beside(shown.recording):
            return View(shown.recording, position, 0.0)
        known = self._known(position, shown)
        if known is None:
            known = self._searched_for(_step_search(shown.recording, position.first_step))
        return known

    def settled(self, kept: Instant, recording: Recording) -> Instant:
        """Where a kept place is in a recording; where that takes its steps, a search for them comes first."""
        if self.searches_beside(recording) and counts_steps(kept):
            words, find = tr("Searching for the step …"), partial(settled, kept, recording)
            found: Instant = self._searched_for(Search(recording, kept, find, words))
            return found
        return settled(kept, recording)

    def next_stop(
        self, shown: View, breakpoints: tuple[Breakpoint, ...], after: Instant, until: Instant | None
    ) -> Stop | None:
        """The next stop; one that takes long to find is searched for first."""
        recording = shown.recording
        if self._searcher is None:
            return next_stop(recording, breakpoints, after, until)
        key = (after, until, breakpoints)
        if key in self._found:
            stop: Stop | None = self._found[key]
            return stop
        patience = NO_PATIENCE if self._searcher.is_long(recording) else PATIENCE
        try:
            known = partial(self._known_trace, shown)
            return next_stop(recording, breakpoints, after, until, patience, known)
        except SearchPaused as pause:
            find = partial(next_stop, recording, breakpoints, pause.searched, until)
            search = Search(recording, key, find, tr("Searching for the next stop …"))
            raise UnsearchedError(search) from None

    def _searched_for(self, search: Search) -> Any:  # noqa: ANN401 - what the search finds
        """What a search finds, where the move at hand has waited for it."""
        if search.key not in self._found:
            raise UnsearchedError(search)
        return self._found[search.key]

    def _known(self, place: Position, shown: View) -> View | None:
        """The view of an attempt or release whose steps are known."""
        recording, place = shown.recording, place.first_step
        views = (view for view in (*self._views, shown) if recording.is_of_run(view.recording))
        return next((view for view in views if view.position.first_step == place), None)

    def _known_trace(self, shown: View, instant: Instant) -> AttemptTrace | ReleaseTrace | None:
        """The steps of an attempt or release on a large mesh, where they are known."""
        release = instant.phase == InstantPhase.RELEASE
        view = self._known(Position(instant.events, instant.inside, 0, release), shown)
        return None if view is None or "trace" not in vars(view) else view.trace

    def waits_for_compiler(self, recording: Recording) -> bool:
        """Whether a strategy is not to be looked at yet: its run, which has not begun, has it compiled."""
        compiles = self._searcher is not None and self._searcher.may_compile()
        return compiles and not len(recording) and not recording.over

    def searches_beside(self, recording: Recording) -> bool:
        """Whether steps are searched for beside the window, as that may take long."""
        return self._searcher is not None and self._searcher.is_long(recording)
