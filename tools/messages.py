"""Finds the messages in the sources and keeps the catalogues of all languages in step with them.

`make messages` writes translations/LANGUAGE.po, which translators edit, and the compiled catalogues that the
program reads. `make messages L=fr` begins a language. The tests use the search alone, which needs no library.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from inspect import cleandoc
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent
SOURCES: Final = ROOT / "meshgui"
TRANSLATIONS: Final = ROOT / "translations"
RESOURCES: Final = ROOT / "resources"
COMPILED: Final = RESOURCES / "languages"

_PAGES: Final = ("help", "manual", "lessons", "scenarios", "published")
_TEXTS_OF_DATA: Final = {
    "title",
    "notes",
    "text",
    "remarks",
    "what",
    "words",
    "question",
    "explain",
    "says",
    "hints",
}
_MOMENT: Final = re.compile(r"^```moment\n(.*?)^```", re.MULTILINE | re.DOTALL)

UNTRANSLATED: Final = "# untranslated"
"""The comment on the line of a text that stays as it is: what a file or another program reads."""

_NO_MESSAGES: Final = {
    "catalogue/sources.py": "titles of papers",
    "engine/basics/kernel.py": "what compilers and caches read",
    "engine/basics/kernel_cache.py": "what compilers and caches read",
    "engine/basics/kernel_fingerprint.py": "what compilers and caches read",
    "engine/basics/translation.py": "names of languages and variables",
    "model/export/gif_frames.py": "names in a file format",
    "views/style/application.py": "names of the program for the system",
    "views/style/fonts.py": "names of fonts",
    "views/style/theme.py": "style sheets",
    "views/style/tinting.py": "drawings",
}
_COUNTS: Final = {"count_of", "counted", "plural", "ProgressLine"}
_TEXTS_OF_LINES: Final = {
    "Line": slice(1, 2),
    "line": slice(1, 2),
    "decision": slice(1, 2),
    "says": slice(1),
    "altered": slice(2),
}  # the arguments that are messages, besides named ones
_IDENTIFIERS: Final = {  # calls whose texts are names, patterns or programming mistakes
    *("TypeError", "RuntimeError", "AssertionError", "NotImplementedError", "KeyError", "IndexError"),
    *("setObjectName", "setStyleSheet", "compile", "fullmatch", "match", "search", "sub", "findall", "split"),
    *("encode", "execute", "executemany", "cast", "TypeVar", "ParamSpec", "NewType", "findChild", "getattr"),
    *("setattr", "hasattr", "import_module", "resource", "startswith", "endswith", "removeprefix"),
    *("removesuffix", "partition", "rpartition", "replace", "QKeySequence", "Source", "Paper", "with_name"),
    *("joinpath", "setProperty", "setFamily", "strftime", "tr", "tr_n", "Line", "line", "decision", "says"),
    "altered",
}
_SMALL: Final = re.compile(r"[ (,;:…]*[a-z]{2,}[ ),;:….!?]*")  # one word in small letters
_SAYS: Final = {  # calls that show their texts to a reader
    *("format", "setText", "setToolTip", "setWindowTitle", "setPlaceholderText", "setAccessibleName", "say"),
    *("setAccessibleDescription", "setStatusTip", "setTitle", "setWhatsThis", "setSuffix", "setPrefix"),
    *("setSpecialValueText", "setLabel", "addItem", "addItems", "addAction", "tell", "emit", "invite"),
    *("complain", "ListItem", "JobCell", "TableCell", "TableRow", "drawText", "_measured"),
}
_LOOKS: Final = {"tone", "size", "kind", "colour", "color", "icon"}  # arguments that are no texts
_MADE: Final = {"tr", "tr_n", "format", "count_of", "counted", "compose"}
_KEYS: Final = re.compile(
    r"((Ctrl|Shift|Alt|Meta)\+)*(\+|\S|F\d+|Page ?(Up|Down)|Home|End|Space|Return|Enter|Escape|Esc|Delete|Del"
    r"|Insert|Left|Right|Up|Down|Tab|Backspace|PgUp|PgDown|Media \w+|Back|Forward|Plus|Minus)"
)
_CODE: Final = re.compile(
    r"#version|SELECT |CREATE |INSERT |PRAGMA|DELETE |UPDATE |<\w+[ >]|</"
    r"|^\s*meshgui( …)?$|^(MeshGUI|Py(Side6-Essentials|OpenGL))$"
    r"|\bu?int\d+\b|font-size|background|border:|padding|px;|^\w+/\w+$|^https?:|^[\w./-]+\.(py|json|md|svg|png|db|csv|ttf|otf|txt|conf)$"
)

_HEADER: Final = b"# Messages of MeshGUI; `make messages` keeps them in step with the sources.\n"
_ALWAYS: Final = datetime(1970, 1, 1, tzinfo=UTC)  # or a compiled catalogue would be another at every run
_CHANGING: Final = re.compile(
    rb'^"(Project-Id-Version|Report-Msgid-Bugs-To|POT-Creation-Date|PO-Revision-Date|Last-Translator'
    rb"|Language-Team|Generated-By):.*\n",
    re.MULTILINE,
)


class Message(NamedTuple):
    """A message of the program, its form for many if it has one, and where it stands."""

    one: str
    many: str | None
    place: str
    context: str = ""

    @property
    def key(self) -> str:
        """What a compiled catalogue finds it by."""
        return f"{self.context}\x04{self.one}" if self.context else self.one


def python_files() -> list[Path]:
    """The program's own sources, in a lasting order."""
    return sorted(SOURCES.rglob("*.py"))


