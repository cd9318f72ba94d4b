"""Editors of one value each: a number, a choice, a switch, a text. They keep what is typed, right or wrong.

An editor hands out what it holds as plain data; whether that makes sense is for the scenario to say.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QPaintEvent,
    QResizeEvent,
    QStandardItemModel,
    QValidator,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from meshgui.views.forms.field_schema import Limits
from meshgui.views.style.theme import ThemeManager

__all__ = [
    "Editor",
    "JsonEditor",
    "LineEditor",
    "NotesEditor",
    "NumberEditor",
    "PickEditor",
    "SegmentEditor",
    "SwitchEditor",
    "TupleEditor",
    "number_text",
    "read_number",
]

_FAST = 10  # steps of Page up and Page down
_VISIBLE = 20  # lines of a list before it scrolls
_LIST_EDGE = 32  # pixels beside the words of a list
_HEADING = "heading of a group"  # what a heading's line holds in place of a value


def number_text(value: object) -> str:
    """A number as one would type it."""
    return "" if value is None else str(value).removesuffix(".0")


def read_number(text: str, *, whole: bool) -> object:
    """The number a text stands for, None for an empty one, and the text itself when it is none."""
    text = text.strip()
    if not text:
        return None
    try:
        if "_" not in text:
            return int(text) if whole else float(text)
    except ValueError:
        pass
    return text


def _set_property(widget: QWidget, name: str, value: bool) -> None:
    """Set what the stylesheet looks at, and have it look again."""
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


class Editor(QWidget):
    """Edits one value. `edited` comes from the user's hand only, never from `set_value`."""

    edited = Signal()
    wide = False  # whether it takes the whole width, without a label
    below = False  # whether its label always stands above it

    def __init__(self, *controls: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._controls = controls
        if controls:
            self.setFocusProxy(controls[0])

    def value(self) -> object:
        """What it holds, as plain data."""
        raise NotImplementedError

    def set_value(self, value: object) -> None:
        """Hold something else."""
        raise NotImplementedError

    def mark_invalid(self, place: Sequence[str] | None) -> str:
        """Mark what is wrong, `place` further inside, or nothing; say where it is if that is not plain."""
        blamed = range(len(self._controls))
        if place and place[0].isdigit() and int(place[0]) in blamed:
            blamed = range(int(place[0]), int(place[0]) + 1)
        for i, control in enumerate(self._controls):
            invalid = place is not None and i in blamed
            if bool(control.property("invalid")) != invalid:
                _set_property(control, "invalid", invalid)
        return ""

    def describe(self, name: str, hint: str) -> None:
        """Call the control by its label, and have it say what it is for; several have names of their own."""
        self.setAccessibleName(name)
        self.setAccessibleDescription(hint)
        for control in self._controls if len(self._controls) == 1 else ():
            control.setAccessibleName(control.accessibleName() or name)
            control.setAccessibleDescription(hint)
            control.setToolTip(control.toolTip() or hint)

    def _row(self, spacing: int = 0) -> QHBoxLayout:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(spacing)
        for control in self._controls:
            row.addWidget(control)
        return row


class NumberBox(QAbstractSpinBox):
    """A spin box for whole numbers of any size and for decimals as they were typed.

    Qt's own ends at 2³¹ and rounds to a fixed number of places.
    """

    changed = Signal()

    def __init__(self, limits: Limits, themes: ThemeManager) -> None:
        super().__init__()
        self._limits = limits
        self._themes = themes
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.lineEdit().textEdited.connect(self.changed)
        themes.changed.connect(self._fit)
        self._fit()

    def text_as_number(self) -> object:
        """The number, None when empty, the text when it is no number."""
        return read_number(self.text(), whole=self._limits.whole)

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Anything may be typed: what is wrong is said, not swallowed."""
        return QValidator.State.Acceptable, text, position

    def stepBy(self, steps: int) -> None:  # noqa: N802 - Qt's name
        """Up or down by one; for decimals by one in the second place that counts."""
        now = self.text_as_number()
        self.lineEdit().setText(self._stepped(now, steps))
        self.selectAll()
        self.changed.emit()

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:  # noqa: N802 - Qt's name
        """Up and down as far as the limits go."""
        now = self.text_as_number()
        enabled = QAbstractSpinBox.StepEnabledFlag
        flags = enabled.StepNone
        if self.isReadOnly() or not (now is None or isinstance(now, (int, float))):
            return flags
        for flag, steps in ((enabled.StepUpEnabled, 1), (enabled.StepDownEnabled, -1)):
            if self._stepped(now, steps) != self.text():
                flags |= flag
        return flags

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        """Turn the wheel over a number only when it has the focus: else the form scrolls."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Where it is narrow, the arrows make room for the number; the keys still step."""
        narrow = self.width() < self._themes.px(76)
        if bool(self.property("narrow")) != narrow:  # Qt's NoButtons leaves no room for the text when styled
            _set_property(self, "narrow", narrow)
        super().resizeEvent(event)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Wide enough for four digits without arrows."""
        return QSize(self._themes.px(44), self._themes.px(30))

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Wide enough for a number with arrows."""
        return QSize(self._themes.px(84), self._themes.px(30))

    def _fit(self) -> None:
        self.lineEdit().setTextMargins(self._themes.px(6), 0, 0, 0)  # the stylesheet's padding spares it

    def _stepped(self, now: object, steps: int) -> str:
        limits = self._limits
        if now is None:
            return number_text(limits.least if limits.least is not None else (limits.above or 0) + 1)
        if not isinstance(now, (int, float)) or not Decimal(number_text(now)).is_finite():
            return self.text()
        number = Decimal(number_text(now))
        size = Decimal(1) if limits.whole else Decimal(1).scaleb(number.adjusted() - 1 if number else -1)
        stepped = number + size * steps
        if limits.least is not None:
            stepped = max(stepped, Decimal(number_text(limits.least)))
        if limits.most is not None:
            stepped = min(stepped, Decimal(number_text(limits.most)))
        if not limits.hold(float(stepped)):
            return self.text()
        return f"{stepped:f}".rstrip("0").rstrip(".") if "." in f"{stepped:f}" else f"{stepped:f}"


class NumberEditor(Editor):
    """A number; may be left empty where there is a rule for what then holds."""

    def __init__(self, limits: Limits, themes: ThemeManager, *, when_empty: str = "") -> None:
        self.box = NumberBox(limits, themes)
        super().__init__(self.box)
        self._optional = bool(when_empty)
        self.box.lineEdit().setPlaceholderText(when_empty)
        self.box.changed.connect(self.edited)
        self._row()

    def value(self) -> object:
        """The number; a text that is none is handed on, to be complained about."""
        value = self.box.text_as_number()
        return "" if value is None and not self._optional else value

    def set_value(self, value: object) -> None:
        """See Editor."""
        if value != self.value():
            self.box.lineEdit().setText(number_text(value))


class TupleEditor(Editor):
    """Several numbers in a row, with a sign between them; those not shown are kept for later."""

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
        self._themes = themes
        self._line = row = self._row(themes.px(4))
        themes.changed.connect(self._fit)
        self._signs = [QLabel(sign) for _ in self.boxes[1:]]
        for i, label in enumerate(self._signs):
            label.setProperty("type", "muted")
            row.insertWidget(2 * i + 1, label)

    def show_first(self, count: int) -> None:
        """Show and hand out only so many."""
        self._shown = count
        for i, box in enumerate(self.boxes):
            box.setVisible(i < count)
        for i, label in enumerate(self._signs, 1):
            label.setVisible(i < count)

    def value(self) -> object:
        """See Editor."""
        values = [box.text_as_number() for box in self.boxes[: self._shown]]
        return ["" if value is None else value for value in values]

    def set_value(self, value: object) -> None:
        """Fill as many as are given; the others keep what they hold."""
        if not isinstance(value, (list, tuple)):
            raise TypeError(f"expected numbers, got {value!r}")
        for box, number in zip(self.boxes, value, strict=False):
            box.lineEdit().setText(number_text(number))

    def _fit(self) -> None:
        self._line.setSpacing(self._themes.px(4))


class _Combo(QComboBox):
    """A combo box that shrinks with its row and leaves the wheel to the form unless it has the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        """See the class."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def showPopup(self) -> None:  # noqa: N802 - Qt's name
        """Let the list be as wide as its longest text, however narrow the form is."""
        view = self.view()
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        width = QFontMetrics(view.font()).horizontalAdvance
        wanted = max((width(self.itemText(row)) for row in range(self.count())), default=0) + bar + _LIST_EDGE
        view.setMinimumWidth(min(max(wanted, self.width()), self.screen().availableGeometry().width()))
        super().showPopup()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Room for a few letters and the arrow."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), 3 * hint.height()), hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Qt cuts a long text off; here it ends in an ellipsis."""
        del event
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self).width()
        option.currentText = self.fontMetrics().elidedText(
            self.currentText(), Qt.TextElideMode.ElideRight, room - 4
        )
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


