"""The scenarios that come with the program, in the order a lecture takes them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from meshgui.model.document import SUFFIX
from meshgui.resources import resource

__all__ = ["DEFAULT_EXAMPLE", "example", "example_groups", "examples"]

DEFAULT_EXAMPLE: Final = "tbl-under-load"

_GROUPS: Final = {
    "Allocation": (
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
    ),
    "The network": (
        "one-packet-6x4",
        "store-and-forward-6x4",
        "two-packets-meet-6x4",
        "blocking-chain-8x6",
        "no-deadlock-6x6",
        "hot-spot-8x8",
        "worst-case-contention-12x7",
        "gabl-contention-16x16",
        "butterflies-8x8x8",
    ),
}


def example(name: str) -> Path:
    """The file of one example."""
    return Path(str(resource("scenarios", f"{name}{SUFFIX}")))


def example_groups() -> dict[str, list[Path]]:
    """The files of all examples, by what they are about."""
    return {group: [example(name) for name in names] for group, names in _GROUPS.items()}


def examples() -> list[Path]:
    """The files of all examples."""
    return [path for paths in example_groups().values() for path in paths]
