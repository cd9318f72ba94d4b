"""What is said about an experiment before, while and after it runs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from meshgui.engine.figures import FIGURES
from meshgui.engine.statistics import Estimate
from meshgui.experiment.forecast import Forecast
from meshgui.experiment.results import PointResult
from meshgui.experiment.sweep import SweepProgress

__all__ = [
    "counted",
    "duration",
    "end_words",
    "estimate_words",
    "forecast_words",
    "number_words",
    "progress_words",
    "relative_words",
    "state_words",
]


def duration(seconds: float) -> str:
    """A time as people say it: 40 s, 3 min, 1.5 h."""
    if seconds < 90:
        return f"{max(1, math.ceil(seconds))} s"
    if seconds < 90 * 60:
        return f"{math.ceil(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"


def counted(number: int, one: str) -> str:
    """1 run, 2 runs, 12 000 runs."""
    return f"{number:,} {one if number == 1 else one + 's'}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def forecast_words(found: Forecast, where: str) -> str:
    """How much there is to do, and how long it takes: `24 points, 120 runs at least; about 3 min on …`."""
    points = counted(found.points, "point")
    if not found.likely and found.imprecise:
        return _imprecise_words(found.imprecise, found.points, found.precision)
    if not found.likely:
        return f"{points}, all of them done: {counted(found.kept, 'run')} are kept"
    some = found.kept > found.points  # more than a trial makes
    runs = counted(found.likely, "more run" if some else "run")
    least = " at least" if found.likely <= found.least else ", going by those there are"
    time = ""
    if found.seconds is not None:
        more = " or more" if found.cut is not None else ""
        time = f"; about {duration(found.seconds)}{more} {where}"
    elif found.cut is not None:
        time = f"; no time known yet: one run takes more than {found.cut.after:.1f} s"
    return f"{points}, {runs}{least}{time}"


def end_words(points: Sequence[PointResult], precision: float) -> str:
    """How a sweep that went to its end came out."""
    failed = sum(bool(point.fault) for point in points)
    imprecise = sum(point.decided and not point.precise for point in points)
    if failed and imprecise:
        verb = "is" if imprecise == 1 else "are"
        return f"{failed} of {counted(len(points), 'point')} failed, {imprecise} {verb} not precise enough."
    if imprecise:
        return _imprecise_words(imprecise, len(points), precision)
    done = "All points are done" if not failed else f"{failed} of {counted(len(points), 'point')} failed"
    return f"{done}: {counted(sum(point.runs for point in points), 'run')}."


def _imprecise_words(imprecise: int, points: int, precision: float) -> str:
    verb = "is" if imprecise == 1 else "are"
    within = f"within {precision * 100:.4g} % after the most runs"
    return f"{imprecise} of {counted(points, 'point')} {verb} not {within}; raise the most runs to go on."


def progress_words(progress: SweepProgress) -> str:
    """How far it is: `37 of about 240 runs, 2 min left`."""
    about = "about " if progress.open_points else ""
    left = "" if progress.seconds_left is None else f", {duration(progress.seconds_left)} left"
    if not progress.open_points:
        left = ""
    return f"{progress.done} of {about}{counted(progress.needed, 'run')}{left}"


def state_words(result: PointResult, *, running: bool) -> str:
    """How a point stands."""
    if result.fault:
        return f"failed: {result.fault}"
    if result.decided:
        return "precise" if result.precise else "most runs made"
    if not result.runs:
        return "waiting" if running else "–"
    return "running" if running else "open"


def number_words(value: float, half: float = math.inf) -> str:
    """A number to one figure more than its interval bears, or to four."""
    if not math.isfinite(value):
        return "–"
    if math.isfinite(half) and half > 0 and 1e-4 <= abs(value) < 1e7:
        decimals = min(max(1 - math.floor(math.log10(half)), 0), 6)
        return f"{value:.{decimals}f}"
    return f"{value:.4g}"


def estimate_words(name: str, found: Estimate | None) -> str:
    """A mean and half the width of its interval, in percent where people read it so."""
    if found is None:
        return "–"
    scale, unit = (100.0, " %") if FIGURES[name].percent else (1.0, "")
    mean, half = found.mean * scale, found.half_width * scale
    if not math.isfinite(half):
        return f"{number_words(mean)}{unit}"
    return f"{number_words(mean, half)} ± {number_words(half, half)}{unit}"


def relative_words(found: Estimate | None) -> str:
    """The relative error."""
    if found is None or not math.isfinite(found.relative_error):
        return "–"
    return f"{found.relative_error * 100:.1f} %"
