"""`meshgui store`: merge the stores of a sweep whose points several machines shared."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

from meshgui.cli import output
from meshgui.cli.arguments import Parser, one_of
from meshgui.cli.faults import UsageError
from meshgui.cli.workers import faults, remark_place
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import count_of
from meshgui.experiment.store import Store
from meshgui.experiment.store_file import remove_new
from meshgui.experiment.store_merge import Merged, merge


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.add_argument("action", metavar="merge", type=one_of("merge"))
    parser.add_argument(
        "into", metavar="OUT.db", type=Path, help=tr("the store that takes the runs of the others")
    )
    parser.add_argument("stores", metavar="DB", type=Path, nargs="+", help=tr("a store of `meshgui sweep`"))
    parser.json()


def execute(options: Namespace) -> int:
    """Do it."""
    for path in options.stores:
        if os.path.realpath(path) == os.path.realpath(options.into):
            raise UsageError(tr("meshgui store: {path}: expected another file than OUT.db").format(path=path))
        if not path.is_file():
            raise UsageError(tr("meshgui store: {path}: expected a store, got no file").format(path=path))
    remark_place(options.into)
    new = not options.into.exists()
    try:
        found = _merged(options)
    except BaseException:
        if new:
            remove_new(options.into)
        raise
    merged = Merged(sum(one.added for one in found), sum(one.present for one in found))
    if options.json:
        output.write_json(merged._asdict() | {"stores": len(found)})
        return 0
    said = tr("{into}: {runs} added from {stores}; {present} were there already")
    words = {"runs": count_of(merged.added, "run"), "stores": count_of(len(found), "store")}
    output.write(said.format(into=options.into, present=merged.present, **words))
    return 0


def _merged(options: Namespace) -> list[Merged]:
    """What each of the stores has added."""
    progress, found = output.ProgressLine(tr("Merging"), "store"), []
    with faults(), Store(options.into) as target, progress as shown:
        for number, path in enumerate(options.stores):
            shown.report(number, len(options.stores))
            with Store(path, read_only=True) as source:
                found.append(merge(target, source))
    return found
