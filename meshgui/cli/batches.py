"""Batches of one long run on the command line: how it is cut, and what comes of it."""

from __future__ import annotations

import math
from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from typing import Any

from meshgui.cli import output
from meshgui.cli.arguments import Parser, whole_number
from meshgui.cli.faults import UsageError
from meshgui.cli.figure_words import as_json, joined, right, shown, too_narrow
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.basics.words import UNKNOWN, count_of, percent
from meshgui.engine.runs.dictionary import FIGURES
from meshgui.engine.runs.figures import Figures
from meshgui.experiment.batches import BATCHED, Batches, worst_autocorrelation
from meshgui.experiment.statistics import Estimate, autocorrelation, estimate


def declare_batches(parser: Parser, does: str) -> None:
    """`--batches` and `--warm-up`."""
    parser.add_argument("--batches", metavar="N", type=_several, help=does)
    parser.add_argument(
        "--warm-up", metavar="N", type=whole_number, help=tr("jobs left out before the first batch (0)")
    )


def batches_of(options: Namespace, command: str) -> Batches | None:
    """How runs are cut, if they are."""
    if options.batches is None:
        if options.warm_up is not None:
            raise UsageError(
                tr("meshgui {command}: --warm-up: expected --batches N as well").format(command=command)
            )
        return None
    return Batches(count=options.batches, warm_up=options.warm_up or 0)


def batches_as_json(cut: Batches, samples: Sequence[Figures], confidence: float) -> dict[str, Any]:
    """The means of batches as data."""
    return {
        **cut.model_dump(mode="json"),
        "confidence": confidence,
        "figures": {
            name: as_json(found) | joined(name, samples)
            for name, found in _estimates(samples, confidence).items()
        },
    }


def batches_in_words(cut: Batches, samples: Sequence[Figures], confidence: float) -> str:
    """A row a figure: its mean with its interval, the relative error, and how batches hang together."""
    found = _estimates(samples, confidence)
    close = {name: autocorrelation([sample[name] for sample in samples]) for name in found}
    rows = [
        ("", tr("Mean"), tr("Relative error"), tr("Lag-1 autocorrelation")),
        *(
            (FIGURES[name].title, shown(name, one), _error(one), formatted(close[name], ".2f"))
            for name, one in found.items()
        ),
    ]
    columns = [[row[0] for row in rows], *(right([row[i] for row in rows]) for i in (1, 2, 3))]
    table = output.columns([tuple(row) for row in zip(*columns, strict=True)])
    after = tr(" after {jobs} of warm-up").format(jobs=count_of(cut.warm_up, "job")) if cut.warm_up else ""
    said = [
        tr("Means of {count} batches{after} with {percent} intervals.").format(
            count=cut.count, after=after, percent=percent(confidence)
        )
    ]
    worst = worst_autocorrelation(samples, ("turnaround", "utilization", "latency"))
    if worst is not None:
        warning = too_narrow(*worst)
        said.append(warning[0].upper() + warning[1:])
    return "\n".join([table, "", *said])


def _estimates(samples: Sequence[Figures], confidence: float) -> dict[str, Estimate]:
    return {
        name: estimate([sample[name] for sample in samples], confidence)
        for name in FIGURES
        if name in BATCHED and all(name in sample for sample in samples)
    }


def _error(found: Estimate) -> str:
    return percent(found.relative_error) if math.isfinite(found.relative_error) else UNKNOWN


def _several(text: str) -> int:
    if not 2 <= (number := whole_number(text)) <= 1000:
        raise ArgumentTypeError(tr("expected a whole number from 2 to 1000, got {text}").format(text=text))
    return number
