"""Chooses in what the compared runs differ, and the two to four values of it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario import Scenario
from meshgui.model.base.list_item import ListItem
from meshgui.model.studies.varied_parts import (
    FEWEST_RUNS,
    MOST_RUNS,
    RunChoice,
    VariedPart,
    first_choices,
    run_choices,
)
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.list_popup import ListButton
from meshgui.views.widgets.segmented import Segmented

_LEAST_LIST: Final = 160  # pixels of the list beside the parts
_PARTS: Final = (
    (VariedPart.STRATEGY, tr("Strategy"), tr("Runs with other allocation strategies")),
    (VariedPart.DISCIPLINE, tr("Discipline"), tr("Runs with other queue disciplines")),
    (VariedPart.NETWORK, tr("Network"), tr("Runs with other patterns or switching, or without a network")),
    (VariedPart.SEED, tr("Seed"), tr("Runs with other seeds, each with jobs of its own")),
)


class ChoiceBar(QWidget):
    """What differs, and a list to tick two to four values in."""

    edited = Signal()
    refused = Signal(str)  # a sentence: too many or too few are ticked, until others are

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._scenario: Scenario | None = None
        self._choices: tuple[RunChoice, ...] = ()
        self._ticked: tuple[object, ...] = ()
        self._before: dict[VariedPart, tuple[object, ...]] = {}  # what was ticked for each part
        self.parts = Segmented([(title, hint) for _, title, hint in _PARTS], themes)
        self.parts.chosen.connect(self._offer)
        self.values = ListButton(themes, ticked=True)
        self.values.setToolTip(tr("Two to four to compare; the others are compared with the first"))
        self.values.setAccessibleName(tr("Runs to compare"))
        self.values.edited.connect(self._edit)
        self._themes = themes
        sizing = Sizing(themes, self)
        self._row: QBoxLayout = sizing.row(self.parts, (self.values, 1), on=self, spacing=8)
        sizing.rule(self._fit)

    def _fit(self) -> None:
        """Place the list under the parts where it has no room beside them."""
        least = self.parts.sizeHint().width()
        self.setMinimumWidth(least)
        across = self.width() >= least + self._themes.px(_LEAST_LIST)
        self._row.setDirection(
            QBoxLayout.Direction.LeftToRight if across else QBoxLayout.Direction.TopToBottom
        )

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Arrange for the new width."""
        super().resizeEvent(event)
        self._fit()

    @property
    def part(self) -> VariedPart:
        """What differs."""
        return _PARTS[self.parts.index][0]

    @property
    def chosen(self) -> list[RunChoice]:
        """The choices that are ticked, in the order of the list."""
        return [choice for choice in self._choices if choice.name in self._ticked]

    @property
    def alone(self) -> str:
        """Why the scenario's own choice is the only one there is; nothing where there are others."""
        others = self._choices[1:]
        if not others or not all(choice.refusal for choice in others):
            return ""
        first = others[0]
        return tr("{choice} cannot run this scenario: {reason}.").format(
            choice=first.name, reason=first.refusal
        )

    def show_scenario(self, scenario: Scenario) -> None:
        """Offer the choices of a scenario, at first two."""
        self._scenario = scenario
        self._before.clear()
        self._offer()

    def _offer(self, _index: int = 0) -> None:
        """Offer the choices for another part, with those ticked that were ticked before."""
        if self._scenario is None:
            return
        self._choices = run_choices(self._scenario, self.part)
        self._ticked = self._before.get(self.part) or tuple(c.name for c in first_choices(self._choices))
        self.values.offer(
            [
                ListItem(choice.name, choice.title, brief=choice.name, refusal=choice.refusal)
                for choice in self._choices
            ]
        )
        self.values.choose(self._ticked)
        self._before[self.part] = self._ticked
        self.edited.emit()

    def _edit(self) -> None:
        """Take what is ticked; too many or too few may be on the way to another choice."""
        ticked = self.values.values()
        if FEWEST_RUNS <= len(ticked) <= MOST_RUNS:
            self._ticked = self._before[self.part] = ticked
            self.edited.emit()
            return
        too_many = tr("Four runs can be compared at most: untick one of them.")
        self.refused.emit(
            too_many if len(ticked) > MOST_RUNS else tr("Two runs are needed: tick another one.")
        )
        if self.values.popup is not None:
            self.values.popup.closed.connect(self._take_back)

    def _take_back(self) -> None:
        """Tick what is compared again if the list was closed with too many or too few."""
        self.values.choose(self._ticked)
