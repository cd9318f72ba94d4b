"""Papers are named as readers know them, wherever one reads of them; their numbers are for files and ids."""

import json
import os
import re
import sys
from pathlib import Path

import pytest

from meshgui.catalogue.entries import catalogue
from meshgui.catalogue.sources import PAPERS, cite, cited, named
from meshgui.engine.allocation.base import Source
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.translation import PSEUDO
from meshgui.engine.runs.dictionary import FIGURES
from meshgui.engine.scenario import Scenario, load_scenario
from meshgui.model.document.examples import examples
from meshgui.model.manual.help_pages import experiments_page, help_page, network_page
from meshgui.model.studies.published_scenarios import points_of, scenario_to_see
from tests.processes import completed

ROOT = Path(__file__).parents[2]
NUMBER = re.compile(r"(?<!\d[ .,\u202f])(?<![\w.,-])00[0-4]\b(?!-[A-Z])")  # the id of an entry is a contract


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (Source("000", "figure 2.7"), "Bani-Mohammad 2008, figure 2.7"),
        (Source("001", "§3.2"), "Lo et al. 1994, §3.2"),
        (Source("001", "§3.2; 004 §2"), "Lo et al. 1994, §3.2; Tsai, Lei and Lai, §2"),
        # A name that merely holds such a number stays as its author wrote it.
        (Source("CS 001", "lecture 3"), "CS 001, lecture 3"),
        (Source("our course", "part 000"), "our course, part 000"),
        # With a comma before the place; thousands and ids stay.
        ("000 §3.4.1, figures 3.16 to 3.21", "Bani-Mohammad 2008, §3.4.1, figures 3.16 to 3.21"),
        ("000, figure 2.7", "Bani-Mohammad 2008, figure 2.7"),
        ("§2.2.1; 001 §2; 004 table 2", "§2.2.1; Lo et al. 1994, §2; Tsai, Lei and Lai, table 2"),
        ("as in 002.", "as in Bani-Ahmad 2012."),
        ("12 000 runs, 10.000, 1,000, 0.001", "12 000 runs, 10.000, 1,000, 0.001"),
        ("000-C4 and 000-T3.2", "000-C4 and 000-T3.2"),
    ],
)
def test_a_number_becomes_a_name(text, shown):
    """In the source of a strategy, and in any text."""
    assert (cited if isinstance(text, str) else cite)(text) == shown


HEADING = "Paging variants"  # of a section of the thesis, which has no number


def citations():
    """All that pages and windows show: of the strategies and of the published numbers."""
    for cls in strategies().values():
        yield ", ".join(filter(None, cls.source))
    for entry in catalogue().values():
        yield from (entry.source, *(setting.source for setting in entry.settings.values()))


def names_of_papers():
    """What of a citation is in no language, in the parts between what is."""
    return {part for paper in PAPERS.values() for part in re.split(r",? (?:and )?", paper.short)}


def test_citations_are_read_in_the_language_of_the_window():
    """All but numbers and names is words that every catalogue of messages has."""
    script = (
        "import sys; from meshgui.catalogue.sources import cited; "
        "sys.stdout.writelines(cited(line.rstrip()) + chr(10) for line in sys.stdin)"
    )
    before = list(dict.fromkeys(citations()))
    environment = os.environ | {"MESHGUI_LANGUAGE": PSEUDO, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = completed(sys.executable, "-c", script, env=environment, input="\n".join(before))
    after = done.stdout.splitlines()
    assert len(after) == len(before) > 60
    bare = {
        word
        for line in after
        for word in re.findall(r"[^\W\d_][\w.-]+|[,;]", re.sub("⟦[^⟧]*⟧", " ", line).replace(HEADING, ""))
        if not re.fullmatch("[IVX]+", word)  # a number too
    }
    assert bare - names_of_papers() == set()
    assert [re.sub("[⟦⟧]", "", line) for line in after] == [named(line) for line in before]


def test_in_english_a_citation_is_what_files_hold():
    """No word changes on its way to a page."""
    assert [cited(text) for text in citations()] == [named(text) for text in citations()]


def test_help_pages_and_scenarios_name_the_papers_and_fields_and_figures_name_the_papers():
    """Every page of help, note and title; the schema's descriptions and the figures' own."""
    pages = {name: help_page(cls) for name, cls in strategies().items()}
    pages |= {"network": network_page(), "experiments": experiments_page()}
    for path in examples():
        scenario = load_scenario(path)
        pages[path.name] = f"{scenario.title} {scenario.notes}"
    for entry in catalogue().values():
        for setting in entry.settings.values():
            for point in points_of(entry, setting)[:2]:
                made = scenario_to_see(entry, point)
                pages[f"{entry.id} {setting.name}"] = f"{made.title} {made.notes}"
        pages[entry.id] = " ".join([entry.title, entry.text, *entry.remarks])
    assert [(name, NUMBER.findall(page)) for name, page in pages.items() if NUMBER.search(page)] == []
    words = json.dumps(Scenario.model_json_schema(), ensure_ascii=False)
    for cls in strategies().values():
        words += json.dumps(cls.options_model.model_json_schema(), ensure_ascii=False)
    words += " ".join(str(figure) for figure in FIGURES)
    assert NUMBER.findall(words) == []


PAGES = ["README.md", *sorted(str(page.relative_to(ROOT)) for page in ROOT.glob("docs/*.md"))]


@pytest.mark.parametrize("page", PAGES)
def test_the_documentation_names_the_papers(page):
    """Ids are in code quotes, links and headings; numbers of papers nowhere."""
    text = (ROOT / page).read_text("utf-8")
    for name in ("002", "003"):  # entries that are a whole paper
        text = re.sub(
            rf"\[{name}\]\(#[^)]*\)|^## {name}: .*$|^\| {name} \||`{name}`", "", text, flags=re.MULTILINE
        )
    text = re.sub(r"\]\([^)]*\)", "]", text)
    assert [text[m.start() - 40 : m.end() + 40] for m in NUMBER.finditer(text)] == []


def test_every_paper_has_a_name():
    """None is called by its number."""
    assert not any(NUMBER.search(f"{paper.short} {paper.title}") for paper in PAPERS.values())
