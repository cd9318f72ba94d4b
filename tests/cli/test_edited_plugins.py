"""Results are those of the code at hand: an edited strategy, discipline or pattern gets no old ones."""

import json
import os
import sys
from functools import partial

import pytest

from tests.cli.conftest import is_one_line
from tests.third_party import lay_out

STRATEGY = """
from meshgui.api import Box, Line, Source, Strategy, region
from corner_helper import order

class Corner(Strategy):
    id = "corner"
    title = "Corner"
    dims = frozenset({2})
    rotates = False
    contiguous = True
    source = Source("a test", "today")
    lines = (Line("look", "look"),)

    def __init__(self, mesh, options=None):
        super().__init__(mesh, options)
        self.held = mesh.occupancy()

    def allocate(self, request, log=None):
        width, depth, _ = self.mesh.extents
        w, d, _ = request.size
        for y in order(depth - d + 1):
            for x in order(width - w + 1):
                box = Box(x, y, 0, w, d, 1)
                self.operations += 1
                if (region(self.held, box) == -1).all():
                    region(self.held, box)[:] = request.job
                    return (box,)
        return None

    def release(self, job):
        self.held[self.held == job] = -1

    def capture(self):
        return {"held": self.held.copy()}

    def restore(self, state):
        self.held[:] = state["held"]
"""
HELPER = "def order(places):\n    return range(places)\n"
EVERY_OTHER = "def order(places):\n    return range(0, places, 2)\n"  # edited: other boxes, other figures
DISCIPLINE = """
from meshgui.api import Discipline

class Turn(Discipline):
    id = "turn"
    title = "Turn"

    def ranks(self, jobs):
        return jobs.processors * 1.0
"""
PATTERN = """
import numpy as np
from meshgui.api import Pattern, Stage

class Pair(Pattern):
    id = "pair"
    title = "Pair"

    def iteration(self, processes, random, most):
        yield Stage(np.array([0]), np.array([1]))
"""
POINTS = """
[meshgui.allocators]
corner = corner_fit:Corner
[meshgui.disciplines]
turn = corner_turn:Turn
[meshgui.patterns]
pair = corner_pair:Pair
"""
SWEEP = ("--min-runs", "2", "--max-runs", "2", "--jobs", "1", "--json")


def write(folder, version="1.0", **files):
    """A distribution with a strategy, a discipline and a pattern, as pip would have installed it."""
    texts = {
        "corner_fit": STRATEGY,
        "corner_helper": HELPER,
        "corner_turn": DISCIPLINE,
        "corner_pair": PATTERN,
    }
    lay_out(folder, "corner-fit", version, POINTS, texts | files)


@pytest.fixture
def package(tmp_path):
    """The folder that the packages lie in."""
    folder = tmp_path / "packages"
    folder.mkdir()
    write(folder)
    return folder


@pytest.fixture
def program(meshgui, package):
    """The program with these packages; each call loads them from their files."""
    return partial(
        meshgui, PYTHONPATH=os.pathsep.join([str(package), *sys.path]), PYTHONDONTWRITEBYTECODE="1"
    )


@pytest.fixture
def scenario(scenario_file):
    """One with all three."""
    return scenario_file(
        allocator={"name": "corner"},
        scheduler={"name": "turn"},
        workload={"kind": "stochastic", "jobs": 30, "load": 2.0},
        network={"pattern": "pair", "messages": 3},
    )


def turnarounds(done):
    """The figures of a sweep."""
    assert done.returncode == 0, done.stderr
    return [point["figures"] for point in json.loads(done.stdout)["points"]]


@pytest.mark.parametrize(
    ("edited", "name"),
    [
        ({"corner_helper": EVERY_OTHER}, "strategy corner"),
        ({"corner_turn": DISCIPLINE.replace("* 1.0", "* -1.0")}, "discipline turn"),
        ({"corner_pair": PATTERN.replace("[0]), np.array([1])", "[1]), np.array([0])")}, "pattern pair"),
        ({"version": "2.0"}, "strategy corner"),
    ],
)
def test_an_edited_plugin_takes_no_old_figures_from_a_store(
    program, scenario, package, tmp_path, edited, name
):
    """The sweep is as one without the store, and one sentence says why; the old code has its runs still."""
    store = tmp_path / "runs.db"
    first = program("sweep", scenario, *SWEEP, "--store", store)
    before = turnarounds(first)
    write(package, **edited)
    again = program("sweep", scenario, *SWEEP, "--store", store)
    fresh = turnarounds(program("sweep", scenario, *SWEEP))
    assert [point["turnaround"] for point in turnarounds(again)] == [point["turnaround"] for point in fresh]
    assert is_one_line(again.stderr)
    assert str(store) in again.stderr
    assert "runs of other code are not used" in again.stderr
    assert f"{name} corner-fit 1.0 (sources " in again.stderr
    write(package)
    back = program("sweep", scenario, *SWEEP, "--store", store)
    assert turnarounds(back) == before
    assert back.stderr == ""


def test_the_check_of_a_bundle_names_the_plugin_that_was_edited(program, scenario, package, tmp_path):
    """With both codes, beside the number that did not come out again."""
    bundle = tmp_path / "corner.zip"
    turnarounds(program("sweep", scenario, *SWEEP, "--bundle", bundle))
    done = program("sweep", bundle, "--check")
    assert (done.returncode, done.stderr) == (0, "")
    write(package, version="1.1", corner_helper=EVERY_OTHER)
    done = program("sweep", bundle, "--check")
    assert done.returncode == 1
    assert is_one_line(done.stderr)
    assert "strategy corner corner-fit 1.0 (sources " in done.stderr
    assert "here corner-fit 1.1 (sources " in done.stderr
