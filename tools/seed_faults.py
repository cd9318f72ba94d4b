"""Seeds faults into the engine, one at a time, and lists those that no test notices.

The tests are run once to see which of them reach which line; a fault has to be caught by the quickest of
those that reach its own. Which faults are seeded is drawn with a fixed seed.
"""

from __future__ import annotations

import importlib
import json
import os
import random
import sys
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import filterfalse
from math import sqrt
from pathlib import Path
from typing import Final

from fault_sites import faults_in
from faulty_runs import ROOT, Outcome, Reach, Seeded, is_inside, outcome_at_import, outcomes, reach_of

REMARKS: Final = Path(__file__).with_name("fault_remarks.json")
_WANTED: Final = 0.95  # of the faults that are no mere variants of what is right
_PRELOADED: Final = ("numpy", "scipy.stats", "pydantic", "hypothesis", "pytest", "coverage", "numba")
_ENGINE: Final = "meshgui/engine"
_BASICS: Final = f"{_ENGINE}/basics"
_RUNS: Final = f"{_ENGINE}/runs"
AREAS: Final[Mapping[str, tuple[str, ...]]] = {
    "geometry": (f"{_BASICS}/geometry.py", "meshgui/experiment/nearest.py"),
    "measures": (f"{_RUNS}/measures.py", f"{_RUNS}/spread.py", f"{_RUNS}/figures.py"),
    "scheduling": (f"{_ENGINE}/scheduling/*.py",),
    "statistics": ("meshgui/experiment/statistics.py",),
    "judging": ("meshgui/catalogue/judging.py",),
    "allocation": (f"{_ENGINE}/allocation/*.py",),
    "network": (f"{_ENGINE}/network/*.py", f"{_ENGINE}/network/patterns/*.py"),
    "workload": (f"{_ENGINE}/workload/*.py", f"{_BASICS}/philox.py"),
    "simulation": (
        f"{_RUNS}/simulation.py", f"{_RUNS}/compiled_*.py", f"{_RUNS}/recorder.py",
        f"{_RUNS}/recording.py", f"{_RUNS}/audit.py", f"{_RUNS}/attempts.py",
    ),
    "scenario": (
        f"{_ENGINE}/scenario/*.py", f"{_BASICS}/parts.py", f"{_BASICS}/plugins.py", f"{_BASICS}/files.py",
        f"{_BASICS}/sentences.py", f"{_BASICS}/words.py",
    ),
}  # fmt: skip
_TESTS: Final = (
    "tests/engine", "tests/golden", "tests/properties", "tests/catalogue/test_judging.py",
    "tests/experiment/test_batches.py", "tests/experiment/test_nearest.py",
    "tests/experiment/test_statistics.py", "tests/cli/test_long_words.py",
    # these compile whatever happens, or take long in plain Python
    "--ignore=tests/engine/basics/test_kernel_cache.py",
    "--ignore=tests/engine/test_start_up.py",
    "--deselect=tests/engine/runs/test_event_loop.py::test_a_long_run_of_stochastic_jobs_is_equal",
    "--deselect=tests/engine/runs/test_recording.py::test_memory_per_event_stays_small",
    "--deselect=tests/golden/test_nasa_trace.py::test_where_any_free_processors_will_do_jobs_start_when_counting_says",
)  # fmt: skip


def faults_of(area: str) -> list[Seeded]:
    """Every fault that can be seeded in an area."""
    every = []
    for file in sorted(str(path.relative_to(ROOT)) for glob in AREAS[area] for path in ROOT.glob(glob)):
        source = (ROOT / file).read_text(encoding="utf-8")  # as it is now
        every += [Seeded(file, source, fault) for fault in faults_in(source)]
    return every


def drawn(every: Sequence[Seeded], count: int, number: int) -> list[Seeded]:
    """A number of the faults, drawn with a seed; or all, if there are fewer."""
    chosen = random.Random(number).sample(range(len(every)), min(count, len(every)))
    return [every[place] for place in sorted(chosen)]


def chosen(every: Sequence[Seeded], options: Namespace) -> list[Seeded]:
    """The faults to seed in an area: those that a file lists, or a draw."""
    if options.again is None:
        return drawn(every, options.count, options.seed)
    left = set(options.again.read_text(encoding="utf-8").splitlines())
    return [seeded for seeded in every if seeded.key in left]


def interval(parts: Sequence[tuple[float, int, int]]) -> tuple[float, float, float]:
    """The share caught of all faults there are, and its interval at 95 %, from samples of several areas.

    Each has a weight, the number caught and that seeded. Two successes and two failures are added to each
    (Agresti and Coull), so that an area of which every fault was caught is not taken for faultless.
    """
    whole = sum(weight for weight, _, _ in parts)
    share = sum(weight / whole * caught / of for weight, caught, of in parts)
    middle, variance = 0.0, 0.0
    for weight, caught, of in parts:
        moved = (caught + 2) / (of + 4)
        middle += weight / whole * moved
        variance += (weight / whole) ** 2 * moved * (1 - moved) / (of + 4)
    half = 1.96 * sqrt(variance)
    return share, max(middle - half, 0.0), min(middle + half, 1.0)


