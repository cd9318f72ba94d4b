"""The timeline, driven as one does: the wheel turned, bars pointed at."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

__all__ = ["job_bars", "packet_bars", "turn_wheel", "zoom_to"]


def turn_wheel(view, x, notches, modifiers=Qt.KeyboardModifier.NoModifier):
    """Turn the wheel over a place."""
    at = QPointF(x, view.height() / 2)
    event = QWheelEvent(
        at, view.mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton, modifiers,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view, event)


def zoom_to(view, span):
    """Turn the wheel over the playhead until no more than so much time is in sight."""
    for _ in range(200):
        if view.window_of_time.span <= span * 1.0001:
            break
        turn_wheel(view, view.playhead, 1)
        view.grab()
    assert view.window_of_time.span <= span * 1.0001


def job_bars(view):
    """The jobs whose bars are in sight, each with a place on it."""
    return {job: places[0] for job, places in _bars(view.job_at, view.frame.jobs, view.width(), 2).items()}


def packet_bars(view, step=2):
    """The packets whose bars are in sight, each with the places found on it."""
    return _bars(view.packet_at, view.frame.packets, view.width(), step)


def _bars(found_at, band, width, step):
    found = {}
    for y in range(band.top, band.bottom):
        for x in range(0, width, step):
            one = found_at(QPointF(x, y))
            if one is not None:
                found.setdefault(one, []).append(QPoint(x, y))
    return found
