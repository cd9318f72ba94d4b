"""The strategy in the tool bar, with a list of those that can run the same jobs at the same moment."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QToolButton

from meshgui.engine.basics.translation import said_again, tr
from meshgui.engine.scenario import Scenario, ScenarioError, scenario_from
from meshgui.model.base.list_item import ListItem
from meshgui.views.docks.host import HostWindow
from meshgui.views.document.done_toast import DoneToast
from meshgui.views.style.direction import against_reading
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.list_popup import ListPopup
from meshgui.views.widgets.notice import Topic


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
        self._name = self._words = tr("Strategy")
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
        from meshgui.engine.allocation.registry import strategies  # noqa: PLC0415 - read at first use
        from meshgui.model.fields.offered_kinds import refusal_of, strategy_kind  # noqa: PLC0415 - likewise

        lines = []
        for name, cls in strategies().items():
            kind, refusal = strategy_kind(cls), refusal_of(cls, scenario.machine)
            lines.append(ListItem(name, kind.title, kind.group, kind.hint, refusal, names=(name, cls.title)))
        return sorted(lines, key=lambda line: not strategies()[str(line.value)].contiguous)

    def _refuse(self, name: str, message: str) -> None:
        said = tr("{name} cannot run this scenario: {message}").format(name=name, message=message)
        self._host.context.messages.tell(said, topic=Topic.EDITS)

    def _choose(self, name: str) -> None:
        if self._document.scenario is not None and name != self._document.scenario.allocator.name:
            self.run_with(name)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The room for its name and title; where there is less it has the name alone."""
        return super().sizeHint() + QSize(self._width_of(self._words) - self._width_of(self.text()), 0)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The room for its name."""
        return self.sizeHint() - QSize(self._width_of(self._words) - self._width_of(self._name), 0)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Say as much as has room."""
        super().resizeEvent(event)
        self._say()

    def _width_of(self, words: str) -> int:
        return self.fontMetrics().horizontalAdvance(words)

    def _say(self) -> None:
        fits = self.width() >= self.sizeHint().width()
        self.setText(self._words if fits else self._name)

    def _show_strategy(self) -> None:
        scenario, recording = self._document.scenario, self._host.context.cursor.recording
        self.setEnabled(scenario is not None)
        self._name = tr("Strategy") if scenario is None else scenario.allocator.name
        self._words = self._name
        if recording is not None and recording.strategy.id == self._name:
            self._words += f" · {said_again(recording.strategy.title)}"
        self._say()
        self.updateGeometry()
        hint = tr("The same jobs with another strategy, at the same moment (Ctrl+Shift+A)")
        self.setToolTip(tr("The strategy\n{hint}").format(hint=hint))
