"""Runs tests on source files with a fault in them: the reach of each test, and those that notice a fault.

Everything happens in forked processes; no file is changed. Kernels run as plain Python.
"""

from __future__ import annotations

import gc
import importlib
import inspect
import json
import math
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final, NamedTuple

from fault_sites import Fault, with_fault

__all__ = [
    "ROOT",
    "Outcome",
    "Reach",
    "Seeded",
    "changed_functions",
    "is_inside",
    "outcome_at_import",
    "outcomes",
    "reach_of",
]

ROOT: Final = Path(__file__).resolve().parent.parent
_MEMORY: Final = 6 << 30
_BROKEN: Final = 70  # the status of a process that failed outside the tests
_PATIENCE: Final = 3600  # seconds that all tests may take without a fault, with their lines recorded
_GRACE: Final = 5  # seconds that any test may take
_SLOWEST: Final = 10  # times as long as it takes without a fault
_FEWER: Final = 20  # by how much tests.scale divides the examples of plain Python
_ARGUMENTS: Final = (
    "-q", "-s", "-p", "no:cacheprovider", "-p", "no:cov", "-p", "no:xdist", "-p", "no:pytest-qt",
    "-W", "ignore::pytest.PytestAssertRewriteWarning",
)  # fmt: skip


class Seeded(NamedTuple):
    """A fault in a file."""

    file: str
    source: str
    fault: Fault

    @property
    def path(self) -> str:
        """Where Python finds the file."""
        return str(ROOT / self.file)

    @property
    def key(self) -> str:
        """The fault's name in the list of remarks."""
        return f"{self.file} {self.fault.words}"

    def code(self) -> CodeType:
        """The file with the fault, compiled."""
        return compile(with_fault(self.source, self.fault), self.path, "exec", dont_inherit=True)


class Outcome(NamedTuple):
    """Whether a test noticed a fault, and which."""

    seeded: Seeded
    caught: bool
    how: str


Tell = Callable[[Outcome], None]


class Reach(NamedTuple):
    """Which tests reach which line, and how long each takes."""

    lines: dict[str, dict[int, list[str]]]  # by file
    seconds: dict[str, float]

    def of(self, seeded: Seeded, budget: float) -> list[str]:
        """The tests that may notice a fault, as many as the budget allows: those that reach its line.

        If the line runs at import, these are all that reach the file, and those of the folder that mirrors
        its own, which may read its constants. Those in a file named for the source come first, then the
        quickest.
        """
        found = self.lines.get(seeded.file, {})
        room = f"{Path('tests', *Path(seeded.file).parent.parts[1:])}/"
        own = f"/test_{Path(seeded.file).stem}.py::"
        tests = found.get(seeded.fault.line) or {
            *(test for line in found.values() for test in line),
            *(test for test in self.seconds if test.startswith(room)),
        }
        chosen, spent = [], 0.0
        for test in sorted(tests, key=lambda test: (own not in test, self.seconds[test], test)):
            spent += self.seconds[test]
            if chosen and spent > budget:
                break
            chosen.append(test)
        return chosen


# Processes


def in_a_child(work: Callable[[int], int], seconds: float) -> tuple[int, bytes]:
    """The status and the output of a function in a forked process; minus the signal that ended it."""
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
        if not done and time.monotonic() > deadline:
            os.killpg(child, signal.SIGKILL)
            done, status = os.waitpid(child, 0)
        if done:
            with suppress(ProcessLookupError):  # what it has started
                os.killpg(child, signal.SIGKILL)
            with suppress(BlockingIOError):
                while part := os.read(reader, 1 << 20):
                    output += part
            os.close(reader)
            return os.waitstatus_to_exitcode(status), output
        time.sleep(0.01)


def pytest_status(arguments: Sequence[str], plugin: object) -> int:
    """Run pytest in this process."""
    import pytest

    return int(pytest.main([*_ARGUMENTS, *arguments], plugins=[plugin]))


class Silent:
    """A pytest plugin: no report."""

    def pytest_configure(self, config: Any) -> None:  # noqa: ANN401 - of pytest
        """Remove the reporter."""
        config.pluginmanager.unregister(name="terminalreporter")


class WithoutShrinking(Silent):
    """A pytest plugin: a failing example is enough, it need not be the smallest."""

    def pytest_collection(self) -> None:
        """Change the profile before tests are imported."""
        from hypothesis import Phase, settings

        settings.register_profile(
            "faults", settings(), phases=(Phase.explicit, Phase.generate), database=None
        )
        settings.load_profile("faults")


# Without a fault


