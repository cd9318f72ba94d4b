"""The commands that export pictures and tables; the exporter is created at first use."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QWidget

from meshgui.engine.basics.translation import tr
from meshgui.views.docks.host import HostWindow
from meshgui.views.exporting.exportable import EXPORTS, ancestors, pictures_of
from meshgui.views.exporting.recorder import WindowRecorder
from meshgui.views.exporting.run_files import RunFiles
from meshgui.views.widgets.command import Command, commands_in

if TYPE_CHECKING:
    from meshgui.model.lessons.lesson import Lesson
    from meshgui.views.exporting.exporter import Exporter


class WindowExports(QObject):
    """Exports what a window shows, writes its run or lesson for other programs, and records films of it."""

    def __init__(self, host: HostWindow, mesh: QWidget, lesson: Callable[[], Lesson | None]) -> None:
        super().__init__(host)
        self._host, self._mesh = host, mesh
        self.recorder = WindowRecorder(host)
        self.run_files = RunFiles(self._made, host.context, lesson)

    @cached_property
    def exporter(self) -> Exporter:
        """The exporter of pictures and tables, created at first use."""
        from meshgui.views.exporting.exporter import Exporter  # noqa: PLC0415 - not needed for the first paint

        host, context = self._host, self._host.context
        messages = context.messages
        exporter = Exporter(
            host.save_dialog, context.themes, messages.notice, lambda: context.document.title, self._foremost
        )
        exporter.done.connect(messages.say)
        return exporter

    def show_menu(self, place: QWidget, at: QPoint) -> None:
        """Show the exports of what is pointed at."""
        self.exporter.show_menu(place, at)

    def _foremost(self) -> QWidget:
        """What has the keys, if it is a picture in a panel; else plots that are in front, else the mesh."""
        panels, focus = self._host.panels, self._host.focusWidget()
        in_panel = focus is not None and not self._mesh.isAncestorOf(focus)
        if focus is not None and in_panel and any(map(pictures_of, ancestors(focus))):
            return focus
        return panels.docks["plots"] if panels.in_front("plots") else self._mesh

    def _made(self) -> Exporter:
        return self.exporter

    def commands(self) -> list[Command]:
        """The commands for films, for pictures of the mesh and of other views, for tables, and for runs."""
        pictures = commands_in(EXPORTS, *exporter_commands(self._made))
        return [*self.recorder.commands(), *pictures, *self.run_files.commands()]


def exporter_commands(exporter: Callable[[], Exporter]) -> tuple[Command, ...]:
    """Those that every window has, for what is focused or visible in it."""
    return (
        Command(
            "file.export-picture",
            tr("Export picture…"),
            tr("Write the mesh, the plots, or another visible picture, as PNG, SVG or PDF"),
            lambda: exporter().export_picture(),
            ("Ctrl+P", "Ctrl+Shift+P"),
            "image",
            synonyms=tr("image figure svg pdf png save a picture of the mesh plot chart screenshot camera"),
        ),
        Command(
            "file.copy-picture",
            tr("Copy picture"),
            tr("Copy the focused plot, or another visible picture, to the clipboard"),
            lambda: exporter().copy_picture(),
            ("Ctrl+Alt+C",),
            "copy",
            synonyms=tr("clipboard screenshot image figure"),
        ),
        Command(
            "file.show-table",
            tr("Show as a table…"),
            tr("Show the data of the focused picture as a table, for keyboard and screen readers"),
            lambda: exporter().show_table(),
            ("Ctrl+Alt+A",),
            "table",
            synonyms=tr("accessible screen reader data numbers rows"),
        ),
        Command(
            "file.export-table",
            tr("Export table as CSV…"),
            tr("Write all rows of the focused table, with its numbers in full"),
            lambda: exporter().export_table(),
            ("Ctrl+Shift+T",),
            "table",
            synonyms=tr("csv spreadsheet excel data save"),
        ),
        Command(
            "file.copy-table",
            tr("Copy table"),
            tr("Copy all rows of the focused table for a spreadsheet"),
            lambda: exporter().copy_table(),
            ("Ctrl+Shift+C",),
            "copy",
            synonyms=tr("clipboard csv spreadsheet excel data"),
        ),
    )
