"""The part of the scenario form about failures: none, a list of them, or drawn ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.fields.failure_rows import boxes_in, rows_schema
from meshgui.model.fields.field_schema import Schema
from meshgui.views.forms.editors import SegmentEditor
from meshgui.views.forms.field_rows import FieldGroup, FieldRow
from meshgui.views.forms.row_table_editor import RowTableEditor
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager

_PATH: Final = ("machine",)
_FAILURES: Final = (*_PATH, "failures")
_HINT: Final = tr("Take processors down for a time, and see what becomes of the jobs on them")
_NONE, _LISTED, _DRAWN = range(3)


class FailureSection(QWidget):
    """Edits what fails. The fields of each way are kept while another is chosen."""

    edited = Signal()

    def __init__(self, schema: Schema, themes: ThemeManager) -> None:
        super().__init__()
        parts = schema["properties"]
        listed, drawn = parts["failures"]["oneOf"]
        self._rules = FieldGroup(
            {**schema, "properties": {name: part for name, part in parts.items() if name != "failures"}},
            _PATH,
            themes,
            indented=False,
        )
        ways = [
            (_NONE, tr("None", "no failures"), tr("Every processor works all the time")),
            (_LISTED, tr("Listed"), tr("Boxes of processors, each down from one time until another")),
            (_DRAWN, tr("Drawn"), tr("Units fail and are repaired again and again, exponentially")),
        ]
        self._way = SegmentEditor(ways, themes)
        self._table = RowTableEditor(rows_schema(listed), "failures", themes)
        self._listed = FieldRow(_FAILURES, tr("Failures"), self._table, themes, _HINT)
        self._drawn = FieldGroup(drawn, _FAILURES, themes, indented=False)
        way = FieldRow((*_PATH, "way"), tr("Failures"), self._way, themes, _HINT)
        fields = (way, self._listed, self._drawn, self._rules)
        Sizing(themes, self).column(*fields, spacing=8, on=self)
        for field in fields:
            field.edited.connect(self._edited)
        self._way.set_value(_NONE)
        self._show()

    def value(self) -> dict[str, object] | None:
        """The machine as the file has it; None where nothing fails."""
        if self._way.value() == _NONE:
            return None
        drawn = self._way.value() == _DRAWN
        return {"failures": self._drawn.value() if drawn else self._table.value()} | self._rules.value()

    def set_value(self, value: Mapping[str, Any] | None) -> None:
        """Show what fails, or that nothing does; missing parts get start values."""
        given = value or {}
        failures = given.get("failures", ())
        if isinstance(failures, Mapping):
            self._way.set_value(_DRAWN)
            self._drawn.set_value(failures)
        else:
            self._way.set_value(_LISTED if failures else _NONE)
            self._table.set_value(boxes_in(failures))
        self._rules.set_value({name: part for name, part in given.items() if name != "failures"})
        self._show()

    def _edited(self) -> None:
        self._show()
        self.edited.emit()

    def _show(self) -> None:
        way = self._way.value()
        self._listed.setVisible(way == _LISTED)
        self._drawn.setVisible(way == _DRAWN)
        self._rules.setVisible(way != _NONE)
        rule = self._rules.part("on_failure")
        keeps = isinstance(rule, FieldRow) and rule.editor.value() == "checkpoint"
        self._rules.part("interval").setVisible(keeps)
