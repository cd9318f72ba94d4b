"""`meshgui plot`: a chart of an experiment in a store, as wide as a column and in the font of a paper."""

from __future__ import annotations

import math
import re
from argparse import ArgumentTypeError, Namespace
from dataclasses import replace
from pathlib import Path
from typing import Final

from meshgui.cli import output
from meshgui.cli.arguments import Parser, one_of
from meshgui.cli.drawing import check_folder, drawing
from meshgui.cli.faults import UsageError
from meshgui.cli.workers import faults
from meshgui.engine.basics.nearest import nearest
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.dictionary import NUMBERS, no_such_figure
from meshgui.engine.scenario import ScenarioError
from meshgui.experiment.differences import baseline_from, paired_differences
from meshgui.experiment.fields import FieldError, axis_from, label_of
from meshgui.experiment.grid import Experiment, experiment_from
from meshgui.experiment.results import PointResult, results_of
from meshgui.experiment.store import ExperimentRecord, Store
from meshgui.model.base.picture_formats import picture_format
from meshgui.model.charts.charts import ChartData
from meshgui.model.charts.lettering import LEGEND_PLACES, Lettering
from meshgui.model.studies.experiment_charts import ChartChoice, Results, chart_of, usual_across, usual_held

_LENGTH: Final = re.compile(r"(\d{1,4}(?:\.\d{1,4})?)(mm|cm|in|pt)", re.ASCII)
_IN_MILLIMETRES: Final = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72}
_LEAST, _MOST = 20.0, 1000.0  # millimetres a side
_POINTS: Final = (4.0, 40.0)
_USUAL_POINTS: Final = 8.0
_WIDTH: Final = 85.0  # a column of a journal
_FLAT: Final = 0.7  # of the width is the height


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.add_argument("store", metavar="STORE", type=Path, help=tr("a store, which `sweep --store` writes"))
    parser.add_argument(
        "--x", metavar="KEY", help=tr("the field across (the load, or the first that is varied)")
    )
    parser.add_argument(
        "--y", metavar="FIGURE", default="turnaround", type=_figure,
        help=tr("the figure, or the median, p95 or max of one (turnaround)"),
    )  # fmt: skip
    parser.add_argument(
        "--out", metavar="FIG.pdf", type=Path, required=True, help=tr("the picture: .pdf, .svg or .png")
    )
    parser.add_argument(
        "--width", metavar="85mm", type=_length, default=_WIDTH, help=tr("in mm, cm, in or pt (85mm)")
    )
    parser.add_argument(
        "--height", metavar="60mm", type=_length, help=tr("the same (seven tenths of the width)")
    )
    parser.add_argument("--font", metavar="FAMILY", default="", help=tr("the font (Inter)"))
    parser.add_argument(
        "--font-size", metavar="8pt", type=_points, default=_USUAL_POINTS, help=tr("of the labels (8pt)")
    )
    parser.add_argument("--title", metavar="TEXT", default="", help=tr("above the chart (none)"))
    parser.add_argument("--x-label", metavar="TEXT", help=tr("in place of the name of the field"))
    parser.add_argument("--y-label", metavar="TEXT", help=tr("in place of the name of the figure"))
    parser.add_argument(
        "--legend", metavar="|".join(LEGEND_PLACES), type=one_of(*LEGEND_PLACES), default="auto",
        help=tr("the names of the series: beside the lines, above them, or none (beside if they fit)"),
    )  # fmt: skip
    parser.add_argument("--note", action="store_true", help=tr("say below the chart what its intervals are"))
    parser.add_argument(
        "--hold", metavar="KEY=VALUE", action="append", default=[],
        help=tr("draw the points with this value of a varied field alone; may be repeated"),
    )  # fmt: skip
    parser.add_argument("--log", metavar="x|y|xy", type=one_of("x", "y", "xy"), help=tr("logarithmic axes"))
    parser.add_argument(
        "--against", metavar="KEY=VALUE", help=tr("draw differences from the points with this value")
    )
    parser.add_argument(
        "--experiment", metavar="TITLE", help=tr("which one of the store (the last one begun)")
    )


def execute(options: Namespace) -> int:
    """Do it."""
    try:
        picture_format(options.out)
    except ValueError as error:
        raise UsageError(tr("meshgui plot: --out: {error}").format(error=error)) from None
    check_folder(options.out)
    experiment, results = _read(options)
    chart = _chart(experiment, results, options)
    lettering = Lettering(
        options.font, options.font_size, options.legend, options.title, options.x_label, options.y_label
    )
    height = options.height if options.height is not None else max(options.width * _FLAT, _LEAST)
    with drawing():
        from meshgui.views.offscreen.store_plot import write_plot  # noqa: PLC0415 - Qt, only to draw

        write_plot(chart, lettering, (options.width, height), options.out)
    output.write(tr("{out}: {figure}").format(out=options.out, figure=chart.y_label))
    return 0


