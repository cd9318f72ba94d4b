"""How quickly curves follow a slider, where there is a screen."""

from __future__ import annotations

from collections.abc import Iterator

from meshgui.bench.measurement import Measurement, not_measured
from meshgui.engine.basics.translation import tr
from meshgui.views.offscreen.screen import missing_screen

_BUDGET = 100.0  # milliseconds


def live() -> Iterator[Measurement]:
    """From a mouse event to the paint of the first curves, beside painting the same chart once more."""
    missing = missing_screen()
    if missing is not None:
        yield not_measured(
            "live",
            tr("curves that follow a slider"),
            tr("{missing} (try xvfb-run -a meshgui bench)").format(missing=missing),
        )
        return
    from meshgui.bench.window_live import live_figures  # noqa: PLC0415 - Qt, only to draw

    found = live_figures()
    again = tr("the same chart repainted")
    for what, taken, budget in (
        (tr("first curves, median"), found.first, _BUDGET),
        (tr("first curves, 95th percentile"), found.late, None),
        (tr("precise curves"), found.precise, None),
    ):
        yield Measurement(
            "live", f"{what}: {found.what}", "ms", taken, found.repaint, again, budget, of_ratio=False
        )