def messages() -> list[Message]:
    """Every message of the program, once, in the order of the sources."""
    first: dict[tuple[str, str | None, str], Message] = {}
    for path in python_files():
        for message in messages_of(path):
            first.setdefault((message.one, message.many, message.context), message)
    return list(first.values())


def page_texts() -> dict[str, str]:
    """Every message of the pages that come with the program, with the file where it first stands."""
    from meshgui.engine.network.patterns.registry import patterns
    from meshgui.engine.scenario.schema import json_schema
    from meshgui.engine.scheduling.registry import disciplines
    from meshgui.model.manual.help_pages import worked_example
    from meshgui.model.manual.pages import page_messages

    found: dict[str, str] = {}
    for path in sorted(path for room in _PAGES for path in (RESOURCES / room).glob("*.*")):
        text = path.read_text(encoding="utf-8") if path.suffix in {".md", ".json"} else ""
        if path.suffix == ".md":
            inside = [json.loads(moment) for moment in _MOMENT.findall(text)]
            if path.parent.name == "help" and (shown := worked_example(text)) is not None:
                inside.append({"scenario": json.loads(shown)})
            said = [*page_messages(text), *(words for data in inside for words in _words_in(data))]
        else:
            said = list(_words_in(json.loads(text))) if text else []
        for words in said:
            found.setdefault(words, path.relative_to(ROOT).as_posix())
    for cls in [*disciplines().values(), *patterns().values()]:
        for words in page_messages(cleandoc(cls.__doc__ or "")):
            found.setdefault(words, f"{cls.__module__.replace('.', '/')}.py")
    for schema in json_schema()["$defs"].values():
        if "kind" in schema.get("properties", {}):  # the form shows the first line beside the kinds
            found.setdefault(schema["description"].partition("\n")[0], "meshgui/engine/scenario/schema.py")
    return found


def _words_in(data: object, key: str = "") -> Iterator[str]:
    """The texts for readers in the data of a scenario, of a moment or of a published result."""
    from meshgui.model.manual.pages import page_messages

    if isinstance(data, str) and key in _TEXTS_OF_DATA:
        yield from page_messages(data) if key == "notes" else filter(None, [data])
    elif isinstance(data, list):
        for each in data:
            yield from _words_in(each, key)
    elif isinstance(data, dict):
        for name, value in data.items():
            if name == "scenario" and isinstance(value, dict):  # all but its title is data
                yield from filter(None, [value.get("title")])
            elif name not in {"scenario", "vary"}:
                yield from _words_in(value, name)


def messages_of(path: Path) -> Iterator[Message]:
    """The messages of a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            place = f"{path.relative_to(ROOT)}:{node.lineno}"
            for one, many in _said_by(node):
                yield Message(one, many, place, _context(node))


def _said_by(call: ast.Call) -> Iterator[tuple[str, str | None]]:
    name = _name(call)
    if name == "tr" and call.args:
        for text in filter(None, _texts(call.args[0])):
            yield text, None
    elif name == "tr_n":
        one, many = (next(_texts(argument), "") for argument in call.args[:2])
        if one:
            yield one, many
    elif name in _TEXTS_OF_LINES:
        given = [
            *call.args[_TEXTS_OF_LINES[name]],
            *(k.value for k in call.keywords if k.arg in {"text", "says"}),
        ]
        for text in (text for argument in given for text in _texts(argument) if text):
            yield text, None
    elif name in _COUNTS:
        for thing in (text for argument in call.args for text in _texts(argument)):
            many = plural_in_english(thing)
            if name == "plural":
                yield thing, many
            else:
                yield f"{{number}} {thing}", f"{{number}} {many}"
            if name == "counted":
                yield f"no {many}", None


def _context(call: ast.Call) -> str:
    return next(_texts(call.args[1]), "") if _name(call) == "tr" and len(call.args) > 1 else ""


def plural_in_english(thing: str) -> str:
    """The same rule as the program's."""
    from meshgui.engine.basics.words import in_plural

    return in_plural(thing)


