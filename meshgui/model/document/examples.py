"""The scenarios that come with the program, in the order a lecture takes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, NamedTuple

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.translation import tr, tr_page
from meshgui.engine.scenario import load_scenario
from meshgui.itself import resource
from meshgui.model.document.document import SUFFIX
from meshgui.model.manual.pages import translated

DEFAULT_EXAMPLE: Final = "tbl-under-load"

_GROUPS: Final = {
    tr("Allocation"): (
        "tbl-under-load",
        "three-jobs-4x4x4",
        "turning-helps-3x3x2",
        "first-fit-16x16",
        "busy-list-16x16",
        "best-fit-16x16",
        "tree-allocation-example-1",
        "multiple-buddy-16x16",
        "paging-hilbert-16x16",
        "gabl-16x16",
        "fuzzy-partitioning-16x16",
        "backfilling-16x16",
        "heavy-tail-ssd",
        "from-a-trace-8x8",
        "failing-cubes-8x8x8",
    ),
    tr("Machines of today"): (
        "tpu-v4-wired",
        "tpu-v4-switched",
        "tpu-v5e-pod",
        "bluegene-l-rack",
    ),
    tr("The network"): (
        "one-packet-6x4",
        "store-and-forward-6x4",
        "two-packets-meet-6x4",
        "blocking-chain-8x6",
        "no-deadlock-6x6",
        "four-turns-4x4",
        "ring-6x3",
        "head-of-line-6x3",
        "saturation-6x6",
        "hot-spot-8x8",
        "worst-case-contention-12x7",
        "gabl-contention-16x16",
        "butterflies-8x8x8",
    ),
}


def example(name: str) -> Path:
    """The file of one example."""
    return resource("scenarios", f"{name}{SUFFIX}")


def example_groups() -> dict[str, list[Path]]:
    """The files of all examples, by what they are about."""
    return {group: [example(name) for name in names] for group, names in _GROUPS.items()}


def examples() -> list[Path]:
    """The files of all examples."""
    return [path for paths in example_groups().values() for path in paths]


class Outline(NamedTuple):
    """What a scenario is about: title, notes, the machine, and the id of the strategy."""

    title: str
    notes: str
    machine: str
    strategy: str


def outline(path: Path) -> Outline:
    """The outline of a scenario file, read without checking the rest; a ScenarioError where it is not one.

    The welcome page shows two dozen files before its first paint, and checking them takes longer than that.
    """
    try:
        data = json.loads(path.read_text("utf-8"))
        title, notes, strategy = data["title"], data["notes"], data["allocator"]["name"]
        machine = Mesh(tuple(data["mesh"]["shape"]))
    except (OSError, ValueError, LookupError, TypeError):
        scenario = load_scenario(path)  # it knows defaults, and words for faults
        title, notes = scenario.title, scenario.notes
        strategy, machine = scenario.allocator.name, scenario.machine
    return Outline(tr_page(title), translated(notes), machine.describe(), strategy)
