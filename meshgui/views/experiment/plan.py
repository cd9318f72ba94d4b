"""The form of an experiment: scenario, varied fields, target, store, and compute target."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QWidget

from meshgui.engine.basics.translation import tr, tr_page
from meshgui.engine.basics.words import count_of
from meshgui.engine.scenario import Scenario
from meshgui.experiment.batches import Batches
from meshgui.experiment.grid import Experiment, Target
from meshgui.model.fields.names import discipline_name, pattern_name, strategy_name
from meshgui.model.studies.experiment_draft import ExperimentDraft
from meshgui.model.studies.varied_fields import VariedField, varied_fields
from meshgui.views.batch.store_chooser import StoreChooser
from meshgui.views.experiment.axis_row import AxisRow
from meshgui.views.experiment.compute_target_form import ComputeTargetForm
from meshgui.views.experiment.precision_form import PrecisionForm
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import (
    as_panel,
    label,
    left,
    push_button,
    widget_of,
)
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.labels import ElidedLabel
from meshgui.views.widgets.name_lines import NameLegend
from meshgui.views.widgets.row_scroll import RowScroll
from meshgui.views.widgets.save_dialog import SaveDialog
from meshgui.views.widgets.soon import soon


class ExperimentPlan(QWidget):
    """Edits an experiment. It keeps what is typed, valid or not."""

    edited = Signal()
    scenario_asked = Signal()  # take the scenario that is open in the main window

    def __init__(self, save_dialog: SaveDialog, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__()
        self._themes, self._icons = themes, icons
        self.scenario: Scenario | None = None  # what every point is made from
        self._batches: Batches | None = None
        self._fields: list[VariedField] = []
        self.rows: list[AxisRow] = []
        as_panel(self)
        self.title = ElidedLabel(themes, "lead", weight=QFont.Weight.DemiBold)
        self.machine = ElidedLabel(themes, "caption", "muted")
        self.rules = NameLegend(themes)
        self.other = push_button(tr("Use the scenario that is open now"), "", self.scenario_asked)
        self.other.hide()
        self.invitation = label(
            tr("Choose fields to vary, such as the strategy or the load. Without any, one point is run."),
            "muted",
            wrap=True,
        )
        hint = tr("Add a field with its values; every combination is run")
        self.add = push_button(tr("Vary a field"), hint, self._add_requested)
        icons.dress(self.add, "plus")
        self.error_line = ErrorLine(themes)  # about all of it together
        self.precision = PrecisionForm(themes)
        self.store = StoreChooser(save_dialog, themes, icons, self._scenario_title)
        self.compute_target = ComputeTargetForm(themes)
        self._lay_out()
        for part in (self.precision, self.compute_target):
            part.edited.connect(self.edited)

    def _scenario_title(self) -> str:
        return (self.scenario is not None and tr_page(self.scenario.title)) or tr("Untitled")

    @property
    def words(self) -> dict[str, str]:
        """The labels of the fields."""
        return {found.key: found.label for found in self._fields}

    def show_scenario(self, scenario: Scenario) -> None:
        """Vary another scenario; rows stay, with an error where they do not fit it."""
        self.scenario = scenario
        self._batches = None
        self._fields = varied_fields(scenario)
        self.title.setText(self._scenario_title())
        jobs = getattr(scenario.workload, "jobs", None)
        count = jobs if isinstance(jobs, int) else len(jobs or ())
        parts = [scenario.machine.describe(), *([count_of(count, "job")] if count else [])]
        self.machine.setText(" · ".join(parts))
        names = [strategy_name(scenario.allocator.name), discipline_name(scenario.scheduler.name)]
        names += [] if scenario.network is None else [pattern_name(scenario.network.pattern)]
        self.rules.show_names(names)
        for row in self.rows:
            row.offer(self._fields)

    def drop_unknown(self) -> None:
        """Drop the rows of fields that the scenario does not have."""
        known = {found.key for found in self._fields}
        for row in tuple(self.rows):
            if row.key and row.key not in known:
                self._drop(row)
        self._arrange()

    def show_experiment(self, experiment: Experiment) -> None:
        """Show an experiment."""
        for row in tuple(self.rows):
            self._drop(row)
        self.show_scenario(experiment.scenario)
        self._batches = experiment.batches
        for axis in experiment.axes:
            self._new_row().show_axis(axis)
        self.precision.show_target(experiment.target)
        self._arrange()

    def vary(self, key: str) -> None:
        """Add a field unless it is varied already, and focus its values."""
        row = next((row for row in self.rows if row.key == key), None)
        if row is None:
            row = next((row for row in self.rows if not row.key), None) or self._new_row()
            row.choose(key)
            self._arrange()
            self.edited.emit()
        editor = row.ticks if row.ticks.isVisibleTo(row) else row.line
        editor.setFocus()
        soon(row, lambda: self._scroll.ensureWidgetVisible(row))

    def draft(self) -> ExperimentDraft | None:
        """Return the draft; None while a part of it is invalid, with the errors shown beside the parts."""
        target, place = self.precision.target(), self.compute_target.target()
        rows = tuple(row.row() for row in self.rows if row.key)
        if self.scenario is None:
            return None
        draft = ExperimentDraft(self.scenario, rows, target or Target(), self._batches)
        faults = draft.faults()
        self._say(faults, "")
        return draft if target is not None and place is not None and not faults else None

    def blame(self, fault: str, row: int | None) -> None:
        """Show an error below the row concerned, or below all of them."""
        self._say({} if row is None else {row: fault}, fault if row is None else "")

    def _say(self, faults: Mapping[int, str], about_all: str) -> None:
        for number, row in enumerate(row for row in self.rows if row.key):
            row.say(faults.get(number, ""))
        self.error_line.say(about_all, capital=False)

    def allow(self, *, editing: bool) -> None:
        """Allow editing, or lock the form during a run."""
        self._body.setEnabled(editing)

    def _add_requested(self) -> None:
        row = self._new_row()
        self._arrange()
        row.field.setFocus()
        soon(row, lambda: self._open(row))

    def _open(self, row: AxisRow) -> None:
        self._scroll.ensureWidgetVisible(row)
        row.field.open_list()

    def _new_row(self) -> AxisRow:
        row = AxisRow(self._themes, self._icons)
        row.offer(self._fields)
        row.edited.connect(self.edited)
        row.removed.connect(lambda: self._remove(row))
        self.rows.append(row)
        self._varied.addWidget(row)
        return row

    def _remove(self, row: AxisRow) -> None:
        self._drop(row)
        self._arrange()
        self.add.setFocus()
        self.edited.emit()

    def _drop(self, row: AxisRow) -> None:
        self.rows.remove(row)
        self._varied.removeWidget(row)
        row.hide()
        row.deleteLater()

    def _arrange(self) -> None:
        self.invitation.setVisible(not self.rows)

    def _lay_out(self) -> None:
        sizing = Sizing(self._themes, self)
        self._varied = sizing.column(spacing=12)
        headings = [ElidedLabel(self._themes, weight=QFont.Weight.DemiBold) for _ in range(4)]
        for heading, title in zip(
            headings, (tr("Vary"), tr("Until"), tr("Keep in"), tr("Work on")), strict=True
        ):
            heading.setText(title)
            sizing.margins(heading, 0, 12, 0, 0)
        vary, until, keep, work = headings
        column = sizing.column(
            *(self.title, self.machine, self.rules, left(self.other)),
            *(vary, self.invitation, self._varied, self.error_line, left(self.add)),
            *(until, self.precision, keep, self.store, work, self.compute_target, 1),
            spacing=8,
            margins=(12, 12, 12, 12),
        )
        self._body = widget_of(column)
        self._scroll = RowScroll(self._body)
        sizing.column(self._scroll, on=self)
