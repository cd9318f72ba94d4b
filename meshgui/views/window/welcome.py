"""The page shown before a scenario is open: examples, recent files, and buttons to open or create one."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from meshgui.engine.scenario import ScenarioError, load_scenario
from meshgui.model.document import SUFFIX
from meshgui.model.examples import example_groups
from meshgui.model.recent import RecentFiles
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager

__all__ = ["ScenarioEntry", "Welcome"]

_RECENT_SHOWN = 8


class ScenarioSummary(NamedTuple):
    """Title, description and a few facts of a scenario."""

    title: str
    about: str
    facts: str = ""


class ScenarioEntry(QAbstractButton):
    """A line that opens a scenario; long texts end in an ellipsis, with all of it in the tool tip."""

    def __init__(
        self, summary: ScenarioSummary, themes: ThemeManager, elide: Qt.TextElideMode, hint: str = ""
    ) -> None:
        super().__init__()
        self.summary = summary
        self._themes = themes
        self._elide = elide
        self.setToolTip(hint or summary.about)
        self.setAccessibleName(summary.title)
        self.setAccessibleDescription(f"{summary.about} {summary.facts}".strip())
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        themes.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Two lines with air around them."""
        px = self._themes.px
        lines = QFontMetrics(self._fonts()[0]).height() + QFontMetrics(self._fonts()[1]).height()
        return QSize(px(320), lines + px(4 + 2 * 8))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Any width."""
        return QSize(self._themes.px(160), self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Return opens, as the space bar does."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the hover highlight."""
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Remove the hover highlight."""
        super().leaveEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the summary, a highlight under the pointer, and a ring for the focus."""
        del event
        theme, px = self._themes.theme, self._themes.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ring = self.rect().adjusted(1, 1, -1, -1)
        painter.setPen(QPen(theme.colour("focus"), 2) if self.hasFocus() else Qt.PenStyle.NoPen)
        pointed = self.isDown() or self.underMouse()
        painter.setBrush(
            theme.colour("pressed" if self.isDown() else "hover") if pointed else Qt.BrushStyle.NoBrush
        )
        painter.drawRoundedRect(ring, px(6), px(6))
        title, about = self._fonts()
        room = self.rect().adjusted(px(12), px(8), -px(12), -px(8))
        first = QRect(room.left(), room.top(), room.width(), QFontMetrics(title).height())
        second = QRect(room.left(), first.bottom() + px(4), room.width(), QFontMetrics(about).height())
        facts = QFontMetrics(about).horizontalAdvance(self.summary.facts)
        self._write(painter, first.adjusted(0, 0, -facts - px(12), 0), title, self.summary.title, "text")
        self._write(painter, second, about, self.summary.about, "muted")
        painter.setFont(about)
        painter.drawText(
            first, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self.summary.facts
        )

    def _write(self, painter: QPainter, room: QRect, font: QFont, text: str, token: str) -> None:
        painter.setFont(font)
        painter.setPen(self._themes.theme.colour(token))
        elided = QFontMetrics(font).elidedText(text, self._elide, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, elided)

    def _fonts(self) -> tuple[QFont, QFont]:
        return self._themes.text("body", QFont.Weight.DemiBold), self._themes.text("caption")


