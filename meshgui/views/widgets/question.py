"""Asks a question with answers in words."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

__all__ = ["ask"]


def ask(
    window: QWidget,
    title: str,
    text: str,
    more: str,
    buttons: Mapping[str, QMessageBox.ButtonRole],
    default: str,
    disabled: str = "",
) -> str:
    """Ask a question, and return the words of the button that was clicked."""
    box = QMessageBox(window)
    box.setTextFormat(Qt.TextFormat.PlainText)  # what it quotes may look like HTML
    box.setWindowTitle(title)
    box.setText(text)
    box.setInformativeText(more)
    made = {words: box.addButton(words, role) for words, role in buttons.items()}
    for words, button in made.items():
        button.setEnabled(words != disabled)
    box.setDefaultButton(made[default])
    box.exec()
    return next((words for words, button in made.items() if button is box.clickedButton()), "")
