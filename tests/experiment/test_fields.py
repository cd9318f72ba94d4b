"""The fields that are varied, and the grid of points."""

import json
from copy import deepcopy
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.scenario import scenario_from
from meshgui.engine.scheduling.registry import disciplines
from meshgui.experiment import fields
from meshgui.experiment.field_paths import NOT_VARIED, PLACE, field_paths, is_field
from meshgui.experiment.fields import FieldError, axis_from, labels_of, text_of, with_field
from meshgui.experiment.grid import Experiment
from tests.experiments import SMALL, small_experiment

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12)
    | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
"""Whatever JSON may hold."""


def plain(data=SMALL):
    """A scenario with all its fields written out."""
    return scenario_from(data).model_dump(mode="json")


@given(values=st.lists(json_values, min_size=1, max_size=5, unique_by=lambda v: text_of(v).lower()))
def test_values_written_as_text_are_read_as_the_same_values(values):
    """Split at commas outside brackets and quotes, parsed to the same, whatever is in them."""
    values = [v for i, v in enumerate(values) if v not in values[:i]]
    axis = axis_from("workload=" + ",".join(map(text_of, values)))
    assert list(axis.values) == values
    assert [type(v) for v in axis.values] == [type(v) for v in values]


@given(values=st.lists(json_values, min_size=1, max_size=6))
def test_labels_are_unique_for_different_values(values):
    """Text and number, true and "true", an object and one with more in it: none look alike."""
    different = [v for i, v in enumerate(values) if json.dumps(v) not in map(json.dumps, values[:i])]
    different = list({text_of(v): v for v in different}.values())
    labels = labels_of(different)
    assert len(set(labels)) == len(different)


@given(text=st.text(max_size=40))
def test_any_text_is_an_axis_or_one_line(text):
    """Nothing that stands behind `--vary` ends in anything but an axis or a complaint."""
    for given_text in (text, f"workload.load={text}"):
        complaint = ""
        try:
            assert axis_from(given_text).values
        except FieldError as error:
            complaint = str(error)
        assert complaint.isprintable()


def test_deep_and_long_values_are_complaints():
    """Brackets without end, and numbers of thousands of digits."""
    with pytest.raises(FieldError, match="less deeply nested"):
        axis_from("workload=" + "[" * 100_000)
    for digits in ("9" * 5000, "9" * 5000 + "x8", "1.." + "9" * 5000):
        assert axis_from(f"workload.load={digits}").values == (digits,)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("ff,gabl", ("ff", "gabl")),
        (" 1 , 2.5 ", (1, 2.5)),
        ("8x8,8×4x2", ([8, 8], [8, 4, 2])),
        ("[8,8],[4,4,4]", ([8, 8], [4, 4, 4])),
        ('{"kind":"uniform","high":4},null', ({"kind": "uniform", "high": 4}, None)),
        ("true,false", (True, False)),
        ('"1","a,b"', ("1", "a,b")),
        ('"a \\" , b",c', ('a " , b', "c")),
        ("1..4", (1, 2, 3, 4)),
        ("1..2/0.25", (1.0, 1.25, 1.5, 1.75, 2.0)),
        ("0.1..0.3/0.1", (0.1, 0.2, 0.3)),
        ("5..1/-2", (5, 3, 1)),
        ("1..2,8", (1, 2, 8)),
        ("1e-3..3e-3/1e-3", (0.001, 0.002, 0.003)),
        ("7..7", (7,)),
    ],
)
def test_values_as_people_write_them(text, values):
    """Words, numbers, shapes, objects, and ranges with both ends."""
    found = axis_from(f"workload={text}").values
    assert found == values
    assert [type(v) for v in found] == [type(v) for v in values]


@given(
    low=st.decimals(-1000, 1000, places=3), by=st.decimals("0.001", 50, places=3), steps=st.integers(0, 200)
)
def test_ranges_are_exact_decimals(low, by, steps):
    """Each value is the float nearest to the decimal that stands there: no sums of rounding errors."""
    high = low + by * steps
    found = axis_from(f"workload.load={low}..{high}/{by}").values
    assert found == tuple(float(Fraction(low) + k * Fraction(by)) for k in range(steps + 1))
    assert found == tuple(float(str(low + k * by)) for k in range(steps + 1))


def test_an_axis_from_elsewhere_is_looked_at_in_the_same_way():
    """As from a window or a bundle."""
    with pytest.raises(FieldError, match="did you mean"):
        fields.check_axis(fields.FieldAxis(key="workload.laod", values=(1,)))


FIELDS = [
    ("workload.load", 3.5), ("mesh.shape", [4, 5]), ("mesh.shape.1", 5), ("workload.sides.high", 3),
    ("workload.gaps", {"kind": "constant"}), ("seed", 8), ("network", None), ("scheduler.options", {}),
]  # fmt: skip


