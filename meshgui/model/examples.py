"""The scenarios that come with the program, in the order a lecture takes them."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Final

from meshgui.model.document import SUFFIX

__all__ = ["DEFAULT_EXAMPLE", "example", "examples"]

DEFAULT_EXAMPLE: Final = "tbl-under-load"

_ORDER: Final = (
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
)


def example(name: str) -> Path:
    """The file of one example."""
    return Path(str(files("meshgui") / "resources" / "scenarios" / f"{name}{SUFFIX}"))


def examples() -> list[Path]:
    """The files of all examples."""
    return [example(name) for name in _ORDER]
