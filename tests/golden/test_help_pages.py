"""The help pages: all sections are there, and every worked example comes out as the page says."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.geometry import Box
from meshgui.engine.scenario import parse_scenario
from meshgui.engine.simulation import simulate

FOLDER = Path(str(files("meshgui"))) / "resources" / "help"
PAGES = sorted(FOLDER.glob("*.md"))
SECTIONS = ["Idea", "Worked example", "Complexity", "Recognition", "Good at", "Bad at", "Source"]


def block(page, language):
    """The page's fenced block of a language."""
    [text] = re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    return text


def told(recording):
    """The events as a page tells them: time, event, job and boxes; arrivals are left out."""
    flat = recording.mesh.dims == 2
    lines = []
    for line in recording.log_lines():
        if line["event"] != "arrive":
            boxes = [Box(*box).describe(flat=flat).replace("–", "-") for box in line.get("blocks", ())]
            lines.append(" ".join([f"{line['t']:g}", line["event"], str(line["job"]), *boxes]))
    return lines


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_has_every_section(path):
    """Idea, example, complexity, recognition, good at, bad at, source: in this order, none empty."""
    page = path.read_text(encoding="utf-8")
    assert page.startswith("# ")
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == SECTIONS
    parts = re.split(r"^## .*$", page, flags=re.MULTILINE)[1:]
    assert all(len(part.split()) > 3 for part in parts)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_worked_example_comes_out_as_told(path):
    """The scenario on the page, run, gives the events on the page, and it is about the page's strategy."""
    page = path.read_text(encoding="utf-8")
    scenario = parse_scenario(block(page, "json"), path.name)
    assert strategies()[scenario.allocator.name].__module__.endswith(f".{path.stem}")
    assert told(simulate(scenario)) == block(page, "text").split("\n")[:-1]
