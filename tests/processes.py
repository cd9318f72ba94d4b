"""The processes of a program under test: started in a group of their own, listed, and waited for."""

import atexit
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import monotonic, sleep

from tests.forking import LARGEST

__all__ = [
    "Forked", "ScopedProcess", "alive", "bare_environment", "completed", "environment", "finished",
    "kill_started", "program", "python", "start", "wait_until",
]  # fmt: skip

MARK = "MESHGUI_TEST_MARK"  # in the environment of all that a program under test starts

# What Python, its libraries and the loader read only once, while they start.
_READ_AT_START = ("PYTHON", "NUMBA_", "NPY_", "OPENBLAS_", "OMP_", "LC_", "LANG", "LD_")
_TOLD = {"PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "NUMBA_CACHE_DIR"}  # which one forked off is told of

_started: dict["subprocess.Popen[str] | Forked", str] = {}  # programs under test, and their marks


class _Forks:
    """Forks programs off a process that has the libraries loaded; see `tests.forking`."""

    def __init__(self, *modules: str) -> None:
        """Start that process, with these modules loaded, too; it ends with this one."""
        self.environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        self._socket, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with there:
            process = subprocess.Popen(
                [sys.executable, Path(__file__).with_name("forking.py"), *modules],
                # Its outputs are pipes as theirs are: what Python knows of them is handed on.
                env=self.environment, stdin=there, stdout=subprocess.PIPE, start_new_session=True,
                stderr=subprocess.PIPE,
            )  # fmt: skip
        atexit.register(process.wait)
        atexit.register(self._socket.close)  # first, which ends it
        self._ended: dict[int, int] = {}

    def serve(self, environment: dict[str, str]) -> bool:
        """Whether nothing in an environment would have been read before a program is forked off."""
        names = {name for name in {*environment, *self.environment} if name.startswith(_READ_AT_START)}
        return all(environment.get(name) == self.environment.get(name) for name in names - _TOLD)

    def fork(self, words: list[str], environment: dict[str, str], folder: Path, files: list[int]) -> int:
        """The process that becomes the program in a folder, with these three files as its standard ones."""
        asked = {"words": words, "environment": environment, "folder": str(folder)}
        socket.send_fds(self._socket, [json.dumps(asked).encode()], files)
        while True:
            process, status = json.loads(self._socket.recv(LARGEST))
            if status is None:
                self._ended.pop(process, None)  # another one had this number before
                return int(process)
            self._ended[process] = status

    def status(self, process: int, seconds: float) -> int | None:
        """The status of a process that ends in that time, as `subprocess` has it."""
        until = monotonic() + seconds
        while process not in self._ended:
            self._socket.settimeout(max(until - monotonic(), 1e-6))
            try:
                ended, status = json.loads(self._socket.recv(LARGEST))
            except TimeoutError:
                return None
            finally:
                self._socket.settimeout(None)
            self._ended[ended] = status
        return self._ended[process]


_forks = cache(_Forks)


class Forked:
    """A program forked off, with what tests use of `subprocess.Popen`."""

    def __init__(
        self, words: list[str], environment: dict[str, str], *modules: str, log: Path | None = None
    ) -> None:
        """Start it without input, with these modules loaded; beside its log, where its outputs go there."""
        self.returncode: int | None = None
        self._words, self._forks = words, _forks(*modules)
        self._texts = ("", "")
        outputs = [] if log else [os.pipe() for _ in range(2)]
        with Path(os.devnull).open("rb") as nothing, (log or Path(os.devnull)).open("wb") as written:
            theirs = [there for _, there in outputs] or [written.fileno()] * 2
            folder = log.parent if log else Path.cwd()
            self.pid = self._forks.fork(words, environment, folder, [nothing.fileno(), *theirs])
        for _, there in outputs:
            os.close(there)
        self._outputs = {here: b"" for here, _ in outputs}

    def poll(self) -> int | None:
        """Its status once it has ended."""
        return self._await(0)

    def kill(self) -> None:
        """Kill it, unless it has ended."""
        self.send_signal(signal.SIGKILL)

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def wait(self, timeout: float) -> int:
        """Its status, once it has ended."""
        if self._await(timeout) is None:
            raise subprocess.TimeoutExpired(self._words, timeout)
        return self.returncode

    def communicate(self, timeout: float) -> tuple[str, str]:
        """Read both outputs to their ends, and wait for its own."""
        until = monotonic() + timeout
        with selectors.DefaultSelector() as selector:
            for output in self._outputs:
                selector.register(output, selectors.EVENT_READ)
            while selector.get_map():
                ready = selector.select(until - monotonic())
                for key, _ in ready:
                    if part := os.read(key.fd, 1 << 16):
                        self._outputs[key.fd] += part
                    else:
                        selector.unregister(key.fd)
                if not ready:
                    raise subprocess.TimeoutExpired(self._words, timeout)
        self.wait(until - monotonic())
        if self._outputs:
            out, err = (text.decode() for text in self._outputs.values())
            self._texts = (out, err)
        for output in self._outputs:
            os.close(output)
        self._outputs = {}
        return self._texts

    def _await(self, seconds: float) -> int | None:
        if self.returncode is None:
            self.returncode = self._forks.status(self.pid, seconds)
        return self.returncode


class ScopedProcess(subprocess.Popen[str]):
    """A process that is killed where its block is left before it has ended."""

    def __exit__(self, *failure: object) -> None:
        """Kill it, and wait for it."""
        self.kill()
        super().__exit__(*failure)


def bare_environment(*folders: Path) -> dict[str, str]:
    """What a program is started with: no screen, and these folders on its path before those here."""
    screen = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    bare = {name: value for name, value in os.environ.items() if name not in screen}
    return bare | {"PYTHONPATH": os.pathsep.join([*map(str, folders), *sys.path])}


def environment(mark: str, *folders: Path) -> dict[str, str]:
    """The same, and a mark to know by what the program starts."""
    return bare_environment(*folders) | {MARK: mark}


def program(
    words: Iterable[object], environment: dict[str, str], module: str = "meshgui", **more: object
) -> "subprocess.Popen[str] | Forked":
    """`python -m meshgui`, or another module, with the given words, in a group of processes of its own.

    A module `-c` is a program of which the first word is the text. It is forked off where that makes no
    difference; options of `subprocess.Popen` do.
    """
    words = [module, *map(str, words)]
    if sys.platform == "linux" and not more and _forks().serve(environment):
        return Forked(words, environment)
    options = {"stdin": subprocess.DEVNULL, **more}
    return subprocess.Popen(
        [sys.executable, *([] if module == "-c" else ["-m"]), *words],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        **options,
    )  # fmt: skip


def completed(*words: object, seconds: float = 120, **more: object) -> "subprocess.CompletedProcess[str]":
    """A command of the system, once it has ended, with both its outputs."""
    return subprocess.run(
        list(map(str, words)), capture_output=True, text=True, check=False, timeout=seconds, **more
    )


def finished(
    words: Iterable[object], environment: dict[str, str], module: str = "meshgui", seconds: float = 120
) -> "subprocess.CompletedProcess[str]":
    """The program with the given words, once it has ended; it is killed where that takes longer."""
    words = list(words)
    started = program(words, environment, module)
    try:
        out, err = started.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        started.kill()
        raise
    return subprocess.CompletedProcess(words, started.returncode, out, err)


def python(module: str, *words: object, **environment: str) -> "subprocess.CompletedProcess[str]":
    """What another module shows, or with `-c` a program, and its status, without a screen."""
    return finished(words, bare_environment() | environment, module, seconds=300)


def start(
    *words: object, mark: object, folders: tuple[Path, ...] = (), **more: object
) -> "subprocess.Popen[str] | Forked":
    """The program with the given words; killed after the test, with all that it started."""
    started = program(words, environment(str(mark), *folders), **more)
    _started[started] = str(mark)
    return started


def kill_started() -> None:
    """Kill all programs that were started and have not ended, with all that they started."""
    while _started:
        program, mark = _started.popitem()
        program.kill()
        for process in alive(mark):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        program.communicate(timeout=60)


def alive(mark: str) -> list[int]:
    """The processes started with a mark, and those they started, that have not ended."""
    wanted = f"{MARK}={mark}".encode()
    # The environment of one that was forked off is that from before, for all that asks from outside.
    found = [
        each.pid for each, of in _started.items()
        if of == mark and isinstance(each, Forked) and each.poll() is None
    ]  # fmt: skip
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (folder / "environ").read_bytes().split(b"\0") and not _is_dead(folder):
                found.append(int(folder.name))
        except OSError:  # it has ended
            continue
    return found


def wait_until(holds, seconds: float) -> bool:
    """Whether something becomes true in that time."""
    until = monotonic() + seconds
    while not holds():
        if monotonic() > until:
            return False
        sleep(0.01)
    return True


def _is_dead(folder: Path) -> bool:
    status = (folder / "stat").read_text(encoding="ascii", errors="replace")
    return status.rpartition(")")[2].split()[0] in {"Z", "X"}