class LineRecorder(Silent):
    """A pytest plugin: the lines and seconds of each test."""

    def __init__(self, files: Iterable[str]) -> None:
        import coverage

        self.coverage = coverage.Coverage(data_file=None, include=[str(ROOT / file) for file in files])
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    def pytest_collection_finish(self) -> None:
        """Record from here on."""
        self.coverage.start()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Count lines for this test from here on."""
        self.coverage.switch_context(nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:  # noqa: ANN401 - of pytest
        """Add a part of a test's time."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.failed.add(report.nodeid)

    def reach(self) -> Reach:
        """What has been recorded, of the tests that pass."""
        self.coverage.stop()
        data = self.coverage.get_data()
        passed = self.seconds.keys() - self.failed
        lines = {}
        for file in data.measured_files():
            found = data.contexts_by_lineno(file).items()
            lines[str(Path(file).relative_to(ROOT))] = {
                line: sorted(passed.intersection(contexts)) for line, contexts in found
            }
        return Reach(lines, {test: self.seconds[test] for test in passed})


def reach_of(files: Sequence[str], tests: Sequence[str]) -> Reach:
    """Run tests without a fault: what each reaches of the files."""

    def work(writer: int) -> int:
        recorder = LineRecorder(files)
        status = pytest_status(tests, recorder)
        with os.fdopen(writer, "wb") as out:
            out.write(json.dumps([*recorder.reach(), sorted(recorder.failed)]).encode())
        return status

    status, output = in_a_child(work, _PATIENCE)
    if status not in {0, 1}:
        why = output.decode() if status == _BROKEN else f"status {status}"
        raise SystemExit(f"the tests cannot be run without a fault: {' '.join(tests)} ({why})")
    lines, seconds, failed = json.loads(output)
    for test in failed:
        sys.stderr.write(f"{test} fails without a fault: it is left out\n")
    return Reach({file: {int(n): ids for n, ids in found.items()} for file, found in lines.items()}, seconds)


# With a fault that takes effect when its file is imported


