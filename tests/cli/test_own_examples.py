"""The manual's strategy, discipline and pattern of one's own: every command takes them as they stand."""

import json
from functools import partial

import pytest

from meshgui.cli import check
from tests.third_party import lay_out_own, on_path, own_programs


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """Each program of the page as a module of a distribution that registers its class."""
    folder = tmp_path_factory.mktemp("own")
    lay_out_own(folder, own_programs())
    return folder


@pytest.fixture
def program(meshgui, package):
    """The program with the package installed."""
    return partial(meshgui, packages=[package])


def said(done):
    """What a command wrote; it has no complaint."""
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_strategy_passes_the_check(here, package, monkeypatch):
    """Every line of the check keeps; a few stories are enough here."""
    monkeypatch.setattr(check, "_STORIES", 4)
    with on_path(package):
        title, *lines = said(here("check", "last")).splitlines()
    assert title == "Last Fit (last)"
    assert lines
    assert all(line.startswith("  passes  ") for line in lines)


@pytest.mark.qt
def test_it_is_drawn(program, own_scenario, tmp_path):
    """The whole window, at a time at which jobs run."""
    pytest.importorskip("PySide6", reason="pictures are drawn by Qt")
    picture = tmp_path / "last.png"
    said(
        program("render", own_scenario, "--at", 2, "--view", "window", "--out", picture, "--size", "800x600")
    )
    assert picture.stat().st_size > 1000


def test_the_doctor_finds_nothing_wrong_with_them(program):
    """All three are among those that can be used."""
    checks = {check["what"]: check for check in json.loads(said(program("doctor", "--json")))["checks"]}
    assert "last" in checks["strategies"]["found"].split(", ")
    assert not [what for what in checks if what.startswith(("strategy ", "scheduler ", "pattern "))]
