"""The files opened lately, as a submenu."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QMenu, QWidget

from meshgui.engine.basics.translation import tr, tr_page
from meshgui.engine.basics.words import harmless
from meshgui.model.base.recent import RecentFiles
from meshgui.views.widgets.building import literal


class RecentMenu(QMenu):
    """Lists those that are there whenever the menu is opened; it can be used while there is one."""

    def __init__(self, recent: RecentFiles, open_file: Callable[[Path], object], parent: QWidget) -> None:
        super().__init__(tr("Open recent"), parent)
        self._recent, self._open = recent, open_file
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self._fill)

    def stand_behind(self, menu: QMenu, command_id: str) -> None:
        """Take the place in a menu behind the entry of a command."""
        entries = menu.actions()
        place = next(place for place, entry in enumerate(entries) if entry.objectName() == command_id)
        menu.insertMenu(entries[place + 1], self)
        menu.aboutToShow.connect(lambda: self.menuAction().setEnabled(bool(self._recent.paths())))

    def _fill(self) -> None:
        self.clear()
        for path, title in self._recent.files():
            entry = self.addAction(literal(harmless(tr_page(title) or path.name)), partial(self._open, path))
            entry.setToolTip(literal(harmless(str(path))))
        self.addSeparator()
        self.addAction(tr("Forget these files"), self._recent.clear)
