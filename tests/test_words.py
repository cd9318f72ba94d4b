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


# What a native writer would say in another way: "on average", "again", "for example 8×8", "is not valid".
TRANSLATED = re.compile(
    r"\b(somebody|someone|anybody|nobody|whoever|(?:is|are|was|were|as) told"
    r"|so many|no more than so|stands? in(?! (?:(?:the|its) way|for)\b)|in vain|anew|[io]n the mean"
    r"|as large as can be|lies ready|what it would take"
    r"|comes? free to|met a fault|such as \d+[x×*]\d+|(?<!there )(?:is|are) none"
    r"|at the (?:left|right)(?! (?:edge|end|face)\b)|sought|goes on|went on)\b",
    re.IGNORECASE,
)


def classes(path: Path) -> Iterator[ast.ClassDef]:
    """The classes of a file."""
    return (node for node in ast.walk(tree_of(path)) if isinstance(node, ast.ClassDef))


def bases(node: ast.ClassDef) -> list[str]:
    """The names of what a class inherits from."""
    return [ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases]


def vague(text: str) -> re.Match[str] | None:
    """The first of the words in a text that must not be there."""
    return VAGUE.search(text) or TRANSLATED.search(text)


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """The comments of a file if one is at fault, and the first lines of its docstrings, with their places."""
    if any("#" in line and vague(line) for line in path.read_text(encoding="utf-8").splitlines()):
        with tokenize.open(path) as file:
            yield from (
                (token.start[0], token.string)
                for token in tokenize.generate_tokens(file.readline)
                if token.type == tokenize.COMMENT
            )
    yield from docstrings(path)


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """The first lines of the docstrings of a file, with their places."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield getattr(node, "lineno", 1), (ast.get_docstring(node) or "").partition("\n")[0]


def test_comments_and_docstrings_are_active_and_concrete():
    """None of the phrases that sound translated is in the sources, the tests or the messages."""
    found = [
        f"{path.relative_to(HOUSE)}:{line}: {match[0]}"
        for path in SOURCES
        for line, text in texts(path)
        if (match := vague(text))
    ]
    assert found == []
    found = [
        f"{path.name}:{line}: {match[0]}"
        for path, line, text in chain(pages(), ((p, *each) for p in SOURCES for each in messages(p)))
        if (match := TRANSLATED.search(text))
    ]
    assert found == []


def test_docstrings_of_tests_and_tools_do_not_sound_translated():
    """What a test states is read as documentation, too."""
    root = HOUSE.parent
    found = [
        f"{path.relative_to(root)}:{line}: {match[0]}"
        for folder in ("tests", "tools", "packaging")
        for path in sorted((root / folder).rglob("*.py"))
        for line, text in docstrings(path)
        if (match := TRANSLATED.search(text))
    ]
    assert found == []


# Words that the glossary has under *not*, and pages need for something else, or quote from titles.
OTHERWISE = (
    "torus, array, core, cell, router, dimensions, rotation, origin, anchor, submesh, region, border, task, "
    "process, response time, run time, policy, scheduler, try, trace, fragment, piece, coverage, reference, "
    "config, failed, log, checkpoint, index, playhead, frame, focus, tick, wire, head, delay, contention, "
    "round, dimension, control, database, cache, archive, case, pass, fail, deallocation"
)


def test_no_page_and_no_message_has_a_word_that_the_glossary_forbids():
    """Where the word has no other meaning that pages need."""
    glossary = HOUSE.parent / "resources" / "manual" / "glossary.md"
    rows = re.findall(r"^\| \*\*.*\|(.*)\|$", glossary.read_text(encoding="utf-8"), re.MULTILINE)
    words = {word.partition("(")[0].strip() for row in rows for word in row.split(",")}
    forbidden = re.compile(
        rf"\b(?:{'|'.join(sorted(words - {'', *OTHERWISE.split(', ')}))})s?\b", re.IGNORECASE
    )
    said = chain(pages(), ((p, *each) for p in SOURCES for each in messages(p)))
    found = [
        f"{path.name}:{line}: {match[0]}"
        for path, line, text in said
        if path != glossary
        if (match := forbidden.search(text))
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


def described() -> tuple[set[tuple[str, str]], set[str]]:
    """The methods of each class that have a docstring, and the names that protocols describe."""
    own, agreed = set(), set()
    for node in chain.from_iterable(map(classes, SOURCES)):
        names = {f.name for f in node.body if isinstance(f, ast.FunctionDef) and ast.get_docstring(f)}
        own |= {(node.name, name) for name in names}
        if "Protocol" in bases(node):
            agreed |= names
    return own, agreed


def test_every_method_is_described_where_it_is_first_named():
    """A public method has a docstring, or overrides one that has; Qt's names are described by Qt."""
    own, agreed = described()
    above = {node.name: bases(node) for path in SOURCES for node in classes(path)}

    def inherited(cls: str, name: str) -> bool:
        return (cls, name) in own or any(inherited(base, name) for base in above.get(cls, ()))

    bare = [
        f"{node.name}.{method.name}"
        for path in SOURCES
        for node in classes(path)
        for method in node.body
        if isinstance(method, ast.FunctionDef) and not node.name.startswith("_")
        if not method.name.startswith("_") and method.name.islower()
        if not any(ast.unparse(each).endswith(".setter") for each in method.decorator_list)
        if method.name not in agreed and not inherited(node.name, method.name)
    ]
    assert bare == []


SAYING = {"tr", "tr_n", "Line", "line", "decision", "says"}
LABELLED = {"Line", "line", "decision"}  # the first of a line is its label


def messages(path: Path) -> Iterator[tuple[int, str]]:
    """The texts of a file that a user reads."""
    for node in ast.walk(tree_of(path)):
        called = node.func if isinstance(node, ast.Call) else None
        name = getattr(called, "attr", getattr(called, "id", ""))
        if isinstance(node, ast.Call) and name in SAYING:
            named = (word.value for word in node.keywords)
            for each in (*node.args[name in LABELLED :], *named):
                if isinstance(each, ast.Constant):
                    yield node.lineno, str(each.value)


def pages() -> Iterator[tuple[Path, int, str]]:
    """The lines of what is read in the window and beside the program."""
    root = HOUSE.parent
    shipped = (
        path for ending in ("md", "json") for path in sorted((root / "resources").rglob(f"*.{ending}"))
    )
    for path in (*shipped, *sorted((root / "docs").glob("*.md")), *sorted(root.glob("*.md"))):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            yield path, number, line


def test_names_are_words_of_the_field():
    """Not those that made a reader stop: a board of chess, an adverb, a piece put aside."""
    strange = {"aside", "board", "boards", "briskly", "be_content", "crew", "deaf"}
    found = [
        f"{path.relative_to(HOUSE)}:{node.lineno}: {name}"
        for path in SOURCES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Name | ast.arg | ast.ClassDef | ast.FunctionDef | ast.Attribute)
        for name in [
            getattr(node, "id", None)
            or getattr(node, "arg", None)
            or getattr(node, "name", None)
            or node.attr
        ]
        if name.lower().strip("_") in strange
    ]
    assert found == []
