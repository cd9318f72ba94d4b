"""An experiment being edited: rows of fields and values as typed, valid or not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario import Scenario
from meshgui.experiment.batches import Batches
from meshgui.experiment.fields import FieldAxis, FieldError, labels_of
from meshgui.experiment.grid import Experiment, Target, experiment_of
from meshgui.model.studies.axis_values import axis_of

_SHAPE: Final = "mesh.shape"


class DraftError(Exception):
    """The reason why a draft is no experiment yet, in a sentence, and the row at fault if there is one."""

    def __init__(self, message: str, row: int | None = None) -> None:
        super().__init__(message)
        self.row = row


@dataclass(frozen=True)
class AxisDraft:
    """A field and its values: as typed, or as chosen from a list."""

    key: str
    text: str = ""
    chosen: tuple[object, ...] | None = None

    def axis(self) -> FieldAxis:
        """The axis it means; FieldError where it means none."""
        if self.chosen is None:
            return axis_of(self.key, self.text)
        if not self.chosen:
            raise FieldError(tr("expected at least one value"))
        return FieldAxis(key=self.key, values=self.chosen)


@dataclass(frozen=True)
class ExperimentDraft:
    """The input of an experiment."""

    scenario: Scenario
    rows: tuple[AxisDraft, ...] = ()
    target: Target = field(default_factory=Target)
    batches: Batches | None = None

    def faults(self) -> dict[int, str]:
        """What is wrong row by row; quickly, without a look at whether the points are sound."""
        found: dict[int, str] = {}
        for number, row in enumerate(self.rows):
            if any(row.key == other.key for other in self.rows[:number]):
                found[number] = tr("Expected another field: this one is varied already")
                continue
            try:
                row.axis()
            except FieldError as error:
                found[number] = _sentence(error.message, error.key)
        return found

    def axes(self) -> tuple[FieldAxis, ...]:
        """The axes."""
        for number, fault in self.faults().items():
            raise DraftError(fault, number)
        return tuple(row.axis() for row in self.rows)

    def experiment(self) -> Experiment:
        """The experiment, every point of it looked through, which takes a while where there are thousands."""
        axes = self.axes()
        try:
            return experiment_of(self.scenario, axes, self.target, self.batches)
        except FieldError as error:
            raise DraftError(*self._blamed(axes, error)) from None

    def _blamed(self, axes: tuple[FieldAxis, ...], error: FieldError) -> tuple[str, int | None]:
        """The row that is wrong alone; without one it is the combination, whose sentence names it."""
        for number, axis in enumerate(axes):
            try:
                experiment_of(self.scenario, (axis,), self.target, self.batches)
            except FieldError as own:
                return _in_its_row(own, axis), number
        whole = bool(error.key) or error.values is not None  # it begins with them
        return str(error) if whole else _sentence(error.message), None


def _in_its_row(error: FieldError, axis: FieldAxis) -> str:
    """What is wrong with a row, without the name of its field: `-1: expected …`.

    Shapes are typed with signs between their sides: a sentence about lists would not help.
    """
    label = (error.values or {}).get(axis.key, "")
    value = dict(zip(labels_of(axis.values), axis.values, strict=True)).get(label)
    if axis.key == _SHAPE and label and not isinstance(value, list | tuple):
        return _sentence(tr("expected a shape, for example 8×8"), label)
    field = error.key if error.key != axis.key else ""
    return _sentence(error.message, label, field)


def _sentence(message: str, *typed: str) -> str:
    """What is wrong, as a sentence: with a capital, unless it begins with a value or a field as typed."""
    before = [part for part in typed if part]
    return ": ".join([*before, message]) if before else message[:1].upper() + message[1:]
