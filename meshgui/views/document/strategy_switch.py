"""The strategy in the tool bar, with a list of those that can run the same jobs at the same moment."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QStyle, QStyleOptionToolButton, QStylePainter, QToolButton

from meshgui.engine.basics.translation import said_again, tr
from meshgui.engine.scenario import Scenario, ScenarioError, scenario_from
from meshgui.model.base.list_item import ListItem
from meshgui.model.base.named import named
from meshgui.views.docks.host import HostWindow
from meshgui.views.document.done_toast import DoneToast
from meshgui.views.style.direction import against_reading, is_rtl, write_named
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.list_popup import ListPopup
from meshgui.views.widgets.notice import Topic

_EDGE: Final = 6  # pixels of the frame of a tool button and of the room within it


class StrategySwitch(QToolButton):
    """Runs the open scenario with another strategy; the cursor keeps its time."""

    def __init__(self, host: HostWindow, done: DoneToast) -> None:
        super().__init__(host)
        self._done = done
        self._host, context = host, host.context
        self._document, self._themes = context.document, context.themes
        self.popup: ListPopup | None = None
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setLayoutDirection(against_reading())  # the arrow behind the words
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its command has a key
        context.icons.dress(self, "chevron-down")
        self.setAccessibleName(tr("Strategy"))
        self.clicked.connect(self.open)
        self._wordings: tuple[str, ...] = (tr("Strategy"),)  # the whole name, and shorter
        self._document.changed.connect(self._show_strategy)
        context.run_changed.connect(self._show_strategy)
        self._show_strategy()

    def commands(self) -> list[Command]:
        """Opening the list."""
        return commands_in(
            tr("Run"),
            Command(
                "run.strategy",
                tr("Change the strategy…"),
                tr("Run the same jobs with another strategy, and stay at this moment"),
                self.open,
                ("Ctrl+Shift+A",),
                "code",
                enabled_when=self._host.context.has_scenario,
                synonyms=tr("switch allocator algorithm compare other same jobs"),
            ),
        )

    def open(self) -> None:
        """Open the list: below the button, or where that has no room in the middle of the window."""
        scenario = self._document.scenario
        if scenario is None:
            return
        lines = self._lines(scenario)
        popup = self.popup = ListPopup(self._themes, self)
        popup.setLayoutDirection(QGuiApplication.layoutDirection())
        popup.picked.connect(lambda place: self._choose(str(lines[place].value)))
        popup.refused.connect(popup.hide)
        popup.refused.connect(lambda place: self._refuse(str(lines[place].value), lines[place].refusal))
        now = {place for place, line in enumerate(lines) if line.value == scenario.allocator.name}
        if self.isVisible():
            popup.open_below(self, lines, now)
            return
        window = self.window()
        middle = window.mapToGlobal(QPoint(window.width() // 3, window.height() // 8))
        popup.open_at(QRect(middle, QSize()), self, lines, now)

    def run_with(self, name: str) -> None:
        """Run the same jobs with a strategy."""
        scenario = self._document.edited or self._document.scenario
        if scenario is None:
            return
        try:
            changed = scenario_from(scenario.model_dump(mode="json") | {"allocator": {"name": name}})
        except ScenarioError as error:
            self._refuse(name, error.message)
            return
        if self._host.apply(changed, tr("change of {field}").format(field=tr("strategy"))):
            from meshgui.engine.allocation.registry import strategies  # noqa: PLC0415 - read at first use

            title = said_again(strategies()[name].title)
            self._done.show(tr("The same jobs run with {strategy} now.").format(strategy=title))

    @staticmethod
    def _lines(scenario: Scenario) -> list[ListItem]:
        """The strategies as the form groups them; one that cannot run on this mesh has the reason."""
        from meshgui.engine.allocation.registry import by_title  # noqa: PLC0415 - read at first use
        from meshgui.model.fields.offered_kinds import refusal_of, strategy_kind  # noqa: PLC0415 - likewise

        lines = []
        for cls in by_title(grouped=True):
            kind, refusal = strategy_kind(cls), refusal_of(cls, scenario.machine)
            lines.append(ListItem(cls.id, kind.title, kind.group, kind.hint, refusal))
        return lines

    def _refuse(self, name: str, message: str) -> None:
        said = tr("{name} cannot run this scenario: {message}").format(name=name, message=message)
        self._host.context.messages.tell(said, topic=Topic.EDITS)

    def _choose(self, name: str) -> None:
        if self._document.scenario is not None and name != self._document.scenario.allocator.name:
            self.run_with(name)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The room for the whole name; where there is less it has no id, or that alone."""
        beyond = self._width_of(self._wordings[0]) - self._width_of(self.text())
        return super().sizeHint() + QSize(beyond + self._themes.px(_EDGE), 0)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The room for the id."""
        beyond = self._width_of(self._wordings[0]) - self._width_of(self._wordings[-1])
        return self.sizeHint() - QSize(beyond, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Say as much as has room."""
        super().resizeEvent(event)
        self._say()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the button, the name with its id in the quiet colour, and the arrow."""
        del event
        px, theme = self._themes.px, self._themes.theme
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        option.text, option.icon = "", QIcon()
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)
        room = self.rect().adjusted(px(_EDGE), 0, -px(_EDGE), 0)
        side = self.iconSize().width()
        left = room.left() if is_rtl() else room.right() + 1 - side
        mode = QIcon.Mode.Normal if self.isEnabled() else QIcon.Mode.Disabled
        self.icon().paint(painter, QRect(left, room.center().y() - side // 2 + 1, side, side), mode=mode)
        painter.setPen(theme.colour("text" if self.isEnabled() else "faint"))
        if is_rtl():
            words, to = room.adjusted(side, 0, 0, 0), Qt.AlignmentFlag.AlignRight
        else:
            words, to = room.adjusted(0, 0, -side, 0), Qt.AlignmentFlag.AlignLeft
        quiet = theme.colour("muted" if self.isEnabled() else "faint")
        write_named(painter, words, self.text(), quiet, int(to | Qt.AlignmentFlag.AlignVCenter))

    def _width_of(self, words: str) -> int:
        return self.fontMetrics().horizontalAdvance(words)

    def _say(self) -> None:
        room = self.width() - self.minimumSizeHint().width() + self._width_of(self._wordings[-1])
        fitting = (words for words in self._wordings if self._width_of(words) <= room)
        self.setText(next(fitting, self._wordings[-1]))

    def _show_strategy(self) -> None:
        scenario, recording = self._document.scenario, self._host.context.cursor.recording
        self.setEnabled(scenario is not None)
        name = "" if scenario is None else scenario.allocator.name
        self._wordings = (name or tr("Strategy"),)
        if recording is not None and recording.strategy.id == name:
            title = said_again(recording.strategy.title)
            self._wordings = (named(title, name), title, name)
        self._say()
        self.updateGeometry()
        hint = tr("The same jobs with another strategy, at the same moment (Ctrl+Shift+A)")
        said = tr("The strategy\n{hint}").format(hint=hint)
        self.setToolTip(f"{self._wordings[0]}\n{hint}" if name else said)
