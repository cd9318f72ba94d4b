"""The words of the code: plain ones in comments and docstrings, and one class to a name."""

import ast
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import meshgui

HOUSE = Path(meshgui.__file__).parent
SOURCES = sorted(HOUSE.rglob("*.py"))
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
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
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
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(path.relative_to(HOUSE)))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
