"""A Dask cluster as executor (`pip install meshgui[cluster]`): a scheduler and workers already started.

Dask moves tasks off a worker that has gone, and gives them to workers that join. What remains to do is to
tell what has gone wrong from what will still come.
"""

from __future__ import annotations

import logging
import pickle
import re
import warnings
import zlib
from contextlib import suppress
from functools import lru_cache, partial
from importlib.metadata import version
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, Final
from uuid import uuid4

from meshgui import __version__
from meshgui.engine.basics.files import read_input
from meshgui.engine.basics.json_text import read_json
from meshgui.engine.basics.translation import tr
from meshgui.experiment.dask_worker import VERSION, RemoteCall, WorkerReply
from meshgui.experiment.executors import DaskMissingError, ExecutorError
from meshgui.experiment.task import Task, TaskOutcome

_LARGEST_FILE: Final = 1 << 24  # bytes of a scheduler's file, which also lists its workers
_AHEAD: Final = 2  # tasks a thread is given: it need not wait for the next
_PATIENCE: Final = 10.0  # seconds that the scheduler may take to answer
_BETWEEN_COUNTS: Final = 1.0  # seconds
_PACKED: Final = 64  # works kept as they are sent
_ADDRESS: Final = re.compile(r"(?:tcp|tls)://(?:\[[0-9A-Fa-f:.]+\]|[\w.-]+):(\d{1,5})", re.ASCII)
_LOGGERS: Final = ("distributed", "tornado", "asyncio")


def is_address(text: str) -> bool:
    """Whether a scheduler's address is well formed: `tcp://HOST:PORT`, or `tls://HOST:PORT`."""
    found = _ADDRESS.fullmatch(text)
    return found is not None and 1 <= int(found[1]) <= 65535


def address_in(file: Path) -> str:
    """The address in the file that a scheduler writes; OSError or ValueError where there is none."""
    found = read_json(read_input(file, _LARGEST_FILE) or b"")
    address = found.get("address") if isinstance(found, dict) else None
    if not isinstance(address, str) or not is_address(address):
        raise ValueError(address)
    return address


class DaskCluster:
    """The workers behind a scheduler's address."""

    def __init__(self, address: str, patience: float = _PATIENCE) -> None:
        self._address = address
        self._patience = patience
        self._client = _client(address, patience)
        self._name = f"meshgui-{uuid4().hex}"  # of its tasks, on a cluster that others may use as well
        self._done: SimpleQueue[tuple[int, WorkerReply | BaseException]] = SimpleQueue()
        self._futures: dict[int, Any] = {}
        self._fault = ""  # what ends it all, as soon as what was made before has been fetched
        self._threads = 0
        self._answers = True  # the scheduler, when it was last asked
        self._counted = -_BETWEEN_COUNTS
        self._count()

    @property
    def workers(self) -> int:
        return max(1, self._threads)

    @property
    def slots(self) -> int:
        return self.workers * _AHEAD

    @property
    def note(self) -> str:
        if not self._answers:
            return tr("{address} does not answer").format(address=self._address)
        return (
            "" if self._threads else tr("waiting for workers to join {address}").format(address=self._address)
        )

    def submit(self, task: Task) -> None:
        call = pickle.dumps(RemoteCall(task.number, _packed(task.spec.text), task.seed))
        try:
            future = self._client.submit(pickle.loads, call, key=f"{self._name}-{task.number}", pure=False)
        except Exception as error:  # noqa: BLE001 - Dask raises what comes when its connection has gone
            raise ExecutorError(self._gone(error)) from None
        self._futures[task.number] = future
        future.add_done_callback(partial(self._fetch, task.number))

    def outcomes(self, seconds: float) -> list[TaskOutcome]:
        self._count()
        taken = [self._outcome(number, found) for number, found in self._taken(seconds)]
        outcomes = [outcome for outcome in taken if outcome is not None]
        if not outcomes:
            if not self._fault and self._client.status != "running":
                self._fault = self._gone()
            if self._fault:
                raise ExecutorError(self._fault)
        return outcomes

    def close(self) -> None:
        futures = list(self._futures.values())
        self._futures.clear()
        with suppress(Exception):  # the scheduler may be gone
            self._client.cancel(futures)
        with suppress(Exception):
            self._client.close(timeout=self._patience)

    def _fetch(self, number: int, future: Any) -> None:  # noqa: ANN401 - Dask has no types
        """Called by a thread of Dask's: bring an answer here, and let the cluster forget it."""
        if number not in self._futures:  # the sweep was stopped, and the connection is being closed
            return
        try:
            self._done.put((number, future.result(timeout=self._patience)))
        except TimeoutError:  # the worker that had it is gone, and it is being made once more
            future.add_done_callback(partial(self._fetch, number))
        except BaseException as error:  # noqa: BLE001 - it is judged where it is taken
            self._done.put((number, error))

    def _taken(self, seconds: float) -> list[tuple[int, WorkerReply | BaseException]]:
        """What has come, waiting that long for the first."""
        try:
            found = [self._done.get(timeout=seconds)]
        except Empty:
            return []
        while not self._done.empty():
            found.append(self._done.get())
        return found

    def _outcome(self, number: int, found: WorkerReply | BaseException) -> TaskOutcome | None:
        """The outcome of a task; None if it ends the sweep."""
        from distributed import CancelledError, KilledWorker  # noqa: PLC0415 - an extra, and slow to load

        del self._futures[number]
        if isinstance(found, WorkerReply):
            if found.outcome is None:
                self._fault = tr("the worker {worker}: {unfit}").format(
                    worker=found.worker, unfit=found.unfit
                )
            return found.outcome
        if isinstance(found, KilledWorker):
            return TaskOutcome(number, None, tr("the Dask workers that had it died, one after the other"))
        if isinstance(found, CancelledError | OSError):
            self._fault = self._fault or self._gone()
            return None
        # A task's own faults are in its outcome, so this one is of those who should have begun it.
        self._fault = self._fault or self._misfit(found)
        return None

    def _count(self) -> None:
        """Ask now and then how many can work at the same time."""
        if self._fault or monotonic() - self._counted < _BETWEEN_COUNTS:
            return
        try:
            threads: dict[str, int] = self._client.sync(
                self._client.scheduler.ncores_running, callback_timeout=_BETWEEN_COUNTS
            )
            self._threads, self._answers = sum(threads.values()), True
        except TimeoutError:
            self._answers = False
        except Exception:  # noqa: BLE001 - as in submit; whether it has gone is seen by its status
            self._answers = False
        self._counted = monotonic()

    def _gone(self, error: BaseException | None = None) -> str:
        why = f": {_in_a_line(error)}" if error is not None and self._client.status == "running" else ""
        return tr("{address}: the connection to the Dask scheduler is lost{why}").format(
            address=self._address, why=why
        )

    def _misfit(self, error: BaseException) -> str:
        """Tasks cannot even begin: most likely a worker has another MeshGUI, or none."""
        with suppress(Exception):
            found = self._client.run(version, "meshgui", on_error="return")
            for worker, what in sorted(found.items()):
                if what != __version__:
                    has = (
                        tr("none")
                        if isinstance(what, BaseException)
                        else tr("MeshGUI {what}").format(what=what)
                    )
                    return tr("the worker {worker}: expected {VERSION}, as here, got {has}").format(
                        worker=worker, VERSION=VERSION, has=has
                    )
        return tr("{address}: the Dask cluster cannot start a task: {in_a_line}").format(
            address=self._address, in_a_line=_in_a_line(error)
        )


