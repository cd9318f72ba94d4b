"""The pages that come with the program are cut into messages and put together again in another language."""

import re
from gettext import GNUTranslations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics.limits import MAX_PAGE_CELLS, MAX_PAGE_DEPTH, MAX_PAGE_ENTRIES, MAX_PAGE_LETTERS
from meshgui.engine.basics.page_limits import page_fault
from meshgui.engine.basics.translation import ENGLISH, PSEUDO, languages, speaking
from meshgui.itself import resource
from meshgui.model.manual import pages
from meshgui.model.manual.pages import page_messages, translated
from tests.tools import tool

finder = tool("messages")
SHIPPED = [path for room in ("help", "manual", "lessons") for path in sorted(resource(room).glob("*.md"))]
PAGE = """# A heading

Two lines
of a paragraph.

- an entry
  and its second line
- [a link](files.md#events) and `code`

1. first

| a cell | `code` | 3 |
|---|---|---|
| an escaped \\| bar | | x |

```json
{"not": "a message"}
```

Source: chapter 3
Minutes: 8
"""


def test_a_page_is_cut_into_its_messages_and_a_page_keeps_its_shape():
    """Headings, paragraphs, entries and cells; in the pseudo language nothing else has changed."""
    assert page_messages(PAGE) == [
        "A heading",
        "Two lines\nof a paragraph.",
        "an entry\n  and its second line",
        "[a link](files.md#events) and `code`",
        "first",
        "a cell",
        "an escaped \\| bar",
        "chapter 3",
    ]
    assert translated(PAGE) is PAGE
    with speaking(PSEUDO):
        said = translated(PAGE)
    assert said.replace("⟦", "").replace("⟧", "") == PAGE
    assert re.findall("⟦(.*?)⟧", said, re.DOTALL) == page_messages(PAGE)
    assert "# ⟦A heading⟧\n" in said
    assert "| ⟦a cell⟧ | `code` | 3 |" in said


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_a_page_that_comes_with_the_program_is_put_together_again(path):
    """All of it, to the last space."""
    text = path.read_text(encoding="utf-8")
    assert "".join(piece.text for piece in pages._pieces(text)) == text
    assert page_messages(text)


@given(st.text(st.sampled_from(" \n#-|`~*1.ab\\:<["), max_size=60))
def test_any_text_is_put_together_again(text):
    """Cutting loses nothing."""
    assert "".join(piece.text for piece in pages._pieces(text)) == text


@pytest.mark.parametrize("name", [name for name in languages() if name != ENGLISH])
def test_a_translated_page_links_and_quotes_as_the_english_one(name):
    """The targets of links and pictures and the pieces of code are those of the message, in any order."""
    path = finder.COMPILED / name / "LC_MESSAGES" / "pages.mo"
    if not path.is_file():
        pytest.skip(f"no page is translated into {name}")
    with path.open("rb") as file:
        said = GNUTranslations(file)._catalog
    known = finder.page_texts()
    assert set(said) - {""} <= set(known), "left over: run make messages"
    wrong = [one for one in said if one and _fixed(one) != _fixed(said[one])]
    assert wrong == []


def _fixed(message):
    """What a translation may not change: targets of links, and code."""
    return sorted(re.findall(r"\]\(([^)]*)\)", message)), sorted(re.findall(r"`[^`]*`", message))


@pytest.mark.parametrize(
    ("page", "number"),
    [
        ("x" * (MAX_PAGE_LETTERS + 1), MAX_PAGE_LETTERS + 1),
        ("- a\n" * (MAX_PAGE_ENTRIES + 1), MAX_PAGE_ENTRIES + 1),
        ("|" * (MAX_PAGE_CELLS + 1), MAX_PAGE_CELLS + 1),
        ("- " * (MAX_PAGE_DEPTH + 1) + "x", MAX_PAGE_DEPTH + 1),
        (">" * (MAX_PAGE_DEPTH + 1), MAX_PAGE_DEPTH + 1),
        ("".join(f"{'  ' * depth}1. a\n" for depth in range(MAX_PAGE_DEPTH + 1)), MAX_PAGE_DEPTH + 1),
        ("\t" * 20 + "- a", 41),
    ],
)
def test_a_page_over_a_limit_is_refused_with_its_number(page: str, number: int):
    """Letters, entries, cells, and lists inside each other, on one line or by their margins."""
    assert page_fault(page).endswith(f", got {number}")


@pytest.mark.parametrize(
    "page",
    [
        *("short\n\n" * 4000, "- " * 60, "-" * 500, "* * *" * 30, "**bold** " * 500, "| a | b |\n" * 900),
        f"```\n+{'-' * 60}+\n{' ' * 100}x = 1\n```",
    ],
)
def test_ordinary_pages_are_within_the_limits(page: str):
    """Thousands of paragraphs, rules, tables, frames in code."""
    assert page_fault(page) == ""


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_our_own_pages_are_within_a_third_of_the_limits(path):
    """So the limits are above honest use."""
    assert page_fault(3 * path.read_text("utf-8")) == ""
