"""The tables of a run as NumPy columns, under the names of the dictionary of tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.geometry import places, ramps
from meshgui.engine.basics.kinds import AttemptOutcome, EventKind
from meshgui.engine.basics.translation import ENGLISH, speaking, tr
from meshgui.engine.network.record import NEVER_YET
from meshgui.engine.network.routing import WAYS, describe_channel
from meshgui.engine.runs.dictionary import MIDDLE, NUMBERS
from meshgui.engine.runs.measures import JobFigures, external_fragmentation_steps
from meshgui.engine.runs.middles import middle
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.table_dictionary import TABLES, TableColumn

Columns = dict[str, NDArray[Any]]
_KINDS: Final[dict[str, type]] = {
    "word": str, "number": np.int64, "processors": np.int64, "hops": np.int64, "cycles": np.int64
}  # fmt: skip
_UNKNOWN_AT_TIMES: Final = {"injected", "delivered", "latency", "blocking"}

MAX_CHANNEL_ROWS: Final = 10_000_000
_SLICES: Final = 20  # of the run, where their length is not given
_WAYS: Final = ("+x", "-x", "+y", "-y", "+z", "-z", "inject", "eject")  # by number


def table_of(recording: Recording, name: str) -> Columns:
    """A table by its name in the dictionary.

    Without a network those of packets and channels are empty, and that of failures where nothing may fail.
    """
    return _MAKERS[name](recording)


def _jobs(recording: Recording) -> Columns:
    """The figures of the jobs, which have the columns' names, and what else is known of them."""
    of = JobFigures(recording)
    others: Columns = dict(zip("wdh", recording.jobs.sizes[of.job].T, strict=True))
    if recording.jobs.run_time is not None:
        others["requested_time"] = recording.jobs.service[of.job]
    if recording.jobs.numbers is not None:
        others["number"] = recording.jobs.numbers[of.job]
    if recording.outages is not None:
        kills, jobs = recording.outages.kills, len(recording.jobs)
        others["killed"] = np.bincount(kills["job"], minlength=jobs)[of.job]
        others["lost_time"] = np.bincount(kills["job"], kills["lost"], minlength=jobs)[of.job]
    columns: Columns = {}
    for column in TABLES["jobs"].columns:
        if column.name in others:
            columns[column.name] = others[column.name]
        elif not (column.stated or column.failures or (column.network and recording.network is None)):
            columns[column.name] = getattr(of, column.name)
    return columns


def _boxes(recording: Recording) -> Columns:
    counts = recording.box_count.astype(np.int64)
    rows = np.repeat(recording.first_box, counts) + ramps(counts)
    boxes = recording.boxes[rows].astype(np.int64)
    return {"job": np.repeat(np.arange(len(counts)), counts)} | _sides(boxes)


def _sides(boxes: Ints) -> Columns:
    return dict(zip(("x", "y", "z", "w", "d", "h"), boxes.T, strict=True))


def _events(recording: Recording) -> Columns:
    kinds = np.array([kind.name.lower() for kind in sorted(EventKind)])
    values = np.array(sorted(int(kind) for kind in EventKind))
    columns: Columns = {
        "t": recording.times,
        "event": kinds[np.searchsorted(values, recording.kinds)],
        "job": recording.event_jobs.astype(np.int64),
    }
    if recording.outages is not None:
        columns["lost"] = np.zeros(len(recording))
        columns["lost"][recording.outages.kills["position"]] = recording.outages.kills["lost"]
    return columns


def _failures(recording: Recording) -> Columns:
    outages = recording.outages
    if outages is None:
        return _without_rows("failures")
    changes = np.repeat(outages.changes, outages.changes["boxes"])
    return {
        "t": recording.times[changes["position"]],
        "event": np.where(changes["down"], "fail", "repair"),
        **_sides(outages.boxes.astype(np.int64)),
    }


def _attempts(recording: Recording) -> Columns:
    positions, jobs, outcomes = recording.attempts.columns()
    words = np.array([outcome.name.lower() for outcome in sorted(AttemptOutcome)])
    values = np.array(sorted(int(outcome) for outcome in AttemptOutcome))
    times = np.concatenate(([0.0], recording.times))
    return {
        "t": times[positions],
        "job": jobs,
        "outcome": words[np.searchsorted(values, outcomes)],
        "position": positions,
    }


def _packets(recording: Recording) -> Columns:
    network = recording.network
    if network is None:
        return _without_rows("packets")
    arrived = network.arrived

    def known(cycles: Ints) -> Floats:
        return np.where(cycles == NEVER_YET, np.nan, cycles)

    def of_arrived(values: Ints) -> Floats:
        column = np.full(len(network), np.nan)
        column[arrived] = values
        return column

    ends = (("s", network.sources), ("d", network.targets))
    places_ = {
        f"{end}{axis}": values
        for end, nodes in ends
        for axis, values in zip("xyz", places(recording.mesh, nodes).T, strict=True)
    }
    return {
        "packet": np.arange(len(network)),
        "job": network.jobs.astype(np.int64),
        "time": network.sent,
        **places_,
        "injected": known(network.injected),
        "delivered": known(network.delivered),
        "latency": of_arrived(network.latency),
        "blocking": of_arrived(network.blocked),
        "message_distance": network.distances,
    }


