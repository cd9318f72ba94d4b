"""`meshgui allocators`: the strategies there are, also those of other packages, and the page about one."""

from __future__ import annotations

from argparse import Namespace

from meshgui.catalogue.sources import cite
from meshgui.cli import output
from meshgui.cli.arguments import Parser
from meshgui.cli.faults import UsageError
from meshgui.engine.allocation.registry import strategies, strategy, unusable_strategies
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.basics.nearest import nearest
from meshgui.engine.basics.translation import tr
from meshgui.model.manual.help_pages import help_page


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.add_argument("id", metavar="ID", nargs="?", help=tr("print the page about this strategy"))
    parser.json()


def execute(options: Namespace) -> int:
    """Do it."""
    if options.id is not None:
        if options.json:
            raise UsageError(tr("meshgui allocators: expected either ID or --json"))
        try:
            output.write(help_page(strategy(options.id)))
        except StrategyError as error:
            unusable = options.id in {name for name, _ in unusable_strategies()}
            near = "" if unusable else nearest(options.id, list(strategies()))
            said = (
                tr("no strategy is called {options}{near}").format(options=options.id, near=near)
                if near
                else str(error)
            )
            raise UsageError(tr("meshgui allocators: {said}").format(said=said)) from None
        return 0
    known = strategies()
    if others := unusable_strategies():
        names = ", ".join(name for name, _ in others)
        output.complain(tr("meshgui: cannot be used: {names} (meshgui doctor says why)").format(names=names))
    if options.json:
        output.write_json(
            [
                {
                    "id": cls.id,
                    "title": cls.title,
                    "dims": sorted(cls.dims),
                    "rotates": cls.rotates,
                    "contiguous": cls.contiguous,
                    "source": {"paper": cls.source.paper, "place": cls.source.place},
                }
                for cls in known.values()
            ],
            indent=2,
        )
        return 0
    rows = [(tr("id"), tr("strategy"), tr("dims"), tr("rotates"), tr("contiguous"), tr("source"))]
    for cls in known.values():
        source = cite(cls.source)
        dims = ", ".join(map(str, sorted(cls.dims)))
        rows.append((cls.id, cls.title, dims, _yes(cls.rotates), _yes(cls.contiguous), source))
    output.write(output.columns(rows))
    return 0


def _yes(flag: bool) -> str:
    return tr("yes") if flag else tr("no")
