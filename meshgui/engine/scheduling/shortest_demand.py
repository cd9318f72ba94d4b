"""Shortest service demand first (002; with service time alone, 000 chapter 5)."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from meshgui.engine.basics.translation import tr
from meshgui.engine.scheduling.base import Discipline, DisciplineOptions
from meshgui.engine.workload.job_stream import JobStream


class DemandOptions(DisciplineOptions):
    """What a job's demand is."""

    demand: Annotated[
        Literal["processor-time", "time"],
        Field(
            description=tr(
                "processors × service as in Bani-Ahmad 2012, "
                "or service alone as in Bani-Mohammad 2008, chapter 5"
            )
        ),
    ] = "processor-time"


class ShortestServiceDemand(Discipline):
    """The least demand first. With a network and no stated services, demand is the number of messages.

    Processor-time and messages do not compare, so either all jobs state a service, or none does.
    """

    id = "ssd"
    title = tr("Shortest service demand")
    options_model = DemandOptions
    ranks_by_service = True
    options: DemandOptions

    def ranks(self, jobs: JobStream) -> NDArray[np.float64]:
        if np.isnan(jobs.service).all():
            return jobs.messages.astype(np.float64)
        return jobs.service * (1 if self.options.demand == "time" else jobs.processors)