def _utilisation(recording: Recording) -> Columns:
    last = _last_of_each_time(recording)
    held = recording.busy_steps()[1][last]
    idle = recording.remembered(external_fragmentation_steps)[1][last]
    processors = recording.mesh.processors
    columns: Columns = {
        "t": recording.times[last],
        "held": held,
        "utilization": held / processors,
        "busy_list": recording.busy_list_steps()[last],
        "external_fragmentation": idle / processors,
    }
    if recording.outages is not None:
        down = recording.down_steps()[last]
        columns |= {"down": down, "down_share": down / processors}
    return columns


def _queue(recording: Recording) -> Columns:
    last = _last_of_each_time(recording)
    return {"t": recording.times[last], "queue_length": recording.queue_steps()[1][last]}


def _last_of_each_time(recording: Recording) -> Ints:
    times = recording.times
    return np.flatnonzero(np.append(times[1:] != times[:-1], True)) if len(times) else np.empty(0, np.int64)


def _by_size(recording: Recording) -> Columns:
    """Classes are powers of two: 1, 2, 3 to 4, 5 to 8 and so on; those without a job have no row."""
    of = JobFigures(recording)
    classes = np.ceil(np.log2(of.processors)).astype(np.int64)
    rows = [_of_class(of, classes == number, int(number)) for number in np.unique(classes)]
    names = [column.name for column in TABLES["by_size"].columns]
    return {name: np.array([row[name] for row in rows]) for name in names}


def _of_class(of: JobFigures, chosen: NDArray[np.bool_], number: int) -> dict[str, float]:
    row: dict[str, float] = {
        "smallest": (1 << number - 1) + 1 if number else 1,
        "largest": 1 << number,
        "jobs": int(np.count_nonzero(chosen)),
        "blocks_per_job": float(of.blocks[chosen].mean()),
    }
    for name in ("turnaround", "waiting", "service", "slowdown", "bounded_slowdown"):
        values: Floats = getattr(of, name)[chosen]
        values = values[~np.isnan(values)]
        row[name] = float(values.mean()) if len(values) else 0.0
        for part, value in zip(MIDDLE, middle(values), strict=True):
            row[NUMBERS[name].spread_name(part)] = value
    return row


# Channels, slice by slice: there may be millions of rows


class ChannelRowsError(ValueError):
    """More rows of channels and slices than are made."""


def channel_slices(recording: Recording, every: int | None = None) -> tuple[int, Iterator[Columns]]:
    """How many slices there are, and each: what the channels that carried a flit in the run carried in it.

    A slice holds the cycles after its begin up to its end.
    """
    network = recording.network
    if network is None:
        raise ValueError(tr("expected a recording with a network"))
    end = math.ceil(recording.end_time)
    channels, virtual = np.nonzero(network.carried(end, apart=True))
    slices = min(_SLICES, end) if every is None else -(-end // every)
    if (rows := len(channels) * slices) > MAX_CHANNEL_ROWS:
        raise ChannelRowsError(
            tr(
                "expected at most {most} rows, got {rows}: {channels} channels in {slices} slices of time"
            ).format(most=MAX_CHANNEL_ROWS, rows=rows, channels=len(channels), slices=slices)
        )
    with speaking(ENGLISH):  # what a row says of its channel is the same in every language
        words = np.array([describe_channel(recording.mesh, channel) for channel in channels.tolist()])
    x, y, z = places(recording.mesh, channels // WAYS).reshape(-1, 3).T
    ways = np.array(_WAYS)[channels % WAYS]

    def tables() -> Iterator[Columns]:
        for number in range(slices if len(channels) else 0):
            if every is None:
                begin, until = number * end // slices, (number + 1) * end // slices
            else:
                begin, until = number * every, min((number + 1) * every, end)
            then = network.during(begin, until)
            carried = then.carried(until, apart=True) - then.carried(begin, apart=True)
            flits = carried[channels, virtual]
            yield {
                "begin": np.full(len(channels), begin),
                "end": np.full(len(channels), until),
                "channel": words,
                "x": x,
                "y": y,
                "z": z,
                "way": ways,
                "flits": flits,
                "use": flits / (until - begin),
                "virtual": virtual,
            }

    return slices, tables()


def _channels(recording: Recording) -> Columns:
    none = _without_rows("channels")
    if recording.network is None:
        return none
    _, slices = channel_slices(recording)
    parts = list(slices)
    return {name: np.concatenate([part[name] for part in parts]) for name in none} if parts else none


def _without_rows(table: str) -> Columns:
    """The columns of a table, of the kinds that they have with rows."""

    def kind(column: TableColumn) -> type:
        return float if column.name in _UNKNOWN_AT_TIMES else _KINDS.get(column.unit, float)

    return {column.name: np.empty(0, kind(column)) for column in TABLES[table].columns}


_MAKERS: Final[dict[str, Callable[[Recording], Columns]]] = {
    "jobs": _jobs,
    "boxes": _boxes,
    "events": _events,
    "failures": _failures,
    "attempts": _attempts,
    "packets": _packets,
    "channels": _channels,
    "utilisation": _utilisation,
    "queue": _queue,
    "by_size": _by_size,
}
