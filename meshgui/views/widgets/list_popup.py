"""A searchable list that pops up below a button, to pick one line or tick several."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QHideEvent, QIcon, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QWidget,
)

from meshgui.engine.basics.translation import tr
from meshgui.model.base.list_item import ListItem
from meshgui.views.style.direction import mirror_in, write_named
from meshgui.views.style.screens import screen_of
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.style.tinting import tinted
from meshgui.views.widgets.name_lines import fitted
from meshgui.views.widgets.searchable_list import SearchableList

_SEARCHED: Final = 9  # lines from which on they can be searched
_BEFORE: Final = 9  # pixels before the text of a button
_BEHIND: Final = 28  # and behind it, where the arrow is


class ListPopup(QFrame):
    """The list. `picked` gives the place of a line; ticked lists stay open."""

    picked = Signal(int)
    refused = Signal(int)  # a line that cannot be picked was asked for
    closed = Signal()

    def __init__(self, themes: ThemeManager, parent: QWidget, *, ticked: bool = False) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        parent.window().installEventFilter(self)
        self._themes = themes
        self._ticks = ticked
        self._room: int | None = None  # the greatest height of the list, once it is known
        self._upwards, self._end = False, 0  # whether it stands above its button, and there its lower edge
        self.setObjectName("listpopup")
        self._found = SearchableList(themes, self, ticked=ticked)
        self._found.used.connect(self._pick)
        self._found.refused.connect(self.refused)
        self._found.filled.connect(self._fit)
        self.closed.connect(self.deleteLater)
        self.search, self.list = self._found.search, self._found.list
        self.search.setPlaceholderText(tr("Find"))
        self.search.setAccessibleName(tr("Find"))
        sizing = Sizing(themes, self).spacing(self._found.column, 4)
        sizing.column(self._found, on=self, margins=(4, 4, 4, 4))

    def open_below(self, button: QWidget, lines: Sequence[ListItem], on: set[int]) -> None:
        """Show these lines below a button, those at the places in `on` ticked, or the one there current."""
        px = self._themes.px
        place = QRect(button.mapToGlobal(QPoint(0, -px(2))), button.size() + QSize(0, 2 * px(2)))
        self.open_at(place, button, lines, on)

    def open_at(self, place: QRect, button: QWidget, lines: Sequence[ListItem], on: set[int]) -> None:
        """Show them below a place of the screen, or above it; the list scrolls where its window is low."""
        px = self._themes.px
        theme = self._themes.theme
        self.setStyleSheet(
            f"#listpopup {{ background: {theme.raised}; border: 1px solid {theme.outline}; }}"
            f"QListWidget {{ background: {theme.raised}; }}"
            f"QListWidget::item {{ border: 1px solid transparent; padding: {px(4) - 1}px {px(8) - 1}px; }}"
            f"QListWidget::item:selected {{ border-color: {theme.focus}; }}"  # the keys are in the search
            f"#why {{ color: {theme.muted}; padding: 0 {px(8)}px; }}"
        )
        self.list.setAccessibleName(button.accessibleName() or tr("Choose"))
        self.search.setVisible(len(lines) >= _SEARCHED)
        self._found.offer(lines, on)
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        screen = screen_of(button).availableGeometry()
        wanted = max(self.list.sizeHintForColumn(0) + bar + px(16), place.width())
        self.list.ensurePolished()  # or its rows are as high as without its style
        self.setFixedWidth(min(wanted, screen.width() - px(16)))
        self._room = None
        self._fit()
        area = screen.intersected(button.window().geometry())
        below, above = area.bottom() - place.bottom(), place.top() - area.top()
        self._upwards = self.height() > below and above > below
        self._room = self.list.height() - self.height() + (above if self._upwards else below)
        self.move(max(screen.left(), min(place.left(), screen.right() - self.width())), place.bottom() + 1)
        self._end = place.top() - 1
        self._fit()
        self.show()
        (self.search if self.search.isVisibleTo(self) else self.list).setFocus()

    def _fit(self) -> None:
        """Be as high as the lines that are found, as far as there is room for whole ones."""
        rows = [self.list.sizeHintForRow(row) for row in range(self.list.count())]
        frame = 2 * self.list.frameWidth()
        heights = [
            height for height in accumulate(rows) if self._room is None or height <= self._room - frame
        ]
        self.list.setFixedHeight((heights[-1] if heights else rows[0] if rows else 0) + frame)
        self._found.updateGeometry()  # or its height in the layout is the one before
        self.adjustSize()
        if self._room is not None and self._upwards:
            self.move(self.x(), max(screen_of(self).availableGeometry().top(), self._end + 1 - self.height()))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Close when what it belongs to is disabled: it would keep all keys to itself, and take none."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange and not self.isEnabled():
            self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Close with its window: a list left open would keep the program from ending."""
        if event.type() == QEvent.Type.Hide:
            self.hide()
        return super().eventFilter(watched, event)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        """Emit that the list has closed."""
        super().hideEvent(event)
        self.closed.emit()

    def _pick(self, place: int) -> None:
        if not self._ticks:
            self.hide()  # a dialog that opens now would close it, and delete it meanwhile
        self.picked.emit(place)


