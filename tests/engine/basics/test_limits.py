"""The limits of what a file may ask for, and the manual's table of them."""

import ast
import inspect
from itertools import pairwise
from pathlib import Path

from meshgui.engine.basics import limits
from meshgui.resources import resource


def stated():
    """Each limit with the sentence below it: what it limits, and why honest use stays below."""
    lines = ast.parse(inspect.getsource(limits)).body
    for one, other in pairwise(lines):
        if isinstance(one, ast.AnnAssign):
            what, _, why = ast.literal_eval(other.value).removesuffix(".").partition(": ")
            yield one.target.id, what, why


def in_words(what, number):
    """As the manual has it: bytes in their largest unit, other numbers with commas."""
    units = [("GiB", 30), ("MiB", 20), ("KiB", 10)] if what.startswith("Bytes") else []
    fitting = (f"{number >> bits} {unit}" for unit, bits in units if not number % (1 << bits))
    return next(fitting, f"{number:,}")


def table():
    """The table of the manual."""
    rows = [f"| {what} | {in_words(what, getattr(limits, name))} | {why} |" for name, what, why in stated()]
    return "\n".join(("| limit | at most | why that is enough |", "|---|---|---|", *rows))


def test_every_limit_says_what_it_limits_and_why_it_is_enough():
    """None without a sentence, none that is not public, and all with names of one form."""
    names = [name for name, _, _ in stated()]
    assert sorted(names) == sorted(name for name in vars(limits) if name.isupper())
    assert {name for name in names if not name.startswith("MAX_")} == {
        *("FREE_JSON_MEMORY", "FREE_UNPACKED", "JSON_MEMORY_RATIO", "UNPACKED_RATIO"),
    }
    assert all(what and why for _, what, why in stated())


def test_the_manual_has_the_table_of_the_limits():
    """Word by word; a limit that is changed is changed there, too."""
    page = Path(str(resource("manual", "files.md"))).read_text(encoding="utf-8")
    assert table() in page


def test_packed_content_may_be_a_few_times_larger_than_it_is():
    """And never more than is read of its kind."""
    assert limits.max_unpacked(0, 1 << 30) == limits.FREE_UNPACKED
    assert limits.max_unpacked(1 << 20, 1 << 30) == limits.FREE_UNPACKED + (limits.UNPACKED_RATIO << 20)
    assert limits.max_unpacked(1 << 30, 1 << 26) == 1 << 26
    assert limits.max_json_memory(1 << 30) == limits.MAX_JSON_MEMORY
