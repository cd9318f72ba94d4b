"""The shipped faces, loaded into Qt, with figures of one width, and Arabic letters where they are needed."""

from __future__ import annotations

from functools import cache, lru_cache
from math import ceil

from PySide6.QtGui import QFont, QFontDatabase, QFontMetrics, QPainterPath

from meshgui.engine.basics.translation import is_rtl_language
from meshgui.itself import resource

TEXT_FAMILY = "Inter"  # untranslated: a family
MONO_FAMILY = "JetBrains Mono"  # untranslated: a family
ARABIC_FAMILY = "Noto Sans Arabic"  # untranslated: a family
"""Behind both where the language is written from right to left: neither of them has its letters."""

_DEEPEST = "\N{ARABIC LETTER YEH}"
_FILES = (
    "Inter-Regular.otf",
    "Inter-Medium.otf",
    "Inter-SemiBold.otf",
    "JetBrainsMono-Regular.ttf",
    "JetBrainsMono-Medium.ttf",
)
_ARABIC_FILES = ("NotoSansArabic-Regular.ttf", "NotoSansArabic-Bold.ttf")


def shipped_families() -> tuple[str, ...]:
    """The families that are loaded in this language."""
    return (TEXT_FAMILY, MONO_FAMILY, *((ARABIC_FAMILY,) if is_rtl_language() else ()))


def load_fonts() -> None:
    """Make the shipped faces of this language known to Qt; an application must exist."""
    _load(_FILES)
    if is_rtl_language():
        _load(_ARABIC_FILES)


@cache
def _load(names: tuple[str, ...]) -> None:
    folder = resource("fonts")
    for name in names:
        if QFontDatabase.addApplicationFont(str(folder / name)) < 0:
            raise RuntimeError(f"the shipped font {name} could not be loaded")


def text_font(size: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The text face at `size` pixels; digits share one width so that numbers do not jump."""
    return QFont(_shared_text_font(size, weight, rtl=is_rtl_language()))


def mono_font(size: int) -> QFont:
    """The monospace face at `size` pixels, without ligatures: `<=` stays two characters."""
    return QFont(_shared_mono_font(size, rtl=is_rtl_language()))


def depth(size: int, weight: QFont.Weight = QFont.Weight.Normal) -> int:
    """How far the text face reaches below its line: dots of a last Arabic letter lie lower than Latin ink."""
    return _shared_depth(size, weight, rtl=is_rtl_language())


@lru_cache(maxsize=64)
def _shared_depth(size: int, weight: QFont.Weight, *, rtl: bool) -> int:
    font = _shared_text_font(size, weight, rtl=rtl)
    latin = QFontMetrics(font).descent()
    if not rtl:
        return latin
    ink = QPainterPath()
    ink.addText(0, 0, font, _DEEPEST)
    return max(latin, ceil(ink.boundingRect().bottom()))


def line_share(size: int) -> float:
    """The height of a line of a panel in this language, as a share of what Latin letters take."""
    metrics = QFontMetrics(text_font(size))
    return (metrics.ascent() + depth(size)) / metrics.height()


def lines_height(font: QFont, lines: int) -> int:
    """The height of this many lines of a label: letters of another face than the first make them higher."""
    letter = _DEEPEST if is_rtl_language() else "x"
    return QFontMetrics(font).size(0, "\n".join([letter] * lines)).height()


@lru_cache(maxsize=64)  # every label asks at every paint
def _shared_text_font(size: int, weight: QFont.Weight, *, rtl: bool) -> QFont:
    font = _font(TEXT_FAMILY, size, weight, rtl=rtl)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


@lru_cache(maxsize=64)
def _shared_mono_font(size: int, *, rtl: bool) -> QFont:
    font = _font(MONO_FAMILY, size, rtl=rtl)
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setFixedPitch(True)
    font.setFeature(QFont.Tag("calt"), 0)
    return font


def _font(family: str, size: int, weight: QFont.Weight = QFont.Weight.Normal, *, rtl: bool) -> QFont:
    load_fonts()
    font = QFont([family, ARABIC_FAMILY] if rtl else [family])
    font.setPixelSize(size)
    font.setWeight(weight)
    return font
