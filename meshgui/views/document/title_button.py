"""The title of the scenario in the tool bar, with a menu of others to open."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QFont, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from meshgui.engine.basics.translation import tr, tr_page
from meshgui.engine.basics.words import harmless, within
from meshgui.engine.scenario import load_scenario
from meshgui.model.base.recent import RecentFiles
from meshgui.model.document.document import Document
from meshgui.views.style.direction import against_reading
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import literal

_WIDTH, _LEAST = 340, 140
_ROOM = 60  # for the arrow and the dot beside it


class TitleButton(QWidget):
    """A button that takes the room there is and never moves its neighbours; long titles are cut."""

    def __init__(
        self, document: Document, recent: RecentFiles, themes: ThemeManager, icons: IconShelf
    ) -> None:
        super().__init__()
        self._document, self._recent, self._themes = document, recent, themes
        self._button = QToolButton()
        self._button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._button.setLayoutDirection(against_reading())  # the arrow behind the words
        icons.dress(self._button, "chevron-down")
        self.menu = QMenu(self._button)
        self.menu.setLayoutDirection(QGuiApplication.layoutDirection())
        self._button.setMenu(self.menu)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        sizing = Sizing(themes, self).call(self.setMinimumWidth, _LEAST).call(self.setMaximumWidth, _WIDTH)
        sizing.row(self._button, 1, on=self)
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
        """Fill the menu with other scenarios whenever it is opened."""

        def fill() -> None:
            from meshgui.model.document.examples import example_groups  # noqa: PLC0415 - read at first use

            self.menu.clear()
            self.menu.addAction(choose_file)
            recent = self._recent.paths()
            if recent:
                self._add_heading(tr("Recent"))
            for path in recent:
                self.menu.addAction(literal(harmless(path.name)), partial(open_file, path))
            for group, paths in example_groups().items():
                self._add_heading(tr("Examples: {group}").format(group=within(group)))
                for path in paths:
                    self.menu.addAction(tr_page(load_scenario(path).title), partial(open_example, path))

        self.menu.aboutToShow.connect(fill)

    def _add_heading(self, words: str) -> None:
        """Add a line and a heading, which a section of Qt's leaves out under a stylesheet."""
        self.menu.addSeparator()
        heading = self.menu.addAction(words)
        heading.setEnabled(False)
        heading.setFont(self._themes.text("caption", QFont.Weight.DemiBold))

    def show_title(self) -> None:
        """Show the title as it is now, with a dot if the scenario has been changed."""
        star, width = " •" if self._document.modified else "", self.width() - self._themes.px(_ROOM)
        elide = Qt.TextElideMode.ElideRight
        title = self._button.fontMetrics().elidedText(self._document.title, elide, width)
        self._button.setText(literal(f"{title}{star}"))
        self._button.setAccessibleName(f"{self._document.title}{star}")  # a screen reader needs no cut
        self._button.setToolTip(tr("{title}\nOpen another scenario").format(title=self._document.title))

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The same for every title."""
        return QSize(self._themes.px(_WIDTH), super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Cut the title to the new width."""
        super().resizeEvent(event)
        self.show_title()

    def _dress(self) -> None:
        self._button.setFont(self._themes.text("lead"))
        self.show_title()
