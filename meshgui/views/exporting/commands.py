"""The commands that export pictures and tables; the exporter is created at first use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from meshgui.engine.basics.translation import tr
from meshgui.views.exporting.exportable import Picture
from meshgui.views.widgets.command import Command, commands_in

if TYPE_CHECKING:
    from meshgui.views.exporting.exporter import Exporter


def export_commands(
    exporter: Callable[[], Exporter], mesh_pictures: Callable[[], Sequence[Picture]]
) -> list[Command]:
    """The commands for pictures of the mesh and of other views, and for tables."""
    return commands_in(
        tr("File"),
        (
            "file.picture",
            tr("Save a picture of the mesh…"),
            tr("Write what the mesh view shows as PNG, SVG or PDF"),
            lambda: exporter().ask_about(mesh_pictures()),
            ("Ctrl+P",),
            "camera",
        ),
        (
            "file.export-picture",
            tr("Export picture…"),
            tr("Write the focused plot, or another visible picture, as PNG, SVG or PDF"),
            lambda: exporter().export_picture(),
            ("Ctrl+Shift+P",),
            "image",
        ),
        (
            "file.copy-picture",
            tr("Copy picture"),
            tr("Copy the focused plot, or another visible picture, to the clipboard"),
            lambda: exporter().copy_picture(),
            ("Ctrl+Alt+C",),
            "copy",
        ),
        (
            "file.show-table",
            tr("Show as a table…"),
            tr("Show the data of the focused picture as a table, for keyboard and screen readers"),
            lambda: exporter().show_table(),
            ("Ctrl+Alt+A",),
            "table",
        ),
        (
            "file.export-table",
            tr("Export table as CSV…"),
            tr("Write all rows of the focused table, with its numbers in full"),
            lambda: exporter().export_table(),
            ("Ctrl+Shift+T",),
            "table",
        ),
        (
            "file.copy-table",
            tr("Copy table"),
            tr("Copy all rows of the focused table for a spreadsheet"),
            lambda: exporter().copy_table(),
            ("Ctrl+Shift+C",),
            "copy",
        ),
        synonyms={
            "file.picture": tr("screenshot image png export"),
            "file.export-picture": tr("image figure svg pdf png save plot chart"),
            "file.show-table": tr("accessible screen reader data numbers rows"),
            "file.export-table": tr("csv spreadsheet excel data save"),
            "file.copy-picture": tr("clipboard screenshot image figure"),
            "file.copy-table": tr("clipboard csv spreadsheet excel data"),
        },
    )
