"""Partitioning at the Longest Dimension (002 §3, algorithms 1 and 2), with First Fit or Best Fit.

Of two equal sides the second is shortened: algorithm 1 asks whether the first is longer.
"""

from __future__ import annotations

from typing import ClassVar

from meshgui.engine.allocation.base import BlockOptions, Source
from meshgui.engine.allocation.best_fit import BestFit
from meshgui.engine.allocation.first_fit import FirstFit
from meshgui.engine.allocation.partitioning import PartitioningStrategy, pseudo_code

__all__ = ["PaldBestFit", "PaldFirstFit"]


class PaldFirstFit(PartitioningStrategy):
    """Each part goes to the first base in scan order."""

    id = "pald-ff"
    title = "PALD with First Fit"
    dims = frozenset({2})
    rotates = False
    contiguous = False
    source = Source("002", "§3, algorithm 1")
    options_model = BlockOptions
    finder: ClassVar[type[FirstFit | BestFit]] = FirstFit
    first_of_equal = False
    lines, places = pseudo_code(FirstFit, None)

    @property
    def most(self) -> int:
        """As many as there are processors: at worst, each part is a single one."""
        return self.mesh.processors


class PaldBestFit(PaldFirstFit):
    """Each part goes where it fits most tightly."""

    id = "pald-bf"
    title = "PALD with Best Fit"
    source = Source("002", "§3, algorithm 2")
    finder = BestFit
    lines, places = pseudo_code(BestFit, None)
