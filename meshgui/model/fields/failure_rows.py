"""Failures as rows of a table: where a file names a processor, the row has its box."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from meshgui.model.fields.field_schema import Schema, without_null


def rows_schema(listed: Schema) -> dict[str, Any]:
    """The schema of the list, with a box in each row and no processor."""
    items = listed["items"]
    parts = {name: part for name, part in items["properties"].items() if name != "node"}
    box, _ = without_null(parts["box"])
    start = {"default": [0, 0, 1, 1]}
    parts["box"] = {name: part for name, part in box.items() if name != "default"} | start
    return {**listed, "items": {**items, "properties": parts}}


def boxes_in(failures: object) -> list[object]:
    """The rows of a draft's list, right or wrong."""
    return [_with_box(failure) for failure in failures] if isinstance(failures, Iterable) else []


def _with_box(failure: object) -> object:
    if not isinstance(failure, dict) or failure.get("node") is None:
        return failure
    node = list(failure["node"])
    rest = {name: part for name, part in failure.items() if name not in {"node", "box"}}
    return {"box": [*node, *(1 for _ in node)], **rest}
