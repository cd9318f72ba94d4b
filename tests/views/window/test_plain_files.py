"""The window reads plain files only, and says so in a sentence; it waits for no pipe."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from meshgui.views.window.main_window import MainWindow

REFUSED = "expected a plain file, not a pipe or device"


def pipe_at(path: Path) -> Path:
    """A pipe that nobody writes to."""
    os.mkfifo(path)
    return path


OPENED: dict[str, tuple[str, Callable[[MainWindow, Path], object]]] = {
    "scenario": ("a.meshgui.json", lambda window, path: window.files.open(path)),
    "lesson": ("a.lesson.md", lambda window, path: window.lessons.open(path)),
    "exercises": ("a.exercises.json", lambda window, path: window.exercises.open_set(path)),
}


@pytest.mark.parametrize("device", [False, True])
def test_the_window_refuses_what_is_no_plain_file(
    window: MainWindow, tmp_path: Path, subtests: pytest.Subtests, device: bool
):
    """Its notice has the line of the reader."""
    for kind, (name, opening) in OPENED.items():
        with subtests.test(kind):
            path = tmp_path / name
            if device:
                path.symlink_to("/dev/zero")
            else:
                pipe_at(path)
            while window.notice.text:
                window.notice.dismiss()
            opening(window, path)
            assert REFUSED in window.notice.text
