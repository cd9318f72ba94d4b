"""Scenarios: one line for every bad input, files that survive a failed save, a schema that agrees."""

import errno
import json
import os
import re
import resource
import tempfile
from contextlib import nullcontext
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.scenario import ScenarioError, json_schema, load_scenario, scenario_from
from meshgui.model.document.examples import DEFAULT_EXAMPLE, example, examples
from tests.crashes import full_disk
from tests.scenarios import crowded, parse_scenario, save_scenario, scenario

GOOD = {
    "meshgui": 1,
    "mesh": {"shape": [4, 4]},
    "allocator": {"name": "tbl"},
    "workload": {"kind": "stochastic", "load": 1.0},
}


def changed(path, value):
    """The good scenario as JSON with one value changed, by a path such as `mesh.shape`."""
    data = json.loads(json.dumps(GOOD))
    here, *rest = data, *path.split(".")
    for part in rest[:-1]:
        here = here.setdefault(part, {})
    here[rest[-1]] = value
    return json.dumps(data)


def complaint(text):
    """The one line a text is refused with."""
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(text, "lecture.meshgui.json")
    message = str(caught.value)
    assert message.startswith("lecture.meshgui.json: ")
    assert message.isprintable()
    return message.removeprefix("lecture.meshgui.json: ")


def job(**changes):
    """A list workload of one good job with some fields changed."""
    return {"kind": "list", "jobs": [{"arrival": 0, "size": [2, 2], "service": 1, **changes}]}


SIDES = "workload.sides"
SERVICE = "workload.service"

# What is wrong, where the line says it is, and words it must hold about what was expected.
BAD_FIELDS = [
    ("mesh.shape", [1000, 1000, 1000], "mesh.shape", "at most 1048576 processors"),
    ("mesh.shape", [10**9, 1], "mesh.shape.0", "1024"),
    ("mesh.shape", [4], "mesh.shape", "at least 2 values"),
    ("mesh.shape", [4, 4, 4, 4], "mesh.shape", "at most 3 values"),
    ("mesh.shape", [0, 4], "mesh.shape.0", "at least 1"),
    ("mesh.shape", [4.5, 4], "mesh.shape.0", "a whole number, got 4.5"),
    ("mesh.shape", [True, 4], "mesh.shape.0", "a whole number, got true"),
    ("mesh.shape", "4x4", "mesh.shape", "a list"),
    ("mesh", 5, "mesh", "an object"),
    ("mesh.hight", 8, "mesh.hight", "unknown key"),
    ("meshgui", 2, "meshgui", "expected 1"),
    ("meshgui", True, "meshgui", "format version"),
    ("meshgui", "1", "meshgui", "expected 1"),
    ("colour", "red", "colour", "unknown key"),
    ("workload.speed", 3, "workload.speed", "unknown key"),
    ("allocator.name", "best", "allocator.name", "no strategy is called best: expected one of "),
    ("allocator.name", 3, "allocator.name", "text"),
    ("allocator.name", "t\nbl", "allocator.name", "expected one of"),
    ("allocator.options", {"speed": 1}, "allocator.options.speed", "unknown key"),
    ("allocator.options", None, "allocator.options", "an object"),
    ("scheduler", {"name": "lifo"}, "scheduler.name", "expected one of fcfs, ssd"),
    ("scheduler", {"name": "fcfs", "speed": 1}, "scheduler.speed", "unknown key"),
    ("scheduler", {"name": "fcfs", "options": {"a": 1}}, "scheduler.options.a", "unknown key: expected none"),
    (
        "scheduler",
        {"name": "ssd", "options": {"demand": 1}},
        "scheduler.options.demand",
        "time or processor-m",
    ),
    ("workload.load", 0, "workload.load", "more than 0, got 0"),
    ("workload.load", 1e-13, "workload.load", "at least 1e-12, got 1e-13"),
    ("workload.load", "5.8", "workload.load", "a number, got “5.8”"),
    ("workload.load", True, "workload.load", "a number, got true"),
    ("workload.load", float("nan"), "workload.load", "a finite number"),
    ("workload.jobs", 0, "workload.jobs", "at least 1"),
    ("workload.jobs", 2.5, "workload.jobs", "a whole number"),
    ("workload.jobs", 10**12, "workload.jobs", "at most 10000000"),
    ("workload.kind", "trace", "workload.kind", "stochastic, list"),
    ("workload", {"load": 1}, "workload.kind", "a value"),
    ("workload", {"kind": "stochastic"}, "workload.load", "there is none"),
    (SIDES, {"low": 1}, f"{SIDES}.kind", "a value"),
    (SIDES, {"kind": "uniform", "low": 3, "high": 2}, f"{SIDES}.high", "at least low (3)"),
    (SIDES, {"kind": "uniform", "high": 9}, f"{SIDES}.high", "at most the mesh's side 4"),
    (SIDES, {"kind": "uniform", "low": 9}, f"{SIDES}.low", "at most the mesh's side 4"),
    (SIDES, {"kind": "intervals", "intervals": []}, f"{SIDES}.intervals", "at least 1 value"),
    (SIDES, {"kind": "intervals", "intervals": [[1, 2, 0.5]]}, f"{SIDES}.intervals", "add up to 1"),
    (SIDES, {"kind": "intervals", "intervals": [[2, 1, 1]]}, f"{SIDES}.intervals", "low at most high"),
    (SIDES, {"kind": "intervals", "intervals": [[1, 9, 1]]}, f"{SIDES}.intervals", "side 4"),
    (SIDES, {"kind": "normal"}, f"{SIDES}.kind", "uniform, exponential, intervals"),
    (SERVICE, {"kind": "exponential", "mean": 0}, f"{SERVICE}.mean", "more than 0"),
    (SERVICE, {"kind": "uniform", "low": 3, "high": 1}, f"{SERVICE}.high", "at least low (3)"),
    (SERVICE, {"kind": "bounded-pareto", "k": 9, "q": 5}, f"{SERVICE}.q", "more than k (9)"),
    (SERVICE, {"kind": "by-size", "large": [3, 1]}, f"{SERVICE}.large", "low at most high, got [3, 1]"),
    ("workload", job(size=[5, 5]), "workload.jobs.0.size", "no larger than the 4×4 mesh, got 5×5"),
    ("workload", job(size=[2, 2, 2]), "workload.jobs.0.size", "2 numbers"),
    ("workload", job(size=[0, 2]), "workload.jobs.0.size.0", "at least 1"),
    ("workload", job(arrival=-1), "workload.jobs.0.arrival", "at least 0"),
    ("workload", job(service=-1), "workload.jobs.0.service", "at least 0"),
    ("workload", job(priority=1), "workload.jobs.0.priority", "unknown key"),
    ("workload", {"kind": "list", "jobs": []}, "workload.jobs", "at least 1 value"),
    ("seed", -1, "seed", "at least 0"),
    ("seed", "1", "seed", "a whole number"),
    ("network", {"pattern": "gossip"}, "network.pattern", "one-to-all"),
    ("network", {"pattern": "random", "flits": 0}, "network.flits", "at least 1"),
    ("network", {"pattern": "random", "startup": -1}, "network.startup", "at least 0"),
    ("network", {"pattern": "random", "speed": 2}, "network.speed", "unknown key"),
    ("title", 3, "title", "text"),
]


