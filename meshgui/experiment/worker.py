"""A worker process: makes tasks in order, until the other end of its pipe is gone.

It listens before it loads what tasks need, so that it ends at once with the program it works for, even while
it is still loading. So this file imports nothing that takes long.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Mapping
from multiprocessing.connection import Connection
from queue import SimpleQueue
from types import MappingProxyType
from typing import Any, Final

from meshgui.engine.basics.garbage import loading

COMPILING: Final = "compiling"
"""What a worker sends between tasks' outcomes where it compiles for the next."""

_BETWEEN_MESSAGES: Final = 0.1  # seconds


def serve(
    pipe: Connection[Any, Any], workers: int = 1, environment: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Say that it is ready (None) or why it cannot be, then answer each task with its outcome.

    Before it compiles what a task needs, which may take seconds, it says so (COMPILING).

    The workers share the memory that runs may take. The environment is that of who started it, as the process
    from which it was forked may have an older one.
    """
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C goes to all of them: the first process decides
    sys.stdout = sys.stderr  # what a strategy prints does not belong among the results
    tasks: SimpleQueue[tuple[int, str, int]] = SimpleQueue()
    threading.Thread(target=_take, args=(pipe, tasks), daemon=True).start()
    try:
        with loading():
            from meshgui.engine.basics import memory  # noqa: PLC0415 - takes long, see above
            from meshgui.engine.basics.work import Progress, Work  # noqa: PLC0415 - likewise
            from meshgui.experiment.task import outcome_of  # noqa: PLC0415 - likewise

        memory.share_among(workers)
    except BaseException as error:  # noqa: BLE001 - reported in one line, not as a traceback
        _send(pipe, f"{type(error).__name__}: {error}")
        os._exit(1)
    _send(pipe, None)

    def hear(progress: Progress) -> None:
        if progress.compiling:
            _send(pipe, COMPILING)

    while True:
        task = tasks.get()
        with Work(hear, between=_BETWEEN_MESSAGES).under_way():
            outcome = outcome_of(*task)
        _send(pipe, outcome)


def _send(pipe: Connection[Any, Any], message: object) -> None:
    try:
        pipe.send(message)
    except OSError:
        os._exit(0)


def _take(pipe: Connection[Any, Any], tasks: SimpleQueue[tuple[int, str, int]]) -> None:
    """Take tasks as they come, so that the sender never waits; the worker ends with its pipe."""
    while True:
        try:
            tasks.put(pipe.recv())
        except (EOFError, OSError):
            os._exit(0)  # in the middle of a task, too: its outcome would have no reader
