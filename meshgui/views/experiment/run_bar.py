"""The foot of an experiment's form: its forecast, Start, the progress, and the points that failed."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QListWidget

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import count_of
from meshgui.model.studies.experiment_session import ExperimentSession
from meshgui.views.batch.run_bar import RunBar
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import label, push_button
from meshgui.views.widgets.focus_ring import FocusRing

_FAILURES: Final = 3  # lines before they scroll


class ExperimentRunBar(RunBar):
    """Shows the run of an experiment, and starts it."""

    start_asked = Signal()

    def __init__(self, session: ExperimentSession, themes: ThemeManager) -> None:
        super().__init__(session, themes)
        self._experiment = session
        self._failed = label(kind="caption")
        self.failures = QListWidget()
        self.failures.setAccessibleName(tr("Points that failed"))
        FocusRing(self.failures, themes)
        self.failures.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.failures.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._lines: list[str] = []  # of the failures
        self.start = push_button(tr("Start"), tr("Make the runs (Ctrl+Return)"), self.start_asked)
        self._fit_failures()
        themes.changed.connect(self._fit_failures)
        for part in (self._failed, self.failures):
            part.hide()
        self._lay_out((self._failed, self.failures), (self.start,))

    def show_session(self) -> None:
        """Show the session, and the points that failed."""
        super().show_session()
        lines = self._experiment.failures
        if lines == self._lines:
            return
        self._lines = lines
        self._failed.setText(tr("{points} failed").format(points=count_of(len(lines), "point", apart=True)))
        self.failures.clear()
        self.failures.addItems(lines)
        for row, line in enumerate(lines):
            self.failures.item(row).setToolTip(line)
        self._failed.setVisible(bool(lines))
        self.failures.setVisible(bool(lines))
        self._fit_failures()

    def _can_start(self) -> bool:
        return self._experiment.ready

    def _fit_failures(self) -> None:
        font = self._themes.text("caption")
        self.failures.setFont(font)
        row = QFontMetrics(font).height() + self._themes.px(8)
        self.failures.setFixedHeight(row * min(max(len(self._lines), 1), _FAILURES) + 2)
