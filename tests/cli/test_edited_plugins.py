"""Results are those of the code at hand: an edited strategy, discipline or pattern gets no old ones."""

import json
from functools import partial

import pytest

from tests.cli.conftest import is_one_line
from tests.third_party import lay_out_own, own_programs

WHOLE = own_programs()
STRATEGY = "from own_helper import order\n" + WHOLE["own_last"].replace(
    "range(w - a, -1, -1)", "order(w - a)"
)
WHOLE |= {"own_last": STRATEGY, "own_helper": "def order(last):\n    return range(last, -1, -1)\n"}
EVERY_OTHER = {"own_helper": "def order(last):\n    return range(last, -1, -2)\n"}  # other boxes and figures
OTHER_RANKS = {"own_ageing": WHOLE["own_ageing"].replace("astype(float)", "astype(float) * -1")}
OTHER_TARGETS = {"own_ring": WHOLE["own_ring"].replace("+ 1", "- 1")}
SWEEP = ("--min-runs", "2", "--max-runs", "2", "--jobs", "1", "--json")


@pytest.fixture
def package(tmp_path):
    """The folder that the packages lie in."""
    folder = tmp_path / "packages"
    folder.mkdir()
    lay_out_own(folder, WHOLE)
    return folder


@pytest.fixture
def program(meshgui, package):
    """The program with these packages; each call loads them from their files."""
    return partial(meshgui, packages=[package], PYTHONDONTWRITEBYTECODE="1")


def turnarounds(done):
    """The figures of a sweep."""
    assert done.returncode == 0, done.stderr
    return [point["figures"] for point in json.loads(done.stdout)["points"]]


@pytest.mark.parametrize(
    ("edited", "name"),
    [(EVERY_OTHER, "strategy last"), (OTHER_RANKS, "discipline ageing"), (OTHER_TARGETS, "pattern ring")],
)
def test_an_edited_plugin_takes_no_old_figures_from_a_store(
    program, own_scenario, package, tmp_path, edited, name
):
    """The sweep is as one without the store, and one sentence says why; the old code has its runs still."""
    store = tmp_path / "runs.db"
    first = program("sweep", own_scenario, *SWEEP, "--store", store)
    before = turnarounds(first)
    lay_out_own(package, WHOLE | edited)
    again = program("sweep", own_scenario, *SWEEP, "--store", store)
    fresh = turnarounds(program("sweep", own_scenario, *SWEEP))
    assert [point["turnaround"] for point in turnarounds(again)] == [point["turnaround"] for point in fresh]
    assert is_one_line(again.stderr)
    assert str(store) in again.stderr
    assert "runs of other code are not used" in again.stderr
    assert f"{name} own 1.0 (sources " in again.stderr
    lay_out_own(package, WHOLE)
    back = program("sweep", own_scenario, *SWEEP, "--store", store)
    assert turnarounds(back) == before
    assert back.stderr == ""


def test_the_check_of_a_bundle_names_the_plugin_that_was_edited(program, own_scenario, package, tmp_path):
    """With both codes, beside the number that did not come out again."""
    bundle = tmp_path / "own.zip"
    turnarounds(program("sweep", own_scenario, *SWEEP, "--bundle", bundle))
    done = program("sweep", bundle, "--check")
    assert (done.returncode, done.stderr) == (0, "")
    lay_out_own(package, WHOLE | EVERY_OTHER, version="1.1")
    done = program("sweep", bundle, "--check")
    assert done.returncode == 1
    assert is_one_line(done.stderr)
    assert "strategy last own 1.0 (sources " in done.stderr
    assert "here own 1.1 (sources " in done.stderr
