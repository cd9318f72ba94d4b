"""Frames the selected and hovered jobs and packets on the timeline, and describes packets."""

from __future__ import annotations

from math import floor

import numpy as np
from PySide6.QtCore import QMarginsF, QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from meshgui.engine.network.routing import describe_node
from meshgui.engine.recording import NEVER, Recording
from meshgui.model.job_lanes import JobLanes
from meshgui.model.narration import job_title
from meshgui.model.selection import Selection
from meshgui.views.style.colours import job_colour
from meshgui.views.style.theme import Dress
from meshgui.views.timeline.picture import TimelinePicture

__all__ = ["packet_words", "paint_jobs", "paint_packets"]

_THIN = 7  # pixels: a frame inside so low a bar would hide it
_ROOM_INSIDE = 10  # in a bar so high of its own hue the frame would drown without a line of the ground
_ROOM_FOR_WORDS = 16  # and where words stand in it, only from here on does the line leave them room


def paint_jobs(
    painter: QPainter,
    recording: Recording,
    picture: TimelinePicture,
    lanes: JobLanes,
    selection: Selection,
    themes: Dress,
) -> None:
    """The selected job and the one pointed at, with the time each of them waited."""
    theme = themes.theme
    painter.save()
    painter.setClipRect(picture.frame.strips)
    chosen = (selection.hovered, theme.colour("text")), (selection.job, theme.colour("accent"))
    for job, colour in chosen:
        if job is None or not 0 <= job < len(recording.jobs) or recording.started[job] == NEVER:
            continue
        start = float(recording.times[recording.started[job]])
        ended = recording.ended[job]
        finish = recording.end_time if ended == NEVER else float(recording.times[ended])
        bar = picture.bar(int(lanes.lane[job]), start, finish)
        _paint_wait(painter, picture.x(float(recording.jobs.arrival[job])), bar, colour, themes)
        if not picture.shows_bars:
            painter.fillRect(bar, QColor.fromRgbF(*job_colour(job, theme.name)))
        _frame(painter, bar, colour, themes, _ROOM_INSIDE)
    painter.restore()


def paint_packets(
    painter: QPainter,
    recording: Recording,
    picture: TimelinePicture,
    selection: Selection,
    themes: Dress,
) -> None:
    """The selected packet and the one pointed at, with the time each of them waited to set out."""
    strip, network, theme = picture.packets, recording.network, themes.theme
    if strip is None or network is None:
        return
    painter.save()
    painter.setClipRect(picture.frame.strips)
    chosen = (selection.hovered_packet, theme.colour("text")), (selection.packet, theme.colour("accent"))
    for packet, colour in chosen:
        if packet is None or not 0 <= packet < len(network) or network.injected[packet] >= picture.end:
            continue
        bar = strip.bar(packet)
        _paint_wait(painter, picture.x(float(network.sent[packet])), bar, colour, themes)
        if not strip.shows_bars:
            painter.fillRect(bar, QColor.fromRgbF(*job_colour(int(network.jobs[packet]), theme.name)))
        _frame(painter, bar, colour, themes, _ROOM_FOR_WORDS)
    painter.restore()


def packet_words(recording: Recording, packet: int) -> str:
    """A packet, its way, and how long it was blocked."""
    network = recording.network
    if network is None:
        return ""
    source, target = (
        describe_node(network.mesh, int(nodes[packet])) for nodes in (network.sources, network.targets)
    )
    headers = network.headers(np.array([packet]))
    until = np.minimum(headers.granted, floor(recording.end_time))
    waited = int(np.maximum(until - headers.asked, 0)[headers.steps > 0].sum())
    job = job_title(recording, int(network.jobs[packet]))
    return f"Packet {packet} of {job}, {source} to {target}, blocked for {waited} cycles"


def _paint_wait(painter: QPainter, since: float, bar: QRectF, colour: QColor, themes: Dress) -> None:
    """A line from where the wait began to the bar."""
    middle, tick = bar.center().y(), QPointF(0, themes.px(3))
    begin = QPointF(since, middle)
    painter.setPen(QPen(colour, themes.px(1.5)))
    painter.drawLine(begin, QPointF(bar.left(), middle))
    painter.drawLine(begin + tick, begin - tick)


def _frame(painter: QPainter, bar: QRectF, colour: QColor, themes: Dress, least: int) -> None:
    """A frame around a bar; in one at least so high, a line of the ground inside it."""
    px = themes.px
    out = px(1.5) if bar.height() < px(_THIN) else 0
    painter.setPen(QPen(colour, px(2)))
    painter.drawRect(bar.marginsAdded(QMarginsF(out, out, out, out)))
    if bar.height() >= px(least):
        painter.setPen(QPen(themes.theme.colour("panel"), px(1)))
        painter.drawRect(bar.marginsRemoved(QMarginsF(px(1.5), px(1.5), px(1.5), px(1.5))))
