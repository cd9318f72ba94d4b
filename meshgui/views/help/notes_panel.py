"""The panel of a scenario's notes, which are Markdown, as they are while they are written."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QStackedWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.document.document import Document
from meshgui.model.manual.pages import translated
from meshgui.views.help.markdown_view import MarkdownView, open_outside
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.empty_state import EmptyState
from meshgui.views.widgets.following import follow

_LEAST_HEIGHT = 72  # three lines


class NotesPage(MarkdownView):
    """Notes in whole lines: one that an edge goes through is left out."""

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__(themes, margin=10, line=120.0)  # the panels below need the room
        self.verticalScrollBar().valueChanged.connect(lambda _: self.viewport().update())  # Qt only moves it

    def paintEvent(self, event: QPaintEvent, /) -> None:  # noqa: N802 - Qt's name
        """Paint the page, and the ground over what is cut."""
        super().paintEvent(event)
        with QPainter(self.viewport()) as painter:
            for line in self.cut_lines():
                painter.fillRect(line, self._themes.theme.colour("panel"))

    def cut_lines(self) -> Iterator[QRectF]:
        """What is in sight of lines that the upper or the lower edge goes through."""
        seen = QRectF(self.viewport().rect())
        scrolled = QPointF(0, self.verticalScrollBar().value())
        layout = self.document().documentLayout()
        for edge in (seen.top(), seen.bottom()):
            at = layout.hitTest(QPointF(0, edge) + scrolled, Qt.HitTestAccuracy.FuzzyHit)
            block = self.document().findBlock(at)
            origin = layout.blockBoundingRect(block).topLeft() - scrolled
            near = block.layout().lineForTextPosition(at - block.position()).lineNumber()
            for number in range(max(near - 1, 0), min(near + 2, block.layout().lineCount())):
                line = block.layout().lineAt(number).rect().translated(origin)
                if line.top() < edge < line.bottom() and line.height() < seen.height() / 2:
                    yield QRectF(0, line.top(), seen.width(), line.height()).intersected(seen)


class NotesPanel(QStackedWidget):
    """Shows the notes of the open scenario; without any it offers to write some."""

    edit_asked = Signal()

    def __init__(self, document: Document, themes: ThemeManager) -> None:
        super().__init__()
        self._document, self._themes = document, themes
        self._shown: str | None = None
        self.page = NotesPage(themes)
        self.page.setAccessibleName(tr("Notes"))
        self.page.anchorClicked.connect(open_outside)
        self.empty = EmptyState(themes)
        self.empty.button.clicked.connect(self.edit_asked)
        self.addWidget(self.page)
        self.addWidget(self.empty)
        follow(self, document.changed, self._show_notes)
        follow(self, document.draft_changed, self._show_notes)
        self._show_notes()

    @property
    def has_notes(self) -> bool:
        """Whether the open scenario has notes."""
        return bool(self._document.notes.strip())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return no height for notes, which scroll by themselves, and that of a few lines without any."""
        return QSize(self._themes.px(120), 1 if self.has_notes else self._themes.px(_LEAST_HEIGHT))

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the height of the notes at the width there is."""
        width = max(self.width(), self._themes.px(240))
        return QSize(width, self.page.height_at(width) if self.has_notes else self._themes.px(96))

    def _show_notes(self) -> None:
        notes = self._document.notes
        if notes == self._shown:
            return
        self._shown = notes
        if self.has_notes:
            self.page.show_page(translated(notes))
            self.setCurrentWidget(self.page)
            self.updateGeometry()
            return
        opened = self._document.scenario is not None
        words = tr("No notes on this scenario.") if opened else tr("Open a scenario to see its notes.")
        self.empty.invite(words, tr("Write notes") if opened else "")
        self.setCurrentWidget(self.empty)
