"""The help pages on strategies, the network, experiments and the program, and their worked examples."""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import Final

from meshgui import __version__
from meshgui.catalogue.sources import cite
from meshgui.engine import allocation
from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.pseudo_code import Line
from meshgui.engine.basics.translation import tr
from meshgui.itself import resource
from meshgui.model.manual.pages import translated

_SCENARIO: Final = re.compile(r"^```json\n(\{\s*\"meshgui\": .*?)^```", re.MULTILINE | re.DOTALL)


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


def worked_example(page: str) -> str | None:
    """The scenario in a page, as JSON: the first block of JSON that is one."""
    found = _SCENARIO.search(page)
    return found[1] if found else None


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
