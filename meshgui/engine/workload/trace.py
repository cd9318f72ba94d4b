"""The workload of a scenario whose jobs are those of a trace, and a summary of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Self

import numpy as np
from pydantic import FailFast, Field, model_validator

from meshgui.engine.basics.arrays import Floats, Ints, Ints32
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.parts import NotNegative, Part, Positive, Text, at
from meshgui.engine.basics.translation import tr
from meshgui.engine.workload.box_shapes import boxes_for
from meshgui.engine.workload.swf import LATEST, MOST_PROCESSORS, TraceError, WorkloadTrace, read_trace

Row = tuple[NotNegative, NotNegative, Annotated[int, Field(ge=1, le=MOST_PROCESSORS, strict=True)]]


class TracedJobs(NamedTuple):
    """Jobs of a trace in order of submission."""

    submit: Floats
    run_time: Floats
    processors: Ints


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
    first_job: int = Field(
        0, ge=0, strict=True, description=tr("How many usable jobs of the trace are skipped")
    )
    max_jobs: int | None = Field(None, ge=1, strict=True, description=tr("All that follow"))
    shape: Literal["most-square", "most-square-that-fits"] = Field(
        "most-square-that-fits",
        description=tr(
            "Most square: the box of exactly that many processors whose sides differ least. That "
            "fits: the same among the boxes that fit the mesh; if there is none, of the smallest "
            "larger number of processors that has one"
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
        try:
            usable = len(self.source)
        except TraceError as error:
            raise at(".path", str(error)) from None
        if self.first_job >= usable:
            said = tr("expected at most {usable}: the trace has {jobs_there} usable jobs, got {first_job}")
            raise at(
                ".first_job", said.format(usable=usable - 1, jobs_there=usable, first_job=self.first_job)
            )
        latest = max(float(self.arrivals()[-1]), float(self.services().max()))
        if latest > LATEST:
            said = tr("expected times up to {LATEST:g}, got {latest:g}")
            raise at(".time_scale", said.format(LATEST=LATEST, latest=latest))
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

    def arrivals(self) -> Floats:
        """When the jobs arrive; the first at 0."""
        submit = self.traced().submit
        arrivals: Floats = (submit - submit[0]) * self.time_scale * self.gap_scale
        return arrivals

    def services(self) -> Floats:
        """How long the jobs run."""
        return self.traced().run_time * self.time_scale

    def sizes(self, mesh: Mesh) -> Ints32:
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
