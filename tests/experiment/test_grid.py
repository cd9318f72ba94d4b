"""Grids: their points in order, over every field that a scenario may have; and what cannot be a grid."""

from itertools import product

import pytest

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.limits import MOST_POINTS
from meshgui.engine.scheduling.registry import disciplines
from meshgui.experiment.batches import Batches
from meshgui.experiment.field_paths import NOT_VARIED, PLACE, field_paths, is_field
from meshgui.experiment.fields import FieldError
from meshgui.experiment.grid import Experiment
from tests.experiments import SMALL, small_experiment

WITH_NETWORK = SMALL | {"network": {"pattern": "one-to-all", "messages": 2}}
PACKETS = {"pattern": "file", "packets": [[0, 0, 0, 0, 1, 0, 0, 0], [2, 0, 0, 0, 1, 1, 0, 0]]}
LISTED = SMALL | {
    "workload": {
        "kind": "list",
        "jobs": [{"arrival": 0, "size": [2, 2], "service": 3, "messages": 4}],
    },
    "network": WITH_NETWORK["network"],
}
LISTED_PACKETS = LISTED | {
    "workload": {"kind": "list", "jobs": [{"arrival": 0, "size": [2, 2], "service": 3}]},
    "network": PACKETS,
}

DRIVEN = SMALL | {
    "workload": {
        "kind": "list",
        "jobs": [{"arrival": 0, "size": [2, 2], "service": 3} for _ in range(3)],
        "moves": [[1, 2, 0]],
    },
    "network": None,
}


TRACED = SMALL | {"workload": {"kind": "swf", "jobs": [[10 * k, 5 + k % 3, 1 + k % 4] for k in range(9)]}}


def drawn(**parts):
    """The small scenario with other parts of its workload."""
    return SMALL | {"workload": SMALL["workload"] | parts}


def placed(name, **options):
    """The small scenario with another strategy."""
    return SMALL | {"allocator": {"name": name, "options": options}}


UNIFORM = {"kind": "uniform", "low": 1, "high": 2}
PARETO = {"kind": "bounded-pareto", "k": 1, "q": 9, "alpha": 1}
BY_SIZE = {"kind": "by-size"}
INTERVALS = {"kind": "intervals", "intervals": [[1, 2, 0.5], [2, 4, 0.5]]}

