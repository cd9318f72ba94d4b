"""Ends a command on Ctrl+C or SIGTERM, so that it clears away after itself as on any other error."""

from __future__ import annotations

import _thread
import signal
import sys
from threading import Timer
from typing import NoReturn

__all__ = ["INTERRUPTED", "attend", "leave_alone", "look", "status_by_signal"]

INTERRUPTED = 130  # 128 + the number of the signal, as shells report it
_TERMINATED = 143  # likewise
_SOON = 0.02  # seconds
_told: list[type[BaseException]] = []  # what a signal raised, which foreign code may have swallowed


def attend() -> None:
    """Take both signals as exceptions, wherever they arrive."""
    signal.signal(signal.SIGTERM, _terminate)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where it is to be ignored
        signal.signal(signal.SIGINT, _interrupt)
    sys.unraisablehook = _once_more


def leave_alone() -> None:
    """Let both end the program at once: a window's event loop would not notice an exception."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def look() -> None:
    """Raise once more what a signal raised, if it was lost; for long work to call now and then."""
    if KeyboardInterrupt in _told:
        raise KeyboardInterrupt
    if SystemExit in _told:
        sys.exit(_TERMINATED)


def status_by_signal() -> int | None:
    """The exit status that a signal asked for, if one came; foreign code may have made an error of it."""
    if KeyboardInterrupt in _told:
        return INTERRUPTED
    return _TERMINATED if SystemExit in _told else None


def _interrupt(*_: object) -> NoReturn:
    _told.append(KeyboardInterrupt)
    raise KeyboardInterrupt


def _terminate(*_: object) -> NoReturn:
    _told.append(SystemExit)
    sys.exit(_TERMINATED)


def _once_more(lost: sys.UnraisableHookArgs) -> None:
    """In a callback from compiled code an exception is lost, with a traceback: raise a signal again."""
    if lost.exc_type is KeyboardInterrupt:
        Timer(_SOON, _thread.interrupt_main).start()
    elif lost.exc_type is SystemExit:
        Timer(_SOON, _thread.interrupt_main, [signal.SIGTERM]).start()
    else:
        sys.__unraisablehook__(lost)
