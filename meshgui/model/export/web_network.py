"""What a web page shows of a network: its packets, and where each of their flits is in any cycle."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.network.deadlock import lanes_of
from meshgui.engine.network.record import NEVER_YET, NetworkRecord
from meshgui.engine.network.routing import spans
from meshgui.engine.runs.recording import Recording
from meshgui.model.export.web_data import WebArrays
from meshgui.model.moment.narration import narrate_deadlock

_NOT_YET: Final = 0  # the time of what has not happened, after what comes before it


def web_network(
    recording: Recording, begin: float, end: float, row_of: Ints, arrays: WebArrays
) -> dict[str, Any] | None:
    """The packets that move in a span; `row_of` are the page's rows of jobs, -1 without one.

    On a mesh their routes follow from source and target, and the places of flits from the headers' times, for
    as long as no header has a choice and no link several channels.
    """
    whole = recording.network
    if whole is None:
        return None
    raw, law = whole.raw, whole.law
    here = np.flatnonzero((raw.sent <= end) & (whole.delivered > begin) & (row_of[raw.group] >= 0))
    rows, places = spans(raw.first, here)
    entered = raw.entered[rows].astype(np.int64)
    # From channel to channel most headers take equally long: differences are compressed to next to nothing.
    since = np.where(places == 0, 0, np.concatenate(([0], entered[:-1])))
    return {
        "flits": law.flits,
        "buffer": law.buffer,
        "cycles": law.cycles,
        "pause": law.pause,
        "ports": int(law.has_ports),
        "of": law.channels,
        "numbers": arrays.add(here, "i4"),
        "sent": arrays.add(raw.sent[here], "f8"),
        "jobs": arrays.add(row_of[raw.group[here]], "i4"),
        "sources": arrays.add(whole.sources[here], "i4"),
        "targets": arrays.add(whole.targets[here], "i4"),
        "gaps": _add_gaps(np.where(entered < 0, _NOT_YET, entered - since), arrays),
        "routes": _routes(whole, here, rows, arrays),
        "moved": _moves(whole, here, rows, arrays),
        "deadlock": _deadlock(recording, end),
    }


def _add_gaps(gaps: Ints, arrays: WebArrays) -> dict[str, Any]:
    return arrays.add(gaps, "u2" if gaps.max(initial=0) < 1 << 16 else "i4")


def _routes(record: NetworkRecord, packets: Ints, rows: Ints, arrays: WebArrays) -> dict[str, Any] | None:
    """The channels of all routes, where these are not those of a mesh, x first."""
    if record.law.routing == "xy" and not any(record.mesh.rings):
        return None
    lengths = np.diff(record.raw.first)[packets]
    return {
        "first": arrays.add(np.concatenate(([0], np.cumsum(lengths))), "i4"),
        "channels": arrays.add(record.raw.channels[rows], "i4"),
    }


def _moves(record: NetworkRecord, packets: Ints, rows: Ints, arrays: WebArrays) -> dict[str, Any] | None:
    """Where headers do not decide: virtual channels, grants, all flits, and what blocked headers wait for."""
    raw, law = record.raw, record.law
    if law.headers_decide:
        return None
    moves = raw.moves.reshape(-1, law.flits)[rows].astype(np.int64)
    behind = np.where(moves[:, 1:] < 0, _NOT_YET, np.diff(moves, axis=1))
    headers = record.headers(packets)
    waits = (headers.asked != NEVER_YET) & (headers.granted > headers.asked) & record.blocks(headers.steps)
    at = np.flatnonzero(waits)
    whose, links, numbers = record.wants(headers.packets[at], rows[at])
    return {
        "virtual": arrays.add(np.maximum(raw.virtual[rows], 0), "u1"),
        "granted": arrays.add(raw.granted[rows], "i4"),
        "behind": _add_gaps(behind.ravel(), arrays),
        "delay": law.delay,
        "asking": law.asking_flit,
        "wanting": arrays.add(at[whose], "i4"),
        "wanted": arrays.add(links, "i4"),
        "numbers": arrays.add(numbers, "u1"),
    }


def _deadlock(recording: Recording, end: float) -> dict[str, Any] | None:
    """The deadlock in which the run ends, in words and as a circle of channels."""
    found, record = recording.deadlock, recording.network
    if found is None or record is None or found.cycle > end:
        return None
    circle = lanes_of(record, found)
    lanes: NDArray[np.int64] = np.stack((circle.channels, circle.virtual), axis=1)
    return {
        "cycle": found.cycle,
        "says": str(narrate_deadlock(recording, found)),
        "lanes": lanes.tolist(),
    }
