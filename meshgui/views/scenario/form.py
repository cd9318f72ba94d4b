"""The form that edits a scenario: made from the scenario's own model, checked at every change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

from meshgui.engine.allocation.registry import by_title
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.limits import MAX_SIDE
from meshgui.engine.basics.parts import FieldPath
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.routing import AXES
from meshgui.engine.scenario import Scenario
from meshgui.engine.scheduling.registry import disciplines
from meshgui.model.document.document import Document
from meshgui.model.document.edit_history import Draft, difference
from meshgui.model.fields.field_schema import Limits, fields_of, in_words, without_null
from meshgui.model.fields.offered_kinds import discipline_kind, first_line, refusal_of, strategy_kind
from meshgui.views.forms.editors import (
    Editor,
    LineEditor,
    NotesEditor,
    NumberEditor,
    PlacedFault,
    SegmentEditor,
    SwitchEditor,
    TupleEditor,
)
from meshgui.views.forms.field_rows import ChoiceGroup, ChoiceKind, FieldGroup, FieldRow, Nesting
from meshgui.views.forms.pick_editor import PickEditor
from meshgui.views.forms.row_table_editor import RowTableEditor
from meshgui.views.scenario.failure_section import FailureSection
from meshgui.views.scenario.network_section import NetworkSection
from meshgui.views.scenario.trace_section import TraceGroup
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import (
    as_panel,
    hairline,
    label,
    push_button,
    scrolls_alone,
    widget_of,
)
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.labels import ElidedLabel
from meshgui.views.widgets.row_scroll import RowScroll
from meshgui.views.widgets.soon import soon

_BODIES: Final[dict[str, type[FieldGroup]]] = {"swf": TraceGroup}
_VARIED: Final = ("mesh", "allocator", "scheduler", "workload", "network", "machine")
_NOT_VARIED: Final = (("mesh", "dims"), ("mesh", "wrap"), ("workload",), ("network",))  # from its line
_PLAIN: Final = (NumberEditor, PickEditor, SwitchEditor, TupleEditor)
_RINGS: Final = ("", "x", "y", "z", "x, y", "x, z", "y, z", "x, y, z")
_EVERY_JOB: Final = tr("without a network every job needs a service time")


class ScenarioForm(QWidget):
    """Shows and edits the draft of a document, right or wrong. It emits only valid scenarios."""

    applied = Signal(object)  # a Scenario
    reverted = Signal()
    vary_asked = Signal(str)  # a field, by its path

    def __init__(self, themes: ThemeManager, document: Document, *, at_once: bool = True) -> None:
        super().__init__()
        self._themes = themes
        self.document = document
        self._blamed: list[FieldRow] = []  # the fields that are wrong, the one found first before the others
        self._unplaced = ""  # the error of something that has no field
        self._strategies = by_title(grouped=True)
        self._rows: list[FieldRow] = []
        as_panel(self)
        self._building = self._build()
        if at_once:
            self.finish()

    def steps(self) -> Iterator[None]:
        """Build a form that was not built at once; the window may answer between the steps."""
        for _ in self._building:  # not from it: that would end it with who asks for the steps
            yield

    def finish(self) -> None:
        """Build what is not built yet."""
        for _ in self._building:
            pass

    def _build(self) -> Iterator[None]:
        yield from self._make_fields()
        self._lay_out()
        yield
        self._take_in(self)
        for key in ("Ctrl+Return", "Ctrl+Enter"):  # the latter is the one of the number block
            QShortcut(
                QKeySequence(key), self, self._run, context=Qt.ShortcutContext.WidgetWithChildrenShortcut
            )
        yield
        document = self.document
        self._show_opened()
        document.opened.connect(self._show_opened)
        document.changed.connect(self._follow_document)
        document.draft_changed.connect(self._follow_document)
        self._scroll.verticalScrollBar().rangeChanged.connect(self._keep_error_in_sight)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._seal_edits)
        yield
        self._follow_document()

    def go_to_field(self, path: FieldPath) -> None:
        """Give the focus to the field at a path, in sight."""
        place = tuple(map(str, path))
        field = self._field_at(place)
        if field is not None:
            field.editor.focus_part(place[len(field.path) :])
            soon(field, lambda: self._scroll.ensureWidgetVisible(field, 0, 0))

    def go_to_fault(self) -> None:
        """Give the focus to the first field that is wrong, in sight."""
        for field in self._blamed[:1]:
            field.editor.focus_part(())
            self._scroll.ensureWidgetVisible(field)

    def fault(self) -> str:
        """The first error, with the name of its field."""
        return self._unplaced or next(map(_fault_of, self._blamed), "")

    def error(self) -> str:
        """The first error."""
        return self._unplaced or next((field.error() for field in self._blamed), "")

    # ---------------------------------------------------------------- fields

    def _take_in(self, made: QWidget) -> None:
        """Know the rows of fields: a search takes milliseconds, and every key is an edit."""
        fields = made.findChildren(FieldRow)
        self._rows += fields
        scrolled = self._scroll.verticalScrollBar().valueChanged
        for editor in made.findChildren(Editor):
            editor.refused.connect(self._show_refusal)
        for field in fields:
            plain = isinstance(field.editor, _PLAIN)
            if plain and field.path[0] in _VARIED and field.path not in _NOT_VARIED:
                button = field.offer_to_vary()
                scrolled.connect(button.hide)  # Qt tells no row that it leaves the pointer then
                field.vary_asked.connect(partial(self._ask_to_vary, field))
        for choice in made.findChildren(ChoiceGroup):
            choice.made.connect(self._take_in)
            choice.picked.connect(partial(self._show_kind, choice))

    def _make_fields(self) -> Iterator[None]:
        schema = fields_of(Scenario)
        yield
        themes = self._themes
        self._title = LineEditor()
        self._notes = NotesEditor(themes)
        dims = [(2, "2D", tr("W × L processors")), (3, "3D", tr("W × D × H processors"))]
        self._dims = SegmentEditor(dims, themes)
        side = Limits(whole=True, least=1, most=MAX_SIDE)
        self._shape = TupleEditor([side] * 3, (tr("Width"), tr("Depth"), tr("Height")), themes, "×")
        by_name = Nesting("name", "options")
        offered = (ChoiceKind(*strategy_kind(each)) for each in self._strategies)
        self._allocator = ChoiceGroup(("allocator",), tr("Strategy"), offered, themes, by_name)
        yield
        orders = (ChoiceKind(*discipline_kind(each)) for each in disciplines().values())
        self._scheduler = ChoiceGroup(("scheduler",), tr("Scheduler"), orders, themes, by_name)
        yield
        kinds = [
            ChoiceKind(name, in_words(name), first_line(kind), kind, body=_BODIES.get(name, FieldGroup))
            for name, kind in (
                (kind["properties"]["kind"]["const"], kind) for kind in schema["workload"]["oneOf"]
            )
        ]
        self._workload = ChoiceGroup(("workload",), tr("Kind"), kinds, themes, Nesting(indented=False))
        yield
        self._rings = PickEditor((rings, rings or tr("None", "no axis is a ring"), "") for rings in _RINGS)
        self._seed = NumberEditor(Limits.of(schema["seed"]), themes)
        self._failures = FailureSection(without_null(schema["machine"])[0], themes)
        self._network = NetworkSection(without_null(schema["network"])[0], themes)
        self._dims.edited.connect(self._dims_changed)
        self._scheduler.edited.connect(self._follow_network)
        self._shape.edited.connect(self._offer_what_fits)
        self._fields: list[FieldRow | ChoiceGroup | NetworkSection | FailureSection] = [
            FieldRow(("title",), tr("Title"), self._title, themes),
            FieldRow(("notes",), tr("Notes"), self._notes, themes),
            FieldRow(("mesh", "dims"), tr("Mesh"), self._dims, themes),
            FieldRow(("mesh", "shape"), tr("Shape"), self._shape, themes),
            FieldRow(("mesh", "wrap"), tr("Rings"), self._rings, themes, tr("Axes whose ends are joined")),
            self._allocator,
            self._scheduler,
            self._workload,
            FieldRow(("seed",), tr("Seed"), self._seed, themes, tr("The same seed draws the same jobs")),
            self._network,
            self._failures,
        ]
        for field in self._fields:
            field.edited.connect(self._edited)
        yield

    def _data(self) -> dict[str, Any]:
        """The draft as the fields have it; what has no field stays as it is."""
        kept = {name: part for name, part in (self.document.draft or {}).items() if name != "machine"}
        failures = self._failures.value()
        return (
            kept
            | ({} if failures is None else {"machine": failures})
            | {
                "title": self._title.value(),
                "notes": self._notes.value(),
                "mesh": self._mesh_data(),
                "allocator": self._allocator.value(),
                "scheduler": self._scheduler.value(),
                "workload": self._workload.value(),
                "network": self._network.value(),
                "seed": self._seed.value(),
            }
        )

    def _mesh_data(self) -> dict[str, Any]:
        """The machine; an axis that it does not have is no ring."""
        shape, rings = self._shape.value(), str(self._rings.value() or "")
        dims = 3 if self._dims.value() == 3 else 2
        wrap = [axis in rings for axis in AXES[:dims]]
        return {"shape": shape, "wrap": wrap} if any(wrap) else {"shape": shape}

    def _show_opened(self) -> None:
        """Show another scenario in all fields, hidden ones too."""
        if self.document.draft is not None:
            self._show(self.document.draft, {*self.document.draft, "machine"})

    def _follow_document(self) -> None:
        """Show the draft where it differs from the fields, and what is wrong with it."""
        draft = self.document.draft
        self._body.setVisible(draft is not None)
        self._nothing.setVisible(draft is None)
        if draft is not None:
            now = self._data()
            parts = {*now, "machine"}
            differing = {name for name in parts if difference(now.get(name), draft.get(name)) is not None}
            if differing:
                self._show(draft, differing)
        self._check()

    def _show(self, draft: Draft, parts: AbstractSet[str]) -> None:
        """Show some parts of the draft; the other fields stay as they are, with their cursors."""
        if "mesh" in parts:
            self._dims.set_value(len(draft["mesh"]["shape"]))
        if "network" in parts:
            self._network.set_value(draft["network"])
        if "machine" in parts:
            self._failures.set_value(draft.get("machine"))
        self._dims_changed()  # first: it says what a list of jobs begins with
        if "mesh" in parts:
            shape = draft["mesh"]["shape"]
            self._shape.set_value([*shape, shape[-1]][:3])
            wrap = draft["mesh"].get("wrap", ())
            self._rings.set_value(", ".join(axis for axis, ring in zip(AXES, wrap, strict=False) if ring))
        plain: dict[str, Editor] = {"title": self._title, "notes": self._notes, "seed": self._seed}
        choices = {"allocator": self._allocator, "scheduler": self._scheduler, "workload": self._workload}
        for name, editor in plain.items():
            if name in parts:
                editor.set_value(draft[name])
        for name, choice in choices.items():
            if name in parts:
                choice.set_value(draft[name])
        self._dims_changed()

    def _dims_changed(self) -> None:
        dims = 3 if self._dims.value() == 3 else 2
        self._shape.show_first(dims)
        for rings in _RINGS:
            self._rings.allow(rings, tr("a 2D mesh has no axis z") if dims == 2 and "z" in rings else "")
        self._offer_what_fits()
        self._follow_network()

    def _follow_network(self) -> None:
        """Show the messages of jobs only with a network, and name what holds without a service time."""
        on = self._network.on
        if (jobs := self._jobs()) is not None:
            dims = 3 if self._dims.value() == 3 else 2
            jobs.start_with({"arrival": 0, "size": [1] * dims, "service": None if on else 1})
            sends = on and not self._network.explicit
            optional = ("messages", "ended_after", "requested_time")
            used = {name: not jobs.rows.holds_only(name, None) for name in optional}
            used["messages"] |= sends
            used["requested_time"] |= self._plans()
            jobs.show_columns(used)
        self._show_moves()
        service = self.findChild(PickEditor, "workload.service")
        if isinstance(service, PickEditor):
            title = tr("Until messages arrive") if on else tr("Exponential, mean 1")
            hint = (
                tr("A job ends when all its messages have arrived")
                if on
                else tr("What holds if none is stated")
            )
            service.call(None, title, hint)

    def _plans(self) -> bool:
        """Whether the discipline plans or ranks by the services that jobs state."""
        chosen = self._scheduler.value() or {}
        queue = disciplines().get(str(chosen.get("name")))
        return queue is not None and (queue.plans or queue.ranks_by_service)

    def _show_moves(self) -> None:
        """Show the moves in the queue only where there are any: they are made in the queue itself."""
        for field in self._rows:
            if field.path == ("workload", "moves") and isinstance(field.editor, RowTableEditor):
                field.setVisible(field.editor.rows.rowCount() > 0)

    def _jobs(self) -> RowTableEditor | None:
        jobs = self.findChild(RowTableEditor, "workload.jobs")
        return jobs if isinstance(jobs, RowTableEditor) else None

    def _offer_what_fits(self) -> None:
        """Allow only strategies that work on this mesh; the others have the reason in their tooltips.

        The packets' editor follows the mesh too.
        """
        mesh = self._mesh()
        self._network.show_mesh(mesh)
        for cls in self._strategies:
            self._allocator.pick.allow(cls.id, refusal_of(cls, mesh))

    def _mesh(self) -> Mesh:
        """Return the mesh of the form; while its shape is invalid, the smallest with as many dimensions."""
        dims = 3 if self._dims.value() == 3 else 2
        sides = self._shape.value()
        whole = [side for side in sides if isinstance(side, int)] if isinstance(sides, list) else []
        sound = len(whole) == dims and all(1 <= side <= MAX_SIDE for side in whole)
        return Mesh(tuple(whole) if sound else (1,) * dims)

    # ---------------------------------------------------------------- checking

    def _edited(self) -> None:
        self._follow_network()
        self.document.change(self._data())

    def _seal_edits(self, old: QWidget | None, _new: QWidget | None) -> None:
        """Let typing be one edit only until the focus leaves the field."""
        if old is not None and self.isAncestorOf(old):
            self.document.history.seal()

    def _check(self) -> None:
        found: list[tuple[FieldPath, str]] = []
        if (fault := self.document.fault) is not None:
            found.append((fault.path or ("scenario",), fault.message))
            found += ((further.path, further.message) for further in fault.further)
        self._show_faults(
            [
                PlacedFault(tuple(map(str, path)), _EVERY_JOB if self._lacks_service(path) else message)
                for path, message in found
            ]
        )
        self._update_buttons()

    def _lacks_service(self, path: FieldPath) -> bool:
        """Whether an error is about a missing service time, as it may be with a network only."""
        jobs = self._jobs()
        if jobs is None or self._network.on:
            return False
        match path:
            case ("workload", "jobs", int(job), "service"):
                row = jobs.rows.cells(job)
            case _:
                return False
        return not row[jobs.rows.place_of("service")].strip()

    def _show_kind(self, choice: ChoiceGroup) -> None:
        """Scroll to the fields of another kind, as far as the choice itself stays in sight."""

        def scroll() -> None:
            for widget in (choice, choice.pick):
                self._scroll.ensureWidgetVisible(widget, 0, 0)

        soon(choice, scroll)

    def _show_refusal(self, line: QWidget) -> None:
        """Scroll to the error of a paste or a file, once it is laid out."""
        soon(line, lambda: self._scroll.ensureWidgetVisible(line, 0, 0))

    def _ask_to_vary(self, field: FieldRow) -> None:
        """Ask to vary a field: a choice by its name or kind, an unstated one as a whole."""
        key = ".".join(field.path)
        for tag in ("name", "kind") if isinstance(field.editor, PickEditor) else ():
            if _has(self._data(), (*field.path, tag)):
                key = f"{key}.{tag}"
        self.vary_asked.emit(key)

    def _show_faults(self, faults: Sequence[PlacedFault]) -> None:
        """Show every fault in its field; what has no field stands at the bottom, if it was found first."""
        inside: dict[FieldRow, list[PlacedFault]] = {}
        self._unplaced = ""
        for place, words in faults:
            field = self._field_at(place)
            if field is not None:
                inside.setdefault(field, []).append(PlacedFault(place[len(field.path) :], words))
            elif not inside and not self._unplaced:
                self._unplaced = f"{'.'.join(place)}: {words}"
        for field in self._blamed:
            if field not in inside:
                field.clear_error()
        for field, found in inside.items():
            field.show_error(found)
        self._blamed = list(inside)
        self._keep_error_in_sight()

    def _keep_error_in_sight(self) -> None:
        """Scroll to an error in the field with the focus, also when the field has grown, as by a paste."""
        focused = self.focusWidget() or self
        for field in self._blamed:
            if field.isAncestorOf(focused):
                soon(field, partial(self._scroll.ensureWidgetVisible, field, 0, 0))
        soon(self, self._say_below)

    def _say_below(self) -> None:
        """Repeat the first error that is out of sight at the bottom, so that the reason is visible."""
        unseen = (field for field in self._blamed if not self._in_sight(field))
        self._foot.say(self._unplaced or next(map(_fault_of, unseen), ""))

    def _in_sight(self, field: FieldRow) -> bool:
        bottom = field.mapTo(self._scroll.viewport(), field.rect().bottomLeft()).y()
        return 0 < bottom <= self._scroll.viewport().height()

    def _field_at(self, place: Sequence[str]) -> FieldRow | None:
        """Return the visible field at a path, or the one that contains it."""
        fields = [
            field
            for field in self._rows
            if field.isVisibleTo(self) and place[: len(field.path)] == field.path
        ]
        return max(fields, key=lambda field: len(field.path), default=None)

    def _update_buttons(self) -> None:
        self.run_button.setEnabled(self.document.edited is not None)
        self.run_button.setToolTip(self.error() or tr("Run this scenario (Ctrl+Return)"))
        self.revert_button.setEnabled(self.document.pending)

    def _run(self) -> None:
        if self.document.edited is not None:
            self.applied.emit(self.document.edited)
        else:
            self.go_to_fault()

    def _revert(self) -> None:
        if self.document.scenario is not None:
            self.document.change(
                self.document.scenario.model_dump(mode="json"), tr("the return to the last run")
            )
            self.reverted.emit()

    # ---------------------------------------------------------------- looks

    def _lay_out(self) -> None:
        sizing = Sizing(self._themes, self).call(self.setMinimumWidth, 200)
        titles = tr("Machine"), tr("Workload"), tr("Network"), tr("Failures")
        headings = [ElidedLabel(self._themes, weight=QFont.Weight.DemiBold) for _ in titles]
        for heading, title_of_part in zip(headings, titles, strict=True):
            heading.setText(title_of_part)
            sizing.margins(heading, 0, 12, 0, 0)
        machine, jobs, links, broken = headings
        title, notes, dims, shape, rings, allocator, scheduler, workload, seed, *last = self._fields
        network, failures = last
        column = sizing.column(
            *(title, notes, machine, dims, shape, rings, allocator, scheduler),
            *(jobs, workload, seed, links, network, broken, failures, 1),
            spacing=8,
            margins=(12, 12, 12, 12),
        )
        self._body = widget_of(column)
        self._scroll = scrolls_alone(RowScroll(self._body))
        self._scroll.verticalScrollBar().valueChanged.connect(self._say_below)
        self._foot = ErrorLine(self._themes)
        hint = tr("Undo all edits since the last run")
        self.revert_button = push_button(tr("Revert"), hint, self._revert)
        self.run_button = push_button(tr("Run", "the button"), "", self._run, primary=True)
        buttons = sizing.row(self.revert_button, 1, self.run_button, spacing=8)
        footer = sizing.column(self._foot, buttons, spacing=8, margins=(12, 8, 12, 8))
        self._nothing = label(tr("Open a scenario to edit it."), "muted", wrap=True)
        sizing.margins(self._nothing, 12, 12, 12, 12)
        sizing.column(self._nothing, (self._scroll, 1), hairline(), footer, on=self)


def _fault_of(field: FieldRow) -> str:
    """The error of a field, after its name."""
    return f"{in_words(field.path[-1])}: {field.error()}"


def _has(data: object, path: tuple[str, ...]) -> bool:
    """Whether the data have a value at a path."""
    for part in path:
        if not isinstance(data, dict) or part not in data:
            return False
        data = data[part]
    return True
