"""Strategies in packages of their own, installed by pip; a transcript has how they run and are stepped."""

import json
from functools import partial

import jsonschema
import pytest

from tests.cli.conftest import is_one_line
from tests.third_party import three_jobs


@pytest.fixture
def with_packages(meshgui, third_party):
    """The program with the packages on its path."""
    return partial(meshgui, packages=[third_party])


def test_they_are_listed_and_those_that_cannot_be_used_are_named(with_packages, tmp_path):
    """The good are listed, one line names the others; the schema takes just the options they take."""
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
    schema = json.loads(with_packages("schema").stdout)
    right, wrong = (
        json.loads(three_jobs(tmp_path, "near", corner=corner).read_text()) for corner in ("high", "middle")
    )
    jsonschema.validate(right, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, schema)


@pytest.mark.parametrize("name", ["endless", pytest.param("spins", marks=pytest.mark.kernel)])
def test_one_that_never_comes_back_stops_the_run_by_name(with_packages, tmp_path, name):
    """In Python or in a kernel: one line, status 1, and no waiting."""
    file = three_jobs(tmp_path, name)
    done = with_packages("run", file, MESHGUI_STRATEGY_SECONDS="1.5")
    complaint = f"{name} did not return from allocating for job 1 within 1.5 s"
    assert (done.returncode, done.stderr) == (1, f"meshgui: {file}: {complaint}\n")
