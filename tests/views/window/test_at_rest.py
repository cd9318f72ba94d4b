"""A window that is left alone does nothing."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from tests.views.conftest import handle_events
from tests.views.window.conftest import settle


class Requests(QObject):
    """Notes which widgets ask to be laid out."""

    def __init__(self):
        super().__init__()
        self.whose = []

    def eventFilter(self, watched, event):  # noqa: N802 - Qt's name
        if isinstance(watched, QWidget) and event.type() == QEvent.Type.LayoutRequest:
            self.whose.append(type(watched).__name__)
        return False


def test_parts_that_fold_come_to_rest_at_every_width(lecture, qtbot, qapp):
    """A part counted as narrower than it is would be folded and unfolded for ever."""
    lecture.setMinimumSize(0, 0)
    for width in (500, 600, 700, 800, 960, 1280):
        lecture.resize(width, 600)
        settle(lecture, qtbot)
        requests = Requests()
        qapp.installEventFilter(requests)
        handle_events()
        qapp.removeEventFilter(requests)
        assert requests.whose == []
