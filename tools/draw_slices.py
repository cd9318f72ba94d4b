"""Draws the jobs of the ready scenarios about machines of today, and writes them into the scenarios.

The mixes are made up. They have what published ones have (Jouppi et al. 2023): many small slices, few large
ones, sides that are powers of two; and the larger the slice, the longer it runs. Times are hours.
"""

from __future__ import annotations

import json
import math
from math import prod
from typing import Any, Final, NamedTuple

import numpy as np

from meshgui.model.document.examples import example

_SEED: Final = 2023

Sizes = dict[tuple[int, ...], int]  # each with its share


class Machine(NamedTuple):
    """What the scenarios of a machine have in common."""

    shape: tuple[int, ...]
    sizes: Sizes
    jobs: int
    load: float  # the share of the machine that the jobs ask for


V4: Final = Machine(
    (16, 16, 16),
    {
        (2, 2, 1): 9,
        (2, 2, 2): 7,
        (2, 2, 4): 8,
        (2, 4, 4): 6,
        (4, 4, 4): 22,
        (4, 4, 8): 14,
        (4, 8, 8): 12,
        (8, 8, 8): 8,
        (4, 4, 16): 5,
        (4, 8, 16): 4,
        (8, 8, 16): 3,
        (8, 16, 16): 2,
    },
    jobs=400,
    load=0.85,
)
V5E: Final = Machine(
    (16, 16),
    {(1, 1): 14, (2, 2): 20, (2, 4): 20, (4, 4): 16, (4, 8): 13, (8, 8): 10, (8, 16): 5, (16, 16): 2},
    jobs=400,
    load=0.7,
)
BLUE_GENE: Final = Machine(
    (8, 8, 16),
    {(4, 4, 2): 40, (4, 4, 8): 30, (8, 8, 4): 15, (8, 8, 8): 12, (8, 8, 16): 3},
    jobs=300,
    load=0.7,
)

READY: Final = {"tpu-v4-wired": V4, "tpu-v4-switched": V4, "tpu-v5e-pod": V5E, "bluegene-l-rack": BLUE_GENE}
"""The machines of the scenarios."""


def drawn(machine: Machine) -> list[dict[str, Any]]:
    """The jobs. Transforms go through the C library, which gives the same everywhere."""
    sizes, shares = list(machine.sizes), np.cumsum(list(machine.sizes.values()))
    processors = prod(machine.shape)
    work = sum(share * prod(size) * _hours(size, processors) for size, share in machine.sizes.items())
    gap = work / int(shares[-1]) / (machine.load * processors)
    jobs, arrival = [], 0.0
    for lag, kind, length in np.random.Generator(np.random.PCG64(_SEED)).random((machine.jobs, 3)).tolist():
        arrival += -gap * math.log1p(-lag)
        size = sizes[int(np.searchsorted(shares, kind * int(shares[-1]), side="right"))]
        service = max(-_hours(size, processors) * math.log1p(-length), 0.05)
        jobs.append({"arrival": round(arrival, 2), "size": list(size), "service": round(service, 2)})
    return jobs


def _hours(size: tuple[int, ...], processors: int) -> float:
    """How long a slice runs on average: 1 hour for one chip, 6 for the whole machine."""
    return 1 + 5 * math.log2(prod(size)) / math.log2(processors)


def write(name: str, machine: Machine) -> None:
    """Write the jobs into a scenario, each on a line."""
    path = example(name)
    data = json.loads(path.read_text(encoding="utf-8"))
    data["workload"]["jobs"] = []
    jobs = ",\n   ".join(json.dumps(job) for job in drawn(machine))
    text = json.dumps(data, indent=1, ensure_ascii=False).replace('"jobs": []', f'"jobs": [\n   {jobs}\n  ]')
    path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    for each, its_machine in READY.items():
        write(each, its_machine)
