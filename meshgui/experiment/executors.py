"""Executors make tasks: this process, worker processes, or (in a file of its own) a Dask cluster.

All are used in the same way: hand over tasks while fewer than `slots` are under way, and wait for outcomes,
which come in any order. What an outcome holds does not depend on the executor.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from multiprocessing import get_all_start_methods, get_context, resource_tracker
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess, current_process
from typing import Any, Final, Protocol

from meshgui.engine.basics.files import os_fault
from meshgui.engine.basics.kernel_counts import COMPILES
from meshgui.engine.basics.parts import printable
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import legible
from meshgui.experiment.task import Task, TaskOutcome, outcome_of
from meshgui.experiment.worker import COMPILING, serve

_AHEAD: Final = 2  # tasks a worker is given: it need not wait for the next
_STARTS: Final = 3  # workers that may end before they have begun, one after the other
MOST_WORKERS: Final = 512


class ExecutorError(Exception):
    """Nothing can be made any more, in one line."""


class DaskMissingError(ExecutorError):
    """There is no Dask to work with: the package is not installed."""


class Executor(Protocol):
    """Where work is made."""

    @property
    def slots(self) -> int:
        """How many tasks it takes at once."""
        ...

    @property
    def workers(self) -> int:
        """How many of them are made at the same time."""
        ...

    @property
    def note(self) -> str:
        """What it is waiting for, if nothing can be made at the moment."""
        ...

    def submit(self, task: Task) -> None:
        """Take a task."""
        ...

    def outcomes(self, seconds: float) -> list[TaskOutcome]:
        """What has been made since, waiting that long for the first one."""
        ...

    def close(self) -> None:
        """Drop what is under way."""
        ...


def cores() -> int:
    """How many processors this program may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


class InProcess:
    """The process itself, one task after the other."""

    slots = 1
    workers = 1
    note = ""

    def __init__(self) -> None:
        self._tasks: deque[Task] = deque()

    def submit(self, task: Task) -> None:
        self._tasks.append(task)

    def outcomes(self, seconds: float) -> list[TaskOutcome]:
        del seconds  # it takes what it takes
        if not self._tasks:
            return []
        task = self._tasks.popleft()
        return [outcome_of(task.number, task.spec.text, task.seed)]

    def close(self) -> None:
        self._tasks.clear()


