"""The manual, and the pages of help in the program."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from meshgui.catalogue.sources import cite
from meshgui.engine.allocation.base import Line
from meshgui.engine.allocation.first_fit import FirstFit
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.geometry import describe_size
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scheduling.registry import disciplines
from meshgui.model.manual.help_pages import help_page, worked_example
from meshgui.model.manual.json_tables import as_read, json_blocks
from meshgui.model.manual.manual import chapters, page_named, pages, title_of
from meshgui.model.manual.manual_search import find, sections
from tests.scenarios import parse_scenario

ROOT = Path(__file__).parents[3]
MANUAL = ROOT / "resources" / "manual"
README = ROOT / "README.md"


def test_every_page_has_its_title_every_strategy_its_page_and_every_link_its_target():
    """No two share a name, and each is in the contents once; the README's links lead to files."""
    names = [page.name for page in pages()]
    assert len(set(names)) == len(names)
    assert all(page.write().startswith("# ") and page.title for page in pages())
    written = [page for page in pages() if "/" not in page.name]
    assert all(title_of(page.write()) == page.title for page in written)
    assert {path.stem for path in MANUAL.glob("*.md")} == {page.name for page in written}
    by_title = {chapter.title: [page.name for page in chapter.pages] for chapter in chapters()}
    listed = sorted(strategies().values(), key=lambda cls: cls.title.casefold())
    assert by_title["Strategies"] == [f"strategies/{cls.id}" for cls in listed]
    assert by_title["Queue disciplines"] == [f"disciplines/{name}" for name in disciplines()]
    assert "| `demand` |" in page_named("disciplines/ssd").write()
    headings = {
        (section.page.name, re.sub(r"[^\w -]", "", section.heading).lower().replace(" ", "-"))
        for section in sections()
    }
    for page in pages():
        for link in re.findall(r"\]\((?!https://)([^)\s]+)\)", re.sub("`[^`]*`", "", page.write())):
            target, _, anchor = link.partition("#")
            name = target.removesuffix(".md") if target else page.name
            there = (MANUAL / target).is_file() if target.endswith(".png") else page_named(name) is not None
            assert there, f"{page.name}: {link}"
            assert not anchor or (name, anchor) in headings, f"{page.name}: {link}"
    for link in re.findall(r"\]\(([^)\s#]+)[^)]*\)", README.read_text(encoding="utf-8")):
        assert link.startswith("https://") or (ROOT / link).is_file(), link


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("gabl", "Greedy Available Busy List"),
        ("backfilling", "EASY backfilling"),
        ("routing delay", "The network's time, exactly: Time"),
        ("key frame", "Glossary: A run and what is seen of it"),
        ("BREAKPOINTS", "The window: Breakpoints"),
    ],
)
def test_what_is_searched_for_is_found_first(words, first):
    """Titles before headings, and headings before text; capitals make no difference."""
    assert find(words)[0].section.title == first


def test_an_excerpt_shows_the_word():
    """The first word searched for, with what stands around it."""
    for found in find("prohibited"):
        assert "prohibited" in f"{found.section.title} {found.excerpt}".lower()
    assert find("flit latency")
    assert not find("flit xylophone")
    assert not find("  ")


class Stranger(FirstFit):
    """The first base, by another author."""

    id = "stranger"
    title = "Stranger Fit"


class Explained(Stranger):
    """Brings its own page."""

    help = """
        # Explained

        In its own words.
        """


def test_a_strategy_of_the_project_has_the_page_of_its_file():
    """A class may bring its own; else its title, docstring, kind, source and pseudo-code."""
    assert help_page(strategies()["2dbs"]).startswith("# 2D Buddy System\n")
    assert help_page(strategies()["pald-ff"]) == help_page(strategies()["pald-bf"])
    assert help_page(Explained) == "# Explained\n\nIn its own words.\n"
    page = '# A\n\n```text\n{1}\n```\n\n```json\n{"a": 2}\n```\n\n```json\n{"meshgui": 1}\n```\n'
    assert worked_example(page) == '{"meshgui": 1}\n'

    class Folding(Stranger):
        release_lines = (Line("fold", "fold the tree"), Line("merge", "merge the leaves", 1))

    page = help_page(Stranger)
    assert page.startswith("# Stranger Fit\n\nThe first base, by another author.\n")
    assert "2D and 3D meshes, gives one box for each job" in page
    assert "\n  for each processor, in scan order:\n" in page
    assert page.endswith(f"## Source\n\n{cite(FirstFit.source)}\n")
    assert worked_example(page) is None
    assert "## Release" not in page
    assert "## Release\n\n```text\nfold the tree\n  merge the leaves\n```" in help_page(Folding)


