"""A run in the Trace Event Format, for viewers of traces such as ui.perfetto.dev.

Processors are threads with their jobs as slices, jobs are tracks with their waiting and running, and what
grows and shrinks is a counter. A time unit of the scenario is a millisecond there, a cycle a microsecond.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

import numpy as np

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.geometry import cells, describe_size
from meshgui.engine.basics.translation import ENGLISH, speaking, tr
from meshgui.engine.network.deadlock import Deadlock, lanes_of
from meshgui.engine.network.routing import describe_channel, describe_node, links
from meshgui.engine.runs.measures import JobFigures
from meshgui.engine.runs.recording import Recording

_PROCESSES: Final = (1, 2, 3)  # of the trace, in the order in which they are shown
_PROCESSORS, _JOBS, _COUNTERS = _PROCESSES
_NAMES: Final = ("Processors", "Jobs", "Machine")  # untranslated: of the trace
_BUSY, _WAITING = "processors in use", "jobs waiting"  # untranslated: of the trace
_PROCESSORS_DOWN, _DOWN = "processors down", "down"  # untranslated: of the trace
_ALL_LINKS, _FLITS = "links, flits a cycle", ", flits a cycle"  # untranslated: of the trace
_SLICES: Final = 500  # of the run, for the use of links
_DEADLOCK: Final = "deadlock"  # untranslated: of the trace
_LINKS: Final = 16  # that have a counter of their own: those that carry most

MOST_SLICES: Final = 5_000_000
"""Slices of processors in one trace: some 500 MB, which a viewer no longer opens."""


class TooManySlicesError(ValueError):
    """A run of which no viewer would open the trace."""


def trace_events(recording: Recording) -> Iterator[bytes]:
    """The trace, piece by piece; in English, as tools read it. Too large a run raises TooManySlicesError."""
    if (count := int(JobFigures(recording).held.sum())) > MOST_SLICES:
        said = tr(
            "expected at most {most} slices, one for each processor of each job, got {count}; fewer jobs "
            "make fewer"
        )
        raise TooManySlicesError(said.format(most=MOST_SLICES, count=count))
    return _trace(recording)


def _trace(recording: Recording) -> Iterator[bytes]:
    yield b'{"displayTimeUnit": "ms", "otherData": '
    about = {"title": recording.scenario.title, "seed": recording.seed, "unit": _unit(recording)}
    yield json.dumps(about).encode() + b', "traceEvents": [\n'
    before = b""
    with speaking(ENGLISH):
        for event in _events(recording):
            yield before + json.dumps(event, separators=(",", ":")).encode()
            before = b",\n"
    yield b"\n]}\n"


def _unit(recording: Recording) -> str:
    return "1 time unit = 1 ms" if recording.network is None else "1 cycle = 1 µs"  # untranslated


def _events(recording: Recording) -> Iterator[Mapping[str, Any]]:
    scale = 1000.0 if recording.network is None else 1.0
    figures = JobFigures(recording)
    yield from _names(recording)
    yield from _on_processors(recording, figures, scale)
    yield from _hits(recording, scale)
    yield from _of_jobs(recording, figures, scale)
    yield from _steps(_BUSY, *recording.busy_steps(), scale)
    yield from _steps(_WAITING, *recording.queue_steps(), scale)
    if recording.outages is not None:
        yield from _steps(_PROCESSORS_DOWN, recording.times, recording.down_steps(), scale)
    if recording.network is not None:
        yield from _use_of_links(recording)
    if recording.deadlock is not None:
        found = recording.deadlock
        instant = {
            "ph": "i",
            "s": "g",
            "pid": _COUNTERS,
            "tid": 1,
            "name": _DEADLOCK,
            "ts": found.cycle * scale,
        }
        yield instant | {"args": {"packets": list(found.circle), "channels": _circle(recording, found)}}


def _names(recording: Recording) -> Iterator[Mapping[str, Any]]:
    mesh = recording.mesh
    for process, name in zip(_PROCESSES, _NAMES, strict=True):
        yield {"ph": "M", "pid": process, "name": "process_name", "args": {"name": name}}
        yield {"ph": "M", "pid": process, "name": "process_sort_index", "args": {"sort_index": process}}
    for number in range(mesh.processors):
        thread = {"ph": "M", "pid": _PROCESSORS, "tid": number + 1}
        yield thread | {"name": "thread_name", "args": {"name": describe_node(mesh, number)}}
        yield thread | {"name": "thread_sort_index", "args": {"sort_index": number}}


def _on_processors(recording: Recording, figures: JobFigures, scale: float) -> Iterator[Mapping[str, Any]]:
    rows = zip(figures.job.tolist(), figures.start.tolist(), figures.finish.tolist(), strict=True)
    for job, start, finish in rows:
        slice_ = {"ph": "X", "pid": _PROCESSORS, "name": _job(job), "ts": start * scale}
        slice_["dur"] = (finish - start) * scale
        for number in cells(np.array(recording.boxes_of(job)), recording.mesh).tolist():
            yield slice_ | {"tid": number + 1}


def _hits(recording: Recording, scale: float) -> Iterator[Mapping[str, Any]]:
    """What failures have cut off, and what was down, on the tracks of the processors."""
    outages, mesh = recording.outages, recording.mesh
    if outages is None:
        return
    for kill in outages.kills:
        start, end = (float(recording.times[kill[name]]) for name in ("started", "position"))
        name = f"{_job(int(kill['job']))} hit"  # untranslated: of the trace
        slice_ = {
            "ph": "X",
            "pid": _PROCESSORS,
            "name": name,
            "ts": start * scale,
            "dur": (end - start) * scale,
        }
        first = int(kill["first_box"])
        rows = recording.boxes[first : first + int(kill["box_count"])].astype(np.int64)
        for number in cells(rows, mesh).tolist():
            yield slice_ | {"tid": number + 1, "args": {"lost": float(kill["lost"])}}
    since: dict[int, float] = {}
    for change in outages.changes:
        time = float(recording.times[change["position"]])
        for number in cells(np.array(outages.boxes_at(int(change["position"]))), mesh).tolist():
            if change["down"]:
                since[number] = time
            else:
                yield _down(number, since.pop(number), time, scale)
    for number, time in since.items():
        yield _down(number, time, recording.end_time, scale)


def _down(processor: int, begin: float, end: float, scale: float) -> Mapping[str, Any]:
    track = {"ph": "X", "pid": _PROCESSORS, "tid": processor + 1, "name": _DOWN}
    return track | {"ts": begin * scale, "dur": (end - begin) * scale}


def _of_jobs(recording: Recording, figures: JobFigures, scale: float) -> Iterator[Mapping[str, Any]]:
    """A track for each job, with what it asked for and got."""
    columns = (figures.job, figures.arrival, figures.held, figures.blocks)
    for job, arrival, held, blocks in zip(*(c.tolist() for c in columns), strict=True):
        track = {"pid": _JOBS, "tid": 1, "cat": "job", "id": job}
        size = describe_size(recording.jobs.size(job), recording.mesh.dims)
        about = {"size": size, "processors held": held, "blocks": blocks}
        for name, begin, end in _spans(recording, job, arrival):
            if end > begin:
                words = f"{_job(job)} {name}"
                yield track | {"ph": "b", "name": words, "ts": begin * scale, "args": about}
                yield track | {"ph": "e", "name": words, "ts": end * scale}


def _spans(recording: Recording, job: int, arrival: float) -> Iterator[tuple[str, float, float]]:
    """When a job waits and when it runs."""
    since = arrival
    for start, end in recording.stints_of(job):
        begun, over = float(recording.times[start]), float(recording.times[end])
        yield "waits", since, begun  # untranslated: of the trace
        yield "runs", begun, over  # untranslated: of the trace
        since = over


def _steps(name: str, times: Floats, values: Ints, scale: float) -> Iterator[Mapping[str, Any]]:
    """A counter, with the last of the values at each time where it differs from the one before."""
    last = np.diff(times, append=np.inf) > 0
    times, values = times[last], values[last]
    new = np.diff(values, prepend=-1) != 0  # no count is negative
    for time, value in zip(times[new].tolist(), values[new].tolist(), strict=True):
        yield _counter(name, time * scale, value)


def _use_of_links(recording: Recording) -> Iterator[Mapping[str, Any]]:
    """How many flits a cycle all links carry together, and the busiest alone, slice by slice."""
    network, mesh = recording.network, recording.mesh
    if network is None or not len(network):
        return
    end = math.ceil(recording.end_time)
    of_mesh = links(mesh)
    of, total = network.law.channels, network.carried(end, apart=True).ravel()
    every = (of_mesh[:, None] * of + np.arange(of)).ravel()
    busiest = every[np.argsort(-total[every], kind="stable")[:_LINKS]]
    busiest = busiest[total[busiest] > 0]
    named = ((describe_channel(mesh, lane // of), lane % of) for lane in busiest.tolist())
    names = [_lane(name, number, of) + _FLITS for name, number in named]
    bounds = np.unique(np.linspace(0, end, min(_SLICES, end) + 1).astype(np.int64)).tolist()
    for begin, until in pairwise(bounds):
        then = network.during(begin, until)
        carried = then.carried(until, apart=True) - then.carried(begin, apart=True)
        flits = carried.ravel() / (until - begin)
        yield _counter(_ALL_LINKS, begin, float(flits[every].sum()))
        for name, channel in zip(names, busiest.tolist(), strict=True):
            yield _counter(name, begin, float(flits[channel]))
    for name in (_ALL_LINKS, *names):
        yield _counter(name, end, 0.0)


def _circle(recording: Recording, deadlock: Deadlock) -> list[str]:
    """The channels of a circle, from each packet to the next."""
    if recording.network is None:
        return []
    lanes, of = lanes_of(recording.network, deadlock), recording.network.law.channels
    names = (describe_channel(recording.mesh, channel) for channel in lanes.channels.tolist())
    return [_lane(name, number, of) for name, number in zip(names, lanes.virtual.tolist(), strict=True)]


def _lane(name: str, number: int, of: int) -> str:
    """A virtual channel by its link and number, or where a link has one, the link alone."""
    return name if of == 1 else f"{name} channel {number}"  # untranslated: of the trace


def _job(job: int) -> str:
    return f"job {job}"  # untranslated: of the trace


def _counter(name: str, time: float, value: float) -> Mapping[str, Any]:
    return {"ph": "C", "pid": _COUNTERS, "name": name, "ts": time, "args": {"value": value}}
