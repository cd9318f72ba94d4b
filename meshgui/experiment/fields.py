"""Fields of a scenario by path, as `allocator.name` or `mesh.shape`: their values read, and set.

A name or a kind brings its own other fields: where `allocator.name` or `workload.sides.kind` is set to
another value than there is, what stands beside it (options, means, bounds) belonged to the former and is
dropped.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from fractions import Fraction
from itertools import islice
from typing import Annotated, Any, Final

from pydantic import Field

from meshgui.engine.basics.files import is_elsewhere
from meshgui.engine.basics.json_text import JsonError, TooDeepError, read_json
from meshgui.engine.basics.parts import Part, printable
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import legible, shortened
from meshgui.experiment.field_paths import NOT_VARIED, is_field, meant_instead
from meshgui.experiment.limits import MAX_VALUES

_CHOOSING: Final = ("name", "kind")
_SHAPE: Final = re.compile(r"\d{1,9}([x×]\d{1,9})+", re.ASCII)
_NUMBER: Final = r"[+-]?\d{1,15}(?:\.\d{1,15})?(?:e[+-]?\d{1,2})?"
_RANGE: Final = re.compile(rf"({_NUMBER})\.\.({_NUMBER})(?:/({_NUMBER}))?", re.ASCII | re.IGNORECASE)
_SPECIAL: Final = re.compile(r'[,\[\]{}"\\\s]')  # letters that a plain word does without


class FieldError(Exception):
    """A field that cannot be varied as wanted: the point, the field, and what was expected, in one line.

    `values` are those of the point that is at fault, as labels; None where it is no single point.
    """

    def __init__(self, message: str, key: str = "", values: Mapping[str, str] | None = None) -> None:
        point = "" if values is None else point_words(values)
        super().__init__(legible(printable(": ".join(part for part in (point, key, message) if part))))
        self.message, self.key, self.values = printable(message), key, values


class FieldAxis(Part):
    """A field, and the values it takes."""

    key: Annotated[str, Field(min_length=1)]
    values: Annotated[tuple[Any, ...], Field(min_length=1)]


def point_words(values: Mapping[str, str]) -> str:
    """A point by its values: `allocator.name=ff, workload.load=2`."""
    return ", ".join(f"{key}={label}" for key, label in values.items()) or tr("scenario")


def axis_from(text: str) -> FieldAxis:
    """An axis from `KEY=V1,V2,…`; values are JSON, plain words, shapes as 8x8, or ranges as 1..5/0.5."""
    key, equals, values = text.partition("=")
    key = key.strip()
    if not equals or not key:
        raise FieldError(tr("expected KEY=V1,V2,…, got {text}").format(text=shortened(text)))
    parts = [part.strip() for part in _split(values)]
    if not all(parts):
        raise FieldError(
            tr("expected values separated by commas, got {value}").format(
                value=shortened(values) or tr("none")
            ),
            key,
        )
    try:
        found = tuple(islice((value for part in parts for value in _values(part)), MAX_VALUES + 1))
    except _ValueFault as fault:
        raise FieldError(str(fault), key) from None
    if len(found) > MAX_VALUES:
        raise FieldError(
            tr("expected at most {MAX_VALUES} values, got {shown}").format(
                MAX_VALUES=MAX_VALUES, shown=shortened(values)
            ),
            key,
        )
    return check_axis(FieldAxis(key=key, values=found))


def check_axis(axis: FieldAxis) -> FieldAxis:
    """The axis, if it may be one."""
    top = axis.key.split(".")[0]
    if top in NOT_VARIED:
        raise FieldError(
            tr("expected another field: {NOT_VARIED}").format(NOT_VARIED=NOT_VARIED[top]), axis.key
        )
    if not is_field(axis.key):
        raise FieldError(
            tr("no field of a scenario has this name{meant_instead}").format(
                meant_instead=meant_instead(axis.key)
            ),
            axis.key,
        )
    seen: set[str] = set()
    for value in axis.values:
        text = _canonical(value)
        if text in seen:
            raise FieldError(
                tr("expected each value once, got {label_of} twice").format(label_of=label_of(value)),
                axis.key,
            )
        seen.add(text)
    return axis


def order_of(key: str) -> tuple[int, bool]:
    """In which order fields are set: the whole before its parts, a name or a kind before what it brings."""
    path = key.split(".")
    return (len(path), path[-1] not in _CHOOSING)


def with_field(data: dict[str, Any], key: str, value: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
    """Plain data with a field set; neither it nor the value is shared with the result."""
    path = key.split(".")
    file = value.get("path") if isinstance(value, dict) else value if path[-1] == "path" else None
    if isinstance(file, str) and is_elsewhere(file):
        raise FieldError(tr("expected a file of this machine, got {path}").format(path=shortened(file)), key)
    result = deepcopy(data)
    here: Any = result
    for i in range(len(path) - 1):
        here = _inside(here, path, i)
    last = path[-1]
    if isinstance(here, list):
        here[_index(here, last, key)] = deepcopy(value)
    elif isinstance(here, dict):
        if last in _CHOOSING and here.get(last) != value:
            here.clear()
        here[last] = deepcopy(value)
    else:
        raise FieldError(tr("expected a field of an object or a list"), key)
    return result


def _inside(here: Any, path: list[str], i: int) -> Any:  # noqa: ANN401 - any JSON value
    """What a part of the path leads to; an object that a name or a kind brings is made if need be."""
    part, key, entered = path[i], ".".join(path), ".".join(path[: i + 1])
    if isinstance(here, list):
        return here[_index(here, part, key)]
    if not isinstance(here, dict):
        raise FieldError(tr("expected a field of an object or a list"), key)
    if part not in here and is_field(entered):
        here[part] = {}
    if part not in here:
        raise FieldError(tr("there is no {entered}").format(entered=entered), key)
    if here[part] is None and path[i + 1 :] == ["kind"]:
        here[part] = {}
    if here[part] is None:
        raise FieldError(_instead_of_null(entered), key)
    return here[part]


def _instead_of_null(entered: str) -> str:
    if entered == "network":
        return tr(
            'the scenario has no network: expected one there, or network={"pattern": "one-to-all"} first'
        )
    if is_field(f"{entered}.kind"):
        return tr("{entered} is null in the scenario: expected {entered}.kind to be varied, too").format(
            entered=entered
        )
    return tr("{entered} is null in the scenario, so nothing in it can be varied").format(entered=entered)


def _index(here: list[Any], part: str, key: str) -> int:
    if not (part.isascii() and part.isdigit() and len(part) < 10 and int(part) < len(here)):
        raise FieldError(
            tr("expected a place in a list of {here}, from 0, got {part}").format(here=len(here), part=part),
            key,
        )
    return int(part)


# Values as people write them


class _ValueFault(Exception):  # noqa: N818 - becomes a FieldError once its field is known
    """A value that cannot be read."""


def _split(text: str) -> list[str]:
    """At the commas outside brackets and quotation marks."""
    parts, depth, quoted, escaped = [""], 0, False, False
    for letter in text:
        if escaped:
            escaped = False
        elif quoted and letter == "\\":
            escaped = True
        elif letter == '"':
            quoted = not quoted
        elif not quoted:
            depth += (letter in "[{") - (letter in "]}")
        if letter == "," and depth <= 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _values(text: str) -> tuple[Any, ...]:
    found = _RANGE.fullmatch(text)
    return (_value(text),) if found is None else _range(*found.groups())


def _range(first: str, last: str, step: str | None) -> tuple[int | float, ...]:
    """From one number to another, both included, exactly as the decimals are written."""
    low, high, by = (Fraction(number) for number in (first, last, step or "1"))
    shown = f"{first}..{last}" + (f"/{step}" if step else "")
    if by == 0 or (high - low) / by < 0:
        raise _ValueFault(
            tr("expected a step that leads from {first} to {last}, got {shown}").format(
                first=first, last=last, shown=shown
            )
        )
    steps = (high - low) / by
    if steps.denominator != 1:
        raise _ValueFault(
            tr("expected a step that reaches {last} exactly, got {shown}").format(last=last, shown=shown)
        )
    if steps >= MAX_VALUES:
        raise _ValueFault(
            tr("expected at most {MAX_VALUES} values, got {shown}").format(MAX_VALUES=MAX_VALUES, shown=shown)
        )
    whole = all(n.lstrip("+-").isdigit() for n in (first, last, step or "1"))
    numbers = (low + by * k for k in range(int(steps) + 1))
    return tuple(int(number) if whole else float(number) for number in numbers)


def _value(text: str) -> Any:  # noqa: ANN401 - any JSON value
    """JSON if it is; a shape, for example 8x8; or else the word itself."""
    if _SHAPE.fullmatch(text):
        return [int(side) for side in re.split("[x×]", text)]
    try:
        return read_json(text)
    except TooDeepError:
        raise _ValueFault(
            tr("expected a less deeply nested value, got {text}").format(text=shortened(text))
        ) from None
    except JsonError:
        if text[0] in '[{"':
            raise _ValueFault(tr("expected JSON, got {text}").format(text=shortened(text))) from None
        return text


def _canonical(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """A text that two values share if and only if they are equal: 1 and 1.0 are."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, list | tuple):
        return f"[{','.join(map(_canonical, value))}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{json.dumps(key)}:{_canonical(value[key])}' for key in sorted(value))}}}"
    return json.dumps(value)


