"""Kernels kept on disk: an edit anywhere below a kernel is seen, and nothing else makes it compile again."""

from __future__ import annotations

import os
import shutil
from enum import IntEnum
from pathlib import Path
from types import FunctionType

import numba
import numpy as np
import pytest

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.kernel import kernel, with_parts
from meshgui.engine.basics.kernel_fingerprint import fingerprint
from meshgui.engine.scenario import scenario_from
from meshgui.model.manual.sheet_text import worth_seeing
from tests.processes import bare_environment, finished

_HELPER = """
from meshgui.engine.basics.kernel import kernel

FACTOR = 3

@kernel
def helper(n):
    return n * FACTOR
"""
_MAIN = """
import sys
from meshgui.engine.basics.kernel import kernel
from helper import helper

@kernel
def entry(n):
    return helper(n) + 1

print(entry(int(sys.argv[1])))
stats = entry.compile().stats
print("loaded" if sum(stats.cache_hits.values()) else "compiled")
"""
_STATE = """
from typing import NamedTuple
from meshgui.engine.basics.kernel import kernel

class State(NamedTuple):
    one: int
    two: int
"""
_ON_STATE = """
from meshgui.engine.basics.kernel import kernel
import helper

@kernel
def entry(state):
    return state.one - state.two

state = getattr(helper, "State", None) or helper.Other
print(entry(state(one=5, two=3)))
stats = entry.compile().stats
print("loaded" if sum(stats.cache_hits.values()) else "compiled")
"""

_HEARD = """
import sys
from threading import current_thread, main_thread
from meshgui.engine.basics.kernel_counts import KernelCounts, counts
from helper import helper

threads = []

class Heard(KernelCounts):
    def __setattr__(self, name, value):
        if name == "compiled":
            threads.append(current_thread())

counts.__class__ = Heard
print(helper(int(sys.argv[1])))
print(len(threads), main_thread() in threads)
"""


def _run(folder: Path, kernels: Path) -> list[str]:
    """Run the two files in a process of its own; what the kernel answers, and whether it was compiled."""
    more = {"NUMBA_CACHE_DIR": str(kernels), "PYTHONDONTWRITEBYTECODE": "1"}
    done = finished([5], bare_environment(folder) | more, "main")
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture(scope="module")
def first_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The two files, and what is kept of a first run."""
    folder = tmp_path_factory.mktemp("first")
    folder.joinpath("helper.py").write_text(_HELPER)
    folder.joinpath("main.py").write_text(_MAIN)
    assert _run(folder, folder / "kernels") == ["16", "compiled"]
    return folder


@pytest.fixture
def run(first_run: Path, tmp_path: Path):
    """Run the two files again, or what has become of them."""
    shutil.copytree(first_run, tmp_path, dirs_exist_ok=True)
    return lambda folder=tmp_path: _run(folder, tmp_path / "kernels")


def test_the_main_thread_does_not_compile(run, tmp_path: Path) -> None:
    """No signal is handled while LLVM works there, which may take seconds."""
    tmp_path.joinpath("main.py").write_text(_HEARD)
    assert run() == ["15", "1", "False"]


def _edit(file: Path, old: str, new: str) -> None:
    """Edit a file and leave its time and its size as they were."""
    before = file.stat()
    file.write_text(file.read_text().replace(old, new))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_size == before.st_size


def test_an_edited_helper_in_another_file_is_seen_and_what_changes_no_code_compiles_nothing(
    run, tmp_path: Path
) -> None:
    """Code and constants are part of the key; comments, times of files and their place are not."""
    for old, new, expected in (("n * FACTOR", "n - FACTOR", "3"), ("= 3", "= 4", "21")):
        _edit(tmp_path / "helper.py", old, new)
        assert run() == [expected, "compiled"]
        _edit(tmp_path / "helper.py", new, old)
    assert run() == ["16", "loaded"], "the first version is still there"
    helper = tmp_path / "helper.py"
    helper.write_text("# A comment.\n" + _HELPER.replace("(n):", '(n):\n    """Words."""'))
    assert run() == ["16", "loaded"]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in ("helper.py", "main.py"):
        elsewhere.joinpath(name).write_text(tmp_path.joinpath(name).read_text())
    assert run(elsewhere) == ["16", "loaded"]


_COUNTS = """
from meshgui.engine.basics.kernel_cache import counts
print(counts.kept, counts.compiled)
"""


def test_a_kernel_is_kept_for_its_callers_and_for_python_apart(run, tmp_path: Path) -> None:
    """An edited caller links what was kept for callers; what Python calls is compiled when it does."""
    kernels, main = tmp_path / "kernels", tmp_path / "main.py"
    assert _kernels_in(kernels) == ["linked-helper.helper", "main.entry"]
    main.write_text(_MAIN.replace("+ 1", "+ 2") + _COUNTS)
    assert run() == ["17", "compiled", "1", "1"]
    main.write_text(_MAIN + "print(helper(2))" + _COUNTS)
    assert run() == ["16", "loaded", "6", "1", "1"]
    assert run() == ["16", "loaded", "6", "2", "0"]
    assert _kernels_in(kernels) == ["helper.helper", "linked-helper.helper", "main.entry", "main.entry"]


def _kernels_in(folder: Path) -> list[str]:
    return sorted(path.name.rpartition("-")[0] for path in folder.glob("*.nbc"))


def test_what_a_called_kernel_raises_has_its_values(run, tmp_path: Path) -> None:
    """They become Python objects in its own machine code, whether that is new or was kept."""
    helper, main = tmp_path / "helper.py", tmp_path / "main.py"
    helper.write_text(_HELPER.replace("    return", "    if n > 4: raise ValueError('above', n)\n    return"))
    printed = "print(entry(int(sys.argv[1])))"
    caught = f"try: {printed}\nexcept ValueError as error: print(*error.args)"
    main.write_text(_MAIN.replace(printed, caught))
    assert run() == ["above", "5", "compiled"]
    main.write_text(_MAIN.replace(printed, caught).replace("+ 1", "+ 2"))
    assert run() == ["above", "5", "compiled"]
    assert run() == ["above", "5", "loaded"]


def test_a_file_that_two_processes_wrote_serves_the_types_it_was_compiled_for(run, tmp_path: Path) -> None:
    """Both may have given it the same number at once, and the index is the other's."""
    (index,) = tmp_path.glob("kernels/main.entry-*.nbi")
    indexed = index.read_bytes()
    index.unlink()
    main = tmp_path / "main.py"
    main.write_text(_MAIN.replace("(int(", "(float("))
    assert run() == ["16.0", "compiled"]
    index.write_bytes(indexed)
    main.write_text(_MAIN)
    assert run() == ["16", "compiled"]
    assert run() == ["16", "loaded"]


