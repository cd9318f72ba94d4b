"""The inspector: each table, grid, tree and chart of the strategy in a section that can be folded."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QDialog, QSizePolicy, QToolButton, QWidget

from meshgui.engine.allocation.inspection import Chart, Grid, Inspection, Panel, Table, Tree
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.position import Position
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.pin import Pin
from meshgui.model.stepping.selection import Selection
from meshgui.views.inspector.chart_panel import ChartPanel
from meshgui.views.inspector.grid_panel import GridPanel
from meshgui.views.inspector.inspector_panel import InspectorPanel
from meshgui.views.inspector.table_panel import TablePanel
from meshgui.views.inspector.tree_panel import TreePanel
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.screens import screen_of
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import as_panel, hairline, label, scrolls_alone
from meshgui.views.widgets.data_table import DataTable
from meshgui.views.widgets.following import FollowingView
from meshgui.views.widgets.laying_out import lay_out
from meshgui.views.widgets.one_stop import OneStop
from meshgui.views.widgets.row_scroll import RowScroll
from meshgui.views.widgets.soon import soon
from meshgui.views.widgets.tool_button import tool_button

BODIES: Final[dict[type[Panel], type[InspectorPanel[Any]]]] = {
    Table: TablePanel,
    Grid: GridPanel,
    Tree: TreePanel,
    Chart: ChartPanel,
}
"""What draws each kind of data."""

_HEAD: Final = 32  # the height of a section's title
_NOTHING = tr("Open a scenario to see its strategy's structures.")


class InspectorView(FollowingView):
    """Sections that are matched by title from step to step, so that each is updated in place."""

    def __init__(self, cursor: Cursor, selection: Selection, themes: ThemeManager) -> None:
        super().__init__(cursor, selection, themes)
        self.sections: dict[str, Section] = {}
        self._large: dict[str, _LargeSection] = {}
        self._recording: Recording | None = None
        self._inspection: Inspection | None = None  # what is shown
        self._last: tuple[tuple[object, Position] | None, dict[str, Tree]] = (None, {})
        self._shelf = IconShelf(themes)
        self._pin = Pin(selection)
        self.empty = label(_NOTHING, "muted", wrap=True)
        sizing = Sizing(themes, self).margins(self.empty, 12, 0, 12, 0)
        self._inside = inside = QWidget()
        self._stack = sizing.column(self.empty, 0, on=inside)
        inside.setProperty("panel", True)
        inside.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._scroll = RowScroll(inside)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._scroll.setAccessibleName(tr("Inspector"))
        self._stop = OneStop(self)
        sizing.column(scrolls_alone(self._scroll), on=self)
        sizing.rule(self._fit_tables)

    def show_view(self, view: View | None) -> None:
        """Show the structures at another place."""
        panels = view.inspection.panels if view is not None else ()
        recording = view.recording if view is not None else None
        fresh = recording is None or not recording.is_of_run(self._recording)
        self._recording = recording
        inspection = view.inspection if view is not None else None
        if not fresh and inspection is self._inspection:
            return  # the same place in a run that has grown
        self._inspection = inspection
        if fresh:
            self._pin.reset()
        self.empty.setText((view.fault if view is not None else None) or _NOTHING)
        self.empty.setVisible(not panels)
        self._match(panels)
        if view is not None:
            last = self._last_trees(view, panels)
            for panel in panels:
                self.sections[panel.title].show_panel(panel, view, last.get(panel.title), fresh=fresh)
                if (large := self._large.get(panel.title)) is not None:
                    large.section.show_panel(panel, view, last.get(panel.title), fresh=fresh)
            if view.position.inside:
                self._reveal()
                soon(self, self._reveal)  # and once sections that are new are there
        self._pin.follow()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Scroll around whole tables where not all sections have their least."""
        super().resizeEvent(event)
        self._fit_tables()

    def _fit_tables(self) -> None:
        scrolls = sum(section.least for section in self.sections.values()) > self.height()
        for section in self.sections.values():
            if isinstance(section.body, TablePanel):
                section.body.show_all_rows(scrolls)

    def show_selection(self) -> None:
        """Mark the selected and the hovered object."""
        self._pin.check()
        for section in (*self.sections.values(), *(large.section for large in self._large.values())):
            section.body.show_selection()

    def enlarge(self, title: str | None = None) -> None:
        """Open a structure in a window of its own: that of this title, or else the tree, or the first one."""
        trees = [name for name, section in self.sections.items() if isinstance(section.body, TreePanel)]
        title = title or next(iter((*trees, *self.sections)), None)
        view = self._cursor.view
        if title not in self.sections or view is None:
            return
        if title not in self._large:
            section = self._section(title, type(self.sections[title].body))
            self._large[title] = _LargeSection(section, self._themes, self)
            self._inspection = None  # which the new window has not shown yet
            self._large[title].finished.connect(lambda _code: self._large.pop(title).deleteLater())
        self.show_view(view)
        self._large[title].show()
        self._large[title].raise_()

    @property
    def watched(self) -> bool:
        """Whether the panel or a structure in a window of its own is visible."""
        return self.isVisible() or any(large.isVisible() for large in self._large.values())

    def _reveal(self) -> None:
        """Scroll to what the step is about, in the first open section that knows it."""
        lay_out()
        for section in self.sections.values():
            rect = section.body.stepped_rect() if section.open else None
            if rect is not None:
                top = section.body.mapTo(self._inside, rect.topLeft()).y()
                self._scroll.show_row(top, top + rect.height())
                return

    def _section(self, title: str, kind: type[InspectorPanel[Any]]) -> Section:
        """A new section."""
        body = kind(self._selection, self._pin, self._themes)
        section = Section(title, body, self._themes, self._shelf)
        section.enlarge.connect(self.enlarge)
        section.folded.connect(self._share_height)
        return section

    def _match(self, panels: tuple[Panel, ...]) -> None:
        """Keep the sections that stay, and put them in order."""
        wanted = [panel.title for panel in panels]
        kinds = {panel.title: BODIES[type(panel)] for panel in panels}
        if [(title, type(section.body)) for title, section in self.sections.items()] == list(kinds.items()):
            return
        for title, section in list(self.sections.items()):
            self._stack.removeWidget(section)
            if kinds.get(title) is not type(section.body):
                del self.sections[title]
                if title in self._large:
                    self._large[title].reject()
                section.hide()
                section.deleteLater()
        kept, self.sections = self.sections, {}
        for place, title in enumerate(wanted, 1):
            section = kept.get(title) or self._section(title, kinds[title])
            self.sections[title] = section
            self._stack.insertWidget(place, section)
        self._put_in_tab_order()
        self._share_height()

    def _put_in_tab_order(self) -> None:
        """Have the keys go through the sections in their order: what is made later comes last otherwise.

        Titles, tables, grids and trees are one stop; Up and Down go through them.
        """
        takers = [
            stop
            for section in self.sections.values()
            for stop in section.findChildren(QWidget)
            if stop.focusPolicy() & Qt.FocusPolicy.TabFocus or stop in self._stop
        ]
        before: QWidget = self._scroll
        for stop in takers:
            stop.setFocusPolicy(stop.focusPolicy() | Qt.FocusPolicy.TabFocus)  # else Qt gives it no place
            self.setTabOrder(before, stop)
            before = stop
        kinds = QAbstractButton, InspectorPanel, DataTable
        self._stop.hold([stop for stop in takers if isinstance(stop, kinds)])

    def _last_trees(self, view: View, panels: tuple[Panel, ...]) -> dict[str, Tree]:
        """The trees with the most nodes of the attempt or release, computed once: every step's layout."""
        where = view.position._replace(step=0)
        if not where.inside or not any(isinstance(panel, Tree) for panel in panels):
            return {}
        key = (view.recording.jobs, where)
        known = self._last[0]
        if known is None or known[0] is not key[0] or known[1] != where:
            whole = view.with_whole_trees()
            trees = [panel for panel in whole.panels if isinstance(panel, Tree)] if whole is not None else []
            self._last = (key, {tree.title: tree for tree in trees})
        return self._last[1]

    def _share_height(self) -> None:
        """Share the height among open sections; with all folded, the rest stays empty below them."""
        for section in self.sections.values():
            self._stack.setStretchFactor(section, section.share)
        self._fit_tables()
        some_open = any(section.open for section in self.sections.values())
        self._stack.setStretch(self._stack.count() - 1, 0 if some_open else 1)


