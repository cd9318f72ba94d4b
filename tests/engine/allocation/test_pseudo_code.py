"""The pseudo-code of every strategy: its layout, and the numbers by which kernels name its lines."""

import re
from itertools import pairwise

import pytest

from meshgui.engine.allocation.pseudo_code import NOT_ENOUGH, PseudoCode
from meshgui.engine.allocation.registry import strategies

OWN = {name: cls for name, cls in strategies().items() if cls.__module__.startswith("meshgui.")}
every_strategy = pytest.mark.parametrize("cls", OWN.values(), ids=str)


@every_strategy
def test_a_line_is_one_deeper_than_the_loop_or_condition_it_belongs_to(cls):
    """The first stands at the left; what ends with a colon has lines below it."""
    assert cls.lines[0].indent == 0
    for above, line in pairwise(cls.lines):
        deeper = line.indent - above.indent
        assert deeper <= (1 if ":" in above.text or "each" in above.text else 0), line
        assert deeper == 1 or not above.text.endswith(":"), line


@every_strategy
def test_lines_that_settle_something_are_decisions(cls):
    """Stepping by decision stops where a job gets its boxes or fails, and where a new attempt begins."""
    settled = [
        line for line in cls.lines if line.label in {"enough", "found", "fail", "turn", "none", "reserve"}
    ]
    assert settled
    assert all(line.decision for line in settled), cls.id


def test_what_adds_a_line_answers_its_number():
    """Also where lines come from another strategy, in other words, and where one only reads the number."""
    inner = PseudoCode()
    assert inner.decision("found", "else: take it") == 0
    inner.says("It is taken.")
    code = PseudoCode(NOT_ENOUGH)
    assert code.line("scan", "for each processor:") == 1
    assert code.add(*(line.altered(indent=1) for line in inner.lines)) == 2
    assert code.decision("fail", "fail") == 3
    assert [line.label for line in code.lines] == ["enough", "scan", "found", "fail"]
    assert [line.indent for line in code.lines] == [0, 0, 1, 0]
    assert [line.decision for line in code.lines] == [True, False, True, True]
    assert [line.says for line in code.lines[1:]] == ["", "It is taken.", ""]
    assert code.number("found") == 2


def test_the_strategies_whose_failures_last_until_a_release():
    """Not where what is placed changes the places tried next, or where a failure is remembered."""
    others = {"anca", "bgp", "fs", "ta"}
    assert {name for name, cls in OWN.items() if not cls.fails_until_release} == others


POWERS = {"": 1, "²": 2, "³": 3}
LETTERS = {"n": 4, "k": 4, "ab": 4, "b": 4, "√n": 2, "m": 8, "log a": 2}  # for 4 processors and 8 busy boxes


@pytest.mark.parametrize("cls", [cls for cls in OWN.values() if cls.complexity is not None], ids=str)
def test_a_bound_grows_as_its_words_say(cls):
    """A chart draws the numbers, and the help has the words."""
    for bound in (cls.complexity.allocation, cls.complexity.release):
        expected = 1
        for letter, power in re.findall("(log a|√n|ab|[nkbm])([²³]?)", bound.words[1:]):
            expected *= LETTERS[letter] ** POWERS[power]
        assert bound.at(4, 8) == expected, bound
