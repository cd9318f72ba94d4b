"""Ends a command on Ctrl+C, SIGTERM or the end of its terminal, so that it clears away after itself."""

from __future__ import annotations

import _thread
import atexit
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import NoReturn

from meshgui.cli.faults import Fault

INTERRUPTED = 130  # 128 + the number of the signal, as shells report it
_TERMINATED = 143  # likewise
_HUNG_UP = 129
_SOON = 0.02  # seconds
clearing: list[Callable[[], object]] = []
"""What there is to clear away where no exception does it."""
_told: list[int] = []  # the statuses for which signals raised, which foreign code may have swallowed


def attend() -> None:
    """Take the signals as exceptions, wherever they arrive."""
    signal.signal(signal.SIGTERM, _terminate)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where it is to be ignored
        signal.signal(signal.SIGINT, _interrupt)
    if _hangs_up() is signal.SIG_DFL:  # and not below nohup
        signal.signal(signal.SIGHUP, _hang_up)
    sys.unraisablehook = _once_more


def leave_alone() -> None:
    """Let them end the program at once: a window's event loop would not notice an exception."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if signal.getsignal(signal.SIGINT) is _interrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if _hangs_up() is _hang_up:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


@contextmanager
def ending_at_once() -> Iterator[None]:
    """A block in which they clear away and end the program where it stands: Qt would lose an exception."""
    statuses = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: _TERMINATED}
    if hasattr(signal, "SIGHUP"):
        statuses[signal.SIGHUP] = _HUNG_UP

    def end(number: int, _: object) -> NoReturn:
        for clear in reversed(clearing):
            with suppress(Exception):
                clear()
        os._exit(statuses[signal.Signals(number)])

    ours = (_interrupt, _terminate, _hang_up)  # others stay, as below nohup
    before = {each: taken for each in statuses if (taken := signal.getsignal(each)) in ours}
    for each in before:
        signal.signal(each, end)
    try:
        yield
    finally:
        for each, taken in before.items():
            signal.signal(each, taken)


def leave(status: int) -> NoReturn:
    """End at once: to take the interpreter apart, with all that is loaded, may take a tenth of a second."""
    if (work := _compiled_work()) is not None:
        atexit.unregister(work.wait_for_compilers)  # which may take seconds; the end below does without
    atexit._run_exitfuncs()  # noqa: SLF001 - of workers and temporary folders
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # there is none, or its reader is gone
            stream.flush()
    os._exit(status)


def outlived() -> bool:
    """Whether a compiler or a thread of a window still works, on what no longer matters at the end."""
    work, threads = _compiled_work(), sys.modules.get("meshgui.views.widgets.work_thread")
    compiles = work is not None and bool(work.compiles())
    return compiles or (threads is not None and bool(threads.WorkThread.are_at_work()))


def _compiled_work() -> ModuleType | None:
    """The module that keeps who compiles, where it has been needed."""
    return sys.modules.get("meshgui.engine.basics.compiled_work")


def look(_: object = None) -> None:
    """Raise once more what a signal raised, if it was lost; for all work of a command."""
    status = status_by_signal()
    if status == INTERRUPTED:
        raise KeyboardInterrupt
    if status is not None:
        sys.exit(status)


def status_by_signal() -> int | None:
    """The exit status that a signal asked for, if one came; foreign code may have made an error of it."""
    return min(_told, key=(INTERRUPTED, _TERMINATED, _HUNG_UP).index, default=None)


def is_interrupt(error: BaseException) -> bool:
    """Whether Ctrl+C made this error: the import of foreign code makes one of another kind of it."""
    if isinstance(error, Exception):
        return status_by_signal() == INTERRUPTED and not isinstance(error, Fault)
    return isinstance(error, KeyboardInterrupt)


def _interrupt(*_: object) -> NoReturn:
    _told.append(INTERRUPTED)
    raise KeyboardInterrupt


def _terminate(*_: object) -> NoReturn:
    _told.append(_HUNG_UP if _HUNG_UP in _told else _TERMINATED)  # see `_once_more`
    sys.exit(_told[-1])


def _hang_up(*_: object) -> NoReturn:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the shell may send it once more while files are removed
    _told.append(_HUNG_UP)
    sys.exit(_HUNG_UP)


def _hangs_up() -> object:
    """What is done at the end of the terminal; None where no signal tells of it."""
    return signal.getsignal(signal.SIGHUP) if hasattr(signal, "SIGHUP") else None


def _once_more(lost: sys.UnraisableHookArgs) -> None:
    """In a callback from compiled code an exception is lost, with a traceback: raise a signal again."""
    number = {KeyboardInterrupt: signal.SIGINT, SystemExit: signal.SIGTERM}.get(lost.exc_type)
    if number is None:
        sys.__unraisablehook__(lost)
    else:
        _thread.start_new_thread(
            _raise_soon, (number,)
        )  # a `Timer` would wait for its start, and be met by it


def _raise_soon(number: signal.Signals) -> None:
    time.sleep(_SOON)
    _thread.interrupt_main(number)
