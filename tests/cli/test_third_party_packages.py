"""Strategies in packages of their own, installed by pip: the command line has them, right or wrong."""

import json
import os
import sys
from functools import partial

import jsonschema
import pytest

from meshgui.engine.allocation.registry import strategies
from tests.cli.conftest import is_one_line
from tests.third_party import PACKAGES, three_jobs

SOURCE = (PACKAGES / "wrong_fits" / "wrong_fits.py").read_text(encoding="utf-8")


def line_of(code):
    """Where a line of the package stands, as an error names it."""
    return f"(wrong_fits.py:{SOURCE[: SOURCE.index(code)].count(chr(10)) + 1})"


@pytest.fixture
def with_packages(meshgui, third_party):
    """The program with the packages on its path, and little patience."""
    path = os.pathsep.join([str(third_party), *sys.path])
    return partial(meshgui, PYTHONPATH=path, MESHGUI_STRATEGY_SECONDS="1.5")


@pytest.fixture
def inside(here, third_party, monkeypatch):
    """The same inside this process, which is faster; not for what never ends in a kernel."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(third_party)
    monkeypatch.setenv("MESHGUI_STRATEGY_SECONDS", "1.5")
    strategies.cache_clear()
    yield here
    strategies.cache_clear()
    for name in set(sys.modules) - before:
        if str(third_party) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def test_they_are_listed_and_those_that_cannot_be_used_are_named(with_packages):
    """The list has the good ones; one line names the others, and the doctor gives each one's reason."""
    done = with_packages("allocators", "--json")
    listed = {entry["id"]: entry for entry in json.loads(done.stdout)}
    assert {"ff", "near", "last"} <= set(listed)
    assert listed["near"]["source"] == {"paper": "our course", "place": "lecture 4"}
    assert is_one_line(done.stderr)
    assert "exits, missing, nothing" in done.stderr
    report = json.loads(with_packages("doctor", "--json").stdout)
    warnings = {found["what"]: found["found"] for found in report["checks"] if found["health"] == "warning"}
    assert "SystemExit: this was meant to be a script" in warnings["strategy exits"]
    assert "ModuleNotFoundError" in warnings["strategy missing"]
    assert "is not a Strategy" in warnings["strategy nothing"]


@pytest.mark.parametrize(
    ("name", "options", "third_box", "sentence"),
    [
        ("near", {"corner": "low"}, [0, 3, 0, 4, 1, 1], "(0,3)–(3,3) is the nearest."),
        ("near", {"corner": "high"}, [1, 0, 0, 4, 1, 1], "(1,0)–(4,0) is the nearest."),
        ("last", {}, [1, 0, 0, 4, 1, 1], "(1,0)–(4,0) is free."),
    ],
)
def test_they_run_and_step(inside, tmp_path, name, options, third_box, sentence):
    """A scenario with one is valid, runs, and its pseudo-code is told step by step."""
    file, events = three_jobs(tmp_path, name, **options), tmp_path / "events.jsonl"
    assert inside("validate", file).stdout == f"{file}: ok\n"
    assert json.loads(inside("run", file, "--json", "--events", events).stdout)["jobs"] == 3
    starts = [line for line in map(json.loads, events.read_text().splitlines()) if line["event"] == "start"]
    assert starts[2]["blocks"] == [third_box]
    traced = inside("trace", file, "--job", 2, "--json")
    last = json.loads(traced.stdout)["attempts"][-1]["steps"][-1]
    assert (last["label"], last["says"]) == ("found", sentence)
    assert last["marks"][0] == {"role": "placed", "box": third_box, "values": last["marks"][0]["values"]}


def test_their_options_are_in_the_schema(with_packages, tmp_path):
    """The schema takes what the program takes, and refuses what it refuses."""
    schema = json.loads(with_packages("schema").stdout)
    right = json.loads(three_jobs(tmp_path, "near", corner="high").read_text())
    jsonschema.validate(right, schema)
    file = three_jobs(tmp_path, "near", corner="middle")
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(json.loads(file.read_text()), schema)
    refused = with_packages("validate", file)
    assert (refused.returncode, is_one_line(refused.stderr)) == (2, True)
    assert "allocator.options.corner" in refused.stderr


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        (
            "raises",
            f"raises failed at job 1: ZeroDivisionError: by zero {line_of('raise ZeroDivisionError')}",
        ),
        ("overlaps", "overlaps gave job 1 the box (0, 0, 0, 2, 2, 1), part of which is held already"),
        ("endless", "endless did not return from allocating for job 1 within 1.5 s"),
        pytest.param(
            "spins",
            "spins did not return from allocating for job 1 within 1.5 s",
            marks=pytest.mark.kernel,
        ),
    ],
)
def test_one_that_goes_wrong_stops_the_run_by_name(with_packages, tmp_path, name, complaint):
    """Raising, overlapping or never ending, in Python or in a kernel: one line, status 1, and no waiting."""
    file = three_jobs(tmp_path, name)
    done = with_packages("run", file)
    assert (done.returncode, done.stderr) == (1, f"meshgui: {file}: {complaint}\n")


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("raises-log", f"raises-log failed at job 2: KeyError: 'log' {line_of('raise KeyError')}"),
        ("gabbles", "gabbles logged at job 2 the line 7: expected one from 0 to 1"),
        ("mumbles", "mumbles failed at job 2: KeyError: 'whatever'"),
        ("changes-its-mind", "changes-its-mind answered differently when asked for job 2 again"),
        ("endless-log", "endless-log did not return from running trace for job 2 within 1.5 s"),
        ("stuck-state", "stuck-state did not return from running replay for job 0 within 1.5 s"),
    ],
)
def test_one_that_cannot_be_stepped_still_runs(inside, tmp_path, name, complaint):
    """`run` works; `trace` says in one line what is wrong."""
    file = three_jobs(tmp_path, name)
    assert inside("run", file).returncode == 0
    done = inside("trace", file, "--job", 2)
    assert (done.returncode, done.stderr) == (1, f"meshgui: {file}: {complaint}\n")


@pytest.mark.parametrize("name", ["exits", "missing", "nothing"])
def test_one_that_cannot_be_used_is_refused_with_its_scenario(inside, tmp_path, name):
    """Only the scenario that asks for it fails, with the reason."""
    done = inside("validate", three_jobs(tmp_path, name), three_jobs(tmp_path, "ff"))
    assert (done.returncode, is_one_line(done.stderr)) == (2, True)
    assert f"allocator.name: the strategy {name} (wrong_fits" in done.stderr
    assert done.stdout.endswith("ff.meshgui.json: ok\n")
