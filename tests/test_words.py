"""The words of the code: plain ones in comments and docstrings, and one class to a name."""

import ast
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from tests.sources import HOUSE, SOURCES, tree_of

# What has no actor or no object: "somebody looks on", "is told", "what it comes to".
VAGUE = re.compile(
    r"\b(somebody|nobody|anybody|someone|whoever|whatever|(?:comes?|came) to(?! an? end\b)|told"
    r"|look(?:s|ed)? on|at all(?! of\b))\b",
    re.IGNORECASE,
)


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """The comments of a file, and the first lines of its docstrings, with their places."""
    with tokenize.open(path) as file:
        yield from (
            (token.start[0], token.string)
            for token in tokenize.generate_tokens(file.readline)
            if token.type == tokenize.COMMENT
        )
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield getattr(node, "lineno", 1), (ast.get_docstring(node) or "").partition("\n")[0]


def test_comments_and_docstrings_are_active_and_concrete():
    """They name who acts and on what; the glossary has the nouns."""
    found = [
        f"{path.relative_to(HOUSE)}:{line}: {match[0]}"
        for path in SOURCES
        for line, text in texts(path)
        if (match := VAGUE.search(text))
    ]
    assert found == []


def test_no_two_public_classes_share_a_name():
    """A name stands for one class in the whole program."""
    places = defaultdict(list)
    for path in SOURCES:
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(path.relative_to(HOUSE)))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def messages(path: Path) -> Iterator[tuple[int, str]]:
    """The texts of a file that a user reads."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"tr", "tr_n"}:
            for each in node.args:
                if isinstance(each, ast.Constant):
                    yield node.lineno, str(each.value)


def pages() -> Iterator[tuple[Path, int, str]]:
    """The lines of what is read in the window and beside the program."""
    root = HOUSE.parent
    for path in (*sorted((HOUSE / "resources").rglob("*.md")), root / "README.md", root / "CHANGELOG.md"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            yield path, number, line


def test_sentences_for_users_are_active_and_concrete():
    """Messages and pages say who does what, too."""
    vague = re.compile(
        r"\b(somebody|someone|anybody|nobody can|(?:is|are|was|were|as) told)\b", re.IGNORECASE
    )
    found = [
        f"{path.name}:{line}: {match[0]}"
        for path, line, text in chain(pages(), ((p, *each) for p in SOURCES for each in messages(p)))
        if (match := vague.search(text))
    ]
    assert found == []


def test_names_are_words_of_the_field():
    """Not those that made a reader stop: a board of chess, an adverb, a piece put aside."""
    strange = {"aside", "board", "boards", "briskly", "be_content", "crew", "deaf"}
    found = [
        f"{path.relative_to(HOUSE)}:{node.lineno}: {name}"
        for path in SOURCES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Name | ast.arg | ast.ClassDef | ast.FunctionDef | ast.Attribute)
        for field in ("id", "arg", "name", "attr")
        if (name := getattr(node, field, "")).lower().strip("_") in strange
    ]
    assert found == []
