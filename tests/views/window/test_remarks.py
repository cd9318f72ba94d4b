"""A file that does what its author may not expect says so when it is opened."""

import json
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from meshgui.views.window.main_window import MainWindow
from tests.views.window.conftest import wait_for_run


@pytest.mark.parametrize(("options", "says"), [({}, True), ({"stop": "at-one"}, False)])
def test_a_default_that_has_changed_is_named(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, options: dict[str, str], *, says: bool
):
    """It stays while the run begins, and is gone once it is dismissed."""
    scenario = {
        "meshgui": 1,
        "mesh": {"shape": [4, 4]},
        "allocator": {"name": "anca", "options": options},
        "workload": {"kind": "list", "jobs": [{"arrival": 0, "size": [2, 2], "service": 1.0}]},
    }
    path = tmp_path / "cut.meshgui.json"
    path.write_text(json.dumps(scenario), encoding="utf-8")
    assert window.files.open(path)
    wait_for_run(window, qtbot)
    begin = "cut.meshgui.json: allocator.options.stop: not stated, so cutting ends at a side of 1"
    assert window.notice.text.startswith(begin) == says
    window.notice.dismiss()
    assert not window.notice.text
