"""Writes docs/network-results.md: the published results of runs with a network, and what comes out here."""

from __future__ import annotations

import math
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from generated import write_page
from network_moved import MOVED, Column
from network_runs import AS_IT_IS, VARIANTS, Runs, Samples

from meshgui.catalogue.entries import Number, ResultPoint, Setting, catalogue
from meshgui.catalogue.judging import ALIKE, NEAR, JudgedNumber, judge_number
from meshgui.catalogue.sources import PAPERS, cited
from meshgui.engine.runs.dictionary import FIGURES
from meshgui.experiment.statistics import Estimate

ROOT: Final = Path(__file__).parent.parent
PAGE: Final = ROOT / "docs" / "network-results.md"
REMARKS: Final = Path(__file__).with_name("network_remarks.md")
_PRECISION: Final = 0.05  # as the papers have it
_LEAST, _STEP = 10, 10  # runs
_MOST: Final = {"000-T4.2": 100, "000-C4s": 10, "001-T2": 10, "003": 10}  # and of other ids
_MOST_OF_OTHERS: Final = 30
_OF_ALL: Final = (AS_IT_IS, "free ports", "header", "U[2,8]")
_READINGS: Final = {
    "all-to-all-rounds": (*_OF_ALL, "by source", "in turn"),
    "one-to-all": _OF_ALL,
    "n-body": (*_OF_ALL, "by iteration"),
    "fft-longest-first": (*_OF_ALL, "by iteration", "shortest first", "shortest first by iteration"),
    "multigrid": (*_OF_ALL, "by stage"),
}
_RUNS_OF_READINGS: Final = 2
_CLOSE: Final = 0.15  # a share of the published number
_LEAST_RATIO: Final = 1e-3  # of what was not measured at all
_TIMES_OFF: Final = ("finish_time", "blocking", "latency")
_IDS: Final = ("000-T4.2", "000-C4", "000-C4s", "001-T2", "002", "003")