@pytest.mark.parametrize("name", list(strategies()))
def test_the_worked_example_of_every_page_can_be_opened(name):
    """It is a scenario, whole."""
    example = worked_example(help_page(strategies()[name]))
    if example is None:
        pytest.skip("its page has no example")
    assert parse_scenario(example).workload.kind == "list"


@pytest.mark.parametrize(
    "cls", [cls for cls in strategies().values() if cls.__module__.startswith("meshgui")]
)
def test_a_worked_example_is_read_as_a_table(cls):
    """A row for each job, with when it starts, where, and when it finishes; no JSON and no log is left."""
    page = help_page(cls)
    read, scenario = as_read(page), parse_scenario(worked_example(page))
    assert "```json" not in read
    rows = [line.strip("| ").split(" | ") for line in read.splitlines() if re.match(r"\| \d+ \|", line)]
    recording = simulate(scenario)
    flat = recording.mesh.dims == 2
    for job, row in enumerate(rows):
        assert (row[0], row[1]) == (str(job), describe_size(recording.size(job), recording.mesh.dims))
        assert float(row[4]) == recording.times[recording.started[job]]
        assert row[5] == ", ".join(box.describe(flat=flat) for box in recording.boxes_of(job))
        assert float(row[6]) == recording.times[recording.ended[job]]
    assert len(rows) == len(recording.jobs)


def test_no_page_of_the_manual_is_read_as_json():
    """Each block of its JSON is a table of all its values, and a link below it that copies the block."""
    for page in pages():
        written, read = page.write(), as_read(page.write())
        assert not re.search('^```json|^ {4}"\\w+": |^ {4}{', read, re.MULTILINE)
        blocks = json_blocks(written)
        assert [int(place) for place in re.findall(r"\]\(copy:(\d+)\)", read)] == list(range(len(blocks)))
        if page.name.startswith("strategies/"):
            continue
        rows = set(re.findall(r"^\| `(\S+)` \| (.*?) \|", read.replace("\\", ""), re.MULTILINE))
        for block in blocks:
            data = json.loads(block if block[0] == "{" else f"{{{block}}}")
            assert {*values_in(data)} <= rows


def values_in(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """The values of JSON by their paths, as a reader sees them; lists of values are one."""
    if isinstance(value, dict):
        inside = value.items()
    elif isinstance(value, list) and any(isinstance(part, list | dict) for part in value):
        inside = enumerate(value)
    else:
        yield path, json.dumps(value, ensure_ascii=False).strip('[]"').replace(".0", "") or "–"
        return
    for key, part in inside:
        yield from values_in(part, f"{path}.{key}".lstrip("."))


def test_fields_are_told_by_what_the_scenario_s_schema_says_of_them():
    """Of a kind and a name what is chosen; other data has no third column."""
    workload = '{"kind": "stochastic", "load": 2, "sides": {"kind": "uniform"}}'
    assert "| `workload.status` | any | Which jobs of the trace" in as_read(page_named("scenarios").write())
    read = as_read(f'```json\n"allocator": {{"name": "ff"}}, "workload": {workload}\n```\n')
    assert read.splitlines()[0] == "| Field | Value | What it is |"
    assert "| `allocator.name` | ff | First Fit |" in read
    assert "| `workload.kind` | stochastic | Jobs drawn from distributions |" in read
    assert "| `workload.load` | 2 | One over the mean gap between arrivals |" in read
    assert "| `workload.sides.kind` | uniform | Each side uniform between two" in read
    assert as_read('```json\n{"asked": [{"seed": null}]}\n```').splitlines() == [
        "| Field | Value |",
        "| --- | --- |",
        "| `asked.0.seed` | null |",
        "",
        "[Copy as JSON](copy:0)",
    ]


def test_what_is_no_json_is_read_as_it_is():
    """Though its block says so."""
    for page in ("# Nothing", "# B\n\n```json\nnonsense\n```\n"):
        assert as_read(page) == page