def _texts(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)


def _name(call: ast.Call) -> str:
    called = call.func
    return (
        called.id
        if isinstance(called, ast.Name)
        else called.attr
        if isinstance(called, ast.Attribute)
        else ""
    )


def bare_texts(path: Path) -> Iterator[str]:
    """The texts of a file that read like words for users and are no messages, each with its place."""
    if path.relative_to(SOURCES).as_posix() in _NO_MESSAGES:
        return
    source = path.read_text(encoding="utf-8")
    lines = source.splitlines()
    tree = ast.parse(source)
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        text = _text(node)
        if text is None or isinstance(above[node], ast.Expr | ast.JoinedStr):
            continue
        if not _reads_like_words(text) and not (_SMALL.fullmatch(text) and _is_said(node, above)):
            continue
        if _is_code(node, above) or any(
            UNTRANSLATED in line
            for line in lines[node.lineno - 1 : node.end_lineno]  # type: ignore[attr-defined]
        ):
            continue
        yield f"{path.relative_to(ROOT)}:{node.lineno}: {text[:70]!r}"  # type: ignore[attr-defined]


def _text(node: ast.AST) -> str | None:
    """A literal text, with … for what an f-string fills in."""
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
        return "".join(map(str, parts))
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _reads_like_words(text: str) -> bool:
    """Whether a text has words of a language: several of them, or one with a capital."""
    plain = text.replace("…", "")
    if not re.search("[a-z]{2}", text) or _CODE.search(text) or _KEYS.fullmatch(text):
        return False
    several = " " in plain.strip() and re.search("[A-Za-z]{2}", plain)
    around = "…" in text and " " in text and re.search("(^|[ (])[a-z]{2,}", plain)
    return bool(several or around or re.match("[A-Z][a-z]+", plain))


