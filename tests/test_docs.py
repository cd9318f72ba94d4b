"""The page of all strategies is the one the program would write now, but for what it measures."""

import re
from pathlib import Path

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.scheduling import DISCIPLINES

DOCS = Path(__file__).parents[1] / "docs"


def test_the_page_has_every_strategy_and_every_queue():
    """Their ids and titles stand on it; `make docs` writes it anew."""
    page = (DOCS / "strategies.md").read_text(encoding="utf-8")
    own = [cls for cls in strategies().values() if cls.__module__.startswith("meshgui.")]
    for cls in own:
        assert f"| `{cls.id}` | {cls.title} |" in page
        assert cls.source.words in page
    for name, kind in DISCIPLINES.items():
        assert f"| `{name}` | {kind.title} |" in page


def test_all_that_the_page_refers_to_is_there():
    """Pictures and help pages."""
    page = (DOCS / "strategies.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", page)
    assert links
    assert all((DOCS / link).is_file() for link in links)
