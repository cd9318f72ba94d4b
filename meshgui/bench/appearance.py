"""How long the window takes to answer, to change its theme, and to enter and leave presenter mode."""

from __future__ import annotations

from collections.abc import Iterator

from meshgui.bench.measurement import Measurement, not_measured
from meshgui.engine.basics.translation import tr
from meshgui.views.offscreen.screen import missing_screen

_BUDGET = 300.0  # milliseconds
_ANSWER = 100.0


def appearance() -> Iterator[Measurement]:
    """From a command to the end of the last paint it causes, beside painting the window once more."""
    missing = missing_screen()
    if missing is not None:
        what = tr("change of theme and presenter mode")
        yield not_measured(
            "appearance", what, tr("{missing} (try xvfb-run -a meshgui bench)").format(missing=missing)
        )
        return
    from meshgui.bench.window_appearance import appearance_figures  # noqa: PLC0415 - Qt, only to draw

    found = appearance_figures()
    again = tr("the whole window repainted")
    for what, taken in found.changes:
        yield Measurement(
            "appearance",
            f"{what}, {found.window}",
            "ms",
            taken,
            found.repaint,
            again,
            _BUDGET,
            of_ratio=False,
        )


def answers() -> Iterator[Measurement]:
    """From a key or a click to the end of the last paint it causes, beside painting the window once more."""
    missing = missing_screen()
    if missing is not None:
        yield not_measured(
            "answers",
            tr("a key or click"),
            tr("{missing} (try xvfb-run -a meshgui bench)").format(missing=missing),
        )
        return
    from meshgui.bench.window_answers import (  # noqa: PLC0415 - Qt, only to draw
        answer_figures,
        first_answers,
        opening_figures,
    )

    for found in answer_figures():
        yield Measurement(
            "answers",
            tr("a key or click, 95th percentile of {answers}, {mesh}").format(
                answers=found.answers, mesh=found.mesh
            ),
            "ms",
            found.p95,
            found.repaint,
            tr("the whole window repainted; median {middle:.0f} ms, slowest: {slowest}").format(
                middle=found.middle, slowest=found.slowest
            ),
            _ANSWER,
            of_ratio=False,
        )
    for first in [*first_answers(), *opening_figures()]:
        yield Measurement(
            "answers",
            first.what,
            "ms",
            first.taken,
            first.again,
            first.beside,
            _BUDGET,
            of_ratio=False,
        )
