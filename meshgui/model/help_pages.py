"""The help pages on strategies, the network, experiments and scenarios, and their worked examples."""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import Final

from meshgui import __version__
from meshgui.catalogue.sources import cite
from meshgui.engine import allocation
from meshgui.engine.allocation.base import Strategy
from meshgui.resources import resource

__all__ = ["about_page", "experiments_page", "help_page", "network_page", "scenario_page", "worked_example"]

_PUNCTUATION: Final = re.compile(r"([!-/:-@\[-`{-~])")
_NO_NOTES: Final = "Nothing has been noted about this scenario. Its form has a field for notes."
_SCENARIO: Final = re.compile(r"^```json\n(.*?)^```", re.MULTILINE | re.DOTALL)


def help_page(cls: type[Strategy]) -> str:
    """A strategy's page in Markdown: its own, that of its file here, or what its class says of itself."""
    if cls.help:
        return cleandoc(cls.help) + "\n"
    package, _, module = cls.__module__.rpartition(".")
    if package == allocation.__name__:
        page = resource("help", f"{module}.md")
        if page.is_file():
            return page.read_text("utf-8")
    return _generated_page(cls)


def network_page() -> str:
    """The page about the network, in Markdown."""
    return _topic_page("network")


def experiments_page() -> str:
    """The page about experiments, in Markdown."""
    return _topic_page("experiments")


def about_page() -> str:
    """The page about the program, in Markdown."""
    return _topic_page("about").replace("VERSION", __version__)


def scenario_page(title: str, notes: str) -> str:
    """A scenario's notes, which are plain text, as Markdown, paragraph by paragraph."""
    parts = [f"# {_plain(title)}"]
    for paragraph in re.split(r"\n\s*\n", notes.strip()):
        lines = [_plain(line.strip()) for line in paragraph.splitlines()]
        parts.append("\\\n".join(lines) or _NO_NOTES)
    return "\n\n".join(parts) + "\n"


def _topic_page(name: str) -> str:
    return resource("help", "topics", f"{name}.md").read_text("utf-8")


def _plain(words: str) -> str:
    """Text with Markdown's characters escaped."""
    return _PUNCTUATION.sub(r"\\\1", words)


def worked_example(page: str) -> str | None:
    """The scenario in a page, as JSON; the first block of JSON is it."""
    found = _SCENARIO.search(page)
    return found[1] if found else None


def _generated_page(cls: type[Strategy]) -> str:
    """A page from what every strategy has: title, kind, docstring, pseudo-code, source."""
    kind = "one box for each job" if cls.contiguous else "several boxes for a job where need be"
    turns = "turns a request that does not fit as asked" if cls.rotates else "takes a request as it is"
    code = "\n".join(f"{'  ' * line.indent}{line.text}" for line in cls.lines)
    words = cleandoc(cls.__doc__) if cls.__doc__ else ""
    parts = [
        f"# {cls.title}",
        words,
        f"Works on {cls.dims_in_words()} meshes, gives {kind}, and {turns}.",
        f"## Pseudo-code\n\n```text\n{code}\n```",
        f"## Source\n\n{cite(cls.source)}",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"
