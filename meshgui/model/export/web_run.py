"""What a web page shows of a run: its events, jobs, packets and sentences, from the recording alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.guard import StrategyError, short_calls
from meshgui.engine.basics.work import report
from meshgui.engine.network.routing import spans
from meshgui.engine.runs.outages import Outages
from meshgui.engine.runs.recording import NEVER, Recording
from meshgui.engine.scheduling.registry import discipline
from meshgui.model.export.web_data import WebArrays
from meshgui.model.export.web_steps import StepPages
from meshgui.model.export.web_stints import WebStints, web_stints
from meshgui.model.moment.narration import narrate
from meshgui.model.scene.colours import COLOUR_COUNT, job_pattern

_REPORTED: Final = 256  # sentences between which progress is reported
_NOT_YET: Final = 0  # a header's time at a channel that it has not reached


class WebSpan(NamedTuple):
    """The part of a run that a page shows: its times, and the positions at its begin and end."""

    begin: float
    end: float
    first: int
    last: int

    @classmethod
    def of(cls, recording: Recording, begin: float | None = None, end: float | None = None) -> WebSpan:
        """From one time to another; by default from the start, and to the end."""
        until = recording.end_time if end is None else min(end, recording.end_time)
        first = 0 if begin is None else recording.position_at(begin)
        return cls(begin or 0.0, until, first, recording.position_at(until))


def web_run(
    recording: Recording, span: WebSpan, attempts: Sequence[int], arrays: WebArrays
) -> dict[str, Any]:
    """A run, or a part of it, as the page reads it, with the steps of some attempts."""
    rows = _jobs_in(recording, span)
    scenario, strategy = recording.scenario, recording.strategy
    stints = web_stints(recording, rows)
    row_of = np.full(len(recording.jobs), -1, dtype=np.int64)
    row_of[stints.jobs] = np.arange(len(stints.jobs))  # the last of each
    header: dict[str, Any] = {
        "title": scenario.title,
        "notes": scenario.notes,
        "strategy": strategy.title,
        "discipline": discipline(scenario.scheduler.name).title,
        "seed": recording.seed,
        "shape": list(recording.mesh.extents),
        "dims": recording.mesh.dims,
        "begin": span.begin,
        "end": span.end,
        "first": span.first,
        "last": span.last,
        "before": float(recording.times[span.first - 1]) if span.first else 0.0,
        "events": _events(recording, span, stints, arrays),
        "jobs": _job_columns(recording, stints, arrays),
        "ranks": _rank_changes(recording, span, stints, arrays),
        "sentences": _sentences(recording, span),
        "lines": [[line.label, line.text, line.indent, int(line.decision)] for line in strategy.lines],
        "network": _network(recording, span, row_of, arrays),
    }
    if recording.outages is not None:
        header["outages"] = _outages(recording.outages, arrays)
    return header | StepPages(recording).of(attempts)


def _jobs_in(recording: Recording, span: WebSpan) -> Ints:
    """The jobs that have arrived by the end of the span and have not left before its begin."""
    gone = recording.ended < span.first
    rows: Ints = np.flatnonzero((recording.arrived < span.last) & ~gone)
    return rows


def _events(recording: Recording, span: WebSpan, stints: WebStints, arrays: WebArrays) -> dict[str, Any]:
    part = slice(span.first, span.last)
    jobs = stints.rows_at(recording.event_jobs[part], np.arange(span.first, span.last))
    return {
        "times": arrays.add(recording.times[part], "f8"),
        "kinds": arrays.add(recording.kinds[part], "u1"),
        "jobs": arrays.add(jobs, "i4"),
    }


def _outages(outages: Outages, arrays: WebArrays) -> dict[str, Any]:
    """What is down from which position on, as boxes: all there are, after each change."""
    down = [outages.down(position + 1) for position in outages.changes["position"].tolist()]
    first = np.concatenate(([0], np.cumsum([len(boxes) for boxes in down], dtype=np.int64)))
    return {
        "positions": arrays.add(outages.changes["position"] + 1, "i4"),
        "first": arrays.add(first, "i4"),
        "boxes": arrays.add(np.array([box for boxes in down for box in boxes]).reshape(-1), "i2"),
    }


def _job_columns(recording: Recording, stints: WebStints, arrays: WebArrays) -> dict[str, Any]:
    jobs, rows, counts = recording.jobs, stints.jobs, stints.box_count.astype(np.int64)
    first = np.concatenate(([0], np.cumsum(counts)))
    boxes = [recording.boxes[f : f + n] for f, n in zip(stints.first_box, counts, strict=True)]
    held = np.concatenate([np.zeros((0, 6), dtype=np.int16), *boxes])
    reserved = np.zeros((len(rows), 6), dtype=np.int16)
    for row in np.flatnonzero(recording.reserved[rows] != NEVER).tolist():
        reserved[row] = recording.reservation_of(int(rows[row])) or 0
    hit = {} if recording.outages is None else {"hits": arrays.add(stints.hit, "u1")}
    return hit | {
        "numbers": arrays.add(rows, "i4"),
        "arrivals": arrays.add(jobs.arrival[rows], "f8"),
        "services": arrays.add(jobs.service[rows], "f8"),
        "sizes": arrays.add(np.array([jobs.size(job) for job in rows.tolist()]).reshape(-1), "i2"),
        "arrived": arrays.add(stints.arrived, "i4"),
        "started": arrays.add(stints.started, "i4"),
        "ended": arrays.add(stints.ended, "i4"),
        "startTimes": arrays.add(_times_of(recording, stints.started), "f8"),
        "endTimes": arrays.add(_times_of(recording, stints.ended), "f8"),
        "reserved": arrays.add(recording.reserved[rows], "i4"),
        "reservations": arrays.add(reserved, "i2"),
        "ranks": arrays.add(stints.ranks, "f8"),
        "attempts": arrays.add(recording.attempt_counts[rows], "i4"),
        "tints": arrays.add(rows % COLOUR_COUNT, "u1"),
        "hatches": arrays.add(np.array([job_pattern(job) for job in rows.tolist()]), "u1"),
        "first": arrays.add(first, "i4"),
        "boxes": arrays.add(held, "i2"),
    }


def _times_of(recording: Recording, positions: NDArray[np.int32]) -> NDArray[np.float64]:
    """The times of events; NaN of those that have not happened."""
    known = positions != NEVER
    times = np.full(len(positions), np.nan)
    times[known] = recording.times[positions[known]]
    return times


def _rank_changes(
    recording: Recording, span: WebSpan, stints: WebStints, arrays: WebArrays
) -> dict[str, Any]:
    changed = stints.rows_at(recording.rank_jobs, recording.rank_positions)
    kept = (changed >= 0) & (recording.rank_positions <= span.last)
    return {
        "positions": arrays.add(recording.rank_positions[kept], "i4"),
        "jobs": arrays.add(changed[kept], "i4"),
        "ranks": arrays.add(recording.new_ranks[kept], "f8"),
    }


def _sentences(recording: Recording, span: WebSpan) -> list[str]:
    """The sentence after each event, as the window says it."""
    said = []
    for position in range(span.first, span.last + 1):
        if position % _REPORTED == 0:
            report(position - span.first, span.last - span.first)
        try:
            with short_calls():
                said.append(str(narrate(recording, recording.snapshot(position))))
        except StrategyError as error:
            said.append(str(error))
    return said


def _network(recording: Recording, span: WebSpan, row_of: Ints, arrays: WebArrays) -> dict[str, Any] | None:
    """The packets that move in the span: their routes follow from source and target."""
    whole = recording.network
    if whole is None:
        return None
    raw, law = whole.raw, whole.law
    here = np.flatnonzero((raw.sent <= span.end) & (whole.delivered > span.begin) & (row_of[raw.group] >= 0))
    lines, places = spans(raw.first, here)
    entered = raw.entered[lines].astype(np.int64)
    # From channel to channel most headers take equally long: differences are compressed to next to nothing.
    since = np.where(places == 0, 0, np.concatenate(([0], entered[:-1])))
    gaps = np.where(entered < 0, _NOT_YET, entered - since)
    fine = "u2" if gaps.max(initial=0) < 1 << 16 else "i4"
    return {
        "flits": law.flits,
        "buffer": law.buffer,
        "cycles": law.cycles,
        "pause": law.pause,
        "ports": int(law.has_ports),
        "numbers": arrays.add(here, "i4"),
        "sent": arrays.add(raw.sent[here], "f8"),
        "jobs": arrays.add(row_of[raw.group[here]], "i4"),
        "sources": arrays.add(whole.sources[here], "i4"),
        "targets": arrays.add(whole.targets[here], "i4"),
        "gaps": arrays.add(gaps, fine),
    }
