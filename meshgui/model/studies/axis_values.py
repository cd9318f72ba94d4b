"""The values of an axis as people type them: `1, 2.5, 4`, `2 4 6`, `1..5/0.5`, `8×8, 16×16`, or words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Final

from meshgui.engine.basics.translation import has_decimal_comma, tr
from meshgui.experiment.fields import FieldAxis, FieldError, axis_from, label_of

_SHAPE: Final = re.compile(r"\d+(\s*[x×*]\s*\d+)+")
_SIGNS: Final = re.compile(r"\s*[x×*]\s*")
_NUMBER: Final = re.compile(r"[-+]?\d+([.,]\d+)?((\.\.|/)[-+]?\d+([.,]\d+)?)*")
"""A number, or a range of numbers."""
_DECIMAL_COMMA: Final = re.compile(r"(?<=\d),(?=\d)")
_RANGE_SIGNS: Final = re.compile(r"\s*(\.\.|/)\s*")


def axis_of(key: str, text: str) -> FieldAxis:
    """Parse an axis; FieldError has one sentence, which does not name the field."""
    items = [item.strip() for item in _items(text)]
    if not any(items):
        raise FieldError(tr("expected at least one value"))
    try:
        return axis_from(f"{key}={','.join(items)}")
    except FieldError as error:
        raise FieldError(error.message) from None


def text_of(values: Iterable[object]) -> str:
    """The values of an axis as typed text, in the decimal sign of the language."""
    found = list(values)
    if has_decimal_comma() and all(isinstance(value, int | float) for value in found):
        return "; ".join(map(_word, found)).replace(".", ",")
    return ", ".join(map(_word, found))


def _items(text: str) -> list[str]:
    """The parts between semicolons, blanks or commas; JSON lists and objects stay for the parser of axes.

    A comma is a decimal one where something else parts the numbers, and where the language has it so and
    there is no other.
    """
    if any(sign in text for sign in '[{"'):
        return [text]
    text = _in_one_spelling(text)
    if ";" in text:
        return _DECIMAL_COMMA.sub(".", text).split(";")
    numbers = text.split()
    if all(map(_NUMBER.fullmatch, numbers)) and (len(numbers) > 1 or has_decimal_comma()):
        return _DECIMAL_COMMA.sub(".", text).split()
    return text.split(",")


def _in_one_spelling(text: str) -> str:
    """Shapes and ranges without room between their signs, and shapes with an x."""
    text = _SHAPE.sub(lambda shape: _SIGNS.sub("x", shape[0]), text)
    return _RANGE_SIGNS.sub(r"\1", text) if ".." in text else text


def _word(value: object) -> str:
    if isinstance(value, str):
        try:
            json.loads(value)
        except ValueError:
            return value
        return json.dumps(value)  # a word that would be read as a number
    if isinstance(value, list | tuple) and len(value) > 1 and all(isinstance(n, int) for n in value):
        return label_of(list(value))
    return json.dumps(value, ensure_ascii=False)