class PickEditor(Editor):
    """One of several values; `headings` stand over those that begin a group, by their place."""

    def __init__(
        self, choices: Iterable[tuple[object, str, str]], headings: Mapping[int, str] = MappingProxyType({})
    ) -> None:
        self.combo = _Combo()
        self.combo.setMaxVisibleItems(_VISIBLE)
        super().__init__(self.combo)
        self._hints: list[str] = []
        self._purpose = ""  # said where the choice has no hint of its own
        for place, (value, text, hint) in enumerate(choices):
            if place in headings:
                self._add_heading(headings[place])
            self.combo.addItem(text, value)
            self.combo.setItemData(self.combo.count() - 1, hint, Qt.ItemDataRole.ToolTipRole)
            self._hints.append(hint)
        self.combo.activated.connect(self._activated)
        self._row()

    def value(self) -> object:
        """See Editor."""
        return self.combo.currentData()

    def set_value(self, value: object) -> None:
        """Show a value, even one that is not among the choices."""
        if self.combo.findData(value) < 0:
            self.combo.addItem(str(value), value)
            self._hints.append("")
        self.combo.setCurrentIndex(self.combo.findData(value))
        self._show_hint()

    def describe(self, name: str, hint: str) -> None:
        """See Editor."""
        self._purpose = hint
        super().describe(name, hint)

    def allow(self, value: object, refusal: str = "") -> None:
        """Let a value be picked, or give the reason why it cannot be."""
        index = self.combo.findData(value)
        model = self.combo.model()
        if isinstance(model, QStandardItemModel):
            model.item(index).setEnabled(not refusal)
        self.combo.setItemData(index, refusal or self._hints[index], Qt.ItemDataRole.ToolTipRole)

    def call(self, value: object, title: str, hint: str) -> None:
        """Give a choice another title: what it stands for may depend on other fields."""
        index = self.combo.findData(value)
        self._hints[index] = hint
        self.combo.setItemText(index, title)
        self.combo.setItemData(index, hint, Qt.ItemDataRole.ToolTipRole)
        self._show_hint()

    def _add_heading(self, text: str) -> None:
        """A line that cannot be picked."""
        self.combo.addItem(text, _HEADING)
        self._hints.append("")
        model = self.combo.model()
        if isinstance(model, QStandardItemModel):
            item = model.item(self.combo.count() - 1)
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            font = item.font()
            font.setWeight(QFont.Weight.DemiBold)
            item.setFont(font)

    def _activated(self) -> None:
        self._show_hint()
        self.edited.emit()

    def _show_hint(self) -> None:
        index = self.combo.currentIndex()
        self.combo.setToolTip((self._hints[index] if index >= 0 else "") or self._purpose)


