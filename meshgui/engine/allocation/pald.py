"""Partitioning at the Longest Dimension (002 §3, algorithms 1 and 2), with First Fit or Best Fit.

Of two equal sides the second is shortened: algorithm 1 asks whether the first is longer.
"""

from __future__ import annotations

from typing import ClassVar

from meshgui.engine.allocation.base import BlockOptions, Source
from meshgui.engine.allocation.best_fit import BestFit, BestFitState, best_state, search
from meshgui.engine.allocation.first_fit import FirstFit
from meshgui.engine.allocation.free_bits import release, take
from meshgui.engine.allocation.kernel_strategy import StrategyKernels
from meshgui.engine.allocation.partitioning import PartitioningStrategy, partition, pseudo_code
from meshgui.engine.basics.kernel import with_parts
from meshgui.engine.basics.translation import tr


class PaldFirstFit(PartitioningStrategy):
    """Each part goes to the first base in scan order."""

    id = "pald-ff"
    title = tr("PALD with First Fit")
    dims = frozenset({2})
    rotates = False
    contiguous = False
    any_shape = True
    fails_until_release = True
    source = Source("002", "§3, algorithm 1")
    options_model = BlockOptions
    finder: ClassVar[type[FirstFit | BestFit]] = FirstFit
    lines, places = pseudo_code(FirstFit, None)
    kernels = StrategyKernels(
        release, allocate=with_parts(partition, "pald-ff", PLACES=places, FIRST_OF_EQUAL=False), take=take
    )

    def empty_state(self) -> BestFitState:
        return best_state(self.mesh, turns=False)


class PaldBestFit(PaldFirstFit):
    """Each part goes where it fits most tightly."""

    id = "pald-bf"
    title = tr("PALD with Best Fit")
    source = Source("002", "§3, algorithm 2")
    finder = BestFit
    lines, places = pseudo_code(BestFit, None)
    kernels = PaldFirstFit.kernels._replace(
        allocate=with_parts(partition, "pald-bf", search=search, PLACES=places, FIRST_OF_EQUAL=False)
    )
