"""Editors of one value each: numbers, switches, texts. They keep what is typed, right or wrong.

An editor hands out what it holds as plain data; whether that makes sense is for the scenario to say.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from math import ceil
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QMimeData, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from meshgui.engine.basics.files import InputFileError
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import Stopped
from meshgui.model.fields.field_schema import Limits
from meshgui.views.forms.number_box import NumberBox, number_text
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import label, restyle, scrolls_around, wrapping
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.file_progress import reading_progress
from meshgui.views.widgets.segmented import Segmented
from meshgui.views.widgets.soon import soon
from meshgui.views.widgets.wheel import wheel_needs_focus

_LEAST_LINES = 3  # of notes


class PlacedFault(NamedTuple):
    """What is wrong inside of a value, and where there."""

    place: Sequence[str]
    words: str


class Editor(QWidget):
    """Edits one value by one or several controls. Only the user's edits emit `edited`, not `set_value`."""

    edited = Signal()
    refused = Signal(QWidget)  # what was pasted or a file: the line that says why
    wide = False  # whether it takes the whole width, without a label
    below = False  # whether its label always stands above it

    def __init__(self, *controls: QWidget) -> None:
        super().__init__()
        self._controls = controls  # no focus proxy: Tab would stop at the editor too, wherever it lies

    @property
    def whole_width(self) -> int:
        """The width of its choices in full; 0 where there is none."""
        return 0

    def first(self) -> QWidget:
        """The control that has the keys first."""
        return self._controls[0]

    def value(self) -> object:
        """Return the value as plain data."""
        raise NotImplementedError

    def set_value(self, value: object) -> None:
        """Show another value."""
        raise NotImplementedError

    def mark_invalid(self, faults: Sequence[PlacedFault]) -> str:
        """Mark the invalid parts, or none; return where the first is if that is not plain."""
        blamed = set[int]()
        for place, _ in faults:
            part = int(place[0]) if place and place[0].isdigit() else len(self._controls)
            blamed |= {part} if part < len(self._controls) else {*range(len(self._controls))}
        for i, control in enumerate(self._controls):
            restyle(control, "invalid", i in blamed)
        return ""

    def focus_part(self, place: Sequence[str]) -> None:
        """Give the focus to the part `place` inside the value."""
        part = int(place[0]) if place and place[0].isdigit() else 0
        self._controls[part if part < len(self._controls) else 0].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def describe(self, name: str, hint: str) -> None:
        """Give the control its accessible name and its hint; several controls have names of their own."""
        self.setAccessibleName(name)
        self.setAccessibleDescription(hint)
        for control in self._controls if len(self._controls) == 1 else ():
            control.setAccessibleName(control.accessibleName() or name)
            control.setAccessibleDescription(hint)
            control.setToolTip(control.toolTip() or hint)

    def _row(self) -> QHBoxLayout:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for control in self._controls:
            row.addWidget(control)
        return row


class FileEditor(Editor):
    """Edits a value that may be taken from a file."""

    def __init__(self, themes: ThemeManager, *controls: QWidget) -> None:
        super().__init__(*controls)
        self.error_line = ErrorLine(themes)  # why the last file was refused

    def value_in(self, path: Path) -> object:
        """The value that a file has; an InputFileError where it has none."""
        raise NotImplementedError

    def take_file(self, path: Path) -> None:
        """Take the value of a file; show an error and change nothing if it is invalid."""
        try:
            with reading_progress(self.window()):
                value = self.value_in(path)
        except Stopped:
            return
        except InputFileError as error:
            self.error_line.say(tr("Nothing was changed: {fault}").format(fault=error.in_folder))
            self.refused.emit(self.error_line)
            return
        self.set_value(value)
        self.edited.emit()


class NumberEditor(Editor):
    """Edits a number, which may stay empty if `when_empty` says what then holds."""

    def __init__(self, limits: Limits, themes: ThemeManager, *, when_empty: str = "") -> None:
        self.box = NumberBox(limits, themes)
        super().__init__(self.box)
        self._optional = bool(when_empty)
        self.box.lineEdit().setPlaceholderText(when_empty)
        self.box.changed.connect(self.edited)
        self._row()

    def value(self) -> object:
        """The number, or the text as it is where it is no number: the scenario reports the error."""
        value = self.box.text_as_number()
        return "" if value is None and not self._optional else value

    def set_value(self, value: object) -> None:
        if value != self.value():
            self.box.lineEdit().setText(number_text(value))

    def number(self) -> float | None:
        """The number; None where there is none within the limits."""
        value = self.value()
        return value if isinstance(value, (int, float)) and self.box.limits.hold(value) else None

    @property
    def sound(self) -> bool:
        """Whether it holds a number within the limits, or nothing where it may stay empty."""
        return self.number() is not None or self.value() is None


def first_wrong(line: ErrorLine, asked: Iterable[tuple[NumberEditor, str]]) -> NumberEditor | None:
    """Mark the numbers that are wrong, say in the line what is expected of the first, and return that.

    A disabled one is not asked for.
    """
    wrong, words = None, ""
    for editor, expected in asked:
        sound = editor.sound or not editor.isEnabled()
        restyle(editor.box, "invalid", not sound)
        if not sound and wrong is None:
            wrong, words = editor, expected
    line.say(words)
    return wrong


