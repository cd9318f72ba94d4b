"""Sentences about an experiment before, during and after its run."""

from __future__ import annotations

import math
from collections.abc import Sequence

from meshgui.engine.basics.translation import formatted, tr, tr_n
from meshgui.engine.basics.words import PERCENT, UNKNOWN, count_of, duration, grouped, percent, within
from meshgui.engine.runs.dictionary import NUMBERS
from meshgui.experiment.forecast import Forecast
from meshgui.experiment.grid import Target
from meshgui.experiment.results import Imprecision, PointResult
from meshgui.experiment.statistics import Estimate
from meshgui.experiment.sweep import SweepProgress


def forecast_words(found: Forecast, where: str) -> str:
    """Points, runs, and the time that they take: `24 points, 120 runs at least; about 3 min on …`."""
    points = count_of(found.points, "point", apart=True)
    if not found.likely and found.imprecise:
        return _imprecise_words(found.imprecise, found.points)
    if not found.likely:
        return tr_n(
            "Nothing is left to run: {number} run of {points} is kept and shown",
            "Nothing is left to run: {number} runs of {points} are kept and shown",
            found.kept,
            number=grouped(found.kept),
            points=points,
        )
    runs = count_of(found.likely, "more run" if found.kept else "run", apart=True)
    words = (
        tr("{points}, {runs} at least")
        if found.likely <= found.least
        else tr("{points}, {runs}, estimated from the runs so far")
    ).format(points=points, runs=runs)
    if found.seconds is not None:
        together = (
            tr("{runs}; about {duration} or more {where}")
            if found.cut is not None
            else tr("{runs}; about {duration} {where}")
        )
        return together.format(runs=words, duration=duration(found.seconds), where=where)
    if found.cut is not None:
        return tr("{runs}; no time known yet: one run takes more than {seconds:.1f} s").format(
            runs=words, seconds=found.cut.after
        )
    return words


def end_words(points: Sequence[PointResult], target: Target) -> str:
    """The outcome of a finished sweep."""
    failed = sum(bool(point.fault) for point in points)
    imprecise = Imprecision.of((point for point in points if point.decided), target)
    count = count_of(len(points), "point", apart=True)
    if failed and imprecise:
        return tr_n(
            "{failed} of {points} failed, {number} is not precise enough: {figure}.",
            "{failed} of {points} failed, {number} are not precise enough: {figure}.",
            imprecise.points,
            failed=failed,
            points=count,
            figure=error_words(imprecise),
        )
    if imprecise:
        return _imprecise_words(imprecise, len(points))
    runs = count_of(sum(point.runs for point in points), "run", apart=True)
    done = tr("{failed} of {points} failed: {runs}.") if failed else tr("All points are done: {runs}.")
    return done.format(failed=failed, points=count, runs=runs)


def _imprecise_words(imprecise: Imprecision, points: int) -> str:
    return tr_n(
        "{number} of {points} is not within {precision} after the maximum number of runs: {figure}. Raise "
        "the maximum to continue.",
        "{number} of {points} are not within {precision} after the maximum number of runs: {figure}. Raise "
        "the maximum to continue.",
        imprecise.points,
        points=count_of(points, "point", apart=True),
        precision=percent(imprecise.wanted, ".4g"),
        figure=error_words(imprecise),
    )


def error_words(imprecise: Imprecision) -> str:
    """How well the worst figure is known: `turnaround only within 12.3 %`."""
    figure = within(NUMBERS[imprecise.figure].title)
    if not math.isfinite(imprecise.error):
        return tr("{figure} with unknown precision").format(figure=figure)
    return tr("{figure} only within {error}").format(figure=figure, error=percent(imprecise.error))


def progress_words(progress: SweepProgress) -> str:
    """The progress: `37 of about 240 runs, 2 min left`, or what it waits for."""
    runs = count_of(progress.needed, "run", apart=True)
    if not progress.open_points:
        return tr("{done} of {runs}").format(done=grouped(progress.done), runs=runs)
    if progress.note:
        return tr("{done} of about {runs}, {note}").format(
            done=grouped(progress.done), runs=runs, note=progress.note
        )
    if progress.seconds_left is None:
        return tr("{done} of about {runs}").format(done=grouped(progress.done), runs=runs)
    left = duration(progress.seconds_left)
    return tr("{done} of about {runs}, {duration} left").format(
        done=grouped(progress.done), runs=runs, duration=left
    )


def state_words(result: PointResult, *, running: bool) -> str:
    """The state of a point."""
    if result.fault:
        return tr("failed: {fault}").format(fault=result.fault)
    if result.decided:
        return tr("precise") if result.precise else tr("maximum reached")
    if not result.runs:
        return tr("waiting", "a run") if running else UNKNOWN
    return tr("running") if running else tr("open")


def number_words(value: float, half: float = math.inf) -> str:
    """A number with one digit more than its interval warrants, or with four."""
    if not math.isfinite(value):
        return UNKNOWN
    if math.isfinite(half) and half > 0 and 1e-4 <= abs(value) < 1e7:
        decimals = min(max(1 - math.floor(math.log10(half)), 0), 6)
        return formatted(value, f".{decimals}f")
    return formatted(value, ".4g")


def estimate_words(name: str, found: Estimate | None, of_shares: str = PERCENT) -> str:
    """A mean and its interval's half width, if it has one; shares in percent, with that unit or another."""
    if found is None:
        return UNKNOWN
    scale, unit = (100.0, of_shares) if NUMBERS[name].percent else (1.0, "")
    mean, half = found.mean * scale, found.half_width * scale
    if not math.isfinite(half) or half == 0:
        return f"{number_words(mean)}{unit}"
    return f"{number_words(mean, half)} ± {number_words(half, half)}{unit}"


def relative_words(found: Estimate | None) -> str:
    """The relative error."""
    if found is None or not math.isfinite(found.relative_error):
        return UNKNOWN
    return percent(found.relative_error, ".1f")