def summary(found: Sequence[Outcome], remarks: Mapping[str, str]) -> tuple[int, int, int]:
    """How many faults change anything, how many of them were caught, and how many more change nothing."""
    explained = sum(not one.caught and one.seeded.key in remarks for one in found)
    return len(found) - explained, sum(one.caught for one in found), explained


def known_reach(options: Namespace, files: Sequence[str]) -> Reach:
    """What the tests reach: recorded now, or earlier."""
    kept: Path | None = options.reach
    if kept is not None and kept.exists():
        lines, seconds = json.loads(kept.read_text(encoding="utf-8"))
        return Reach({file: {int(n): ids for n, ids in of.items()} for file, of in lines.items()}, seconds)
    reach = reach_of(files, options.tests)
    if kept is not None:
        kept.write_text(json.dumps(reach), encoding="utf-8")
    return reach


def options_of() -> Namespace:
    """What the command line says."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("areas", nargs="*", metavar="AREA", help=f"of {', '.join(AREAS)} (all)")
    parser.add_argument("--count", type=int, default=50, help="of faults to seed in each area (50)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (1)")
    parser.add_argument("--budget", type=float, default=20, help="seconds of tests for a fault (20)")
    parser.add_argument(
        "--tests", type=str.split, default=_TESTS, help="what pytest runs (the engine's tests)"
    )
    parser.add_argument("--thorough", action="store_true", help="try properties with more examples, too")
    parser.add_argument("--reach", type=Path, help="file that keeps which tests reach which line")
    parser.add_argument("--left", type=Path, help="file to write the faults to that no test notices")
    parser.add_argument("--again", type=Path, help="seed those that such a file lists")
    options = parser.parse_args()
    options.areas = options.areas or list(AREAS)
    if unknown := [name for name in options.areas if name not in AREAS]:
        parser.error(f"no area is called {unknown[0]}: expected some of {', '.join(AREAS)}")
    return options


def main() -> int:
    """Seed, run, and say what was not caught."""
    options = options_of()
    remarks = json.loads(REMARKS.read_text(encoding="utf-8")) if REMARKS.exists() else {}
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    for module in _PRELOADED:
        importlib.import_module(module)
    every = {area: faults_of(area) for area in options.areas}
    faults = {seeded: area for area in every for seeded in chosen(every[area], options)}
    reach = known_reach(options, sorted({seeded.file for seeded in faults}))
    found: dict[str, list[Outcome]] = defaultdict(list)

    def tell(outcome: Outcome) -> None:
        seeded = outcome.seeded
        found[faults[seeded]].append(outcome)
        sys.stderr.write(f"\r{sum(map(len, found.values()))} of {len(faults)} faults ")
        if not outcome.caught:
            remark = remarks.get(seeded.key, "UNEXPLAINED")
            say(f"{seeded.file}:{seeded.fault.line} {seeded.fault.words}: {outcome.how}: {remark}")

    inside = list(filter(is_inside, faults))
    for seeded in filterfalse(is_inside, faults):
        tell(outcome_at_import(seeded, reach, options.budget))
    outcomes(
        inside, reach, options.budget, options.tests, tell, thorough=options.thorough
    )  # imports the engine
    if options.left is not None:
        left = [one.seeded.key for all_of_area in found.values() for one in all_of_area if not one.caught]
        options.left.write_text("\n".join(left), encoding="utf-8")
    return report(found, {area: len(of_area) for area, of_area in every.items()}, remarks)


def report(
    found: Mapping[str, Sequence[Outcome]], sizes: Mapping[str, int], remarks: Mapping[str, str]
) -> int:
    """Say what share was caught, by area and of all; the exit status."""
    parts = []
    for name, area in found.items():
        of, caught, explained = summary(area, remarks)
        weight = sizes[name] * of / len(area)  # so many of the area's faults change anything
        parts.append((weight, caught, of))
        say(f"{name}: {caught} of {of}, {_words(parts[-1:])}; {explained} more change nothing")
    say(f"in all: {_words(parts)}, each area weighed by its number of faults")
    return 0 if interval(parts)[0] >= _WANTED else 1


def _words(parts: Sequence[tuple[float, int, int]]) -> str:
    share, low, high = interval(parts)
    return f"{share:.1%} of the faults caught (95 % interval {low:.1%} to {high:.1%})"


def say(words: str) -> None:
    """A line of the report, at once."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
