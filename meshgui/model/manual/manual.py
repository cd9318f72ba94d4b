"""The manual: chapters of pages, written ones and those of the registries, for the program and the site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from inspect import cleandoc
from typing import Final, NamedTuple

from meshgui.catalogue.judging import RULE
from meshgui.engine.allocation.registry import by_title
from meshgui.engine.basics.parts import Part
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.patterns.registry import patterns
from meshgui.engine.scheduling.base import Discipline
from meshgui.engine.scheduling.registry import disciplines
from meshgui.model.manual import figure_page
from meshgui.model.manual.help_pages import help_page, manual_page
from meshgui.model.manual.pages import translated

FIRST_PAGE: Final = "index"
_FIGURES: Final = "reference/figures"

_WRITTEN: Final = {  # the pages that are no class, by chapter, in order of reading
    "": (
        FIRST_PAGE,
        "first-five-minutes",
        "window",
        "driving",
        "comparison",
        "experiments",
        "machines-of-today",
    ),
    tr("The network"): ("network", "network-time"),
    tr("Files and commands"): (
        *("scenarios", "failures", "files", "lessons", "exercises", "web-pages", "command-line", _FIGURES),
    ),
    tr("Many runs"): ("sweeps", "library", "cluster", "slurm", "published-results", "papers-words"),
    tr("Your own"): ("own-strategies", "kernel-strategies"),
    "MeshGUI": ("glossary", "about"),
}


class ManualPage(NamedTuple):
    """A page: its name, which links use with `.md` behind it, its title, and what writes its Markdown."""

    name: str
    title: str
    write: Callable[[], str]


class Chapter(NamedTuple):
    """Pages that belong together; the first chapter has no title."""

    title: str
    pages: tuple[ManualPage, ...]


@cache
def chapters() -> tuple[Chapter, ...]:
    """The whole manual, in order."""
    written = [Chapter(title, tuple(map(_written, names))) for title, names in _WRITTEN.items()]
    listed = [
        Chapter(
            tr("Strategies"),
            tuple(
                ManualPage(f"strategies/{cls.id}", cls.title, partial(help_page, cls)) for cls in by_title()
            ),
        ),
        Chapter(
            tr("Queue disciplines"),
            tuple(
                ManualPage(f"disciplines/{name}", cls.title, partial(_discipline_page, cls))
                for name, cls in disciplines().items()
            ),
        ),
        Chapter(
            tr("Patterns of communication"),
            tuple(
                ManualPage(f"patterns/{name}", cls.title, partial(_class_page, cls))
                for name, cls in patterns().items()
            ),
        ),
    ]
    return (written[0], *listed, *written[1:])


def pages() -> Iterator[ManualPage]:
    """Every page, in order."""
    for chapter in chapters():
        yield from chapter.pages


def page_named(name: str) -> ManualPage | None:
    """The page of that name."""
    return next((page for page in pages() if page.name == name), None)


def title_of(page: str) -> str:
    """The words of the first line of a page."""
    return page.partition("\n")[0].removeprefix("#").strip()


def _written(name: str) -> ManualPage:
    if name == _FIGURES:
        return ManualPage(name, figure_page.TITLE, figure_page.figure_page)
    write = _published_results_page if name == "published-results" else partial(manual_page, name)
    return ManualPage(name, title_of(manual_page(name)), write)


def _published_results_page() -> str:
    """The page with the rule of judging as the program has it."""
    return manual_page("published-results").replace("RULE", RULE)


def _class_page(cls: type) -> str:
    """A page from a class's title, id and docstring."""
    title, name = getattr(cls, "title", cls.__name__), getattr(cls, "id", "")
    words = translated(cleandoc(cls.__doc__)) if cls.__doc__ else ""
    return (
        "\n\n".join(
            part for part in (f"# {title}", words, tr("In scenarios: `{name}`.").format(name=name)) if part
        )
        + "\n"
    )


def _discipline_page(cls: type[Discipline]) -> str:
    """A page from a discipline's docstring, what it goes by, and its options."""
    facts = [
        tr("It plans ahead from the stated service times.") if cls.plans else "",
        tr("It ranks jobs by what their service demands.") if cls.ranks_by_service else "",
    ]
    options = [_option_row(cls.options_model, name) for name in cls.options_model.model_fields]
    table = (
        [tr("| option | what it is | if left out |\n|---|---|---|\n") + "\n".join(options)] if options else []
    )
    parts = [_class_page(cls).rstrip(), " ".join(fact for fact in facts if fact), *table]
    return "\n\n".join(part for part in parts if part) + "\n"


def _option_row(model: type[Part], name: str) -> str:
    field = model.model_fields[name]
    words = (field.description or "").replace("|", r"\|")
    return f"| `{name}` | {words} | `{field.default}` |"
