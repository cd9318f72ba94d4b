"""Failures in the scenario form: none, listed or drawn, and what becomes of the jobs."""

from PySide6.QtCore import Qt

from meshgui.engine.scenario import scenario_from
from meshgui.model.studies.varied_fields import varied_fields
from meshgui.views.forms.editors import SegmentEditor
from meshgui.views.forms.field_rows import FieldRow
from tests.scenarios import scenario

from .driving import errors, opened, retype, scroller, table

PLAIN = scenario((8, 8), "ff", jobs=9)


def fields_in_sight(form):
    """The paths of the fields about failures that can be seen."""
    fields = form.findChildren(FieldRow)
    return {".".join(f.path) for f in fields if f.path[:1] == ("machine",) and f.isVisibleTo(form)}


def choose_way(qtbot, form, way):
    """Click none, listed or drawn."""
    button = form.findChild(SegmentEditor, "machine.way").buttons[way]
    scroller(form).ensureWidgetVisible(button)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_scenario_gets_failures_and_loses_them_again(qtbot, form):
    """As long as none are chosen the file has no word of them; fields of the other way are hidden."""
    form.document.take(PLAIN, None)
    assert fields_in_sight(form) == {"machine.way"}
    assert "machine" not in form.document.draft
    choose_way(qtbot, form, 2)
    between, repair = "machine.failures.between", "machine.failures.repair"
    assert "machine.interval" not in fields_in_sight(form)  # without checkpoints
    assert fields_in_sight(form) >= {between, repair, "machine.failures.unit", "machine.on_failure"}
    retype(qtbot, form, between, "30")
    retype(qtbot, form, repair, "2")
    edited = form.document.edited.reliability
    assert (edited.failures.between, edited.failures.repair, edited.on_failure) == (30, 2, "requeue")
    choose_way(qtbot, form, 0)
    assert form.document.edited.reliability is None
    assert "machine" not in form.document.draft


def test_listed_failures_are_rows_of_boxes(qtbot, form):
    """A processor is a box of one; a wrong row is named where it is."""
    listed = {"failures": [{"node": [2, 3], "from": 1, "until": 4}, {"box": [0, 0, 2, 2], "from": 5}]}
    form.document.take(scenario_from(PLAIN.model_dump(mode="json") | {"machine": listed}), None)
    rows = table(form, "machine.failures").rows
    assert [rows.cells(row) for row in range(2)] == [["2×3×1×1", "1", "4"], ["0×0×2×2", "5", ""]]
    assert not form.document.pending
    retyped = form.document.draft["machine"]["failures"]
    wrong = [retyped[0], {"box": [7, 7, 2, 2], "from": 5}]
    form.document.change(dict(form.document.draft) | {"machine": {"failures": wrong}})
    assert any("processors of the 8×8 mesh" in message for message in errors(form).values())


def test_what_fails_can_be_varied():
    """The rule and the means, in an experiment."""
    fields = {field.key for field in varied_fields(opened("failing-cubes-8x8x8"))}
    assert {"machine.on_failure", "machine.failures.between", "machine.failures.repair"} <= fields
    assert not {key for key in {field.key for field in varied_fields(PLAIN)} if key.startswith("machine")}
