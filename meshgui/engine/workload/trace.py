"""The workload of a scenario whose jobs are those of a trace, and a summary of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import FailFast, Field, model_validator

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.parts import NotNegative, Part, Positive, Text, at
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import shortened
from meshgui.engine.workload.box_shapes import boxes_for
from meshgui.engine.workload.swf import (
    LATEST,
    MOST_PROCESSORS,
    TraceError,
    WorkloadTrace,
    in_words,
    read_trace,
)

_LONGEST_NAME: Final = 60  # a line of a terminal holds it

Row = tuple[NotNegative, NotNegative, Annotated[int, Field(ge=1, le=MOST_PROCESSORS, strict=True)]]


class TracedJobs(NamedTuple):
    """Jobs of a trace in order of submission."""

    submit: NDArray[np.float64]
    run_time: NDArray[np.float64]
    processors: NDArray[np.int64]


class TraceWorkload(Part):
    """The jobs of a real machine, from a trace in the Standard Workload Format.

    The trace is read once, when the scenario is checked: what was checked is what runs.
    """

    kind: Literal["swf"]
    path: Annotated[
        Text | None, Field(description=tr("The trace, plain or gzipped, relative to the scenario's folder"))
    ] = None
    jobs: Annotated[
        tuple[Row, ...] | None,
        FailFast(),
        Field(min_length=1, description=tr("In place of a file: [submit time, run time, processors], …")),
    ] = None
    first_job: Annotated[
        int, Field(ge=0, strict=True, description=tr("How many usable jobs of the trace are skipped"))
    ] = 0
    max_jobs: Annotated[int | None, Field(ge=1, strict=True, description=tr("All that follow"))] = None
    shape: Annotated[
        Literal["most-square", "most-square-that-fits"],
        Field(
            description=tr(
                "Most square: the box of exactly that many processors whose sides differ least. That "
                "fits: the same among the boxes that fit the mesh; if there is none, of the smallest "
                "larger number of processors that has one"
            )
        ),
    ] = "most-square-that-fits"
    time_scale: Annotated[Positive, Field(description=tr("All times of the trace are multiplied by it"))] = (
        1.0
    )
    gap_scale: Annotated[
        Positive, Field(description=tr("Times between arrivals are multiplied by it: 0.5 doubles the load"))
    ] = 1.0

    @model_validator(mode="after")
    def _has_jobs(self) -> Self:
        if self.path is not None and self.jobs is not None:
            raise at(".path", tr("expected this or jobs, got both"))
        if not self.path and self.jobs is None:
            raise at(".path", tr("expected a trace in the Standard Workload Format, got no file"))
        try:
            usable = len(self.source)
        except TraceError as error:
            raise at(".path", str(error)) from None
        if self.first_job >= usable:
            raise at(
                ".first_job",
                tr(
                    "expected at most {usable}: the trace has {jobs_there} usable jobs, got {first_job}"
                ).format(usable=usable - 1, jobs_there=usable, first_job=self.first_job),
            )
        latest = max(float(self.arrivals()[-1]), float(self.services().max()))
        if latest > LATEST:
            raise at(
                ".time_scale",
                tr("expected times up to {LATEST:g}, got {latest:g}").format(LATEST=LATEST, latest=latest),
            )
        return self

    @cached_property
    def source(self) -> WorkloadTrace:
        """The usable jobs of the file, or of the rows given in place of it."""
        if self.jobs is None:
            return read_trace(Path(self.path or ""))
        rows = np.array(self.jobs, dtype=np.float64)
        rows = rows[np.argsort(rows[:, 0], kind="stable")]
        numbers = np.arange(1, len(rows) + 1)
        return WorkloadTrace(
            (), numbers, rows[:, 0].copy(), rows[:, 1].copy(), rows[:, 2].astype(np.int64), {}
        )

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """See pydantic; a copy with another file or other jobs has them from there."""
        copy = super().model_copy(update=update, deep=deep)
        if update is not None and not {"path", "jobs"}.isdisjoint(update):
            copy.__dict__.pop("source", None)
        return copy

    @property
    def job_count(self) -> int:
        """How many jobs are taken."""
        return len(self.traced().submit)

    def states_services(self, network: object) -> bool:
        """Whether the service times are known before the run: a trace always has them."""
        del network
        return True

    def traced(self) -> TracedJobs:
        """The selected jobs, with the trace's own times."""
        end = None if self.max_jobs is None else self.first_job + self.max_jobs
        source, part = self.source, slice(self.first_job, end)
        return TracedJobs(source.submit[part], source.run_time[part], source.processors[part])

    def arrivals(self) -> NDArray[np.float64]:
        """When the jobs arrive; the first at 0."""
        submit = self.traced().submit
        arrivals: NDArray[np.float64] = (submit - submit[0]) * self.time_scale * self.gap_scale
        return arrivals

    def services(self) -> NDArray[np.float64]:
        """How long the jobs run."""
        return self.traced().run_time * self.time_scale

    def sizes(self, mesh: Mesh) -> NDArray[np.int32]:
        """The boxes the jobs ask for, `[n, 3]`."""
        return boxes_for(self.traced().processors, mesh, self.shape)

    def whole(self) -> TraceWorkload:
        """The same jobs without a file, and none but those."""
        if self.path is None and self.first_job == 0 and self.max_jobs is None:
            return self
        rows = tuple(zip(*(column.tolist() for column in self.traced()), strict=True))
        return self._with_rows(rows, first_job=0, max_jobs=None)

    def with_all_jobs(self) -> TraceWorkload:
        """The same jobs without a file, and all others of it, so that another part can still be taken."""
        if self.path is None:
            return self
        source = self.source
        columns = (source.submit, source.run_time, source.processors)
        rows = tuple(zip(*(column.tolist() for column in columns), strict=True))
        return self._with_rows(rows, first_job=self.first_job, max_jobs=self.max_jobs)

    def _with_rows(self, rows: tuple[Any, ...], **trace_summary: int | None) -> TraceWorkload:
        kept = {name: getattr(self, name) for name in ("shape", "time_scale", "gap_scale")}
        return TraceWorkload.model_validate({"kind": "swf", "jobs": rows, **kept, **trace_summary})


