"""The processes of a program under test: started in a group of their own, listed, and waited for."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

__all__ = ["ScopedProcess", "alive", "environment", "kill_started", "start", "wait_until"]

MARK = "MESHGUI_TEST_MARK"  # in the environment of all that a program under test starts

_started: dict[subprocess.Popen[str], str] = {}  # programs under test, and their marks


class ScopedProcess(subprocess.Popen[str]):
    """A process that is killed where its block is left before it has ended."""

    def __exit__(self, *failure: object) -> None:
        """Kill it, and wait for it."""
        self.kill()
        super().__exit__(*failure)


def environment(mark: str, *folders: Path) -> dict[str, str]:
    """What a program is started with: no screen, these folders on its path, and a mark to know its own by."""
    screen = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    bare = {name: value for name, value in os.environ.items() if name not in screen}
    return bare | {"PYTHONPATH": os.pathsep.join([*map(str, folders), *sys.path]), MARK: mark}


def start(
    *words: object, mark: object, folders: tuple[Path, ...] = (), **more: object
) -> subprocess.Popen[str]:
    """`python -m meshgui` with the given words, in a group of processes of its own; killed after the test."""
    options = {"stdin": subprocess.DEVNULL, **more}
    program = subprocess.Popen(
        [sys.executable, "-m", "meshgui", *map(str, words)],
        env=environment(str(mark), *folders),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **options,
    )
    _started[program] = str(mark)
    return program


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
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (folder / "environ").read_bytes().split(b"\0") and not _is_dead(folder):
                found.append(int(folder.name))
        except OSError:  # it has ended meanwhile
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
