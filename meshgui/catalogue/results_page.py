"""The page of all published results beside what was measured, in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from meshgui.catalogue.entries import CatalogueEntry, Setting
from meshgui.catalogue.judging import PRECISION, RULE, JudgedNumber, Verdict
from meshgui.catalogue.results_in_words import HEADING, row_of, scaled, shown, verdict_counts
from meshgui.catalogue.sources import PAPERS, cited
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.basics.words import UNKNOWN, percent
from meshgui.engine.runs.dictionary import FIGURES

_VERDICTS: Final = tuple(Verdict)


_PREFACE: Final = tr("""\
This page is written by `meshgui reproduce --page`. It sets published results beside what MeshGUI
measures in the same setting. The simulators that produced them are not public, and the papers
leave things open; nothing here was adjusted to come closer. Where numbers differ, the page says by
how much, and why where that is known.""")
_SEEDS: Final = tr("""\
Every setting is run with the seeds 1, 2, 3 …; all strategies see the same jobs, and ratios are of
paired runs. A run has 1000 jobs unless the setting says otherwise.""")
_QUICK: Final = tr("This is a first answer, from few runs (`--quick`).")
_FULL: Final = tr(
    "Runs are added until the 95 % interval of every number is within {precision} of it, or the "
    "entry has its\nmaximum number of runs; a number known less well is marked *not precise*."
).format(precision=percent(PRECISION))
_PAPER: Final = re.compile("|".join(map(re.escape, PAPERS)))

_CHANCE: Final = tr(
    "A verdict follows from the two numbers alone: the verdict on a number that is not "
    "precise could change\nwith more runs."
)


class EntryResult(Protocol):
    """An entry as it stands."""

    @property
    def entry(self) -> CatalogueEntry:
        """What it is."""
        ...

    @property
    def judged(self) -> Sequence[JudgedNumber]:
        """Its numbers beside the published ones."""
        ...

    @property
    def done(self) -> bool:
        """Whether it has had all the runs it asks for."""
        ...


class PagePicture(NamedTuple):
    """A picture that the page shows."""

    title: str
    link: str  # from the page to the file


Pictures = Mapping[tuple[str, str], Sequence[PagePicture]]
"""By entry and setting."""


def page(
    states: Sequence[EntryResult], *, quick: bool, pictures: Pictures | None = None, rule: str = ""
) -> str:
    """All of it, with pictures below the tables they are of; `rule` says which those are."""
    parts = [*_opening(states, quick=quick)]
    if rule:
        parts.append(rule)
    for state in states:
        parts.extend(_of(state, pictures or {}))
    return "\n\n".join(parts) + "\n"


def _opening(states: Sequence[EntryResult], *, quick: bool) -> Iterable[str]:
    yield tr("# Published results")
    yield _PREFACE
    sources = " ".join(state.entry.source for state in states)
    used = [PAPERS[name] for name in dict.fromkeys(_PAPER.findall(sources))]
    yield "\n".join(f"- **{paper.title}** {paper.published}." for paper in used)
    yield f"{_SEEDS} {_QUICK if quick else _FULL}{_unfinished(states)}"
    yield f"{RULE} {_CHANCE}"
    found = {state.entry.id: verdict_counts(state.judged) for state in states}
    rows = [
        (
            f"[{state.entry.id}](#{_anchor(state.entry)})",
            state.entry.title,
            *(str(found[state.entry.id].get(verdict, 0)) for verdict in _VERDICTS),
        )
        for state in states
    ]
    total = (str(sum(counts.get(verdict, 0) for counts in found.values())) for verdict in _VERDICTS)
    heading = ("id", "result", *(verdict.value for verdict in _VERDICTS))
    yield table(heading, [*rows, ("", "all", *total)])


def _unfinished(states: Sequence[EntryResult]) -> str:
    """That some entries have not had all the runs they ask for, if so."""
    names = [state.entry.id for state in states if not state.done]
    if not names:
        return ""
    return tr(" Some runs of {names} are still to be made: these are the numbers so far.").format(
        names=tr(", ").join(names)
    )


def _of(state: EntryResult, pictures: Pictures) -> Iterable[str]:
    entry, judged = state.entry, state.judged
    yield f"## {entry.id}: {entry.title}"
    yield f"{cited(entry.source)}. {entry.text}"
    for name, setting in entry.settings.items():
        mine = [j for j in judged if j.setting == name]
        rows = [row_of(j, times=False) for j in mine if not j.number.asked]
        asked = [j for j in mine if j.number.asked]
        if mine:
            yield f"{setting.what} ({cited(setting.source)}):"
        if rows:
            yield table(HEADING, rows)
        if asked:
            yield table(*_asked(setting, asked))
        if mine:
            for picture in pictures.get((entry.id, name), ()):
                yield f"![{picture.title}]({picture.link})"
    yield from entry.remarks


def _asked(setting: Setting, judged: Sequence[JudgedNumber]) -> tuple[list[str], list[list[str]]]:
    """The heading and the rows of what nothing was published of: a row for each figure and load."""
    rows: dict[tuple[str, float | None], list[str]] = {}
    for one in judged:
        scale, unit = scaled(one)
        load = [] if one.load is None else [formatted(one.load, "g")]
        row = rows.setdefault((one.number.figure, one.load), [FIGURES[one.number.figure].title + unit, *load])
        row.append(UNKNOWN if one.measured is None else shown(one.measured, scale))
    loads = [tr("load")] if setting.loads else []
    return [tr("figure"), *loads, *setting.strategies], list(rows.values())


def _anchor(entry: CatalogueEntry) -> str:
    """As a heading's anchor is made of it: letters, digits and dashes."""
    heading = f"{entry.id}: {entry.title}".lower()
    return "".join(c for c in heading if c.isalnum() or c in " -_").replace(" ", "-")


def table(heading: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    lines = [_line(row) for row in (tuple(heading), *map(tuple, rows))]
    lines.insert(1, "|" + "---|" * lines[0].count(" | ") + "---|")
    return "\n".join(lines)


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
