"""Measures how often the intervals of a sweep hold the mean when a point ends as soon as it is precise.

Of each setting a pool of runs is made, and the procedure of a sweep is repeated on runs drawn from it: the
mean of the pool is known, so whether an interval holds it is a fact. All draws are seeded.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.scenario import Scenario, load_scenario
from meshgui.experiment.grid import Target
from meshgui.experiment.run_spec import run_once, run_spec_of
from meshgui.experiment.statistics import quantile

SCENARIOS: Final = Path(__file__).parent.parent / "resources" / "scenarios"
SETTINGS: Final = ("tbl-under-load", "gabl-16x16", "heavy-tail-ssd", "gabl-contention-16x16")
LEAST: Final = (5, 10, 20)
_AT_ONCE: Final = 200  # repetitions


class Coverage(NamedTuple):
    """What came of the repetitions with one least number of runs."""

    runs: float  # in the mean
    held: Mapping[str, float]  # of each figure, the share of intervals that hold the mean


def pool_of(scenario: Scenario, runs: int, processes: int = 1) -> dict[str, NDArray[np.float64]]:
    """The figures that count, of runs with the seeds 1, 2, 3 and so on."""
    text = run_spec_of(scenario).text
    with ProcessPoolExecutor(processes) as workers:
        made = list(workers.map(run_once, repeat(text, runs), range(1, runs + 1), chunksize=10))
    wanted = Target().wanted(scenario)
    return {name: np.array([result.samples[0][name] for result in made]) for name in wanted}


def coverage(
    pool: Mapping[str, NDArray[np.float64]], least: int, repetitions: int, precision: float, seed: int = 1
) -> Coverage:
    """How often the intervals hold the pool's mean where every figure has to be precise, as in a sweep."""
    draws = np.random.Generator(np.random.PCG64(seed))
    size = len(next(iter(pool.values())))
    runs, held = 0, dict.fromkeys(pool, 0)
    for first in range(0, repetitions, _AT_ONCE):
        count = min(_AT_ONCE, repetitions - first)
        chosen = draws.integers(size, size=(count, Target().most))
        known = {name: _running(values[chosen]) for name, values in pool.items()}
        precise = np.all([half <= precision * np.abs(mean) for mean, half in known.values()], axis=0)
        precise[:, : least - 1] = False
        precise[:, -1] = True
        end = precise.argmax(axis=1)
        runs += int((end + 1).sum())
        for name, (mean, half) in known.items():
            at = (np.arange(count), end)
            held[name] += int((np.abs(mean[at] - pool[name].mean()) <= half[at]).sum())
    return Coverage(runs / repetitions, {name: number / repetitions for name, number in held.items()})


def _running(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean after every run of a row, and half its interval."""
    count = np.arange(1, values.shape[1] + 1)
    mean = np.cumsum(values, axis=1) / count
    apart = values - values.mean(axis=1, keepdims=True)  # so that squares lose no digits
    squares = np.cumsum(apart**2, axis=1) - np.cumsum(apart, axis=1) ** 2 / count
    variance = np.maximum(squares, 0) / np.maximum(count - 1, 1)
    times = np.array([0.0, *(quantile(int(n)) for n in count[1:])])
    half = times * np.sqrt(variance / count)
    half[:, 0] = np.inf
    return mean, half


def rows(settings: Sequence[str], runs: int, repetitions: int, processes: int) -> Iterator[str]:
    """A table in Markdown, row by row."""
    yield "| setting | least runs | runs made, mean | intervals that hold the mean |"
    yield "|---|---|---|---|"
    for name in settings:
        pool = pool_of(load_scenario(SCENARIOS / f"{name}.meshgui.json"), runs, processes)
        for least in LEAST:
            found = coverage(pool, least, repetitions, Target().precision)
            held = ", ".join(f"{figure} {share:.1%}" for figure, share in found.held.items())
            yield f"| `{name}` | {least} | {found.runs:.1f} | {held} |"


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000, help="runs of each pool")
    parser.add_argument("--repetitions", type=int, default=20_000, help="of the procedure on each pool")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("settings", nargs="*", default=SETTINGS, help="shipped scenarios")
    options = parser.parse_args()
    for row in rows(options.settings, options.runs, options.repetitions, options.processes):
        sys.stdout.write(f"{row}\n")
        sys.stdout.flush()
