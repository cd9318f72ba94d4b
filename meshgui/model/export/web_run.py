"""What a web page shows of a run: its events, jobs, packets and sentences, from the recording alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.guard import StrategyError, short_calls
from meshgui.engine.basics.translation import said_again
from meshgui.engine.basics.work import report
from meshgui.engine.runs.outages import Outages
from meshgui.engine.runs.recording import NEVER, Recording
from meshgui.engine.runs.snapshot import Snapshot
from meshgui.engine.scheduling.registry import discipline
from meshgui.model.export.web_data import WebArrays
from meshgui.model.export.web_network import web_network
from meshgui.model.export.web_steps import StepPages
from meshgui.model.export.web_stints import WebStints, web_stints
from meshgui.model.export.web_words import in_each_language
from meshgui.model.moment.narration import narrate_with, waiting_head
from meshgui.model.scene.colours import COLOUR_COUNT, job_pattern

_REPORTED: Final = 256  # sentences between which progress is reported


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
    """A run, or a part of it, as the page reads it, with the steps of some attempts.

    What is said of it stands under `told`, by language.
    """
    rows = _jobs_in(recording, span)
    scenario = recording.scenario
    stints = web_stints(recording, rows)
    row_of = np.full(len(recording.jobs), -1, dtype=np.int64)
    row_of[stints.jobs] = np.arange(len(stints.jobs))  # the last of each
    header: dict[str, Any] = {
        "title": scenario.title,
        "notes": scenario.notes,
        "seed": recording.seed,
        "shape": list(recording.mesh.extents),
        "dims": recording.mesh.dims,
        "rings": list(recording.mesh.rings),
        "begin": span.begin,
        "end": span.end,
        "first": span.first,
        "last": span.last,
        "before": float(recording.times[span.first - 1]) if span.first else 0.0,
        "events": _events(recording, span, stints, arrays),
        "jobs": _job_columns(recording, stints, arrays),
        "ranks": _rank_changes(recording, span, stints, arrays),
        "network": web_network(recording, span.begin, span.end, row_of, arrays),
    }
    said, steps = _sentences(recording, span), StepPages(recording)
    stepped = steps.of(attempts)
    header["told"] = {
        name: names
        | {"sentences": [sentence[name] for sentence in said]}
        | {"attempts": [attempt[name] for attempt in stepped]}
        for name, names in in_each_language(lambda: _names(recording)).items()
    }
    header |= {"across": True} if recording.across else {}  # whether boxes lie across seams
    if recording.outages is not None:
        header["outages"] = _outages(recording.outages, arrays)
    return header | steps.kept


def _names(recording: Recording) -> dict[str, Any]:
    """Strategy, discipline, and the lines of the pseudo-code."""
    strategy, scheduler = recording.strategy, discipline(recording.scenario.scheduler.name)
    return {
        "strategy": said_again(strategy.title),
        "discipline": said_again(scheduler.title),
        "lines": [[said_again(line.text), line.indent] for line in strategy.lines],
    }


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
        "leaves": arrays.add(_leaving(recording, stints), "f8"),
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


def _leaving(recording: Recording, stints: WebStints) -> NDArray[np.float64]:
    """When jobs leave, or would by their service times; NaN where their messages decide."""
    started, ended = _times_of(recording, stints.started), _times_of(recording, stints.ended)
    if recording.network is not None:
        return ended
    done = [recording.saved(job, len(recording)) for job in stints.jobs.tolist()]
    return np.where(np.isnan(ended), started + recording.jobs.lasting[stints.jobs] - done, ended)


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


def _sentences(recording: Recording, span: WebSpan) -> list[dict[str, str]]:
    """The sentence after each event, as the window says it, in each language."""
    said = []
    for position in range(span.first, span.last + 1):
        if position % _REPORTED == 0:
            report(position - span.first, span.last - span.first)
        with short_calls():
            snapshot = recording.snapshot(position)
            waits = waiting_head(recording, snapshot)
            said.append(in_each_language(partial(_sentence, recording, snapshot, waits)))
    return said


def _sentence(recording: Recording, snapshot: Snapshot, waits: int | None) -> str:
    try:
        return str(narrate_with(recording, snapshot, waits))
    except StrategyError as error:
        return str(error)