class Page:
    """The tables, from runs that are made when they are needed."""

    def __init__(self, runs: Runs, most: int) -> None:
        self.runs, self.most = runs, most
        self.entries = {name: entry for name, entry in catalogue().items() if name in _IDS}
        self.settings = {n: s for entry in self.entries.values() for n, s in entry.settings.items()}
        self.verdicts: dict[str, Counter[str]] = {}

    def of(self, name: str) -> Iterator[str]:
        """All of one id of the catalogue."""
        for setting in self.named(name):
            yield f"{cited(setting.source)}: {setting.what}."
            yield self.over_loads(setting) if setting.loads else self.table(setting)

    def remarks(self, name: str) -> Iterator[str]:
        """What is known of the differences."""
        yield "\n".join(f"- {cited(remark)}" for remark in self.entries[name].remarks)

    def under(self, argument: str) -> Iterator[str]:
        """One setting, under a variant of the model."""
        name, _, variant = argument.partition(" ")
        yield f"The same, but {VARIANTS[variant].words}:"
        yield self.table(self.settings[name], variant)

    def named(self, name: str) -> list[Setting]:
        """The settings of an id of which something was published, but for those that compare loads."""
        return [
            setting
            for setting in self.entries[name].settings.values()
            if setting.numbers and all(number.to_load is None for number in setting.numbers)
        ]

    def verdicts_of(self, argument: str) -> Iterator[str]:
        """How many numbers of each id came to which verdict."""
        del argument
        kinds = ("reproduced", "same order", "differs")
        rows = [(name, *(str(counted[kind]) for kind in kinds)) for name, counted in self.verdicts.items()]
        yield table(("id", *kinds), rows)

    def count(self, setting: Setting, verdict: str) -> None:
        """Note a verdict."""
        self.verdicts.setdefault(setting.entry, Counter())[verdict] += 1

    def judged(
        self, setting: Setting, number: Number, samples: Samples, load: float | None = None
    ) -> JudgedNumber:
        """A number beside runs of its setting, and of the other one that it is a ratio to."""
        entry = self.entries[setting.entry]
        points = {ResultPoint(setting.name, name, load): made for name, made in samples.items()}
        if number.to_setting:
            runs = len(next(iter(samples.values())))
            others = self.runs.of(entry.settings[number.to_setting], runs)
            points |= {ResultPoint(number.to_setting, name): made for name, made in others.items()}
        at = number if load is None else replace(number, load=load, over_loads="")
        return judge_number(entry, setting, at, points)

    def samples(self, setting: Setting, variant: str) -> Samples:
        """Runs of a setting, until every number compared is known to within 5 %, or there are enough."""
        most = min(_MOST.get(setting.entry, _MOST_OF_OTHERS), self.most)
        runs = min(_LEAST, most)
        while True:
            samples = self.runs.of(setting, runs, variant)
            if runs >= most or all(self.judged(setting, n, samples).precise for n in setting.numbers):
                return samples
            runs = min(runs + _STEP, most)

    def table(self, setting: Setting, variant: str = AS_IT_IS) -> str:
        """Published and measured, number by number."""
        samples = self.samples(setting, variant)
        runs = len(next(iter(samples.values())))
        rows = []
        for number in setting.numbers:
            stands = self.judged(setting, number, samples)
            if variant == AS_IT_IS:
                self.count(setting, stands.verdict)
            rows.append((of_what(number, stands), *numbers(number, stands), str(runs)))
        return table(("figure", "published", "measured", "ratio", "verdict", "runs"), rows)

    def over_loads(self, setting: Setting) -> str:
        """The ratios at every load; the least of them stands beside the published one."""
        runs = min(_MOST.get(setting.entry, _MOST_OF_OTHERS), self.most)
        by_load = {load: self.runs.of(setting, runs, load=load) for load in setting.loads}
        rows = []
        for number in setting.numbers:
            stands = {load: self.judged(setting, number, samples, load) for load, samples in by_load.items()}
            load, least = min(stands.items(), key=lambda item: known(item[1]).mean)
            self.count(setting, least.verdict)
            every = ", ".join(f"{known(s).mean:.2f}" for s in stands.values())
            rows.append((of_what(number, least), *numbers(number, least), f"{load:g}", every, str(runs)))
        loads = ", ".join(f"{load:g}" for load in setting.loads)
        return table(
            ("figure", "published", "measured", "ratio", "verdict", "at load", f"at {loads}", "runs"), rows
        )

    def moved(self, name: str) -> Iterator[str]:
        """What the model's own choices do to the results of an id."""
        for moved in MOVED:
            setting = moved.among(self.settings[moved.setting])
            if setting.entry != name:
                continue
            runs = min(_LEAST, self.most)
            rows = []
            for variant in (AS_IT_IS, *moved.variants):
                samples = self.runs.of(setting, runs, variant)
                found = (shown(scaled(c.measured(samples), c.figure, c.to)) for c in moved.columns)
                rows.append((VARIANTS[variant].words, *found))
            yield f"What moves it ({moved_in(setting)}; published numbers in brackets; {runs} runs):"
            yield table(("variant", *(heading(column, setting) for column in moved.columns)), rows)

    def readings(self, name: str) -> Iterator[str]:
        """Every reading of a network beside what was published: how near it is as a whole."""
        rows = []
        for setting in self.named(name):
            pattern = setting.scenario["network"]["pattern"]
            for variant in _READINGS[pattern]:
                samples = self.runs.of(setting, min(_RUNS_OF_READINGS, self.most), variant)
                words = "the entry's" if variant == AS_IT_IS else VARIANTS[variant].words
                rows.append((pattern, words, *self.nearness(setting, samples)))
        off = (f"{FIGURES[figure].title}: times off" for figure in _TIMES_OFF)
        yield table(("pattern", "reading", f"finish and blocking within {_CLOSE:.0%}", *off), rows)

    def nearness(self, setting: Setting, samples: Samples) -> Iterator[str]:
        """How many finish and blocking times are close, and by what factor each figure is off on average."""
        judged = [self.judged(setting, n, samples) for n in setting.numbers if not n.to]
        ratios = {
            figure: [stands.ratio or _LEAST_RATIO for stands in judged if stands.number.figure == figure]
            for figure in _TIMES_OFF
        }
        both = ratios["finish_time"] + ratios["blocking"]
        yield f"{sum(abs(ratio - 1) <= _CLOSE for ratio in both)} of {len(both)}"
        for found in ratios.values():
            yield f"{math.exp(sum(abs(math.log(ratio)) for ratio in found) / len(found)):.2f}"


def moved_in(setting: Setting) -> str:
    """The setting of a table of variants; where several loads were looked at, the one it has."""
    return setting.what + (f", here load {setting.scenario['workload']['load']:g}" if setting.loads else "")


def _unit(figure: str) -> float:
    """By what a figure is multiplied to be shown."""
    return 100.0 if FIGURES[figure].percent else 1.0


