"""A scenario's workload: jobs drawn from distributions, listed one by one, or taken from a trace."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import FailFast, Field, field_validator, model_validator

from meshgui.engine.basics.geometry import Size, in_three
from meshgui.engine.basics.laws import (
    BoundedParetoService,
    ConstantService,
    ExponentialService,
    UniformService,
)
from meshgui.engine.basics.limits import MAX_JOBS, MAX_MESSAGES, MAX_SIDE
from meshgui.engine.basics.parts import NotNegative, Part, Positive, at
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.spec import NetworkSpec
from meshgui.engine.workload.trace import TraceWorkload

Side = Annotated[int, Field(ge=1, le=MAX_SIDE, strict=True)]


class ExponentialGaps(Part):
    """Exponential times between arrivals."""

    kind: Literal["exponential"] = "exponential"


class ConstantGaps(Part):
    """Equal times between arrivals."""

    kind: Literal["constant"]


class UniformSides(Part):
    """Each side uniform between two whole numbers: 1 and the mesh's side unless given."""

    kind: Literal["uniform"] = "uniform"
    low: Side = 1
    high: Side | None = None

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.high is not None and self.high < self.low:
            said = tr("expected at least low ({low}), got {high}")
            raise at(".high", said.format(low=self.low, high=self.high))
        return self


class ExponentialSides(Part):
    """Each side exponential, rounded down, between 1 and the mesh's side; mean half the side by default."""

    kind: Literal["exponential"]
    mean: Positive | None = None
    beyond: Literal["clamp", "redraw"] = Field(
        "clamp",
        description=tr(
            "What is below 1 or above the mesh's side: cut to it, or drawn again, as in Tsai, Lei and Lai"
        ),
    )


class IntervalSides(Part):
    """Each side uniform on one of several intervals, chosen with the given probabilities."""

    kind: Literal["intervals"]
    intervals: Annotated[tuple[tuple[Side, Side, Positive], ...], FailFast(), Field(min_length=1)]

    @field_validator("intervals")
    @classmethod
    def _sound(cls, intervals: tuple[tuple[int, int, float], ...]) -> tuple[tuple[int, int, float], ...]:
        for low, high, _ in intervals:
            if high < low:
                said = tr(
                    "expected intervals [low, high, probability] with low at most high, got [{low}, {high}]"
                )
                raise ValueError(said.format(low=low, high=high))
        total = sum(p for _, _, p in intervals)
        if abs(total - 1) > 1e-6:
            raise ValueError(tr("expected probabilities that add up to 1, got {total:g}").format(total=total))
        return intervals


class BySizeService(Part):
    """Uniform service times, longer for large shares of the machine (Tsai, Lei and Lai, case 2)."""

    kind: Literal["by-size"]
    threshold: Annotated[float, Field(gt=0, le=1, strict=True)] = 0.5
    large: tuple[NotNegative, Positive] = (5.0, 10.0)
    small: tuple[NotNegative, Positive] = (2.0, 5.0)

    @field_validator("large", "small")
    @classmethod
    def _ordered(cls, bounds: tuple[float, float]) -> tuple[float, float]:
        if bounds[1] < bounds[0]:
            said = tr("expected [low, high] with low at most high, got [{low:g}, {high:g}]")
            raise ValueError(said.format(low=bounds[0], high=bounds[1]))
        return bounds


Gaps = Annotated[ExponentialGaps | ConstantGaps, Field(discriminator="kind")]
Sides = Annotated[UniformSides | ExponentialSides | IntervalSides, Field(discriminator="kind")]
Service = Annotated[
    ExponentialService | UniformService | BoundedParetoService | ConstantService | BySizeService,
    Field(discriminator="kind"),
]


class StochasticWorkload(Part):
    """Jobs drawn from distributions."""

    kind: Literal["stochastic"]
    jobs: Annotated[int, Field(ge=1, le=MAX_JOBS, strict=True)] = 1000
    load: Positive = Field(description=tr("One over the mean gap between arrivals"))
    gaps: Gaps = ExponentialGaps()
    sides: Sides = UniformSides()
    service: Service | None = Field(
        None, description=tr("Exponential with mean 1 by default; may be left out with a network")
    )

    @property
    def job_count(self) -> int:
        """How many jobs there are."""
        return self.jobs

    def service_law(self, network: NetworkSpec | None) -> Service | None:
        """How long the jobs run, as stated; None where that is left to their messages."""
        return self.service or (ExponentialService() if network is None else None)

    def states_services(self, network: NetworkSpec | None) -> bool:
        """Whether the service times are known before the run."""
        return self.service_law(network) is not None


class ListedJob(Part):
    """One job of an explicit list."""

    arrival: NotNegative
    size: Annotated[tuple[Side, ...], Field(min_length=2, max_length=3)]
    service: NotNegative | None = Field(None, description=tr("May be left out with a network"))
    messages: int | None = Field(
        None, ge=1, le=MAX_MESSAGES, strict=True, description=tr("With a network; drawn by default")
    )
    ended_after: NotNegative | None = Field(
        None,
        description=tr("How long after its start it is ended by hand; plans and ranks still use its service"),
    )
    requested_time: NotNegative | None = Field(
        None, description=tr("What plans and ranks use in place of its service, which is how long it runs")
    )

    @property
    def extents(self) -> Size:
        """The size in three dimensions."""
        return in_three(self.size)

    @property
    def states_service(self) -> bool:
        """Whether there is a time to plan and rank with."""
        return self.service is not None or self.requested_time is not None


Move = tuple[NotNegative, Annotated[int, Field(ge=0, strict=True)], Annotated[int, Field(ge=0, strict=True)]]


class ListWorkload(Part):
    """An explicit list of jobs; they are numbered in order of arrival."""

    kind: Literal["list"]
    jobs: Annotated[tuple[ListedJob, ...], FailFast(), Field(min_length=1)]
    moves: Annotated[tuple[Move, ...], FailFast()] = Field(
        (),
        description=tr(
            "Jobs moved in the queue by hand, [time, job, place], …: 0 is served next. A job that "
            "does not wait at that time is not moved"
        ),
    )

    @property
    def job_count(self) -> int:
        """How many jobs there are."""
        return len(self.jobs)

    def states_services(self, network: NetworkSpec | None) -> bool:
        """Whether the service times are known before the run."""
        del network
        return all(job.states_service for job in self.jobs)


Workload = Annotated[StochasticWorkload | ListWorkload | TraceWorkload, Field(discriminator="kind")]