VARIED = {
    "mesh": ('{"shape":[4,4]},{"shape":[4,5]}', SMALL),
    "mesh.shape": ("4x4,[4,4,2],8x8", SMALL),
    "mesh.shape.*": ("4,8", SMALL),
    "allocator": ('{"name":"ff"},{"name":"paging","options":{"size_index":1}}', SMALL),
    "allocator.name": ("ff,gabl,mbs", SMALL),
    "allocator.options": ('{"size_index":0},{"size_index":1}', placed("paging")),
    "allocator.options.mapping": ("blocks,row-major", placed("gabl")),
    "allocator.options.rounds": ("1,2", placed("anca")),
    "allocator.options.stop": ("below-one,at-one", placed("anca")),
    "allocator.options.bound": ("1,2", placed("bgp")),
    "allocator.options.fuzzy": ("true,false", placed("bgp")),
    "allocator.options.target": ("60,80", placed("bgp", fuzzy=True)),
    "allocator.options.highest": ("10,20", placed("bgp", fuzzy=True)),
    "allocator.options.unit": ("2,4", placed("bluegene") | {"mesh": {"shape": [8, 8, 8]}}),
    "allocator.options.size_index": ("0,1,2", placed("paging")),
    "allocator.options.order": ("row-major,snake,hilbert", placed("paging")),
    "allocator.options.selection": ("take-first,first-fit", placed("paging")),
    "allocator.options.search": ("best,breadth-first", placed("ta")),
    "allocator.options.eafr": ("true,false", placed("ta")),
    "scheduler": ('{"name":"fcfs"},{"name":"ssd","options":{"demand":"time"}}', SMALL),
    "scheduler.name": ("fcfs,ssd,easy", SMALL),
    "scheduler.options": ('{"demand":"time"},{}', SMALL | {"scheduler": {"name": "ssd"}}),
    "scheduler.options.demand": ("time,processor-time", SMALL | {"scheduler": {"name": "ssd"}}),
    "workload": ('{"kind":"stochastic","load":1},{"kind":"stochastic","load":2}', SMALL),
    "workload.kind": ("stochastic", SMALL),
    "workload.jobs": ("10..30/10", SMALL),
    "workload.load": ("0.5..1.5/0.5", SMALL),
    "workload.gaps": ('{"kind":"constant"},{"kind":"exponential"}', SMALL),
    "workload.gaps.kind": ("constant,exponential", SMALL),
    "workload.sides": ('{"kind":"uniform","high":2},{"kind":"exponential"}', SMALL),
    "workload.sides.kind": ("uniform,exponential", SMALL),
    "workload.sides.low": ("1,2", SMALL),
    "workload.sides.high": ("2,null", SMALL),
    "workload.sides.mean": ("1,2.5", drawn(sides={"kind": "exponential"})),
    "workload.sides.beyond": ("clamp,redraw", drawn(sides={"kind": "exponential"})),
    "workload.sides.intervals": ("[[1,4,1]],[[1,2,1]]", drawn(sides=INTERVALS)),
    "workload.sides.intervals.*": ("[1,2,0.5],[2,2,0.5]", drawn(sides=INTERVALS)),
    "workload.sides.intervals.*.*": ("1,2", drawn(sides=INTERVALS)),
    "workload.service": ('{"kind":"constant"},null', SMALL),
    "workload.service.kind": ("constant,by-size", SMALL),
    "workload.service.mean": ("1,2", drawn(service={"kind": "exponential"})),
    "workload.service.low": ("0,1", drawn(service=UNIFORM)),
    "workload.service.high": ("2,3", drawn(service=UNIFORM)),
    "workload.service.k": ("1,2", drawn(service=PARETO)),
    "workload.service.q": ("8,9", drawn(service=PARETO)),
    "workload.service.alpha": ("1,1.5", drawn(service=PARETO)),
    "workload.service.value": ("1,2", drawn(service={"kind": "constant"})),
    "workload.service.threshold": ("0.25,0.5", drawn(service=BY_SIZE)),
    "workload.service.large": ("[5,10],[6,10]", drawn(service=BY_SIZE)),
    "workload.service.large.*": ("5,6", drawn(service=BY_SIZE)),
    "workload.service.small": ("[2,5],[3,5]", drawn(service=BY_SIZE)),
    "workload.service.small.*": ("2,3", drawn(service=BY_SIZE)),
    "workload.jobs.*": (
        '{"arrival":0,"size":[2,2],"service":3},{"arrival":0,"size":[1,2],"service":3}', LISTED
    ),
    "workload.jobs.*.arrival": ("0,1", LISTED),
    "workload.jobs.*.size": ("1x2,2x2", LISTED),
    "workload.jobs.*.size.*": ("1,2", LISTED),
    "workload.jobs.*.service": ("1,2", LISTED),
    "workload.jobs.*.messages": ("1,2", LISTED),
    "workload.jobs.*.ended_after": ("1,2", DRIVEN),
    "workload.moves": ("[[1,2,0]],[[1,1,0]]", DRIVEN),
    "workload.moves.*": ("[1,2,0],[2,2,0]", DRIVEN),
    "workload.moves.*.*": ("0,1", DRIVEN),
    "network": ('null,{"pattern":"random"}', SMALL),
    "network.pattern": ("one-to-all,all-to-all,random", WITH_NETWORK),
    "network.messages": ("1,2.5", WITH_NETWORK),
    "network.flits": ("1,8,64", WITH_NETWORK),
    "network.routing_delay": ("0,3", WITH_NETWORK),
    "workload.first_job": ("0,2", TRACED),
    "workload.max_jobs": ("3,6", TRACED),
    "workload.shape": ("most-square,most-square-that-fits", TRACED),
    "workload.time_scale": ("1,2.5", TRACED),
    "workload.gap_scale": ("0.5,1", TRACED),
    "workload.jobs.*.*": ("0,5", TRACED),
    "network.buffer": ("1,8", WITH_NETWORK),
    "network.switching": (
        "virtual-cut-through,wormhole", SMALL | {"network": WITH_NETWORK["network"] | {"buffer": 8}}
    ),
    "network.startup": ("0,5", WITH_NETWORK),
    "network.quota": ("exponential,fixed", WITH_NETWORK),
    "network.barrier": ("stage,iteration", WITH_NETWORK),
    "network.path": ("null", WITH_NETWORK),
    "network.packets": ("[[0,0,0,0,1,0,0]],[]", LISTED_PACKETS),
    "network.packets.*": ("[0,0,0,0,1,0,0],[1,0,0,0,1,0,0]", LISTED_PACKETS),
    "network.packets.*.*": ("0,1", LISTED_PACKETS),
}  # fmt: skip
"""Every field, with values for it and a scenario that has it."""


