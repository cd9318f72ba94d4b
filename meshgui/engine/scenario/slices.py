"""The text of a scenario in slices: 100,000 jobs take half a second, in which a window has other work."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from uuid import uuid4

from pydantic import TypeAdapter

from meshgui.engine.basics.parts import Part
from meshgui.engine.scenario.models import Scenario

SLICE: Final = 1000
"""Rows that are written by one call, which takes some milliseconds."""

_LISTS: Final = (("workload", "jobs"), ("network", "packets"))


def long_lists(scenario: Scenario) -> dict[tuple[str, str], tuple[Any, ...]]:
    """The lists of a scenario that are written in slices, by part and field."""
    found = {}
    for part, field in _LISTS:
        rows = getattr(getattr(scenario, part), field, None)
        if isinstance(rows, tuple) and len(rows) > SLICE:
            found[part, field] = rows
    return found


def slices_of(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """The rows, some at a time."""
    return (rows[begin : begin + SLICE] for begin in range(0, len(rows), SLICE))


def scenario_text(scenario: Scenario) -> Iterator[str]:
    """The text of `model_dump_json(indent=1)`, to the letter."""
    lists = long_lists(scenario)
    text = _without(scenario, lists).model_dump_json(indent=1)
    for (part, field), rows in lists.items():
        # A line of a text has no such beginning, and no other object such a depth.
        before, text = text.split(f'\n  "{field}": []', 1)
        yield f'{before}\n  "{field}": ['
        written = _rows_of(getattr(scenario, part), field)
        for number, some in enumerate(slices_of(rows)):
            lines = written.dump_json(some, indent=1).decode()  # "[", the rows, "\n]"
            yield "," * (number > 0) + lines[1:-2].replace("\n", "\n  ")
        text = f"\n  ]{text}"
    yield text


class SlicedData:
    """Plain data as `json.dumps` writes it, with the rows of long lists in slices.

    A list that is set aside leaves a mark in the data, which no text of a user can hold.
    """

    def __init__(self) -> None:
        self._mark = uuid4().hex
        self._rows: list[tuple[Sequence[Any], TypeAdapter[Any] | None]] = []

    def of_scenario(self, scenario: Scenario) -> dict[str, Any]:
        """A scenario as plain data, its long lists set aside."""
        lists = long_lists(scenario)
        data = _without(scenario, lists).model_dump(mode="json")
        for (part, field), rows in lists.items():
            data[part][field] = self._set_aside(rows, _rows_of(getattr(scenario, part), field))
        return data

    def of_draft(self, draft: Mapping[str, Any]) -> dict[str, Any]:
        """A draft, right or wrong, its long lists set aside."""
        data = dict(draft)
        for part, field in _LISTS:
            rows = data[part].get(field) if isinstance(data.get(part), dict) else None
            if isinstance(rows, list) and len(rows) > SLICE:
                data[part] = {**data[part], field: self._set_aside(rows)}
        return data

    def text(self, data: object) -> Iterator[str]:
        """The text of data, among them what the other methods returned."""
        for place, piece in enumerate(re.split(f'"{self._mark}(\\d)"', json.dumps(data))):
            if place % 2:
                yield from self._text_of(*self._rows[int(piece)])
            else:
                yield piece

    def _text_of(self, rows: Sequence[Any], written: TypeAdapter[Any] | None) -> Iterator[str]:
        yield "["
        for number, some in enumerate(slices_of(rows)):
            plain = some if written is None else written.dump_python(some, mode="json")
            yield ", " * (number > 0) + json.dumps(plain)[1:-1]
        yield "]"

    def _set_aside(self, rows: Sequence[Any], written: TypeAdapter[Any] | None = None) -> str:
        self._rows.append((rows, written))
        return f"{self._mark}{len(self._rows) - 1}"


def _without(scenario: Scenario, lists: dict[tuple[str, str], tuple[Any, ...]]) -> Scenario:
    """The scenario with its long lists empty, only to be written."""
    parts = {part: getattr(scenario, part).model_copy(update={field: ()}) for part, field in lists}
    return scenario.model_copy(update=parts)


def _rows_of(part: Part, field: str) -> TypeAdapter[Any]:
    """What writes rows of a field by themselves."""
    kind: Any = type(part).model_fields[field].annotation
    return TypeAdapter(kind)
