"""The manual's strategy, discipline and pattern of one's own: every command takes them as they stand."""

import json
import os
import re
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.third_party import lay_out

PAGE = Path(__file__).parents[2] / "meshgui" / "resources" / "manual" / "own-strategies.md"
CLASSES = {"LastFit": "allocators", "SmallestWithAgeing": "disciplines", "Ring": "patterns"}


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """Each program of the page as a module of a distribution that registers its class."""
    folder = tmp_path_factory.mktemp("own")
    programs = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    modules, points = {}, ""
    for cls, program in zip(CLASSES, programs, strict=True):
        name = re.search(r'id = "(.*)"', program)[1]
        modules[f"own_{name}"] = program
        points += f"[meshgui.{CLASSES[cls]}]\n{name} = own_{name}:{cls}\n"
    lay_out(folder, "own", "1.0", points, modules)
    return folder


@pytest.fixture
def program(meshgui, package):
    """The program with the package installed."""
    return partial(meshgui, PYTHONPATH=os.pathsep.join([str(package), *sys.path]))


@pytest.fixture
def scenario(scenario_file):
    """Jobs that wait and send messages, all by what the page has."""
    return scenario_file(
        allocator={"name": "last"},
        scheduler={"name": "ageing"},
        workload={"kind": "stochastic", "jobs": 12, "load": 2.0},
        network={"pattern": "ring", "messages": 4},
    )


def said(done):
    """What a command wrote; it has no complaint."""
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_strategy_passes_the_check(program):
    """Every line of the check keeps."""
    title, *lines = said(program("check", "last")).splitlines()
    assert title == "Last Fit (last)"
    assert lines
    assert all(line.startswith("  passes  ") for line in lines)


def test_it_runs_and_is_stepped(program, scenario):
    """With the discipline and the pattern: figures, and steps in words."""
    assert json.loads(said(program("run", scenario, "--json")))["jobs"] == 12
    steps = json.loads(said(program("trace", scenario, "--job", 0, "--json")))["attempts"][-1]["steps"]
    assert steps[-1]["says"].endswith(" is free.")


@pytest.mark.qt
def test_it_is_drawn(program, scenario, tmp_path):
    """The whole window, at a time at which jobs run."""
    pytest.importorskip("PySide6", reason="pictures are drawn by Qt")
    picture = tmp_path / "last.png"
    said(program("render", scenario, "--at", 2, "--view", "window", "--out", picture, "--size", "800x600"))
    assert picture.stat().st_size > 1000


def test_the_doctor_finds_nothing_wrong_with_them(program):
    """All three are among those that can be used."""
    checks = {check["what"]: check for check in json.loads(said(program("doctor", "--json")))["checks"]}
    assert "last" in checks["strategies"]["found"].split(", ")
    assert not [what for what in checks if what.startswith(("strategy ", "scheduler ", "pattern "))]
