"""Seeds faults into the engine, one at a time, and lists those that no test notices.

A fault lives in the memory of a forked process only: the file stays as it is. Of each area the tests are run
once to see which of them reach which line; a fault has to be caught by those that reach its own. Which faults
are seeded is drawn with a fixed seed. Areas with kernels run as plain Python.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any, Final, NamedTuple

from fault_sites import Fault, faults_in, with_fault

ROOT: Final = Path(__file__).parent.parent
REMARKS: Final = Path(__file__).with_name("fault_remarks.json")
_WANTED: Final = 0.95  # of the faults that are no mere variants of what is right
_PRELOADED: Final = ("numpy", "scipy.special", "pydantic", "hypothesis", "pytest", "coverage")
_MEMORY: Final = 6 << 30
_PATIENCE: Final = 1800  # seconds that the tests of an area may take without a fault
_BROKEN: Final = 70  # the status of a process that failed outside the tests
_SLOWEST: Final = 10  # times as long as the tests take without a fault


class Area(NamedTuple):
    """Sources, and the tests among which those that reach them are found."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]
    plain: bool = False  # whether kernels run as plain Python, and of the tests those marked `kernel`

    @property
    def selected(self) -> tuple[str, ...]:
        """What pytest is to run."""
        return (*self.tests, "-m", "kernel") if self.plain else self.tests


_ALLOCATION: Final = ("tests/golden", "tests/properties", "tests/engine/allocation")
_NETWORK: Final = (
    "tests/engine/network",
    "tests/properties/test_network.py",
    "tests/engine/test_network_measures.py",
)
AREAS: Final = {
    "geometry": Area(
        ("meshgui/engine/geometry.py",),
        (
            "tests/engine/test_geometry.py", "tests/golden/test_gabl.py",
            "tests/engine/network/test_routing.py",
        ),
    ),
    "measures": Area(
        ("meshgui/engine/measures.py", "meshgui/engine/spread.py"),
        (
            "tests/engine/test_measures.py", "tests/engine/test_network_measures.py",
            "tests/engine/test_spread.py", "tests/engine/test_recording.py",
        ),
    ),
    "scheduling": Area(
        ("meshgui/engine/scheduling/*.py",),
        ("tests/engine/scheduling",),
    ),
    "statistics": Area(
        ("meshgui/engine/statistics.py",),
        ("tests/engine/test_statistics.py", "tests/experiment/test_batches.py"),
    ),
    "judging": Area(("meshgui/catalogue/judging.py",), ("tests/catalogue/test_judging.py",)),
    "allocation": Area(("meshgui/engine/allocation/*.py",), _ALLOCATION, plain=True),
    "network": Area(
        ("meshgui/engine/network/*.py", "meshgui/engine/network/patterns/*.py"), _NETWORK, plain=True
    ),
    "workload": Area(("meshgui/engine/workload/*.py",), ("tests/engine/workload",)),
    "simulation": Area(
        (
            "meshgui/engine/simulation.py", "meshgui/engine/recorder.py", "meshgui/engine/recording.py",
            "meshgui/engine/audit.py",
        ),
        ("tests/engine/test_simulation.py", "tests/engine/test_recording.py", "tests/engine/test_moment.py",
         "tests/engine/test_reservations.py"),
    ),
}  # fmt: skip


class Reach(NamedTuple):
    """Which tests reach which line, and how long each takes."""

    lines: dict[str, dict[int, list[str]]]  # by file
    seconds: dict[str, float]

    def of(self, file: str, line: int) -> list[str]:
        """The tests that reach a line, the quickest first; of one run at import only, all there are."""
        tests = self.lines.get(file, {}).get(line) or list(self.seconds)
        return sorted(tests, key=lambda test: (self.seconds.get(test, 0.0), test))


class Outcome(NamedTuple):
    """A fault and how it fared."""

    file: str
    fault: Fault
    caught: bool
    how: str  # caught, too slow, reached by no test, or not caught


