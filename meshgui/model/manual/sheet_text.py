"""The words of a strategy's sheet: its page without the example, its pseudo-code, and what it costs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product
from typing import Any, Final, NamedTuple

from meshgui.catalogue.sources import cite
from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.pseudo_code import Line
from meshgui.engine.basics.kinds import AttemptOutcome
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.model.manual.help_pages import help_page

_HEADING: Final = re.compile(r"^## .*$", re.MULTILINE)
_BLOCK: Final = re.compile(r"^```.*?^```\n?", re.MULTILINE | re.DOTALL)
_IDEA, _COST = 0, 3  # the places of these sections in a page of the program's own
_SECTIONS: Final = 8
_CHOSEN: Final[dict[str, dict[str, Any]]] = {  # options where the usual ones show little
    "bluegene": {"unit": 2},
    "bgp": {"fuzzy": True},
    "ta": {"eafr": True},
    "torus3d": {"placements": [{"dims": dims} for dims in product((1, 2, 4), repeat=3)]},
}
_STEPS: Final = range(6, 160)  # an attempt with this number of steps is worth a picture


class SheetText(NamedTuple):
    """Four pieces of Markdown, from the top of the sheet to its foot."""

    idea: str
    code: str
    cost: str
    source: str


def sheet_text(cls: type[Strategy]) -> SheetText:
    """The words of a strategy's sheet."""
    page = help_page(cls)
    headings = _HEADING.findall(page)
    start, *sections = [_BLOCK.sub("", part).strip() for part in _HEADING.split(page)]
    summary = start.partition("\n")[2].strip()
    written = len(sections) == _SECTIONS
    idea = f"{headings[_IDEA]}\n\n{sections[_IDEA]}" if written else ""
    stated = cls.complexity
    cost = [f"{headings[_COST]}\n\n{sections[_COST]}"] if written else []
    if stated is not None and not written:
        cost.append(
            tr("## Complexity\n\nAn allocation takes {allocation}, a release {release} ({source}).").format(
                allocation=stated.allocation.words, release=stated.release.words, source=stated.source
            )
        )
    return SheetText(
        "\n\n".join(filter(None, (f"# {cls.title}", _kind(cls), summary, idea))),
        "\n\n".join(_code(title, lines) for title, lines in _codes(cls)),
        "\n\n".join(cost),
        tr("## Source\n\n{cite}").format(cite=cite(cls.source)),
    )


def _kind(cls: type[Strategy]) -> str:
    kind = tr("one box for each job") if cls.contiguous else tr("several boxes for a job where needed")
    turns = tr("turns requests") if cls.rotates else tr("takes requests as they are")
    return f"*{cls.id} · {cls.dims_in_words()} · {kind} · {turns}*"


def _codes(cls: type[Strategy]) -> list[tuple[str, tuple[Line, ...]]]:
    codes = [(tr("Pseudo-code"), cls.lines)]
    return [*codes, (tr("Release"), cls.release_lines)] if cls.release_lines else codes


def _code(title: str, lines: tuple[Line, ...]) -> str:
    rows = "\n".join(f"{'  ' * line.indent}{line.text}" for line in lines)
    return f"## {title}\n\n```text\n{rows}\n```"  # untranslated: marks


def worth_seeing(cls: type[Strategy]) -> dict[str, Any]:
    """A crowded machine that is small enough to be seen, as a scenario in JSON."""
    flat, on_torus, cubes = 2 in cls.dims, cls.id == "torus3d", cls.id in {"tpu-static", "tpu-ocs"}
    shape = [8, 8] if flat else [8, 8, 8] if cubes else [4, 4, 4]
    sides = {"kind": "uniform", "low": 1, "high": 5 if flat else 3}
    if cubes:
        sides = {"kind": "intervals", "intervals": [[4, 4, 0.6], [8, 8, 0.4]]}
    elif on_torus:
        sides = {"kind": "intervals", "intervals": [[1, 1, 0.5], [2, 2, 0.5]]}
    return {
        "meshgui": 1,
        "mesh": {"shape": shape, "wrap": [on_torus] * len(shape)},
        "allocator": {"name": cls.id, "options": _CHOSEN.get(cls.id, {})},
        "workload": {"kind": "stochastic", "jobs": 80, "load": 6.0, "sides": sides},
        "seed": 2,
    }


def revealing(recording: Recording) -> tuple[int, int, int]:
    """Late in the attempt with the most steps among those that are not endless, past the first jobs.

    Its events, the attempt, and the step, as a position has them.
    """
    lengths = _lengths(recording, range(20, min(len(recording.attempts), 120)))
    good = [n for n, steps in lengths.items() if steps in _STEPS] or list(lengths)
    placed = [n for n in good if recording.attempts[n].outcome == AttemptOutcome.PLACED] or good
    best = max(placed, key=lambda n: (len(recording.boxes_of(recording.attempts[n].job)), lengths[n]))
    return recording.attempts[best].position, best, lengths[best] * 4 // 5


def _lengths(recording: Recording, attempts: Iterable[int]) -> dict[int, int]:
    """The steps of each attempt, by one strategy that goes from one to the next."""
    working, at, lengths = recording.new_strategy(), 0, {}
    for attempt in attempts:
        position = recording.attempts[attempt].position
        recording.replay(working, at, position)
        trace, at = recording.repeated(attempt, working), position
        working.restore(trace.before)
        lengths[attempt] = len(trace.steps)
    return lengths
