"""The window's own options: what is wrong with them is said before a window opens."""

import pytest

from meshgui.cli import window
from meshgui.engine.scenario import load_scenario
from meshgui.model.moment_link import moment_link


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