# Processes with pytest in them


class Recorder:
    """A pytest plugin: the lines and seconds of each test."""

    def __init__(self, files: Iterable[str]) -> None:
        import coverage

        self.coverage = coverage.Coverage(data_file=None, include=[str(ROOT / file) for file in files])
        self.seconds: dict[str, float] = {}
        self.coverage.start()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Count lines for this test from here on."""
        self.coverage.switch_context(nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:  # noqa: ANN401 - of pytest
        """Add a part of a test's time."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration

    def reach(self) -> Reach:
        """What has been recorded."""
        self.coverage.stop()
        data = self.coverage.get_data()
        lines = {}
        for file in data.measured_files():
            found = data.contexts_by_lineno(file).items()
            lines[str(Path(file).relative_to(ROOT))] = {
                line: sorted(filter(None, contexts)) for line, contexts in found if any(contexts)
            }
        return Reach(lines, self.seconds)


class Chosen:
    """A pytest plugin: only these tests, in this order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self._place = {test: place for place, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Leave out all others."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self._place), key=lambda item: self._place[item.nodeid]
        )


def in_a_child(work: Any, seconds: float) -> tuple[int, bytes]:  # noqa: ANN401 - any function
    """The status and the output of a function in a forked process; status -1 if it took too long."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.setsid()
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silence, stream)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        status = _BROKEN
        try:
            status = work(writer)
        except BaseException as error:  # noqa: BLE001 - said by the parent
            os.write(writer, f"{type(error).__name__}: {error}".encode())
        finally:
            os._exit(status)
    os.close(writer)
    deadline = time.monotonic() + seconds
    os.set_blocking(reader, False)
    output = b""
    while True:
        with suppress(BlockingIOError):
            output += os.read(reader, 1 << 20)
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            os.set_blocking(reader, True)
            while part := os.read(reader, 1 << 20):
                output += part
            os.close(reader)
            return os.waitstatus_to_exitcode(status), output
        if time.monotonic() > deadline:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.close(reader)
            return -1, output
        time.sleep(0.02)


def pytest_status(arguments: Sequence[str], plugin: object) -> int:
    """Run pytest in this process."""
    import pytest

    quiet = ("-q", "-p", "no:cacheprovider", "-p", "no:cov", "--no-header")
    preloaded = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
    return int(pytest.main([*quiet, *preloaded, *arguments], plugins=[plugin]))


def recorded(area: Area, files: Sequence[str], seconds: float) -> Reach:
    """Run an area's tests without a fault."""

    def work(writer: int) -> int:
        recorder = Recorder(files)
        status = pytest_status(area.selected, recorder)
        with os.fdopen(writer, "wb") as out:
            out.write(json.dumps(recorder.reach()).encode())
        return status

    status, output = in_a_child(work, seconds)
    if status != 0:
        why = output.decode() if status == _BROKEN else f"status {status}"
        raise SystemExit(f"the tests fail without a fault: {' '.join(area.tests)} ({why})")
    lines, took = json.loads(output)
    by_line = {file: {int(n): tests for n, tests in found.items()} for file, found in lines.items()}
    return Reach(by_line, took)


def outcome_of(file: str, source: str, fault: Fault, reach: Reach) -> Outcome:
    """Seed a fault and run the tests that reach it, until one fails."""
    tests = reach.of(file, fault.line)
    if not tests:
        return Outcome(file, fault, caught=False, how="reached by no test")
    took = sum(reach.seconds.get(test, 0.0) for test in tests)
    path = str(ROOT / file)
    tree = with_fault(source, fault)

    def work(_: int) -> int:
        seed(path, tree)
        files = sorted({test.partition("::")[0] for test in tests})
        return pytest_status(["-x", *files], Chosen(tests))

    status, output = in_a_child(work, 20 + _SLOWEST * took)
    if status == _BROKEN:
        raise SystemExit(f"{key_of(Outcome(file, fault, caught=False, how=''))}: {output.decode()}")
    if status == -1:
        return Outcome(file, fault, caught=True, how="too slow")
    return Outcome(file, fault, caught=status != 0, how="caught" if status else "not caught")


