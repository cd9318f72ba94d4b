"""A question with answers in words: what would be lost, and what can be done about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

_PLACE: Final = "answer"  # the property of a button: which answer it is


class AnswerButton(NamedTuple):
    """A button of a question."""

    button: str | QMessageBox.StandardButton
    role: QMessageBox.ButtonRole
    take: Callable[[], bool] = lambda: True  # act on it; whether to go on
    loses: bool = False  # agrees that it is lost, and need not be asked again
    enabled: bool = True


class Question(NamedTuple):
    """What would be lost, and what can be done about it."""

    about: tuple[object, ...]  # what is not asked about again in the same round, once it may be lost
    over: QWidget  # the window that shows what it is about
    title: str
    text: str
    more: str
    answers: tuple[AnswerButton, ...]
    default: int  # the answer that Enter gives
    show: Callable[[], object] = lambda: None  # bring to the front what it is about

    def ask(self) -> bool:
        """Ask now; whether to go on. Never in a close event."""
        box = self.box()
        box.exec()
        answer = self.answer(box)
        return answer is not None and answer.take()

    def box(self) -> QMessageBox:
        """The box that asks it."""
        box = QMessageBox(self.over)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle(self.title)
        box.setText(self.text)
        box.setInformativeText(self.more)
        for place, answer in enumerate(self.answers):
            if isinstance(answer.button, str):
                button = box.addButton(answer.button, answer.role)
            else:
                button = box.addButton(answer.button)
            button.setEnabled(answer.enabled)
            button.setProperty(_PLACE, place)
            if place == self.default:
                box.setDefaultButton(button)
        return box

    def answer(self, box: QMessageBox) -> AnswerButton | None:
        """The answer that a box was closed with; None if it was dismissed."""
        clicked = box.clickedButton()
        place = None if clicked is None else clicked.property(_PLACE)
        return self.answers[place] if isinstance(place, int) else None
