"""The part of the scenario form about a trace: its file, its content, and the jobs to take."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QFileDialog, QLineEdit

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import grouped
from meshgui.engine.workload.swf import TraceError, in_words, read_trace
from meshgui.model.fields.field_schema import Schema
from meshgui.views.forms.editors import FileEditor
from meshgui.views.forms.field_rows import FieldGroup, FieldRow
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import label, text_button

_COLUMNS: Final = ("requested_times", "numbers")  # of jobs in place of a file
_OF_THE_FILE: Final = ("path", "jobs", *_COLUMNS)  # one editor: either the file or the jobs are given
_FILTER: Final = tr("Traces (*.swf *.swf.gz *.gz);;All files (*)")


class TraceFileEditor(FileEditor):
    """Edits the file of a trace, or the jobs in its place; a text below describes them."""

    below = True

    def __init__(self, themes: ThemeManager) -> None:
        self.load = text_button(tr("Choose a trace…"), "", self._ask)
        super().__init__(themes, self.load)
        self._path: str | None = ""
        self._jobs: object = None
        self._columns: dict[str, object] = {}
        self.line = QLineEdit()
        self.line.setReadOnly(True)
        self.line.setAccessibleName(tr("File of the trace"))
        self.line.setPlaceholderText(tr("No file chosen"))
        self.words = label(kind="caption", wrap=True)
        sizing = Sizing(themes, self)
        load = sizing.row(self.load, 1)
        sizing.column(self.line, self.words, load, self.error_line, spacing=4, on=self)
        self._show()

    def value(self) -> object:
        """The fields of the workload that the file stands for."""
        return {"path": self._path, "jobs": self._jobs, **self._columns}

    def set_value(self, value: object) -> None:
        """Show the file or the jobs; neither if nothing has been chosen yet."""
        given = value if isinstance(value, Mapping) else {}
        path, self._jobs = given.get("path"), given.get("jobs")
        self._path = str(path or "") if self._jobs is None else None
        self._columns = {name: given[name] for name in _COLUMNS if given.get(name) is not None}
        self.error_line.say("")
        self._show()

    def value_in(self, path: Path) -> object:
        read_trace(path)
        return {"path": str(path.absolute())}

    def _ask(self) -> None:
        folder = str(Path(self._path).parent) if self._path else ""
        name, _ = QFileDialog.getOpenFileName(self.window(), tr("Choose a trace"), folder, _FILTER)
        if name:
            self.take_file(Path(name))

    def _show(self) -> None:
        self.line.setText(self._path or "")
        self.line.setToolTip(self._path or "")
        self.line.setVisible(self._jobs is None)
        words = self._about()
        self.words.setText(words)
        self.words.setVisible(bool(words))

    def _about(self) -> str:
        """Describe the jobs of the trace; nothing for an invalid file, whose error the form shows."""
        if isinstance(self._jobs, list | tuple):
            return tr("{jobs} jobs, kept in the scenario itself").format(jobs=grouped(len(self._jobs)))
        if not self._path:
            return ""
        try:
            trace = read_trace(Path(self._path))
        except TraceError:
            return ""
        name = f"{trace.title}: " if trace.title else ""
        return tr("{name}{jobs} jobs; left out: {left_out}").format(
            name=name, jobs=grouped(len(trace)), left_out=in_words(trace.left_out, grouped)
        )


class TraceGroup(FieldGroup):
    """Edits a trace: the file, and below it a field for each number."""

    def __init__(
        self, schema: Schema, path: tuple[str, ...], themes: ThemeManager, *, indented: bool = True
    ) -> None:
        self.file = TraceFileEditor(themes)
        rows = {name: part for name, part in schema["properties"].items() if name not in _OF_THE_FILE}
        hint = str(schema["properties"]["path"].get("description", ""))
        field = FieldRow((*path, "path"), tr("Trace"), self.file, themes, hint)
        super().__init__({**schema, "properties": rows}, path, themes, indented=indented, first=field)

    def value(self) -> dict[str, object]:
        """Return the fields, with either the file or the jobs."""
        of_the_file = self.file.value()
        given = of_the_file.items() if isinstance(of_the_file, dict) else ()
        return super().value() | {name: value for name, value in given if value is not None}

    def set_value(self, values: Mapping[str, object]) -> None:
        self.file.set_value({name: values.get(name) for name in _OF_THE_FILE})
        super().set_value({name: value for name, value in values.items() if name not in _OF_THE_FILE})