def _client(address: str, patience: float) -> Any:  # noqa: ANN401 - Dask has no types
    if not is_address(address):
        raise ExecutorError(
            tr("expected a scheduler's address, tcp://HOST:PORT or tls://HOST:PORT, got {address}").format(
                address=address
            )
        )
    try:
        from distributed import Client  # noqa: PLC0415 - an extra, and slow to load
    except ImportError:
        raise DaskMissingError(tr("expected the package distributed: pip install meshgui[cluster]")) from None
    if address.startswith("tcp:") and _has_certificates():
        raise ExecutorError(
            tr(
                "{address}: expected tls://HOST:PORT, as Dask is configured with certificates here: nothing "
                "is sent unencrypted"
            ).format(address=address)
        )
    _hush()
    dask_client: Any = Client  # which has no types
    found: SimpleQueue[Any] = SimpleQueue()

    def connect() -> None:
        try:
            found.put(dask_client(address, timeout=patience, set_as_default=False))
        except Exception as error:  # noqa: BLE001 - any program may answer there, with anything
            found.put(error)

    # In a thread, as Dask waits for ever where a program accepts the connection and sends nothing.
    Thread(target=connect, name="connecting", daemon=True).start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # whose versions must be the same is judged by the workers
        try:
            client = found.get(timeout=patience + 1)
        except Empty:
            client = TimeoutError(tr("no answer"))
    if isinstance(client, Exception):
        why = _in_a_line(client)
        raise ExecutorError(
            tr("{address}: expected a Dask scheduler to answer there: {why}").format(address=address, why=why)
        )
    return client


def _has_certificates() -> bool:
    """Whether Dask's configuration, in its files or the environment, has certificates for TLS."""
    from distributed import Security  # noqa: PLC0415 - an extra, and slow to load

    dask_security: Any = Security  # which has no types
    found = dask_security()
    return bool(found.tls_ca_file or found.tls_client_cert)


def _hush() -> None:
    """Silence Dask's own messages: the sweep reports its errors once, in its own words."""
    for name in [*logging.root.manager.loggerDict]:
        if name.partition(".")[0] in _LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


@lru_cache(maxsize=_PACKED)
def _packed(text: str) -> bytes:
    return zlib.compress(text.encode())


def _in_a_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