_PLANTED = b"cposix\nsystem\n(S'touch %s'\ntR."
"""A pickle that runs a command; an index begins with one."""


@pytest.mark.skipif(os.name == "nt", reason="rights are not in the mode of a file there")
@pytest.mark.parametrize("open_to_others", ["folder", "parent", "index", "foreign"])
def test_nothing_is_read_that_others_could_have_written(run, tmp_path: Path, open_to_others: str) -> None:
    """An index is a pickle, and to read one runs what it says; the kernel is compiled into memory."""
    kernels, ran = tmp_path / "kernels", tmp_path / "ran"
    indexes = list(kernels.glob("*.nbi"))
    for index in indexes:
        index.write_bytes(_PLANTED % bytes(ran))
    shared = {"folder": [kernels], "parent": [tmp_path], "index": indexes}.get(open_to_others, [])
    for path in shared:
        path.chmod(0o777)
    if open_to_others == "foreign":
        if os.geteuid() != 0:
            pytest.skip("to give a file away takes being root")
        for index in indexes:
            os.chown(index, 12345, 12345)
    assert run() == ["16", "compiled"]
    assert not ran.exists()
    if open_to_others in {"folder", "parent"}:
        assert all(index.read_bytes().startswith(b"cposix") for index in indexes), "nothing is kept there"
        return
    assert run() == ["16", "loaded"], "what others could have written is replaced"


@pytest.mark.parametrize(("body", "alike"), [("return n", True), ("raise ValueError(n)", False)])
def test_the_lines_of_a_kernel_that_raises_are_part_of_the_key(body: str, alike: bool) -> None:
    """Its machine code names the line, which a comment above moves."""

    def digest(above: str) -> str:
        scope: dict[str, FunctionType] = {}
        exec(compile(f"{above}def work(n):\n    {body}", "work.py", "exec"), scope)  # noqa: S102 - our own
        return fingerprint(scope["work"])

    assert (digest("") == digest("# A comment.\n")) == alike


