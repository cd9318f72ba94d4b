"""The jobs that wait or run, and the facts of one job, as tables in full precision."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from meshgui.engine.geometry import describe_size
from meshgui.engine.recording import NEVER
from meshgui.model.cursor import View
from meshgui.model.network_tables import job_traffic
from meshgui.model.tables import LazyRows, PlainTable

__all__ = ["job_facts", "running_jobs", "time_left", "waiting_jobs"]

WAITING: Final = ("Job", "Size", "Reserved", "Waited")
RUNNING: Final = ("Job", "Box", "Left")


def waiting_jobs(view: View) -> PlainTable:
    """The queue, the next to be served first."""
    recording, jobs, queue = view.recording, view.recording.jobs, view.snapshot.queue

    def rows() -> Iterator[tuple[object, ...]]:
        for job in queue.tolist():
            reserved = "yes" if recording.reserved[job] < view.position.events else "no"
            size = describe_size(jobs.size(job), recording.mesh.dims)
            yield job, size, reserved, view.time - float(jobs.arrival[job])

    return PlainTable(f"Jobs waiting at {view.time:g}", WAITING, LazyRows(len(queue), rows))


def running_jobs(view: View) -> PlainTable:
    """The jobs that hold processors, each with all its boxes."""
    recording, running = view.recording, view.snapshot.running
    flat = recording.mesh.dims == 2

    def rows() -> Iterator[tuple[object, ...]]:
        for job in running.tolist():
            boxes = "; ".join(box.describe(flat=flat) for box in recording.boxes_of(job))
            yield job, boxes, time_left(view, job)

    return PlainTable(f"Jobs running at {view.time:g}", RUNNING, LazyRows(len(running), rows))


def time_left(view: View, job: int) -> float | None:
    """How long a job that runs will go on; None where nobody knows yet.

    With a network it ends when its messages have arrived. Otherwise, where the run itself has not come so
    far, the job's service is known.
    """
    recording = view.recording
    ended, service = int(recording.ended[job]), recording.stated_service(job)
    if ended != NEVER:
        end = float(recording.times[ended])
    elif service is None or recording.network is not None:
        return None
    else:
        end = float(recording.times[recording.started[job]]) + service
    return max(end - view.time, 0.0)


def job_facts(view: View, job: int) -> PlainTable:
    """What is known of a job now, a row each, with its unit."""
    recording, jobs, position = view.recording, view.recording.jobs, view.position.events
    mesh, size, arrival = recording.mesh, jobs.size(job), float(jobs.arrival[job])
    started, ended = (int(at[job]) for at in (recording.started, recording.ended))
    begun, over = started < position, ended < position
    start = float(recording.times[started]) if begun else None
    finish = float(recording.times[ended]) if over else None
    if start is not None:
        waited: float | None = start - arrival
    elif over:
        waited = None  # turned away
    else:
        waited = max(view.time - arrival, 0.0)
    served = finish - start if finish is not None and start is not None else None
    service = float(jobs.service[job]) if recording.network is None else served
    boxes = recording.boxes_of(job) if begun else ()
    attempts = recording.attempts_of(job)
    rows: list[tuple[object, ...]] = [
        ("Job", job, ""),
        ("Asks for", describe_size(size, mesh.dims), ""),
        ("Asks for", math.prod(size), "processors"),
        ("Arrives", arrival, "time"),
        ("Waits", waited, "time"),
        ("Starts", start, "time"),
        ("Service", service, "time"),
        ("Finishes", finish if start is not None else None, "time"),
        *(("Place", box.describe(flat=mesh.dims == 2), "box") for box in boxes),
        ("Attempts", sum(1 for one in attempts if recording.attempt_positions[one] <= position), "attempts"),
        ("Allocation", int(recording.operations[job]) if begun else None, "operations"),
        ("Allocation", float(recording.seconds[job]) if begun else None, "seconds"),
    ]
    record = recording.network
    if record is not None and begun:
        traffic = job_traffic(record, job, view.cycle)
        rows += [
            ("Messages sent", traffic.sent, "messages"),
            ("Messages arrived", traffic.arrived, "messages"),
            ("Latency", traffic.latency, "cycles, mean"),
            ("Blocked", traffic.blocked, "cycles, mean"),
        ]
    return PlainTable(f"Job {job} at {view.time:g}", ("Figure", "Value", "Unit"), tuple(rows))
