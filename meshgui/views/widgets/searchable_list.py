"""A list that a few typed letters narrow down, with headings, ticks and one set of keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from meshgui.model.base.list_item import ListItem
from meshgui.model.base.matching import match_score, names_a_word
from meshgui.model.base.named import parts_of
from meshgui.views.style.fonts import lines_height
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.focus_ring import FocusRing
from meshgui.views.widgets.name_lines import NameLines

PLACE: Final = Qt.ItemDataRole.UserRole  # where an item's data hold its place among those offered
_WHY: Final = PLACE + 1  # and why it cannot be chosen
_REASON_LINES: Final = 2
_LONGEST: Final = 200  # letters of a search: each word is looked for in every line, while it is typed
_STEPS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -8, Qt.Key.Key_PageDown: 8}
_EXACT: Final = 100.0  # what a name adds to the score of its line: more than any words that fit
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class SearchableList(QWidget):
    """A search line and a list, to tick several lines or to pick one with Enter or a click.

    Where lines cannot be chosen the keys go to them all the same, and below the list stands why. Where the
    best come first, the keys go on from the last to the first.
    """

    used = Signal(int)  # the place of the line picked or ticked
    refused = Signal(int)  # the place of a line that cannot be, when it is asked for
    filled = Signal()

    def __init__(
        self,
        themes: ThemeManager,
        parent: QWidget,
        *,
        ticked: bool = False,
        best_first: bool = False,
        answers: Callable[[str], Sequence[ListItem]] | None = None,
    ) -> None:
        super().__init__(parent)
        self._themes, self._ticked, self._best_first = themes, ticked, best_first
        self.items: Sequence[ListItem] = ()
        self._offered: Sequence[ListItem] = ()
        self._answers = answers  # the further lines for what is typed
        self._on: set[int] = set()
        self.search = QLineEdit(self, maxLength=_LONGEST)
        self.search.textChanged.connect(self.fill)
        self.search.installEventFilter(self)
        self.list = QListWidget(self)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.installEventFilter(self)
        self.list.setItemDelegate(NameLines(self.list))
        FocusRing(self.list, themes)
        self.list.itemClicked.connect(self._use)
        self.list.currentItemChanged.connect(self._say_why)
        self.why = QLabel(self)
        self.why.setObjectName("why")
        self.why.setWordWrap(True)
        self.why.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.addWidget(self.search)
        self.column.addWidget(self.list)
        self.column.addWidget(self.why)

    def offer(self, items: Sequence[ListItem], on: set[int]) -> None:
        """List these lines; those at the places in `on` are ticked, or the one there is current."""
        self.items, self._offered, self._on = items, items, set(on)
        self.why.setVisible(any(map(self._refusal, range(len(items)))))
        if self.why.isVisibleTo(self):
            self.why.setFont(self._themes.text("caption"))
            self.why.setFixedHeight(lines_height(self.why.font(), _REASON_LINES) + self._themes.px(4))
        self.search.clear()
        self.fill()

    def shown(self) -> list[int]:
        """The places of the lines now listed, in order."""
        places = (self.list.item(row).data(PLACE) for row in range(self.list.count()))
        return [place for place in places if place is not None]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Pass the list's keys from the search to it; Enter picks or ticks, Space ticks without a search."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        key = Qt.Key(event.key())
        space = key == Qt.Key.Key_Space and (
            watched is self.list or (self._ticked and not self.search.text())
        )
        if key in _ENTER or space:
            item = self.list.currentItem()
            if item is not None:
                self._use(item)
            return True
        if key in _STEPS:
            self._step(_STEPS[key])
            return True
        return super().eventFilter(watched, event)

    def fill(self) -> None:
        """List the lines that match the search, with the best, or else the first one chosen, current."""
        query = self.search.text().strip()
        if self._answers is not None:
            self.items = [*self._offered, *self._answers(query)]
        # "gabl" is a strategy: then it does not mean the letters in "Paragon anchor-block".
        letters = not any(names_a_word(query, line.title) for line in self.items)
        scores = {
            place: self._score(query, place, item, letters=letters) for place, item in enumerate(self.items)
        }
        places = [place for place, score in scores.items() if score > 0 or not query]
        places = [place for place in places if query or not self.items[place].only_found]
        if self._best_first:
            places.sort(key=lambda place: -scores[place])
        self.list.clear()
        group = ""
        current: QListWidgetItem | None = None
        best = (0.0, False)
        for place in places:
            line = self.items[place]
            if line.group != group:
                group = line.group
                self._add_heading(group)
            item = self._add(place, line)
            fit = (scores[place], not self._refusal(place))
            if current is None or fit > best:
                current, best = item, fit
        if current is not None:
            self.list.setCurrentItem(current)
        self.filled.emit()

    def _score(self, query: str, place: int, line: ListItem, *, letters: bool) -> float:
        if not query:
            return float(place in self._on) or line.bonus
        help_text = f"{line.group} {line.hint} {line.synonyms}".strip()
        found = match_score(query, line.title, help_text, letters=letters)
        names = (line.title, *parts_of(line.title), *line.names)
        if query.casefold() in map(str.casefold, names):
            found += _EXACT
        return found + line.bonus if found else 0.0

    def _refusal(self, place: int) -> str:
        """Why a line cannot be chosen; what is ticked can be taken off."""
        return "" if place in self._on else self.items[place].refusal

    def _say_why(self) -> None:
        item = self.list.currentItem()
        self.why.setText("" if item is None else item.data(_WHY))

    def _add(self, place: int, line: ListItem) -> QListWidgetItem:
        item = QListWidgetItem(line.title)
        item.setData(PLACE, place)
        item.setToolTip(line.refusal or line.hint)
        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        item.setData(_WHY, self._refusal(place))
        if self._refusal(place):
            item.setForeground(self._themes.theme.colour("faint"))
        if self._ticked:
            item.setCheckState(self._state(place))
        self.list.addItem(item)
        return item

    def _add_heading(self, text: str) -> None:
        heading = QListWidgetItem(text)
        heading.setFlags(Qt.ItemFlag.NoItemFlags)
        heading.setFont(self._themes.text("caption", QFont.Weight.DemiBold))
        self.list.addItem(heading)

    def _state(self, place: int) -> Qt.CheckState:
        return Qt.CheckState.Checked if place in self._on else Qt.CheckState.Unchecked

    def _step(self, by: int) -> None:
        """Go to another line; past an end optionally wrap round, but a page stops there."""
        rows = range(self.list.count())
        lines = [row for row in rows if self.list.item(row).data(PLACE) is not None]
        if lines:
            now = self.list.currentRow()
            at = (lines.index(now) if now in lines else 0) + by
            round_it = self._best_first and abs(by) == 1
            self.list.setCurrentRow(lines[at % len(lines) if round_it else min(max(at, 0), len(lines) - 1)])

    def _use(self, item: QListWidgetItem) -> None:
        place = item.data(PLACE)
        if place is None:
            return
        if self._refusal(place):
            self.refused.emit(place)
            return
        if self._ticked:
            self._on ^= {place}
            item.setCheckState(self._state(place))
        self.used.emit(place)
