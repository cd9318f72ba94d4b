"""Windows close without losing work: questions first, then what is being written, then the windows."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QMessageBox, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.closing import Closing
from meshgui.views.widgets.file_progress import FileWork
from meshgui.views.widgets.notice import Notice
from meshgui.views.widgets.question import AnswerButton, Question
from tests.views.conftest import Answers, handle_events

ROLE = QMessageBox.ButtonRole


class Room(QWidget):
    """A window with work in memory, which a file can take."""

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self.notice = Notice(themes, IconShelf(themes))
        QVBoxLayout(self).addWidget(self.notice)
        self.closing = Closing(self, lambda: (self,), self.notice)
        self.work: list[str] = []
        self.copied = ""
        self.keep: Callable[[], bool] = lambda: True

    def questions(self) -> Iterator[Question]:
        """One for each piece of work that is not on its way to a file."""
        for name in self.work:
            answers = (
                AnswerButton("Keep", ROLE.AcceptRole, self.keep),
                AnswerButton("Lose", ROLE.DestructiveRole, loses=True),
                AnswerButton("Cancel", ROLE.RejectRole, lambda: False),
            )
            yield Question((name,), self, "Close?", f"{name} is in memory.", "It is lost.", answers, 0)

    def writing(self) -> str:
        """What is on its way to a file."""
        return self.copied

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """As every window does."""
        self.closing.allows(event)


@pytest.fixture
def room(qtbot: QtBot, themes: ThemeManager) -> Iterator[Room]:
    """A window that is open."""
    made = Room(themes)
    made.resize(500, 300)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    made.closing.close()


def settled(room: Room, qtbot: QtBot) -> None:
    """Wait until the window is closed or stays."""
    qtbot.waitUntil(lambda: not room.closing.under_way)


def test_a_window_with_nothing_to_lose_closes_at_once(room: Room):
    """Within the close event."""
    assert room.close()
    assert not room.isVisible()


def test_what_may_be_lost_is_asked_about_once_and_closed_then(room: Room, qtbot: QtBot, answers: Answers):
    """All is asked before the window closes; the close event itself does not wait."""
    room.work += ["one", "other"]
    assert not room.close()
    assert answers.asked == []
    answers += ["Lose", "Lose"]
    settled(room, qtbot)
    assert not room.isVisible()
    assert answers.asked == ["one is in memory.", "other is in memory."]


def test_one_refusal_keeps_everything(room: Room, qtbot: QtBot, answers: Answers):
    """What was agreed on before it is asked again the next time."""
    room.work += ["one", "other"]
    for _ in range(2):
        answers += ["Lose", "Cancel"]
        assert not room.close()
        settled(room, qtbot)
        assert room.isVisible()
    assert answers.asked == ["one is in memory.", "other is in memory."] * 2


def test_what_is_being_written_is_waited_for_unless_the_window_is_kept_open(room: Room, qtbot: QtBot):
    """By the button of what the window says after a moment."""
    room.copied = "copying the runs to a.mgstore"
    assert not room.close()
    qtbot.waitUntil(lambda: room.notice.asks)
    (stay,) = (b for b in room.notice.findChildren(QPushButton) if b.text() == "Keep it open")
    stay.click()
    assert not room.closing.under_way
    room.copied = ""
    assert not room.closing.findChild(QTimer).isActive()
    handle_events()
    assert room.isVisible()
    # Else it closes once it is written
    room.copied = "copying the runs to a.mgstore"
    assert not room.close()
    qtbot.waitUntil(lambda: "once this is done: copying the runs to a.mgstore" in room.notice.text)
    assert room.isVisible()
    room.copied = ""
    settled(room, qtbot)
    assert not room.isVisible()


def test_what_could_not_be_kept_is_asked_about_again(room: Room, qtbot: QtBot, answers: Answers):
    """It was to be kept in a file, which failed: nothing is lost by that."""
    room.work += ["one"]

    def keep() -> bool:
        room.copied = room.work.pop()
        return True

    room.keep = keep
    answers += ["Keep"]
    assert not room.close()
    qtbot.waitUntil(lambda: room.copied == "one")
    room.copied, room.work = "", ["one"]  # the file could not take it
    answers += ["Cancel"]
    settled(room, qtbot)
    assert room.isVisible()
    assert answers.asked == ["one is in memory."] * 2


def test_a_file_that_the_window_writes_is_waited_for(room: Room, qtbot: QtBot):
    """Between its pieces the window answers, and may be closed; it is gone when the file is whole."""
    with FileWork("Writing {path}", room, name="a.svg"):
        assert not room.close()
        qtbot.waitUntil(lambda: "Writing a.svg" in room.notice.text)
        assert room.isVisible()
    settled(room, qtbot)
    assert not room.isVisible()


def test_a_window_that_asks_is_not_asked_twice(room: Room, qtbot: QtBot, answers: Answers):
    """To close it again brings its question to the front."""
    room.work += ["one"]
    assert not room.close()
    assert not room.close()
    answers += ["Lose"]
    settled(room, qtbot)
    assert answers.asked == ["one is in memory."]