class Welcome(QWidget):
    """The page with ready scenarios, recent files, and buttons to open or create one."""

    open_example = Signal(Path)
    open_recent = Signal(Path)
    open_requested = Signal()
    new_requested = Signal()

    def __init__(self, recent: RecentFiles, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._recent = recent
        self._themes = themes
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._body = QWidget()
        self._column = QVBoxLayout(self._body)
        self._column.addStretch(2)
        self._column.addLayout(self._make_head())
        self._column.addLayout(self._make_lists())
        self._column.addStretch(3)
        self._lay_out()
        recent.changed.connect(self._show_recent)
        self.destroyed.connect(lambda: recent.changed.disconnect(self._show_recent))
        self._show_recent()
        self._size(Sizing(themes, self))

    def _make_head(self) -> QVBoxLayout:
        self._name = QLabel("MeshGUI")
        self._name.setProperty("type", "display")
        self._says = QLabel(
            "Watch processors of a mesh being allocated to jobs, step by step, forwards and back."
        )
        self._says.setProperty("type", "lead")
        self._says.setWordWrap(True)
        self.open_button = QPushButton("Open a scenario…")
        self.open_button.setProperty("primary", True)
        self.open_button.clicked.connect(self.open_requested)
        self.new_button = QPushButton("New scenario")
        self.new_button.clicked.connect(self.new_requested)
        self._buttons = QHBoxLayout()
        self._buttons.addWidget(self.open_button)
        self._buttons.addWidget(self.new_button)
        self._buttons.addStretch()
        self._head = QVBoxLayout()
        self._head.addWidget(self._name)
        self._head.addWidget(self._says)
        self._head.addLayout(self._buttons)
        return self._head

    def _make_lists(self) -> QGridLayout:
        self._lists = QGridLayout()
        groups = example_groups()
        self._headings = [QLabel(name) for name in groups] + [QLabel("Recent")]
        self._gaps: list[QLabel] = self._headings[1:-1]  # those that stand below other examples
        left, right = QVBoxLayout(), QVBoxLayout()
        for heading, paths in zip(self._headings, groups.values(), strict=False):
            if heading in self._gaps:
                left.addWidget(heading)
            for path in paths:
                entry = ScenarioEntry(_summary_of(path), self._themes, Qt.TextElideMode.ElideRight)
                entry.clicked.connect(lambda _=False, path=path: self.open_example.emit(path))
                left.addWidget(entry)
        left.addStretch()
        self._recent_list = QVBoxLayout()
        self._none_yet = QLabel("Scenarios you open are listed here.")
        self._none_yet.setProperty("type", "muted")
        self._none_yet.setWordWrap(True)
        right.addWidget(self._none_yet)
        right.addLayout(self._recent_list)
        right.addStretch()
        for heading in self._headings:
            heading.setProperty("type", "caption")
        tops = self._headings[0], self._headings[-1]
        for column, (heading, entries) in enumerate(zip(tops, (left, right), strict=True)):
            entries.setSpacing(0)
            self._lists.addWidget(heading, 0, column)
            self._lists.addLayout(entries, 1, column)
        self._lists.setColumnStretch(0, 3)
        self._lists.setColumnStretch(1, 2)
        return self._lists

    def _lay_out(self) -> None:
        middle = QWidget()
        row = QHBoxLayout(middle)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(self._body, 1000)
        row.addStretch(1)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(middle)
        middle.setAutoFillBackground(False)
        self._scroll.viewport().setAutoFillBackground(False)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._scroll)

    def _show_recent(self) -> None:
        while (item := self._recent_list.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        paths = self._recent.paths()[:_RECENT_SHOWN]
        for path in paths:
            summary = ScenarioSummary(path.name.removesuffix(SUFFIX), _folder(path))
            entry = ScenarioEntry(summary, self._themes, Qt.TextElideMode.ElideMiddle, str(path))
            entry.clicked.connect(lambda _=False, path=path: self.open_recent.emit(path))
            self._recent_list.addWidget(entry)
        self._none_yet.setVisible(not paths)

    def _size(self, sizing: Sizing) -> None:
        sizing.call(self._body.setMaximumWidth, 960)
        sizing.margins(self._column, 32, 24, 32, 24).spacing(self._column, 28)
        sizing.spacing(self._head, 8).spacing(self._buttons, 8).spacing(self._lists, 32, rows=4)
        for heading in self._headings:
            below = heading in self._gaps
            sizing.call(heading.setContentsMargins, 12, 16 * below, 0, 4 * below)
        sizing.call(self._none_yet.setContentsMargins, 12, 8, 0, 0)
        for text in (self._name, self._says):
            sizing.call(text.setContentsMargins, 12, 0, 0, 0)
        sizing.margins(self._buttons, 12, 12, 0, 0)


def _folder(path: Path) -> str:
    """The folder of a file, with ~ for the home folder."""
    try:
        return str("~" / path.parent.relative_to(Path.home()))
    except (ValueError, RuntimeError):  # outside the home folder, or there is none
        return str(path.parent)


def _summary_of(path: Path) -> ScenarioSummary:
    """The summary of an example; of one that cannot be read, the reason."""
    try:
        scenario = load_scenario(path)
    except ScenarioError as error:
        return ScenarioSummary(path.name.removesuffix(SUFFIX), str(error))
    return ScenarioSummary(
        scenario.title, scenario.notes, f"{scenario.allocator.name} · {scenario.machine.describe()}"
    )
