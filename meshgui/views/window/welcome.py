"""The page shown before a scenario is open: examples, recent files, and buttons to open or create one."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from meshgui.engine.scenario import ScenarioError, load_scenario
from meshgui.model.document import SUFFIX
from meshgui.model.examples import example_groups
from meshgui.model.recent import RecentFiles
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import as_panel, label, push_button, scroll_area, widget_of

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
        """Return room for two lines with padding."""
        px = self._themes.px
        lines = QFontMetrics(self._fonts()[0]).height() + QFontMetrics(self._fonts()[1]).height()
        return QSize(px(320), lines + px(4 + 2 * 8))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the least width."""
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

    def __init__(self, recent: RecentFiles, themes: ThemeManager) -> None:
        super().__init__()
        self._recent = recent
        self._themes = themes
        as_panel(self)
        self._sizing = Sizing(themes, self)
        margins = (32, 24, 32, 24)
        column = self._sizing.column(2, self._make_head(), self._make_lists(), 3, spacing=28, margins=margins)
        self._body = widget_of(column)
        self._sizing.call(self._body.setMaximumWidth, 960)
        self._scroll = scroll_area(widget_of(self._sizing.row(1, (self._body, 1000), 1)))
        self._sizing.column(self._scroll, on=self)
        recent.changed.connect(self._show_recent)
        self.destroyed.connect(lambda: recent.changed.disconnect(self._show_recent))
        self._show_recent()

    def _make_head(self) -> QVBoxLayout:
        name = label("MeshGUI", "display")
        says = label(
            "Watch processors of a mesh being allocated to jobs, step by step, forwards and back.",
            "lead",
            wrap=True,
        )
        for text in (name, says):
            self._sizing.call(text.setContentsMargins, 12, 0, 0, 0)
        self.open_button = push_button("Open a scenario…", "", self.open_requested, primary=True)
        self.new_button = push_button("New scenario", "", self.new_requested)
        margins = (12, 12, 0, 0)
        buttons = self._sizing.row(self.open_button, self.new_button, 1, spacing=8, margins=margins)
        return self._sizing.column(name, says, buttons, spacing=8)

    def _make_lists(self) -> QGridLayout:
        sizing, groups = self._sizing, example_groups()
        headings = [label(name, "caption") for name in (*groups, "Recent")]
        gaps = headings[1:-1]  # those that stand below other examples
        examples: list[QWidget] = []
        for heading, paths in zip(headings, groups.values(), strict=False):
            examples += [heading] if heading in gaps else []
            for path in paths:
                entry = ScenarioEntry(_summary_of(path), self._themes, Qt.TextElideMode.ElideRight)
                entry.clicked.connect(lambda _=False, path=path: self.open_example.emit(path))
                examples.append(entry)
        for heading in headings:
            below = heading in gaps
            sizing.call(heading.setContentsMargins, 12, 16 * below, 0, 4 * below)
        self._none_yet = label("Scenarios you open are listed here.", "muted", wrap=True)
        sizing.call(self._none_yet.setContentsMargins, 12, 8, 0, 0)
        self._recent_list = sizing.column()
        grid = QGridLayout()
        grid.addWidget(headings[0], 0, 0)
        grid.addWidget(headings[-1], 0, 1)
        grid.addLayout(sizing.column(*examples, 1), 1, 0)
        grid.addLayout(sizing.column(self._none_yet, self._recent_list, 1), 1, 1)
        grid.setColumnStretch(0, 3)
        grid.setColumnStretch(1, 2)
        sizing.spacing(grid, 32, rows=4)
        return grid

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
