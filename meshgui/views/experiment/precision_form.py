"""The form of an experiment's target: precision, confidence, runs, and the figures that count."""

from __future__ import annotations

from typing import Final

from pydantic import ValidationError
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from meshgui.engine.basics.parts import complaint_of
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.dictionary import NUMBERS, Figure, compared
from meshgui.experiment.grid import Target
from meshgui.model.base.list_item import ListItem
from meshgui.model.fields.field_schema import Limits
from meshgui.views.forms.editors import NumberEditor
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import label
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.list_popup import ListButton

_MOST_RUNS: Final = 1_000_000


class PrecisionForm(QWidget):
    """Edits a Target and shows its errors."""

    edited = Signal()

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self.precision = NumberEditor(Limits(whole=False, most=100, above=0), themes)
        self.confidence = NumberEditor(Limits(whole=False, least=50, most=99.99), themes)
        self.least = NumberEditor(Limits(whole=True, least=1, most=_MOST_RUNS), themes)
        self.most = NumberEditor(Limits(whole=True, least=1, most=_MOST_RUNS), themes)
        self.figures = ListButton(themes, ticked=True, empty=tr("Turnaround, utilisation, latency"))
        self.figures.setAccessibleName(tr("Figures that count"))
        known = [NUMBERS[name] for name in compared()]
        self.figures.offer([ListItem(f.name, f.title, _only(f), f.help) for f in known])
        self.error_line = ErrorLine(themes)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(1, 1)
        self._sizing = Sizing(themes, self).spacing(self._grid, 8)
        self._row(
            0,
            tr("Error at most"),
            tr("Half an interval's width, as a share of the mean"),
            self.precision,
            "%",
        )
        self._row(1, tr("Confidence"), tr("Of the intervals"), self.confidence, "%")
        self._row(
            2, tr("Runs per point"), tr("At least, and at most"), self.least, tr("to", "a number"), self.most
        )
        self._row(3, tr("Figures"), tr("Those whose error counts"), self.figures)
        self._grid.addWidget(self.error_line, 4, 0, 1, 2)
        for editor in (self.precision, self.confidence, self.least, self.most, self.figures):
            editor.edited.connect(self._changed)
        self.show_target(Target())

    def target(self) -> Target | None:
        """Return the edited value; None, with an error shown, while it is invalid."""
        data = {
            "precision": _share(self.precision.value()),
            "confidence": _share(self.confidence.value()),
            "least": self.least.value(),
            "most": self.most.value(),
            "figures": self.figures.values(),
        }
        try:
            found = Target.model_validate(data)
        except ValidationError as error:
            self.error_line.say(_in_words(error))
            return None
        self.error_line.say("")
        return found

    def show_target(self, target: Target) -> None:
        """Show a target."""
        self.precision.set_value(_percent(target.precision))
        self.confidence.set_value(_percent(target.confidence))
        self.least.set_value(target.least)
        self.most.set_value(target.most)
        self.figures.choose(target.figures)
        self.target()

    def _changed(self) -> None:
        self.target()
        self.edited.emit()

    def _row(self, row: int, title: str, hint: str, *parts: QWidget | str) -> None:
        name = label(title, "muted")
        name.setToolTip(hint)
        self._sizing.call(name.setMinimumWidth, 96)
        for part in parts:
            if isinstance(part, NumberEditor):
                part.describe(title, hint)
        line = self._sizing.row(
            *(label(part, "muted") if isinstance(part, str) else (part, 1) for part in parts), spacing=8
        )
        self._grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignVCenter)
        self._grid.addLayout(line, row, 1)


def _share(percent: object) -> object:
    return percent / 100 if isinstance(percent, int | float) else percent


def _percent(share: float) -> float:
    return float(f"{share * 100:.10g}")


_NAMES: Final = {
    "precision": tr("the error"),
    "confidence": tr("the confidence"),
    "least": tr("the minimum number of runs"),
    "most": tr("the maximum number of runs"),
}
_EXPECTED: Final = {
    "precision": tr("more than 0 % and at most 100 %"),
    "confidence": tr("from 50 % to 99.99 %"),
    "least": tr("a whole number from 1 to {MOST_RUNS}").format(MOST_RUNS=_MOST_RUNS),
    "most": tr("a whole number from 1 to {MOST_RUNS}").format(MOST_RUNS=_MOST_RUNS),
}


def _in_words(error: ValidationError) -> str:
    """Put the error of a target into the words of the form."""
    path, message, _ = complaint_of(error, {})
    name = str(path[0]) if path else ""
    if name in _EXPECTED:
        return tr("expected {NAMES} to be {EXPECTED}").format(NAMES=_NAMES[name], EXPECTED=_EXPECTED[name])
    return message


def _only(figure: Figure) -> str:
    """Where alone a run has a figure, if not always."""
    if figure.network:
        return tr("With a network")
    return tr("With failures") if figure.failures else ""
