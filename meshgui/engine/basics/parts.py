"""The base of a scenario's parts: strict models, whose faults become one line of plain words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Final, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import count_of, in_quotes, shortened
from meshgui.engine.basics.work import look

LISTED, DRAWN = TAGS = "<listed>", "<drawn>"  # untranslated: never shown
"""The tags of a union that a list and an object are told apart by: no keys of a file."""

FieldPath = tuple[int | str, ...]
"""Where in a document: the keys and indices that lead there."""

LATEST: Final = 10**12  # a time, also in cycles: beyond it sums of times lose their fractions
LARGEST_NUMBER: Final = 1 << 53  # a whole one in a file: floating-point numbers hold no larger one exactly
_MIN_POSITIVE, _MAX_NUMBER = 1e-12, 1e12  # beyond, sums and ratios of times overflow floating-point ones


def _not_too_small(number: float) -> float:
    if number < _MIN_POSITIVE:
        said = tr("expected at least {LEAST:g}, got {number:g}")
        raise ValueError(said.format(LEAST=_MIN_POSITIVE, number=number))
    return number


Flag = Annotated[bool, Field(strict=True)]
NotNegative = Annotated[float, Field(ge=0, le=_MAX_NUMBER, allow_inf_nan=False, strict=True)]
Positive = Annotated[
    float, Field(gt=0, le=_MAX_NUMBER, allow_inf_nan=False, strict=True), AfterValidator(_not_too_small)
]


def _without_surrogates(text: str) -> str:
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError(tr("expected Unicode text, got half of a surrogate pair"))
    return text


Text = Annotated[str, AfterValidator(_without_surrogates)]


@cache
def _keys_of(part: type[Part]) -> dict[str, None]:
    """The keys of a part in a file, in order."""
    return dict.fromkeys(field.alias or name for name, field in part.model_fields.items())


class Part(BaseModel):
    """A part of a scenario: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _only_known_keys(cls, data: Any) -> Any:  # noqa: ANN401 - pydantic passes the raw data
        look()  # a list may have very many rows
        fields = _keys_of(cls)
        unknown = [key for key in data if key not in fields] if isinstance(data, dict) else []
        if unknown:
            known = (
                tr("expected one of {fields}").format(fields=", ".join(fields))
                if fields
                else tr("expected none")
            )
            raise _UnknownKey(unknown, tr("unknown key: {known}").format(known=known))
        return data


class at(ValueError):  # noqa: N801, N818 - reads as it is raised: raise at(field, …)
    """A fault of another field than the one being checked; `.name`, or a path, is one inside of it.

    `further` are those found with it.
    """

    def __init__(self, field: str | FieldPath, message: str) -> None:
        super().__init__(message)
        self.further: tuple[at, ...] = ()
        self.inside = not isinstance(field, str) or field.startswith(".")
        if isinstance(field, str):
            keys = field.removeprefix(".").split(".")
            field = tuple(int(key) if key.isdecimal() else key for key in keys)
        self.path: FieldPath = field


def raise_all(faults: Iterable[at]) -> None:
    """Raise the first of some faults with the others, if there are any."""
    for first in (found := iter(faults)):
        first.further = tuple(found)
        raise first


class _UnknownKey(at):
    """Keys that are not known, which hide the other faults of their object; the path is that of the first."""

    def __init__(self, keys: list[str], message: str) -> None:
        super().__init__((printable(shortened(keys[0])),), message)
        self.keys = tuple(keys)


class Complaint(NamedTuple):
    """What is wrong with a document, and where in it."""

    path: FieldPath
    message: str
    unknown: tuple[str, ...] = ()  # all keys of the object that are not known there; the path has the first


