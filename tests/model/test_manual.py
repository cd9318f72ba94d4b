"""The manual: every page is there, every link leads somewhere, and what is searched for is found."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.scheduling.registry import disciplines
from meshgui.model.manual import chapters, page_named, pages, title_of
from meshgui.model.manual_search import find, sections

ROOT = Path(__file__).parents[2]
MANUAL = ROOT / "meshgui" / "resources" / "manual"
README = ROOT / "README.md"


def test_every_page_begins_with_its_title_and_every_strategy_and_discipline_has_its_page():
    """No two share a name, and each stands in the contents once; in the order of the registry."""
    names = [page.name for page in pages()]
    assert len(set(names)) == len(names)
    assert all(page.write().startswith("# ") and page.title for page in pages())
    written = [page for page in pages() if "/" not in page.name]
    assert all(title_of(page.write()) == page.title for page in written)
    assert {path.stem for path in MANUAL.glob("*.md")} == {page.name for page in written}
    by_title = {chapter.title: [page.name for page in chapter.pages] for chapter in chapters()}
    assert by_title["Strategies"] == [f"strategies/{name}" for name in strategies()]
    assert by_title["Queue disciplines"] == [f"disciplines/{name}" for name in disciplines()]
    assert "| `demand` |" in page_named("disciplines/ssd").write()


def test_every_link_leads_to_a_page_a_heading_or_a_picture():
    """Within the manual; the README's lead to files."""
    headings = {
        (section.page.name, re.sub(r"[^\w -]", "", section.heading).lower().replace(" ", "-"))
        for section in sections()
    }
    for page in pages():
        for link in re.findall(r"\]\((?!https://)([^)\s]+)\)", page.write()):
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
    """The first one searched for, with what stands around it; each must begin a word of the section."""
    for found in find("prohibited"):
        assert "prohibited" in f"{found.section.title} {found.excerpt}".lower()
    assert find("flit latency")
    assert not find("flit xylophone")
    assert not find("  ")


def test_the_site_is_built_without_a_warning(tmp_path):
    """Every page, strategy and command, in English in any language; a warning would be an error."""
    done = subprocess.run(
        [sys.executable, "tools/build_manual.py", str(tmp_path)], cwd=ROOT, capture_output=True, text=True,
        env={"PYTHONPATH": str(ROOT), "MESHGUI_LANGUAGE": "ar"}, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    built = {str(path.relative_to(tmp_path / "site")) for path in (tmp_path / "site").rglob("*.html")}
    assert built >= {f"{page.name}.html" for page in pages()}
    index = json.loads((tmp_path / "site" / "search" / "search_index.json").read_text(encoding="utf-8"))
    assert any(
        "Play" in entry["text"] for entry in index["docs"] if entry["location"].startswith("keys.html")
    )
    commands = (tmp_path / "site" / "command-line.html").read_text(encoding="utf-8")
    assert "<td><code>meshgui check ID|FILE.py</code></td>" in commands, "a bar in a cell's code"
