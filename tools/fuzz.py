"""Reads spoilt files of every kind for as long as one likes: `make fuzz MINUTES=10 KIND=scenario SEED=1`.

With the package `atheris` the branches that a file reaches guide what is spoilt next; without it the seed
alone draws the files. What is found lies in build/fuzz, and `KIND=… FILE=…` reads it once more.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Final

ROOT: Final = Path(__file__).parents[1]
FOUND: Final = ROOT / "build" / "fuzz"
_LONGEST: Final = 10.0  # seconds of a processor that reading a small file may take
_TOO_LONG: Final = 60.0  # seconds after which it is ended
_MOST_HELD: Final = 1 << 30  # bytes more that the process may hold while it reads
sys.path.insert(0, str(ROOT))

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # for the windows that read settings

from tests.fuzzing import TARGETS as PLAIN_TARGETS  # noqa: E402
from tests.fuzzing import HarmDoneError, feed, memory_bound_of, memory_of, spoil, spoilt  # noqa: E402 - the path is set above
from tests.views.fuzzing import WINDOW_TARGETS  # noqa: E402
from tests.views.text_fuzzing import TEXT_TARGETS  # noqa: E402

TARGETS: Final = PLAIN_TARGETS | WINDOW_TARGETS | TEXT_TARGETS

_MEMORY_EVERY: Final = 50  # files, as measuring it takes long


def read_drawn(kind: str, seed: int, seconds: float) -> tuple[int, int, int]:
    """Read files drawn by a seed for so long: how many, in how many different lines, and the faults."""
    target, number = TARGETS[kind], 0
    lines: set[str] = set()
    faults: set[str] = set()
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        while time.monotonic() < end:
            draw = random.Random(f"{seed} {number}")
            content = spoilt(target, draw)
            number += 1
            try:
                line = _read(kind, content, folder, measured=number % _MEMORY_EVERY == 0)
            except (Exception, HarmDoneError) as fault:  # noqa: BLE001 - any is a finding
                if (found := f"{type(fault).__name__}: {fault}"[:200]) not in faults:
                    _say(found)
                faults.add(found)
            else:
                lines.add(line.partition(": ")[2])
    return number, len(lines), len(faults)


def _read(kind: str, content: bytes, folder: Path, *, measured: bool) -> str:
    """Read one file; what should not happen is kept in a file of its own."""
    target, begun = TARGETS[kind], time.process_time()
    FOUND.mkdir(parents=True, exist_ok=True)
    name = f"{kind.replace(' ', '-')}-{hashlib.sha256(content).hexdigest()[:12]}"
    file = FOUND / f"{name}-{os.getpid()}"  # another process may draw the same
    file.write_bytes(content)  # before it is read, as that may end the process
    try:
        with _bounded():
            memory = memory_of(target, content, folder) if measured else 0
            line = feed(target, content, folder)
        took = time.process_time() - begun
        _hold(memory <= memory_bound_of(content), f"it takes {memory >> 20} MB")
        _hold(took < _LONGEST, f"it takes {took:.0f} seconds")
    except BaseException:
        _say(f"found: {file.relative_to(ROOT)}")
        raise
    file.unlink()
    return line


@contextmanager
def _bounded() -> Iterator[None]:
    """A block that is ended where it takes too long, or a gigabyte more than there was before it."""

    def stop(_: int, __: object) -> None:
        raise TimeoutError(f"it takes more than {_TOO_LONG:.0f} seconds")

    limit = resource.getrlimit(resource.RLIMIT_DATA)
    held = int(re.findall(r"VmData:\s*(\d+)", Path("/proc/self/status").read_text("ascii"))[0]) << 10
    resource.setrlimit(resource.RLIMIT_DATA, (held + _MOST_HELD, limit[1]))
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, _TOO_LONG)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        resource.setrlimit(resource.RLIMIT_DATA, limit)


def _hold(sound: bool, fault: str) -> None:
    if not sound:
        raise AssertionError(fault)


def read_guided(kind: str, seed: int, seconds: float) -> None:
    """Have atheris choose by the branches that are reached; it ends the process."""
    import atheris  # type: ignore[import-not-found]

    target, folder, work = TARGETS[kind], Path(tempfile.mkdtemp()), Path(tempfile.mkdtemp())
    for number, content in enumerate(target.examples()):
        (folder / f"example-{number}").write_bytes(content)

    def one(content: bytes) -> None:
        _read(kind, content, work, measured=False)

    def mutate(content: bytes, most: int, drawn: int) -> bytes:
        return (target.spoil_own or spoil)(content, random.Random(drawn))[:most]

    limits = f"-max_total_time={seconds:.0f}", f"-seed={seed}", "-max_len=65536"
    FOUND.mkdir(parents=True, exist_ok=True)
    told = "-print_final_stats=1", f"-artifact_prefix={FOUND}/"
    gc.unfreeze()  # what the program has frozen would not be found
    for function in [one for one in gc.get_objects() if isinstance(one, FunctionType)]:
        if (function.__module__ or "").startswith("meshgui"):  # libraries have ten times as many, for minutes
            atheris.instrument_func(function)
    atheris.Setup([sys.argv[0], *limits, *told, str(folder)], one, custom_mutator=mutate)
    atheris.Fuzz()


def main() -> int:
    """Read files of one kind, or of all; the exit status."""
    parser = argparse.ArgumentParser(description="read spoilt files")
    parser.add_argument("--kind", choices=sorted(TARGETS))
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--file", type=Path, help="read this one only")
    parser.add_argument("--guided", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.file is not None:
        TARGETS[options.kind].examples()  # opens the window that reads some kinds
        with tempfile.TemporaryDirectory() as name:
            _say(_read(options.kind, options.file.read_bytes(), Path(name), measured=True) or "it is sound")
        return 0
    if options.guided:
        read_guided(options.kind, options.seed, options.minutes * 60)
    kinds = [options.kind] if options.kind else sorted(TARGETS)
    seconds = options.minutes * 60 / len(kinds)
    _say(f"seed {options.seed}")
    failed = 0
    for kind in kinds:
        if _has_atheris():
            words = ["--guided", "--kind", kind, "--minutes", str(seconds / 60), "--seed", str(options.seed)]
            environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}  # no code is compiled that counts branches
            done = subprocess.run([sys.executable, __file__, *words], check=False, env=environment)
            failed += done.returncode != 0
            continue
        read, lines, faults = read_drawn(kind, options.seed, seconds)
        failed += faults
        _say(f"{kind}: {read} files read, {lines} different ends, {faults} faults")
    return int(failed > 0)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _has_atheris() -> bool:
    from importlib.util import find_spec

    return find_spec("atheris") is not None


if __name__ == "__main__":
    os.environ.setdefault("MESHGUI_MEMORY_GB", "1")
    sys.exit(main())
