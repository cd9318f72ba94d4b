"""The language of the program: its messages and their plural forms, looked up in gettext catalogues.

Sources are in English. The language is chosen once, when this module is imported, as names and tables
of words are made when their modules are: a change of language shows at the next start.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from string import Formatter
from typing import Any, Final, Self

from meshgui.itself import resource

ENGLISH: Final = "en"
PSEUDO: Final = "pseudo"
"""A language for tests and translators: English between marks, so that what has none is not translated."""
PSEUDO_FROM_THE_RIGHT: Final = "pseudo-rtl"
"""The same with the window laid out from right to left."""

LANGUAGE_VARIABLE: Final = "MESHGUI_LANGUAGE"
_LOCALE_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
_DOMAIN: Final = "meshgui"
_PAGES: Final = "pages"
_WITH_DECIMAL_COMMA: Final = frozenset({"de"})
_COMMA_FOR_POINT: Final = str.maketrans(".,", ",.")
_FROM_THE_RIGHT: Final = frozenset({"ar", "fa", "he", "ur", PSEUDO_FROM_THE_RIGHT})


class _Pseudo(NullTranslations):
    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def pgettext(self, context: str, message: str) -> str:  # noqa: ARG002 - as gettext has it
        return self.gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"⟦{super().ngettext(msgid1, msgid2, n)}⟧"


@cache
def languages() -> tuple[str, ...]:
    """The languages there are catalogues of, English first."""
    folder = _folder()
    found = sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    return (ENGLISH, *(name for name in found if (_file(name)).is_file()))


def _folder() -> Path:
    return resource("languages")


def _file(name: str, domain: str = _DOMAIN) -> Path:
    return _folder() / name / "LC_MESSAGES" / f"{domain}.mo"


def _known(name: str) -> str | None:
    """The language of a locale such as de_AT.UTF-8, if there is a catalogue of it."""
    if name == PSEUDO_FROM_THE_RIGHT:
        return name
    code = name.replace("-", "_").split(".")[0].split("_")[0].lower()
    if code in {"c", "posix", ENGLISH}:
        return ENGLISH
    if code == PSEUDO or (code.isalpha() and _file(code).is_file()):
        return code
    return None


def settings_folder() -> Path:
    """Where Qt keeps the file of the settings; known without Qt."""
    if sys.platform == "win32":
        base = os.environ.get("APPDATA")
    else:
        base = os.environ.get("XDG_CONFIG_HOME")
    return Path(base or "~/.config").expanduser() / "MeshGUI"


def choice_file() -> Path:
    """Where the user's choice stands: plain text, as it is read before Qt and its settings are."""
    return settings_folder() / "language"


def chosen_language() -> str | None:
    """The language that the user has chosen for every start; none where the system's is taken."""
    try:
        if not (file := choice_file()).is_file():  # a pipe would be waited for
            return None
        with file.open(encoding="utf-8", errors="replace") as opened:
            return _known(opened.read(20).strip() or "?")
    except OSError:
        return None


def _at_start() -> str:
    """The language of this process: as the variable says, else the user's choice, else the system's."""
    if asked := os.environ.get(LANGUAGE_VARIABLE):
        return _known(asked) or ENGLISH
    if chosen := chosen_language():
        return chosen
    locale = next((value for name in _LOCALE_VARIABLES if (value := os.environ.get(name))), ENGLISH)
    return _known(locale) or ENGLISH


@cache
def _catalogue_of(name: str) -> NullTranslations:
    if name == ENGLISH:
        return NullTranslations()
    if name in {PSEUDO, PSEUDO_FROM_THE_RIGHT}:
        return _Pseudo()
    return _read(_file(name))


@cache
def _pages_of(name: str) -> NullTranslations:
    """The texts of pages; a language need not have them."""
    if name in {PSEUDO, PSEUDO_FROM_THE_RIGHT}:
        return _Pseudo()
    file = _file(name, _PAGES)
    return _read(file) if file.is_file() else NullTranslations()


def _read(path: Path) -> NullTranslations:
    with path.open("rb") as file:
        return GNUTranslations(file)


_FIRST: Final = _at_start()
_language: str = _FIRST
_catalogue: NullTranslations = _catalogue_of(_language)


def language() -> str:
    """The language of this process."""
    return _language


def is_rtl_language() -> bool:
    """Whether this process's language is written from right to left."""
    return _language in _FROM_THE_RIGHT


def has_decimal_comma() -> bool:
    """Whether this process's language writes 1,5 for one and a half."""
    return _language in _WITH_DECIMAL_COMMA


def formatted(value: object, style: str = "") -> str:
    """A value as `format` writes it, with the decimal sign of this process's language."""
    text = format(value, style)
    is_number = isinstance(value, float) or (isinstance(value, int) and "," in style)
    return text.translate(_COMMA_FOR_POINT) if is_number and has_decimal_comma() else text


class _MessageFormatter(Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:  # noqa: ANN401 - as Formatter has it
        return formatted(value, format_spec)


class Message(str):
    """A message that remembers the English that it was made of."""

    __slots__ = ("context", "english")
    context: str
    english: str

    @classmethod
    def of(cls, said: str, english: str, context: str = "") -> Self:
        """What is said, and what it was made of."""
        made = cls(said)
        made.english, made.context = english, context
        return made


class _WithComma(Message):
    """A message whose numbers are written with a decimal comma."""

    __slots__ = ()

    def format(self, *values: object, **words: object) -> str:
        """Fill in its marks."""
        if ":" not in self and not any(isinstance(value, float) for value in (*values, *words.values())):
            return super().format(*values, **words)  # no number has a comma
        return _FORMATTER.vformat(self, values, words)


_FORMATTER: Final = _MessageFormatter()


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Look messages up in another language for a while; what was made at import is `said_again`."""
    global _language, _catalogue
    before = _language, _catalogue
    _language, _catalogue = name, _catalogue_of(name)
    try:
        yield
    finally:
        _language, _catalogue = before


def tr(message: str, context: str = "") -> str:
    """A message in the program's language; who uses it fills its marks, such as {job}.

    A context says what a short message is of where English has one word for several things.
    """
    return message if _language == ENGLISH or not message else _said(_language, message, context)


@lru_cache(maxsize=4096)
def _said(name: str, message: str, context: str) -> Message:
    catalogue = _catalogue_of(name)
    found = catalogue.pgettext(context, message) if context else catalogue.gettext(message)
    return _kind(name).of(found, message, context)


def in_english(message: str) -> str:
    """The English that a message was made of; empty for any other text."""
    return getattr(message, "english", "")


def said_again(message: str) -> str:
    """A message that was made at import, in the language that is spoken now."""
    if _language == _FIRST:
        return message
    return tr(in_english(message) or message, getattr(message, "context", ""))


def tr_page(message: str) -> str:
    """A text of a page in the program's language, or itself; most pages are translated as a whole."""
    return _pages_of(_language).gettext(message) if message else message


def tr_n(one: str, many: str, n: int, /, **words: object) -> str:
    """The message for a count, with {number} and further marks filled in: {number} job waits, … jobs wait."""
    return _kind(_language)(_catalogue.ngettext(one, many, n)).format(**{"number": n, **words})


def _kind(name: str) -> type[Message]:
    return _WithComma if name in _WITH_DECIMAL_COMMA else Message
