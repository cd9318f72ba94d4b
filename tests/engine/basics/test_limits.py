"""The limits of what a file may ask for, and the manual's table of them."""

import ast
import inspect
from itertools import pairwise
from pathlib import Path

from meshgui.engine.basics import limits
from meshgui.experiment import limits as of_experiments
from meshgui.model import limits as of_lessons
from meshgui.resources import resource


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
    """Each in one module, with names of one form, and the manual has them word by word."""
    names = [name for name, *_ in stated()]
    made = {
        name for module in (limits, of_experiments, of_lessons) for name in vars(module) if name.isupper()
    }
    assert sorted(names) == sorted(made)
    assert {name for name in names if not name.startswith("MAX_")} == {
        *("FREE_JSON_MEMORY", "FREE_UNPACKED", "JSON_MEMORY_RATIO", "UNPACKED_RATIO"),
    }
    assert all(what and why for _, _, what, why in stated())
    page = Path(str(resource("manual", "files.md"))).read_text(encoding="utf-8")
    table = page.partition("| limit | at most | why that is enough |\n|---|---|---|\n")[2].partition("\n\n")[
        0
    ]
    assert sorted(table.splitlines()) == sorted(rows())


def test_packed_content_may_be_a_few_times_larger_than_it_is():
    """And never more than is read of its kind."""
    assert limits.max_unpacked(0, 1 << 30) == limits.FREE_UNPACKED
    assert limits.max_unpacked(1 << 20, 1 << 30) == limits.FREE_UNPACKED + (limits.UNPACKED_RATIO << 20)
    assert limits.max_unpacked(1 << 30, 1 << 26) == 1 << 26
    assert of_experiments.max_json_memory(1 << 30) == limits.MAX_JSON_MEMORY
