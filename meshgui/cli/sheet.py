"""`meshgui sheet`: a strategy on one page to print."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from meshgui.cli import output
from meshgui.cli.arguments import Parser
from meshgui.cli.drawing import check_folder, drawing
from meshgui.cli.faults import UsageError
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.nearest import nearest
from meshgui.engine.basics.translation import tr


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.add_argument("strategy", metavar="STRATEGY", help=tr("its short name, for example bf"))
    parser.add_argument("--out", metavar="P.pdf", type=Path, required=True, help=tr("the file of the sheet"))


def execute(options: Namespace) -> int:
    """Do it."""
    known = strategies()
    cls = known.get(options.strategy)
    if cls is None:
        guess = nearest(options.strategy, list(known))
        raise UsageError(
            tr("meshgui sheet: no strategy is called {name}{nearest}").format(
                name=options.strategy, nearest=guess
            )
        )
    if options.out.suffix.lower() != ".pdf":
        raise UsageError(
            tr("meshgui sheet: --out: expected a name that ends in .pdf, got {out}").format(out=options.out)
        )
    check_folder(options.out)
    with drawing():
        from meshgui.views.style.application import qt_application  # noqa: PLC0415 - Qt, only to draw
        from meshgui.views.style.theme import ThemeManager  # noqa: PLC0415 - likewise
        from meshgui.views.window.strategy_sheet import write_sheet  # noqa: PLC0415 - likewise

        write_sheet(cls, ThemeManager(qt_application(), "light"), options.out)
    output.write(tr("{out}: {strategy}").format(out=options.out, strategy=cls.title))
    return 0