class SegmentEditor(Editor):
    """One of two or three values, all in sight."""

    def __init__(self, choices: Sequence[tuple[object, str, str]]) -> None:
        self.buttons = {value: QPushButton(text) for value, text, _ in choices}
        super().__init__(*self.buttons.values())
        group = QButtonGroup(self)  # arrow keys go from one to the next
        for i, (button, choice) in enumerate(zip(self.buttons.values(), choices, strict=True)):
            button.setCheckable(True)
            button.setToolTip(choice[2])
            button.setProperty(
                "segment", "first" if i == 0 else "last" if i == len(choices) - 1 else "middle"
            )
            button.clicked.connect(self.edited)
            group.addButton(button)
        self._row()

    def value(self) -> object:
        """See Editor."""
        return next((value for value, button in self.buttons.items() if button.isChecked()), None)

    def set_value(self, value: object) -> None:
        """See Editor."""
        self.buttons[value].setChecked(True)


class SwitchEditor(Editor):
    """Yes or no."""

    def __init__(self, text: str) -> None:
        self.box = QCheckBox(text)
        super().__init__(self.box)
        self.box.clicked.connect(self.edited)
        self._row()

    def value(self) -> object:
        """See Editor."""
        return self.box.isChecked()

    def set_value(self, value: object) -> None:
        """See Editor."""
        self.box.setChecked(bool(value))


class LineEditor(Editor):
    """A line of text."""

    def __init__(self, hint: str = "") -> None:
        self.line = QLineEdit()
        super().__init__(self.line)
        self.line.setPlaceholderText(hint)
        self.line.textEdited.connect(self.edited)
        self._row()

    def value(self) -> object:
        """See Editor."""
        return self.line.text()

    def set_value(self, value: object) -> None:
        """See Editor."""
        self.line.setText(str(value))
        self.line.setCursorPosition(0)


class JsonEditor(LineEditor):
    """Whatever has no editor of its own, as the file would say it."""

    def value(self) -> object:
        """The data, or the text when it is not JSON."""
        try:
            value: object = json.loads(self.line.text())
        except ValueError:
            return self.line.text()
        return value

    def set_value(self, value: object) -> None:
        """See Editor."""
        super().set_value(json.dumps(value, ensure_ascii=False))


class NotesEditor(Editor):
    """As many lines of text as there are, within limits. Tab goes on to the next field."""

    below = True

    def __init__(self, themes: ThemeManager, least: int = 3, most: int = 14) -> None:
        self.text = QPlainTextEdit()
        super().__init__(self.text)
        self._themes = themes
        self._least, self._most = least, most
        self.text.setProperty("field", True)
        self.text.setTabChangesFocus(True)
        self.text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text.textChanged.connect(self.edited)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.text)
        self.text.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.text.verticalScrollBar().rangeChanged.connect(self._fit)  # its lines are broken once it is shown
        themes.changed.connect(self._fit)
        self._fit()

    def value(self) -> object:
        """See Editor."""
        return self.text.toPlainText()

    def set_value(self, value: object) -> None:
        """See Editor."""
        with QSignalBlocker(self.text):
            self.text.setPlainText(str(value))

    def _fit(self) -> None:
        line = QFontMetrics(self._themes.text()).lineSpacing()
        frame = round(self.text.document().documentMargin()) + self._themes.px(3) + 1
        laid_out = round(self.text.document().size().height())  # a plain text's is counted in lines
        self.text.setFixedHeight(line * min(max(laid_out, self._least), self._most) + 2 * frame)
