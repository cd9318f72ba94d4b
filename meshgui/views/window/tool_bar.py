"""The tool bar: the scenario's title, the transport and a few commands; what has no room is in its » menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLayout,
    QMenu,
    QMenuBar,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QWidget,
)

from meshgui.engine.basics.translation import tr
from meshgui.model.stepping.player import Granularity
from meshgui.views.commands.registry import CommandRegistry
from meshgui.views.document.title_button import TitleButton
from meshgui.views.stepping.transport import Transport
from meshgui.views.style.direction import is_rtl
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.context import Context
from meshgui.views.widgets.tool_button import tool_button

_COMMANDS: Final = {
    "panel.plots": tr("Plots"),
    "window.palette": tr("Find"),
    "window.theme": tr("Theme"),
    "window.presenter": tr("Present"),
}
"""The commands at the end of the bar, each with a word for its icon."""

_GOING: Final = ("window.theme", "panel.plots", "window.presenter", "window.palette")
"""Which loses its word first and goes first where there is no room: the one whose icon says most."""

_HEIGHT = 44
_BEFORE_AIR: Final = 100  # the stretch of what grows before the empty room does
_BESIDE: Final = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
_BEFORE_WORD: Final = 4  # pixels, which Qt puts between icon and word
_APART: Final = "\N{FOUR-PER-EM SPACE}"  # and what an icon of 18 pixels needs beyond that


class _Fold(NamedTuple):
    """A widget that is hidden where the bar has no room, and what the » menu then offers."""

    widget: QWidget
    actions: tuple[QAction, ...]


class _Row(QHBoxLayout):
    """A row that says when what it is laid out by has changed."""

    def __init__(self, changed: Callable[[], None]) -> None:
        super().__init__()
        self._changed = changed

    def invalidate(self) -> None:
        """Qt calls it at each change of a part's size, of what is hidden, and of a style."""
        self._changed()
        super().invalidate()


