"""What strategies say in another language: every text is translated, and once."""

import json
import os
import subprocess
import sys

import pytest

from meshgui.engine.basics.translation import LANGUAGE_VARIABLE

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
