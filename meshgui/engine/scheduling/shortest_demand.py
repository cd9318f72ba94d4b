"""Shortest service demand first (002; with service time alone, 000 chapter 5)."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.parts import Field
from meshgui.engine.basics.translation import tr
from meshgui.engine.scheduling.base import Discipline, DisciplineOptions
from meshgui.engine.workload.job_stream import JobStream

__all__ = ["ShortestServiceDemand"]


class DemandOptions(DisciplineOptions):
    """What a job's demand is."""

    demand: Annotated[
        Literal["processor-time", "time", "processor-messages"],
        Field(
            description=tr(
                "processors × service as in Bani-Ahmad 2012, service alone as in Bani-Mohammad 2008, "
                "chapter 5, or with a network processors × messages"
            )
        ),
    ] = "processor-time"

    def remarks(self, *, services: bool, messages: bool) -> tuple[str, ...]:
        """Where the option changes nothing."""
        if self.demand == "processor-messages" and not messages:
            return (
                tr(
                    "scheduler.options.demand: jobs send no messages without a network: "
                    "the demand is processors × service"
                ),
            )
        if self.demand != "processor-messages" and "demand" in self.model_fields_set and not services:
            return (
                tr(
                    "scheduler.options.demand: it changes nothing: no job states a service time, "
                    "so messages are the demand"
                ),
            )
        return ()


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
        by_messages = self.options.demand == "processor-messages"
        if len(jobs.messages) and (by_messages or np.isnan(jobs.service).all()):
            return (jobs.messages * (jobs.processors if by_messages else 1)).astype(np.float64)
        return jobs.service * (1 if self.options.demand == "time" else jobs.processors)
