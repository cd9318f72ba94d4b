"""The page shown before a scenario is open: examples, recent files, and buttons to open one, or a lesson."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from meshgui.engine.basics.translation import tr, tr_page
from meshgui.engine.basics.words import harmless
from meshgui.engine.scenario import ScenarioError
from meshgui.model.base.recent import RecentFiles
from meshgui.model.document.document import SUFFIX
from meshgui.model.document.examples import example_groups, outline
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import as_panel, label, push_button, scroll_area, widget_of
from meshgui.views.widgets.soon import soon
from meshgui.views.window.card_grid import CardGrid
from meshgui.views.window.scenario_entry import ExampleCard, ScenarioEntry, ScenarioSummary

_RECENT_SHOWN = 5  # a row of a laptop


class Welcome(QWidget):
    """The page with ready scenarios, recent files, and buttons to open or create one."""

    open_example = Signal(Path)
    open_recent = Signal(Path)
    open_requested = Signal()
    new_requested = Signal()
    tour_requested = Signal()
    lessons_requested = Signal()
    back_requested = Signal()  # to the scenario that is open

    def __init__(self, recent: RecentFiles, themes: ThemeManager) -> None:
        super().__init__()
        self._recent = recent
        self._themes = themes
        as_panel(self)
        self._sizing = Sizing(themes, self)
        self._made = False
        self._unnamed: list[tuple[ExampleCard, str]] = []  # the cards without their strategy, with its id
        self._names = False  # whether there is time for that
        self._way_back = False

    def _make(self) -> None:
        self._made = True
        margins = (16, 24, 16, 24)
        column = self._sizing.column(2, self._make_head(), self._make_lists(), 3, spacing=28, margins=margins)
        self._body = widget_of(column)
        self._sizing.call(self._body.setMaximumWidth, 1880)
        self._scroll = scroll_area(widget_of(self._sizing.row(1, (self._body, 1000), 1)))
        self._sizing.column(self._scroll, on=self)
        changed = self._recent.changed
        changed.connect(self._show_recent)
        self.destroyed.connect(lambda: changed.disconnect(self._show_recent))
        self._show_recent()
        self.offer_back(offered=self._way_back)
        self._scroll.show()  # now, not after the first paint
        if self._names:
            soon(self, self._name_next, 1)

    def name_strategies(self) -> None:
        """Name the strategies of the cards: the window is painted, and has time for it."""
        self._names = True
        soon(self, self._name_next, 1)

    def _name_next(self) -> None:
        """Add the strategy of the next card: its full name is in its file, and all of them take longer."""
        from meshgui.model.fields.names import strategy_name  # noqa: PLC0415 - read at first use

        if self._unnamed:
            card, strategy = self._unnamed.pop(0)
            card.add_fact(strategy_name(strategy))
            soon(self, self._name_next, 1)

    def _make_head(self) -> QVBoxLayout:
        name = label("MeshGUI", "display")
        says = label(
            tr("Watch processors of a mesh being allocated to jobs, step by step, forwards and back."),
            "lead",
            wrap=True,
        )
        for text in (name, says):
            self._sizing.margins(text, 12, 0, 0, 0)
        self.open_button = push_button(tr("Open a scenario…"), "", self.open_requested, primary=True)
        self.new_button = push_button(tr("New scenario"), "", self.new_requested)
        hint = tr("See in two minutes what each part of the window is for")
        self.tour_button = push_button(tr("Take the tour"), hint, self.tour_requested)
        hint = tr("Choose a lesson: texts whose steps show moments and ask for figures (Shift+L)")
        self.lessons_button = push_button(tr("Lessons…"), hint, self.lessons_requested)
        hint = tr("Back to the open scenario (Esc)")
        self.back_button = push_button(tr("Back to the scenario"), hint, self.back_requested)
        first = self._sizing.row(self.open_button, self.new_button, spacing=8)
        learn = self._sizing.row(self.tour_button, self.lessons_button, spacing=8)
        back = self._sizing.row(self.back_button)
        self._buttons = self._sizing.row(first, learn, back, spacing=8, margins=(12, 12, 0, 0))
        for part in (first, learn, back):
            self._buttons.setAlignment(part, Qt.AlignmentFlag.AlignLeft)
        return self._sizing.column(name, says, self._sizing.row((self._buttons, 0), 1), spacing=8)

    @property
    def _offered(self) -> tuple[QPushButton, ...]:
        """The buttons, the way back last where there is one."""
        ways = self.open_button, self.new_button, self.tour_button, self.lessons_button
        return (*ways, self.back_button) if self._way_back else ways

    def offer_back(self, *, offered: bool) -> None:
        """Offer the way back to the scenario that is open."""
        self._way_back = offered
        if self._made:
            self.back_button.setVisible(offered)
            self._fit_width()

    def keep_free(self, height: int) -> None:
        """Leave a height free at the foot, where a notice lies: the mesh moves for none, a page may."""
        self.setContentsMargins(0, 0, 0, height)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Put things below each other where the page is narrow."""
        super().resizeEvent(event)
        if self._made:
            self._fit_width()

    def _fit_width(self) -> None:
        room = self.width() - self._themes.px(60)  # without margins, gaps and the scroll bar
        below = sum(button.sizeHint().width() for button in self._offered) > room
        self._buttons.setDirection(
            QBoxLayout.Direction.TopToBottom if below else QBoxLayout.Direction.LeftToRight
        )

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Make the page at its first sight: a window on a scenario never needs it."""
        if not self._made:
            self._make()
            self._fit_width()
        super().showEvent(event)

    def _make_lists(self) -> QVBoxLayout:
        self._recent_files = CardGrid(())
        self._recent_part = widget_of(
            self._sizing.column(self._heading(tr("Recent")), self._recent_files, spacing=4)
        )
        parts: list[QWidget] = [self._recent_part]
        for name, paths in example_groups().items():
            cards = []
            for path in paths:
                summary, strategy = _summary_of(path)
                card = ExampleCard(path.name.removesuffix(SUFFIX), summary, self._themes)
                if strategy:
                    self._unnamed.append((card, strategy))
                card.clicked.connect(partial(self.open_example.emit, path))
                cards.append(card)
            parts.append(widget_of(self._sizing.column(self._heading(name), CardGrid(cards), spacing=4)))
        return self._sizing.column(*parts, 1, spacing=16)

    def _heading(self, words: str) -> QLabel:
        heading = label(words, "caption")
        self._sizing.margins(heading, 12, 0, 0, 0)
        return heading

    def _show_recent(self) -> None:
        entries = []
        for path, title in self._recent.files()[:_RECENT_SHOWN]:
            name = path.name.removesuffix(SUFFIX)
            place = _short(path) if title else _short(path.parent)
            summary = ScenarioSummary(harmless(tr_page(title)) or name, place)
            entries.append(entry := ScenarioEntry(summary, self._themes, str(path)))
            entry.clicked.connect(lambda _=False, path=path: self.open_recent.emit(path))
        self._recent_files.offer(entries)
        self._recent_part.setVisible(bool(entries))


def _short(path: Path) -> str:
    """A path, with ~ for the home folder."""
    try:
        return str("~" / path.relative_to(Path.home()))
    except (ValueError, RuntimeError):  # outside the home folder, or there is none
        return str(path)


def _summary_of(path: Path) -> tuple[ScenarioSummary, str]:
    """The summary of an example and its strategy's id; of one that cannot be read, the reason."""
    try:
        found = outline(path)
    except ScenarioError as error:
        return ScenarioSummary(path.name.removesuffix(SUFFIX), str(error)), ""
    return ScenarioSummary(found.title, found.notes, found.machine), found.strategy
