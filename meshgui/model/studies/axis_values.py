"""The values of an axis as typed: `1, 2.5, 4`, `1..5/0.5`, `8×8, 16×16`, or plain words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Final

from meshgui.engine.basics.translation import tr
from meshgui.experiment.fields import FieldAxis, FieldError, axis_from, label_of

_SHAPE: Final = re.compile(r"\d+(\s*[x×*]\s*\d+)+")
_SIGNS: Final = re.compile(r"\s*[x×*]\s*")
_RANGE_SIGNS: Final = re.compile(r"\s*(\.\.|/)\s*")


def axis_of(key: str, text: str) -> FieldAxis:
    """Parse an axis; FieldError has one sentence, which does not name the field."""
    items = [item.strip() for item in _items(text)]
    if not any(items):
        raise FieldError(tr("expected at least one value"))
    try:
        return axis_from(f"{key}={','.join(map(_in_one_spelling, items))}")
    except FieldError as error:
        raise FieldError(error.message) from None


def text_of(values: Iterable[object]) -> str:
    """The values of an axis as typed text."""
    return ", ".join(map(_word, values))


def _items(text: str) -> list[str]:
    """The parts between commas; those of JSON lists and objects stay for the parser of axes."""
    return [text] if any(sign in text for sign in '[{"') else text.split(",")


def _in_one_spelling(item: str) -> str:
    """A shape or a range without room between its signs, anything else as it is."""
    if _SHAPE.fullmatch(item):
        return _SIGNS.sub("x", item)
    return _RANGE_SIGNS.sub(r"\1", item) if ".." in item else item


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
