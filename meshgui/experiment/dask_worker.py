"""What a worker of a Dask cluster does with a task: it has a process of its own make it, and answers."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Final, NamedTuple

from meshgui import __version__
from meshgui.engine.basics.translation import tr
from meshgui.experiment.executors import ExecutorError
from meshgui.experiment.run_spec import MODEL
from meshgui.experiment.task import TaskOutcome
from meshgui.experiment.task_process import TaskProcesses

__all__ = ["VERSION", "RemoteCall", "WorkerReply"]

VERSION: Final = tr("MeshGUI {version} with version {MODEL} of the model").format(
    version=__version__, MODEL=MODEL
)

_processes = TaskProcesses()  # one for each thread that Dask gives tasks to


class WorkerReply(NamedTuple):
    """What a worker says: what became of the task, or why it cannot make any."""

    worker: str
    outcome: TaskOutcome | None
    unfit: str = ""


class RemoteCall:
    """A task as it is sent, pickled: to unpickle it is to make it.

    So a scheduler, which only passes it on, needs no MeshGUI, and a worker that has none, or another, fails
    at the task and not at reading its messages, of which it would die.
    """

    def __init__(self, number: int, packed: bytes, seed: int) -> None:
        self._arguments = (VERSION, number, packed, seed)

    def __reduce__(self) -> tuple[Callable[..., WorkerReply], tuple[str, int, bytes, int]]:
        return _answer, self._arguments


def _answer(version: str, number: int, packed: bytes, seed: int) -> WorkerReply:
    """Make a task for a sweep of a version of the program, which must be that of this worker."""
    from distributed import get_worker  # noqa: PLC0415 - an extra; here it is loaded

    worker = get_worker()
    if version != VERSION:
        return WorkerReply(
            worker.address,
            None,
            tr("expected {version}, as here, got {VERSION}").format(version=version, VERSION=VERSION),
        )
    try:
        process = _processes.take()
    except ExecutorError as error:
        return WorkerReply(worker.address, None, str(error))
    try:
        outcome = process.make(number, zlib.decompress(packed).decode(), seed, _wanted())
    finally:
        _processes.give_back(process)
    if outcome is not None and outcome.unfit:
        return WorkerReply(worker.address, None, outcome.fault)
    return WorkerReply(worker.address, outcome)


def _wanted() -> Callable[[], bool]:
    """Whether the current task is still wanted: not once it was cancelled or its client has gone."""
    from distributed import get_worker  # noqa: PLC0415 - see above

    worker = get_worker()
    key, tasks = worker.get_current_task(), worker.state.tasks

    def wanted() -> bool:
        task = tasks.get(key)
        return task is not None and task.state == "executing"

    return wanted
