"""Which fields of a scenario can be varied, and what they are called."""

import pytest

from meshgui.engine.scenario import load_scenario, scenario_from
from meshgui.experiment.fields import FieldAxis
from meshgui.experiment.grid import Target, experiment_of
from meshgui.model.axis_values import axis_of, text_of
from meshgui.model.examples import example, example_groups
from meshgui.views.experiment.varied_fields import GROUPS, varied_fields
from tests.experiments import SMALL

EXAMPLES = [path for paths in example_groups().values() for path in paths]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name.partition(".")[0])
def test_every_field_offered_can_be_varied_over_what_it_holds(path):
    """As it stands: an axis of the one value is an experiment. No two fields have one name."""
    scenario = load_scenario(path)
    fields = varied_fields(scenario)
    for field in fields:
        if field.kind == "choice":
            axis = FieldAxis(key=field.key, values=(field.now,))
        elif field.now is None:
            continue  # not stated: it has a value only once one is typed
        else:
            axis = axis_of(field.key, text_of((field.now,)))
        experiment_of(scenario, (axis,), Target())
    assert len({(field.group, field.label) for field in fields}) == len(fields)
    assert [field.group for field in fields] == sorted((f.group for f in fields), key=GROUPS.index)


def test_every_choice_that_is_not_refused_makes_a_scenario():
    """Strategies that do not fit the mesh, and kinds that need more than their name, say why."""
    scenario = load_scenario(example("gabl-contention-16x16"))
    for field in varied_fields(scenario):
        for choice in field.choices:
            if not choice.refusal and field.key not in {"network.switching", "scheduler.name"}:
                experiment_of(scenario, (FieldAxis(key=field.key, values=(choice.value,)),), Target())


def test_what_needs_more_than_its_name_is_refused():
    """Sides by intervals have no default; tree strategies do not fit an odd mesh."""
    fields = {f.key: f for f in varied_fields(scenario_from(SMALL | {"mesh": {"shape": [5, 7]}}))}
    sides = {choice.value: choice.refusal for choice in fields["workload.sides.kind"].choices}
    assert sides["exponential"] == ""
    assert "intervals" in sides["intervals"]
    strategies = {choice.value: choice.refusal for choice in fields["allocator.name"].choices}
    assert strategies["ff"] == ""
    assert strategies["2dbs"]


def test_a_service_that_is_not_stated_is_varied_as_a_whole():
    """There is nothing in it whose kind could be set."""
    field = next(f for f in varied_fields(scenario_from(SMALL)) if f.key.startswith("workload.service"))
    assert field.key == "workload.service"
    assert {"kind": "constant"} in [choice.value for choice in field.choices]
