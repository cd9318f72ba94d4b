"""Experiments as they are put together, with what is wrong where it is wrong."""

import pytest

from meshgui.engine.scenario import scenario_from
from meshgui.experiment.grid import Target
from meshgui.model.experiment_draft import AxisDraft, DraftError, ExperimentDraft
from tests.experiments import SMALL


def draft(*rows, **target):
    """A draft over the small scenario."""
    return ExperimentDraft(scenario_from(SMALL), rows, Target(**target))


def test_rows_make_the_grid():
    """Chosen and typed values are the axes, in the order of the rows."""
    made = draft(
        AxisDraft("allocator.name", "", ("ff", "gabl")), AxisDraft("workload.load", "1..2/0.5")
    ).experiment()
    assert made.keys == ("allocator.name", "workload.load")
    assert [point.labels for point in made.points][:4] == [
        ("ff", "1"),
        ("ff", "1.5"),
        ("ff", "2"),
        ("gabl", "1"),
    ]


def test_a_draft_without_rows_is_one_point():
    """The scenario itself, replicated."""
    assert len(draft().experiment().points) == 1


def test_every_faulty_row_has_its_own_sentence():
    """Neither hides the other."""
    found = draft(
        AxisDraft("workload.load", "2..1"),
        AxisDraft("allocator.name", "", ()),
        AxisDraft("workload.load", "1"),
        AxisDraft("mesh.shape", "4x4"),
    ).faults()
    assert found == {
        0: "Expected a step that leads from 2 to 1, got 2..1",
        1: "Expected at least one value",
        2: "Expected another field: this one is varied already",
    }


def test_a_value_that_no_scenario_can_have_is_blamed_on_its_row():
    """The point says what was expected; the row that is wrong alone is found."""
    with pytest.raises(DraftError) as caught:
        draft(AxisDraft("allocator.name", "", ("ff",)), AxisDraft("workload.load", "1, -1")).experiment()
    assert caught.value.row == 1
    assert str(caught.value).startswith("-1: ")


@pytest.mark.parametrize("text", ["abc", "8x8, abc"])
def test_a_shape_that_is_none_is_told_as_shapes_are_typed(text):
    """Nobody types a list there."""
    with pytest.raises(DraftError) as caught:
        draft(AxisDraft("mesh.shape", text)).experiment()
    assert caught.value.row == 0
    assert str(caught.value) == "abc: expected a shape, for example 8×8"


def test_a_combination_that_cannot_be_is_blamed_on_none():
    """Each row alone would do; the sentence names the point."""
    rows = (AxisDraft("mesh.shape", "4x4, 4x4x4"), AxisDraft("allocator.name", "", ("ff", "2dbs")))
    with pytest.raises(DraftError) as caught:
        draft(*rows).experiment()
    assert caught.value.row is None
    assert "4×4×4" in str(caught.value)


def test_a_fault_elsewhere_in_the_scenario_names_its_field():
    """The row says which of its values is at fault; the field is named where it is another one."""
    with pytest.raises(DraftError) as caught:
        draft(AxisDraft("workload.service", '{"kind": "bounded-pareto", "shape": -1}')).experiment()
    assert caught.value.row == 0
    assert str(caught.value).startswith("bounded-pareto (shape -1): workload.service.shape: ")