class TupleEditor(Editor):
    """Edits several numbers in a row, with a sign between them; hidden ones are kept."""

    def __init__(
        self, limits: Iterable[Limits], names: Iterable[str], themes: ThemeManager, sign: str = "–"
    ) -> None:
        self.boxes = [NumberBox(limit, themes) for limit in limits]
        super().__init__(*self.boxes)
        for box, name in zip(self.boxes, names, strict=True):
            box.setAccessibleName(name)
            box.setToolTip(name)
            box.changed.connect(self.edited)
        self._shown = len(self.boxes)
        row = self._row()
        Sizing(themes, self).spacing(row, 2)
        self._signs = [label(sign, "muted") for _ in self.boxes[1:]]
        for i, between in enumerate(self._signs):
            row.insertWidget(2 * i + 1, between)

    def show_first(self, count: int) -> None:
        """Show and return only the first numbers."""
        self._shown = count
        for i, box in enumerate(self.boxes):
            box.setVisible(i < count)
        for i, between in enumerate(self._signs, 1):
            between.setVisible(i < count)

    def value(self) -> object:
        values = [box.text_as_number() for box in self.boxes[: self._shown]]
        return ["" if value is None else value for value in values]

    def set_value(self, value: object) -> None:
        """Show the given numbers; further boxes keep theirs."""
        if not isinstance(value, (list, tuple)):
            raise TypeError(f"expected numbers, got {value!r}")
        for box, number in zip(self.boxes, value, strict=False):
            box.lineEdit().setText(number_text(number))


class SegmentEditor(Editor):
    """Edits a choice of two or three values, all visible."""

    def __init__(self, choices: Sequence[tuple[object, str, str]], themes: ThemeManager) -> None:
        self._segments = Segmented([(text, hint) for _, text, hint in choices], themes)
        self._values = [value for value, _, _ in choices]
        self.buttons = {value: self._segments.button(i) for i, value in enumerate(self._values)}
        super().__init__(*self.buttons.values())
        self._segments.chosen.connect(self.edited)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._segments)
        row.addStretch(1)

    @property
    def whole_width(self) -> int:
        """The width of all choices beside each other."""
        return self._segments.sizeHint().width()

    def value(self) -> object:
        return self._values[self._segments.index]

    def set_value(self, value: object) -> None:
        self._segments.choose(self._values.index(value))


class SwitchEditor(Editor):
    """Edits a switch."""

    def __init__(self, text: str) -> None:
        self.box = QCheckBox(text)
        super().__init__(self.box)
        self.box.clicked.connect(self.edited)
        self._row()

    def value(self) -> object:
        return self.box.isChecked()

    def set_value(self, value: object) -> None:
        self.box.setChecked(bool(value))


class LineEditor(Editor):
    """Edits a line of text."""

    def __init__(self, hint: str = "") -> None:
        self.line = QLineEdit()
        super().__init__(self.line)
        self.line.setPlaceholderText(hint)
        self.line.textEdited.connect(self.edited)
        self._row()

    def value(self) -> object:
        return self.line.text()

    def set_value(self, value: object) -> None:
        self.line.setText(str(value))
        self.line.setCursorPosition(0)


class JsonEditor(LineEditor):
    """Edits any value as JSON."""

    def value(self) -> object:
        """The data, or the text when it is not JSON."""
        try:
            value: object = json.loads(self.line.text())
        except ValueError:
            return self.line.text()
        return value

    def set_value(self, value: object) -> None:
        super().set_value(json.dumps(value, ensure_ascii=False))


class _NotesText(QPlainTextEdit):
    """Breaks its lines as they need it, which of a long word is to be known before it is laid out."""

    def __init__(self) -> None:
        super().__init__()
        self.textChanged.connect(lambda: self.setWordWrapMode(wrapping(self.toPlainText())))

    def setPlainText(self, text: str, /) -> None:  # noqa: N802 - Qt's name
        """Show another text."""
        self.setWordWrapMode(wrapping(text))
        super().setPlainText(text)

    def insertFromMimeData(self, source: QMimeData, /) -> None:  # noqa: N802 - Qt's name
        """Take what is pasted or dropped."""
        self.setWordWrapMode(wrapping(self.toPlainText() + source.text()))
        super().insertFromMimeData(source)


class NotesEditor(Editor):
    """Edits a text, as high as its lines: what is around it scrolls. Tab moves to the next field."""

    below = True

    def __init__(self, themes: ThemeManager) -> None:
        self.text = _NotesText()
        super().__init__(self.text)
        self._themes = themes
        self.text.setProperty("field", True)
        self.text.setTabChangesFocus(True)
        wheel_needs_focus(self.text)
        self.text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text.textChanged.connect(self.edited)
        self.text.cursorPositionChanged.connect(lambda: soon(self, self._show_cursor))  # once it is as high
        self._row()
        self.text.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.text.verticalScrollBar().rangeChanged.connect(self._fit)  # its lines are broken once it is shown
        themes.changed.connect(self._fit)
        self._fit()

    def value(self) -> object:
        return self.text.toPlainText()

    def set_value(self, value: object) -> None:
        with QSignalBlocker(self.text):
            self.text.setPlainText(str(value))

    def _fit(self) -> None:
        first = self.text.document().firstBlock().layout()
        laid = first.lineAt(0).height() if first.lineCount() else 0.0  # Arabic lines are higher
        line = ceil(max(QFontMetricsF(self._themes.text()).lineSpacing(), laid))
        frame = round(self.text.document().documentMargin()) + ceil(3 * self._themes.scale) + 1
        laid_out = round(self.text.document().size().height())  # a plain text's is counted in lines
        self.text.setFixedHeight(line * max(laid_out, _LEAST_LINES) + 2 * frame)

    def _show_cursor(self) -> None:
        """Scroll the form to the line that is written in."""
        area = scrolls_around(self)
        content = None if area is None else area.widget()
        if area is not None and content is not None and self.text.hasFocus():
            line = self.text.cursorRect()
            at = self.text.viewport().mapTo(content, line.center())
            area.ensureVisible(at.x(), at.y(), 0, line.height())
