"""Cuts a run off at the moment of a question, so that nothing that shows it knows what comes next."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

import numpy as np

from meshgui.engine.network.wormhole import Packets
from meshgui.engine.runs.attempts import AttemptRecorder
from meshgui.engine.runs.recording import NEVER, Recording


def cut_off(recording: Recording, position: int) -> Recording:
    """The run as it was after this many events, before any attempt that follows; a shorter one as it is."""
    if len(recording) < position:
        return recording
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
        packets=_until(recording, float(recording.times[position - 1]) if position else 0.0),
    )


def _until(recording: Recording, time: float) -> Packets | None:
    """The packets with what has happened to them by the end of a cycle."""
    packets, network = recording.packets, recording.scenario.network
    if packets is None or network is None:
        return None
    return packets.until(time, network.law)
