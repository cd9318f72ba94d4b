"""Processes that make tasks for the threads of a cluster's worker, which outlives them.

Workers of a cluster are other programs' processes, with threads and a connection to keep alive. A simulation
does not belong in them: strategies are called, watched and given up on as if they were alone in the process,
and one of a third party may take it down.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from multiprocessing import Pipe
from threading import Lock, Timer
from typing import Final

from meshgui.engine.basics.translation import tr
from meshgui.experiment import worker
from meshgui.experiment.executors import STARTS, ExecutorError
from meshgui.experiment.task import TaskOutcome

__all__ = ["TaskProcess", "TaskProcesses"]

_BETWEEN_LOOKS: Final = 0.1  # seconds
_IDLE: Final = 30.0  # seconds that one is kept with nothing to do


class TaskProcess:
    """The process."""

    def __init__(self) -> None:
        self._pipe, theirs = Pipe()
        # Not a child of multiprocessing's: the processes of Dask's workers are daemons, which may have none.
        self._process = subprocess.Popen(  # noqa: S603 - this interpreter, this module
            [sys.executable, "-P", "-m", worker.__name__, str(theirs.fileno())],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
        )
        theirs.close()

    def begin(self) -> None:
        """Wait until it can take tasks; EOFError if it ends before, ExecutorError if it says why."""
        fault = self._pipe.recv()
        if fault is not None:
            self.end()
            raise ExecutorError(tr("a worker process could not start ({fault})").format(fault=fault))

    def make(self, number: int, text: str, seed: int, wanted: Callable[[], bool]) -> TaskOutcome | None:
        """The outcome of a task; None when it is no longer wanted. The process may have ended."""
        try:
            self._pipe.send((number, text, seed))
            outcome = None
            while not isinstance(outcome, TaskOutcome):  # but that it compiles
                while not self._pipe.poll(_BETWEEN_LOOKS):
                    if not wanted():
                        self.end()
                        return None
                outcome = self._pipe.recv()
        except (EOFError, OSError):
            return TaskOutcome(number, None, tr("the worker process died ({end})").format(end=self.end()))
        return outcome

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def lives(self) -> bool:
        """Whether it can take another task."""
        return not self._pipe.closed and self._process.poll() is None

    def end(self) -> str:
        """See that it is gone; how it went."""
        self._pipe.close()
        try:
            code = self._process.wait(0.05)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        return (
            tr("signal {value}").format(value=-code)
            if code < 0
            else tr("exit status {code}").format(code=code)
        )


class TaskProcesses:
    """As many as are needed at the same time; those with nothing to do for a while are let go."""

    def __init__(self, idle: float = _IDLE) -> None:
        self._seconds = idle
        self._idle: dict[TaskProcess, Timer] = {}
        self._lock = Lock()

    def take(self) -> TaskProcess:
        """One for the caller alone; ExecutorError if none can be had."""
        with self._lock:
            while self._idle:
                process, timer = self._idle.popitem()
                timer.cancel()
                if process.lives:
                    return process
                process.end()
        how = ""
        for _ in range(STARTS):
            process = TaskProcess()
            try:
                process.begin()
            except (EOFError, OSError):
                how = process.end()
            else:
                return process
        raise ExecutorError(tr("worker processes end before they start work ({how})").format(how=how))

    def give_back(self, process: TaskProcess) -> None:
        """One that was taken."""
        if not process.lives:
            process.end()
            return
        timer = Timer(self._seconds, self._close, [process])
        timer.daemon = True
        with self._lock:
            self._idle[process] = timer
        timer.start()

    def end(self) -> None:
        """Let all go that are here."""
        with self._lock:
            gone, self._idle = self._idle, {}
        for process, timer in gone.items():
            timer.cancel()
            process.end()

    def _close(self, process: TaskProcess) -> None:
        with self._lock:
            if self._idle.pop(process, None) is None:
                return
        process.end()
