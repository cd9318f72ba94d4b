"""Why a job waits, as a sheet in the place of the mesh: for the last row."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QSizePolicy

from meshgui.engine.basics.sentences import joined
from meshgui.engine.basics.translation import tr
from meshgui.model.jobs.waiting_tables import FoundReason
from meshgui.model.moment.moment_view import View
from meshgui.views.docks.host import HostWindow
from meshgui.views.panels.why import WaitWords
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import LECTURE_ZOOM, EnlargedDress
from meshgui.views.widgets.building import restyle
from meshgui.views.widgets.sheet_card import SheetCard

_ZOOMS: Final = (LECTURE_ZOOM, 1.4, 1.25, 1.1, 1.0)
"""As large as the code; the smaller ones are for what has no room."""


class WhySheet(WaitWords):
    """The words in letters as large as the code of a lecture.

    Where they have no room they are smaller, and at last without the sentences at their end.
    """

    def __init__(self, host: HostWindow) -> None:
        context = host.context
        self._letters = EnlargedDress(context.themes)
        super().__init__(*context.views, self._letters)
        self._letters.setParent(self)
        self._said: tuple[str, ...] = ()
        self.setAccessibleName(tr("Why it waits"))
        restyle(self, "panel", value=False)  # the mesh's ground is around the card
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)  # it keeps its size
        self.words.installEventFilter(self)
        self._card = SheetCard(self.words, context.themes, context.icons, lambda: host.trigger("panel.job"))
        Sizing(context.themes, self).column(self._card, on=self, margins=(12, 4, 12, 4))
        self._letters.changed.connect(self._dress)  # with every theme: its stylesheet resets the size
        context.themes.changed.connect(self._fit)
        self._dress()

    def eventFilter(self, watched: QObject, event: QEvent, /) -> bool:  # noqa: N802 - Qt's name
        """Write in letters that have room."""
        if watched is self.words and event.type() == QEvent.Type.Resize:
            self._fit()
        return super().eventFilter(watched, event)

    def _name(self, job: int | None) -> None:
        self._card.show_job(job)

    def _show_nothing(self, told: str) -> None:
        super()._show_nothing(told)
        self._said = (told,)
        self._fit()

    def _show_reason(self, view: View, found: FoundReason) -> None:
        super()._show_reason(view, found)
        self._said = found.reason.sentences
        self._fit()

    def _dress(self) -> None:
        self.words.setFont(self._letters.text())

    def _fit(self) -> None:
        self._write()
        self._card.fit()

    def _write(self) -> None:
        for zoom in _ZOOMS:
            self._letters.set_zoom(zoom)
            if self._has_room(self._said):
                return
        for count in range(len(self._said) - 1, 0, -1):
            if self._has_room(self._said[:count]):
                return

    def _has_room(self, said: tuple[str, ...]) -> bool:
        """Say this, in one paragraph, and see whether all of it is in sight."""
        self.words.say((joined(said),))
        return self.words.heightForWidth(self.words.width()) <= self.words.height()
