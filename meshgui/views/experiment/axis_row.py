"""A varied field of an experiment: the field, its values, and their error."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.experiment.fields import FieldAxis, label_of
from meshgui.model.base.list_item import ListItem
from meshgui.model.studies.axis_values import text_of
from meshgui.model.studies.experiment_draft import AxisDraft
from meshgui.model.studies.varied_fields import VariedField
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import restyle
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.list_popup import ListButton
from meshgui.views.widgets.tool_button import tool_button

_PATTERNS: Final = {
    "number": tr("1, 2, 3 or 1..5/0.5"),
    "shape": "8×8, 16×16",
    "text": "[2, 5], [5, 10]",
    "choice": "",
}


class AxisRow(QWidget):
    """A field and its values. What was typed for one field is kept while another is shown."""

    edited = Signal()
    removed = Signal()

    def __init__(self, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__()
        self._fields: dict[str, VariedField] = {}
        self._unknown = ""  # a field that the scenario now open has not
        self._typed: dict[str, str] = {}
        self._ticked: dict[str, tuple[object, ...]] = {}
        self.field = ListButton(themes, empty=tr("Choose a field"))
        self.field.setAccessibleName(tr("Field to vary"))
        self.field.edited.connect(self._field_chosen)
        self.line = QLineEdit()
        self.line.setAccessibleName(tr("Values"))
        self.line.textEdited.connect(self._line_edited)
        self.ticks = ListButton(themes, ticked=True, empty=tr("Choose values"))
        self.ticks.setAccessibleName(tr("Values"))
        self.ticks.edited.connect(self._ticks_edited)
        self.remove = tool_button(icons, "x", tr("Stop varying this field"), self.removed)
        self.error_line = ErrorLine(themes)
        sizing = Sizing(themes, self)
        top = sizing.row((self.field, 1), self.remove, spacing=4)
        # A grid would leave no space above the line.
        sizing.column(top, self.line, self.ticks, self.error_line, spacing=4, on=self)
        sizing.rule(lambda: self.line.setFont(themes.text()))
        self._show_editor()

    @property
    def key(self) -> str:
        """The key of the field; empty while none is chosen."""
        chosen = self.field.values()
        return str(chosen[0]) if chosen else self._unknown

    def row(self) -> AxisDraft:
        """The edited row."""
        found = self._fields.get(self.key)
        if found is not None and found.kind == "choice":
            return AxisDraft(self.key, "", self.ticks.values())
        return AxisDraft(self.key, self.line.text())

    def offer(self, fields: Sequence[VariedField]) -> None:
        """Offer these fields; the chosen one stays, even if it is not among them."""
        key = self.key
        self._fields = {found.key: found for found in fields}
        self._unknown = "" if key in self._fields else key
        self.field.offer(_listed(fields, self._unknown))
        if key:
            self.field.choose((key,))
            self._show_values(key)

    def choose(self, key: str) -> None:
        """Choose a field, with its present value."""
        self.field.choose((key,))
        self._show_values(key)

    def show_axis(self, axis: FieldAxis) -> None:
        """Show an axis."""
        if axis.key not in self._fields:
            self._unknown = axis.key
            self.field.offer(_listed(self._fields.values(), axis.key))
        self._typed[axis.key] = text_of(axis.values)
        self._ticked[axis.key] = axis.values
        self.choose(axis.key)

    def say(self, fault: str) -> None:
        """Show an error, or remove it."""
        self.error_line.say(fault, capital=False)
        restyle(self.line, "invalid", bool(fault))

    def _field_chosen(self) -> None:
        self._unknown = ""
        self._show_values(self.key)
        (self.ticks if self.ticks.isVisibleTo(self) else self.line).setFocus()
        self.line.selectAll()
        self.edited.emit()

    def _line_edited(self) -> None:
        self._typed[self.key] = self.line.text()
        self.edited.emit()

    def _ticks_edited(self) -> None:
        self._ticked[self.key] = self.ticks.values()
        self.edited.emit()

    def _show_values(self, key: str) -> None:
        found = self._fields.get(key)
        if found is not None and found.kind == "choice":
            ticked = self._ticked.get(key, (found.now,))
            listed = {label_of(choice.value) for choice in found.choices}
            strange = [ListItem(one, label) for one in ticked if (label := label_of(one)) not in listed]
            self.ticks.offer([*found.choices, *strange])
            self.ticks.choose(ticked)
        elif key:
            now = "" if found is None or found.now is None else text_of((_plain(found.now),))
            self.line.setText(self._typed.get(key, now))
            self.line.setPlaceholderText(_PATTERNS[found.kind] if found is not None else "")
            self.line.setToolTip(
                tr("Values separated by commas, for example {PATTERNS}").format(
                    PATTERNS=_PATTERNS[found.kind]
                )
                if found
                else ""
            )
        self._show_editor()

    def _show_editor(self) -> None:
        found = self._fields.get(self.key)
        ticks = found is not None and found.kind == "choice"
        self.ticks.setVisible(ticks)
        self.line.setVisible(not ticks)
        self.line.setEnabled(bool(self.key))


def _listed(fields: Iterable[VariedField], unknown: str = "") -> list[ListItem]:
    """List the fields, after an unknown one if there is any."""
    strange = [ListItem(unknown, unknown, tr("Not in this scenario"))] if unknown else []
    return [*strange, *(ListItem(f.key, f.label, f.group, f.hint or f.key) for f in fields)]


def _plain(value: object) -> object:
    """Drop the decimals of a whole number: 5, not 5.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
