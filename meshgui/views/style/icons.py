"""Icons in the colours of the current theme."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QAbstractButton

from meshgui.views.style.theme import ThemeManager
from meshgui.views.style.theme_colours import Theme
from meshgui.views.style.tinting import tinted


def icon(name: str, theme: Theme) -> QIcon:
    """The icon `name`: in text colour, in the accent while checked, faint while it cannot be used."""
    result = QIcon()
    for colour, mode, state in (
        (theme.text, QIcon.Mode.Normal, QIcon.State.Off),
        (theme.accent, QIcon.Mode.Normal, QIcon.State.On),
        (theme.faint, QIcon.Mode.Disabled, QIcon.State.Off),
        (theme.faint, QIcon.Mode.Disabled, QIcon.State.On),
    ):
        result.addFile(tinted(name, colour), mode=mode, state=state)
    return result


class IconShelf(QObject):
    """Creates each icon once per theme, and updates the icons in use when the theme changes."""

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__(themes)
        self.themes = themes
        self._icons: dict[tuple[str, Theme], QIcon] = {}
        self._targets: list[tuple[QAction | QAbstractButton, str]] = []
        themes.changed.connect(self._redress)

    def icon(self, name: str) -> QIcon:
        """The icon in the current theme."""
        theme = self.themes.theme
        key = (name, theme)
        if key not in self._icons:
            self._icons[key] = icon(name, theme)
        return self._icons[key]

    def dress(self, target: QAction | QAbstractButton, name: str) -> None:
        """Give an action or a button an icon that follows the theme; a second call replaces it."""
        # Those that are gone go, too: buttons of panels come and go with every scenario.
        kept = [entry for entry in self._targets if entry[0] is not target and shiboken6.isValid(entry[0])]
        self._targets = [*kept, (target, name)]
        target.setIcon(self.icon(name))

    def _redress(self) -> None:
        self._targets = [entry for entry in self._targets if shiboken6.isValid(entry[0])]
        for target, name in self._targets:
            target.setIcon(self.icon(name))