class ProcessPool:
    """Worker processes, each with a pipe of its own, so that it is known who died over which task.

    They share the memory that runs may take with `beside` others of this program.
    """

    def __init__(self, workers: int | None = None, beside: int = 0) -> None:
        self.workers = min(MOST_WORKERS, workers if workers is not None else cores())
        self._sharing = self.workers + beside
        self.slots = self.workers * _AHEAD
        self._failed_starts = 0
        self._broken: ExecutorError | None = None
        self._workers: list[_Worker] = []
        try:
            for _ in range(self.workers):
                self._workers.append(_Worker(self._sharing))
        except BaseException:
            self.close()
            raise

    @property
    def note(self) -> str:
        return COMPILES if any(worker.compiling for worker in self._workers) else ""

    def submit(self, task: Task) -> None:
        self._hand_out(task, min(self._workers, key=lambda worker: len(worker.tasks)))

    def outcomes(self, seconds: float) -> list[TaskOutcome]:
        if self._broken is not None:
            raise self._broken
        by_pipe = {worker.pipe: worker for worker in self._workers}
        found: list[TaskOutcome] = []
        for ready in wait(list(by_pipe), seconds):
            worker = by_pipe[ready]
            try:
                found.extend(self._receive(worker))
            except ExecutorError as error:
                if not found:
                    raise
                self._broken = error  # after what has been made, which is not to be lost
                break
        return found

    def close(self) -> None:
        for worker in self._workers:
            worker.pipe.close()
        for worker in self._workers:
            worker.end()

    def _receive(self, worker: _Worker) -> list[TaskOutcome]:
        """The outcomes in a worker's message, or those of its death."""
        try:
            message = worker.pipe.recv()
        except (EOFError, OSError):
            return self._replace(worker)
        if isinstance(message, TaskOutcome):
            if message.unfit:
                raise ExecutorError(tr("a worker process: {fault}").format(fault=message.fault))
            worker.tasks.popleft()
            worker.compiling = False
            return [message]
        if message is None:
            worker.begun = True
            self._failed_starts = 0
        elif message == COMPILING:
            worker.compiling = True
        else:
            worker.fault = message
        return []

    def _hand_out(self, task: Task, worker: _Worker) -> None:
        worker.tasks.append(task)
        with contextlib.suppress(OSError):  # that it has died is seen when it is waited for
            worker.pipe.send((task.number, task.spec.text, task.seed))

    def _replace(self, worker: _Worker) -> list[TaskOutcome]:
        """A worker has died: over the first of its tasks, if it had begun; another one takes the rest."""
        how = worker.end()
        tasks = worker.tasks
        if not worker.begun:
            self._failed_starts += 1
            if self._failed_starts >= _STARTS:
                raise ExecutorError(
                    tr("worker processes end before they start work ({value})").format(
                        value=legible(printable(worker.fault or how))
                    )
                )
        fresh = _Worker(self._sharing)
        self._workers[self._workers.index(worker)] = fresh
        lost: list[TaskOutcome] = []
        if worker.begun and tasks:
            lost.append(
                TaskOutcome(
                    tasks.popleft().number, None, tr("the worker process died ({how})").format(how=how)
                )
            )
        for task in tasks:
            self._hand_out(task, fresh)
        return lost


class _Worker:
    """A process, and the tasks it has, the first of which it is at."""

    def __init__(self, sharing: int) -> None:
        context: Any = _context()
        try:
            self.pipe, theirs = context.Pipe()
            with theirs, _interrupts_blocked(), _also_by_daemons():
                self.process: BaseProcess = context.Process(
                    target=serve, args=(theirs, sharing, dict(os.environ)), daemon=True
                )
                self.process.start()
        except (OSError, EOFError) as error:  # the latter where that which forks them is gone
            fault = os_fault(error) if isinstance(error, OSError) else str(error)
            raise ExecutorError(
                tr("a worker process could not be started: {fault}").format(fault=fault)
            ) from error
        self.tasks: deque[Task] = deque()
        self.begun = self.compiling = False
        self.fault = ""  # why it could not begin
        self._how: str | None = None

    @property
    def ended(self) -> bool:
        """Whether it is gone, and known to be."""
        return self._how is not None

    def end(self) -> str:
        """See that it is gone; how it went."""
        self.pipe.close()
        if self._how is None:
            self.process.join(0.05)
            if self.process.is_alive():
                self.process.kill()
                self.process.join()
            code = self.process.exitcode or 0
            self._how = (
                tr("signal {value}").format(value=-code)
                if code < 0
                else tr("exit status {code}").format(code=code)
            )
            self.process.close()
        return self._how


@cache
def _context() -> BaseContext:
    """How workers are started: forked from a process that has imported what they need, where forks are known.

    A fork of this one, which has threads, might never go on.
    """
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload([serve.__module__, "meshgui.experiment.task", "numba"])
    return context


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """A block in which Ctrl+C waits; processes started in it never hear it, not even while they load."""
    if not hasattr(signal, "pthread_sigmask"):  # not on every system
        yield
        return
    resource_tracker.ensure_running()  # would be started in the block, and end it
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _also_by_daemons() -> Iterator[None]:
    """A block in which a daemon may start processes, as Dask's workers are: ours end with their pipes."""
    config: dict[str, Any] = current_process()._config  # type: ignore[attr-defined] # noqa: SLF001 - no other way
    daemon = config.pop("daemon", None)
    try:
        yield
    finally:
        if daemon is not None:
            config["daemon"] = daemon