def _is_said(node: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    """Whether a word, which may be a name in the program, is in a text for a reader.

    It is an argument of what shows texts, or set into one, or stands in place of a message or of a value.
    """
    child, instead = node, False
    while (parent := above.get(child)) is not None:
        match parent:
            case ast.IfExp() if child is not parent.test:
                instead |= _is_made(parent.orelse if child is parent.body else parent.body)
            case ast.BoolOp(op=ast.Or()):
                instead |= any(isinstance(value, ast.Call) for value in parent.values if value is not child)
            case ast.FormattedValue():
                instead = True
            case ast.keyword() if parent.arg in _LOOKS:
                return False
            case ast.Tuple() | ast.List() | ast.JoinedStr() | ast.BinOp() | ast.keyword() | ast.Starred():
                pass
            case ast.Subscript() if child is parent.value:
                pass
            case ast.Dict() if child in parent.values:
                return any(_is_made(value) for value in parent.values)
            case ast.Call() if child is not parent.func:
                return instead or _name(parent) in _SAYS
            case ast.Assign():
                names = {target.id for target in parent.targets if isinstance(target, ast.Name)}
                return instead or bool(names & _said_names(parent, above))
            case _:
                return instead
        child = parent
    return instead


def _is_made(node: ast.expr) -> bool:
    """Whether an expression is a message."""
    return isinstance(node, ast.Call) and _name(node) in _MADE


def _said_names(node: ast.AST, above: dict[ast.AST, ast.AST]) -> set[str]:
    """The variables that are shown to a reader in the function around a node."""
    function: ast.AST | None = node
    while function is not None and not isinstance(function, ast.FunctionDef):
        function = above.get(function)
    calls = (each for each in ast.walk(function) if isinstance(each, ast.Call)) if function else ()
    given = (
        argument
        for call in calls
        if _name(call) in _SAYS
        for argument in [*call.args, *(word.value for word in call.keywords if word.arg not in _LOOKS)]
    )
    return {each.id for argument in given for each in ast.walk(argument) if isinstance(each, ast.Name)}


def _is_code(node: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    """Whether a text stands where only the program reads it."""
    child = node
    while (parent := above.get(child)) is not None:
        match parent:
            case ast.Call() if child is not parent.func and _name(parent) in (_IDENTIFIERS | _COUNTS):
                return True
            case ast.Compare() | ast.MatchValue():
                return True
            case ast.Subscript() if child is parent.slice and ast.unparse(parent.value) != "Annotated":
                return True
            case ast.Dict() if child is node and child in parent.keys:
                return True
            case ast.Assign() | ast.AnnAssign():
                targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
                names = {target.id for target in targets if isinstance(target, ast.Name)}
                if names & {"__all__", "__slots__"}:
                    return True
            case ast.ClassDef():
                return any(re.search("Enum|TypedDict", ast.unparse(base)) for base in parent.bases)
            case ast.FunctionDef():
                if child is parent.returns or child in parent.decorator_list:
                    return True
                if any("kernel" in ast.unparse(decorator) for decorator in parent.decorator_list):
                    return True
            case ast.arg():
                return True
            case _:
                pass
        child = parent
    return False


def write_catalogues(languages: Iterable[str]) -> None:
    """Bring every language's catalogues up to date, and compile them."""
    program = [
        ((m.one, m.many) if m.many else m.one, m.place.rpartition(":")[0], m.context) for m in messages()
    ]
    pages = [(text, place, "") for text, place in page_texts().items()]
    for name in sorted({*languages, *(path.stem for path in TRANSLATIONS.glob("*.po"))}):
        compiled = COMPILED / name / "LC_MESSAGES"
        missing = _write_catalogue(name, TRANSLATIONS / f"{name}.po", program, compiled / "meshgui.mo")
        if (compiled / "meshgui.mo").exists():  # pages without a translation stay English
            _write_catalogue(name, TRANSLATIONS / "pages" / f"{name}.po", pages, compiled / "pages.mo")
        elif missing:
            sys.stdout.write(f"{name} is offered once nothing is missing\n")


def _write_catalogue(
    name: str, file: Path, texts: Sequence[tuple[str | tuple[str, str], str, str]], compiled: Path
) -> int:
    """Bring a catalogue up to date, and compile it; how many messages lack a translation."""
    from babel import Locale
    from babel.messages.catalog import Catalog
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po, write_po

    template = Catalog(project="MeshGUI", fuzzy=False)
    for message, place, context in texts:
        template.add(message, locations=[(place, 0)], context=context or None)
    if file.exists():
        with file.open("rb") as po:
            catalogue = read_po(po, locale=name)
    else:
        catalogue = Catalog(locale=Locale(name), project="MeshGUI", fuzzy=False)
    catalogue.update(template, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    for message in catalogue:
        message.locations = [(place, 0) for place, _ in message.locations]
        if file.parent != TRANSLATIONS:  # no marks are filled in on pages
            message.flags -= {"python-brace-format", "python-format"}
    catalogue.fuzzy = False
    catalogue.creation_date = catalogue.revision_date = _ALWAYS
    written = BytesIO()
    write_po(written, catalogue, width=100, include_lineno=False)
    # Babel's header has places for names, and the time, which would change the file at every run.
    _, _, rest = written.getvalue().partition(b'msgid ""\n')
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(_HEADER + b'msgid ""\n' + _CHANGING.sub(b"", rest))
    missing = sum(1 for message in catalogue if message.id and not any(_forms(message.string)))
    if not missing or compiled.exists() or compiled.stem == "pages":
        compiled.parent.mkdir(parents=True, exist_ok=True)
        with compiled.open("wb") as mo:
            write_mo(mo, catalogue)
    sys.stdout.write(f"{file.relative_to(ROOT)}: {len(catalogue)} messages, {missing} not translated\n")
    return missing


def _forms(string: object) -> list[str]:
    return [str(form) for form in string] if isinstance(string, list | tuple) else [str(string or "")]


def main() -> int:
    """Write the catalogues, or list what is not wrapped."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("languages", nargs="*", help="languages to begin, such as fr")
    parser.add_argument("--bare", action="store_true", help="list texts that are no messages, and end")
    options = parser.parse_args()
    if options.bare:
        bare = [text for path in python_files() for text in bare_texts(path)]
        sys.stdout.writelines(f"{text}\n" for text in bare)
        return 1 if bare else 0
    write_catalogues(options.languages)
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