# And as they are shown


def text_of(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """A value as `axis_from` would read it again: 8x8 for a shape, JSON where a plain word would not do."""
    if isinstance(value, str):
        plain = value and not _SPECIAL.search(value) and value.isprintable() and _reads_as_itself(value)
        return value if plain else json.dumps(value, ensure_ascii=False)
    if isinstance(value, list | tuple) and len(value) > 1 and all(_is_side(n) for n in value):
        return "x".join(map(str, value))
    return json.dumps(value, ensure_ascii=False)


def _reads_as_itself(word: str) -> bool:
    return _values(word) == (word,)


def _is_side(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    return type(value) is int and 0 <= value < 10**9


def labels_of(values: Sequence[Any]) -> tuple[str, ...]:
    """The values of an axis in a few letters each, no two alike."""
    labels = [label_of(value) for value in values]
    often = Counter(labels)
    found = [
        text_of(value) if often[label] > 1 else label for value, label in zip(values, labels, strict=True)
    ]
    return tuple(found if len(set(found)) == len(found) else map(text_of, values))


def plain_number(value: float) -> str:
    """A number as programs read it, without the decimals of a whole one."""
    return repr(value).removesuffix(".0")


def label_of(value: Any, number: Callable[[float], str] = plain_number) -> str:  # noqa: ANN401 - any JSON value
    """A value in a few letters: 8×8 for a shape, a strategy's name with its options."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return number(value)
    if isinstance(value, list | tuple) and len(value) > 1 and all(_is_side(n) for n in value):
        return "×".join(map(str, value))
    if isinstance(value, dict):
        chosen = next((str(value[key]) for key in _CHOOSING if key in value), "")
        rest = {k: v for k, v in value.items() if k not in _CHOOSING and v not in ({}, None)}
        rest = rest.get("options", rest) if set(rest) == {"options"} else rest
        inner = (
            ", ".join(f"{k} {label_of(v, number)}" for k, v in rest.items()) if isinstance(rest, dict) else ""
        )
        return f"{chosen} ({inner})" if chosen and inner else chosen or inner or "{}"
    return json.dumps(value, ensure_ascii=False)
