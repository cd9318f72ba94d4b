"""The command line without the extra `gui`, and the window's own options."""

import json

import pytest

from meshgui.cli import window
from meshgui.cli.gui_packages import GUI_MODULES
from meshgui.engine.scenario import load_scenario
from meshgui.model.document.moment_link import moment_link


@pytest.fixture
def without_gui(monkeypatch):
    """Qt, pyqtgraph and PyOpenGL cannot be found."""
    monkeypatch.setattr("meshgui.cli.gui_packages._installed", lambda _: False)


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["FILE"],
        ["render", "FILE", "--at", "1", "--out", "p.png"],
        ["growth", "ff", "--out", "p.png"],
        ["reproduce", "--pictures", "pictures", "--quick"],
    ],
)
def test_what_needs_a_window_says_what_to_install(here, without_gui, shipped, tmp_path, monkeypatch, words):
    """In one line, before any work and with no file written."""
    monkeypatch.chdir(tmp_path)
    done = here(*[shipped if word == "FILE" else word for word in words])
    assert done.returncode == 1
    assert done.stderr.endswith(
        "needs PySide6, pyqtgraph, OpenGL, which is not installed: python -m pip install 'meshgui[gui]'\n"
    )
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_runs_and_the_doctor_work(here, without_gui, shipped):
    """The doctor warns of what is missing and calls the program able to run."""
    assert here("run", shipped).returncode == 0
    report = json.loads(here("doctor", "--json").stdout)
    missing = [check for check in report["checks"] if check["what"] in GUI_MODULES]
    assert report["able_to_run"]
    assert [(check["health"], check["found"]) for check in missing] == [("warning", "not installed")] * 3
    assert all("meshgui[gui]" in check["advice"] for check in missing)


@pytest.mark.qt
def test_a_link_opens_the_window(meshgui, shipped):
    """Without a screen that is what is missing."""
    pytest.importorskip("PySide6", reason="without Qt that is what is missing")
    link = moment_link(load_scenario(shipped), None, {"time": 1.0})
    done = meshgui(link, DISPLAY="", WAYLAND_DISPLAY="", QT_QPA_PLATFORM="")
    assert "there is no screen" in done.stderr


def test_a_file_is_found_by_the_address_that_a_desktop_gives_it(shipped, tmp_path):
    """With what addresses must not hold written as numbers."""
    file = tmp_path / "100 % näher.meshgui.json"
    file.write_bytes(shipped.read_bytes())
    opened = window._read(file.as_uri())
    assert opened.path == file
    assert opened.scenario == load_scenario(shipped)