@given(data=st.data())
def test_with_field_sets_one_field_and_leaves_the_rest_alone(data):
    """Neither the data nor the value is changed or shared; setting back gives the same as before."""
    key, value = data.draw(st.sampled_from(FIELDS))
    before = plain()
    untouched, kept = deepcopy(before), deepcopy(value)
    after = with_field(before, key, value)
    assert before == untouched
    path = [int(part) if part.isdigit() else part for part in key.split(".")]
    old, new = before, after
    for part in path[:-1]:
        assert {k for k in new if k != part} == {k for k in old if k != part}
        assert all(new[k] == old[k] for k in new if k != part)
        old, new = old[part], new[part]
    assert new[path[-1]] == value
    assert with_field(after, key, old[path[-1]]) == before
    if isinstance(value, list | dict):
        new[path[-1]].clear()
        assert value == kept


def test_another_name_or_kind_drops_what_belonged_to_the_former():
    """The same one keeps it; options and fields may then be set for the new one."""
    paging = plain(SMALL | {"allocator": {"name": "paging", "options": {"size_index": 1}}})
    assert with_field(paging, "allocator.name", "ff")["allocator"] == {"name": "ff"}
    assert with_field(paging, "allocator.name", "paging") == paging
    fresh = with_field(plain(), "allocator.name", "paging")
    chosen = {"name": "paging", "options": {"size_index": 2}}
    assert with_field(fresh, "allocator.options.size_index", 2)["allocator"] == chosen
    sides = with_field(plain(), "workload.sides.kind", "exponential")["workload"]["sides"]
    assert sides == {"kind": "exponential"}
    stated = with_field(plain(), "workload.service.kind", "constant")
    assert stated["workload"]["service"] == {"kind": "constant"}
    assert with_field(stated, "workload.service.value", 2)["workload"]["service"]["value"] == 2


@pytest.mark.parametrize(
    ("key", "complaint"),
    [
        ("mesh.shape.-1", "expected a place in a list of 2"),
        ("mesh.shape.²", "expected a place in a list of 2"),
        ("workload.load.deep", "expected a field of an object or a list"),
        ("workload.load.deep.er", "expected a field of an object or a list"),
        ("nothing.there", "nothing.there: there is no nothing"),
    ],
)
def test_a_field_that_is_not_there_is_one_line(key, complaint):
    """It says what is there instead."""
    with pytest.raises(FieldError) as raised:
        with_field(plain(), key, 1)
    assert complaint in str(raised.value)


@pytest.mark.parametrize(
    ("value", "label"),
    [
        ("gabl", "gabl"), (5, "5"), (2.5, "2.5"), (1.0, "1"), (1234567, "1234567"),
        (0.1 + 0.2, repr(0.1 + 0.2)),
        (True, "true"), (None, "null"), ([8, 8], "8×8"), ([True, True], "[true, true]"),
        ([], "[]"), ({}, "{}"),
        ({"name": "paging", "options": {"size_index": 1}}, "paging (size_index 1)"),
        ({"name": "ff", "options": {}}, "ff"), ({"kind": "uniform", "high": None}, "uniform"),
    ],
)  # fmt: skip
def test_labels_are_short(value, label):
    """As few letters as say it, and every digit of a number."""
    assert fields.label_of(value) == label


def test_labels_that_would_look_alike_are_written_out():
    """A number and the same as text; objects that a short label does not tell apart; words of any length."""
    assert labels_of((1, "1", 2)) == ("1", '"1"', "2")
    alike = ({"kind": "uniform"}, {"kind": "uniform", "high": None})
    assert labels_of(alike) == ('{"kind": "uniform"}', '{"kind": "uniform", "high": null}')
    fault = FieldError("expected a strategy", "allocator.name", {"allocator.name": "x" * 5000})
    assert len(str(fault)) < 500


GRID_FIELDS = Path(__file__).parents[1] / "golden" / "varied_fields.txt"


def varied():
    """Every field with values for it, and a scenario that has it: small, with what its section says."""
    data, rows = SMALL, {}
    for line in filter(None, GRID_FIELDS.read_text(encoding="utf-8").splitlines()):
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


LEFT_OUT = {
    "per_hop": "header", "ports": "one", "routing": "xy", "channels": 1, "credit": 0, "wrap": [],
    "idle_energy": 0.0, "busy_energy": 1.0, "flit_energy": 0.0, "compute": None, "across": True,
}  # fmt: skip
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
    """But for what is not varied, a trace's file, which a test of traces has, and its jobs' numbers."""
    of_the_trace = {"workload.path", "workload.numbers", "workload.numbers.*"}
    assert {path for path in field_paths() if path not in NOT_VARIED} - of_the_trace <= set(VARIED)
    assert set(VARIED) <= set(field_paths())
    assert all(is_field(at_the_first_place(key)) for key in VARIED)


def test_every_strategy_and_every_queue_can_be_a_point():
    """On a mesh or torus that all of one dimension can work with, with their own default options."""
    flat = [name for name, cls in strategies().items() if 2 in cls.dims]
    solid = [name for name, cls in strategies().items() if 3 in cls.dims]
    assert len(small_experiment(f"allocator.name={','.join(flat)}").points) == len(flat)
    cube = SMALL | {"mesh": {"shape": [8, 8, 8], "wrap": [True, True, True]}}
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