def printable(text: str) -> str:
    """The text on one line for any terminal: unprintable characters become escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def complaint_of(error: ValidationError, data: dict[str, Any]) -> Complaint:
    """The first complaint about a document."""
    return next(complaints_of(error, data))


def complaints_of(error: ValidationError, data: dict[str, Any]) -> Iterator[Complaint]:
    """All complaints about a document."""
    for one in error.errors(include_url=False):
        yield _complaint(one, data)
        cause = one.get("ctx", {}).get("error")
        for fault in cause.further if isinstance(cause, at) else ():
            yield Complaint(_path_of(fault, _document_path(one["loc"], data)), str(fault))


def _path_of(fault: at, checked: FieldPath) -> FieldPath:
    return checked + fault.path if fault.inside else fault.path


def _complaint(one: Mapping[str, Any], data: dict[str, Any]) -> Complaint:
    path = _document_path(one["loc"], data)
    cause = one.get("ctx", {}).get("error")
    if isinstance(cause, at):
        path = _path_of(cause, path)
    if isinstance(cause, ValueError):
        return Complaint(path, str(cause), cause.keys if isinstance(cause, _UnknownKey) else ())
    path += ("kind",) if one["type"].startswith("union_tag") else ()
    return Complaint(path, _expectation(one["type"], one.get("ctx", {}), one["msg"], one.get("input")))


def _document_path(place: FieldPath, data: dict[str, Any]) -> FieldPath:
    """The path of a field in the file: without the tags of unions that pydantic adds."""
    path: list[int | str] = []
    here: Any = data
    entered = True  # whether `here` has just been entered, which is where a tag would stand
    for part in place:
        if entered and isinstance(here, dict) and part == here.get("kind"):
            entered = False
            continue
        if part in TAGS:
            continue
        path.append(part)
        if isinstance(here, dict):
            here = here.get(str(part))
        else:
            inside = isinstance(here, list) and isinstance(part, int) and part < len(here)
            here = here[part] if inside else None
        entered = True
    return tuple(path)


_WANTED = {
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), tr("a whole number")),
    **dict.fromkeys(("float_type", "float_parsing"), tr("a number")),
    "finite_number": tr("a finite number"),
    **dict.fromkeys(("bool_type", "bool_parsing"), tr("true or false")),
    "string_type": tr("text"),
    "string_unicode": tr("Unicode text"),
    **dict.fromkeys(("dict_type", "model_type", "model_attributes_type"), tr("an object")),
    **dict.fromkeys(("tuple_type", "list_type"), tr("a list")),
    "none_required": "null",  # untranslated: as JSON has it
}
_BOUNDS = {
    "greater_than": ("gt", tr("more than")),
    "greater_than_equal": ("ge", tr("at least")),
    "less_than": ("lt", tr("less than")),
    "less_than_equal": ("le", tr("at most")),
}


def _expectation(kind: str, limits: dict[str, Any], message: str, given: Any) -> str:  # noqa: ANN401 - any JSON value
    if kind in {"missing", "union_tag_not_found"}:
        return tr("expected a value, but there is none")
    if kind in _WANTED:
        wanted = _WANTED[kind]
    elif kind in _BOUNDS:
        key, words = _BOUNDS[kind]
        bound = limits[key]
        wanted = f"{words} {bound:.15g}" if isinstance(bound, float) else f"{words} {bound}"
    elif kind in {"too_short", "too_long"}:
        least = kind == "too_short"
        bound = limits["min_length" if least else "max_length"]
        wanted = tr("at least {values}") if least else tr("at most {values}")
        wanted = wanted.format(values=count_of(bound, "value"))
        return tr("expected {wanted}, got {length}").format(wanted=wanted, length=limits["actual_length"])
    elif kind == "string_too_long":
        said = tr("expected at most {most} characters, got {given}")
        return said.format(most=limits["max_length"], given=len(given))
    elif kind == "literal_error":
        wanted = str(limits["expected"]).replace("'", "")
    elif kind == "union_tag_invalid":
        said = tr("expected one of {names}, got {given}")
        return said.format(names=limits["expected_tags"], given=shortened(limits["tag"])).replace("'", "")
    else:
        wanted = message.removeprefix("Input should be ")
    return tr("expected {wanted}, got {shown}").format(wanted=wanted, shown=_shown(given))


def _shown(given: Any) -> str:  # noqa: ANN401 - any JSON value
    """A value for an error message: short, and an object or a list by its kind alone."""
    if isinstance(given, dict):
        return tr("an object")
    if isinstance(given, list | tuple):
        return tr("a list")
    if isinstance(given, str):
        return in_quotes(printable(shortened(given)))
    return shortened(json.dumps(given, ensure_ascii=False, default=str))
