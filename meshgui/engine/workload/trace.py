"""The workload of a scenario whose jobs are those of a trace, and a summary of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import FailFast, Field, model_validator

from meshgui.engine.basics.arrays import Floats, Ints, Ints32
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.parts import LARGEST_NUMBER, LATEST, NotNegative, Part, Positive, Text, at
from meshgui.engine.basics.translation import tr
from meshgui.engine.workload.box_shapes import boxes_for
from meshgui.engine.workload.swf import (
    CANCELLED,
    COMPLETED,
    MOST_PROCESSORS,
    TraceError,
    WorkloadTrace,
    read_trace,
)

_OF_THE_FILE: Final = ("path", "jobs", "requested_times", "numbers")
_UNKNOWN: Final = -1  # a status

Number = Annotated[int, Field(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER, strict=True)]
Row = tuple[NotNegative, NotNegative, Annotated[int, Field(ge=1, le=MOST_PROCESSORS, strict=True)]]


@dataclass(frozen=True, eq=False)
class TracedJobs:
    """Jobs of a trace in order of submission."""

    submit: Floats
    run_time: Floats
    processors: Ints
    requested_time: Floats  # not a number where nothing is known of it
    number: Ints

    def __len__(self) -> int:
        return len(self.submit)

    def only(self, which: slice | NDArray[np.bool_]) -> TracedJobs:
        """Some of them."""
        return TracedJobs(
            self.submit[which],
            self.run_time[which],
            self.processors[which],
            self.requested_time[which],
            self.number[which],
        )


class TraceWorkload(Part):
    """The jobs of a real machine, from a trace in the Standard Workload Format.

    The trace is read once, when the scenario is checked: what was checked is what runs.
    """

    kind: Literal["swf"]
    path: Text | None = Field(
        None, description=tr("The trace, plain or gzipped, relative to the scenario's folder")
    )
    jobs: Annotated[tuple[Row, ...] | None, FailFast()] = Field(
        None, min_length=1, description=tr("In place of a file: [submit time, run time, processors], …")
    )
    requested_times: Annotated[tuple[NotNegative | None, ...] | None, FailFast()] = Field(
        None, description=tr("With jobs in place of a file: the requested time of each, in their order")
    )
    numbers: Annotated[tuple[Number, ...] | None, FailFast()] = Field(
        None, description=tr("With jobs in place of a file: the number of each, in their order")
    )
    status: Literal["any", "completed", "not-cancelled"] = Field(
        "any", description=tr("Which jobs of the trace are usable, by how they ended there")
    )
    estimates: Literal["run-time", "requested-time"] = Field(
        "run-time",
        description=tr(
            "What disciplines plan and rank with: the time a job runs, or the time requested for it, "
            "where the trace states one; it runs its run time all the same"
        ),
    )
    first_job: int = Field(
        0, ge=0, strict=True, description=tr("How many usable jobs of the trace are skipped")
    )
    max_jobs: int | None = Field(None, ge=1, strict=True, description=tr("All that follow"))
    shape: Literal["most-square", "most-square-that-fits", "none"] = Field(
        "most-square-that-fits",
        description=tr(
            "Most square: the box of exactly that many processors whose sides differ least. That "
            "fits: the same among the boxes that fit the mesh; if there is none, of the smallest "
            "larger number of processors that has one. None: that many processors wherever they are, "
            "for strategies that need no box"
        ),
    )
    time_scale: Positive = Field(1.0, description=tr("All times of the trace are multiplied by it"))
    gap_scale: Positive = Field(
        1.0, description=tr("Times between arrivals are multiplied by it: 0.5 doubles the load")
    )

    @model_validator(mode="after")
    def _has_jobs(self) -> Self:
        if self.path is not None and self.jobs is not None:
            raise at(".path", tr("expected this or jobs, got both"))
        if not self.path and self.jobs is None:
            raise at(".path", tr("expected a trace in the Standard Workload Format, got no file"))
        self._check_columns()
        try:
            source = self.source
        except TraceError as error:
            raise at(".path", str(error)) from None
        if not (usable := len(self.usable)):
            said = tr("expected {status} to leave some jobs: none of the {usable} in the trace is")
            raise at(".status", said.format(status=self.status, usable=len(source)))
        if self.first_job >= usable:
            said = tr("expected at most {usable}: the trace has {jobs_there} usable jobs, got {first_job}")
            raise at(
                ".first_job", said.format(usable=usable - 1, jobs_there=usable, first_job=self.first_job)
            )
        latest = max(float(self.arrivals()[-1]), float(self.run_times().max()), float(self.services().max()))
        if latest > LATEST:
            said = tr("expected times up to {LATEST:g}, got {latest:g}")
            raise at(".time_scale", said.format(LATEST=LATEST, latest=latest))
        return self

    def _check_columns(self) -> None:
        """Refuse columns that do not go with the rows given in place of a file."""
        for name in ("requested_times", "numbers"):
            column, rows = getattr(self, name), len(self.jobs or ())
            if column is None or len(column) == rows:
                continue
            said = tr("expected a value for each of the {rows} jobs, got {given}")
            if self.jobs is None:
                said = tr("expected none: the trace has them itself")
            raise at(f".{name}", said.format(rows=rows, given=len(column)))

    @cached_property
    def source(self) -> WorkloadTrace:
        """The jobs of the file that a run can have, or of the rows given in place of it."""
        if self.jobs is None:
            return read_trace(Path(self.path or ""))
        rows = np.array(self.jobs, dtype=np.float64)
        order = np.argsort(rows[:, 0], kind="stable")
        submit, run_time, processors = rows[order].T.copy()
        numbers = np.arange(1, len(rows) + 1) if self.numbers is None else np.array(self.numbers)[order]
        requested = np.full(len(rows), np.nan)
        if self.requested_times is not None:
            requested = np.array(self.requested_times, dtype=np.float64)[order]
        status = np.full(len(rows), _UNKNOWN)
        return WorkloadTrace(
            (), numbers, submit, run_time, processors.astype(np.int64), {}, requested, status
        )

    @cached_property
    def usable(self) -> TracedJobs:
        """Those of them that have ended as they should."""
        source = self.source
        kept: slice | NDArray[np.bool_] = slice(None)
        if self.status == "completed":
            kept = source.status == COMPLETED
        elif self.status == "not-cancelled":
            kept = source.status != CANCELLED
        times = source.submit, source.run_time
        return TracedJobs(*times, source.processors, source.requested_time, source.number).only(kept)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """See pydantic; a copy with another file or other jobs has them from there."""
        copy = super().model_copy(update=update, deep=deep)
        if update is not None and not {*_OF_THE_FILE, "status"}.isdisjoint(update):
            copy.__dict__.pop("source", None)
            copy.__dict__.pop("usable", None)
        return copy

    @property
    def job_count(self) -> int:
        """How many jobs are taken."""
        return len(self.traced())

    def states_services(self, network: object) -> bool:
        """Whether the service times are known before the run: a trace always has them."""
        del network
        return True

    def traced(self) -> TracedJobs:
        """The selected jobs, with the trace's own times."""
        end = None if self.max_jobs is None else self.first_job + self.max_jobs
        return self.usable.only(slice(self.first_job, end))

    def arrivals(self) -> Floats:
        """When the jobs arrive; the first at 0."""
        submit = self.traced().submit
        arrivals: Floats = (submit - submit[0]) * self.time_scale * self.gap_scale
        return arrivals

    def run_times(self) -> Floats:
        """How long the jobs run."""
        return self.traced().run_time * self.time_scale

    def services(self) -> Floats:
        """What disciplines plan and rank with: see `estimates`."""
        traced = self.traced()
        if self.estimates == "run-time":
            return traced.run_time * self.time_scale
        requested = traced.requested_time
        stated: Floats = np.where(np.isnan(requested), traced.run_time, requested) * self.time_scale
        return stated

    def sizes(self, mesh: Mesh) -> Ints32:
        """The boxes the jobs ask for, `[n, 3]`."""
        return boxes_for(self.traced().processors, mesh, self.shape)

    def whole(self) -> TraceWorkload:
        """The same jobs without a file, and none but those."""
        if self.path is None and self.first_job == 0 and self.max_jobs is None:
            return self
        return self._of_rows(self.traced(), first_job=0, max_jobs=None)

    def with_all_jobs(self) -> TraceWorkload:
        """The same jobs without a file, and all others of it, so that another part can still be taken."""
        if self.path is None:
            return self
        return self._of_rows(self.usable, first_job=self.first_job, max_jobs=self.max_jobs)

    def _of_rows(self, taken: TracedJobs, **part: int | None) -> TraceWorkload:
        """The same with these jobs in place of a file; what nothing is known of is left out."""
        columns = (taken.submit, taken.run_time, taken.processors)
        rows = tuple(zip(*(column.tolist() for column in columns), strict=True))
        fields = {name: getattr(self, name) for name in ("estimates", "shape", "time_scale", "gap_scale")}
        if not np.isnan(taken.requested_time).all():
            requested = taken.requested_time.tolist()
            fields["requested_times"] = tuple(None if math.isnan(time) else time for time in requested)
        if (taken.number != np.arange(1, len(rows) + 1)).any():
            fields["numbers"] = tuple(taken.number.tolist())
        return TraceWorkload.model_validate({"kind": "swf", "jobs": rows, **fields, **part})
