"""Frames the selected and hovered jobs and packets on the timeline, and describes packets."""

from __future__ import annotations

from math import floor

import numpy as np
from PySide6.QtCore import QMarginsF, QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from meshgui.engine.basics.translation import tr
from meshgui.engine.network.routing import describe_node
from meshgui.engine.runs.recording import NEVER, Recording
from meshgui.model.moment.narration import job_title
from meshgui.model.stepping.selection import Selection
from meshgui.model.timeline.job_lanes import JobLanes
from meshgui.views.style.theme import Dress
from meshgui.views.timeline.picture import TimelinePicture
from meshgui.views.widgets.labels import paint_job

_THIN = 7  # pixels: a frame inside so low a bar would hide it
_ROOM_INSIDE = 10  # inside a bar so high a line of the ground sets the frame off from the bar's own hue
_ROOM_FOR_WORDS = 16  # and where it has words, only from here on does the line leave them room


class Highlights:
    """Frames bars on one picture of a run."""

    def __init__(
        self,
        painter: QPainter,
        recording: Recording,
        picture: TimelinePicture,
        selection: Selection,
        themes: Dress,
    ) -> None:
        self._painter, self._recording, self._picture = painter, recording, picture
        self._selection, self._themes = selection, themes

    def paint_jobs(self, lanes: JobLanes) -> None:
        """Frame the selected and the hovered job, each with the time it waited."""
        recording, picture = self._recording, self._picture
        for job, token in ((self._selection.hovered, "text"), (self._selection.job, "accent")):
            if job is None or not 0 <= job < len(recording.jobs) or recording.stints_of(job)[0][0] == NEVER:
                continue
            since, fill = float(recording.jobs.arrival[job]), None if picture.bars is not None else job
            for begun, ended in recording.stints_of(job):
                start = float(recording.times[begun])
                finish = recording.end_time if ended == NEVER else float(recording.times[ended])
                bar = picture.bar(lanes.lane_of(job, begun), start, finish)
                self._frame(bar, since, token, fill, _ROOM_INSIDE)
                since = finish

    def paint_packets(self) -> None:
        """Frame the selected and the hovered packet, each with the time it waited for its injection."""
        picture, network = self._picture, self._recording.network
        if picture.packets is None or network is None:
            return
        for packet, token in ((self._selection.hovered_packet, "text"), (self._selection.packet, "accent")):
            if packet is None or not 0 <= packet < len(network):
                continue
            if network.injected[packet] < picture.scale.high:
                fill = None if picture.packets.bars is not None else int(network.jobs[packet])
                bar, sent = picture.packets.bar(packet), float(network.sent[packet])
                self._frame(bar, sent, token, fill, _ROOM_FOR_WORDS)

    def _frame(self, bar: QRectF, since: float, token: str, job: int | None, least: int) -> None:
        """Draw a line from where a wait began to the bar, and a frame around that, filled for a job.

        In a bar at least so high there is a line of the ground inside the frame.
        """
        painter, themes, px = self._painter, self._themes, self._themes.px
        colour = themes.theme.colour(token)
        painter.save()
        painter.setClipRect(self._picture.frame.strips)
        middle, tick = bar.center().y(), QPointF(0, px(3))
        begin = QPointF(self._picture.scale.x(since), middle)
        painter.setPen(QPen(colour, px(1.5)))
        painter.drawLine(begin, QPointF(bar.left(), middle))
        painter.drawLine(begin + tick, begin - tick)
        if job is not None:
            paint_job(painter, themes, job, bar)
        out = px(1.5) if bar.height() < px(_THIN) else 0
        painter.setPen(QPen(colour, px(2)))
        painter.drawRect(bar.marginsAdded(QMarginsF(out, out, out, out)))
        if bar.height() >= px(least):
            painter.setPen(QPen(themes.theme.colour("panel"), px(1)))
            painter.drawRect(bar.marginsRemoved(QMarginsF(px(1.5), px(1.5), px(1.5), px(1.5))))
        painter.restore()


def packet_words(recording: Recording, packet: int) -> str:
    """Describe a packet: its job, its way, and how long it was blocked."""
    network = recording.network
    if network is None:
        return ""
    source, target = (
        describe_node(network.mesh, int(nodes[packet])) for nodes in (network.sources, network.targets)
    )
    headers = network.headers(np.array([packet]))
    until = np.minimum(headers.granted, floor(recording.end_time))
    waited = int(np.maximum(until - headers.asked, 0)[network.blocks(headers.steps)].sum())
    job = job_title(recording, int(network.jobs[packet]))
    return tr("Packet {packet} of {job}, {source} to {target}, blocked for {waited} cycles").format(
        packet=packet, job=job, source=source, target=target, waited=waited
    )
