"""Shortest service demand first (002; with service time alone, 000 chapter 5)."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.parts import Field
from meshgui.engine.scheduling.base import Discipline, DisciplineOptions
from meshgui.engine.workload.job_stream import JobStream

__all__ = ["ShortestServiceDemand"]


class DemandOptions(DisciplineOptions):
    """What a job's demand is."""

    demand: Annotated[
        Literal["processor-time", "time"],
        Field(description="processors × service as in 002, or service alone as in 000 chapter 5"),
    ] = "processor-time"


class ShortestServiceDemand(Discipline):
    """The least demand first. With a network and no stated service, demand is the number of messages."""

    id = "ssd"
    title = "Shortest service demand"
    options_model = DemandOptions
    options: DemandOptions

    def ranks(self, jobs: JobStream) -> NDArray[np.float64]:
        """See Discipline."""
        stated = jobs.service * (1 if self.options.demand == "time" else jobs.processors)
        return np.where(np.isnan(stated), jobs.messages, stated) if len(jobs.messages) else stated
