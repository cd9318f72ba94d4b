"""The part of the scenario form about the network: off, or on with its fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.translation import tr
from meshgui.model.fields.field_schema import Schema, without_null
from meshgui.views.forms.editors import SegmentEditor
from meshgui.views.forms.field_rows import FieldGroup, FieldRow
from meshgui.views.scenario.packets_editor import PacketsEditor
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager

_PATH: Final = ("network",)
# These have editors of their own, and a scenario in memory has no path.
_NOT_A_ROW: Final = ("packets", "path", "load")
_OF_PATTERNS: Final = ("messages", "quota", "barrier", "compute")  # say nothing of explicit packets
_HINT: Final = tr("Send the jobs' messages through the links of the mesh, flit by flit")


class NetworkSection(QWidget):
    """Edits the network. Its fields are kept while it is off; packets count with the pattern `file` only."""

    edited = Signal()

    def __init__(self, schema: Schema, themes: ThemeManager) -> None:
        super().__init__()
        rows = {name: part for name, part in schema["properties"].items() if name not in _NOT_A_ROW}
        off, on = (False, tr("Off"), tr("Jobs run for their service times")), (True, tr("On"), _HINT)
        self._switch = SegmentEditor([off, on], themes)
        self._group = FieldGroup({**schema, "properties": rows}, _PATH, themes, indented=False)
        self.packets = PacketsEditor(themes)
        hint = str(schema["properties"]["packets"].get("description", ""))
        self._packets = FieldRow((*_PATH, "packets"), tr("Packets"), self.packets, themes, hint)
        listed = False, tr("Listed"), tr("The packets below")
        drawn = True, tr("Steady load"), tr("Packets that all nodes make at random")
        self.drawn = SegmentEditor([listed, drawn], themes)
        steady, _ = without_null(schema["properties"]["load"])
        self.load = FieldGroup(steady, (*_PATH, "load"), themes)
        self._source = FieldRow((*_PATH, "load"), tr("Packets"), self.drawn, themes)
        fields = (
            *(FieldRow(_PATH, tr("Simulated"), self._switch, themes, _HINT), self._group),
            *(self._source, self.load, self._packets),
        )
        Sizing(themes, self).column(*fields, spacing=8, on=self)
        for field in fields:
            field.edited.connect(self._edited)
        self._switch.set_value(False)
        self.drawn.set_value(False)
        self._show()

    @property
    def on(self) -> bool:
        """Whether there is a network."""
        return self._switch.value() is True

    @property
    def explicit(self) -> bool:
        """Whether explicit packets replace a pattern."""
        pattern = self._group.part("pattern")
        return isinstance(pattern, FieldRow) and pattern.editor.value() == "file"

    def value(self) -> dict[str, object] | None:
        """The network as the file has it, None while it is off."""
        if not self.on:
            return None
        if not self.explicit:
            return self._group.value()
        steady = self.drawn.value() is True
        packets = {"packets": [], "load": self.load.value()} if steady else {"packets": self.packets.value()}
        return self._group.value() | packets | {"compute": None}

    def set_value(self, value: Mapping[str, object] | None) -> None:
        """Show a network, or none; missing parts get start values."""
        self._switch.set_value(value is not None)
        given = value or {}
        self._group.set_value({name: part for name, part in given.items() if name not in _NOT_A_ROW})
        self.packets.set_value(given.get("packets", ()))
        load = given.get("load")
        self.drawn.set_value(load is not None)
        self.load.set_value(load if isinstance(load, Mapping) else {})
        self._show()

    def show_mesh(self, mesh: Mesh) -> None:
        """Edit packets on this mesh."""
        self.packets.show_mesh(mesh)

    def _edited(self) -> None:
        self._show()
        self.edited.emit()

    def _show(self) -> None:
        self._group.setVisible(self.on)
        for name in _OF_PATTERNS:
            self._group.part(name).setVisible(not self.explicit)
        explicit, steady = self.on and self.explicit, self.drawn.value() is True
        self._source.setVisible(explicit)
        self.load.setVisible(explicit and steady)
        self._packets.setVisible(explicit and not steady)
