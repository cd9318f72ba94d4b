"""The draft of an experiment, and the fields of a scenario that are changed while it runs."""

import pytest

from meshgui.engine.scenario import ScenarioError, scenario_from
from meshgui.experiment.grid import Target
from meshgui.model.studies.experiment_draft import AxisDraft, DraftError, ExperimentDraft
from meshgui.model.studies.live_fields import TICKS, live_fields
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


def field(data, label):
    """The field of that name."""
    return next(one for one in live_fields(scenario_from(data)) if one.label == label)


def labels(data, varied=()):
    """What the fields of a scenario are called."""
    return [one.label for one in live_fields(scenario_from(data), varied)]


def test_the_fields_are_those_that_the_scenario_has():
    """A network adds its messages; what is varied is in the curves already."""
    assert labels(SMALL) == ["Load", "Mean service", "Mesh side"]
    sides = SMALL | {"workload": SMALL["workload"] | {"sides": {"kind": "exponential"}}}
    talking = sides | {"network": {"pattern": "random"}}
    assert labels(talking) == ["Load", "Mean side", "Messages", "Mesh side"]
    assert "Load" not in labels(SMALL, ["workload.load"])
    assert "Mean service" not in labels(SMALL, ["workload.service.kind"])
    assert len(labels(SMALL, ["allocator.name"])) == 3


@pytest.mark.parametrize("label", ["Load", "Mean service", "Mesh side"])
def test_the_slider_begins_at_the_value_there_is_and_goes_through_its_range(label):
    """Places and values belong to each other, from the lowest to the highest."""
    one = field(SMALL, label)
    values = [one.value(tick) for tick in range(one.ticks + 1)]
    assert values == sorted(values)
    assert values[0] == pytest.approx(one.low, rel=0.01)
    assert values[-1] == pytest.approx(one.high, rel=0.01)
    assert one.value(one.tick(one.now)) == pytest.approx(one.now, rel=0.01)


def test_values_go_into_the_scenario_and_a_value_that_the_scenario_cannot_have_is_refused():
    """A side for every axis of the mesh; pages of 2×2 do not tile a mesh of 3×3."""
    scenario = scenario_from(SMALL)
    assert field(SMALL, "Load").applied(scenario, TICKS).workload.load == 8.0
    assert field(SMALL, "Mean service").applied(scenario, 0).workload.service.mean == 0.125
    side = field(SMALL, "Mesh side")
    assert side.applied(scenario, side.tick(7)).mesh.shape == (7, 7)
    deep = SMALL | {"mesh": {"shape": [4, 4, 4]}}
    side = field(deep, "Mesh side")
    assert (side.low, side.high) == (2, 8)
    assert side.applied(scenario_from(deep), side.ticks).mesh.shape == (8, 8, 8)
    paged = SMALL | {"allocator": {"name": "paging", "options": {"size_index": 1}}}
    side = field(paged, "Mesh side")
    with pytest.raises(ScenarioError, match="do not tile"):
        side.applied(scenario_from(paged), side.tick(3))
