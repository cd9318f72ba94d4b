"""The help pages: all sections are there, and every worked example comes out as the page says."""

import re

import pytest

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.geometry import Box
from meshgui.engine.network.routing import describe_channel
from meshgui.engine.runs.event_log import log_lines
from meshgui.engine.runs.simulation import simulate
from meshgui.itself import resource
from meshgui.model.manual.help_pages import experiments_page, network_page
from tests.scenarios import parse_scenario

FOLDER = resource("help")
PAGES = sorted(FOLDER.glob("*.md"))
OWN = [cls for cls in strategies().values() if cls.__module__.startswith("meshgui.")]
SECTIONS = ["Idea", "Worked example", "Release", "Complexity", "Recognition", "Good at", "Bad at", "Source"]


def block(page, language):
    """The page's fenced block of a language."""
    [text] = re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    return text


def events_of(recording):
    """The events as a page writes them: time, event, job and boxes; arrivals are left out."""
    flat = recording.mesh.dims == 2
    lines = []
    for line in log_lines(recording):
        if line["event"] != "arrive":
            boxes = [Box(*box).describe(flat=flat).replace("–", "-") for box in line.get("blocks", ())]
            lines.append(" ".join([f"{line['t']:g}", line["event"], str(line["job"]), *boxes]))
    return lines


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_has_every_section(path):
    """Idea, example, release, complexity, recognition, good at, bad at, source: in this order, none empty."""
    begin, *parts = re.split(r"^## (.*)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert begin.startswith("# ")
    assert parts[::2] == SECTIONS
    assert all(len(part.split()) > 3 for part in parts[1::2])


@pytest.mark.parametrize("cls", OWN, ids=lambda cls: cls.id)
def test_a_page_says_whether_a_release_has_steps(cls):
    """They can be followed where the strategy has pseudo-code for it, and nowhere else."""
    page = (FOLDER / f"{cls.__module__.rsplit('.', 1)[-1]}.md").read_text(encoding="utf-8")
    [release] = re.findall(r"^## Release\n(.*?)^## ", page, re.MULTILINE | re.DOTALL)
    assert ("Its steps can be followed" in release) == bool(cls.release_lines)
    assert ("no steps to follow" in release) != bool(cls.release_lines)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_worked_example_comes_out_as_written(path):
    """The scenario on the page, run, gives the events on the page, and it is about the page's strategy."""
    page = path.read_text(encoding="utf-8")
    scenario = parse_scenario(block(page, "json"), path.name)
    assert strategies()[scenario.allocator.name].__module__.endswith(f".{path.stem}")
    assert events_of(simulate(scenario)) == block(page, "text").split("\n")[:-1]


def waits_and_arrivals(record):
    """The waits and arrivals of a network as its page writes them, in order of time."""
    lines = []
    for packet, job in enumerate(record.jobs.tolist()):
        for way in record.passages(packet):
            if way.waited:
                name, [blocker] = describe_channel(record.mesh, way.channel), way.blockers
                held_by = f"held by job {record.jobs[blocker]}"
                lines.append((way.asked, f"job {job} waits for {name}, {held_by}"))
                lines.append((way.granted, f"job {job} has {name}"))
        took = f"{record.latency[packet]} cycles after injection"
        lines.append((int(record.delivered[packet]), f"job {job} has arrived, {took}"))
    return sorted(f"{time:02} {words}" for time, words in lines)


def test_the_worked_example_of_the_network_comes_out_as_written():
    """Every wait and every arrival, and what the text around them says."""
    page = network_page()
    record = simulate(parse_scenario(block(page, "json"), "network.md")).network
    lines = block(page, "text").split("\n")[:-1]
    assert sorted(lines) == waits_and_arrivals(record)
    assert lines == sorted(lines, key=lambda line: line[:2])  # in order of time
    alone = (record.distances[0] + 1) * (record.law.routing_delay + 1) + record.law.flits
    assert alone == record.latency[0] - record.blocked[0] == 18
    assert "(5 + 1)·(1 + 1) + 6 = 18 cycles" in page
    taken = next(
        way for way in record.passages(1) if describe_channel(record.mesh, way.channel) == "(3,1)→(3,2)"
    )
    assert f"takes the link up to (3,2) at cycle {taken.granted}" in page


NETWORK = (
    "Channels and flits; Dimension order; Other routes, rings and virtual channels; Waiting; Switching; "
    "Jobs and their messages; What the colours mean; Stepping through it; Worked example; Source"
)
EXPERIMENTS = (
    "The grid; Replications; How many runs; The same results everywhere; Stores; Batch means; "
    "What theory expects; Published results"
)


@pytest.mark.parametrize(
    ("page", "title", "sections"),
    [(network_page, "The network", NETWORK), (experiments_page, "Experiments", EXPERIMENTS)],
    ids=["network", "experiments"],
)
def test_a_page_that_is_about_no_strategy_has_its_sections(page, title, sections):
    """In their order, and none is empty."""
    begin, *parts = re.split(r"^## (.*)$", page(), flags=re.MULTILINE)
    assert begin.startswith(f"# {title}\n")
    assert parts[::2] == sections.split("; ")
    assert all(len(part.split()) > 20 for part in parts[1::2])
