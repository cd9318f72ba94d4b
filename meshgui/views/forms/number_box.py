"""A box for whole numbers of any size and for decimals as they were typed, with what numbers look like."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QSizePolicy

from meshgui.views.forms.field_schema import Limits
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import restyle

__all__ = ["NumberBox", "number_text", "read_number"]


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
        margins = self.lineEdit().setTextMargins  # the stylesheet's padding spares it
        Sizing(themes, self).call(margins, 6, 0, 0, 0)

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
        restyle(self, "narrow", narrow)  # Qt's NoButtons leaves no room for the text when styled
        super().resizeEvent(event)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Wide enough for four digits without arrows."""
        return QSize(self._themes.px(44), self._themes.px(30))

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Wide enough for a number with arrows."""
        return QSize(self._themes.px(84), self._themes.px(30))

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
