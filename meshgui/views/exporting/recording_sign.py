"""A sign in the status bar that a film is being recorded; a click on it ends the film."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QToolButton

from meshgui.engine.basics.translation import tr
from meshgui.views.exporting.recorder import WindowRecorder
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager


class RecordingSign(QToolButton):
    """Shown while a film is recorded, on the screen only: the film has none of it."""

    def __init__(self, recorder: WindowRecorder, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__()
        self._recorder, self._themes = recorder, themes
        self.setText(tr("Recording", "a film"))
        self.setToolTip(tr("A film of this window is being recorded\nA click ends it (Ctrl+Shift+R)"))
        self.setAccessibleName(tr("End the film"))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setAutoRaise(True)
        icons.dress(self, "circle-dot")
        Sizing(themes, self).icons(16, self)
        self.clicked.connect(recorder.stop)
        recorder.changed.connect(self._follow)
        themes.changed.connect(self._dress)
        self._dress()
        self._follow()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Leave frames of the film empty here."""
        if not self._recorder.grabbing:
            super().paintEvent(event)

    def _follow(self) -> None:
        self.setVisible(self._recorder.recording)

    def _dress(self) -> None:
        self.setFont(self._themes.text("lead"))
