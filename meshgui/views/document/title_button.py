"""The title of the scenario in the tool bar, with a list of others to open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from meshgui.engine.basics.translation import tr, tr_page
from meshgui.engine.basics.words import harmless, within
from meshgui.engine.scenario import load_scenario
from meshgui.model.base.list_item import ListItem
from meshgui.model.base.recent import RecentFiles
from meshgui.model.document.document import Document
from meshgui.views.style.direction import against_reading
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import literal
from meshgui.views.widgets.list_popup import ListPopup

_WIDTH, _LEAST = 480, 180  # at most, and of a longer title where there is little room
_ICON = 16
_ROOM = 60  # for the arrow and the dot beside it


class TitleButton(QWidget):
    """A button with the whole title; where that has no room, it is shortened in the middle."""

    def __init__(
        self, document: Document, recent: RecentFiles, themes: ThemeManager, icons: IconShelf
    ) -> None:
        super().__init__()
        self._document, self._recent, self._themes = document, recent, themes
        self._button = QToolButton()
        self._button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._button.setLayoutDirection(against_reading())  # the arrow behind the words
        icons.dress(self._button, "chevron-down")
        self._button.clicked.connect(self.open)
        self.popup: ListPopup | None = None
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        sizing = Sizing(themes, self).call(self.setMaximumWidth, _WIDTH)
        sizing.icons(_ICON, self._button).row(self._button, 1, on=self)
        themes.changed.connect(self._dress)
        document.changed.connect(self.show_title)
        document.draft_changed.connect(self.show_title)
        self._dress()

    def offer(
        self,
        choose_file: QAction,
        open_file: Callable[[Path], object],
        open_example: Callable[[Path], object],
    ) -> None:
        """List other scenarios whenever it is clicked."""
        self._choose_file, self._open_file, self._open_example = choose_file, open_file, open_example

    def open(self) -> None:
        """Open the list of scenarios."""
        lines = list(self._lines())
        popup = self.popup = ListPopup(self._themes, self._button)
        popup.setLayoutDirection(QGuiApplication.layoutDirection())
        popup.picked.connect(lambda place: cast("Callable[[], object]", lines[place].value)())
        popup.open_below(self._button, lines, set())

    def _lines(self) -> Iterator[ListItem]:
        from meshgui.model.document.examples import example_groups  # noqa: PLC0415 - read at first use

        yield ListItem(self._choose_file.trigger, self._choose_file.text())
        for path, title in self._recent.files():
            said, name = harmless(tr_page(title)), harmless(path.name)
            yield ListItem(partial(self._open_file, path), said or name, tr("Recent"), name if said else "")
        for group, paths in example_groups().items():
            heading = tr("Examples: {group}").format(group=within(group))
            for path in paths:
                title = tr_page(load_scenario(path).title)
                yield ListItem(partial(self._open_example, path), title, heading)

    def show_title(self) -> None:
        """Show the title as it is now, with a dot if the scenario has been changed."""
        star, width = " •" if self._document.modified else "", self.width() - self._themes.px(_ROOM)
        elide = Qt.TextElideMode.ElideMiddle
        title = self._button.fontMetrics().elidedText(self._document.title, elide, width)
        self._button.setText(literal(f"{title}{star}"))
        self._button.setAccessibleName(f"{self._document.title}{star}")  # a screen reader needs no cut
        self._button.setToolTip(tr("{title}\nOpen another scenario").format(title=self._document.title))
        self.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The room for the title, for the arrow, and for the dot, whether it is there or not."""
        px, title = self._themes.px, self._button.fontMetrics().horizontalAdvance(self._document.title)
        wanted = title + px(_ROOM) + 2  # letters end between two pixels
        return QSize(min(wanted, px(_WIDTH)), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The room for a short title, or for both ends of a longer one."""
        return self.sizeHint().boundedTo(QSize(self._themes.px(_LEAST), self._button.sizeHint().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Cut the title to the new width."""
        super().resizeEvent(event)
        self.show_title()

    def _dress(self) -> None:
        self._button.setFont(self._themes.text("lead"))
        self.show_title()
