"""The window that panels are parts of."""

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QVBoxLayout, QWidget

from meshgui.views.docks.host import HostWindow
from tests.views.conftest import handle_events
from tests.views.showing import Heard


class Text(QLabel):
    """Notes whether it was painted at the height that its words need."""

    def __init__(self):
        super().__init__("Short", wordWrap=True, alignment=Qt.AlignmentFlag.AlignTop)
        self.painted = []

    def paintEvent(self, event):  # noqa: N802 - Qt's name
        super().paintEvent(event)
        self.painted.append(self.height() == self.heightForWidth(self.width()))


def come_to_rest(qtbot):
    """Have what lays a window out once in a turn of the event loop do so again."""
    handle_events()
    turns = list[None]()
    QTimer.singleShot(0, lambda: turns.append(None))
    qtbot.waitUntil(lambda: bool(turns))


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
    come_to_rest(qtbot)
    text.painted.clear()
    text.setText("Words that need more than one line. " * 8)
    QApplication.sendEvent(window, QEvent(QEvent.Type.UpdateRequest))
    assert text.painted == [True]


def test_a_scroll_bar_that_comes_into_sight_takes_no_paint_of_its_own(qtbot):
    """Qt asks for another paint of what is shown for the first time, also where one is about to be made."""
    text, scroll, window = QLabel("Short", wordWrap=True), QScrollArea(widgetResizable=True), HostWindow()
    scroll.setWidget(text)
    qtbot.addWidget(window)
    window.setCentralWidget(scroll)
    window.resize(400, 300)
    with qtbot.waitExposed(window):
        window.show()
    come_to_rest(qtbot)
    paints = Heard(window, QEvent.Type.UpdateRequest)
    text.setText("Words that need more than one line. " * 60)
    come_to_rest(qtbot)
    come_to_rest(qtbot)
    assert scroll.verticalScrollBar().isVisible()
    assert paints.count == 1
