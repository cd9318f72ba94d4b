"""Without the extra `gui`: one line says what to install, and all that needs no window works."""

import json

import pytest

from meshgui.cli.gui_packages import GUI_MODULES


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