def at_the_first_place(key):
    """The path with its places filled in."""
    return key.replace(PLACE, "0")


def found_at(data, key):
    """What stands at a path."""
    for part in key.split("."):
        data = data[int(part)] if isinstance(data, list) else data[part]
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
    """A grid over a name and one of its options, though the scenario has another strategy."""
    experiment = small_experiment("allocator.options.size_index=0,1", "allocator.name=paging")
    assert [point.scenario.allocator.options.size_index for point in experiment.points] == [0, 1]
    [point] = small_experiment("scheduler.options.demand=time", "scheduler.name=ssd").points
    assert point.scenario.scheduler.options.demand == "time"


def test_points_go_by_the_axes_in_order_the_last_fastest():
    """As nested loops do, and each has labels of its own."""
    experiment = small_experiment("allocator.name=ff,bf", "workload.load=1..3", "mesh.shape=4x4,4x8")
    wanted = list(product(("ff", "bf"), (1, 2, 3), ([4, 4], [4, 8])))
    assert [point.values for point in experiment.points] == wanted
    assert [point.index for point in experiment.points] == list(range(12))
    assert len({point.labels for point in experiment.points}) == 12
    assert experiment.points[3].labels == ("ff", "2", "4×8")


def test_the_order_of_axes_changes_no_point():
    """A name is set before its options, whichever is given first."""
    one = small_experiment("allocator.name=paging", "allocator.options.size_index=1")
    other = small_experiment("allocator.options.size_index=1", "allocator.name=paging")
    assert one.points[0].spec == other.points[0].spec


def test_an_experiment_is_the_same_once_written_and_read_again():
    """Points, works and name."""
    experiment = small_experiment("mesh.shape=4x4,8x8", "workload.load=0.5,1", figures=("waiting",))
    again = Experiment.from_data(experiment.as_data())
    assert again.points == experiment.points
    assert again.id == experiment.id


@pytest.mark.parametrize(
    ("axes", "complaint"),
    [
        (("workload.load=1,ten",), 'workload.load=ten: workload.load: expected a number, got "ten"'),
        (("allocator.name=ff,best",), "allocator.name=best: allocator.name: no strategy is called best"),
        (
            ("allocator.name=ff,2dbs", "mesh.shape=4x4,6x4"),
            "allocator.name=2dbs, mesh.shape=6×4: allocator.name: ",
        ),
        (("mesh.shape=4x4,4x4x4", "allocator.name=ff,fs"), "mesh.shape=4×4×4: allocator.name: "),
        (
            ("workload.load=1", "workload.load=2"),
            "workload.load: expected this field once, with all its values, got it twice",
        ),
        (
            ("workload.jobs=1..1000", "workload.load=1..11"),
            f"expected at most {MOST_POINTS} points, got 11000",
        ),
        (("network.flits=1,2",), "network.flits: the scenario has no network"),
        (
            ("workload.sides.mean=1,2",),
            "workload.sides.mean=1: workload.sides.mean: unknown key",
        ),
        (
            ("scheduler.options.demand=time",),
            "scheduler.options.demand: unknown key: expected none",
        ),
    ],
)
def test_a_grid_that_cannot_be_run_is_one_line(axes, complaint):
    """It names the point and the field before anything is run."""
    with pytest.raises(FieldError) as raised:
        small_experiment(*axes)
    text = str(raised.value)
    assert all(part in text for part in complaint.split(": "))
    assert text.isprintable()


def test_batches_need_jobs_and_have_only_some_figures():
    """Too few jobs at a point, or a figure that no batch has, is said before the run."""
    with pytest.raises(
        FieldError, match=r"workload\.jobs=10: expected at least 20 finished jobs for 15 batches"
    ):
        small_experiment("workload.jobs=30,10", batches=Batches(count=15, warm_up=5))
    with pytest.raises(
        FieldError, match="finish_time: batches have no such figure: expected one of turnaround"
    ):
        small_experiment(batches=Batches(), figures=("finish_time",))
