"""The timeline, driven as one does: the wheel turned, bars pointed at."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

__all__ = ["first_packet_bar", "job_bars", "packet_bars", "turn_wheel", "zoom_to"]


def turn_wheel(view, x, notches, modifiers=Qt.KeyboardModifier.NoModifier):
    """Turn the wheel over a place."""
    at = QPointF(x, view.height() / 2)
    event = QWheelEvent(
        at, view.mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton, modifiers,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view, event)


def zoom_to(view, span):
    """Turn the wheel over the playhead until at most this much time is in sight."""
    for _ in range(200):
        if view.window_of_time.span <= span * 1.0001:
            break
        turn_wheel(view, view.playhead, 1)
    assert view.window_of_time.span <= span * 1.0001
    view.grab()


def job_bars(view):
    """The jobs whose bars are in sight, each with a place on it."""
    found = {}
    for job, place in _places(view.job_at, view.frame.jobs, view.width(), 2):
        found.setdefault(job, place)
    return found


def packet_bars(view, step=2):
    """The packets whose bars are in sight, each with the places found on it."""
    found = {}
    for packet, place in _places(view.packet_at, view.frame.packets, view.width(), step):
        found.setdefault(packet, []).append(place)
    return found


def first_packet_bar(view):
    """The packet of the uppermost bar, and a place on it."""
    return next(_places(view.packet_at, view.frame.packets, view.width(), 2))


def _places(at, band, width, step):
    for y in range(band.top, band.bottom):
        for x in range(0, width, step):
            if (found := at(QPointF(x, y))) is not None:
                yield found, QPoint(x, y)
