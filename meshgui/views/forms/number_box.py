"""A box for whole numbers of any size and for decimals as typed, and the texts of numbers."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent, QValidator
from PySide6.QtWidgets import QAbstractSpinBox, QSizePolicy

from meshgui.engine.basics.translation import has_decimal_comma
from meshgui.model.fields.field_schema import Limits
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import restyle
from meshgui.views.widgets.wheel import wheel_needs_focus


def number_text(value: object) -> str:
    """Write a number as it is typed in the program's language."""
    text = "" if value is None else str(value).removesuffix(".0")
    return text.replace(".", ",") if has_decimal_comma() else text


def read_number(text: str, *, whole: bool) -> object:
    """Read a number from a text; None from an empty one, and the text itself if it is no number.

    A comma is a decimal one, whatever the language; thousands are not parted here.
    """
    text = text.strip()
    if not text:
        return None
    try:
        if "_" not in text:
            return int(text) if whole else float(text.replace(",", ".", 1) if "." not in text else text)
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
        self.limits = limits
        self._themes = themes
        wheel_needs_focus(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.lineEdit().textEdited.connect(self.changed)
        Sizing(themes, self).rule(self._keep_edge)

    def text_as_number(self) -> object:
        """Return the number; None when empty, and the text when it is no number."""
        return read_number(self.text(), whole=self.limits.whole)

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Accept any text: errors are reported, not swallowed."""
        return QValidator.State.Acceptable, text, position

    def stepBy(self, steps: int) -> None:  # noqa: N802 - Qt's name
        """Step by one; for decimals by one in the second significant digit."""
        now = self.text_as_number()
        self.lineEdit().setText(self._stepped(now, steps))
        self.selectAll()
        self.changed.emit()

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:  # noqa: N802 - Qt's name
        """Allow steps within the limits."""
        now = self.text_as_number()
        enabled = QAbstractSpinBox.StepEnabledFlag
        flags = enabled.StepNone
        if self.isReadOnly() or not (now is None or isinstance(now, (int, float))):
            return flags
        for flag, steps in ((enabled.StepUpEnabled, 1), (enabled.StepDownEnabled, -1)):
            if self._stepped(now, steps) != self.text():
                flags |= flag
        return flags

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Hide the arrows where the box is narrow; the keys still step."""
        narrow = self.width() < self._themes.px(76)
        restyle(self, "narrow", narrow)  # Qt's NoButtons leaves no room for the text when styled
        self._keep_edge()
        super().resizeEvent(event)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return room for four digits without arrows."""
        return QSize(self._themes.px(44), self._themes.px(30))

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return room for a number with arrows."""
        return QSize(self._themes.px(84), self._themes.px(30))

    def _keep_edge(self) -> None:
        """Leave a space before the number, which the stylesheet's padding does not; a narrow box has none."""
        self.lineEdit().setTextMargins(0 if self.property("narrow") else self._themes.px(6), 0, 0, 0)

    def _stepped(self, now: object, steps: int) -> str:
        limits = self.limits
        if now is None:
            return number_text(limits.least if limits.least is not None else (limits.above or 0) + 1)
        if not isinstance(now, (int, float)) or not Decimal(str(now)).is_finite():
            return self.text()
        number = Decimal(str(now))
        size = Decimal(1) if limits.whole else Decimal(1).scaleb(number.adjusted() - 1 if number else -1)
        stepped = number + size * steps
        if limits.least is not None:
            stepped = max(stepped, Decimal(str(limits.least)))
        if limits.most is not None:
            stepped = min(stepped, Decimal(str(limits.most)))
        if not limits.hold(float(stepped)):
            return self.text()
        text = f"{stepped:f}"
        return number_text(text.rstrip("0").rstrip(".") if "." in text else text)
