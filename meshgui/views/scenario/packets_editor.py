"""Edits the explicit packets of a scenario: a table of a few, the number of many, and CSV files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtWidgets import QFileDialog

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.limits import MAX_PACKETS
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import grouped
from meshgui.engine.network.packet_files import read_packets
from meshgui.model.fields.field_schema import Schema
from meshgui.views.forms.editors import FileEditor, PlacedFault
from meshgui.views.forms.row_table_editor import RowTableEditor
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import label, text_button

_MOST_ROWS: Final = 1000  # more are not edited by hand
_COORDINATES: Final = ("sx", "sy", "sz", "dx", "dy", "dz")
_NUMBER: Final[Schema] = {"type": "integer"}
_MAYBE: Final[Schema] = {"anyOf": [_NUMBER, {"type": "null"}], "default": None}
_TABLE: Final[Schema] = {
    "type": "array",
    "items": {"type": "array", "prefixItems": [*[_NUMBER] * 7, _MAYBE]},
}


class PacketsEditor(FileEditor):
    """Edits packets; more than a thousand are kept as they are and only counted."""

    wide = True

    def __init__(self, themes: ThemeManager) -> None:
        self.table = RowTableEditor(_TABLE, "packets", themes)
        super().__init__(themes, self.table.table)
        self._mesh = Mesh((1, 1, 1))
        self._many: list[object] = []  # those that are too many for the table
        self.table.start_with([0, 0, 0, 0, 1, 0, 0])
        self.table.fit_all_but("time")
        self.table.number_rows(beside="time")
        self.table.edited.connect(self._typed)
        self.words = label(wrap=True)
        hint = tr("Take the packets of a file: time,sx,sy,sz,dx,dy,dz and possibly job")
        self.load = text_button(tr("Packets from a CSV file…"), hint, self._ask)
        self.clear = text_button(tr("Remove all"), tr("Begin with an empty table"), self._clear)
        sizing = Sizing(themes, self)
        buttons = sizing.row(self.load, self.clear, 1)
        sizing.column(self.words, self.table, buttons, self.error_line, spacing=2, on=self)
        self._show()

    def value(self) -> object:
        return list(self._many) if self._many else self.table.value()

    def set_value(self, value: object) -> None:
        packets: Sequence[Any] = value if isinstance(value, (list, tuple)) else ()
        self._many = list(packets) if len(packets) > _MOST_ROWS else []
        self.table.set_value([] if self._many else packets)
        self.error_line.say("")
        self._show()

    def show_mesh(self, mesh: Mesh) -> None:
        """Show as many coordinates as the mesh has; the third is 0 in 2D."""
        self._mesh = mesh
        self._show()

    def mark_invalid(self, faults: Sequence[PlacedFault]) -> str:
        if not self._many:
            return self.table.mark_invalid(
                [PlacedFault((*place, *self._cell_off_mesh(place)), words) for place, words in faults]
            )
        place = faults[0].place if faults else ()
        return tr("packet {place}").format(place=int(place[0]) + 1) if place and place[0].isdigit() else ""

    def focus_part(self, place: Sequence[str]) -> None:
        if self._many:
            self.clear.setFocus()
        else:
            self.table.focus_part(place)

    def _cell_off_mesh(self, place: Sequence[str]) -> tuple[str, ...]:
        """The first coordinate off the mesh in a row with an error, if there is one."""
        rows = self.table.rows
        if len(place) != 1 or not place[0].isdigit() or int(place[0]) >= rows.rowCount():
            return ()
        cells = rows.cells(int(place[0]))
        sides = dict(zip("xyz", self._mesh.extents, strict=True))
        for column, cell in zip(rows.columns, cells, strict=True):
            side = sides.get(column.name[-1]) if column.name in _COORDINATES else None
            if side is not None and not 0 <= int(cell) < side:
                return (column.name,)
        return ()

    def value_in(self, path: Path) -> object:
        return read_packets(path, most=MAX_PACKETS).tolist()

    def _ask(self) -> None:
        words = tr("Packets (*.csv);;All files (*)")
        name, _ = QFileDialog.getOpenFileName(self.window(), tr("Packets from a CSV file"), "", words)
        if name:
            self.take_file(Path(name))

    def _clear(self) -> None:
        self.set_value([])
        self.edited.emit()

    def _typed(self) -> None:
        self.error_line.say("")
        self.edited.emit()

    def _show(self) -> None:
        deep = self._mesh.dims == 3 or not all(self.table.rows.holds_only(z, 0) for z in ("sz", "dz"))
        self.table.show_columns({"sz": deep, "dz": deep})
        self.table.setVisible(not self._many)
        number = grouped(len(self._many))
        self.words.setText(tr("{number} packets, too many to show here").format(number=number))
        self.words.setVisible(bool(self._many))
        self.clear.setVisible(bool(self._many))
