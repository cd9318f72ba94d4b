"""The commands that export pictures and tables; the exporter is created at first use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from meshgui.views.exporting.exportable import Picture
from meshgui.views.widgets.command import Command, commands_in

if TYPE_CHECKING:
    from meshgui.views.exporting.exporter import Exporter

__all__ = ["export_commands"]


def export_commands(
    exporter: Callable[[], Exporter], mesh_pictures: Callable[[], Sequence[Picture]]
) -> list[Command]:
    """The commands for pictures of the mesh and of other views, and for tables."""
    return commands_in(
        "File",
        (
            "file.picture",
            "Save a picture of the mesh…",
            "Write what the mesh view shows as PNG, SVG or PDF",
            lambda: exporter().ask_about(mesh_pictures()),
            ("Ctrl+P",),
            "camera",
        ),
        (
            "file.export-picture",
            "Export picture…",
            "Write the plot in focus, or another picture in sight, as PNG, SVG or PDF",
            lambda: exporter().export_picture(),
            ("Ctrl+Shift+P",),
            "image",
        ),
        (
            "file.copy-picture",
            "Copy picture",
            "Copy the plot in focus, or another picture in sight, to the clipboard",
            lambda: exporter().copy_picture(),
            ("Ctrl+Alt+C",),
            "copy",
        ),
        (
            "file.show-table",
            "Show as a table…",
            "Show what the picture in focus shows as a table, for keys and screen readers",
            lambda: exporter().show_table(),
            ("Ctrl+Alt+A",),
            "table",
        ),
        (
            "file.export-table",
            "Export table as CSV…",
            "Write all rows of the table in focus, with its numbers in full",
            lambda: exporter().export_table(),
            ("Ctrl+Shift+T",),
            "table",
        ),
        (
            "file.copy-table",
            "Copy table",
            "Copy all rows of the table in focus for a spreadsheet",
            lambda: exporter().copy_table(),
            ("Ctrl+Shift+C",),
            "copy",
        ),
        synonyms={
            "file.picture": "screenshot image png export",
            "file.export-picture": "image figure svg pdf png save plot chart",
            "file.show-table": "accessible screen reader data numbers rows",
            "file.export-table": "csv spreadsheet excel data save",
            "file.copy-picture": "clipboard screenshot image figure",
            "file.copy-table": "clipboard csv spreadsheet excel data",
        },
    )
