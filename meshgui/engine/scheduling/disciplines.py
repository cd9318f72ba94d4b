"""The project's own queue disciplines, as menus list them.

Shortest service demand is that of 002, and with service time alone that of 000 chapter 5; out of order, where
a job that cannot be placed delays no other, is in 000 §2.2.1, footnote 3. Conservative backfilling is that of
Mu'alem and Feitelson (IEEE Transactions on Parallel and Distributed Systems 12(6), 2001, §2.2).
"""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
from pydantic import Field

from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.kinds import Serving
from meshgui.engine.basics.translation import tr
from meshgui.engine.scheduling.base import Discipline, DisciplineOptions
from meshgui.engine.workload.job_stream import JobStream


class FirstComeFirstServed(Discipline):
    """In order of arrival."""

    id = "fcfs"
    title = tr("First come, first served")
    by_arrival = True

    def ranks(self, jobs: JobStream) -> Floats:
        return np.zeros(len(jobs))


class DemandOptions(DisciplineOptions):
    """What a job's demand is."""

    demand: Literal["processor-time", "time", "processor-messages"] = Field(
        "processor-time",
        description=tr(
            "processors × service as in Bani-Ahmad 2012, service alone as in Bani-Mohammad 2008, "
            "chapter 5, or with a network processors × messages"
        ),
    )


class ShortestServiceDemand(Discipline):
    """The least demand first. With a network and no stated services, demand is the number of messages.

    Processor-time and messages do not compare, so either all jobs state a service, or none does.
    """

    id = "ssd"
    title = tr("Shortest service demand")
    options_model = DemandOptions
    ranks_by_service = True
    options: DemandOptions

    def ranks(self, jobs: JobStream) -> Floats:
        by_messages = self.options.demand == "processor-messages"
        if len(jobs.messages) and (by_messages or np.isnan(jobs.service).all()):
            return (jobs.messages * (jobs.processors if by_messages else 1)).astype(np.float64)
        return jobs.service * (1 if self.options.demand == "time" else jobs.processors)


class OutOfOrder(FirstComeFirstServed):
    """In order of arrival, past the jobs that cannot be placed."""

    id = "ooo"
    title = tr("Out of order")
    serving = Serving.EVERY


class EasyBackfilling(FirstComeFirstServed):
    """In order of arrival; others go before the head only where they do not delay it.

    The head's start is planned from the stated service times of the running jobs. A later job may start if
    it ends by then, or if the head can still be placed at that time with the later job beside it.
    """

    id = "easy"
    title = tr("EASY backfilling")
    plans = True
    serving = Serving.EASY


class ConservativeBackfilling(FirstComeFirstServed):
    """In order of arrival; others go before a job only where they delay none that stands before them.

    Every waiting job has a start. They are planned in the order of the queue with stated service times: a
    job's start is the first time at which it can be placed and every start planned before can still be
    made. All are planned again, and may come earlier, whenever a job leaves.
    """

    id = "conservative"
    title = tr("Conservative backfilling")
    plans = True
    serving = Serving.CONSERVATIVE


class SmallestJobFirst(Discipline):
    """The request for the fewest processors first."""

    id = "sjf"
    title = tr("Smallest job first")

    def ranks(self, jobs: JobStream) -> Floats:
        return jobs.processors.astype(np.float64)


class LargestJobFirst(Discipline):
    """The request for the most processors first."""

    id = "ljf"
    title = tr("Largest job first")

    def ranks(self, jobs: JobStream) -> Floats:
        return -jobs.processors.astype(np.float64)


class LastComeFirstServed(Discipline):
    """The latest arrival first."""

    id = "lcfs"
    title = tr("Last come, first served")

    def ranks(self, jobs: JobStream) -> Floats:
        return -np.arange(len(jobs), dtype=np.float64)


_OWN: Final[tuple[type[Discipline], ...]] = (
    FirstComeFirstServed,
    ShortestServiceDemand,
    OutOfOrder,
    EasyBackfilling,
    ConservativeBackfilling,
    SmallestJobFirst,
    LargestJobFirst,
    LastComeFirstServed,
)
OWN: Final = {cls.id: cls for cls in _OWN}
