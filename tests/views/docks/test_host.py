"""The window that panels are parts of."""

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget

from meshgui.views.docks.host import HostWindow
from tests.views.conftest import handle_events


class Text(QLabel):
    """Notes whether it was painted at the height that its words need."""

    def __init__(self):
        super().__init__("Short", wordWrap=True, alignment=Qt.AlignmentFlag.AlignTop)
        self.painted = []

    def paintEvent(self, event):  # noqa: N802 - Qt's name
        super().paintEvent(event)
        self.painted.append(self.height() == self.heightForWidth(self.width()))


def test_a_text_that_takes_more_lines_is_painted_once_and_in_its_place(qtbot):
    """However deep it is in the window."""
    text = inside = Text()
    for _ in range(8):
        outside = QWidget()
        column = QVBoxLayout(outside)
        column.addWidget(inside)
        column.addStretch(1)
        inside = outside
    window = HostWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(inside)
    window.resize(400, 600)
    with qtbot.waitExposed(window):
        window.show()
    handle_events()
    turns = list[None]()
    QTimer.singleShot(0, lambda: turns.append(None))  # it lays out once in a turn of the event loop
    qtbot.waitUntil(lambda: bool(turns))
    text.painted.clear()
    text.setText("Words that need more than one line. " * 8)
    QApplication.sendEvent(window, QEvent(QEvent.Type.UpdateRequest))
    assert text.painted == [True]