@pytest.mark.parametrize(("path", "value", "field", "expected"), BAD_FIELDS)
def test_a_bad_field_is_one_line_with_file_field_and_expectation(path, value, field, expected):
    """The line names the file, then the very field, then what was expected there."""
    message = complaint(changed(path, value))
    assert message.startswith(f"{field}: ")
    assert expected in message


@pytest.mark.parametrize("part", ["allocator", "scheduler"])
def test_of_several_faults_the_first_field_is_told(part):
    """An unknown strategy or discipline is one among them, and hides none that stands before it."""
    data = {**GOOD, "mesh": {"shape": "4x4"}, part: {"name": "best"}}
    assert complaint(json.dumps(data)).startswith("mesh.shape: ")


@pytest.mark.parametrize(
    ("changes", "places"),
    [
        ({}, ["1.size", "2.service", "4.size"]),
        ({"network": {"pattern": "fft"}}, ["1.size", "4.size"]),
        ({"network": {"pattern": "fft"}, "mesh": {"shape": [8, 8]}}, ["1.size", "3.size", "4.size"]),
        ({"network": {"pattern": "random"}, "scheduler": {"name": "ssd"}}, ["1.size", "4.size"]),
        (
            {"network": {"pattern": "random"}, "scheduler": {"name": "ssd"}, "mesh": {"shape": [8, 8]}},
            ["2.service"],
        ),
    ],
)
def test_every_wrong_job_of_a_list_is_found_at_once(changes, places):
    """The first is reported, and the places of the others are known with it."""
    sizes, services = [[1, 1], [5, 1], [2, 2], [3, 1], [1, 5]], [1, 1, None, 1, 1]
    jobs = [
        {"arrival": 0, "size": size, "service": service}
        for size, service in zip(sizes, services, strict=True)
    ]
    workload = {"kind": "list", "jobs": jobs}
    with pytest.raises(ScenarioError) as caught:
        scenario_from(GOOD | {"mesh": {"shape": [4, 4]}, "workload": workload} | changes)
    found = [caught.value.path, *(fault.path for fault in caught.value.further)]
    assert [".".join(map(str, path)) for path in found] == [f"workload.jobs.{place}" for place in places]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "line 1, column 1"),
        ("{", "line 1"),
        ('{"meshgui": 1,}', "line 1, column"),
        ("[]", "a JSON object, got a list"),
        ("null", "a JSON object, got null"),
        ("3", "a JSON object, got a number"),
        ('{"mesh": 1, "meshgui": 1, "meshgui": 1}', "the key “meshgui” appears twice"),
        ("[" * 100_000, "less deeply nested"),
        ('{"meshgui": ' + "1" * 5000 + "}", "too many digits"),
        ("{}", "meshgui: expected the format version"),
        (changed("title", "\ud800"), "without its other half"),
        (changed("allocator.name", "\ud800"), "without its other half"),
        *(
            (json.dumps({key: GOOD[key] for key in GOOD if key != part}), f"{part}: expected")
            for part in GOOD
        ),
    ],
    ids=lambda value: repr(value[-24:]),
)
def test_what_is_no_scenario_at_all_is_one_line(text, expected):
    """Not JSON, not an object, or without a part that has no default: said without a traceback."""
    assert expected in complaint(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
PATHS = sorted({path for path, *_ in BAD_FIELDS} | {"scheduler.options", "workload.gaps", "notes"})


@given(path=st.sampled_from(PATHS), value=json_values)
def test_anything_anywhere_is_taken_or_refused_in_one_line(path, value):
    """Any value in any place gives a scenario or one line, never another error."""
    said = ""
    try:
        parse_scenario(changed(path, value), "f")
    except ScenarioError as error:
        said = str(error)
    assert said.isprintable()
    assert said.startswith("f: ") or not said


def test_a_request_that_fits_in_some_way_is_no_mistake():
    """Turned, though who does not turn rejects it; in any shape; and a load of 5 is one of 5.0."""
    data = {**GOOD, "mesh": {"shape": [4, 2]}, "workload": job(size=[2, 4])}
    assert scenario_from(data).workload.jobs[0].size == (2, 4)
    scattered = {**GOOD, "allocator": {"name": "random"}}
    assert scenario_from({**scattered, "workload": job(size=[16, 1])}).job_count == 1
    too_large = json.dumps({**scattered, "workload": job(size=[17, 1])})
    assert "no larger than the 4×4 mesh, got 17×1" in complaint(too_large)
    assert parse_scenario(changed("workload.load", 5)).workload.load == 5.0


# Files


@pytest.mark.parametrize("path", examples(), ids=lambda path: path.stem)
def test_every_example_survives_being_saved(path, tmp_path):
    """What is saved is loaded again as the same scenario."""
    original = load_scenario(path)
    save_scenario(original, tmp_path / "again.meshgui.json")
    assert load_scenario(tmp_path / "again.meshgui.json") == original


@given(of=crowded())
def test_every_listed_scenario_survives_being_saved(of):
    """The same for random lists of jobs: every time comes back to the last digit."""
    with tempfile.TemporaryDirectory() as folder:
        save_scenario(of, Path(folder) / "a.json")
        assert load_scenario(Path(folder) / "a.json") == of


def test_a_byte_order_mark_does_no_harm(tmp_path):
    """Some editors begin a file with one."""
    path = tmp_path / "a.json"
    path.write_text(json.dumps(GOOD), encoding="utf-8-sig")
    assert load_scenario(path).mesh.shape == (4, 4)


@pytest.mark.parametrize("content", [None, b"\xff\xfe{\x00"], ids=["missing", "not-utf-8"])
def test_an_unreadable_file_is_one_line(tmp_path, content):
    """A file that is missing or in another encoding is named, without a traceback."""
    path = tmp_path / "a.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ScenarioError) as caught:
        load_scenario(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert str(caught.value).isprintable()


@pytest.fixture
def saved(tmp_path):
    """A scenario file that must survive, and what it holds."""
    path = tmp_path / "lecture.meshgui.json"
    save_scenario(scenario(seed=1), path)
    return path, path.read_bytes()


def assert_whole(saved):
    """The old file is as it was, and nothing lies beside it."""
    path, content = saved
    assert path.read_bytes() == content
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EIO, errno.EACCES], ids=errno.errorcode.get)
@pytest.mark.parametrize("call", ["open", "fsync", "chmod", "replace"])
def test_a_save_that_fails_leaves_the_old_file_whole(saved, monkeypatch, call, fault):
    """Disk full, disk broken, not allowed: at any point of a save the old file is still there, alone."""

    def fail(*_, **__):
        raise OSError(fault, os.strerror(fault))

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(ScenarioError) as caught:
        save_scenario(scenario(seed=2), saved[0])
    monkeypatch.undo()
    assert os.strerror(fault).lower() in str(caught.value)
    assert str(saved[0]) in str(caught.value)
    assert_whole(saved)


