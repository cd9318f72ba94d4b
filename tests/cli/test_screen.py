"""Whether there is a screen, and a virtual one."""

import os
import shutil
import sys

import pytest

from meshgui.views.offscreen.screen import VirtualScreenError, missing_screen, virtual_screen

pytestmark = pytest.mark.qt
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux may lack a screen")


@linux
def test_no_screen_is_noticed():
    """Neither variable set: the line names both."""
    assert "neither DISPLAY nor WAYLAND_DISPLAY" in missing_screen({})


@linux
def test_a_screen_that_does_not_answer_is_noticed():
    """A stale DISPLAY is said before Qt would end the program over it."""
    assert missing_screen({"DISPLAY": ":4711"}) == "the screen :4711 (DISPLAY) does not answer"
    assert missing_screen({"DISPLAY": "localhost:4711.0"}) is not None


def test_a_platform_chosen_by_the_user_is_taken():
    """Whoever sets QT_QPA_PLATFORM or has Wayland is not second-guessed."""
    assert missing_screen({"QT_QPA_PLATFORM": "offscreen"}) is None
    assert missing_screen({"WAYLAND_DISPLAY": "wayland-0"}) is None


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed")
def test_a_virtual_screen_answers_and_is_gone_afterwards():
    """Inside there is a screen; afterwards neither it nor a change of this process's environment is left."""
    before = dict(os.environ)
    with virtual_screen(320, 240) as environment:
        number = {"DISPLAY": environment["DISPLAY"]}
        assert missing_screen(number) is None
    assert missing_screen(number) is not None
    assert dict(os.environ) == before


def test_a_virtual_screen_that_cannot_start_is_one_line(tmp_path, monkeypatch):
    """Without Xvfb, or with one that ends at once, there is a line and no leftover."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(VirtualScreenError, match="could not be started"), virtual_screen(320, 240):
        pass
    (tmp_path / "Xvfb").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    (tmp_path / "Xvfb").chmod(0o755)
    with pytest.raises(VirtualScreenError, match="did not start"), virtual_screen(320, 240):
        pass


def test_the_window_without_a_screen_is_one_line(meshgui, shipped):
    """`meshgui` and `meshgui FILE` say what is missing, with status 1; a bad file is said first, with 2."""
    pytest.importorskip("PySide6", reason="without Qt that is what is missing")
    for words in ([], [shipped]):
        done = meshgui(*words)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert "there is no screen" in done.stderr
    assert meshgui("none.json").returncode == 2
