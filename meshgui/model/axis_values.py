"""The values of an axis as people type them: `1, 2.5, 4`, `1..5/0.5`, `8×8, 16×16`, or plain words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from meshgui.engine.experiment.fields import Axis, FieldError, axis_from, label_of
from meshgui.engine.experiment.grid import MOST_POINTS

__all__ = ["axis_of", "text_of"]

_NUMBER: Final = r"[+-]?\d+(?:\.\d+)?"
_RANGE: Final = re.compile(rf"({_NUMBER})\s*\.\.\s*({_NUMBER})(?:\s*/\s*({_NUMBER}))?")
_SHAPE: Final = re.compile(r"\d+(\s*[x×*]\s*\d+)+")
_SIGNS: Final = re.compile(r"\s*[x×*]\s*")


def axis_of(key: str, text: str) -> Axis:
    """The axis that a text means, or FieldError in one sentence, which does not name the field."""
    items = [item.strip() for item in _items(text)]
    if not any(items):
        raise FieldError("expected at least one value")
    try:
        return axis_from(f"{key}={','.join(part for item in items for part in _expanded(item))}")
    except FieldError as error:
        raise FieldError(str(error).removeprefix(f"{key}: ")) from None


def text_of(values: Iterable[object]) -> str:
    """The values as one would type them."""
    return ", ".join(map(_word, values))


def _items(text: str) -> list[str]:
    """The parts between commas; those of JSON lists and objects stay for the parser of axes."""
    return [text] if any(sign in text for sign in '[{"') else text.split(",")


def _expanded(item: str) -> list[str]:
    """A range as its numbers, a shape in one spelling, anything else as it is."""
    if _SHAPE.fullmatch(item):
        return [_SIGNS.sub("x", item)]
    found = _RANGE.fullmatch(item)
    if found is None:
        return [item]
    first, last = Decimal(found[1]), Decimal(found[2])
    step = Decimal(found[3] or 1)
    if step <= 0 or last < first:
        raise FieldError(f"expected a range such as 1..5/0.5, upwards, got {item}")
    count = int((last - first) / step) + 1
    if count > MOST_POINTS:
        raise FieldError(f"expected at most {MOST_POINTS} values, got {count}")
    return [_plain(first + k * step) for k in range(count)]


def _plain(number: Decimal) -> str:
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


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
