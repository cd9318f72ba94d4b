"""`meshgui reproduce`: the published results beside what comes out here."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path
from typing import Final
from urllib.parse import quote

from meshgui.catalogue.entries import CatalogueEntry, catalogue
from meshgui.catalogue.judging import RULE, judge
from meshgui.catalogue.reproduction import EntryState, Reproduction
from meshgui.catalogue.results_in_words import HEADING, as_data, row_of, verdicts_in_words
from meshgui.catalogue.results_page import PagePicture, page
from meshgui.catalogue.sources import cited
from meshgui.cli import output
from meshgui.cli.arguments import Parser
from meshgui.cli.drawing import drawing
from meshgui.cli.faults import UsageError, WorkFailed
from meshgui.cli.gui_packages import require_gui
from meshgui.cli.workers import (
    at_work,
    declare_store,
    declare_workers,
    faults,
    progress_note,
)
from meshgui.cli.written_files import wanted_file, writing
from meshgui.engine.basics.files import os_fault
from meshgui.engine.basics.nearest import nearest
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import Progress, Work
from meshgui.experiment.executors import InProcess
from meshgui.experiment.store import Store
from meshgui.model.studies.published_charts import PICTURES, charts_of, file_names, worth_a_picture

_SHOWN: Final = tr(
    "For every result, the charts with the most bars are shown, at most {PICTURES}; diamonds and "
    "brackets mark\nthe published values."
).format(PICTURES=PICTURES)


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.add_argument("ids", metavar="ID", nargs="*", help=tr("entries of the catalogue (all of it)"))
    parser.add_argument("--list", action="store_true", help=tr("list the catalogue and run nothing"))
    parser.add_argument(
        "--quick",
        action="store_true",
        help=tr("a first answer from few runs, in minutes"),
    )
    declare_workers(parser)
    declare_store(parser)
    parser.add_argument(
        "--page", metavar="OUT.md", type=Path, help=tr("write a page of all of it, in Markdown")
    )
    parser.add_argument(
        "--pictures", metavar="DIR", type=Path,
        help=tr("draw every chart into this folder as SVG; a page shows some of them"),
    )  # fmt: skip
    parser.add_argument("--so-far", action="store_true", help=tr("run nothing: report what the store has"))
    parser.json()


def execute(options: Namespace) -> int:
    """Do it."""
    entries = _chosen(options.ids)
    if options.list:
        _list(entries, as_json=options.json)
        return 0
    if options.so_far and options.store is None:
        raise UsageError(tr("meshgui reproduce: --so-far: expected --store DB as well"))
    if options.so_far and not options.store.exists():
        raise UsageError(
            tr("{store}: --so-far: expected a store, but there is none").format(store=options.store)
        )
    if options.pictures is not None:
        _check_pictures(options.pictures)
    with wanted_file(options.page, tr("the page")) as file:
        with faults(), Store(options.store) as store:
            states = _reproduced(entries, store, options)
        if file is not None:
            with writing(options.page, tr("the page")):
                file.write(_page(states, options).encode())
        if options.pictures is not None:
            with drawing():
                from meshgui.views.offscreen.published_pictures import write_charts  # noqa: PLC0415 - Qt

                write_charts(states, options.pictures)
    if options.json:
        output.write_json([as_data(state.entry, state.judged) for state in states], indent=1)
    else:
        output.write("\n\n".join([*map(_in_words, states), RULE]))
    failed = [(state, fault) for state in states for fault in state.faults.values()]
    if failed:
        state, fault = failed[0]
        raise WorkFailed(
            tr("{id}: {failed} points failed: {fault}").format(
                id=state.entry.id, failed=len(failed), fault=fault
            )
        )
    return 0


def _chosen(ids: list[str]) -> list[CatalogueEntry]:
    entries = catalogue()
    for name in ids:
        if name not in entries:
            known = nearest(name, list(entries)) or tr(": expected one of {entries}").format(
                entries=", ".join(entries)
            )
            raise UsageError(
                tr("meshgui reproduce: no entry is called {name}{known}").format(name=name, known=known)
            )
    return [entries[name] for name in dict.fromkeys(ids)] if ids else list(entries.values())


def _list(entries: list[CatalogueEntry], *, as_json: bool) -> None:
    if as_json:
        output.write_json(
            [
                {
                    "id": e.id,
                    "title": e.title,
                    "source": e.source,
                    "text": e.text,
                    "numbers": len(judge(e, {})),
                }
                for e in entries
            ],
            indent=1,
        )
        return
    rows = [(e.id, str(len(judge(e, {}))), e.title, cited(e.source)) for e in entries]
    output.write(output.columns([(tr("id"), tr("numbers"), tr("title"), tr("source")), *rows]))


def _reproduced(entries: list[CatalogueEntry], store: Store, options: Namespace) -> list[EntryState]:
    if options.so_far:
        return Reproduction(entries, store, InProcess(), quick=options.quick).states
    most = sum(len(entry.points) * (entry.quick.runs if options.quick else entry.most) for entry in entries)
    with at_work(tr("meshgui reproduce"), options, most) as executor:
        work = Reproduction(entries, store, executor, quick=options.quick)
        with output.ProgressLine(tr("Running", "what the program does"), "run") as shown:

            def hear(progress: Progress) -> None:
                now = work.progress
                unfinished = tr(", {open_entries} entries unfinished").format(open_entries=now.open_entries)
                shown.note = progress_note(executor, now.seconds_left, unfinished)
                shown.hear(progress)

            output.complain_of_cache(shown)
            work.run(Work(hear, between=output.BETWEEN))
    return work.states


def _check_pictures(folder: Path) -> None:
    """Notice before the work what would make it useless."""
    require_gui(tr("a picture"))
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise WorkFailed(
            tr("{folder}: the folder of the pictures: {fault}").format(folder=folder, fault=os_fault(error))
        ) from None


def _page(states: list[EntryState], options: Namespace) -> str:
    """The page, and in it those pictures that say more than their tables."""
    if options.pictures is None:
        return page(states, quick=options.quick)
    way = _way(options.page, options.pictures)
    found: dict[tuple[str, str], list[PagePicture]] = {}
    for state in states:
        charts = charts_of(state.entry, state.judged)
        names = dict(zip(charts, file_names(state.entry, charts), strict=True))
        for chart in worth_a_picture(charts):
            shown = PagePicture(chart.chart.title, f"{way}/{names[chart]}")
            found.setdefault((state.entry.id, chart.setting), []).append(shown)
    rule = tr("{SHOWN} All are in [{name}]({way}).").format(SHOWN=_SHOWN, name=options.pictures.name, way=way)
    return page(states, quick=options.quick, pictures=found, rule=rule)


def _way(page: Path, folder: Path) -> str:
    """The way from a page to a folder, where there is one, as links have it."""
    try:
        return quote(Path(os.path.relpath(folder, page.absolute().parent)).as_posix())
    except ValueError:  # on another drive
        return folder.absolute().as_uri()


def _in_words(state: EntryState) -> str:
    entry, judged = state.entry, state.judged
    lines = [f"{entry.id}  {entry.title}", f"{cited(entry.source)}. {entry.text}", ""]
    for name, setting in entry.settings.items():
        rows = [row_of(j) for j in judged if j.setting == name]
        if rows:
            lines += [f"{setting.what}:", output.columns([HEADING, *rows]), ""]
    return "\n".join([*lines, f"{entry.id}: {verdicts_in_words(judged)}"])
