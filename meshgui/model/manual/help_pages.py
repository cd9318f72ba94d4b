"""The help pages on strategies, the network, experiments and the program, and their worked examples."""

from __future__ import annotations

import json
import re
from inspect import cleandoc
from typing import Any, Final

from meshgui import __version__
from meshgui.catalogue.sources import cite
from meshgui.engine import allocation
from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.pseudo_code import Line
from meshgui.engine.basics.geometry import describe_size
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.basics.words import UNKNOWN
from meshgui.itself import resource
from meshgui.model.manual.pages import translated

_PUNCTUATION: Final = re.compile(r"([!-/:-@\[-`{-~])")
_EXAMPLE: Final = re.compile(r"^```json\n(.*?)^```\n*(?:^```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL)
_SCENARIO: Final = re.compile(r"^```json\n(.*?)^```", re.MULTILINE | re.DOTALL)


def help_page(cls: type[Strategy]) -> str:
    """A strategy's page in Markdown: its own, that of its file here, or what its class says of itself."""
    if cls.help:
        return cleandoc(cls.help) + "\n"
    package, _, module = cls.__module__.rpartition(".")
    if package == allocation.__name__:
        page = resource("help", f"{module}.md")
        if page.is_file():
            return translated(page.read_text("utf-8"))
    return _generated_page(cls)


def network_page() -> str:
    """The page about the network, in Markdown."""
    return manual_page("network")


def experiments_page() -> str:
    """The page about experiments, in Markdown."""
    return manual_page("experiments")


def driving_page() -> str:
    """The page about changing the run by hand, in Markdown."""
    return manual_page("driving")


def comparison_page() -> str:
    """The page about runs side by side, in Markdown."""
    return manual_page("comparison")


def about_page() -> str:
    """The page about the program, in Markdown."""
    return manual_page("about")


def manual_page(name: str) -> str:
    """A page of the manual that is written by hand, in Markdown."""
    page = translated(resource("manual", f"{name}.md").read_text("utf-8"))
    return page.replace("VERSION", __version__) if name == "about" else page


def as_markdown(words: str) -> str:
    """Plain text as Markdown that shows the same."""
    return _PUNCTUATION.sub(r"\\\1", words)


def worked_example(page: str) -> str | None:
    """The scenario in a page, as JSON; the first block of JSON is it."""
    found = _SCENARIO.search(page)
    return found[1] if found else None


def as_read(page: str) -> str:
    """The page with its worked example as a table, in place of the scenario and log that a program reads."""
    found = _EXAMPLE.search(page)
    if found is None:
        return page
    try:
        jobs = json.loads(found[1])["workload"]["jobs"]
        rows = [_row(number, job, found[2] or "") for number, job in enumerate(jobs)]
    except (ValueError, LookupError, TypeError):
        return page
    asked = tr("Job"), tr("Asks for"), tr("Arrives"), tr("Service")
    titles = (*asked, tr("Starts"), tr("In"), tr("Finishes"))
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in (titles, ["---"] * len(titles), *rows))
    return page[: found.start()] + table + page[found.end() :]


def _row(number: int, job: dict[str, Any], log: str) -> list[str]:
    """A job of an example: its number, request, arrival and service, and what the log says of it."""
    lines = re.findall(rf"^(\S+) (\w+) {number}\b *(.*)$", log, re.MULTILINE)
    told = {event: (time, rest) for time, event, rest in lines}
    start, boxes = told.get("start", (UNKNOWN, UNKNOWN))
    size = describe_size((*job["size"], 1)[:3], len(job["size"]))
    numbers = (formatted(job["arrival"], "g"), formatted(job["service"], "g"))
    held = boxes.replace("-", "–").replace(") (", "), (")
    return [str(number), size, *numbers, start, held, told.get("finish", (UNKNOWN,))[0]]


def _generated_page(cls: type[Strategy]) -> str:
    """A page from what every strategy has: title, kind, docstring, pseudo-code, source."""
    kind = tr("one box for each job") if cls.contiguous else tr("several boxes for a job where needed")
    turns = (
        tr("turns a request that does not fit as asked") if cls.rotates else tr("takes a request as it is")
    )
    release = (
        [tr("## Release\n\n```text\n{code}\n```").format(code=_code(cls.release_lines))]
        if cls.release_lines
        else []
    )
    words = cleandoc(cls.__doc__) if cls.__doc__ else ""
    parts = [
        f"# {cls.title}",
        words,
        tr("Works on {dims_in_words} meshes, gives {kind}, and {turns}.").format(
            dims_in_words=cls.dims_in_words(), kind=kind, turns=turns
        ),
        tr("## Pseudo-code\n\n```text\n{code}\n```").format(code=_code(cls.lines)),
        *release,
        tr("## Source\n\n{cite}").format(cite=cite(cls.source)),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _code(lines: tuple[Line, ...]) -> str:
    return "\n".join(f"{'  ' * line.indent}{line.text}" for line in lines)
