"""Closes windows without losing work: asks first, waits for what is being written, and closes then.

No event loop runs within a close event. Where there is something to ask or to wait for, the event is ignored,
and the window is closed once all is answered and written. Nothing is stopped or discarded before that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, Protocol

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QMessageBox, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.views.widgets.file_progress import FileWork
from meshgui.views.widgets.notice import Notice, Topic
from meshgui.views.widgets.question import Question
from meshgui.views.widgets.soon import soon

_LOOK: Final = 50  # milliseconds between looks at what is being written
_PATIENCE: Final = 8  # looks; what takes longer is said


class Keeper(Protocol):
    """A part of a window with work that may be lost."""

    def questions(self) -> Iterator[Question]:
        """What would be lost now, one after another."""
        ...

    def writing(self) -> str:
        """What is being written by itself, and waited for, in words; empty if nothing is."""
        ...


class Closing(QObject):
    """Acts, as a rule closes a window, once nothing would be lost but what the user agrees to lose."""

    agreed = Signal()  # nothing is left to ask; what has to be written first begins now
    ended = Signal(bool)  # whether it acted; False: the user wants to keep something

    def __init__(self, window: QWidget, keepers: Callable[[], Iterable[Keeper]], notice: Notice) -> None:
        super().__init__(window)
        self._window, self._keepers, self._notice = window, keepers, notice
        self._act: Callable[[], object] | None = None  # what is done at the end of the round in progress
        self._words = ""  # what is said while it waits
        self._accepted: list[tuple[object, ...]] = []
        self._box: QMessageBox | None = None
        self._looks = 0
        self._timer = QTimer(self, interval=_LOOK)
        self._timer.timeout.connect(self._look)
        self._closes = False  # all is agreed on

    @property
    def under_way(self) -> bool:
        """Whether it asks or waits."""
        return self._act is not None

    @property
    def is_free(self) -> bool:
        """Whether there is nothing to ask and nothing to wait for."""
        return self._act is None and self._question() is None and not self._writing()

    def allows(self, event: QCloseEvent) -> bool:
        """Whether a close event closes the window now; if not, the window closes later, or never."""
        if self._closes or self.is_free:
            return True
        event.ignore()
        words = tr("This window closes once this is done: {work}.")
        self.attempt(self.close, words, later=True)
        return False

    def attempt(self, act: Callable[[], object], words: str = "", *, later: bool = False) -> None:
        """Do something by which work may be lost, once that is agreed on; `later`: never at once."""
        if self._act is not None:
            if self._box is not None:
                self._box.raise_()
                self._box.activateWindow()
            return
        self._act, self._words, self._accepted = act, words, []
        if later:
            soon(self, self._go_on)
        else:
            self._go_on()

    def close(self) -> None:
        """Close the window without a question."""
        self._rest()
        self.agreed.emit()
        self._closes = True
        try:
            self._window.close()
        finally:
            self._closes = False

    def refuse(self) -> None:
        """End the round: everything stays as it is."""
        if self._act is None:
            return
        self._rest()
        self.ended.emit(False)

    def _go_on(self) -> None:
        if self._act is None or self._box is not None:
            return
        if (question := self._question()) is not None:
            self._ask(question)
            return
        self.agreed.emit()
        if self._act is None:  # what was to be written could not be
            return
        if self._writing():
            self._timer.start()
            return
        act = self._act
        self._rest()
        act()
        self.ended.emit(True)

    def _rest(self) -> None:
        self._act = None
        self._timer.stop()
        self._looks = 0
        self._notice.withdraw(Topic.CLOSING)
        if self._box is not None:
            box, self._box = self._box, None
            box.close()

    def _question(self) -> Question | None:
        """The next question that has not been answered."""
        found = (question for keeper in self._keepers() for question in keeper.questions())
        return next((question for question in found if question.about not in self._accepted), None)

    def _writing(self) -> str:
        found = (keeper.writing() for keeper in self._keepers())
        return next(filter(None, found), "") or FileWork.latest()

    def _ask(self, question: Question) -> None:
        question.show()
        question.over.raise_()
        box = self._box = question.box()
        box.setModal(True)  # of the whole program: nothing is edited while it asks
        box.finished.connect(lambda: self._answered(box, question))
        box.show()

    def _answered(self, box: QMessageBox, question: Question) -> None:
        box.deleteLater()
        if box is not self._box:
            return
        answer = question.answer(box)
        goes_on = answer is not None and answer.take()  # perhaps after a dialog for a file
        self._box = None
        if answer is None or not goes_on:
            question.over.activateWindow()
            self.refuse()
            return
        if answer.loses:
            self._accepted.append(question.about)
        self._go_on()

    def _look(self) -> None:
        self._looks += 1
        if not (work := self._writing()):
            self._timer.stop()
            self._go_on()
        elif self._looks == _PATIENCE and self._words:
            hint = tr("Leave the window open; the file is written all the same")
            stay = tr("Keep it open"), hint, self.refuse
            self._notice.tell(self._words.format(work=work), stay, topic=Topic.CLOSING)
