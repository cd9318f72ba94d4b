"""Experiments as they are put together, with what is wrong where it is wrong."""

import pytest

from meshgui.engine.scenario import scenario_from
from meshgui.experiment.grid import Target
from meshgui.model.experiment_draft import AxisDraft, DraftError, ExperimentDraft
from tests.experiments import SMALL


def draft(*rows, **target):
    """A draft over the small scenario."""
    return ExperimentDraft(scenario_from(SMALL), rows, Target(**target))


def test_rows_make_the_grid_and_every_faulty_row_has_its_own_sentence():
    """Values are the axes, in the order of the rows; neither fault hides the other."""
    rows = AxisDraft("allocator.name", "", ("ff", "gabl")), AxisDraft("workload.load", "1..2/0.5")
    made = draft(*rows).experiment()
    assert made.keys == ("allocator.name", "workload.load")
    strategies = [(name, load) for name in ("ff", "gabl") for load in ("1", "1.5", "2")]
    assert [point.labels for point in made.points] == strategies
    assert len(draft().experiment().points) == 1
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


STRATEGIES = AxisDraft("allocator.name", "", ("ff", "2dbs"))
PARETO = '{"kind": "bounded-pareto", "shape": -1}'


@pytest.mark.parametrize(
    ("rows", "row", "said"),
    [
        ((STRATEGIES, AxisDraft("workload.load", "1, -1")), 1, "^-1: "),
        ((AxisDraft("mesh.shape", "abc"),), 0, "^abc: expected a shape, for example 8×8$"),
        ((AxisDraft("mesh.shape", "8x8, abc"),), 0, "^abc: expected a shape, for example 8×8$"),
        (
            (AxisDraft("mesh.shape", "4x4, 4x4x4"), STRATEGIES),
            None,
            "^mesh.shape=4×4×4, allocator.name=2dbs: ",
        ),
        (
            (AxisDraft("workload.service", PARETO),),
            0,
            r"^bounded-pareto \(shape -1\): workload.service.shape: ",
        ),
    ],
    ids=["a value", "a shape", "a shape among others", "a combination", "a field elsewhere"],
)
def test_what_no_scenario_can_have_is_blamed_on_its_row(rows, row, said):
    """On none where each row alone would do; a field is named where it is another than the row's."""
    with pytest.raises(DraftError, match=said) as caught:
        draft(*rows).experiment()
    assert caught.value.row == row
