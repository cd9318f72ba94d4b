"""A run as a piece of HTML for a notebook: its web page; its figures, and utilisation and queue over time."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Final

import numpy as np

from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.dictionary import FIGURES
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.tables import table_of
from meshgui.library.tables import html_table

_MOST_EVENTS: Final = 3500  # of a page: it is kept in the notebook
_FRAME: Final = 680  # pixels
_WIDTH: Final = 640
_HEIGHT: Final = 90
_SHOWN: Final = (
    "jobs", "turnaround", "waiting", "slowdown", "utilization", "queue_length_mean", "blocks_per_job",
    "offered_load", "latency", "blocking", "availability", "lost_time",
)  # fmt: skip


def page_of(recording: Recording) -> str:
    """The web page of a run in a frame that may do nothing but show it; of a long run nothing."""
    if len(recording) > _MOST_EVENTS:
        return ""
    from meshgui.model.export.web_page import run_page  # noqa: PLC0415 - at first use
    from meshgui.model.export.web_run import WebSpan  # noqa: PLC0415
    from meshgui.model.export.web_steps import usual_attempts  # noqa: PLC0415

    span = WebSpan.of(recording)
    attempts = usual_attempts(recording, span.first, span.last)
    page = b"".join(run_page(recording, span, attempts)).decode()
    title = recording.scenario.title or recording.mesh.describe()
    return (
        f'<iframe sandbox="allow-scripts" title="{escape(title)}" srcdoc="{escape(page)}" '
        f'style="width: 100%; height: {_FRAME}px; border: 1px solid #8884; border-radius: 8px"></iframe>'
    )


def picture_of(recording: Recording, figures: Mapping[str, float]) -> str:
    """The one place that says what a run looks like in a notebook."""
    utilisation, queue = table_of(recording, "utilisation"), table_of(recording, "queue")
    title = recording.scenario.title or recording.mesh.describe()
    rows = [_row(name, float(figures[name])) for name in _SHOWN if name in figures]
    curves = (
        _curve(FIGURES["utilization"].title, utilisation["t"], utilisation["utilization"], 1.0),
        _curve(FIGURES["queue_length_mean"].title, queue["t"], queue["queue_length"].astype(np.float64)),
    )
    table = html_table([tr("figure"), tr("value"), tr("unit")], rows)
    return f"<div><p><b>{escape(title)}</b></p>{''.join(curves)}{table}</div>"


def _row(name: str, value: float) -> list[str]:
    figure = FIGURES[name]
    return [figure.title, f"{value * (100 if figure.percent else 1):.5g}", figure.unit_words]


def _curve(title: str, times: Floats, values: Floats, most: float | None = None) -> str:
    """A step function as a small drawing, its highest value of each of its columns of points."""
    if len(times) < 2:
        return ""
    top = most or float(values.max()) or 1.0
    places = np.minimum((times / times[-1] * _WIDTH).astype(np.int64), _WIDTH - 1)
    highest = np.full(_WIDTH, np.nan)
    np.fmax.at(highest, places, values)
    known = np.flatnonzero(~np.isnan(highest))
    heights = _HEIGHT - highest[known] / top * (_HEIGHT - 4)
    path = "".join(f"H{x}V{y:.1f}" for x, y in zip(known.tolist(), heights.tolist(), strict=True))
    label = tr("{title}, up to {top:.4g}, from 0 to {end:.6g}").format(title=title, top=top, end=times[-1])
    return (
        f'<svg role="img" aria-label="{escape(label)}" width="{_WIDTH}" height="{_HEIGHT + 18}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT + 18}"><path d="M0 {_HEIGHT}{path}H{_WIDTH}" fill="none" '
        f'stroke="#5b4bc4"/><text x="0" y="{_HEIGHT + 14}" font-size="11" fill="currentColor">'
        f"{escape(label)}</text></svg><br>"
    )