def test_a_save_cut_off_in_the_middle_leaves_the_old_file_whole(saved):
    """A real half-written file: the system takes the first bytes and refuses the rest."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, limits[1]))
    try:
        with pytest.raises(ScenarioError, match="could not be written"):
            save_scenario(scenario(seed=2), saved[0])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert_whole(saved)


@pytest.mark.parametrize("kind", ["folder", "no-folder", "link-to-itself", "under-a-file"])
def test_a_place_that_cannot_be_written_to_is_one_line(tmp_path, kind):
    """A folder in the place, no folder to write into, a link to itself: each is reported in one line."""
    place = tmp_path / "place"
    make = {
        "folder": place.mkdir,
        "link-to-itself": lambda: place.symlink_to(place),
        "under-a-file": place.touch,
    }
    make.get(kind, list)()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(ScenarioError, match="could not be written") as caught:
        save_scenario(scenario(), place if kind in {"folder", "link-to-itself"} else place / "file")
    assert str(caught.value).isprintable()
    assert sorted(tmp_path.rglob("*")) == before


def test_a_failed_save_through_a_link_keeps_both(saved, tmp_path):
    """Link and file are as they were."""
    folder = tmp_path / "links"
    folder.mkdir()
    link = folder / "link.json"
    link.symlink_to(saved[0])
    with full_disk(), pytest.raises(ScenarioError):
        save_scenario(scenario(seed=2), link)
    assert link.is_symlink()
    assert link.read_bytes() == saved[1]
    assert sorted(entry.name for entry in saved[0].parent.iterdir()) == ["lecture.meshgui.json", "links"]


# Schema


@pytest.fixture(scope="module")
def validator():
    """A validator of the scenario schema, itself checked."""
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("path", examples(), ids=lambda path: path.stem)
def test_the_schema_takes_every_example(validator, path):
    """As it lies there, and as it would be saved."""
    validator.validate(json.loads(path.read_text(encoding="utf-8")))
    validator.validate(json.loads(load_scenario(path).model_dump_json()))


def test_the_schema_has_the_definitions_it_refers_to_and_no_others():
    """Of the options the titles and fields, and not what their classes say of themselves."""
    schema = json_schema()
    referred = re.findall(r'"#/\$defs/([^"]+)"', json.dumps(schema))
    assert set(referred) == set(schema["$defs"])
    for part in ("AllocatorSpec", "SchedulerSpec"):
        for kind in schema["$defs"][part]["oneOf"]:
            assert "description" not in kind["properties"]["options"]
    assert all(key.get("description") for key in schema["$defs"]["NetworkSpec"]["properties"].values())


CROSS_CHECKED = {  # what no schema can say: a field judged by another one, by a sum, or by its exact type
    "at least low (3)", "at most the mesh's side 4", "add up to 1", "low at most high", "side 4",
    "low at most high, got [3, 1]",
    "more than k (9)", "no larger than the 4×4 mesh, got 5×5", "2 numbers", "at most 1048576 processors",
    "a finite number", "format version", "at least 1e-12, got 1e-13",
}  # fmt: skip


@pytest.mark.parametrize(
    ("path", "value"),
    [(path, value) for path, value, _, expected in BAD_FIELDS if expected not in CROSS_CHECKED],
)
def test_the_schema_refuses_what_the_program_refuses(validator, path, value):
    """Except for what compares fields, both judge alike."""
    assert not validator.is_valid(json.loads(changed(path, value)))


def test_limits_are_inclusive():
    """As many processors as there may be are taken; one side more is not."""
    assert scenario_from(GOOD | {"mesh": {"shape": [1024, 1024]}}).machine.processors == 1 << 20
    with pytest.raises(ScenarioError, match=r"mesh\.shape: .* at most 1048576 processors, got 1049600"):
        scenario_from(GOOD | {"mesh": {"shape": [1024, 5, 205]}})


INTERVALS = "sides.intervals: expected sides up to the mesh's side 4, got 5"


@pytest.mark.parametrize(
    ("law", "fault"),
    [
        ({"sides": {"kind": "uniform", "low": 3, "high": 3}}, None),
        ({"sides": {"kind": "uniform", "high": 4}}, None),
        ({"sides": {"kind": "uniform", "high": 5}}, "sides.high: expected at most the mesh's side 4, got 5"),
        ({"sides": {"kind": "intervals", "intervals": [[3, 4, 0.5], [1, 2, 0.5]]}}, None),
        ({"sides": {"kind": "intervals", "intervals": [[3, 5, 0.5], [1, 2, 0.5]]}}, INTERVALS),
        (
            {"service": {"kind": "bounded-pareto", "k": 9.0, "q": 9.0}},
            "service.q: expected more than k (9), got 9",
        ),
    ],
)
def test_laws_reach_just_to_their_bounds(law, fault):
    """Sides to the longest of the mesh, in any interval; a Pareto law needs room between its own."""
    data = GOOD | {"mesh": {"shape": [2, 4]}, "workload": GOOD["workload"] | law}
    with pytest.raises(ScenarioError, match=re.escape(f"workload.{fault}")) if fault else nullcontext():
        assert scenario_from(data).workload.sides.kind == law["sides"]["kind"]


def test_a_plan_needs_the_service_of_every_job():
    """With a network they may be left out, but not under a discipline that plans with them."""
    jobs = [{"arrival": 0, "size": [1, 1], "service": 3}, {"arrival": 1, "size": [1, 1]}]
    changes = {"mesh": {"shape": [4, 4]}, "network": {"pattern": "random"}, "scheduler": {"name": "easy"}}
    planned = GOOD | changes | {"workload": {"kind": "list", "jobs": jobs}}
    with pytest.raises(ScenarioError, match=r"workload\.service: expected stated service times: easy plans"):
        scenario_from(planned)
    assert scenario_from(planned | {"scheduler": {"name": "fcfs"}}).network is not None


@pytest.mark.parametrize("workload", [[], 5, {"kind": "swf", "path": 5}, {"kind": "swf", "path": ""}])
def test_a_workload_that_is_none_is_told_in_one_line(tmp_path, workload):
    """Nor is a trace looked for that no text names."""
    data = GOOD | {"workload": workload}
    path = tmp_path / "odd.meshgui.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(ScenarioError, match="workload"):
        load_scenario(path)


def test_a_schema_wants_the_format_version(validator):
    """What makes a file a scenario is required, though scenarios in memory have it by default."""
    assert validator.is_valid(GOOD)
    assert not validator.is_valid({key: value for key, value in GOOD.items() if key != "meshgui"})
    version = json_schema()["properties"]["meshgui"]
    assert version["const"] == version["default"] == 1


@pytest.mark.parametrize("beyond", [0, 1])
def test_a_file_may_be_as_long_as_its_limit(tmp_path, monkeypatch, beyond):
    """And not a byte longer."""
    path = example(DEFAULT_EXAMPLE)
    monkeypatch.setattr("meshgui.engine.scenario.files.MAX_SCENARIO", len(path.read_bytes()) - beyond)
    refused = pytest.raises(ScenarioError, match="expected a scenario of at most")
    with refused if beyond else nullcontext():
        load_scenario(path)


@pytest.mark.parametrize("field", ["title", "notes"])
def test_half_a_letter_typed_into_a_form_is_told_before_it_is_saved(field):
    """Plain data, as a form hands it over, is held to the same as a file."""
    data = GOOD | {field: "\ud800"}
    with pytest.raises(ScenarioError, match=rf"^scenario: {field}: expected Unicode text"):
        scenario_from(data)


def test_a_strategy_that_fails_as_its_mesh_is_checked_is_the_name_that_is_wrong(monkeypatch):
    """The form points at it."""

    def fail(*_):
        raise StrategyError("tbl failed while checking the mesh")

    monkeypatch.setattr(strategy("tbl"), "unfit", fail)
    with pytest.raises(ScenarioError) as caught:
        scenario_from(GOOD)
    assert caught.value.path == ("allocator", "name")
    assert caught.value.message == "tbl failed while checking the mesh"
