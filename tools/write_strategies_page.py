"""Writes docs/strategies.md: every strategy of the registry, its tests, what it costs, and its inspector."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Final

from generated import new_picture, write_page

from meshgui.bench.growth import Growth, growth_charts, growth_of
from meshgui.catalogue.sources import PAPERS, cite
from meshgui.cli.growth import HEADING, row
from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.runs.measures import summary
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import scenario_from
from meshgui.engine.scheduling.registry import disciplines
from meshgui.model.manual.sheet_text import revealing, worth_seeing

ROOT: Final = Path(__file__).parent.parent
PAGE: Final = ROOT / "docs" / "strategies.md"
IMAGES: Final = ROOT / "docs" / "images"
_SEEDS: Final = (1, 2, 3)
_SAME: Final = {"tff", "tbf", "tbl", "pald-bf"}  # their inspectors are those of the strategies they vary
_INSPECTOR: Final = (460, 900)  # the size of an inspector's picture


def own() -> list[type[Strategy]]:
    """The project's own strategies."""
    return [cls for cls in strategies().values() if cls.__module__.startswith("meshgui.")]


def module_of(cls: type[Strategy]) -> str:
    """The file a strategy is in."""
    return cls.__module__.rsplit(".", 1)[-1]


_PLACEMENTS: Final = [{"dims": dims} for dims in product((1, 2, 4), repeat=3)]
_OPTIONS: Final[dict[str, dict[str, Any]]] = {"bluegene": {"unit": 2}, "torus3d": {"placements": _PLACEMENTS}}
_CUBES: Final = {"kind": "intervals", "intervals": [[4, 4, 0.6], [8, 8, 0.4]]}
_SIDES: Final = {
    "tpu-static": _CUBES,
    "tpu-ocs": _CUBES,
    "torus3d": {"kind": "intervals", "intervals": [[1, 1, 0.2], [2, 2, 0.4], [4, 4, 0.4]]},
}  # sizes that a strategy takes where it does not take all


def setting(cls: type[Strategy]) -> dict[str, Any]:
    """The common setting: 32×32, or as many processors in three dimensions for what needs those."""
    flat = 2 in cls.dims
    workload = {"kind": "stochastic", "jobs": 1000, "load": 10.0}
    return {
        "meshgui": 1,
        "mesh": {"shape": [32, 32]} if flat else {"shape": [16, 8, 8], "wrap": [cls.id == "torus3d"] * 3},
        "allocator": {"name": cls.id, "options": _OPTIONS.get(cls.id, {})},
        "workload": workload | ({"sides": _SIDES[cls.id]} if cls.id in _SIDES else {}),
    }


def measured(cls: type[Strategy]) -> dict[str, float]:
    """Means over a few runs of the common setting."""
    scenario = scenario_from(setting(cls))
    runs = [summary(simulate(scenario, seed)) for seed in _SEEDS]
    figures = [
        {
            "operations": run["overhead"]["operations_mean"],
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
                cite(cls.source),
                f"{cls.complexity.allocation.words}, release {cls.complexity.release.words}"
                if cls.complexity
                else "–",
                f"[{module_of(cls)}](../resources/help/{module_of(cls)}.md)",
            )
            for cls in own()
        ),
    )


def what_they_cost() -> str:
    """Tests, and operations per allocation."""
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
                f"{figures['utilization'] * 100:.1f} %",
                f"{figures['blocks']:.2f}",
            )
        )
    heading = ("id", "property tests", "golden and recognition tests", "operations per job")
    return table((*heading, "utilisation", "blocks per job"), rows)


@cache
def growth(dims: int) -> list[Growth]:
    """How the work of every strategy for a number of dimensions grows."""
    return [growth_of(cls, dims) for cls in own() if dims in cls.dims]


def how_it_grows(dims: int) -> str:
    """The powers measured and stated."""
    return table(HEADING, map(row, growth(dims)))


