"""The scenario form, driven as one does: keys and clicks in, scenarios out."""

import subprocess
import sys
from enum import Enum
from typing import Literal

import pytest
from pydantic import Field
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from meshgui.engine.allocation.base import Options
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.translation import speaking
from meshgui.engine.scenario import load_scenario, scenario_from
from meshgui.model.base.named import named
from meshgui.model.document.document import Document
from meshgui.model.document.examples import examples
from meshgui.views.forms.editors import NotesEditor, NumberEditor, PlacedFault, SegmentEditor, SwitchEditor
from meshgui.views.forms.field_rows import FieldRow
from meshgui.views.scenario.form import ScenarioForm
from meshgui.views.widgets.elided_combo import ElidedCombo
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.row_scroll import RowScroll
from tests.views.conftest import handle_events
from tests.views.pointer import turn_wheel
from tests.views.showing import shown

from .driving import (
    box,
    check_fault,
    choose,
    errors,
    field_at,
    in_sight,
    opened,
    pasted,
    pick,
    retype,
    retype_side,
    scroller,
    table,
)


class Order(Enum):
    """An option with names."""

    NEAR = "near"
    FAR_OFF = "far-off"


class ManyOptions(Options):
    """One option of each kind."""

    depth: int = Field(3, ge=1, le=5)
    weight: float = Field(0.5, gt=0, lt=1)
    mode: Literal["first", "best"] = "first"
    order: Order = Order.NEAR
    strict: bool = False
    limit: int | None = None


class OnlyFlat(strategies()["ff"]):
    """A strategy for 2D meshes, with options."""

    id = "flat"
    title = "Only Flat"
    dims = frozenset({2})
    options_model = ManyOptions


@pytest.fixture
def flat(monkeypatch):
    """The strategy with options, known while the test runs."""
    monkeypatch.setitem(strategies(), "flat", OnlyFlat)


def click_dims(qtbot, form, dims):
    """Choose 2D or 3D."""
    button = form.findChild(SegmentEditor, "mesh.dims").buttons[dims]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def strategies_of(form, name):
    """The list of strategies for an example."""
    form.document.take(opened(name), None)
    return pick(form, "allocator")


def foot(form):
    """The line at the bottom."""
    return form.findChild(ErrorLine, options=Qt.FindChildOption.FindDirectChildrenOnly)


def test_what_is_put_in_comes_out(form):
    """A form that was not touched says exactly the scenario it was given, every one that is shipped."""
    for path in examples():
        scenario = load_scenario(path)
        form.document.take(scenario, None)
        assert form.document.edited == scenario, path
        assert not form.revert_button.isEnabled(), path
        assert form.run_button.isEnabled(), path
    # Numbers keep all their digits, and every kind of workload has its fields
    data = {"meshgui": 1, "mesh": {"shape": [4, 6]}, "allocator": {"name": "ff"}, "seed": 2**62}
    for workload in (
        {"load": 0.1, "gaps": {"kind": "constant"}, "service": {"kind": "by-size"}},
        {"load": 1e-7, "sides": {"kind": "intervals", "intervals": [[1, 2, 0.3], [3, 4, 0.7]]}},
        {"load": 1, "sides": {"kind": "uniform", "low": 2, "high": 4}},
        {"load": 1 / 3, "service": {"kind": "uniform", "low": 0, "high": 2.5}},
    ):
        scenario = scenario_from(data | {"workload": {"kind": "stochastic"} | workload})
        form.document.take(scenario, None)
        assert form.document.edited == scenario


