"""The limits of what a file may ask for, with the manual's table of them, and the bound of memory."""

import ast
import inspect
import os
import re
from itertools import pairwise

import numpy as np
import pytest

from meshgui.engine.basics import limits, memory
from meshgui.engine.basics.memory import MemoryBoundError, memory_bound, require, share_among
from meshgui.experiment import limits as of_experiments
from meshgui.itself import resource
from meshgui.model.base import limits as of_lessons
from meshgui.model.lessons.lesson import load_lesson
from meshgui.model.lessons.lesson_shelf import shipped_lessons


def stated():
    """Each limit with its value and the sentence below it: what it limits, and why honest use stays below."""
    for module in (limits, of_experiments, of_lessons):
        for one, other in pairwise(ast.parse(inspect.getsource(module)).body):
            if isinstance(one, ast.AnnAssign):
                what, _, why = ast.literal_eval(other.value).removesuffix(".").partition(": ")
                yield one.target.id, getattr(module, one.target.id), what, why


def in_words(what, number):
    """As the manual has it: bytes in their largest unit, other numbers with commas."""
    units = [("GiB", 30), ("MiB", 20), ("KiB", 10)] if what.startswith("Bytes") else []
    fitting = (f"{number >> bits} {unit}" for unit, bits in units if not number % (1 << bits))
    return next(fitting, f"{number:,}")


def rows():
    """The rows of the manual's table, in the order of the modules."""
    return [f"| {what} | {in_words(what, number)} | {why} |" for _, number, what, why in stated()]


def test_every_limit_says_what_it_limits_and_why_it_is_enough():
    """Each in one module and in the manual word by word; never is more unpacked than is read of its kind."""
    names = [name for name, *_ in stated()]
    made = {
        name for module in (limits, of_experiments, of_lessons) for name in vars(module) if name.isupper()
    }
    assert sorted(names) == sorted(made)
    assert {name for name in names if not name.startswith("MAX_")} == {
        *("FREE_JSON_MEMORY", "FREE_UNPACKED", "JSON_MEMORY_RATIO", "UNPACKED_RATIO")
    }
    assert all(what and why for _, _, what, why in stated())
    page = resource("manual", "files.md").read_text(encoding="utf-8")
    table = page.partition("| limit | at most | why that is enough |\n|---|---|---|\n")[2].partition("\n\n")[
        0
    ]
    assert sorted(table.splitlines()) == sorted(rows())
    assert limits.max_unpacked(0, 1 << 30) == limits.FREE_UNPACKED
    assert limits.max_unpacked(1 << 20, 1 << 30) == limits.FREE_UNPACKED + (limits.UNPACKED_RATIO << 20)
    assert limits.max_unpacked(1 << 30, 1 << 26) == 1 << 26
    assert limits.max_json_memory(1 << 30) == limits.MAX_JSON_MEMORY


def test_the_lessons_of_the_program_are_as_large_as_their_limits_say():
    """None has more steps or bytes, and the largest is just below."""
    why = {name: said for name, _, _, said in stated()}
    kibibytes, steps = (
        int(re.search(r"at most (\d+)", why[name])[1]) for name in ("MAX_LESSON", "MAX_STEPS")
    )
    lessons = shipped_lessons()
    assert -(-max(path.stat().st_size for path in lessons) // 1024) == kibibytes
    assert max(len(load_lesson(path).steps) for path in lessons) == steps


def test_half_of_the_machine_is_the_bound(monkeypatch: pytest.MonkeyPatch):
    """Unless the user says otherwise, in gigabytes."""
    monkeypatch.delenv("MESHGUI_MEMORY_GB", raising=False)
    assert 0 < memory_bound() <= os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    monkeypatch.setenv("MESHGUI_MEMORY_GB", "1.5")
    assert memory_bound() == 3 << 29


@pytest.mark.parametrize("given", ["many", "0", "-1", "nan", "inf", "1e300", "9" * 5000])
def test_another_bound_than_a_number_is_said(monkeypatch: pytest.MonkeyPatch, given: str):
    """In one short line."""
    monkeypatch.setenv("MESHGUI_MEMORY_GB", given)
    with pytest.raises(MemoryBoundError, match="expected a number of gigabytes above 0") as said:
        memory_bound()
    assert len(str(said.value)) < 120


def test_what_is_held_counts_and_workers_share_the_bound_and_a_watch_looks_only_now_and_then(
    monkeypatch: pytest.MonkeyPatch,
):
    """Memory that is really used; four workers may take a quarter each; looking need not be done often."""
    held = np.ones(1 << 24)
    monkeypatch.setenv("MESHGUI_MEMORY_GB", "0.05")
    with pytest.raises(MemoryBoundError, match=r"more than the 0.05 GB of memory"):
        require(0)
    assert held.nbytes > 0.05 * 2**30
    monkeypatch.setenv("MESHGUI_MEMORY_GB", "20")
    require(0)
    with pytest.raises(MemoryBoundError):
        require(20 << 30)
    monkeypatch.setenv("MESHGUI_MEMORY_GB", "2")
    share_among(4)
    assert memory_bound() == 1 << 29
    now, looks = [0.0], []
    monkeypatch.setattr(memory, "monotonic", lambda: now[0])
    monkeypatch.setattr(memory, "require", looks.append)
    watch = memory.MemoryWatch()
    for now[0] in (0.0, 0.05, 0.1, 0.3, 0.35):
        watch.look()
    assert len(looks) == 2
