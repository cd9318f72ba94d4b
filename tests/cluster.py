"""A Dask scheduler and workers, as their commands start them, on the loopback interface only."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

__all__ = ["Cluster", "cluster", "eventually"]

_SECONDS = 30


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

    def __init__(self, folder: Path, protocol: str = "tcp", **environment: str) -> None:
        self._folder, self._environment = folder, environment
        self._started: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        words: tuple[object, ...] = ("--port", "0", "--host", "127.0.0.1", "--protocol", protocol)
        words += ("--dashboard-address", "127.0.0.1:0")
        words += ("--scheduler-file", file)
        self.scheduler = self._start("scheduler", *words, PYTHONPATH="")
        self.address = eventually(lambda: file.exists() and _json(file).get("address"))

    def worker(self, *words: object, path: str = "", **environment: str) -> subprocess.Popen[bytes]:
        """Start one; `path` comes before what it would import otherwise."""
        usual: tuple[object, ...] = ("--nthreads", 1, "--host", "127.0.0.1", "--no-dashboard", "--no-nanny")
        usual += ("--local-directory", self._folder / f"worker-{len(self._started)}")
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [path, *sys.path]))
        return self._start("worker", self.address, *usual, *words, **environment)

    def log(self, process: subprocess.Popen[bytes]) -> str:
        """What it has said."""
        return self._log(self._started.index(process)).read_text(encoding="utf-8")

    def workers(self, *threads: int) -> list[subprocess.Popen[bytes]]:
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

    def _start(self, *words: object, **environment: str) -> subprocess.Popen[bytes]:
        with self._log(len(self._started)).open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", *map(str, words)],
                env=os.environ
                | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
                | self._environment
                | environment,
                cwd=self._folder,  # what lies where the tests are run is not to be imported from there
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._started.append(process)
        return process

    def _log(self, number: int) -> Path:
        return self._folder / f"{number}.log"


def _is_forked(folder: Path) -> bool:
    """Whether a process is the one that forks workers, or was forked from it."""
    return b"multiprocessing.forkserver" in (folder / "cmdline").read_bytes()


def kill(process: subprocess.Popen[bytes]) -> None:
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
def cluster(folder: Path, protocol: str = "tcp", **environment: str) -> Iterator[Cluster]:
    """A scheduler, and whatever workers are started; all are gone afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    started = Cluster(folder, protocol, **environment)
    try:
        yield started
    finally:
        started.close()
