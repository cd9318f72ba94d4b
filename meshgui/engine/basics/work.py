"""Lets long work say how far it is, and be stopped: by another thread, by a signal or at a deadline.

Whose work it is makes a `Work`, which what takes long has under way. That looks now and then between pieces
of it: a look reaches the work at hand and all work around it, each of which may be heard, and may end it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple

from meshgui.engine.basics.kernel_counts import counts

if TYPE_CHECKING:
    from meshgui.engine.basics.call_thread import CallThread


PIECE: Final = 1 << 15
"""Numbers that are worked on between two looks: some hundredths of a second in plain Python."""

_UNTIL_ENDED: Final = 0.1  # seconds that a call beside the work is waited for that is to end


class Stopped(Exception):  # noqa: N818 - it is not an error that work is stopped
    """Work has ended because it is no longer wanted."""


class RunError(Exception):
    """Why a run cannot be made or cannot go on, in one line."""


class Progress(NamedTuple):
    """How far some work is."""

    done: float = 0
    of: float = 0  # 0 where that is not known
    words: str = ""  # the name of the file that is read, or how far it is where that is no number
    compiling: bool = False  # whether kernels have been compiled since it last changed

    @property
    def share(self) -> float | None:
        """Of the work that is done."""
        return min(self.done / self.of, 1.0) if self.of else None


def _hear_nothing(_progress: Progress) -> None:
    """Hear nothing."""


class Work:
    """Some work: who follows it hears how far it is, at most once in some seconds, and may stop it."""

    def __init__(
        self, hear: Callable[[Progress], object] = _hear_nothing, *, between: float = 0.0, until: float = inf
    ) -> None:
        self.progress = Progress()  # as it was last heard
        self.stopped = False
        self.helper: CallThread | None = None  # for calls beside it, once there was one
        self._hear, self._between, self._until = hear, between, until
        self._next = -inf
        self._far: Callable[[], Progress] = Progress
        self._around: Work | None = None
        self._compiled = counts.compiled

    def stop(self) -> None:
        """Have its next look end it; from any thread."""
        self.stopped = True

    @contextmanager
    def under_way(self, far: Callable[[], Progress] | None = None) -> Iterator[None]:
        """A block in which this thread does the work; looks ask `far` how far it is."""
        around, far_before = _current.get(), self._far
        self._far = far or far_before
        if around is self:
            try:
                yield
            finally:
                self._far = far_before
            return
        self._around = around
        before = _current.set(self)
        try:
            yield
        finally:
            _current.reset(before)
            self._far, self._around = far_before, None
            self.end_helper()

    def report(self, done: float, of: float, words: str = "") -> None:
        """Look, with so much of it done."""
        progress = Progress(done, of, words)
        self._far = lambda: progress
        self.look()

    def look(self) -> None:
        """Say how far it is, and raise Stopped, or what who hears of it raises, where it is not wanted."""
        if self._around is not None:
            self._around.look()
        now = monotonic()
        if now >= self._next and not self.stopped:
            self._next = inf  # who hears of it may have work of its own done
            try:
                self._note_progress(self._far())
                self._hear(self.progress)
            finally:
                self._next = monotonic() + self._between
        if self.stopped or now >= self._until:
            raise Stopped

    def _note_progress(self, progress: Progress) -> None:
        if progress != self.progress._replace(compiling=False) and self.progress != Progress():
            self._compiled = counts.compiled
        self.progress = progress._replace(compiling=counts.compiled > self._compiled)

    def end_helper(self) -> None:
        """End the thread beside it when its call is over; wait for that where it is over soon."""
        helper, self.helper = self.helper, None
        if helper is not None:
            helper.calls.put(None)
            helper.join(_UNTIL_ENDED)


_current: ContextVar[Work | None] = ContextVar("work", default=None)


def current() -> Work | None:
    """The innermost work that this thread has under way."""
    return _current.get()


def look() -> None:
    """Let this thread's work be heard, and ended."""
    if (work := _current.get()) is not None:
        work.look()


def report(done: float, of: float, words: str = "") -> None:
    """Let it be heard, and ended, with so much of it done."""
    if (work := _current.get()) is not None:
        work.report(done, of, words)


@contextmanager
def telling(far: Callable[[], Progress]) -> Iterator[None]:
    """A block in which looks ask how far this thread's work is; the innermost does."""
    work = _current.get()
    if work is None:
        yield
        return
    with work.under_way(far):
        yield


def pieces(count: int) -> Iterator[slice]:
    """The parts of this many numbers, with a look before each."""
    for begin in range(0, count, PIECE):
        look()
        yield slice(begin, begin + PIECE)
