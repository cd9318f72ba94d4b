"""Reads a field's limits, start value and label from its JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from pydantic import BaseModel

from meshgui.engine.network.loads.base import Load
from meshgui.engine.network.loads.registry import loads
from meshgui.engine.network.patterns.base import Pattern
from meshgui.engine.network.patterns.registry import patterns
from meshgui.model.base.named import named
from meshgui.model.fields.field_names import FIELD_NAMES

Schema = Mapping[str, Any]

# Tuples whose parts the schema leaves nameless.
_PARTS: Final = {
    "intervals": ("low", "high", "probability"),
    "packets": ("time", "sx", "sy", "sz", "dx", "dy", "dz", "job"),
    "moves": ("time", "job", "place"),
}


class Limits(NamedTuple):
    """The limits of a number; `above` and `below` are excluded themselves."""

    whole: bool
    least: float | None = None
    most: float | None = None
    above: float | None = None
    below: float | None = None

    @classmethod
    def of(cls, schema: Schema) -> Limits:
        """The limits in a schema of a number."""
        return cls(
            schema["type"] == "integer",
            schema.get("minimum"),
            schema.get("maximum"),
            schema.get("exclusiveMinimum"),
            schema.get("exclusiveMaximum"),
        )

    def hold(self, number: float) -> bool:
        """Whether a number lies within the limits."""
        return (
            (self.least is None or number >= self.least)
            and (self.most is None or number <= self.most)
            and (self.above is None or number > self.above)
            and (self.below is None or number < self.below)
        )


def in_words(name: str) -> str:
    """A key or a value of the file as a label; a symbol such as k stays as it is."""
    if len(name) == 1:
        return name
    if name in FIELD_NAMES:
        return FIELD_NAMES[name]
    words = name.replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]


def choice_words(field: str, value: object) -> str:
    """A value from a field's list of values as a label; a third party's has its title and id."""
    plugins: Mapping[str, type[Pattern | Load]] = {}
    if field in {"pattern", "traffic"}:
        plugins = patterns() if field == "pattern" else loads()
    return named(plugins[str(value)].title, str(value)) if value in plugins else in_words(str(value))


def inlined(schema: Schema) -> dict[str, Any]:
    """Replace the references in a schema by their definitions."""
    definitions = schema.get("$defs", {})

    def expand(node: Any) -> Any:  # noqa: ANN401 - any part of a schema
        if isinstance(node, list):
            return [expand(part) for part in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            rest = {key: value for key, value in node.items() if key != "$ref"}
            return expand(definitions[node["$ref"].rsplit("/", 1)[-1]] | rest)
        return {key: expand(value) for key, value in node.items() if key != "$defs"}

    expanded: dict[str, Any] = expand(dict(schema))
    return expanded


@cache  # it takes a twentieth of a second for a scenario, and every form needs it
def fields_of(model: type[BaseModel]) -> dict[str, Schema]:
    """The schema of each field of a model, without references."""
    fields: dict[str, Schema] = inlined(model.model_json_schema())["properties"]
    return fields


def without_null(schema: Schema) -> tuple[Schema, bool]:
    """Return the schema of the value itself, and whether it may be null."""
    choices = schema.get("anyOf", ())
    values = [choice for choice in choices if choice.get("type") != "null"]
    if len(values) != 1 or len(choices) != 2:
        return schema, False
    return {**{key: value for key, value in schema.items() if key != "anyOf"}, **values[0]}, True


def entries(schema: Schema, name: str = "") -> dict[str, Schema]:
    """The named parts of an object, or of a list of fixed length."""
    if "properties" in schema:
        return {key: part for key, part in schema["properties"].items() if "const" not in part}
    parts: Sequence[Schema] = schema.get("prefixItems", ())
    names: tuple[str, ...] = _PARTS.get(name, ())
    if len(names) != len(parts):
        names = tuple(str(i + 1) for i in range(len(parts)))
    return dict(zip(names, parts, strict=True))


def start_value(schema: Schema) -> object:
    """The start value of a field: the default, else the least that the schema allows."""
    if "default" in schema:
        return schema["default"]
    if "enum" in schema:
        return schema["enum"][0]
    if "oneOf" in schema:
        return start_value(schema["oneOf"][0])
    kind = schema.get("type")
    if kind in {"integer", "number"}:
        limits = Limits.of(schema)
        start = limits.least if limits.least is not None else limits.above
        middle = None if limits.most is None or start is None else (start + limits.most) / 2
        above = [n for n in (start, (start or 0) + 1, middle, limits.most, 0) if n is not None]
        return next((n for n in above if limits.hold(n)), 0)
    if kind == "array":
        parts = schema.get("prefixItems")
        if parts is not None:
            return [start_value(part) for part in parts]
        return [start_value(schema["items"])] * schema.get("minItems", 0)
    if kind == "object":
        properties = schema.get("properties", {})
        return {key: part.get("const", start_value(part)) for key, part in properties.items()}
    return {"boolean": False, "string": ""}.get(str(kind))
