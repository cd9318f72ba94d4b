"""Calls compiled functions that may take long, while the work that needs them can be stopped.

A compiled function looks at nothing, and no signal is handled before it returns: it is called in another
thread, while the caller looks.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar
from weakref import WeakSet

from meshgui.engine.basics.call_thread import CallResult, CallThread
from meshgui.engine.basics.work import current, look

_BETWEEN_LOOKS: Final = 0.04  # seconds

R = TypeVar("R")

_helpers: WeakSet[CallThread] = WeakSet()


def wait_for_compilers() -> None:
    """Let what is being compiled be compiled to its end: LLVM aborts an interpreter that ends meanwhile."""
    while compilers := _compilers():
        compilers[0].join(_BETWEEN_LOOKS)


def compiles() -> bool:
    """Whether a compiler works beside a thread, which may have gone on without it."""
    return bool(_compilers())


def _compilers() -> list[CallThread]:
    return [helper for helper in tuple(_helpers) if helper.is_alive() and helper.compiles]


atexit.register(wait_for_compilers)


def run_interruptible(function: Callable[[], R], stop: Callable[[], object]) -> R:
    """The result of a compiled function, with looks while it works; where one ends the work, `stop` ends it.

    It is waited for a moment then. What goes on in spite of that goes on alone: what it works on must no
    longer be used.
    """
    work = current()
    if work is None:
        return function()
    helper = work.helper = work.helper or CallThread("compiled work")  # untranslated: of a thread
    helper.calls.put(function)
    try:
        done = _waited_for(helper)
    except BaseException:
        stop()
        work.end_helper()
        raise
    result: R = done.outcome()
    return result


def compile_interruptible(make: Callable[[], R]) -> R:
    """Compile, in another thread where this one must answer: LLVM works for seconds on end.

    Signals are handled in the main thread alone, and work is to be heard and stopped.
    """
    if threading.current_thread() is not threading.main_thread() and current() is None:
        return make()
    helper = CallThread("compiler")  # untranslated: of a thread
    helper.calls.put(make)
    helper.calls.put(None)
    made: R = _waited_for(helper).outcome()
    return made


def _waited_for(helper: CallThread) -> CallResult:
    """The result of the call at hand, with looks meanwhile."""
    _helpers.add(helper)
    while (done := helper.result(_BETWEEN_LOOKS)) is None:
        look()
    return done


def seconds_worked() -> float:
    """The time of its own that this thread has worked, with what is done beside it."""
    work = current()
    helper = None if work is None else work.helper
    return time.thread_time() + (0.0 if helper is None else _worked(helper))


def _worked(helper: CallThread) -> float:
    """The seconds of a thread's own time; without the call at hand on systems that do not say."""
    with suppress(AttributeError, OSError):
        clock: int = time.pthread_getcpuclockid(helper.ident or 0)
        return time.clock_gettime(clock)
    return helper.worked
