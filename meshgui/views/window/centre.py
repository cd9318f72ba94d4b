"""The middle of the window: the mesh, the welcome page or a comparison, below tabs of scenarios."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.base.recent import RecentFiles
from meshgui.views.docks.host import HostWindow
from meshgui.views.document.documents import Documents
from meshgui.views.document.scenario_tabs import ScenarioTabs
from meshgui.views.mesh.commands import mesh_commands
from meshgui.views.mesh.panel import MeshView
from meshgui.views.style.sizing import Sizing
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.window.welcome import Welcome

if TYPE_CHECKING:
    from meshgui.views.compare.page import ComparisonPage


class Centre(QWidget):
    """Shows the mesh of a scenario, a comparison in its tab, or the welcome page where there is none."""

    covered = Signal(bool)  # the comparison has the window for itself now, or no longer

    def __init__(self, host: HostWindow, documents: Documents, recent: RecentFiles) -> None:
        super().__init__()
        self._host, context = host, host.context
        self._document, self._scenarios = context.document, documents.scenarios
        self.mesh = MeshView(*context.views)
        context.messages.readout_hidden.connect(self.mesh.hide_use)
        host.panels.text_enlarged.connect(lambda percent: self._present(on=percent is not None))
        self.welcome = Welcome(recent, context.themes)
        self.pages = QStackedWidget()
        for page in (self.welcome, self.mesh):
            self.pages.addWidget(page)
        self.tabs = ScenarioTabs(documents.scenarios, context.document, context.themes, context.icons)
        host.panels.bared.connect(self.tabs.put_away)
        self.comparison: ComparisonPage | None = None  # once one was asked for
        self.tabs.page_shown.connect(self._cover)
        self.tabs.page_closed.connect(self._end_comparison)
        self._document.changed.connect(self.show_document)  # before others ask whether there are panels
        sizing = Sizing(context.themes, self)
        sizing.column(self.tabs, (self.pages, 1), on=self)
        self.welcome.open_example.connect(documents.open_example)
        self.welcome.open_recent.connect(documents.files.open)
        self.welcome.back_requested.connect(documents.scenarios.leave_empty)
        for asked, command in (
            (self.welcome.open_requested, "file.open"),
            (self.welcome.new_requested, "file.new"),
            (self.welcome.lessons_requested, "lesson.list"),
            (self.welcome.tour_requested, "help.tour"),
        ):
            asked.connect(partial(host.trigger, command))

    def commands(self) -> list[Command]:
        """The end of the program."""
        return commands_in(
            tr("File"),
            Command(
                "file.close",
                tr("Quit"),
                tr("Close the window; the layout is remembered"),
                self._host.close,
                ("Ctrl+Q",),
                "x",
                synonyms=tr("exit leave end"),
            ),
        )

    def mesh_commands(self) -> list[Command]:
        """Those of the mesh."""
        return mesh_commands(self.mesh, self._host.context)

    @property
    def drawn(self) -> Sequence[QWidget]:
        """What is drawn, which notices lie over."""
        page = self.pages.currentWidget()
        if page is self.mesh:
            return (self.mesh,)
        return self.comparison.drawn if page is not None and page is self.comparison else (self.pages,)

    def show_comparison(self, page: ComparisonPage) -> None:
        """Show the comparison in its tab."""
        if self.comparison is None:
            self.comparison = page
            page.close_asked.connect(self.tabs.close_page)
            self._host.panels.bared.connect(page.strip)
            page.present(on=self._host.panels.presenting)
            self._host.context.messages.said.connect(page.say)
        self.tabs.show_page(page.title, page.hint)

    def _present(self, *, on: bool) -> None:
        """Have what is read in the meshes in the letters of a lecture, or of the desk."""
        self.mesh.present(on=on)
        if self.comparison is not None:
            self.comparison.present(on=on)

    def leave_comparison(self) -> bool:
        """Leave what is innermost in the comparison, at last itself; whether it is shown."""
        page = self.comparison
        shown = page is not None and self.pages.currentWidget() is page
        if shown and page is not None and not page.deselect():
            self.tabs.close_page()
        return shown

    def _cover(self, covered: bool) -> None:
        """Leave the window to the comparison, with its commands, or to the mesh again."""
        host, page = self._host, self.comparison
        if page is None:
            return
        if covered:
            host.panels.cover()
            host.show_page(page.commands(), page.WITHHELD)
            self.covered.emit(covered)  # before the page is there: the window would need room for both
            self.pages.addWidget(page)
            self.pages.setCurrentWidget(page)
            page.take_keys()
        else:
            host.leave_page()
            self.pages.removeWidget(page)  # the stack would stay as wide as it needs, and the panels narrow
            self._show_scenario()
            self.mesh.canvas.setFocus()
            self.covered.emit(covered)

    def _end_comparison(self) -> None:
        if self.comparison is not None:
            self.comparison.end()

    def show_document(self) -> None:
        """Show the mesh of the scenario that is open, or the welcome page, unless a comparison is shown."""
        if self.comparison is None or self.pages.currentWidget() is not self.comparison:
            self._show_scenario()

    def _show_scenario(self) -> None:
        self._show(self.welcome if self._document.scenario is None else self.mesh)

    def take_keys(self) -> None:
        """Have the keys in the mesh, else in the window: Qt would give them to a button, with a frame."""
        (self.mesh.canvas if self.pages.currentWidget() is self.mesh else self._host).setFocus()

    def _show(self, page: QWidget) -> None:
        panels, had_keys = self._host.panels, self._host.focusWidget()
        if page is self.welcome:
            panels.cover()
        else:
            panels.uncover()
        self.pages.setCurrentWidget(page)
        if had_keys in (None, self._host) or not had_keys.isVisible():
            self.take_keys()
        self.welcome.offer_back(offered=len(self._scenarios) > 1)
