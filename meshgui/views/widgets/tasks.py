"""The one way to have work done beside the window: an owner starts, hears, supersedes and ends it.

What is connected to a signal is called in the thread in which the sender lives, be it a slot, a method of a
plain object or a function: so it is in every PySide that is allowed, of which 6.8.3 is the oldest. A thread's
object lives in the thread that made it, so whoever hears of work is called in the window's thread.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar
from weakref import ref

import shiboken6
from PySide6.QtCore import QObject, SignalInstance

from meshgui.views.widgets.work_thread import WorkThread

P = TypeVar("P", bound=Hashable)
T = TypeVar("T", bound=WorkThread)
Heard = tuple[SignalInstance, Callable[..., object]]
"""A signal of a thread, and what is called with what it says."""


class Tasks(Generic[P, T]):
    """The work of one owner. Of each purpose the latest is heard; what it supersedes is stopped."""

    def __init__(self, owner: QObject, at_once: int | None = None) -> None:
        self._wanted: dict[P, T] = {}  # the latest last
        self._waiting: list[T] = []  # those of them that have no room yet
        self._going: set[T] = set()  # including those that were stopped and have not ended
        self._owner, self._at_once = ref(owner), at_once

    def start(self, purpose: P, thread: T, *heard: Heard) -> T:
        """Begin work, or let it wait for its turn; until it is ended, what it says is heard."""
        self.end(purpose)
        self._wanted[purpose] = thread

        def while_wanted(listener: Callable[..., object]) -> Callable[..., None]:
            def hear(*said: Any) -> None:  # noqa: ANN401 - what its signals carry
                owner = self._owner()
                if owner is None or not shiboken6.isValid(owner):
                    self.end_all()
                elif self._wanted.get(purpose) is thread:
                    listener(*said)

            return hear

        for signal, listener in heard:
            signal.connect(while_wanted(listener))
        thread.finished.connect(while_wanted(lambda: self._wanted.pop(purpose)))
        thread.finished.connect(lambda: self._give_room(thread))
        self._waiting.append(thread)
        self._start_some()
        return thread

    def get(self, purpose: P) -> T | None:
        """The work for a purpose that has neither ended nor been ended."""
        return self._wanted.get(purpose)

    @property
    def purposes(self) -> list[P]:
        """What work is wanted for, the latest last."""
        return list(self._wanted)

    @property
    def latest(self) -> T | None:
        """The work that was begun last, of what is wanted."""
        return next(reversed(self._wanted.values()), None)

    def end(self, purpose: P) -> None:
        """Stop the work for a purpose, if there is some; its thread ends by itself."""
        thread = self._wanted.pop(purpose, None)
        if thread is None:
            return
        if thread in self._waiting:
            self._waiting.remove(thread)
            thread.deleteLater()  # what it is connected to holds it otherwise
        else:
            thread.end()

    def end_all(self) -> None:
        """Stop the work for every purpose."""
        for purpose in self.purposes:
            self.end(purpose)

    def _give_room(self, thread: T) -> None:
        self._going.discard(thread)
        self._start_some()

    def _start_some(self) -> None:
        while self._waiting and (self._at_once is None or len(self._going) < self._at_once):
            thread = self._waiting.pop(0)
            self._going.add(thread)
            thread.start()
