"""Cuts runs off at the moment of a question, so that nothing that shows them knows what comes next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from meshgui.engine.network.packets import Packets
from meshgui.engine.runs.attempts import AttemptRecorder
from meshgui.engine.runs.recording import NEVER, Recording


class RunCut(NamedTuple):
    """Where a run is cut off: after some events, and at a time before the next one."""

    position: int
    time: float = 0.0


CutRule = Callable[[Recording], RunCut | None]
"""Where a run is to be cut off while a question about it is open; None where it is shown whole."""


class RunCuts:
    """Shows of each run only what open questions leave of it, and the whole again once they are closed."""

    def __init__(self) -> None:
        self.rules: list[CutRule] = []
        self._wholes: WeakKeyDictionary[Recording, tuple[Recording, RunCut]] = WeakKeyDictionary()

    def whole(self, recording: Recording) -> Recording:
        """The run of which this is a part, as far as it was known when it was cut off."""
        return self._wholes[recording][0] if recording in self._wholes else recording

    def shown(self, recording: Recording) -> Recording:
        """As much of a run as may be shown; of one that was cut off, the whole once it may be."""
        whole = self.whole(recording)
        cuts = [cut for rule in self.rules if (cut := rule(whole)) is not None]
        if not cuts:
            return whole
        first = min(cuts)
        if whole is not recording and self._wholes[recording][1] == first:
            return recording
        part = cut_off(whole, *first)
        if part is not whole:
            self._wholes[part] = whole, first
        return part


def cut_off(recording: Recording, position: int, time: float = 0.0) -> Recording:
    """The run as it was after this many events, before any attempt that follows; a shorter one as it is.

    A later time than that of the last event is kept up to the next one: packets move on until then.
    """
    if len(recording) < position:
        return recording
    latest = float(recording.times[position - 1]) if position else 0.0
    if position < len(recording):
        time = min(time, float(recording.times[position]))
    latest = max(latest, time)
    of = recording.stints_at(position)
    arrived, started, ended, reserved = (
        np.where(events < position, events, NEVER).astype(np.int32)
        for events in (recording.arrived, of.started, of.ended, recording.reserved)
    )
    made = list(takewhile(lambda attempt: attempt.position < position, recording.attempts))
    rows = np.array(made, dtype=np.int32).reshape(-1, 3)
    attempts = AttemptRecorder()
    attempts.extend(rows)
    counts = np.bincount(rows[:, 1], minlength=len(recording.jobs)).astype(np.int32)
    there = started != NEVER
    return replace(
        recording,
        complete=False,
        stuck=False,
        reached=latest,
        times=recording.times[:position],
        kinds=recording.kinds[:position],
        event_jobs=recording.event_jobs[:position],
        arrived=arrived,
        started=started,
        ended=ended,
        reserved=reserved,
        first_box=of.first_box,
        box_count=np.where(there, of.box_count, 0).astype(np.int32),
        attempts=attempts.attempts(),
        attempt_counts=counts,
        key_frames=tuple(frame for frame in recording.key_frames if frame.position <= position),
        operations=np.where(there, recording.operations, 0),
        seconds=np.where(there, recording.seconds, 0.0),
        outages=None if recording.outages is None else recording.outages.until(position),
        packets=_until(recording, latest),
    )


def _until(recording: Recording, time: float) -> Packets | None:
    """The packets with what has happened to them by the end of a cycle."""
    packets, network = recording.packets, recording.scenario.network
    if packets is None or network is None:
        return None
    return packets.until(time, network.law)
