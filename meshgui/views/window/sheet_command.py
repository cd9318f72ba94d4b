"""The command that writes the sheet of the strategy that runs."""

from __future__ import annotations

from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.translation import tr
from meshgui.model.base.picture_formats import PictureError
from meshgui.views.exporting.commands import WindowExports
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.context import Context


class SheetCommand:
    """Writes a strategy as one page to print; what it needs is loaded at first use."""

    def __init__(self, exports: WindowExports, context: Context) -> None:
        self._exports, self._context = exports, context

    def commands(self) -> list[Command]:
        """Writing the sheet."""
        return commands_in(
            tr("Help"),
            Command(
                "run.sheet",
                tr("Sheet of this strategy…"),
                tr("Write the strategy as one page to print: idea, pseudo-code, picture, cost, source"),
                self.write,
                ("Ctrl+Alt+P",),
                "download",
                enabled_when=self._context.has_scenario,
                synonyms=tr("print handout pdf summary page"),
            ),
        )

    def write(self) -> None:
        """Ask for a file, and write the sheet."""
        scenario, exporter = self._context.document.scenario, self._exports.exporter
        if scenario is None:
            return
        cls = strategy(scenario.allocator.name)
        path = exporter.ask_where(cls.title, tr("PDF (*.pdf)"))
        if path is None:
            return
        from meshgui.views.window.strategy_sheet import write_sheet  # noqa: PLC0415 - at first use

        try:
            write_sheet(cls, self._context.themes, path)
        except PictureError as error:
            exporter.fail(str(error))
        else:
            exporter.say_written(path)
