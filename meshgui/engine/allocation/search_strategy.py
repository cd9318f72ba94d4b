"""The base of strategies that first search, changing nothing, and then take the boxes they have found."""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Boxes, Strategy
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.steps import StepLog

__all__ = ["SearchResult", "SearchStrategy"]


class SearchResult(NamedTuple):
    """The boxes a search found, if any, and how many processors or boxes it examined."""

    boxes: Boxes | None
    examined: int


class SearchStrategy(Strategy):
    """Allocates by searching; a strategy adds its search, and how it takes the boxes found."""

    @abstractmethod
    def search(self, request: Request, log: NDArray[np.int32] | None) -> SearchResult:
        """Look for the job's boxes and change nothing."""

    @abstractmethod
    def replay(self, request: Request, boxes: Boxes) -> None:
        """Take these boxes for the job."""

    def allocate(self, request: Request, log: StepLog | None = None) -> Boxes | None:
        boxes, examined = self.search(request, None if log is None else log.rows)
        self.operations += examined
        if boxes is not None:
            self.replay(request, boxes)
        return boxes
