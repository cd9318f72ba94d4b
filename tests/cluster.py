"""A Dask scheduler and workers, as their commands start them, on the loopback interface only."""

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

from tests.processes import Forked

__all__ = ["Cluster", "cluster", "eventually"]

_SECONDS = 180  # a machine may be slow, and several suites may share it
_COMMANDS = ("distributed.cli.dask_scheduler", "distributed.cli.dask_worker")  # half a second to load


def eventually(ask, seconds=_SECONDS):
    """What is asked for, as soon as it is there."""
    end = monotonic() + seconds
    while monotonic() < end:
        if found := ask():
            return found
        sleep(0.02)
    raise AssertionError(f"it did not come about within {seconds} s")


class Cluster:
    """The processes, each at the head of a group of its own so that none is left."""

    def __init__(self, folder: Path, *options: object) -> None:
        self._folder, self._options = folder, options
        self._started: list[Forked] = []
        file = folder / "scheduler.json"
        words: tuple[object, ...] = ("--port", "0", "--host", "127.0.0.1", *options)
        words += ("--dashboard-address", "127.0.0.1:0")
        words += ("--scheduler-file", file)
        self.scheduler = self._start("scheduler", *words, PYTHONPATH="")
        self.address = eventually(lambda: file.exists() and _json(file).get("address"))

    def worker(self, *words: object, path: str = "", **environment: str) -> Forked:
        """Start one; `path` comes before what it would import otherwise."""
        usual: tuple[object, ...] = ("--nthreads", 1, "--host", "127.0.0.1", "--no-dashboard", "--no-nanny")
        usual += ("--local-directory", self._folder / f"worker-{len(self._started)}", *self._options)
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [path, *sys.path]))
        return self._start("worker", self.address, *usual, *words, **environment)

    def log(self, process: Forked) -> str:
        """What it has said."""
        return self._log(self._started.index(process)).read_text(encoding="utf-8")

    def workers(self, *threads: int) -> list[Forked]:
        """Start some, each with a number of threads, and wait until they have found the scheduler."""
        started = [self.worker("--nthreads", number) for number in threads]
        for worker in started:
            eventually(lambda worker=worker: "Registered to" in self.log(worker))
        return started

    def processes(self) -> set[int]:
        """The processes that make tasks for the workers."""
        groups = {process.pid for process in self._started}
        found = set()
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it has ended
                process, parent = (
                    int(folder.name),
                    (folder / "stat").read_text().rpartition(")")[2].split()[1],
                )
                if (
                    os.getpgid(process) in groups
                    and _is_forked(folder)
                    and _is_forked(folder.parent / parent)
                ):
                    found.add(process)
        return found

    def close(self) -> None:
        """End all, whatever they are at."""
        for process in self._started:
            kill(process)

    def _start(self, *words: object, **environment: str) -> Forked:
        # In the folder of its log: what lies where the tests are run is not to be imported from there.
        log = self._log(len(self._started))
        given = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))} | environment
        process = Forked(["dask", *map(str, words)], given, *_COMMANDS, log=log)
        self._started.append(process)
        return process

    def _log(self, number: int) -> Path:
        return self._folder / f"{number}.log"


def _is_forked(folder: Path) -> bool:
    """Whether a process is the one that forks workers, or was forked from it."""
    return b"multiprocessing.forkserver" in (folder / "cmdline").read_bytes()


def kill(process: Forked) -> None:
    """Kill a process and all it has started, at once."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=_SECONDS)


def _json(file: Path) -> dict[str, str]:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except ValueError:  # half written
        return {}


@contextmanager
def cluster(folder: Path, *options: object) -> Iterator[Cluster]:
    """A scheduler, and whatever workers are started, with the same options; all are gone afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    started = Cluster(folder, *options)
    try:
        yield started
    finally:
        started.close()
