"""Measures how long commands take to end after Ctrl+C and SIGTERM, each in the midst of its work.

`.venv/bin/python tools/measure_stops.py --samples 10 --seed 1`. With `--cold` each has its kernels to
compile; with `--explain DIR`, what a process did that took longer than 0.05 s is written there.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from meshgui.model.document.examples import example

_SIGNALS: Final = {"Ctrl+C": signal.SIGINT, "SIGTERM": signal.SIGTERM}
_EARLIEST, _LATEST = 1.5, 4.0  # seconds after the start for which the moment is drawn
_EXPLAINED: Final = 0.05  # seconds between two looks at what a process does
_PATIENCE: Final = 30.0  # seconds for a process to end

# Imported by each process at its start: on a signal its main thread writes what it does, in foreign code too.
_WATCH: Final = """
import faulthandler, os, pathlib, signal
kept = open(pathlib.Path(os.environ["MEASURE_STOPS"]) / f"{os.getpid()}.txt", "w")
faulthandler.register(signal.SIGUSR1, file=kept, all_threads=False)
"""


class Stop(NamedTuple):
    """One interrupted process."""

    status: int
    first: float  # seconds to the end of the process that was started
    last: float  # seconds to the end of all that it had started


def commands(folder: Path) -> dict[str, list[str]]:
    """Work that continues for longer than it may."""
    packets = folder / "packets.csv"
    _write_packets(packets)
    load, tbl = str(example("first-fit-16x16")), str(example("tbl-under-load"))
    data = json.loads(Path(load).read_text(encoding="utf-8"))
    data["workload"]["jobs"] = 400_000
    long = folder / "long.meshgui.json"
    long.write_text(json.dumps(data), encoding="utf-8")
    short = folder / "short.meshgui.json"
    data["workload"]["jobs"] = 5000
    short.write_text(json.dumps(data), encoding="utf-8")
    out = folder / "out"
    out.mkdir()
    many = ["--vary", "workload.load=1..9/0.1", "--min-runs", "1000", "--jobs"]
    return {
        "run": ["run", str(long)],
        "trace": ["trace", str(long), "--job", "399999"],
        "sweep --jobs 1": ["sweep", str(short), *many, "1", "--csv", str(out / "sweep1.csv")],
        "sweep --jobs 2": ["sweep", str(short), *many, "2", "--csv", str(out / "sweep2.csv")],
        "growth": ["growth"],
        "check": ["check", "gabl"],
        "network": [
            "network", "--shape", "48,48", "--flits", "64",
            "--packets", str(packets), "--out", str(out / "packets.csv"),
        ],
        "render, a picture": ["render", str(long), "--at", "1000", "--out", str(out / "picture.png")],
        "render, a GIF": ["render", load, "--from", "0", "--out", str(out / "film.gif")],
        "render, an MP4": ["render", tbl, "--from", "0", "--out", str(out / "film.mp4")],
        "bench": ["bench", "--only", "first-fit"],
        "reproduce --jobs 1": ["reproduce", "--jobs", "1"],
        "prepare": ["prepare"],
    }  # fmt: skip


def stop(
    words: list[str], number: signal.Signals, after: float, explained: Path | None, kernels: str | None = None
) -> Stop:
    """Start a command, send a signal once it has worked for a while, and wait for its end."""
    environment = dict(os.environ)
    environment.pop("PYTHONUNBUFFERED", None)
    environment |= {} if kernels is None else {"NUMBA_CACHE_DIR": kernels}
    if explained is not None:
        explained.mkdir(parents=True, exist_ok=True)
        watch = explained / "sitecustomize.py"
        watch.write_text(_WATCH, encoding="utf-8")
        environment |= {"PYTHONPATH": str(explained), "MEASURE_STOPS": str(explained)}
    process = subprocess.Popen(
        [sys.executable, "-m", "meshgui", *words],
        start_new_session=True,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(after)
    if process.poll() is not None:
        raise SystemExit(f"{' '.join(words)} had ended after {after:.1f} s, with status {process.returncode}")
    began = time.monotonic()
    # Ctrl+C goes to every process of a terminal, a terminating signal to the one that was named
    (os.killpg if number == signal.SIGINT else os.kill)(process.pid, number)
    ended = threading.Event()
    threading.Thread(target=_watch, args=(process.pid, ended, explained)).start()
    process.wait()  # without a limit, for which it would look only every twentieth of a second
    ended.set()
    first = time.monotonic() - began
    while any(_members(process.pid)):
        time.sleep(0.002)
    return Stop(process.returncode, first, time.monotonic() - began)


def main() -> int:
    """Measure, a row for each command as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", help="a command, as a row calls it")
    parser.add_argument("--explain", type=Path)
    parser.add_argument("--cold", action="store_true")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    _write("| command | signal | median, worst of the first process | of all | statuses |")
    _write("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, words in commands(Path(folder)).items():
            if options.only and name not in options.only:
                continue
            for said, number in _SIGNALS.items():
                stops = []
                for sample in range(options.samples):
                    after = draw.uniform(_EARLIEST, _LATEST)
                    kept = options.explain and options.explain / f"{name} {said} {sample}".replace(" ", "-")
                    with tempfile.TemporaryDirectory() as kernels:
                        stops.append(stop(words, number, after, kept, kernels if options.cold else None))
                    if kept is not None:
                        (kept / "took.txt").write_text(f"{stops[-1]} after {after}\n", encoding="utf-8")
                firsts, lasts = ([1000 * each[k] for each in stops] for k in (1, 2))
                figures = " | ".join(f"{statistics.median(ms):.0f}, {max(ms):.0f}" for ms in (firsts, lasts))
                statuses = sorted({each.status for each in stops})
                _write(f"| `{name}` | {said} | {figures} | {statuses} |")
    return 0


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _watch(group: int, ended: threading.Event, explained: Path | None) -> None:
    """Ask the processes of a group what they do until they end; kill what does not end."""
    for _ in range(round(_PATIENCE / _EXPLAINED)):
        if ended.wait(_EXPLAINED):
            return
        for each in _members(group) if explained is not None else ():
            if (explained / f"{each}.txt").exists():  # else the signal would end it
                with suppress(ProcessLookupError):
                    os.kill(each, signal.SIGUSR1)
    os.killpg(group, signal.SIGKILL)


def _members(group: int) -> Iterator[int]:
    """The processes of a group that are still at work."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == group and fields[0] != "Z":  # the session, which a group's child keeps
                yield int(entry.name)


def _write_packets(file: Path) -> None:
    draw = random.Random(1)
    with file.open("w", newline="", encoding="utf-8") as opened:
        writer = csv.writer(opened)
        writer.writerow(["time", "sx", "sy", "sz", "dx", "dy", "dz"])
        for n in range(1_000_000):
            start, end = draw.sample(range(48 * 48), 2)
            writer.writerow([n // 200, *divmod(start, 48), 0, *divmod(end, 48), 0])


if __name__ == "__main__":
    sys.exit(main())
