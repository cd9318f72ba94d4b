"""Fields of a scenario by path, as `allocator.name` or `mesh.shape`: their values read, and set.

A name or a kind brings its own other fields: where `allocator.name` or `workload.sides.kind` is set to
another value than there is, what stands beside it (options, means, bounds) belonged to the former and is
dropped.
"""

from __future__ import annotations

import json
import re
from copy import deepcopy
from typing import Annotated, Any, Final

from meshgui.engine.parts import Field, Part, printable

__all__ = ["Axis", "FieldError", "axis_from", "label_of", "order_of", "with_field"]

_CHOOSING: Final = ("name", "kind")
_NOT_VARIED: Final = {
    "seed": "replications have seeds of their own",
    "title": "it does not change the run",
    "notes": "it does not change the run",
    "meshgui": "it is the version of the format",
}
_SHAPE: Final = re.compile(r"\d+([x×]\d+)+")
_MOST_LETTERS: Final = 40


class FieldError(Exception):
    """A field that cannot be varied as wanted: one line that names it and what was expected."""

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


class Axis(Part):
    """A field, and the values it takes."""

    key: Annotated[str, Field(min_length=1)]
    values: Annotated[tuple[Any, ...], Field(min_length=1)]


def axis_from(text: str) -> Axis:
    """An axis from `KEY=V1,V2,…`; values are JSON, or plain words."""
    key, equals, values = text.partition("=")
    key = key.strip()
    if not equals or not key:
        raise FieldError(f"expected KEY=V1,V2,…, got {text}")
    parts = _split(values)
    if not all(part.strip() for part in parts):
        raise FieldError(f"{key}: expected values between commas, got {values or 'none'}")
    return checked(Axis(key=key, values=tuple(_value(part.strip()) for part in parts)))


def checked(axis: Axis) -> Axis:
    """The axis, if it may be one."""
    top = axis.key.split(".")[0]
    if top in _NOT_VARIED:
        raise FieldError(f"{axis.key}: expected another field: {_NOT_VARIED[top]}")
    seen: list[str] = []
    for value in axis.values:
        text = json.dumps(value, sort_keys=True)
        if text in seen:
            raise FieldError(f"{axis.key}: expected each value once, got {label_of(value)} twice")
        seen.append(text)
    return axis


def order_of(key: str) -> tuple[int, bool]:
    """In which order fields are set: the whole before its parts, a name or a kind before what it brings."""
    path = key.split(".")
    return (len(path), path[-1] not in _CHOOSING)


def with_field(data: dict[str, Any], key: str, value: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
    """Plain data with a field set; neither it nor the value is shared with the result."""
    result = deepcopy(data)
    path = key.split(".")
    here: Any = result
    for i, part in enumerate(path[:-1]):
        here = _inside(here, part, key)
        if here is None:
            raise FieldError(f"{key}: {'.'.join(path[: i + 1])} is null here, so nothing in it can be varied")
    last = path[-1]
    if isinstance(here, list):
        here[_index(here, last, key)] = deepcopy(value)
    elif isinstance(here, dict):
        if last in _CHOOSING and here.get(last) != value:
            here.clear()
        here[last] = deepcopy(value)
    else:
        raise FieldError(f"{key}: expected a field of an object or a list")
    return result


def _inside(here: Any, part: str, key: str) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(here, list):
        return here[_index(here, part, key)]
    if isinstance(here, dict) and part in here:
        return here[part]
    known = f": expected one of {', '.join(here)}" if isinstance(here, dict) and here else ""
    raise FieldError(f"{key}: no such field is there, {part}{known}")


def _index(here: list[Any], part: str, key: str) -> int:
    if not (part.isascii() and part.isdigit() and int(part) < len(here)):
        raise FieldError(f"{key}: expected a place in a list of {len(here)}, from 0, got {part}")
    return int(part)


def _split(text: str) -> list[str]:
    """At the commas that stand in no bracket and no quotation marks."""
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


def _value(text: str) -> Any:  # noqa: ANN401 - any JSON value
    """JSON if it is; a shape such as 8x8; or else the word itself."""
    if _SHAPE.fullmatch(text):
        return [int(side) for side in re.split("[x×]", text)]
    try:
        return json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise FieldError(f"expected a value nested less deeply, got {text[:_MOST_LETTERS]}…") from None
    except ValueError:
        return text


def _no_constant(word: str) -> Any:  # noqa: ANN401 - it never returns
    raise ValueError(word)


def label_of(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """A value in a few letters: 8×8 for a shape, a strategy's name with its options."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, int | float):
        return f"{value:g}" if abs(value) < 1e15 else repr(value)
    if isinstance(value, list) and value and all(isinstance(n, int) for n in value):
        return "×".join(map(str, value))
    if isinstance(value, dict):
        chosen = next((str(value[key]) for key in _CHOOSING if key in value), "")
        rest = {k: v for k, v in value.items() if k not in _CHOOSING and v not in ({}, None)}
        rest = rest.get("options", rest) if set(rest) == {"options"} else rest
        inner = ", ".join(f"{k} {label_of(v)}" for k, v in rest.items())
        return f"{chosen} ({inner})" if chosen and inner else chosen or inner
    return json.dumps(value)
