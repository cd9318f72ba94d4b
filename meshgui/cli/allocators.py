"""`meshgui allocators`: strategies, disciplines and patterns, those of packages too, and pages about them."""

from __future__ import annotations

from argparse import Namespace
from inspect import getdoc
from typing import Any

from meshgui.catalogue.sources import cite
from meshgui.cli import output
from meshgui.cli.arguments import Parser, declare_kind
from meshgui.cli.faults import UsageError
from meshgui.engine.allocation.base import Strategy
from meshgui.engine.basics.plugins import package_of
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.patterns.base import Pattern
from meshgui.engine.scheduling.base import Discipline
from meshgui.model.manual.help_pages import help_page
from meshgui.model.manual.pages import translated
from meshgui.plugin_kinds import FAULTS, PluginKind, kind_called, plugin_called


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.add_argument(
        "id", metavar="ID", nargs="?", help=tr("print the page about this strategy, discipline or pattern")
    )
    declare_kind(parser, tr("which of them to list (strategy), or which the ID is of"))
    parser.json()


def execute(options: Namespace) -> int:
    """Do it."""
    if options.id is not None:
        if options.json:
            raise UsageError(tr("meshgui allocators: expected either ID or --json"))
        try:
            _, cls = plugin_called(options.id, options.kind)
            output.write(help_page(cls) if issubclass(cls, Strategy) else _page(cls))
        except FAULTS as error:
            raise UsageError(tr("meshgui allocators: {said}").format(said=error)) from None
        return 0
    kind = kind_called(options.kind or "strategy")
    known = kind.known()
    if known.unusable:
        names = ", ".join(name for name, _ in known.unusable)
        output.complain(tr("meshgui: cannot be used: {names} (meshgui doctor says why)").format(names=names))
    if options.json:
        output.write_json([_as_json(cls) for cls in known.values()], indent=2)
        return 0
    output.write(output.columns([_heading(kind), *(_row(cls) for cls in known.values())]))
    return 0


def _heading(kind: PluginKind) -> tuple[str, ...]:
    if kind.base is Strategy:
        return tr("id"), tr("strategy"), tr("dims"), tr("rotates"), tr("contiguous"), tr("source")
    if kind.base is Discipline:
        return tr("id"), tr("discipline"), tr("plans"), tr("by arrival"), tr("options"), tr("package")
    return tr("id"), tr("pattern"), tr("powers of two"), tr("package")


def _row(cls: type[Any]) -> tuple[str, ...]:
    if issubclass(cls, Strategy):
        dims = ", ".join(map(str, sorted(cls.dims)))
        return cls.id, cls.title, dims, _yes(cls.rotates), _yes(cls.contiguous), cite(cls.source)
    if issubclass(cls, Discipline):
        options = ", ".join(cls.options_model.model_fields)
        return cls.id, cls.title, _yes(cls.plans), _yes(cls.by_arrival), options, package_of(cls)
    return cls.id, cls.title, _yes(cls.powers_of_two), package_of(cls)


def _as_json(cls: type[Any]) -> dict[str, Any]:
    about: dict[str, Any] = {"id": cls.id, "title": cls.title}
    if issubclass(cls, Strategy):
        return about | {
            "dims": sorted(cls.dims),
            "rotates": cls.rotates,
            "contiguous": cls.contiguous,
            "source": {"paper": cls.source.paper, "place": cls.source.place},
        }
    if issubclass(cls, Discipline):
        about |= {
            "plans": cls.plans,
            "ranks_by_service": cls.ranks_by_service,
            "by_arrival": cls.by_arrival,
            "options": list(cls.options_model.model_fields),
        }
    elif issubclass(cls, Pattern):
        about["powers_of_two"] = cls.powers_of_two
    return about | {"package": package_of(cls)}


def _page(cls: type[Any]) -> str:
    """What the class says of itself, with its options."""
    lines = [f"# {cls.title}", "", translated(getdoc(cls) or "")]
    if issubclass(cls, Discipline) and cls.options_model.model_fields:
        lines.append("")
        lines += [
            f"- `{name}`: {field.description or field.annotation}"
            for name, field in cls.options_model.model_fields.items()
        ]
    return "\n".join(lines)


def _yes(flag: bool) -> str:
    return tr("yes") if flag else tr("no")
