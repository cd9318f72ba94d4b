"""The fields a scenario may have, by path: read from its schema, with the fields of all kinds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from meshgui.engine.basics.nearest import closest, nearest
from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario import VIEW, json_schema

NOT_VARIED: Final = {
    "seed": tr("replications have seeds of their own"),
    "title": tr("it does not change the run"),
    "notes": tr("it does not change the run"),
    "meshgui": tr("it is the version of the format"),
}
PLACE: Final = "*"  # in a path: any place of a list
_ANYTHING: Final = "**"  # and for fields the schema leaves open


@cache
def field_paths() -> tuple[str, ...]:
    """All of them, such as `workload.load` and `mesh.shape.*`."""
    schema = json_schema()
    del schema["properties"][VIEW]  # no run depends on it
    return tuple(dict.fromkeys(_inside(schema, schema["$defs"], "")))


def is_field(key: str) -> bool:
    """Whether some scenario has a field of that path."""
    wanted = ".".join(PLACE if part.isdecimal() else part for part in key.split("."))
    parts = wanted.split(".")
    return wanted in _known() or any(
        ".".join((*parts[:n], _ANYTHING)) in _known() for n in range(1, len(parts))
    )


def meant_instead(key: str) -> str:
    """The end of a complaint about a path that there is not: what was probably meant, or what there is."""
    named = [path for path in field_paths() if PLACE not in path and path not in NOT_VARIED]
    last = key.rsplit(".", 1)[-1]
    same = [path for path in named if path.rsplit(".", 1)[-1] == last]
    if len(same) == 1:
        return tr(": did you mean {word}?").format(word=same[0])
    if near := nearest(key, same or named):
        return near
    ends = {path.rsplit(".", 1)[-1]: path for path in reversed(named)}
    if end := closest(last, list(ends)):
        return tr(": did you mean {word}?").format(word=ends[end])
    return tr(": expected one of {parts}, or a field in one").format(
        parts=", ".join(path for path in named if "." not in path)
    )


@cache
def _known() -> frozenset[str]:
    return frozenset(field_paths())


def _inside(node: dict[str, Any], defs: dict[str, Any], path: str) -> Iterator[str]:
    """A node's own path, and those of what is in it."""
    if "$ref" in node:
        yield from _inside(defs[node["$ref"].rsplit("/", 1)[-1]], defs, path)
        return
    if path:
        yield path
    for choice in (*node.get("anyOf", ()), *node.get("oneOf", ()), *node.get("allOf", ())):
        yield from _inside(choice, defs, path)
    for name, field in node.get("properties", {}).items():
        yield from _inside(field, defs, f"{path}.{name}".lstrip("."))
    if node.get("type") == "object" and node.get("additionalProperties", True) is not False:
        yield f"{path}.{_ANYTHING}"
    items = [*node.get("prefixItems", ()), *([node["items"]] if isinstance(node.get("items"), dict) else ())]
    for item in items:
        yield from _inside(item, defs, f"{path}.{PLACE}".lstrip("."))
