"""The rows of a form from a JSON Schema: label, editor, and error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QIcon, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QToolButton, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import harmless
from meshgui.model.fields.field_schema import (
    Limits,
    Schema,
    choice_words,
    entries,
    in_words,
    start_value,
    without_null,
)
from meshgui.views.forms.editors import (
    Editor,
    JsonEditor,
    LineEditor,
    NumberEditor,
    PlacedFault,
    SwitchEditor,
    TupleEditor,
)
from meshgui.views.forms.pick_editor import PickEditor
from meshgui.views.forms.row_table_editor import RowTableEditor
from meshgui.views.style.direction import is_rtl
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.style.tinting import tinted
from meshgui.views.widgets.building import label, text_button
from meshgui.views.widgets.error_line import ErrorLine

_LABEL: Final = 84  # pixels of the column of labels
_GAP: Final = 8  # between label and editor
_BUTTON: Final = 20  # the side of the button that varies a field
_ANY_WIDTH: Final = 16_777_215  # Qt: no limit

FieldPath = tuple[str, ...]


class FieldRow(QWidget):
    """One row: a label, its editor, and the error of its value."""

    edited = Signal()
    vary_asked = Signal()  # it is to be varied in an experiment

    def __init__(
        self,
        path: FieldPath,
        name: str,
        editor: Editor,
        themes: ThemeManager,
        hint: str = "",
    ) -> None:
        super().__init__()
        self._indented = False
        self.path = path
        self.editor = editor
        self._themes = themes
        self._label = label(name, "muted", wrap=True)
        self._label.setParent(self)
        self._label.setBuddy(editor.first())
        self._label.setToolTip(hint)
        editor.describe(name, hint)
        self._error_line: ErrorLine | None = None  # made for the first error
        editor.setObjectName(".".join(path))
        editor.edited.connect(self.edited)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._label.setVisible(not editor.wide)
        self._grid.setColumnStretch(1, 1)
        self._stacked: bool | None = None
        self.vary_button: QToolButton | None = None
        themes.changed.connect(self._fit)
        self._fit()

    def indent(self) -> None:
        """Stand a little further in, below a choice that it belongs to."""
        self._indented = True
        self._fit()

    def offer_to_vary(self) -> QToolButton:
        """Add a small button behind the label, visible while the pointer is on the row."""
        button = self.vary_button = text_button("", tr("Vary it in an experiment"), self.vary_asked)
        button.setParent(self)
        button.setProperty("small", True)
        button.setAccessibleName(tr("Vary it in an experiment"))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # by the keys it is chosen in the experiment's window
        button.hide()
        self._fit()
        return button

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Show the button that varies the field."""
        super().enterEvent(event)
        if self.vary_button is not None:
            self._place_vary_button()
            self.vary_button.show()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Hide the button that varies the field."""
        super().leaveEvent(event)
        if self.vary_button is not None:
            self.vary_button.hide()

    def show_error(self, faults: Sequence[PlacedFault]) -> None:
        """Show the first error below the editor, and mark the places of all in it."""
        if self._error_line is None:
            self._error_line = ErrorLine(self._themes)
            self._grid.addWidget(self._error_line, 2, 0, 1, 2)
        where, message = self.editor.mark_invalid(faults), faults[0].words
        self._error_line.say(f"{where}: {message}" if where else message)

    def clear_error(self) -> None:
        """Remove the errors."""
        self.editor.mark_invalid(())
        if self._error_line is not None:
            self._error_line.say("")

    def error(self) -> str:
        """The error shown."""
        return self._error_line.said if self._error_line else ""

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Put the label above its editor where the row is too narrow for any of its choices."""
        super().resizeEvent(event)
        self._arrange()
        self._place_vary_button()

    def _place_vary_button(self) -> None:
        """Put the button at the end of the label's line, where it takes no room from the editor."""
        if self.vary_button is None:
            return
        line, side = self._label.geometry(), self.vary_button.height()
        gap = 0 if self._stacked else self._grid.horizontalSpacing()
        left = line.left() - gap if is_rtl(self) else line.right() + 1 + gap - side
        self.vary_button.move(left, line.center().y() + 1 - side // 2)
        self.vary_button.raise_()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the width of the editor alone: the label stands above it where both have no room."""
        return QSize(self.editor.minimumSizeHint().width(), super().minimumSizeHint().height())

    def _arrange(self) -> None:
        px = self._themes.px
        indent, button = px(12 * self._indented), 0 if self.vary_button is None else px(_BUTTON)
        beside = max(button - px(_GAP), 0)  # it reaches into the gap
        words = map(self._label.fontMetrics().horizontalAdvance, self._label.text().split())
        narrow = self.width() < max(px(230), px(_LABEL + _GAP) + self.editor.whole_width)
        long = indent + max(words, default=0) + beside > px(_LABEL)
        stacked = self.editor.wide or self.editor.below or narrow or long
        if stacked == self._stacked:
            return
        self._stacked = stacked
        self._grid.removeWidget(self._label)
        self._grid.removeWidget(self.editor)
        if stacked:
            if not self.editor.wide:
                self._grid.addWidget(self._label, 0, 0, 1, 2)
            self._grid.addWidget(self.editor, 1, 0, 1, 2)
        else:
            self._grid.addWidget(self._label, 0, 0, Qt.AlignmentFlag.AlignVCenter)
            self._grid.addWidget(self.editor, 0, 1)
        self._label.setMinimumWidth(0 if stacked else self._themes.px(_LABEL))
        self._label.setMaximumWidth(_ANY_WIDTH if stacked else self._themes.px(_LABEL))
        after = button if stacked else beside
        self._label.setContentsMargins(*((after, 0, indent, 0) if is_rtl() else (indent, 0, after, 0)))

    def _fit(self) -> None:
        px = self._themes.px
        if self.vary_button is not None:
            self.vary_button.setIcon(QIcon(tinted("flask-conical", self._themes.theme.muted)))
            self.vary_button.setIconSize(QSize(px(14), px(14)))
            self.vary_button.setFixedSize(px(_BUTTON), px(_BUTTON))
        self._stacked = None
        self._arrange()
        self._grid.setHorizontalSpacing(px(_GAP))
        self._grid.setVerticalSpacing(px(4))


class FieldGroup(QWidget):
    """Edits an object, with a field for each part, and possibly a row of another kind before them."""

    edited = Signal()

    def __init__(
        self,
        schema: Schema,
        path: FieldPath,
        themes: ThemeManager,
        *,
        indented: bool = True,
        first: FieldRow | None = None,
    ) -> None:
        super().__init__()
        self._schemas = entries(schema)
        self._given: Mapping[str, object] = {}
        self._parts: dict[str, ChoiceGroup | FieldGroup | FieldRow] = {}
        for name, part in self._schemas.items():
            self._parts[name] = _row(part, (*path, name), themes)
        rows = [*([first] if first is not None else ()), *self._parts.values()]
        for row in rows:
            row.edited.connect(self.edited)
            if indented and isinstance(row, FieldRow):
                row.indent()
        Sizing(themes, self).column(*rows, spacing=8, on=self)
        self.set_value({})

    def __len__(self) -> int:
        return len(self._parts)

    def part(self, name: str) -> ChoiceGroup | FieldGroup | FieldRow:
        """The row or group of one part."""
        return self._parts[name]

    def value(self) -> dict[str, object]:
        """Return all parts, without those that were left out and still have their default."""
        found: dict[str, object] = {}
        for name, part in self._parts.items():
            value = _value_of(part)
            schema = self._schemas[name]
            if name in self._given or "default" not in schema or value != schema["default"]:
                found[name] = value
        return found

    def set_value(self, values: Mapping[str, object]) -> None:
        """Show the given parts, and start values for the rest."""
        self._given = values
        for name, part in self._parts.items():
            _set_value(part, values[name] if name in values else start_value(self._schemas[name]))


class ChoiceKind(NamedTuple):
    """One kind of a choice: its name in the file, its title and hint, and its fields.

    Kinds of one group stand together, under the group's name if it has one. That of the name None is nothing.
    `body` makes the fields of one that needs other editors than its schema asks for.
    """

    name: str | None
    title: str
    hint: str
    schema: Schema
    group: str = ""
    body: type[FieldGroup] = FieldGroup


class Nesting(NamedTuple):
    """How a file says the kind of a choice, and where that has its fields: beside it, or in a part."""

    tag: str = "kind"
    inside: str | None = None
    indented: bool = True  # whether they stand further in than the choice


class ChoiceGroup(QWidget):
    """Edits one of several kinds and its fields. The others keep what was typed into them.

    The fields of a kind are made when it is first chosen: most never are.
    """

    edited = Signal()
    picked = Signal()  # another kind, by the user
    made = Signal(QWidget)  # the fields of a kind

    def __init__(
        self,
        path: FieldPath,
        label: str,
        kinds: Iterable[ChoiceKind],
        themes: ThemeManager,
        nesting: Nesting,
    ) -> None:
        super().__init__()
        kinds = list(kinds)
        self._known = {kind.name for kind in kinds}
        self._kinds: dict[object, ChoiceKind] = {kind.name: kind for kind in kinds if entries(kind.schema)}
        self._tag, self._inside, self._indented = nesting
        self._place = (*path, self._inside) if self._inside else path
        self._themes = themes
        self._unknown: Mapping[str, object] = {}  # the fields of a kind that has no group here
        groups = [""] + [kind.group for kind in kinds]
        headings = {i: kind.group for i, kind in enumerate(kinds) if kind.group and kind.group != groups[i]}
        self.pick = PickEditor([(kind.name, kind.title, kind.hint) for kind in kinds], headings)
        self._field = FieldRow(path, label, self.pick, themes)
        self._field.edited.connect(self._picked)
        self._column = Sizing(themes, self).column(self._field, spacing=8, on=self)
        self._groups: dict[object, FieldGroup] = {}
        if kinds:
            self.pick.set_value(kinds[0].name)
        self._show()

    def value(self) -> dict[str, object] | None:
        """Return the kind and its fields."""
        name = self.pick.value()
        if name is None:
            return None
        if name in self._groups:
            fields: Mapping[str, object] = self._groups[name].value()
        else:
            fields = {} if name in self._known else self._unknown
        return {self._tag: name, **({self._inside: fields} if self._inside else fields)}

    def set_value(self, value: Mapping[str, object] | None) -> None:
        """Show a kind with its fields; the other kinds get start values."""
        value = value if value is not None else {self._tag: None}
        name = value[self._tag]
        fields = value.get(self._inside, {}) if self._inside else value
        self._unknown = fields if isinstance(fields, Mapping) else {}
        self._make_group(name)
        for kind, group in self._groups.items():
            group.set_value(fields if kind == name and isinstance(fields, Mapping) else {})
        self.pick.set_value(name)
        self._show()

    def _picked(self) -> None:
        self._show()
        self.edited.emit()
        self.picked.emit()

    def _show(self) -> None:
        name = self.pick.value()
        self._make_group(name)
        for kind, group in self._groups.items():
            group.setVisible(kind == name)

    def _make_group(self, name: object) -> None:
        """Make the fields of a kind, if it has some, and have the keys go to them after the choice."""
        kind = self._kinds.get(name)
        if kind is None or name in self._groups:
            return
        group = kind.body(kind.schema, self._place, self._themes, indented=self._indented)
        group.edited.connect(self.edited)
        self._groups[name] = group
        self._column.addWidget(group)
        before, *after = (
            part
            for part in (self.pick, *self.pick.findChildren(QWidget), *group.findChildren(QWidget))
            if part.focusPolicy() != Qt.FocusPolicy.NoFocus and part.window() is self.window()
        )
        for part in after:
            QWidget.setTabOrder(before, part)
            before = part
        self.made.emit(group)


def _value_of(part: ChoiceGroup | FieldGroup | FieldRow) -> object:
    return part.editor.value() if isinstance(part, FieldRow) else part.value()


def _set_value(part: ChoiceGroup | FieldGroup | FieldRow, value: object) -> None:
    if isinstance(part, FieldRow):
        part.editor.set_value(value)
    elif isinstance(value, Mapping):
        part.set_value(value)
    elif isinstance(part, ChoiceGroup):
        part.set_value(None)


def _row(schema: Schema, path: FieldPath, themes: ThemeManager) -> ChoiceGroup | FieldGroup | FieldRow:
    """Create the row or group that edits one part of an object."""
    label = in_words(path[-1])
    given, (schema, optional) = schema, without_null(schema)
    if "discriminator" in schema:
        tag = schema["discriminator"]["propertyName"]
        kinds = [
            ChoiceKind(
                kind["properties"][tag]["const"],
                in_words(kind["properties"][tag]["const"]),
                _hint(kind),
                kind,
            )
            for kind in schema["oneOf"]
        ]
        if optional:
            kinds.insert(0, ChoiceKind(None, tr("Not stated"), _hint(schema), {}))
        return ChoiceGroup(path, label, kinds, themes, Nesting(tag))
    if schema.get("type") == "object" and schema.get("properties"):
        return FieldGroup(schema, path, themes)
    return FieldRow(path, label, _editor(given, path[-1], themes), themes, _hint(schema))


def _editor(schema: Schema, name: str, themes: ThemeManager) -> Editor:
    """Create the editor of a schema: JSON where it has no other."""
    schema, optional = without_null(schema)
    if "enum" in schema:
        choices: list[tuple[object, str, str]] = [(v, choice_words(name, v), "") for v in schema["enum"]]
        return PickEditor([(None, tr("None"), ""), *choices] if optional else choices)
    kind = schema.get("type")
    if kind in {"integer", "number"}:
        when_empty = _hint(schema) or tr("none")
        return NumberEditor(Limits.of(schema), themes, when_empty=when_empty if optional else "")
    if kind == "array" and not optional:
        items: Schema = schema.get("items", {})
        if _numbers(schema.get("prefixItems", ())):
            parts = entries(schema, name)
            names = (tr("low"), tr("high")) if len(parts) == 2 else parts
            return TupleEditor([Limits.of(part) for part in parts.values()], names, themes)
        if items.get("properties") or _numbers(items.get("prefixItems", ())):
            return RowTableEditor(schema, name, themes)
    if kind == "boolean" and not optional:
        return SwitchEditor("")
    if kind == "string" and not optional:
        return LineEditor()
    return JsonEditor()


def _numbers(schemas: Sequence[Schema]) -> bool:
    return bool(schemas) and all(schema.get("type") in {"integer", "number"} for schema in schemas)


def _hint(schema: Schema) -> str:
    """The first line of a schema's description."""
    return harmless(str(schema.get("description", "")).partition("\n")[0])