def test_an_empty_form_offers_nothing(form, qtbot):
    """Before a scenario is given there is nothing to run or revert."""
    assert form.document.edited is None
    assert not form.run_button.isEnabled()
    assert not form.revert_button.isEnabled()
    assert not form.findChild(FieldRow).isVisible()
    with qtbot.assertNotEmitted(form.applied):
        qtbot.keyClick(form, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


@pytest.mark.parametrize("by_keys", [False, True], ids=["button", "keys"])
def test_run_hands_the_edited_scenario_out(form, qtbot, by_keys):
    """What was typed is in the scenario that the button gives, or the keys from within the field."""
    form.document.take(opened("tbl-under-load"), None)
    retype(qtbot, form, "workload.load", "7.25")
    with qtbot.waitSignal(form.applied) as run:
        if by_keys:
            load = box(form, "workload.load")
            qtbot.keyClick(load, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        else:
            qtbot.mouseClick(form.run_button, Qt.MouseButton.LeftButton)
    assert run.args[0].workload.load == 7.25
    assert run.args[0] == form.document.edited


def test_a_fault_is_shown_under_its_field_until_it_is_mended_and_the_keys_lead_to_it(form, qtbot):
    """Out of its limits, no number, or not what the mesh allows."""
    form.document.take(opened("tbl-under-load"), None)
    for field, text, words in (
        ("workload.load", "-3", "Expected more than 0, got -3.0"),
        ("workload.load", "", "Expected a number, got “”"),
        ("workload.load", "5,8,1", "Expected a number, got “5,8,1”"),
        ("workload.jobs", "1.5", "Expected a whole number, got “1.5”"),
        ("workload.sides.high", "9", "Expected at most the mesh's side 8, got 9"),
        ("seed", "99999999999999999999", "Expected at most"),
    ):
        check_fault(qtbot, form, field, text, words)
    # Where nothing can be run, the keys go to the field that is in the way
    form.resize(300, 400)
    retype(qtbot, form, "seed", "")
    title = form.findChild(FieldRow)
    title.editor.focus_part(())
    with qtbot.assertNotEmitted(form.applied):
        qtbot.keyClick(form.focusWidget(), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert form.focusWidget() is box(form, "seed")
    assert box(form, "seed").visibleRegion().boundingRect().height() > 0


def test_every_fault_is_marked_in_its_field_and_goes_when_it_is_mended(form, qtbot):
    """Three at once, each in its own words; the keys lead to the first, and the bottom tells one not seen."""
    form.document.take(opened("tbl-under-load"), None)
    retype_side(qtbot, form, "0")
    retype(qtbot, form, "workload.load", "-3")
    retype(qtbot, form, "seed", "abc")
    assert errors(form) == {
        ("mesh", "shape"): "Expected at least 1, got 0",
        ("workload", "load"): "Expected more than 0, got -3.0",
        ("seed",): "Expected a whole number, got “abc”",
    }
    assert form.fault() == "Shape: Expected at least 1, got 0"
    form.go_to_fault()
    assert field_at(form, "mesh", "shape").isAncestorOf(form.focusWidget())
    form.resize(300, 400)
    scroller(form).verticalScrollBar().setValue(0)
    shape = field_at(form, "mesh", "shape")
    qtbot.waitUntil(lambda: in_sight(form, shape))
    qtbot.waitUntil(lambda: foot(form).words.text() == "Load: Expected more than 0, got -3.0")
    retype(qtbot, form, "workload.load", "5")
    assert errors(form).keys() == {("mesh", "shape"), ("seed",)}
    retype_side(qtbot, form, "8")
    assert errors(form).keys() == {("seed",)}


def test_a_fault_out_of_sight_is_told_at_the_bottom(form, qtbot):
    """A change above can make a job below wrong: the line at the bottom says so until it is scrolled to."""
    form.resize(300, 400)
    form.document.take(opened("three-jobs-4x4x4"), None)
    click_dims(qtbot, form, 2)
    words = "Jobs: Job 0, size: expected 2 numbers for a 2D mesh, got 3"
    qtbot.waitUntil(lambda: foot(form).words.text() == words)
    assert foot(form).isVisible()
    bar = scroller(form).verticalScrollBar()
    bar.setValue(bar.maximum())
    qtbot.waitUntil(lambda: not foot(form).isVisible())
    assert errors(form) == {("workload", "jobs"): words.removeprefix("Jobs: ")}


def test_an_error_about_what_is_typed_comes_into_sight(form, qtbot):
    """The line below the field at the form's lower edge is scrolled to as it appears."""
    form.document.take(opened("tbl-under-load"), None)
    seed = box(form, "seed")
    form.resize(300, seed.mapTo(form, seed.rect().bottomLeft()).y() + 60)
    retype(qtbot, form, "seed", "")
    qtbot.waitUntil(lambda: in_sight(form, field_at(form, "seed")))
    qtbot.waitUntil(lambda: not foot(form).isVisible())


def test_revert_undoes_the_edits(form, qtbot):
    """All fields say again what was opened, hidden ones too."""
    scenario = opened("heavy-tail-ssd")
    form.document.take(scenario, None)
    retype(qtbot, form, "workload.load", "x")
    choose(qtbot, form, "workload.service", "constant")
    choose(qtbot, form, "workload", "list")
    qtbot.mouseClick(form.revert_button, Qt.MouseButton.LeftButton)
    assert form.document.edited == scenario
    assert errors(form) == {}
    assert not form.revert_button.isEnabled()


def test_every_kind_can_be_chosen_and_what_was_typed_for_another_is_kept(form, qtbot):
    """What was typed for one kind of service is there when one comes back to it."""
    form.document.take(opened("heavy-tail-ssd"), None)
    retype(qtbot, form, "workload.service.q", "5000")
    choose(qtbot, form, "workload.service", "exponential")
    assert form.document.edited.workload.service.mean == 1
    choose(qtbot, form, "workload.service", "bounded-pareto")
    assert form.document.edited.workload.service.q == 5000
    # Ssd asks for its demand; a default that the file left out stays left out
    form.document.take(opened("tbl-under-load"), None)
    choose(qtbot, form, "scheduler", "ssd")
    assert form.document.edited.scheduler.options.demand == "processor-time"
    choose(qtbot, form, "scheduler.options.demand", "time")
    assert form.document.edited.scheduler.options.demand == "time"
    # Each kind of gaps, sides and service starts with values that can be run
    for path in ("workload.gaps", "workload.sides", "workload.service"):
        combo = pick(form, path)
        for kind in [combo.itemData(i) for i in range(combo.count())]:
            choose(qtbot, form, path, kind)
            assert errors(form) == {}
            chosen = getattr(form.document.edited.workload, path.split(".")[1])
            assert (chosen and chosen.kind) == kind


def test_only_the_user_s_hand_edits(form, qtbot):
    """A scenario that is given again leaves the field alone that one is typing in."""
    form.document.take(opened("tbl-under-load"), None)
    retype(qtbot, form, "workload.load", "7")
    field = box(form, "workload.load").lineEdit()
    field.setCursorPosition(0)
    form.document.edit(form.document.edited)
    assert field.cursorPosition() == 0
    assert not form.revert_button.isEnabled()
    # A scenario that is opened is not an edit; what is typed and pasted is
    edits = []
    form.document.draft_changed.connect(lambda: edits.append(form.document.history.last.words))
    form.document.take(opened("tbl-under-load"), None)
    assert edits == []
    retype(qtbot, form, "workload.load", "2")
    form.findChild(NotesEditor, "notes").text.insertPlainText("more")
    assert list(dict.fromkeys(edits)) == ["change of load", "change of notes"]


def test_each_field_is_called_by_its_label_and_tab_goes_down_the_form(form, qtbot):
    """Also those made from a strategy's options, whose tooltips are their descriptions."""
    form.document.take(opened("first-fit-16x16"), None)
    choose(qtbot, form, "allocator", "bgp")
    for field in form.findChildren(FieldRow):
        assert field.editor.wide or field.editor.accessibleName()
        control = field.editor.first()
        assert control.accessibleName() or isinstance(field.editor, SegmentEditor)
    fuzzy = field_at(form, "allocator", "options", "fuzzy").editor.first()
    assert fuzzy.accessibleName() == "Fuzzy"
    assert fuzzy.toolTip() == "whether the controller moves the bound"
    # The fields come one after the other as they stand
    form.document.take(opened("tbl-under-load"), None)
    form.findChild(FieldRow).editor.focus_part(())
    tops, body = [], form.findChild(RowScroll).widget()
    for _ in range(14):
        here = form.focusWidget()
        tops.append(here.mapTo(body, QPoint(0, 0)).y())
        qtbot.keyClick(here, Qt.Key.Key_Tab)
    assert tops == sorted(tops)
    assert len(set(tops)) > 8


def test_whatever_is_chosen_is_whole_in_a_panel_of_ordinary_width(form, qtbot):
    """A choice with longer words has its label above it, also before they are chosen."""
    form.resize(340, 900)
    for name in ("tbl-under-load", "hot-spot-8x8"):
        form.document.take(opened(name), None)
        handle_events()
        combos = [combo for combo in form.findChildren(ElidedCombo) if combo.isVisible()]
        assert len(combos) >= 4
        for combo in combos:
            assert combo.width() >= combo.whole_width, combo.accessibleName()


def test_2d_and_back_keeps_the_third_side(form, qtbot):
    """The height is out of sight in 2D, not forgotten."""
    flat = opened("turning-helps-3x3x2").model_copy(update={"workload": opened("tbl-under-load").workload})
    form.document.take(flat, None)
    click_dims(qtbot, form, 2)
    assert form.document.edited.mesh.shape == (3, 3)
    click_dims(qtbot, form, 3)
    assert form.document.edited.mesh.shape == (3, 3, 2)


def test_a_strategy_that_cannot_use_a_mesh_says_why_as_its_shape_is_typed(form, qtbot):
    """2DBS wants a square with a side of a power of two; the row follows every key."""
    combo = strategies_of(form, "first-fit-16x16")
    row = combo.findData("2dbs")
    assert combo.model().item(row).isEnabled()
    retype_side(qtbot, form, "12")
    assert not combo.model().item(row).isEnabled()
    assert "power of two, but this one is 12×16" in combo.itemData(row, Qt.ItemDataRole.ToolTipRole)
    retype_side(qtbot, form, "16")
    assert combo.model().item(row).isEnabled()
    # BlueGene's unit of 8 does not fit into 4×4×4; a smaller one does, and is typed once it is picked
    form.document.take(opened("three-jobs-4x4x4"), None)
    choose(qtbot, form, "allocator", "bluegene")
    assert form.document.edited is None
    assert "this one is 4×4×4" in form.error()


def test_strategies_stand_in_two_groups_in_a_list_as_wide_as_its_longest_title(form, qtbot):
    """Those that give one box first, each group by the names that are read; no heading can be picked."""
    combo = strategies_of(form, "first-fit-16x16")
    known = strategies()
    rows = [combo.itemData(row) for row in range(combo.count())]
    headings = [row for row, name in enumerate(rows) if name not in known]
    assert len(headings) == 2
    one, several = rows[headings[0] + 1 : headings[1]], rows[headings[1] + 1 :]
    assert [known[name].contiguous for name in one + several] == [True] * len(one) + [False] * len(several)
    for group in (one, several):
        titles = [known[name].title.casefold() for name in group]
        assert titles == sorted(titles)
    assert all(combo.itemText(row)[0].isupper() for row in headings)
    assert not any(combo.model().item(row).isEnabled() for row in headings)
    qtbot.keyClick(combo, Qt.Key.Key_Home)
    assert combo.currentData() in known
    for _ in range(combo.count()):
        qtbot.keyClick(combo, Qt.Key.Key_Down)
        assert combo.currentData() in known
    assert combo.currentIndex() == combo.count() - 1
    # However narrow the form is
    combo.showPopup()
    view = combo.view()
    widest = max(view.fontMetrics().horizontalAdvance(combo.itemText(row)) for row in range(combo.count()))
    assert view.viewport().width() > widest
    assert combo.count() > 28
    assert view.verticalScrollBar().maximum() == 0  # all of them are in sight
    combo.hidePopup()


def test_a_strategy_for_other_meshes_cannot_be_picked(flat, form, qtbot):
    """In 3D the 2D strategy is passed over by the keys, and its tool tip says why."""
    combo = strategies_of(form, "tbl-under-load")
    row = combo.findData("flat")
    assert combo.itemText(row) == named("Only Flat", "flat")
    assert not combo.model().item(row).isEnabled()
    why = combo.itemData(row, Qt.ItemDataRole.ToolTipRole)
    assert why == "flat works on 2D meshes, but this one is 8×8×8"
    qtbot.keyClick(combo, Qt.Key.Key_Home)
    for _ in range(combo.count()):
        assert combo.currentData() != "flat"
        qtbot.keyClick(combo, Qt.Key.Key_Down)
    click_dims(qtbot, form, 2)
    assert combo.model().item(row).isEnabled()


@pytest.fixture
def with_options(flat, form, qtbot):
    """The form with the strategy that has options."""
    form.document.take(opened("first-fit-16x16"), None)
    choose(qtbot, form, "allocator", "flat")
    return form


def test_options_of_every_kind_can_be_edited(with_options, qtbot):
    """Numbers, names, a switch and a number that may be missing come out typed; they begin with defaults."""
    form = with_options
    assert form.document.edited.allocator.options == ManyOptions()
    retype(qtbot, form, "allocator.options.depth", "4")
    retype(qtbot, form, "allocator.options.weight", "0.25")
    choose(qtbot, form, "allocator.options.mode", "best")
    choose(qtbot, form, "allocator.options.order", "far-off")
    switch = form.findChild(SwitchEditor, "allocator.options.strict").box
    qtbot.mouseClick(switch, Qt.MouseButton.LeftButton, pos=QPoint(8, switch.height() // 2))
    retype(qtbot, form, "allocator.options.limit", "9")
    expected = ManyOptions(depth=4, weight=0.25, mode="best", order=Order.FAR_OFF, strict=True, limit=9)
    assert form.document.edited.allocator.options == expected
    retype(qtbot, form, "allocator.options.limit", "")
    assert form.document.edited.allocator.options.limit is None


def test_arrows_stop_at_the_limits(with_options, qtbot):
    """Stepping goes no further than the model allows; what is typed beyond is marked where it stands."""
    depth, weight = (box(with_options, f"allocator.options.{name}") for name in ("depth", "weight"))
    for _ in range(9):
        qtbot.keyClick(depth, Qt.Key.Key_Up)
    assert depth.text() == "5"
    qtbot.keyClick(weight, Qt.Key.Key_Up)
    assert weight.text() == "0.51"
    for _ in range(60):
        qtbot.keyClick(weight, Qt.Key.Key_PageUp)
    assert float(weight.text()) < 1
    retype(qtbot, with_options, "allocator.options.depth", "6")
    assert errors(with_options) == {("allocator", "options", "depth"): "Expected at most 5, got 6"}


def test_the_wheel_scrolls_the_form_not_its_numbers(form, qtbot):
    """A number without the focus keeps its value when the wheel passes over it."""
    form.document.take(opened("tbl-under-load"), None)
    form.findChild(NotesEditor, "notes").text.setFocus()
    number = box(form, "workload.load")
    middle = QPointF(number.rect().center())
    wheel = QWheelEvent(
        middle, number.mapToGlobal(middle), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(number, wheel)
    assert number.text() == "5.8"


def test_a_cell_counts_while_it_is_typed_and_rows_are_added_and_removed(form, qtbot):
    """A job's size is checked at every key; the error names row and column."""
    form.document.take(opened("three-jobs-4x4x4"), None)
    view = table(form).table
    view.setCurrentIndex(table(form).rows.index(1, 1))
    qtbot.keyClick(view, Qt.Key.Key_F2)
    cell = form.focusWidget()
    qtbot.keyClick(cell, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(cell, "9x1x1")
    said = errors(form)["workload", "jobs"]
    assert said == "Job 1, size: expected a request no larger than the 4×4×4 mesh, got 9×1×1"
    qtbot.keyClick(cell, Qt.Key.Key_Home)
    qtbot.keyClick(cell, Qt.Key.Key_Delete)
    qtbot.keyClicks(cell, "3")
    assert form.document.edited.workload.jobs[1].size == (3, 1, 1)
    # Add repeats the row above; Delete takes the selected one; the last one gone is a fault
    form.document.take(opened("three-jobs-4x4x4"), None)
    jobs = form.document.edited.workload.jobs
    qtbot.mouseClick(table(form).add, Qt.MouseButton.LeftButton)
    assert form.document.edited.workload.jobs == (*jobs, jobs[-1])
    qtbot.keyClick(table(form).table, Qt.Key.Key_Delete)
    assert form.document.edited.workload.jobs == jobs
    table(form).table.selectAll()
    qtbot.mouseClick(table(form).remove, Qt.MouseButton.LeftButton)
    assert errors(form) == {("workload", "jobs"): "Expected at least 1 value, got 0"}


def test_tab_after_the_last_cell_begins_a_row(form, qtbot):
    """What is typed on belongs to a job of its own; Shift+Tab before the first cell goes nowhere."""
    form.document.take(opened("three-jobs-4x4x4"), None)
    jobs, editor = form.document.edited.workload.jobs, table(form)
    editor.table.setCurrentIndex(editor.rows.index(len(jobs) - 1, editor.rows.place_of("service")))
    qtbot.keyClick(editor.table, Qt.Key.Key_F2)
    qtbot.keyClick(form.focusWidget(), Qt.Key.Key_Tab)
    qtbot.keyClicks(form.focusWidget(), "77")
    assert form.document.edited.workload.jobs == (*jobs, jobs[-1].model_copy(update={"arrival": 77}))
    editor.table.setCurrentIndex(editor.rows.index(0, 0))
    qtbot.keyClick(editor.table, Qt.Key.Key_F2)
    qtbot.keyClick(form.focusWidget(), Qt.Key.Key_Backtab)
    assert editor.table.currentIndex() == editor.rows.index(0, 0)


def test_rows_are_named_by_their_jobs(form, qtbot):
    """The run counts jobs by arrival: a row that arrives later takes the number of its place."""
    form.document.take(opened("three-jobs-4x4x4"), None)
    rows = table(form).rows
    down = Qt.Orientation.Vertical
    assert [rows.headerData(row, down) for row in range(3)] == ["0", "1", "2"]
    rows.setData(rows.index(0, 0), "1.5")
    assert [rows.headerData(row, down) for row in range(3)] == ["1", "0", "2"]
    rows.setData(rows.index(0, 0), "soon")
    assert [rows.headerData(row, down) for row in range(3)] == ["", "0", "1"]
    assert errors(form)["workload", "jobs"].startswith("Row 1, arrival: expected a number")
    assert table(form).table.verticalHeader().isVisible()


def test_add_remove_and_paste_stay_where_they_are(form, qtbot):
    """However many rows there are, in a form as low as on a small laptop; an error is in sight with them."""
    form.resize(320, 330)
    form.document.take(opened("three-jobs-4x4x4"), None)
    jobs = table(form)
    handle_events()  # it is laid out
    scroller(form).ensureWidgetVisible(jobs, 0, 0)
    handle_events()
    before = jobs.add.mapTo(form, QPoint(0, 0))
    for _ in range(12):
        qtbot.mouseClick(jobs.add, Qt.MouseButton.LeftButton)
    pasted(qtbot, jobs, "0,2x3x1,5\n" * 40)
    handle_events()  # it is laid out
    assert jobs.rows.rowCount() == 55
    assert jobs.add.mapTo(form, QPoint(0, 0)) == before
    pasted(qtbot, jobs, "0,2x3,5")
    qtbot.waitUntil(lambda: errors(form) != {} and in_sight(form, field_at(form, "workload", "jobs")))
    assert jobs.table.rowViewportPosition(jobs.table.currentIndex().row()) < jobs.table.viewport().height()
    for button in (jobs.add, jobs.remove, jobs.paste):
        assert button.visibleRegion().boundingRect() == button.rect()


@pytest.mark.parametrize("width", [220, 300, 460])
def test_fields_use_the_width_and_line_up(form, qtbot, width):
    """All end at one edge, and those beside a label begin at one; in a narrow form labels stand above."""
    form.document.take(opened("heavy-tail-ssd"), None)
    form.resize(width, 900)
    qtbot.waitUntil(lambda: form.width() == width)
    handle_events()  # it is laid out
    editors = [field.editor for field in form.findChildren(FieldRow) if field.isVisible()]
    lefts = [editor.mapTo(form, QPoint(0, 0)).x() for editor in editors]
    assert len({left + editor.width() for left, editor in zip(lefts, editors, strict=True)}) == 1
    assert len(set(lefts)) == (1 if width == 220 else 2)  # the notes take the whole width


def test_pasted_rows_replace_the_untouched_first_one(form, qtbot):
    """Choosing a list and pasting CSV gives just the pasted jobs, in the mesh's dimensions."""
    form.document.take(opened("tbl-under-load"), None)
    choose(qtbot, form, "workload", "list")
    assert errors(form) == {}
    QGuiApplication.clipboard().setText("arrival,w,d,h,service\n0,2,4,4,6\n1.5,1,2,1,3\n")
    qtbot.keyClick(table(form).table, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    jobs = [(job.arrival, job.size, job.service) for job in form.document.edited.workload.jobs]
    assert jobs == [(0, (2, 4, 4), 6), (1.5, (1, 2, 1), 3)]
    # One that makes no sense changes nothing, and a line says what was expected
    scenario = opened("three-jobs-4x4x4")
    form.document.take(scenario, None)
    pasted(qtbot, table(form), "no rows at all")
    assert form.document.edited == scenario
    said = table(form).error_line.words.text()
    assert said.startswith("Nothing was pasted: expected rows of arrival, size")


@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_nothing_is_cut_off_at_300_pixels(form, themes, scale, qtbot):
    """At both sizes the fields of every kind fit into the width; the form scrolls up and down only."""
    themes.set_scale(scale)
    form.resize(300, 650)
    qtbot.waitUntil(lambda: form.width() == 300)
    random, listed = ("tbl-under-load", "heavy-tail-ssd"), ("three-jobs-4x4x4", "blocking-chain-8x6")
    for name in (*random, *listed, "gabl-contention-16x16"):
        form.document.take(opened(name), None)
        handle_events()
        area = scroller(form)
        assert area.widget().width() <= area.viewport().width(), name


def test_notes_take_the_lines_they_need(form, qtbot):
    """Notes of any length can be read; without notes the field is small. Only the form scrolls."""
    heights = {}
    for name, notes in (("none", ""), ("some", "word " * 60), ("many", "word " * 900)):
        form.document.take(opened("tbl-under-load").model_copy(update={"notes": notes}), None)
        text = form.findChild(NotesEditor, "notes").text
        handle_events()  # it is laid out
        heights[name] = text.height()
        assert text.verticalScrollBar().maximum() == 0
    assert heights["none"] < heights["some"] < form.height() / 2 < heights["many"]


def test_the_form_follows_the_line_of_the_notes_that_is_written_in(form, qtbot):
    """Notes higher than the form scroll with it: the cursor is in sight at their end and at their top."""
    form.document.take(opened("tbl-under-load").model_copy(update={"notes": "word " * 1900}), None)
    text = form.findChild(NotesEditor, "notes").text
    handle_events()  # it is laid out
    text.setFocus()
    for key in (Qt.Key.Key_End, Qt.Key.Key_Home):
        qtbot.keyClick(text, key, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda: text.visibleRegion().contains(text.cursorRect().center()))


def test_notes_given_before_the_form_is_shown_take_their_lines_too(themes, qtbot):
    """They are laid out only when the form has its width."""
    form = ScenarioForm(themes, Document())
    form.document.take(opened("no-deadlock-6x6"), None)
    shown(qtbot, form, 340, 900)
    text = form.findChild(NotesEditor, "notes").text
    qtbot.waitUntil(lambda: text.verticalScrollBar().maximum() == 0)
    assert text.document().size().height() > 8


def test_the_form_compiles_nothing():
    """Making the form brings no Numba in: the window must be painted before any kernel."""
    check = (
        "import sys; from PySide6.QtWidgets import QApplication; app = QApplication([]);"
        "from meshgui.views.style.theme import ThemeManager;"
        "from meshgui.views.scenario.form import ScenarioForm;"
        "from meshgui.model.document.document import Document;"
        "form = ScenarioForm(ThemeManager(app), Document()); sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", check], check=False, timeout=240).returncode == 0


def test_what_is_wrong_in_a_list_of_jobs_is_named_with_the_comma_of_the_language(form):
    """An Arabic error had a Latin comma before the column."""
    form.document.take(opened("three-jobs-4x4x4"), None)
    with speaking("ar"):
        assert "، " in table(form).mark_invalid([PlacedFault(("1", "size"), "")])


def test_a_list_of_jobs_outlives_the_viewport_it_was_shown_in(form):
    """An experiment that was opened and closed took it from Python: no scenario could be opened any more."""
    form.document.take(opened("three-jobs-4x4x4"), None)
    area = scroller(form)
    body = area.takeWidget()
    area.setViewport(QWidget())
    area.setWidget(body)
    body.show()
    form.document.take(opened("first-fit-16x16"), None)
    form.document.take(opened("three-jobs-4x4x4"), None)
    assert table(form).rows.rowCount() == 3


def test_every_wrong_job_of_a_pasted_list_is_marked(form, qtbot):
    """Each says at the pointer what is wrong with it; the first is also below the list."""
    form.document.take(opened("three-jobs-4x4x4"), None)
    pasted(qtbot, table(form), "7,9x1x1,5\n8,2x2x2,5\n9,1x1x6,5\n10,2x2x2,\n")
    rows = table(form).rows
    marked = {
        (row, column): rows.data(rows.index(row, column), Qt.ItemDataRole.ToolTipRole)
        for row in range(rows.rowCount())
        for column in range(rows.columnCount())
        if rows.data(rows.index(row, column), Qt.ItemDataRole.BackgroundRole) is not None
    }
    size, service = map(rows.place_of, ("size", "service"))
    unfit = "Expected a request no larger than the 4×4×4 mesh, got "
    every = "Without a network every job needs a service time"
    assert marked == {(3, size): f"{unfit}9×1×1", (5, size): f"{unfit}1×1×6", (6, service): every}
    said = "Job 3, size: expected a request no larger than the 4×4×4 mesh, got 9×1×1"
    assert errors(form) == {("workload", "jobs"): said}


def test_a_long_wrong_size_leaves_the_other_columns_in_sight(form):
    """It is shortened in its cell, and is whole where it is edited."""
    form.document.take(opened("three-jobs-4x4x4"), None)
    editor = table(form)
    editor.rows.setData(editor.rows.index(0, editor.rows.place_of("size")), "3 by 3 " * 12)
    view, last = editor.table, len(editor.rows.columns) - 1
    handle_events()
    assert view.columnViewportPosition(last) + view.columnWidth(last) <= view.viewport().width()


def test_an_error_stays_in_sight_when_a_paste_makes_the_table_taller(form, qtbot):
    """The table grows after its error was shown: the message is seen whole, not half below the edge."""
    form.resize(356, 420)
    form.document.take(opened("first-fit-16x16"), None)
    choose(qtbot, form, "workload", "list")
    jobs = table(form)
    field = field_at(form, "workload", "jobs")
    viewport, bar = scroller(form).viewport(), scroller(form).verticalScrollBar()

    def bottom():
        return field.mapTo(viewport, field.rect().bottomLeft()).y()

    pasted(qtbot, jobs, "0;2x3;5\n1;3;4;5\n2,9x9,1\n0;3;5,4;1\n")
    handle_events()  # it is laid out
    bar.setValue(bar.value() + bottom() - viewport.height() + 44)
    pasted(qtbot, jobs, "0;3x4;2\n0.5;20x2;1\n")
    handle_events()  # it is laid out
    assert errors(form)["workload", "jobs"].startswith("Job 3, size: expected a request no larger")
    assert bottom() <= viewport.height()


def test_the_fields_of_a_kind_come_into_sight_when_it_is_chosen(form, qtbot):
    """In a low form, below the choice, which stays in sight."""
    form.resize(356, 320)
    form.document.take(opened("first-fit-16x16"), None)
    handle_events()  # it is laid out
    combo = pick(form, "workload")
    scroller(form).ensureWidgetVisible(combo, 0, 0)
    choose(qtbot, form, "workload", "list")
    handle_events()
    assert in_sight(form, combo)
    assert in_sight(form, field_at(form, "workload", "jobs"))


def test_the_fields_of_a_kind_are_made_when_it_is_chosen(flat, themes, qtbot):
    """They are checked and can be varied as the others are, and Tab goes from the choice to them."""
    form = shown(qtbot, ScenarioForm(themes, Document()), 300, 900)
    form.document.take(opened("first-fit-16x16"), None)
    assert form.findChildren(NumberEditor, "allocator.options.depth") == []
    choose(qtbot, form, "allocator", "flat")
    assert form.document.edited.allocator.options.depth == 3
    row = field_at(form, "allocator", "options", "depth")
    with qtbot.waitSignal(form.vary_asked) as asked:
        row.vary_button.click()
    assert asked.args == ["allocator.options.depth"]
    after = pick(form, "allocator").nextInFocusChain()
    while after.focusPolicy() == Qt.FocusPolicy.NoFocus or not after.isVisibleTo(form):
        after = after.nextInFocusChain()
    assert row.isAncestorOf(after)
    retype(qtbot, form, "allocator.options.depth", "4")
    choose(qtbot, form, "allocator", "ff")
    choose(qtbot, form, "allocator", "flat")
    assert form.document.edited.allocator.options.depth == 4


def point_at(row):
    """The pointer comes to a row."""
    at = QPointF(5, 5)
    QApplication.sendEvent(row, QEnterEvent(at, at, QPointF(row.mapToGlobal(at))))


@pytest.mark.parametrize("width", [300, 356, 700])
def test_the_button_that_varies_a_field_covers_no_letter_of_it(themes, qtbot, width):
    """It lay over the last one of "Detection"."""
    form = shown(qtbot, ScenarioForm(themes, Document()), width, 900)
    form.document.take(opened("no-deadlock-6x6"), None)
    handle_events()  # it is laid out
    rows = [row for row in form.findChildren(FieldRow) if row.vary_button is not None and row.isVisible()]
    assert len(rows) > 15
    for row in rows:
        point_at(row)
        words = row.findChild(QLabel)
        flags = Qt.TextFlag.TextWordWrap | words.alignment()
        ink = words.fontMetrics().boundingRect(words.contentsRect(), int(flags), words.text())
        assert row.vary_button.isVisible()
        assert not row.vary_button.geometry().intersects(ink.translated(words.pos())), words.text()


def test_the_button_that_varies_a_field_goes_as_the_wheel_turns(form, qtbot):
    """The row is scrolled away, and the pointer stays: the button was left beside another row's words."""
    form.document.take(opened("no-deadlock-6x6"), None)
    handle_events()  # it is laid out
    row = field_at(form, "mesh", "shape")
    point_at(row)
    assert row.vary_button.isVisible()
    turn_wheel(scroller(form).viewport(), QPointF(5, 5), -1)
    assert not row.vary_button.isVisible()


def values(form):
    """All that is in the fields, in their order."""
    return [(field.path, field.editor.value()) for field in form.findChildren(FieldRow)]


@pytest.mark.parametrize("after", [0, 1, 5, 100])
def test_a_form_can_be_built_in_steps(themes, qtbot, after):
    """With time for events between them; who needs it meanwhile has the rest done at once."""
    document = Document()
    document.take(opened("first-fit-16x16"), None)
    built = ScenarioForm(themes, document, at_once=False)
    qtbot.addWidget(built)
    assert built.findChildren(FieldRow) == []
    taken = sum(1 for _ in zip(range(after), built.steps(), strict=False))
    assert taken == min(after, 8)
    document.change(dict(document.draft) | {"title": "Changed meanwhile"})
    built.finish()
    assert document.edited.title == "Changed meanwhile"
    whole = ScenarioForm(themes, document)
    qtbot.addWidget(whole)
    assert values(built) == values(whole)