class Section(QWidget):
    """A panel under a title that folds it away."""

    folded = Signal()
    enlarge = Signal(str)  # to be opened in a window of its own

    def __init__(self, title: str, body: InspectorPanel[Any], themes: ThemeManager, shelf: IconShelf) -> None:
        super().__init__()
        self._shelf, self.title, self.body = shelf, title, body
        self.open = True
        self.head = QToolButton()
        self.head.setText(title)
        self.head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.head.setProperty("section", True)
        self.head.clicked.connect(self._fold)
        shelf.dress(self.head, "chevron-down")
        self.larger = tool_button(
            shelf, "maximize", tr("Open “{title}” in a window of its own").format(title=title)
        )
        self.larger.clicked.connect(lambda: self.enlarge.emit(title))
        self.larger.setVisible(not isinstance(body, TablePanel))
        sizing = Sizing(themes, self).call(self.head.setFixedHeight, _HEAD).icons(14, self.head)
        sizing.icons(14, self.larger)
        self._top = hairline()
        sizing.column(self._top, sizing.row((self.head, 1), self.larger), (self.body, 1), on=self)

    @property
    def share(self) -> int:
        """The section's share of the height."""
        return self.body.share if self.open else 0

    @property
    def least(self) -> int:
        """The height that it needs where the inspector does not scroll."""
        body = self.body.least if self.open else 0
        return self.head.height() + self._top.height() + body

    def show_panel(self, panel: Panel, view: View, last: Tree | None, *, fresh: bool) -> None:
        """Show the panel's present content; `fresh` when it belongs to another run than before.

        `last` is a tree where it has the most nodes of its attempt or release.
        """
        self.body.time = view.time
        self.body.show_data(panel, view.recording.mesh, last, fresh=fresh)

    def show_alone(self) -> None:
        """Show the body without its head, in a window that has the title."""
        for part in (self._top, self.head, self.larger):
            part.hide()

    def _fold(self) -> None:
        self.open = not self.open
        self.body.setVisible(self.open)
        self._shelf.dress(self.head, "chevron-down" if self.open else "chevron-right")
        self.folded.emit()


class _LargeSection(QDialog):
    """A structure in a window of its own, which follows the steps like the one in the panel."""

    def __init__(self, section: Section, themes: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.section = section
        section.show_alone()
        self.setWindowTitle(section.title)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        as_panel(self)
        Sizing(themes, self).column((section, 1), on=self, margins=(8, 8, 8, 8))
        room = screen_of(self).availableSize()
        self.resize(min(themes.px(1100), room.width() * 4 // 5), min(themes.px(760), room.height() * 4 // 5))
