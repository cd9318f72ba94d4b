"""Long searches are made beside the window, which continues when something is found."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

from meshgui.engine.runs.recording import Recording

_LONG = 1 << 14  # processors of a mesh on which no search takes a tenth of a second


class Purpose(Enum):
    """Who searches: of each one search at a time."""

    MOVE = "a move of the cursor"
    REASON = "why a job waits"


@dataclass(frozen=True)
class Search:
    """A search, and what is said meanwhile. Two of one run with the same key find the same."""

    recording: Recording
    key: Hashable
    find: Callable[[], Any]  # called in another thread; it says how far it is by `work.telling`
    words: str

    def finds_the_same(self, other: Search) -> bool:
        """Whether another search of a run, which may have grown since, can take this one's place."""
        return self.key == other.key and self.recording.is_of_run(other.recording)


class Searcher(Protocol):
    """Searches beside the window. It keeps one search for a purpose; another one takes its place."""

    may_compile: Callable[[], bool]
    """Whether what looks at a strategy may have to be compiled first, which takes seconds."""

    def is_long(self, recording: Recording) -> bool:
        """Whether a single search in a run may take long."""
        ...

    def begin(
        self,
        search: Search,
        arrived: Callable[[Any], object],
        purpose: Purpose,
        stopped: Callable[[], object] = lambda: None,
    ) -> None:
        """Search, and hand over what is found; one for the same that is in progress continues.

        `stopped` is called where the user stops it.
        """
        ...

    def cancel(self, purpose: Purpose) -> None:
        """Drop the search, if there is one."""
        ...


def is_long(recording: Recording) -> bool:
    """Whether a single search in a run takes long once all that it calls is compiled."""
    return recording.mesh.processors > _LONG