class ListButton(QPushButton):
    """A button that shows the choice from a list, elided, and opens the list."""

    edited = Signal()

    def __init__(self, themes: ThemeManager, *, ticked: bool = False, empty: str = tr("Choose")) -> None:
        super().__init__()
        self._themes = themes
        self._ticked = ticked
        self._empty = empty
        self._lines: list[ListItem] = []
        self._on: set[int] = set()
        self._popup: ListPopup | None = None
        self.setAutoDefault(False)  # a field of a dialog, not what Enter does there
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self.open_list)
        Sizing(themes, self).call(self.setMinimumHeight, 30)
        themes.changed.connect(self.update)

    def offer(self, lines: Sequence[ListItem]) -> None:
        """Set the lines to choose from, unless they are the same."""
        if list(lines) != self._lines:
            self._fill(list(lines))

    def _fill(self, lines: list[ListItem]) -> None:
        chosen, self._lines = self.values(), lines
        self.choose(chosen)

    def choose(self, values: Sequence[object]) -> None:
        """Choose these lines; unknown ones are ignored."""
        self._on = {place for place, line in enumerate(self._lines) if line.value in values}
        self._say()

    def values(self) -> tuple[object, ...]:
        """The lines chosen, in the order of the list."""
        return tuple(self._lines[place].value for place in sorted(self._on))

    @property
    def words(self) -> str:
        """The text of the button: whole, or where that has no room in brief."""
        whole, brief = (
            self._whole,
            tr(", ").join(line.brief or line.short or line.title for line in self._chosen),
        )
        fits = QFontMetrics(self._themes.text()).horizontalAdvance(whole) <= self.words_room
        return whole if fits else brief

    @property
    def _whole(self) -> str:
        return tr(", ").join(line.short or line.title for line in self._chosen)

    @property
    def _chosen(self) -> list[ListItem]:
        return [self._lines[place] for place in sorted(self._on)]

    def open_list(self) -> None:
        """Show the list."""
        popup = self._popup = ListPopup(self._themes, self, ticked=self._ticked)
        popup.picked.connect(self._picked)
        popup.open_below(self, self._lines, self._on)

    @property
    def popup(self) -> ListPopup | None:
        """The list that was opened last."""
        return self._popup

    def width_for(self, words: str) -> int:
        """The width at which a text is seen whole beside the arrow."""
        return QFontMetrics(self._themes.text()).horizontalAdvance(words) + self._around

    @property
    def words_room(self) -> int:
        """The width that its text has beside the arrow."""
        return self.width() - self._around

    @property
    def _around(self) -> int:
        return self._themes.px(_BEFORE) + self._themes.px(_BEHIND)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The height of a field."""
        return QSize(self._themes.px(120), self._themes.px(30))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """A width for a few letters."""
        return QSize(self._themes.px(60), self._themes.px(30))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the text on the left, elided, and an arrow behind it."""
        del event
        option = QStyleOptionButton()
        with QPainter(self) as painter:
            self.initStyleOption(option)
            option.text = ""
            self.style().drawControl(QStyle.ControlElement.CE_PushButtonBevel, option, painter, self)
            mirror_in(self, painter)
            px, theme = self._themes.px, self._themes.theme
            room = QRect(px(_BEFORE), 0, self.words_room, self.height())
            words = self.words
            token = "text" if self.isEnabled() and words else "muted" if self.isEnabled() else "faint"
            painter.setPen(theme.colour(token))
            painter.setFont(self._themes.text())
            shown = fitted(words or self._empty, room.width(), painter.fontMetrics())
            quiet = theme.colour("muted" if self.isEnabled() else "faint")
            side = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
            write_named(painter, room, shown, quiet, side)
            side = px(14)
            arrow = tinted("chevron-down", theme.muted if self.isEnabled() else theme.faint)
            QIcon(arrow).paint(painter, self.width() - px(8) - side, (self.height() - side) // 2, side, side)

    def _picked(self, place: int) -> None:
        if self._ticked:
            self._on ^= {place}
        elif self._on == {place}:
            return
        else:
            self._on = {place}
        self._say()
        self.edited.emit()

    def _say(self) -> None:
        whole = self._whole
        self.setText((whole or self._empty).replace("&", "&&"))
        hints = [line.hint for line in self._chosen if line.hint]
        self.setToolTip(whole + (f"\n{hints[0]}" if len(hints) == 1 else ""))
        self.update()