def _read(options: Namespace) -> tuple[Experiment, list[PointResult]]:
    if not options.store.exists():
        raise UsageError(tr("{store}: there is no such file").format(store=options.store))
    with faults(), Store(options.store, read_only=True) as store:
        found = [r for r in store.sweeps() if options.experiment in {None, r.title, r.id}]
        if not found:
            raise UsageError(_none(options, store.sweeps()))
        try:
            experiment = experiment_from(found[0].data)
        except (FieldError, ScenarioError, KeyError, TypeError, ValueError) as error:
            said = tr("{store}: its experiment cannot be used here: {error}")
            raise UsageError(said.format(store=options.store, error=error)) from None
        results = results_of(experiment, store)
    if not any(result.runs for result in results):
        said = tr("{store}: it has no runs of this version of the model: run the sweep again")
        raise UsageError(said.format(store=options.store))
    return experiment, results


def _none(options: Namespace, there: list[ExperimentRecord]) -> str:
    if not there:
        return tr("{store}: expected a store with an experiment: it has none").format(store=options.store)
    titles = ", ".join(record.title or record.id[:12] for record in there)
    said = tr("{store}: --experiment: expected one of {titles}, got {got}")
    return said.format(store=options.store, titles=titles, got=options.experiment)


def _chart(experiment: Experiment, results: list[PointResult], options: Namespace) -> ChartData:
    keys = list(experiment.keys)
    across = options.x if options.x is not None else usual_across(experiment.axes)
    if across not in {*keys, ""}:
        known = ", ".join(keys) or tr("none")
        said = tr("{store}: --x: expected a field that is varied ({known}), got {across}{nearest}")
        near = nearest(across, keys)
        raise UsageError(said.format(store=options.store, known=known, across=across, nearest=near))
    held = usual_held(experiment.axes, across) | dict(
        _held(experiment, text, options) for text in options.hold
    )
    x_scale, y_scale = ("log" if axis in (options.log or "") else "linear" for axis in "xy")
    choice = ChartChoice(options.y, across, held, x_scale, y_scale)  # type: ignore[arg-type] # one of two words
    differences = None
    if options.against is not None:
        try:
            differences = paired_differences(experiment, results, baseline_from(experiment, options.against))
        except FieldError as error:
            said = tr("{store}: --against: {error}")
            raise UsageError(said.format(store=options.store, error=error)) from None
    chart = chart_of(Results(experiment, results), choice, {}, differences=differences)
    if chart.is_empty:
        said = tr("{store}: --y: no point has {figure}")
        raise UsageError(said.format(store=options.store, figure=options.y))
    return chart if options.note else replace(chart, note="")


def _held(experiment: Experiment, text: str, options: Namespace) -> tuple[str, int]:
    try:
        given = axis_from(text)
    except FieldError as error:
        said = tr("{store}: --hold: {error}")
        raise UsageError(said.format(store=options.store, error=error)) from None
    axis = next((axis for axis in experiment.axes if axis.key == given.key), None)
    known = [] if axis is None else list(map(label_of, axis.values))
    if len(given.values) != 1 or label_of(given.values[0]) not in known:
        said = tr("{store}: --hold: expected one of the values of a varied field, got {text}")
        raise UsageError(said.format(store=options.store, text=text))
    return given.key, known.index(label_of(given.values[0]))


# Arguments


def _figure(text: str) -> str:
    if text not in NUMBERS:
        raise ArgumentTypeError(no_such_figure(text))
    return text


def _length(text: str) -> float:
    """Millimetres."""
    found = _LENGTH.fullmatch(text)
    length = float(found[1]) * _IN_MILLIMETRES[found[2]] if found else math.nan
    if not _LEAST <= length <= _MOST:
        said = tr("expected a length from {least:g}mm to {most:g}mm, for example 85mm or 3.3in, got {text}")
        raise ArgumentTypeError(said.format(least=_LEAST, most=_MOST, text=text))
    return length


def _points(text: str) -> float:
    found = re.fullmatch(r"(\d{1,3}(?:\.\d{1,3})?)(?:pt)?", text, re.ASCII)
    points = float(found[1]) if found else math.nan
    least, most = _POINTS
    if not least <= points <= most:
        said = tr("expected a size from {least:g}pt to {most:g}pt, got {text}")
        raise ArgumentTypeError(said.format(least=least, most=most, text=text))
    return points
