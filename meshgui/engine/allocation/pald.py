"""Partitioning at the Longest Dimension (002 §3, algorithms 1 and 2), with First Fit or Best Fit.

Of equal sides the last is shortened: algorithm 1 asks whether the first is longer. With a bound (002 §5.3) a
job gets no more boxes than that, and waits where they are not enough.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from meshgui.engine.allocation.base import BlockOptions, Source
from meshgui.engine.allocation.best_fit import BestFit, search
from meshgui.engine.allocation.first_fit import FirstFit
from meshgui.engine.allocation.free_bits import release, take
from meshgui.engine.allocation.kernel_strategy import StrategyKernels
from meshgui.engine.allocation.partitioning import (
    OVER,
    PartitioningStrategy,
    PartitionState,
    partition,
    pseudo_code,
)
from meshgui.engine.basics.kernel import with_parts
from meshgui.engine.basics.translation import tr

_OVER = OVER.altered(
    "else: if there is a bound and its two parts would make more boxes: give all back and fail"
)


class PaldOptions(BlockOptions):
    """Whether there is a bound on the boxes of a job."""

    bound: Annotated[int, Field(ge=1, le=1_000_000, strict=True)] | None = Field(
        None, description=tr("the most boxes a job may get; as many as it takes, if left out")
    )


class PaldFirstFit(PartitioningStrategy):
    """Each part goes to the first base in scan order."""

    id = "pald-ff"
    title = tr("PALD with First Fit")
    source = Source("002", "§3, algorithm 1")
    options_model = PaldOptions
    options: PaldOptions
    finder: ClassVar[type[FirstFit | BestFit]] = FirstFit
    lines, places = pseudo_code(FirstFit, _OVER)
    kernels = StrategyKernels(
        release, allocate=with_parts(partition, "pald-ff", PLACES=places, FIRST_OF_EQUAL=False), take=take
    )

    @property
    def any_shape(self) -> bool:  # type: ignore[override]  # an option decides
        """Whether a bound leaves no request waiting."""
        return self.options.bound is None

    @property
    def fails_until_release(self) -> bool:  # type: ignore[override]  # an option decides
        """With a bound, a request may need fewer boxes once other processors are held, too."""
        return self.options.bound is None

    def empty_state(self) -> PartitionState:
        bound = self.mesh.processors if self.options.bound is None else self.options.bound
        return self.state_with(bound)


class PaldBestFit(PaldFirstFit):
    """Each part goes where it fits most tightly."""

    id = "pald-bf"
    title = tr("PALD with Best Fit")
    source = Source("002", "§3, algorithm 2")
    finder = BestFit
    lines, places = pseudo_code(BestFit, _OVER)
    kernels = PaldFirstFit.kernels._replace(
        allocate=with_parts(partition, "pald-bf", search=search, PLACES=places, FIRST_OF_EQUAL=False)
    )
