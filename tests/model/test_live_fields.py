"""The fields that a slider changes, their ranges and values."""

import pytest

from meshgui.engine.scenario import ScenarioError, scenario_from
from meshgui.model.live_fields import TICKS, live_fields
from tests.experiments import SMALL


def field(data, label):
    """The field of that name."""
    return next(one for one in live_fields(scenario_from(data)) if one.label == label)


def labels(data, varied=()):
    """What the fields of a scenario are called."""
    return [one.label for one in live_fields(scenario_from(data), varied)]


def test_the_fields_are_those_that_the_scenario_has():
    """A network adds its messages; what is varied stands in the curves already."""
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
