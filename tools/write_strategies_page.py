"""Writes docs/strategies.md: every strategy of the registry, its tests, and what it costs at one setting."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.measures import summary
from meshgui.engine.scenario import scenario_from
from meshgui.engine.scheduling import DISCIPLINES
from meshgui.engine.simulation import simulate
from meshgui.engine.sources import PAPERS

ROOT: Final = Path(__file__).parent.parent
PAGE: Final = ROOT / "docs" / "strategies.md"
_SEEDS: Final = (1, 2, 3)


def own() -> list[type[Strategy]]:
    """The project's own strategies."""
    return [cls for cls in strategies().values() if cls.__module__.startswith("meshgui.")]


def module_of(cls: type[Strategy]) -> str:
    """The file a strategy is in."""
    return cls.__module__.rsplit(".", 1)[-1]


def setting(cls: type[Strategy]) -> dict[str, Any]:
    """The common setting: 32×32, or as many processors in three dimensions for what needs those."""
    flat = 2 in cls.dims
    options = {} if cls.id != "bluegene" else {"unit": [2, 2, 2]}
    return {
        "meshgui": 1,
        "mesh": {"shape": [32, 32] if flat else [16, 8, 8]},
        "allocator": {"name": cls.id, "options": options},
        "workload": {"kind": "stochastic", "jobs": 1000, "load": 10.0},
    }


def measured(cls: type[Strategy]) -> dict[str, float]:
    """Means over a few runs of the common setting."""
    scenario = scenario_from(setting(cls))
    runs = [summary(simulate(scenario, seed)) for seed in _SEEDS]
    figures = [
        {
            "operations": run["overhead"]["operations_mean"],
            "microseconds": run["overhead"]["seconds_mean"] * 1e6,
            "utilization": run["utilization"],
            "blocks": run["blocks_per_job"],
        }
        for run in runs
    ]
    return {key: sum(figure[key] for figure in figures) / len(figures) for key in figures[0]}


def tests() -> tuple[Counter[str], Counter[str]]:
    """How many property tests each strategy has, and how many golden ones each file of strategies."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "tests/properties", "tests/golden"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    properties: Counter[str] = Counter()
    golden: Counter[str] = Counter()
    names = sorted((cls.id for cls in own()), key=len, reverse=True)
    for line in done.stdout.splitlines():
        if found := re.match(r"tests/golden/test_(\w+)\.py::", line):
            golden[found[1]] += 1
        elif "::" in line and (bracket := re.search(r"\[(.*)\]$", line)):
            named = next((n for n in names if re.search(rf"(^|-){re.escape(n)}(-|$)", bracket[1])), None)
            if named is not None:
                properties[named] += 1
    return properties, golden


def golden_of(cls: type[Strategy], golden: Counter[str]) -> int:
    """The golden tests of the strategy's file: those whose file name begins with its name."""
    return sum(count for name, count in golden.items() if name.startswith(module_of(cls)))


def table(heading: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    lines = ["| " + " | ".join(row) + " |" for row in [tuple(heading), *map(tuple, rows)]]
    lines.insert(1, "|" + "---|" * len(tuple(heading)))
    return "\n".join(lines)


def what_they_are() -> str:
    """What the registry knows of every strategy."""
    yes = {True: "yes", False: "no"}
    return table(
        ("id", "strategy", "dims", "rotates", "contiguous", "source", "stated growth", "page"),
        (
            (
                f"`{cls.id}`",
                cls.title,
                ", ".join(map(str, sorted(cls.dims))),
                yes[cls.rotates],
                yes[cls.contiguous],
                cls.source.words,
                f"{cls.complexity.allocation.words}, release {cls.complexity.release.words}"
                if cls.complexity
                else "–",
                f"[{module_of(cls)}](../meshgui/resources/help/{module_of(cls)}.md)",
            )
            for cls in own()
        ),
    )


def what_they_cost() -> str:
    """Tests, operations and time per allocation."""
    properties, golden = tests()
    rows = []
    for cls in own():
        figures = measured(cls)
        rows.append(
            (
                f"`{cls.id}`",
                str(properties[cls.id]),
                str(golden_of(cls, golden)),
                f"{figures['operations']:,.1f}",
                f"{figures['microseconds']:,.0f}",
                f"{figures['utilization'] * 100:.1f} %",
                f"{figures['blocks']:.2f}",
            )
        )
    heading = ("id", "property tests", "golden and recognition tests", "operations a job", "µs a job")
    return table((*heading, "utilisation", "blocks a job"), rows)


def page() -> str:
    """The whole page."""
    papers = "\n".join(f"- **{paper.short}**: {paper.title}. {paper.published}." for paper in PAPERS.values())
    queues = table(("id", "queue"), ((f"`{name}`", kind.title) for name, kind in DISCIPLINES.items()))
    return f"""# Strategies and queue disciplines

This page is written by `make docs` from what the program knows of itself.

{what_they_are()}

The sources:

{papers}

## Queue disciplines

{queues}

## Tests and cost

Operations (nodes or boxes examined) and wall time are those of all attempts and the release of a job, the
means over 1000 jobs and seeds {", ".join(map(str, _SEEDS))} at one common setting: 32×32, uniform sides,
exponential service of mean 1, load 10, first come first served (`bluegene`: 16×8×8 in units of 2×2×2). The
time is that of the machine this page was written on; operations are the same on every machine.

{what_they_cost()}

`meshgui growth` measures how operations grow with the mesh and with the jobs on it, beside what the papers
state:

![Operations per allocation over mesh size and over jobs present](images/growth.png)

## Inspectors

![Allocation tree](images/inspector-tree.png)
![Heat map of scores](images/inspector-heat.png)
![Page order drawn through the mesh](images/inspector-path.png)
![Fuzzy controller](images/inspector-chart.png)
![Busy list, prohibited regions, border planes](images/inspector-table.png)
"""


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
