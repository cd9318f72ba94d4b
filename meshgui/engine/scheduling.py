"""The queue disciplines: in which order waiting jobs are offered to the allocator."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.workload import JobStream

__all__ = ["DISCIPLINES", "Discipline"]


class Discipline(ABC):
    """An order of the queue. Jobs of equal rank keep their order of arrival."""

    id: ClassVar[str]
    title: ClassVar[str]
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {}  # allowed values, the default first

    def __init__(self, options: Mapping[str, str]) -> None:
        self.chosen = {key: options.get(key, values[0]) for key, values in self.options.items()}

    @abstractmethod
    def ranks(self, jobs: JobStream) -> NDArray[np.float64]:
        """A number per job: the lowest is served first."""


class FirstComeFirstServed(Discipline):
    """In order of arrival."""

    id = "fcfs"
    title = "First come, first served"

    def ranks(self, jobs: JobStream) -> NDArray[np.float64]:
        """See Discipline."""
        return np.zeros(len(jobs))


class ShortestServiceDemand(Discipline):
    """The least demand first: processors × service as in 002, or service alone as in 000 chapter 5."""

    id = "ssd"
    title = "Shortest service demand"
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {"demand": ("processor-time", "time")}

    def ranks(self, jobs: JobStream) -> NDArray[np.float64]:
        """See Discipline."""
        if self.chosen["demand"] == "time":
            return jobs.service.copy()
        return jobs.service * jobs.processors


DISCIPLINES: dict[str, type[Discipline]] = {
    cls.id: cls for cls in (FirstComeFirstServed, ShortestServiceDemand)
}