class FoldingBar(QWidget):
    """A row of widgets of which some are replaced by entries of a menu where the row is too narrow.

    Where all have room, icons have words beside them, as far as these have room, too.

    QToolBar has a » of its own, but takes away the end of the row first, be it the most needed, and shows a
    widget below it as it is in the row.
    """

    def __init__(self, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__()
        self._folds: list[_Fold] = []
        self._away: set[QWidget] = set()
        self._worded: list[QToolButton] = []
        self._giving: list[QWidget] = []
        self.more = tool_button(icons, "chevrons-right", tr("More: commands that do not fit in the tool bar"))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.more)
        self.menu.aboutToShow.connect(self._fill)
        self.more.setMenu(self.menu)
        self.more.hide()
        sizing = Sizing(themes, self).icons(18, self.more)
        self._least: QSize | None = None
        self._row = _Row(self._forget_least)
        self._row.addWidget(self.more)
        sizing.margins(self._row, 0, 0, 0, 0).spacing(self._row, 4)
        self.setLayout(self._row)
        self._row.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def add(self, widget: QWidget, stretch: int = 0) -> None:
        """Append a widget to the row."""
        self._row.insertWidget(self._row.count() - 1, widget, stretch)

    def add_stretch(self) -> None:
        """Append empty room."""
        self._row.insertStretch(self._row.count() - 1, 1)

    def give_way(self, widget: QWidget) -> None:
        """Let a widget be the first to shrink where none folds: Qt counts a stretch with its least width."""
        widget.setSizePolicy(QSizePolicy.Policy.Maximum, widget.sizePolicy().verticalPolicy())
        self._row.setStretchFactor(widget, _BEFORE_AIR)
        self._giving.append(widget)

    def fold_next(self, widget: QWidget, *actions: QAction) -> None:
        """Let a widget of the row fold after those named so far; the menu then offers its actions."""
        self._folds.append(_Fold(widget, actions))

    def word_next(self, button: QToolButton) -> None:
        """Show the word of a button beside its icon where there is room after those named so far."""
        self._worded.append(button)

    def set_away(self, widgets: set[QWidget]) -> None:
        """Hide these parts, which have nothing to do now, and show those that were hidden so before."""
        changed, self._away = self._away ^ widgets, widgets
        for widget in changed:
            widget.setHidden(widget in widgets)
        self._fit()

    @property
    def folded(self) -> list[QWidget]:
        """The widgets that have no room now."""
        return [fold.widget for fold in self._foldable if fold.widget.isHidden()]

    @property
    def _foldable(self) -> list[_Fold]:
        """What may fold, the first to go first, without what is away."""

        def is_away(part: QWidget) -> bool:
            return any(away is part or away.isAncestorOf(part) for away in self._away)

        return [fold for fold in self._folds if not is_away(fold.widget)]

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The room of what never folds, worked out again where a part has changed: Qt asks very often."""
        if self._least is None:
            self._least = self._work_out_least()
        return self._least

    def _forget_least(self) -> None:
        self._least = None

    def _work_out_least(self) -> QSize:
        least, given = self._row.minimumSize(), self._given()
        foldable = sum(self._width(fold) for fold in self._foldable if not fold.widget.isHidden())
        more = 0 if not self.more.isHidden() else self._more_width()
        return QSize(least.width() + given - self._words_width() - foldable + more, least.height())

    def event(self, event: QEvent) -> bool:
        """Fold what has no room, also after a part has changed its width."""
        done = super().event(event)
        if event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            self._fit()
        return done

    def _fit(self) -> None:
        folds, room, spare = self._foldable, self.width(), self._more_width()
        shown = 0 if self.more.isHidden() else spare
        least = self._row.minimumSize().width() + self._given() - shown - self._words_width()
        needed = least + self._wished() + sum(self._width(fold) for fold in folds if fold.widget.isHidden())
        folded = 0
        while folded < len(folds) and needed + (spare if folded else 0) > room:
            needed -= self._width(folds[folded])
            folded += 1
        hidden = set(range(folded))
        comfort = needed + 2 * spare  # with air for one more
        for number in reversed(range(folded)):  # what is smaller than the last that went may still have room
            alone = not folds[number].actions and number + 1 in hidden  # a line beside nothing
            if not alone and comfort + self._width(folds[number]) <= room:
                comfort += self._width(folds[number])
                hidden.discard(number)
        for number, fold in enumerate(folds):
            if fold.widget.isHidden() != (number in hidden):
                fold.widget.setHidden(number in hidden)
        if self.more.isHidden() != (folded == 0):
            self.more.setHidden(folded == 0)
        self._show_words(0 if folded else room - needed - spare)

    def _show_words(self, room: int) -> None:
        """Show the words that have room beside the icons, each as a whole."""
        for button in self._worded:
            room -= _word_width(button)
            style = _BESIDE if room >= 0 else Qt.ToolButtonStyle.ToolButtonIconOnly
            if button.toolButtonStyle() != style:
                button.setToolButtonStyle(style)

    def _words_width(self) -> int:
        """The width of the words that are shown now."""
        shown = (each for each in self._worded if each.toolButtonStyle() == _BESIDE)
        return sum(_word_width(each) for each in shown if not each.isHidden())

    def _fill(self) -> None:
        self.menu.clear()
        for fold in reversed(self._foldable):
            if fold.widget.isHidden():
                self.menu.addSeparator()
                self.menu.addActions(list(fold.actions))

    def _width(self, fold: _Fold) -> int:
        # As the row's least width counts it: what can shrink is wider while there is room.
        part = fold.widget
        least = part.minimumSizeHint().expandedTo(part.minimumSize()).width()
        shrinks = part.sizePolicy().horizontalPolicy().value & QSizePolicy.PolicyFlag.ShrinkFlag.value
        if not shrinks or part in self._giving:
            least = max(least, part.sizeHint().width())
        if part in self._worded and isinstance(part, QToolButton) and part.toolButtonStyle() == _BESIDE:
            least -= _word_width(part)
        return least + self._row.spacing()

    def _given(self) -> int:
        """What the parts that give way take beyond their least: they fold as if they could not shrink."""
        shown = (part for part in self._giving if not part.isHidden())
        return sum(part.sizeHint().width() - part.minimumSizeHint().width() for part in shown)

    def _wished(self) -> int:
        """What the parts that stay as they are, such as the title, take beyond their least."""
        folding = {fold.widget for fold in self._folds} | {fold.widget.parentWidget() for fold in self._folds}
        items = (self._row.itemAt(place) for place in range(self._row.count()))
        staying = (
            item for item in items if item is not None and item.widget() not in folding and not item.isEmpty()
        )
        return sum(item.sizeHint().width() - item.minimumSize().width() for item in staying)

    def _more_width(self) -> int:
        return self.more.sizeHint().width() + self._row.spacing()


class ToolBar(QToolBar):
    """The one tool bar of the main window."""

    def __init__(
        self,
        title: TitleButton,
        strategy: QToolButton,
        transport: Transport,
        commands: CommandRegistry,
        context: Context,
    ) -> None:
        super().__init__(tr("Tool bar"))
        themes, icons = context.themes, context.icons
        self.setObjectName("toolbar")
        self.setMovable(False)
        self._sizing = Sizing(themes, self)
        self._menus: QMenuBar | None = None
        self._presenting = False
        self.bar = FoldingBar(themes, icons)
        self.menu_button = tool_button(icons, "menu", tr("The menus"))
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu_button.hide()
        self.bar.add(self.menu_button)
        self.bar.add(title)
        self.bar.add(strategy)
        self.bar.give_way(strategy)  # it has shorter names, where the title would be cut
        self.bar.add_stretch()
        self.bar.add(transport, _BEFORE_AIR)  # the sizes of a step lose their air before letters of the title
        self.bar.add_stretch()
        commands.dress(*_COMMANDS)
        self.buttons = {name: self._button(commands.action(name), word) for name, word in _COMMANDS.items()}
        for button in self.buttons.values():
            self.bar.add(button)
        for name in reversed(_GOING):
            self.bar.word_next(self.buttons[name])
        self._sizing.icons(18, self, strategy, self.menu_button, *self.buttons.values())
        self._sizing.call(self.setFixedHeight, _HEIGHT)
        self.strategy = strategy
        self._fold(strategy, transport, commands)
        self.addWidget(self.bar)

    def offer_menus(self, menus: QMenuBar) -> None:
        """Offer the menus behind one button wherever their bar is hidden."""
        menu = QMenu(self.menu_button)
        menu.addActions(menus.actions())
        self.menu_button.setMenu(menu)
        self._menus = menus

    def present(self, presenting: bool) -> None:
        """Have the menus behind their button, or in their bar again."""
        self._presenting = presenting
        self._place_menus()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Have the menus where they have room, after a change of the width or of the letters."""
        super().resizeEvent(event)
        self._place_menus()

    def _place_menus(self) -> None:
        """Hide the menu bar while presenting, and where it would cut menus off behind a sliver."""
        if self._menus is None:
            return
        behind = self._presenting or _width_of(self._menus) > self.width()
        self._menus.setHidden(behind)
        self.menu_button.setVisible(behind)

    def _fold(self, strategy: QToolButton, transport: Transport, commands: CommandRegistry) -> None:
        """Name what folds, the first to go first."""

        def part(widget: QWidget, names: Sequence[str]) -> None:
            self.bar.fold_next(widget, *(commands.action(name) for name in names))

        for name in _GOING:
            part(self.buttons[name], (name,))
        part(transport.speed_button, ("time.faster", "time.slower"))
        part(transport.rule, ())
        part(transport.granularity, [f"time.by-{size}" for size in Granularity])
        part(strategy, ("run.strategy",))
        part(transport.first_button, ("time.first",))
        part(transport.last_button, ("time.last",))

    def _button(self, action: QAction, word: str) -> QToolButton:
        button = QToolButton()
        action.setIconText(_APART + word)
        button.setDefaultAction(action)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its command has a key
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        return button


def _word_width(button: QToolButton) -> int:
    """By how much a word makes a button wider, as Qt measures it."""
    metrics = button.fontMetrics()
    word = metrics.size(Qt.TextFlag.TextShowMnemonic, button.text()).width()
    return _BEFORE_WORD + word + 2 * metrics.horizontalAdvance(" ")


def _width_of(menus: QMenuBar) -> int:
    """The width that the titles of all menus need; Qt's hint from right to left is the width of the bar."""
    hint, titles = menus.sizeHint(), [menus.actionGeometry(action) for action in menus.actions()]
    if not is_rtl() or not titles:
        return hint.width()
    return max(title.right() for title in titles) - min(title.left() for title in titles) + 1
