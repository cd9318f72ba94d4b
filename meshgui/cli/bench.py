"""`meshgui bench`: the figures of the performance budget, each beside its baseline."""

from __future__ import annotations

import os
import platform
from argparse import Namespace
from importlib.metadata import version

from meshgui.bench.appearance import answers, appearance
from meshgui.bench.drawing import drawing
from meshgui.bench.engine import allocation, recording, run, seek
from meshgui.bench.first_fit import first_fit
from meshgui.bench.live import live
from meshgui.bench.loops import loops
from meshgui.bench.measurement import Measurement
from meshgui.bench.network import large, network
from meshgui.bench.start import start
from meshgui.bench.sweep import sweep
from meshgui.bench.web_page import web_page
from meshgui.cli import output
from meshgui.cli.arguments import Parser, one_of
from meshgui.engine.basics.translation import formatted, tr

# Windows last: they are the ones that may be missing.
GROUPS = {
    "run": run,
    "recording": recording,
    "loops": loops,
    "seek": seek,
    "allocation": allocation,
    "first-fit": first_fit,
    "network": network,
    "large": large,
    "sweep": sweep,
    "page": web_page,
    "live": live,
    "appearance": appearance,
    "answers": answers,
    "drawing": drawing,
    "start": start,
}


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.json()
    names = ", ".join(GROUPS)
    parser.add_argument(
        "--only",
        metavar="NAME",
        type=one_of(*GROUPS),
        action="append",
        help=tr("{names}; may be repeated").format(names=names),
    )


def execute(options: Namespace) -> int:
    """Do it."""
    figures: list[Measurement] = []
    chosen = options.only or list(GROUPS)
    with output.ProgressLine(tr("Measuring"), "group") as progress:
        for done, name in enumerate(chosen):
            progress.report(done, len(chosen))
            figures.extend(GROUPS[name]())
    if options.json:
        output.write_json({"machine": _machine(), "figures": [f.as_json() for f in figures]}, indent=2)
    else:
        heading = (tr("what"), tr("measured"), tr("baseline"), tr("ratio"), tr("budget"), tr("verdict"))
        output.write(output.columns([heading, *map(_row, figures)]) + "\n")
        for figure in figures:
            note = figure.note or tr("the baseline is {baseline_what}").format(
                baseline_what=figure.baseline_what
            )
            output.write(f"{figure.name}: {figure.what}: {note}")
        output.write("\n" + ", ".join(f"{name} {value}" for name, value in _machine().items()))
    return 0


def _row(figure: Measurement) -> tuple[str, ...]:
    measured = f"{formatted(figure.measured, '.4g')} {figure.unit}" if figure.measured is not None else ""
    baseline = formatted(figure.baseline, ".4g") if figure.baseline is not None else ""
    ratio = formatted(figure.ratio, ".3g") if figure.ratio is not None else ""
    budget = ""
    if figure.budget is not None:
        budget = (
            tr("ratio {budget:g}").format(budget=figure.budget)
            if figure.of_ratio
            else f"{formatted(figure.budget, 'g')} {figure.unit}"
        )
    return (f"{figure.name}: {figure.what}", measured, baseline, ratio, budget, figure.verdict)


def _machine() -> dict[str, str | int]:
    return {
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "machine": platform.machine(),
        "processors": os.cpu_count() or 1,
    }
