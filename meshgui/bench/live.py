"""How quickly curves follow a slider, where there is a screen."""

from __future__ import annotations

from collections.abc import Iterator

from meshgui.bench.measurement import Measurement, not_measured
from meshgui.views.offscreen.screen import missing_screen

__all__ = ["live"]

_BUDGET = 100.0  # milliseconds


def live() -> Iterator[Measurement]:
    """From a mouse event to the paint of the first curves, beside painting the same chart once more."""
    missing = missing_screen()
    if missing is not None:
        yield not_measured(
            "live", "curves that follow a slider", f"{missing} (try xvfb-run -a meshgui bench)"
        )
        return
    from meshgui.views.offscreen.bench_live import live_figures  # noqa: PLC0415 - Qt, only to draw

    found = live_figures()
    again = "the same chart painted once more"
    for what, taken, budget in (
        ("first curves, median", found.first, _BUDGET),
        ("first curves, 95 % under", found.late, None),
        ("precise curves", found.precise, None),
    ):
        yield Measurement(
            "live", f"{what}: {found.what}", "ms", taken, found.repaint, again, budget, of_ratio=False
        )
