"""Reads JSON of a stranger: no key twice, nothing nested out of proportion, and memory within a bound."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from meshgui.engine.basics.limits import MAX_JSON_DEPTH, MAX_JSON_MEMORY
from meshgui.engine.basics.parts import printable
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import shortened

Pairs = list[tuple[str, Any]]

_OF_AN_OBJECT: Final = 250  # bytes of memory, with what it takes while it is made
_OF_A_VALUE: Final = 80  # of a list, or of another value with its place


class JsonError(ValueError):
    """A text that cannot be read as JSON, in one sentence; with its line, where it is a single one."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


class TooDeepError(JsonError):
    """Lists and objects within each other beyond all use."""

    def __init__(self) -> None:
        super().__init__(tr("expected less deeply nested JSON"))


class KeyTwiceError(JsonError):
    """An object that has a key twice, of which JSON would drop one in silence."""


def no_key_twice(pairs: Pairs) -> dict[str, Any]:
    """The object of its pairs, as `json.loads` asks for it; a KeyTwiceError names a key that it has twice."""
    data = dict(pairs)
    if len(data) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise KeyTwiceError(twice_in_one_object(twice))
    return data


def twice_in_one_object(key: str) -> str:
    """What is wrong with an object that has this key twice."""
    return tr("the key “{key}” appears twice in one object").format(key=printable(shortened(key)))


def read_json(
    content: str | bytes,
    object_of: Callable[[Pairs], dict[str, Any]] = no_key_twice,
    most: int = MAX_JSON_MEMORY,
) -> Any:  # noqa: ANN401 - any JSON value
    """The value of a text; a JsonError where there is none, or where it would take more than `most` bytes."""
    try:
        text = content if isinstance(content, str) else content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise JsonError(tr("expected JSON in UTF-8")) from None
    objects, lists = text.count("{"), text.count("[")
    if objects * _OF_AN_OBJECT + (lists + text.count(",")) * _OF_A_VALUE > most:
        said = tr("expected JSON whose values take at most {most} MiB of memory")
        raise JsonError(said.format(most=most >> 20))
    try:
        data = json.loads(text, object_pairs_hook=object_of)
    except RecursionError:
        raise TooDeepError from None
    except JsonError:
        raise
    except ValueError as error:
        raise _json_error(error) from None
    if objects + lists > MAX_JSON_DEPTH:
        _check_depth(data)
    return data


def _check_depth(data: object) -> None:
    """Refuse what is nested so deeply that work on it would exceed Python's own limit."""
    level = [data]
    for _ in range(MAX_JSON_DEPTH):
        level = [
            value
            for one in level
            if isinstance(one, dict | list)
            for value in (one.values() if isinstance(one, dict) else one)
            if isinstance(value, dict | list)
        ]
        if not level:
            return
    raise TooDeepError


def _json_error(error: ValueError) -> JsonError:
    if isinstance(error, json.JSONDecodeError):
        message = tr("expected JSON: error at line {lineno}, column {colno}, {lower}").format(
            lineno=error.lineno, colno=error.colno, lower=error.msg.lower()
        )
        return JsonError(message, error.lineno)
    if "digits" in str(error):  # Python's own limit on the length of a number
        return JsonError(tr("expected JSON: a number has too many digits"))
    return JsonError(tr("expected JSON: {error}").format(error=error))