@dataclass(frozen=True)
class TraceSummary:
    """What a scenario takes from a trace."""

    path: str | None
    title: str  # the computer and where it stood
    jobs: int
    usable: int
    in_trace: int  # jobs, usable or not
    left_out: Mapping[str, int]  # lines of the trace, by reason
    rounded_up: int  # jobs that ask for more than the trace says, because no box of this many fits
    larger_than_mesh: int

    def as_json(self) -> dict[str, Any]:
        """As data."""
        return {
            "path": self.path,
            "title": self.title,
            "jobs": self.jobs,
            "usable": self.usable,
            "in_trace": self.in_trace,
            "left_out": dict(self.left_out),
            "rounded_up": self.rounded_up,
            "larger_than_mesh": self.larger_than_mesh,
        }

    def rows(self, number: Callable[[int], str] = str) -> list[tuple[str, str]]:
        """As a table of two columns."""
        return [
            (tr("trace"), self._name()),
            (
                tr("jobs taken"),
                tr("{jobs} of {all} in the trace").format(jobs=number(self.jobs), all=number(self.in_trace)),
            ),
            (tr("left out"), in_words(self.left_out, number)),
            (tr("rounded up"), _or_none(self.rounded_up, tr("to a box that fits the mesh"), number)),
            (tr("too large"), _or_none(self.larger_than_mesh, tr("larger than the mesh"), number)),
        ]

    def _name(self) -> str:
        name = self.title or (Path(self.path).name if self.path else tr("the scenario's own rows"))
        return shortened(name, _LONGEST_NAME)

    def line(self) -> str:
        """In one line."""
        return "; ".join(f"{name}: {words}" for name, words in self.rows())


def trace_summary(workload: TraceWorkload, mesh: Mesh) -> TraceSummary:
    """What a mesh is given of a trace."""
    source, traced = workload.source, workload.traced()
    asked = workload.sizes(mesh).astype(np.int64).prod(axis=1)
    return TraceSummary(
        workload.path,
        source.title,
        len(traced.submit),
        len(source),
        source.jobs,
        source.left_out,
        int((asked > traced.processors).sum()),
        int((traced.processors > mesh.processors).sum()),
    )


def _or_none(count: int, words: str, number: Callable[[int], str]) -> str:
    return f"{number(count)} {words}" if count else tr("none")