def heading(column: Column, setting: Setting) -> str:
    """What a column of a table of variants has, and what was published."""
    value = column.published(setting)
    over = f" / {column.to}" if column.to else ""
    unit = 1 if column.to else _unit(column.figure)
    return f"{FIGURES[column.figure].title}: {column.strategy}{over}" + (
        "" if value is None else f" ({short(value * unit)})"
    )


def scaled(measured: Estimate, figure: str, to: str) -> Estimate:
    """An amount in the unit in which it is given; a ratio has none."""
    unit = 1 if to else _unit(figure)
    return Estimate(measured.mean * unit, measured.half_width * unit, measured.runs)


def of_what(number: Number, stands: JudgedNumber) -> str:
    """What a number is of."""
    of = f": {number.strategy}" if number.strategy else ""
    over = f" / {stands.to}" if stands.to else ""
    return FIGURES[number.figure].title + of + over + (" on 16×16" if number.to_setting else "")


def numbers(number: Number, stands: JudgedNumber) -> tuple[str, str, str, str]:
    """The cells of a number: published, measured, ratio, verdict."""
    unit = 1 if number.to else _unit(number.figure)
    if number.highest or number.lowest:
        which = "highest" if number.highest else "lowest"
        ranked = sorted(stands.means.items(), key=lambda item: item[1].mean)
        order = " < ".join(f"{name} {short(found.mean)}" for name, found in ranked)
        return (f"{which}: {', '.join(number.highest or number.lowest)}", order, "", stands.verdict)
    if stands.published is None:
        ends = [None if end is None else f"{end * unit:g}" for end in (number.least, number.most)]
        said = f"at most {ends[1]}" if ends[0] is None else f"{ends[0]} to {ends[1]}"
    else:
        said = number.words or short(stands.published * unit)
        said += " (from the table)" if number.derived else ""
        if number.interval:
            said += f" [{short(number.interval[0])}, {short(number.interval[1])}]"
    found = known(stands)
    measured = shown(scaled(found, number.figure, number.to))
    ratio = "" if stands.ratio is None else f"{stands.ratio:.2f}"
    return said, measured, ratio, stands.verdict


def known(stands: JudgedNumber) -> Estimate:
    """What was measured."""
    if stands.measured is None:
        raise ValueError("an order has no mean")
    return stands.measured


def short(value: float) -> str:
    """A number to three or four figures."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def shown(measured: Estimate) -> str:
    """A mean with its interval."""
    if abs(measured.mean) >= 100:
        return f"{measured.mean:,.0f} ± {measured.half_width:,.0f}"
    return f"{measured.mean:.3g} ± {measured.half_width:.2g}"


def table(heading: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    lines = ["| " + " | ".join(row) + " |" for row in [tuple(heading), *map(tuple, rows)]]
    lines.insert(1, "|" + "---|" * len(tuple(heading)))
    return "\n".join(lines)


def filled(page: Page) -> str:
    """The remarks, with each line `{{kind argument}}` in them replaced by its tables, the verdicts last."""
    lines = REMARKS.read_text(encoding="utf-8").splitlines()
    kinds = {
        "results": page.of, "moved": page.moved, "under": page.under,
        "readings": page.readings, "verdicts": page.verdicts_of, "remarks": page.remarks,
    }  # fmt: skip
    tables = [n for n, line in enumerate(lines) if line.startswith("{{")]
    for n in sorted(tables, key=lambda n: lines[n].startswith("{{verdicts")):
        kind, _, argument = lines[n].strip("{}").partition(" ")
        lines[n] = "\n\n".join(kinds[kind](argument))
    words = {"{papers}": papers(), "{near}": f"{NEAR * 100:.0f} %", "{alike}": f"{ALIKE:g}"}
    text = "\n".join(lines)
    for word, meant in words.items():
        text = text.replace(word, meant)
    return text + "\n"


def papers() -> str:
    """The sources."""
    used = ("000", "001", "002", "003")
    return "\n".join(f"- **{PAPERS[p].short}**: {PAPERS[p].title}. {PAPERS[p].published}." for p in used)


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument(
        "--runs", type=Path, default=ROOT / "build" / "network-runs", help="where runs are kept"
    )
    parser.add_argument(
        "--most", type=int, default=1000, help="the most runs of a setting, if fewer than it would be"
    )
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    made = Runs(options.runs, options.processes)
    try:
        write_page(PAGE, filled(Page(made, options.most)))
    finally:
        made.close()
