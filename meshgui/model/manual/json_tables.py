"""The JSON in a page as tables for those who read it: the files keep it as a program reads it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from meshgui.engine.basics.geometry import describe_size
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.basics.words import UNKNOWN
from meshgui.engine.scenario.schema import json_schema
from meshgui.model.manual.pages import as_markdown, translated

COPY: Final = "copy"
"""The scheme of a link that copies a block: `copy:N`, the Nth of the page."""

_BLOCK: Final = re.compile(r"^```json\n(.*?)^```$(\n*^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)


class _Field(NamedTuple):
    """A field by its path, as sweeps name it, its value, and what the scenario's schema says of it."""

    path: str
    value: str
    words: str


def json_blocks(page: str) -> list[str]:
    """The blocks of JSON in a page, in order."""
    return [block[1] for block in _BLOCK.finditer(page)]


def as_read(page: str) -> str:
    """The page with a table for each block of JSON, and a link `copy:N` below it to copy the Nth block."""
    numbers = iter(range(len(json_blocks(page))))
    return _BLOCK.sub(lambda block: _table(block, next(numbers)), page)


def _table(block: re.Match[str], number: int) -> str:
    """Of jobs with what the log below says of them; else of fields, and the text below as it is."""
    text = block[1] if block[1].lstrip().startswith("{") else f"{{{block[1]}}}"
    try:
        data = json.loads(text)
    except ValueError:
        return block[0]
    below = ""
    try:
        rows = _table_of_jobs(data["workload"]["jobs"], block[3] or "")
    except (LookupError, TypeError):
        rows, below = _table_of_fields(data), block[2] or ""
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
    return f"{table}\n\n[{tr('Copy as JSON')}]({COPY}:{number}){below}"


def _table_of_jobs(jobs: list[dict[str, Any]], log: str) -> list[list[str]]:
    asked = tr("Job"), tr("Asks for"), tr("Arrives"), tr("Service")
    titles = [*asked, tr("Starts"), tr("In"), tr("Finishes")]
    return [titles, ["---"] * len(titles), *(_job(number, job, log) for number, job in enumerate(jobs))]


def _job(number: int, job: dict[str, Any], log: str) -> list[str]:
    """A job of an example: its number, request, arrival and service, and what the log says of it."""
    lines = re.findall(rf"^(\S+) (\w+) {number}\b *(.*)$", log, re.MULTILINE)
    told = {event: (time, rest) for time, event, rest in lines}
    start, boxes = told.get("start", (UNKNOWN, UNKNOWN))
    size = describe_size((*job["size"], 1)[:3], len(job["size"]))
    numbers = (formatted(job["arrival"], "g"), formatted(job["service"], "g"))
    held = boxes.replace("-", "–").replace(") (", "), (")
    return [str(number), size, *numbers, start, held, told.get("finish", (UNKNOWN,))[0]]


def _table_of_fields(data: object) -> list[list[str]]:
    fields = [*_fields(data, _schema(), "")]
    titles = [tr("Field"), tr("Value"), tr("What it is")][: 2 + any(field.words for field in fields)]
    rows = [[f"`{path}`", as_markdown(value), as_markdown(words)] for path, value, words in fields]
    return [titles, ["---"] * len(titles), *(row[: len(titles)] for row in rows)]


def _fields(value: object, node: Mapping[str, Any], path: str) -> Iterator[_Field]:
    """The values within a value, each beside what its part of the schema says."""
    node = _resolved(node, value)
    inside = f"{path}." if path else ""
    if isinstance(value, dict):
        for key, part in value.items():
            field = node.get("properties", {}).get(key, {})
            if "const" in field and "description" not in field and key != "meshgui":
                said = translated(node.get("description", "")) or node.get("title", "")
                field = {
                    **field,
                    "description": said.partition("\n")[0].rstrip("."),
                }  # of what is chosen by its name
            yield from _fields(part, field, f"{inside}{key}")
    elif isinstance(value, list) and any(isinstance(part, dict | list) for part in value):
        for place, part in enumerate(value):
            yield from _fields(part, node.get("items") or {}, f"{inside}{place}")
    else:
        yield _Field(path, _in_words(value), node.get("description", ""))


def _in_words(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(_in_words, value))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return formatted(value, "g")
    return value or UNKNOWN if isinstance(value, str) else json.dumps(value)


def _resolved(node: Mapping[str, Any], value: object) -> Mapping[str, Any]:
    """A node of the schema with what it refers to, and of several kinds that of the value."""
    while True:
        choices = (*node.get("oneOf", ()), *node.get("anyOf", ()))
        said = {key: part for key, part in node.items() if key not in {"oneOf", "anyOf", "$ref"}}
        if "$ref" in node:
            node = _schema()["$defs"][node["$ref"].rpartition("/")[2]] | said
        elif choices and isinstance(value, dict):
            chosen = (_resolved(choice, value) for choice in choices)
            kind = next((choice for choice in chosen if _fits(choice, value)), {})
            return {**kind, **said, "description": kind.get("description") or said.get("description", "")}
        else:
            return node


def _fits(node: Mapping[str, Any], value: Mapping[str, object]) -> bool:
    """Whether a value names this kind."""
    fields = node.get("properties", {})
    return bool(fields) and all(
        value.get(key) == field.get("const", value.get(key)) for key, field in fields.items()
    )


@cache
def _schema() -> dict[str, Any]:
    return json_schema()