def seed(path: str, tree: ast.Module) -> None:
    """Have the file imported with this tree in place of its own."""
    usual = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        if self.get_filename(fullname) == path:
            return compile(tree, path, "exec", dont_inherit=True)
        return usual(self, fullname)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]


# The whole


def drawn(sources: Mapping[str, str], share: float, number: int) -> list[tuple[str, Fault]]:
    """The faults to seed: a share of all, drawn with a seed."""
    every = [(file, fault) for file, source in sources.items() for fault in faults_in(source)]
    count = max(1, round(share * len(every)))
    chosen = random.Random(number).sample(range(len(every)), min(count, len(every)))
    return [every[place] for place in sorted(chosen)]


def outcomes(area: Area, share: float, number: int) -> Iterator[Outcome]:
    """Every fault drawn of an area."""
    files = sorted(str(path.relative_to(ROOT)) for glob in area.sources for path in ROOT.glob(glob))
    sources = {file: (ROOT / file).read_text(encoding="utf-8") for file in files}  # as they are now
    reach = recorded(area, files, _PATIENCE)
    chosen = drawn(sources, share, number)
    for place, (file, fault) in enumerate(chosen):
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{place} of {len(chosen)} faults ")
        yield outcome_of(file, sources[file], fault, reach)


def summary(found: Sequence[Outcome], remarks: dict[str, str]) -> tuple[int, int, int]:
    """How many faults were seeded, how many caught, and how many are explained as no faults."""
    explained = sum(not one.caught and key_of(one) in remarks for one in found)
    return len(found), sum(one.caught for one in found), explained


def key_of(outcome: Outcome) -> str:
    """By which a remark is found."""
    return f"{outcome.file} {outcome.fault.words}"


def main() -> int:
    """Seed, run, and say what was not caught."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("areas", nargs="*", metavar="AREA", help=f"of {', '.join(AREAS)} (all)")
    parser.add_argument("--share", type=float, default=0.2, help="of the faults that can be seeded")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    options = parser.parse_args()
    names = options.areas or list(AREAS)
    if unknown := [name for name in names if name not in AREAS]:
        parser.error(f"no area is called {unknown[0]}: expected some of {', '.join(AREAS)}")
    remarks = json.loads(REMARKS.read_text(encoding="utf-8")) if REMARKS.exists() else {}
    plain = {AREAS[name].plain for name in names}
    if len(plain) > 1:  # Numba reads this once
        parts = ([n for n in names if not AREAS[n].plain], [n for n in names if AREAS[n].plain])
        again = [sys.executable, __file__, "--share", str(options.share), "--seed", str(options.seed)]
        return max([subprocess.run([*again, *part], check=False).returncode for part in parts])
    if plain == {True}:
        os.environ["NUMBA_DISABLE_JIT"] = "1"
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    for module in _PRELOADED:
        importlib.import_module(module)
    met = True
    for name in names:
        found = []
        for outcome in outcomes(AREAS[name], options.share, options.seed):
            found.append(outcome)
            if not outcome.caught:
                remark = remarks.get(key_of(outcome), "UNEXPLAINED")
                say(f"{outcome.file}:{outcome.fault.line} {outcome.fault.words}: {outcome.how}: {remark}")
        seeded, caught, explained = summary(found, remarks)
        of = max(seeded - explained, 1)
        say(f"{name}: {caught} of {of} faults caught ({caught / of:.1%}), {explained} more change nothing")
        met = met and caught / of >= _WANTED
    return 0 if met else 1


def say(words: str) -> None:
    """A line of the report, at once."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