def test_the_fields_of_a_state_are_part_of_the_key(run, tmp_path: Path) -> None:
    """With fields in another order, or a class of another name, the same kernel is compiled again."""
    helper = tmp_path / "helper.py"
    tmp_path.joinpath("main.py").write_text(_ON_STATE)
    helper.write_text(_STATE)
    assert run() == ["2", "compiled"]
    helper.write_text(_STATE.replace("one: int\n    two: int", "two: int\n    one: int"))
    assert run() == ["2", "compiled"]
    helper.write_text(_STATE.replace("State", "Other"))
    assert run() == ["2", "compiled"]


_PACKAGED = """
import sys
from pathlib import Path
from types import FunctionType
from meshgui.engine.basics import kernel_cache

if len(sys.argv) > 1:
    kernel_cache.shipped_folder = lambda: Path(sys.argv[1])

from meshgui.engine.basics.kernel import kernel

@kernel
def entry(n):
    return 3 * n + 1

print(entry(5), kernel_cache.counts)
"""


@pytest.fixture
def packaged(tmp_path: Path):
    """Run a program that may have brought kernels with it, in a process of its own; its kernels' counts."""
    tmp_path.joinpath("packaged.py").write_text(_PACKAGED)

    def answer(*shipped: Path, cache: Path, **more: str) -> str:
        more |= {"NUMBA_CACHE_DIR": str(cache)}
        done = finished(shipped, bare_environment(tmp_path) | more, "packaged")
        result, _, counts = done.stdout.strip().partition(" ")
        assert result == "16"
        return counts

    return answer


def test_kernels_that_come_with_the_program_serve_every_processor(packaged, tmp_path: Path) -> None:
    """Nothing is written beside them; a cache that cannot be written stops no run."""
    shipped, cache = tmp_path / "shipped", tmp_path / "cache"
    compiled = "0 came with the program, 0 were kept, 1 were compiled"
    assert packaged(cache=shipped, NUMBA_CPU_NAME="generic") == compiled
    files = sorted(shipped.iterdir())
    for processor in ({}, {"NUMBA_CPU_NAME": "nehalem"}, {"NUMBA_CPU_NAME": "generic"}):
        counts = packaged(shipped, cache=cache, **processor)
        assert counts == "1 came with the program, 0 were kept, 0 were compiled", processor
    assert not cache.exists()
    assert sorted(shipped.iterdir()) == files
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert packaged(cache=blocked / "cache").endswith("1 were compiled")


@kernel
def _part(n):
    return n


@kernel
def _double(n):
    return 2 * n


@kernel
def _whole(n):
    return _part(n) + 1


def test_copies_with_different_parts_have_names_of_their_own():
    """Machine code from the cache is linked by name: of two with one name, one would run for both."""
    once, again, double = (with_parts(_whole, "label", _part=part).python for part in (_part, _part, _double))
    assert once.__qualname__ == again.__qualname__ != double.__qualname__


class Width(IntEnum):
    """A number by name."""

    WIDE = 2


@kernel
def _add(array, place, by=1, more=0):
    array[place] += by + more
    return array[place]


@kernel
def _add_all(array):
    return _add(array, 0) + _add(array, 1, Width.WIDE) + _add(array, array[0], 3, array[1])


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_a_callee_is_compiled_once_however_its_integers_are_given():
    """Constants, members, defaults, and what is read from arrays are handed on as integers of one kind."""
    array = np.array([0, 4, 5], np.int32)
    assert _add_all(array) == 1 + 6 + 15
    compiled = _add.compile()
    template, *_ = compiled.get_call_template((numba.types.int32[::1], numba.types.int32), {})
    assert [str(signature.args[1:]) for signature in template.cases] == ["(int64, int64, int64)"]


def test_entry_points_of_one_name_are_of_one_content():
    """Over all strategies, for the functions that the compiled loop is handed."""
    contents = {}
    for strategy in strategies().values():
        scenario = scenario_from(worth_seeing(strategy))
        entry = strategy(scenario.machine, scenario.allocator.options).entry_points
        for function in (entry.allocate.call, entry.release.call, entry.due.call):
            name = function.py_func.__qualname__
            assert contents.setdefault(name, fingerprint(function.py_func)) == fingerprint(function.py_func)
    assert len(contents) > len(strategies())