class Chosen(WithoutShrinking):
    """A pytest plugin: only these tests, in this order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self._place = {test: place for place, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Leave out all others."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self._place), key=lambda item: self._place[item.nodeid]
        )


def outcome_at_import(seeded: Seeded, reach: Reach, budget: float) -> Outcome:
    """Import everything again with the fault, and run the tests that reach it until one fails."""
    tests = reach.of(seeded, budget)
    took = sum(reach.seconds[test] for test in tests)

    def work(_: int) -> int:
        _import_with_fault(seeded)
        files = sorted({test.partition("::")[0] for test in tests})
        return pytest_status(["-x", *files], Chosen(tests))

    if not tests:
        return Outcome(seeded, caught=False, how="reached by no test")
    return _judged(seeded, *in_a_child(work, 60 + _SLOWEST * took))


def _import_with_fault(seeded: Seeded) -> None:
    usual, path, code = SourceFileLoader.get_code, seeded.path, seeded.code()

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        return code if self.get_filename(fullname) == path else usual(self, fullname)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]


def _judged(seeded: Seeded, status: int, output: bytes) -> Outcome:
    if status == _BROKEN:
        return Outcome(seeded, caught=False, how=f"could not be seeded ({output.decode()})")
    if status < 0:
        return Outcome(seeded, caught=True, how="too slow")
    words = output.decode().strip() or "caught"
    return Outcome(seeded, caught=status != 0, how=words if status else "not caught")


# With a fault inside functions: all tests are imported once, and each fault gets a fork of that process


def changed_functions(before: CodeType, after: CodeType) -> list[tuple[CodeType, CodeType]] | None:
    """The functions of a file that a fault changes; None if it changes what runs at import."""
    if _own(before) != _own(after):
        return None
    found = []
    for one, other in zip(_inside(before), _inside(after), strict=True):
        if one == other:
            continue
        if one.co_flags & inspect.CO_NEWLOCALS:
            if one.co_name.startswith("<") or one.co_freevars != other.co_freevars:
                return None
            found.append((one, other))
            continue
        deeper = changed_functions(one, other)
        if deeper is None:
            return None
        found += deeper
    return found


def _inside(code: CodeType) -> list[CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def _own(code: CodeType) -> tuple[object, ...]:
    constants = [None if isinstance(c, CodeType) else c for c in code.co_consts]
    return code.co_code, code.co_names, repr(constants)


def is_inside(seeded: Seeded) -> bool:
    """Whether a fault is inside functions."""
    return bool(_changes(seeded))


def _changes(seeded: Seeded) -> list[tuple[CodeType, CodeType]] | None:
    before = compile(seeded.source, seeded.path, "exec", dont_inherit=True)
    return changed_functions(before, seeded.code())


def functions_now() -> list[FunctionType]:
    """All functions that there are."""
    gc.unfreeze()  # what was frozen after it was loaded is in no list of objects
    # By their type: a weak proxy whose object is gone answers isinstance with an error.
    return [one for one in gc.get_objects() if type(one) is FunctionType]


def put_in_place(seeded: Seeded, functions: Iterable[FunctionType]) -> None:
    """Change those of the functions that are in the file, which is imported now if it was not before."""
    module = ".".join(Path(seeded.file).with_suffix("").parts).removesuffix(".__init__")
    if module not in sys.modules:
        importlib.import_module(module)
        functions = functions_now()
    new = {(old.co_qualname, old.co_firstlineno): other for old, other in _changes(seeded) or ()}
    found = False
    for function in functions:
        code = function.__code__
        if (code.co_qualname, code.co_firstlineno) in new and _is_of(code, seeded):
            function.__code__ = new[code.co_qualname, code.co_firstlineno]
            found = True
    if not found:
        raise LookupError(f"no function of {module} has this code")


def _is_of(code: CodeType, seeded: Seeded) -> bool:
    """Whether code is that of the file, no matter by which path it was imported."""
    return Path(code.co_filename).resolve() == Path(seeded.path)


class Session(WithoutShrinking):
    """A pytest plugin: instead of running the tests once, run those of each fault in a fork."""

    def __init__(
        self, faults: Sequence[Seeded], reach: Reach, budget: float, tell: Tell, *, thorough: bool
    ) -> None:
        self._faults, self._reach, self._budget, self._tell = faults, reach, budget, tell
        self._thorough = thorough

    def pytest_runtestloop(self, session: Any) -> bool:  # noqa: ANN401 - of pytest
        """Run."""
        items = {item.nodeid: item for item in session.items}
        gc.collect()
        functions = functions_now()
        gc.freeze()
        for seeded in self._faults:
            tests = [test for test in self._reach.of(seeded, self._budget) if test in items]
            outcome = self._outcome(seeded, functions, [items[test] for test in tests])
            if self._thorough and not outcome.caught:
                properties = [items[test] for test in tests if _is_property(items[test])]
                again = self._outcome(seeded, functions, properties, examples=_FEWER)
                outcome = again if again.caught else outcome
            self._tell(outcome)
        return True

    def _outcome(
        self,
        seeded: Seeded,
        functions: Sequence[FunctionType],
        items: Sequence[Any],
        examples: int = 1,
    ) -> Outcome:
        """The outcome of running some tests, with a multiple of the examples, within the budget."""
        if not items:
            return Outcome(seeded, caught=False, how="reached by no test")

        def work(writer: int) -> int:
            put_in_place(seeded, functions)
            spent = 0.0
            for item, following in zip(items, [*items[1:], None], strict=True):
                seconds = self._reach.seconds[item.nodeid] * examples
                spent += seconds
                if examples > 1 and spent > 2 * self._budget:
                    break
                if not _passes(item, following, _GRACE + _SLOWEST * seconds, examples):
                    os.write(writer, f"caught by {item.nodeid}".encode())
                    return 1
            return 0

        return _judged(seeded, *in_a_child(work, 120 + 2 * _SLOWEST * self._budget))


def _is_property(item: Any) -> bool:  # noqa: ANN401 - of pytest
    return hasattr(item.obj, "hypothesis")


def _passes(item: Any, following: Any, seconds: float, examples: int) -> bool:  # noqa: ANN401 - of pytest
    """Whether a test passes; the process is killed if it takes more seconds of the processor."""
    from _pytest.runner import runtestprotocol

    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = math.ceil(used.ru_utime + used.ru_stime + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
    if examples > 1:
        from hypothesis import settings

        function = getattr(item.obj, "__func__", item.obj)
        usual = function._hypothesis_internal_use_settings  # noqa: SLF001 - the examples of a test that is made
        more = settings(usual, max_examples=usual.max_examples * examples)
        function._hypothesis_internal_use_settings = more  # noqa: SLF001
    return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=following))


def outcomes(
    faults: Sequence[Seeded], reach: Reach, budget: float, tests: Sequence[str], tell: Tell, *, thorough: bool
) -> None:
    """Seed each of these faults, which are inside functions, and tell how it fared.

    Thorough: what no test notices is tried again with as many examples as compiled kernels are tested with.
    """
    if status := pytest_status(tests, Session(faults, reach, budget, tell, thorough=thorough)):
        raise SystemExit(f"the tests ended with status {status}")
