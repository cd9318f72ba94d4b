"""Pseudo-code and its lines, also in another language."""

import json
import os
import re
import subprocess
import sys
from itertools import pairwise

import pytest

from meshgui.engine.allocation.pseudo_code import NOT_ENOUGH, PseudoCode
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.translation import LANGUAGE_VARIABLE

OWN = {name: cls for name, cls in strategies().items() if cls.__module__.startswith("meshgui.")}
every_strategy = pytest.mark.parametrize("cls", OWN.values(), ids=str)


@every_strategy
def test_a_line_is_one_deeper_than_the_loop_or_condition_it_belongs_to(cls):
    """The first are outermost; what ends with a colon has lines below it."""
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
    """Also of lines from elsewhere; failures last where what is placed changes no places tried next."""
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


PROGRAM = """
import json
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.registry import strategies, strategy
from meshgui.engine.basics.geometry import Mesh

def tables(name, sides, title):
    '''A table of the inspector in each step of an attempt on a mesh in which a job lies.'''
    working = strategy(name)(Mesh((4, 4)))
    working.allocate(Request(0, (2, 2, 1)))
    trace = working.trace(Request(1, sides))
    for n in range(len(trace.steps) + 1):
        yield from (p for p in working.inspect(trace.moment(n)).panels if p.title == f"⟦{title}⟧")

lines = [text for cls in strategies().values() if cls.__module__.startswith("meshgui.")
         for line in (*cls.lines, *cls.release_lines) for text in (line.text, line.says) if text]
said = {
    "lines": lines,
    "headings": [heading for table in tables("as", (4, 2, 1), "Jumps") for heading in table.columns],
    "sides": [row.cells[0] for table in tables("adj", (2, 2, 1), "Border") for row in table.rows],
    "sought": [row.cells[1] for table in tables("arsgabl", (4, 1, 1), "Shapes")
               for row in table.rows if row.current],
}
print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def said() -> dict[str, list[str]]:
    """What a program says whose language puts marks around every message."""
    environment = os.environ | {LANGUAGE_VARIABLE: "pseudo"}
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("kind", ["lines", "headings", "sides", "sought"])
def test_every_text_is_translated_once(said, kind):
    """Also of a line made from another, of a heading, of the side of a box, and of the shape at hand."""
    assert said[kind]
    assert [text for text in said[kind] if text[0] + text[-1] != "⟦⟧" or text.count("⟦") != 1] == []
