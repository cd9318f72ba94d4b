"""What every queue discipline is, and the queue as a discipline sees it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Protocol

from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.geometry import Size
from meshgui.engine.basics.kinds import Serving
from meshgui.engine.basics.parts import Part
from meshgui.engine.basics.work import RunError
from meshgui.engine.workload.job_stream import JobStream


class DisciplineError(RunError):
    """A queue discipline that cannot be used, named, with the reason."""


class DisciplineOptions(Part):
    """A discipline's options, with their limits: the scenario form is built from them. None by default."""


class Plan(Protocol):
    """A copy of the machine, to try things on."""

    def start_of(self, job: int) -> float:
        """When the job could start if no other did: the running jobs leave at their stated times."""

    def allows(self, job: int, head: int, start: float) -> bool:
        """Whether the job can be placed now, and the head still at that time."""


class QueueView(Protocol):
    """The waiting jobs and the machine as a discipline sees them."""

    @property
    def now(self) -> float:
        """The time."""

    @property
    def free(self) -> int:
        """The number of free processors."""

    def head(self) -> int | None:
        """The job that is served next."""

    def waiting(self) -> list[int]:
        """The jobs that wait, the next to be served first."""

    def arrival(self, job: int) -> float:
        """When the job arrived."""

    def size(self, job: int) -> Size:
        """The box the job asks for."""

    def service(self, job: int) -> float:
        """The job's stated service time; 0 where it states none."""

    def try_to_place(self, job: int) -> bool:
        """Have the allocator try to place a waiting job; True if the job has left the queue.

        A job that failed since the machine last changed fails again without another attempt. So does one
        behind the head if its size has failed since a job last left, where the strategy says that this lasts.
        """

    def serve(self, serving: Serving) -> None:
        """Have the allocator try to place waiting jobs in one of the ways that the event loop knows."""

    def reorder(self, jobs: Sequence[int]) -> None:
        """Put the waiting jobs in another order, the next to be served first; the recording keeps it."""

    def plan(self) -> Plan:
        """The machine as it is, to plan with."""


class Discipline(ABC):
    """An order of the queue, and which of the waiting jobs the allocator tries to place."""

    id: ClassVar[str]
    title: ClassVar[str]
    options_model: ClassVar[type[DisciplineOptions]] = DisciplineOptions
    plans: ClassVar[bool] = False  # whether it plans ahead, which a strategy that reserves boxes does itself
    ranks_by_service: ClassVar[bool] = False  # whether it needs the services of all jobs, or of none
    serving: ClassVar[Serving] = Serving.HEAD
    by_arrival: ClassVar[bool] = False  # whether jobs queue as they arrive, so that they can be moved by hand

    def __init__(self, options: DisciplineOptions | None = None) -> None:
        self.options = options if options is not None else self.options_model()

    @abstractmethod
    def ranks(self, jobs: JobStream) -> Floats:
        """A number for each job, by which it joins the queue: behind the last that has no greater one.

        So the lowest is served first, and jobs of equal rank keep their order of arrival. A discipline whose
        order changes over time puts the queue in order in `serve`, by `QueueView.reorder`.
        """

    def serve(self, queue: QueueView) -> None:
        """Have the allocator place waiting jobs, by default as `serving` says: until one cannot be placed.

        Called at each time at which a job has arrived or finished. By default the event loop does it itself.
        """
        queue.serve(self.serving)
