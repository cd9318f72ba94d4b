"""A thread that makes one call after another, so that the caller can look up while it waits."""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from traceback import walk_stack
from typing import Any, NamedTuple


class CallResult(NamedTuple):
    """What became of a call."""

    value: Any
    error: BaseException | None  # what it raised instead
    nanoseconds: int

    def outcome(self) -> Any:  # noqa: ANN401 - what the call returned
        """Its value; raises what it raised."""
        if self.error is not None:
            raise self.error
        return self.value


class _Abandoned(SystemExit):
    """Ends a thread in the midst of a call; `except Exception` of the called does not catch it."""


class CallThread(threading.Thread):
    """A thread that makes one call after another, each given by `calls.put`; None ends it."""

    def __init__(self, name: str) -> None:
        # A daemon: the program ends although a compiled loop never does.
        super().__init__(name=name, daemon=True)
        self.calls: SimpleQueue[Callable[[], Any] | None] = SimpleQueue()
        self.worked = 0.0  # seconds of its own time, up to the latest answer
        self._results: SimpleQueue[CallResult] = SimpleQueue()
        self.start()

    def run(self) -> None:
        """Make the calls as they come, until there are no more."""
        with suppress(_Abandoned):
            while (function := self.calls.get()) is not None:
                value, error, begun = None, None, time.perf_counter_ns()
                try:
                    value = function()
                except _Abandoned:
                    raise
                except BaseException as raised:  # noqa: BLE001 - the caller receives any exception
                    error = raised
                took, self.worked = time.perf_counter_ns() - begun, time.thread_time()
                self._results.put(CallResult(value, error, took))
                del function, value, error  # only the caller keeps them alive

    def result(self, seconds: float) -> CallResult | None:
        """The result of the call at hand, or None where it does not come within this many seconds."""
        with suppress(Empty):
            return self._results.get(timeout=max(0.0, seconds))
        return None

    @property
    def compiles(self) -> bool:
        """Whether Numba compiles a kernel in it now."""
        frame = sys._current_frames().get(self.ident or 0)  # noqa: SLF001 - public but for its name
        names = (inner.f_globals.get("__name__", "") for inner, _ in walk_stack(frame) if frame is not None)
        return any(name.startswith("numba.core.") for name in names)

    def abandon(self) -> None:
        """End during a call: immediately in Python code, in compiled code when it returns."""
        ident = ctypes.c_ulong(self.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(_Abandoned))
        self.calls.put(None)
