"""An editor that picks one of many values from a list, which may have groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QStandardItemModel

from meshgui.views.forms.editors import Editor
from meshgui.views.widgets.elided_combo import ElidedCombo

_HEADING: Final = "heading"  # what a heading's line holds in place of a value


class PickEditor(Editor):
    """Edits a choice of several values; `headings` stand above the values at their places."""

    def __init__(
        self, choices: Iterable[tuple[object, str, str]], headings: Mapping[int, str] = MappingProxyType({})
    ) -> None:
        self.combo = ElidedCombo()
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

    @property
    def whole_width(self) -> int:
        """The width for the longest choice."""
        return self.combo.whole_width

    def value(self) -> object:
        return self.combo.currentData()

    def set_value(self, value: object) -> None:
        """Show a value, even one that is not among the choices."""
        if self.combo.findData(value) < 0:
            self.combo.addItem(str(value), value)
            self._hints.append("")
        self.combo.setCurrentIndex(self.combo.findData(value))
        self._show_hint()

    def describe(self, name: str, hint: str) -> None:
        self._purpose = hint
        super().describe(name, hint)

    def allow(self, value: object, refusal: str = "") -> None:
        """Allow a value, or disable it with the reason in its tooltip."""
        index = self.combo.findData(value)
        model = self.combo.model()
        if isinstance(model, QStandardItemModel):
            model.item(index).setEnabled(not refusal)
        self.combo.setItemData(index, refusal or self._hints[index], Qt.ItemDataRole.ToolTipRole)

    def call(self, value: object, title: str, hint: str) -> None:
        """Change the title and hint of a choice, which may depend on other fields."""
        index = self.combo.findData(value)
        self._hints[index] = hint
        self.combo.setItemText(index, title)
        self.combo.setItemData(index, hint, Qt.ItemDataRole.ToolTipRole)
        self._show_hint()

    def _add_heading(self, text: str) -> None:
        """Add a line that cannot be picked."""
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