def inspectors() -> str:
    """The pictures, three a row."""
    cells = [
        f"![{cls.title}](images/inspector-{cls.id}.png)<br>`{cls.id}`" for cls in own() if cls.id not in _SAME
    ]
    cells += [""] * (-len(cells) % 3)
    rows = [cells[n : n + 3] for n in range(0, len(cells), 3)]
    return table(("", "", ""), rows)


def page() -> str:
    """The whole page."""
    cited = " ".join(f"{cls.source.paper} {cls.source.place}" for cls in own())
    papers = "\n".join(
        f"- **{paper.short}**: {paper.title}. {paper.published}."
        for key, paper in PAPERS.items()
        if key in cited
    )
    queues = table(("id", "queue"), ((f"`{name}`", kind.title) for name, kind in disciplines().items()))
    return f"""# Strategies and queue disciplines

This page is written by `make docs` from what the program knows of itself.

{what_they_are()}

The sources:

{papers}

## Queue disciplines

{queues}

## Tests and cost

Operations (nodes or boxes examined) are those of all attempts and the release of a job, the means over 1000
jobs and seeds {", ".join(map(str, _SEEDS))} at one common setting: 32×32, uniform sides, exponential service
of mean 1, load 10, first come first served (`bluegene`: 16×8×8 in units of 2×2×2; `tpu-static` and `tpu-ocs`:
16×8×8, sides of 4 or 8; `torus3d`: the same as a torus, sides of 1, 2 or 4, a placement for each size). They
are the same on every machine; `meshgui run` adds the time that they take on yours.

{what_they_cost()}

`meshgui growth` measures how operations grow with the n processors of a mesh that holds a dozen jobs, and
with the m boxes held on one mesh, as exponents, compared with what the papers state, and the largest ratio
of measurement to bound. First Fit's loops, as printed in the thesis, count every processor of every tried
box, which is more than the bit arrays cost of which O(n) is stated; and where Θ(1) is stated of a release,
the place of the job in the list is taken as known, while here it is looked for.

{how_it_grows(2)}

![Operations per allocation over mesh size and over jobs present, 2D](images/growth-2d.png)

The same on 3D meshes:

{how_it_grows(3)}

![Operations per allocation over mesh size and over jobs present, 3D](images/growth-3d.png)

## Inspectors

What the inspector shows of each strategy, at a step of an allocation on an 8×8 mesh (4×4×4 for `bluegene` and
`torus3d`, 8×8×8 for `tpu-static` and `tpu-ocs`).

{inspectors()}
"""


def draw() -> None:
    """Write the pictures: an inspector of each kind of strategy, and how work grows."""
    from PySide6.QtCore import QCoreApplication
    from PySide6.QtWidgets import QWidget

    from meshgui.model.moment.position import Position
    from meshgui.model.stepping.cursor import Cursor
    from meshgui.model.stepping.selection import Selection
    from meshgui.views.inspector.panel import InspectorView
    from meshgui.views.offscreen.growth_picture import write_growth
    from meshgui.views.style.application import qt_application
    from meshgui.views.style.theme import ThemeManager

    themes = ThemeManager(qt_application(), "light")
    for cls in own():
        if cls.id in _SAME:
            continue
        cursor = Cursor()
        window = QWidget()
        inspector = InspectorView(cursor, Selection(), themes)
        inspector.setParent(window)
        for widget in (window, inspector):
            widget.resize(*_INSPECTOR)
        window.show()
        recording = simulate(scenario_from(worth_seeing(cls)))
        cursor.show(recording)
        cursor.go_to(Position(*revealing(recording)))
        for _ in range(10):
            QCoreApplication.processEvents()
        with new_picture(IMAGES / f"inspector-{cls.id}.png") as picture:
            window.grab().save(str(picture))
        window.close()
    for dims in (2, 3):
        with new_picture(IMAGES / f"growth-{dims}d.png") as picture:
            measured = growth(dims)
            write_growth(growth_charts(measured), [one.cls.id for one in measured], picture)


if __name__ == "__main__":
    IMAGES.mkdir(parents=True, exist_ok=True)
    draw()
    write_page(PAGE, page())
