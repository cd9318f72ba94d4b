"""Calls of Python from within the event loop, by address, as a strategy's kernels are called.

The loop could return to Python to ask, as it does for stages of messages, and be entered again. That costs as
much, half a microsecond, but it is asked in eighteen places, up to nine calls deep in a plan, each of which
would be left and found again by what it keeps of itself in the loop's record. Numba's generators keep that by
themselves, but cost 5 µs a job even where nothing is asked. Nothing of Numba's inside would be saved: kernels
are called by the same addresses. In return a call must not raise, and arrays have room beforehand for all of
a time (`has_room`).
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any, Final

from meshgui.engine.basics.entry_points import Callback
from meshgui.engine.basics.work import look
from meshgui.engine.runs.loop_state import LoopQuestion

_SECONDS_BETWEEN_LOOKS: Final = 0.05  # for strategies that take long over an event: a run must stay stoppable


class PythonCalls:
    """Calls Python from the loop; what is raised there stops the loop, and is raised again outside it."""

    def __init__(self, stop: Callable[[], None]) -> None:
        self._stop = stop
        self.answers: dict[LoopQuestion, Callable[[int], object]] = {}
        self._next_look = 0.0
        self._error: BaseException | None = None
        self._kept: list[Callback] = []
        self.ask = self.callback(self._answer, "int64(int64, int64)")  # untranslated: types

    def callback(self, function: Callable[..., int], signature: str) -> Any:  # noqa: ANN401 - see Callback
        """What the loop calls so that the function is called, which takes numbers."""

        def call(*numbers: Any) -> int:  # noqa: ANN401 - numbers
            if self._error is not None:
                return 0
            try:
                if (now := monotonic()) >= self._next_look:
                    self._next_look = now + _SECONDS_BETWEEN_LOOKS
                    look()
                return function(*numbers)
            except BaseException as error:  # noqa: BLE001 - raised by `raise_error`
                self._error = self._error or error  # the first: another may be of what it has stopped
                self._stop()
                return 0

        self._kept.append(Callback(call, signature))
        return self._kept[-1].handed

    def raise_error(self) -> None:
        """Raise what was raised within the loop, if anything was."""
        error, self._error = self._error, None
        if error is not None:
            raise error

    def _answer(self, what: int, number: int) -> int:
        self.answers[LoopQuestion(what)](int(number))
        return 0
