"""The window's own options: what is wrong with them is said before a window opens."""

import pytest

from meshgui.cli import window
from meshgui.engine.scenario import load_scenario
from meshgui.model.moment_link import moment_link

LINK = "meshgui://scenario/xyz?at=1"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["FILE", "--step", "3"], "meshgui: expected --at T with --step"),
        (["FILE", "--at", "soon"], "expected a time of 0 or more, got soon"),
        ([LINK], f"{LINK}: expected a link that is complete"),
        (["meshgui://moon"], "expected meshgui://scenario/… or meshgui://file/…"),
    ],
)
def test_bad_options_are_one_line(here, shipped, words, said):
    """With status 2."""
    done = here(*[shipped if word == "FILE" else word for word in words])
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_file_with_a_view_is_valid_and_runs_the_same(here, shipped, tmp_path):
    """Whatever stands in the view."""
    text = shipped.read_text("utf-8").rstrip().removesuffix("}")
    file = tmp_path / "viewed.meshgui.json"
    file.write_text(f'{text}, "view": {{"time": 3, "anything": [1, 2]}}}}', encoding="utf-8")
    assert here("validate", file).returncode == 0
    one, other = (here("run", path, "--json").stdout for path in (shipped, file))
    same = [text.split('"overhead"')[0] for text in (one, other)]
    assert same[0] == same[1]


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
