"""The results of a run as comma-separated tables: a row a finished job, a row a channel and span of time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from meshgui.cli import output
from meshgui.cli.faults import UsageError
from meshgui.engine.basics.geometry import Mesh, places
from meshgui.engine.basics.translation import ENGLISH, speaking, tr
from meshgui.engine.network.routing import WAYS, describe_channel
from meshgui.engine.runs.measures import job_figures
from meshgui.engine.runs.recording import Recording

_ROWS_AT_ONCE: Final = 1 << 14
_MOST_ROWS: Final = 10_000_000
_SLICES: Final = 20  # of the run, where their length is not given
_WAYS: Final = ("+x", "-x", "+y", "-y", "+z", "-z", "inject", "eject")  # by number
_OF_CHANNELS: Final = ("begin", "end", "channel", "x", "y", "z", "way", "flits", "use")


def job_table(recording: Recording) -> Iterator[bytes]:
    """The figures of each finished job, a heading first."""
    columns = job_columns(recording)
    yield (",".join(columns) + "\n").encode()
    count = len(columns["job"])
    with output.ProgressLine(tr("Writing"), tr("jobs")) as progress:
        for begin in range(0, count, _ROWS_AT_ONCE):
            part = [values[begin : begin + _ROWS_AT_ONCE].tolist() for values in columns.values()]
            yield "".join(",".join(map(_cell, row)) + "\n" for row in zip(*part, strict=True)).encode()
            progress.report(begin, count)


def channel_table(recording: Recording, every: int | None) -> Iterator[bytes]:
    """What each channel that carried a flit in the run carried in each slice of it, a heading first.

    A slice holds the cycles after its begin up to its end. What is too long is refused at once, before the
    first row is asked for.
    """
    network = recording.network
    if network is None:
        raise ValueError(tr("expected a recording with a network"))
    end = math.ceil(recording.end_time)
    channels = np.flatnonzero(network.carried(end))
    slices = min(_SLICES, end) if every is None else -(-end // every)
    if (rows := len(channels) * slices) > _MOST_ROWS:
        raise UsageError(
            tr(
                "meshgui run: --channels: expected at most {MOST_ROWS} rows, got {rows}: {channels} "
                "channels in {slices} slices of time; a larger --every makes fewer"
            ).format(MOST_ROWS=_MOST_ROWS, rows=rows, channels=len(channels), slices=slices)
        )

    def table() -> Iterator[bytes]:
        yield (",".join(_OF_CHANNELS) + "\n").encode()
        if not len(channels):
            return
        names = _names(recording.mesh, channels)
        with output.ProgressLine(tr("Writing"), tr("slices")) as progress:
            for number in range(slices):
                if every is None:
                    begin, until = number * end // slices, (number + 1) * end // slices
                else:
                    begin, until = number * every, min((number + 1) * every, end)
                then = network.during(begin, until)
                flits = (then.carried(until) - then.carried(begin))[channels].tolist()
                yield _slice(begin, until, names, flits)
                progress.report(number, slices)

    return table()


def job_columns(recording: Recording) -> dict[str, NDArray[Any]]:
    """The figures of each finished job, by the names of their columns."""
    of = job_figures(recording)
    sides = recording.jobs.sizes[of.job]
    numbers, stated = recording.jobs.numbers, recording.jobs.service[of.job]
    columns: dict[str, NDArray[Any]] = {
        "job": of.job,
        "width": sides[:, 0],
        "depth": sides[:, 1],
        "height": sides[:, 2],
        "arrival": of.arrival,
        "start": of.start,
        "finish": of.finish,
        "turnaround": of.turnaround,
        "waiting": of.waiting,
        "service": of.service,
        "asked": of.asked,
        "held": of.held,
        "blocks": of.blocks,
        "contiguous": of.contiguous.astype(np.int64),
        "dispersal": of.dispersal,
        "weighted_dispersal": of.weighted_dispersal,
        "pairwise_distance": of.pairwise_distance,
        "attempts": of.attempts,
        "operations": of.operations,
        "seconds": of.seconds,
    }
    if recording.jobs.run_time is not None:
        columns["requested_time"] = stated
    if numbers is not None:
        columns["number"] = numbers[of.job]
    if recording.network is not None:
        columns |= {
            "messages": of.messages,
            "latency": of.latency,
            "blocking": of.blocking,
            "message_distance": of.distance,
        }
    return columns


def _cell(value: float) -> str:
    """A number in full; nothing for one that there is not."""
    return "" if math.isnan(value) else str(value)


def _names(mesh: Mesh, channels: NDArray[np.int64]) -> list[str]:
    """What a row says of its channel, in every language alike; its commas want quotation marks."""
    nodes = places(mesh, channels // WAYS).tolist()
    with speaking(ENGLISH):
        return [
            f'"{describe_channel(mesh, channel)}",{x},{y},{z},{_WAYS[channel % WAYS]}'
            for channel, (x, y, z) in zip(channels.tolist(), nodes, strict=True)
        ]


def _slice(begin: int, end: int, names: list[str], flits: list[int]) -> bytes:
    span = end - begin
    return "".join(
        f"{begin},{end},{name},{count},{count / span}\n" for name, count in zip(names, flits, strict=True)
    ).encode()
