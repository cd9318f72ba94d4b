"""The events of a run as the event file has them, an object of JSON a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from meshgui.engine.basics.kinds import OF_MACHINE, EventKind
from meshgui.engine.runs.recording import Recording


def log_lines(of: Recording) -> Iterator[dict[str, Any]]:
    """The events as the event file writes them."""
    for index in range(len(of)):
        event = of.event(index)
        line: dict[str, Any] = {"t": event.time, "event": event.kind.name.lower(), "job": event.job}
        if event.kind in OF_MACHINE and of.outages is not None:
            del line["job"]
            yield line | {"blocks": [list(box) for box in of.outages.boxes_at(index)]}
            continue
        size = of.jobs.size(event.job)
        if event.kind == EventKind.ARRIVE:
            line |= {"size": list(size[: of.mesh.dims]), "service": of.service_of(event.job)}
            if (requested := of.jobs.requested_time(event.job)) is not None:
                line |= {"requested_time": requested}
            if of.jobs.numbers is not None:
                line |= {"number": int(of.jobs.numbers[event.job])}
            if len(of.jobs.messages):
                line |= {"messages": int(of.jobs.messages[event.job])}
        elif event.kind == EventKind.START:
            line |= {"blocks": [list(box) for box in of.boxes_started(index)]}
        elif event.kind == EventKind.RESERVE:
            line |= {"blocks": [list(of.reservation_of(event.job) or ())]}
        elif event.kind == EventKind.REJECT:
            line |= {"reason": of.rejection(event.job)}
        elif event.kind == EventKind.KILL and of.outages is not None:
            line |= {"lost": of.outages.lost_at(index)}
        elif event.kind == EventKind.MOVE:
            line |= {"place": of.queue(index + 1).tolist().index(event.job)}
        yield line
