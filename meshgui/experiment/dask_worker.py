"""What a worker of a Dask cluster does with a task: it has a process of its own make it, and answers."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Final, NamedTuple

from meshgui import __version__
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import Progress, Stopped, Work
from meshgui.experiment.executors import ExecutorError
from meshgui.experiment.run_spec import MODEL, RunSpec
from meshgui.experiment.spare_pools import SparePools
from meshgui.experiment.task import Task, TaskOutcome

VERSION: Final = tr("MeshGUI {version} with version {MODEL} of the model").format(
    version=__version__, MODEL=MODEL
)

_pools = SparePools()  # one for each thread that Dask gives tasks to


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
    key, tasks = worker.get_current_task(), worker.state.tasks

    def hear(_: Progress) -> None:
        """Stop what is no longer wanted, as the task was cancelled or its client has gone."""
        if (wanted := tasks.get(key)) is None or wanted.state != "executing":
            raise Stopped

    task = Task(number, RunSpec(key, zlib.decompress(packed).decode()), seed)
    try:
        with Work(hear).under_way():
            return WorkerReply(worker.address, _pools.make(task, worker.state.nthreads))
    except Stopped:
        return WorkerReply(worker.address, None)
    except ExecutorError as error:
        return WorkerReply(worker.address, None, str(error))
