"""Runs for tests, and as much of a run as had happened at some event."""

from dataclasses import replace
from functools import cache, cached_property

import numpy as np

from meshgui.engine.runs.recording import NEVER
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.runs.snapshot import Snapshot
from meshgui.engine.scenario import load_scenario
from meshgui.itself import resource
from meshgui.model.stepping.cursor import Cursor

SCENARIOS = resource("scenarios")


@cache
def run_of(name="tbl-under-load", seed=None):
    """A shipped scenario, run once for all tests."""
    return simulate(load_scenario(SCENARIOS / f"{name}.meshgui.json"), seed)


def cursor_in(recording, position=None, *, time=None):
    """A cursor in a run, at its start or at a place of it."""
    cursor = Cursor()
    cursor.show(recording)
    if position is not None:
        cursor.go_to(position)
    elif time is not None:
        cursor.go_to_time(float(time))
    return cursor


def same_snapshot(one, other):
    """Whether two snapshots show the same in every part."""
    parts = [name for name, part in vars(Snapshot).items() if isinstance(part, property | cached_property)]
    values = [(getattr(one, name), getattr(other, name)) for name in ("position", "time", "event", *parts)]
    return all(np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b for a, b in values)


def first_events(recording, count):
    """The run as it was after its first events."""
    arrived, started, ended = (
        np.where(events < count, events, NEVER).astype(np.int32)
        for events in (recording.arrived, recording.started, recording.ended)
    )
    return replace(
        recording,
        complete=False,
        times=recording.times[:count],
        kinds=recording.kinds[:count],
        event_jobs=recording.event_jobs[:count],
        arrived=arrived,
        started=started,
        ended=ended,
    )


def report_at_every_event(monkeypatch):
    """Have runs report their progress after every event."""
    for most in ("_FIRST_EVENTS_AT_ONCE", "_MOST_EVENTS_AT_ONCE"):
        monkeypatch.setattr(f"meshgui.engine.runs.simulation.{most}", 1)
