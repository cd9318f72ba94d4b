"""What a scenario takes from a trace, in words and as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import shortened
from meshgui.engine.workload.swf import in_words
from meshgui.engine.workload.trace import TraceWorkload

_LONGEST_NAME: Final = 60  # a line of a terminal holds it


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
    other_status: int  # jobs that did not end as the scenario wants them
    requested_times: int  # jobs taken whose requested time is known

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
            "other_status": self.other_status,
            "requested_times": self.requested_times,
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
            *self._by_choice(number),
            (tr("rounded up"), _or_none(self.rounded_up, tr("to a box that fits the mesh"), number)),
            (tr("too large"), _or_none(self.larger_than_mesh, tr("larger than the mesh"), number)),
        ]

    def _by_choice(self, number: Callable[[int], str]) -> list[tuple[str, str]]:
        """What is said where there is something to say."""
        rows = []
        if self.other_status:
            rows.append((tr("other status"), number(self.other_status)))
        if self.requested_times:
            said = tr("known of {jobs}")
            rows.append((tr("requested time"), said.format(jobs=number(self.requested_times))))
        return rows

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
        len(traced),
        len(workload.usable),
        source.jobs,
        source.left_out,
        int((asked > traced.processors).sum()),
        int((traced.processors > mesh.processors).sum()),
        len(source) - len(workload.usable),
        int(np.count_nonzero(~np.isnan(traced.requested_time))),
    )


def _or_none(count: int, words: str, number: Callable[[int], str]) -> str:
    return f"{number(count)} {words}" if count else tr("none")
