"""What an experiment runs: the scenario, the fields varied, until when, where it is kept and made."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from meshgui.engine.scenario import Scenario
from meshgui.experiment.batches import Batches
from meshgui.experiment.grid import Experiment, Target
from meshgui.model.experiment_draft import ExperimentDraft
from meshgui.views.batch.store_chooser import StoreChooser
from meshgui.views.experiment.axis_row import AxisRow
from meshgui.views.experiment.compute_target_form import ComputeTargetForm
from meshgui.views.experiment.precision_form import PrecisionForm
from meshgui.views.experiment.varied_fields import VariedField, varied_fields
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.labels import ElidedLabel

__all__ = ["ExperimentPlan"]


class ExperimentPlan(QWidget):
    """Edits an experiment. It keeps what is typed, right or wrong."""

    edited = Signal()
    scenario_asked = Signal()  # take the scenario that is open in the main window

    def __init__(self, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__()
        self._themes, self._icons = themes, icons
        self._scenario: Scenario | None = None
        self._batches: Batches | None = None
        self._fields: list[VariedField] = []
        self.rows: list[AxisRow] = []
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = ElidedLabel(themes, "lead", weight=QFont.Weight.DemiBold)
        self.machine = ElidedLabel(themes, "caption", "muted")
        self.other = QPushButton("Take the scenario that is open now")
        self.other.clicked.connect(self.scenario_asked)
        self.other.hide()
        self.invitation = QLabel(
            "Choose what to vary, such as the strategy or the load. Without it one point is run."
        )
        self.invitation.setProperty("type", "muted")
        self.invitation.setWordWrap(True)
        self.add = QPushButton("Vary a field")
        self.add.setToolTip("Add a field with its values; every combination is run")
        self.add.clicked.connect(self._add_requested)
        icons.dress(self.add, "plus")
        self.error_line = ErrorLine(themes)  # about all of it together
        self.precision = PrecisionForm(themes)
        self.store = StoreChooser(themes, icons)
        self.compute_target = ComputeTargetForm(themes)
        self._lay_out()
        for part in (self.precision, self.compute_target):
            part.edited.connect(self.edited)

    @property
    def scenario(self) -> Scenario | None:
        """What every point is made from."""
        return self._scenario

    @property
    def words(self) -> dict[str, str]:
        """What the fields are called."""
        return {found.key: found.label for found in self._fields}

    def show_scenario(self, scenario: Scenario) -> None:
        """Vary another scenario; rows stay, and say where they do not fit it."""
        self._scenario = scenario
        self._batches = None
        self._fields = varied_fields(scenario)
        self.title.setText(scenario.title or "Untitled")
        jobs = getattr(scenario.workload, "jobs", None)
        count = jobs if isinstance(jobs, int) else len(jobs or ())
        network = "" if scenario.network is None else f" · {scenario.network.pattern}"
        strategy, order = scenario.allocator.name, scenario.scheduler.name
        shape = scenario.machine.describe()
        self.machine.setText(f"{shape} · {strategy} · {order}{f' · {count} jobs' if count else ''}{network}")
        for row in self.rows:
            row.offer(self._fields)

    def drop_unknown(self) -> None:
        """Vary no field that the scenario has not."""
        known = {found.key for found in self._fields}
        for row in tuple(self.rows):
            if row.key and row.key not in known:
                self._drop(row)
        self._arrange()

    def show_experiment(self, experiment: Experiment) -> None:
        """Say what an experiment says."""
        for row in tuple(self.rows):
            self._drop(row)
        self.show_scenario(experiment.scenario)
        self._batches = experiment.batches
        for axis in experiment.axes:
            self._new_row().show_axis(axis)
        self.precision.show_target(experiment.target)
        self._arrange()

    def vary(self, key: str) -> None:
        """Add a field, unless it is varied already, and go to its values."""
        row = next((row for row in self.rows if row.key == key), None)
        if row is None:
            row = next((row for row in self.rows if not row.key), None) or self._new_row()
            row.choose(key)
            self._arrange()
            self.edited.emit()
        editor = row.ticks if row.ticks.isVisibleTo(row) else row.line
        editor.setFocus()
        QTimer.singleShot(0, row, lambda: self._scroll.ensureWidgetVisible(row))

    def draft(self) -> ExperimentDraft | None:
        """What it says, or None while a part of it says nothing; what is wrong is said beside it."""
        target, place = self.precision.target(), self.compute_target.target()
        rows = tuple(row.row() for row in self.rows if row.key)
        if self._scenario is None:
            return None
        draft = ExperimentDraft(self._scenario, rows, target or Target(), self._batches)
        faults = draft.faults()
        self._say(faults, "")
        return draft if target is not None and place is not None and not faults else None

    def blame(self, fault: str, row: int | None) -> None:
        """Say what is wrong below the row it is about, or below all of them."""
        self._say({} if row is None else {row: fault}, fault if row is None else "")

    def _say(self, faults: Mapping[int, str], about_all: str) -> None:
        for number, row in enumerate(row for row in self.rows if row.key):
            row.say(faults.get(number, ""))
        self.error_line.say(about_all, capital=False)

    def allow(self, *, editing: bool) -> None:
        """Let it be edited, or hold it as it is while it is run."""
        self._body.setEnabled(editing)

    def _add_requested(self) -> None:
        row = self._new_row()
        self._arrange()
        row.field.setFocus()
        QTimer.singleShot(0, row, lambda: self._open(row))

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
        self._body = QWidget()
        self._column = QVBoxLayout(self._body)
        self._varied = QVBoxLayout()
        self._headings: list[ElidedLabel] = []
        self._column.addWidget(self.title)
        self._column.addWidget(self.machine)
        self._column.addWidget(self.other, 0, Qt.AlignmentFlag.AlignLeft)
        self._heading("Vary")
        self._column.addWidget(self.invitation)
        self._column.addLayout(self._varied)
        self._column.addWidget(self.error_line)
        self._column.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)
        for title, part in (
            ("Until", self.precision),
            ("Keep in", self.store),
            ("Work on", self.compute_target),
        ):
            self._heading(title)
            self._column.addWidget(part)
        self._column.addStretch(1)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._body)
        self._body.setAutoFillBackground(False)  # the panel's own ground shows
        self._scroll.viewport().setAutoFillBackground(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._scroll)
        sizing = Sizing(self._themes, self).margins(self._column, 12, 12, 12, 12)
        sizing.spacing(self._column, 8).spacing(self._varied, 12)
        self._themes.changed.connect(self._fit_headings)  # after the headings themselves: they forget it
        self._fit_headings()

    def _heading(self, title: str) -> None:
        heading = ElidedLabel(self._themes, weight=QFont.Weight.DemiBold)
        heading.setText(title)
        self._headings.append(heading)
        self._column.addWidget(heading)

    def _fit_headings(self) -> None:
        above = self._themes.px(12)
        for heading in self._headings:
            heading.setContentsMargins(0, above, 0, 0)
            heading.setFixedHeight(heading.sizeHint().height() + above)
