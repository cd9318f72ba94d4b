"""Grids: their points in order, over every field that a scenario may have; and what cannot be a grid."""

import json
from itertools import product
from pathlib import Path

import pytest

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.scheduling.registry import disciplines
from meshgui.experiment.field_paths import NOT_VARIED, PLACE, field_paths, is_field
from meshgui.experiment.grid import Experiment
from tests.experiments import SMALL, small_experiment

FIELDS = Path(__file__).parents[1] / "golden" / "varied_fields.txt"


def varied():
    """Every field with values for it, and a scenario that has it: small, with what its section says."""
    data, rows = SMALL, {}
    for line in filter(None, FIELDS.read_text(encoding="utf-8").splitlines()):
        if line.startswith("with "):
            data = SMALL | json.loads(line.removeprefix("with "))
        else:
            key, values = line.split()
            rows[key] = values, data
    return rows


VARIED = varied()


def at_the_first_place(key):
    """The path with its places filled in."""
    return key.replace(PLACE, "0")


LEFT_OUT = {"per_hop": "header", "ports": "one"}
"""Fields that a file does not have where they have these values."""


def found_at(data, key):
    """What stands at a path."""
    for part in key.split("."):
        data = data[int(part)] if isinstance(data, list) else data.get(part, LEFT_OUT.get(part))
    return data


def agrees(found, value):
    """Whether a value stands there; what it leaves out has its defaults."""
    if isinstance(value, dict):
        return all(agrees(found[name], inner) for name, inner in value.items())
    return found == value


@pytest.mark.parametrize("key", VARIED)
def test_every_field_can_be_varied(key):
    """Each point's scenario has its value there, and different values are different work."""
    values, data = VARIED[key]
    path = at_the_first_place(key)
    experiment = small_experiment(f"{path}={values}", data=data)
    for point in experiment.points:
        [value] = point.values
        found = found_at(point.scenario.model_dump(mode="json"), path)
        assert agrees(found, value)
    assert len({point.spec.key for point in experiment.points}) == len(experiment.points)


def test_no_field_of_the_schema_is_left_out():
    """But for what is not varied, and a trace's file, which a test of traces has."""
    assert {path for path in field_paths() if path not in NOT_VARIED} - {"workload.path"} <= set(VARIED)
    assert set(VARIED) <= set(field_paths())
    assert all(is_field(at_the_first_place(key)) for key in VARIED)


def test_every_strategy_and_every_queue_can_be_a_point():
    """On a mesh that all of one dimension can work with, with their own default options."""
    flat = [name for name, cls in strategies().items() if 2 in cls.dims]
    solid = [name for name, cls in strategies().items() if 3 in cls.dims]
    assert len(small_experiment(f"allocator.name={','.join(flat)}").points) == len(flat)
    cube = SMALL | {"mesh": {"shape": [8, 8, 8]}}
    assert len(small_experiment(f"allocator.name={','.join(solid)}", data=cube).points) == len(solid)
    assert len(small_experiment(f"scheduler.name={','.join(disciplines())}").points) == len(disciplines())


def test_every_option_of_a_strategy_goes_with_its_name():
    """A name is set before its options, whichever is first, though the scenario has another strategy."""
    experiment = small_experiment("allocator.options.size_index=0,1", "allocator.name=paging")
    assert [point.scenario.allocator.options.size_index for point in experiment.points] == [0, 1]
    [point] = small_experiment("scheduler.options.demand=time", "scheduler.name=ssd").points
    assert point.scenario.scheduler.options.demand == "time"
    one = small_experiment("allocator.name=paging", "allocator.options.size_index=1")
    other = small_experiment("allocator.options.size_index=1", "allocator.name=paging")
    assert one.points[0].spec == other.points[0].spec


def test_points_go_by_the_axes_in_order_the_last_fastest():
    """As nested loops do, each with labels of its own; read again, so are points, works and name."""
    experiment = small_experiment("allocator.name=ff,bf", "workload.load=1..3", "mesh.shape=4x4,4x8")
    wanted = list(product(("ff", "bf"), (1, 2, 3), ([4, 4], [4, 8])))
    assert [point.values for point in experiment.points] == wanted
    assert [point.index for point in experiment.points] == list(range(12))
    assert len({point.labels for point in experiment.points}) == 12
    assert experiment.points[3].labels == ("ff", "2", "4×8")
    experiment = small_experiment("mesh.shape=4x4,8x8", "workload.load=0.5,1", figures=("waiting",))
    again = Experiment.from_data(experiment.as_data())
    assert again.points == experiment.points
    assert again.id == experiment.id
