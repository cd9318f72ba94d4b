"""What plays in the window is recorded into a film, by the command of the window."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtGui import QImageReader
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from meshgui.views.window.main_window import MainWindow


def test_a_film_of_what_plays_is_recorded(lecture: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch):
    """The command asks where to, and ends the film when it is given again."""
    out = tmp_path / "film.gif"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    record = lecture.commands.action("file.record")
    record.trigger()
    assert lecture.recorder.recording
    lecture.time_cursor.next_event(3)
    qtbot.wait(400)
    record.trigger()
    assert not lecture.recorder.recording
    reader = QImageReader(str(out))
    assert reader.imageCount() >= 4
    assert reader.size().width() >= lecture.width()
    assert "recorded" in lecture.sentence.text


def test_an_mp4_without_ffmpeg_is_refused_in_words(lecture: MainWindow, tmp_path: Path, monkeypatch):
    """And nothing is recorded."""
    monkeypatch.setenv("PATH", str(tmp_path))
    lecture.recorder.start(tmp_path / "film.mp4")
    assert not lecture.recorder.recording
    assert "ffmpeg, which is not installed" in lecture.notice.text


def test_closing_the_window_ends_the_film(lecture: MainWindow, qtbot: QtBot, tmp_path: Path):
    """It is whole."""
    lecture.recorder.start(tmp_path / "film")
    lecture.close()
    assert not lecture.recorder.recording
    assert (tmp_path / "film" / "frame-00001.png").is_file()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
@pytest.mark.parametrize("name", ["film.gif", "film.mp4"])
def test_a_full_disk_ends_the_film_in_one_sentence(lecture: MainWindow, qtbot: QtBot, tmp_path: Path, name):
    """At the first frame that does not fit, or at the end; the film that was there before stays."""
    if name.endswith("mp4") and shutil.which("ffmpeg") is None:
        pytest.skip("ffmpeg is not installed")
    (tmp_path / name).write_bytes(b"old")
    (tmp_path / f".{name}.part").symlink_to("/dev/full")
    lecture.recorder.start(tmp_path / name)
    qtbot.wait(150)
    lecture.recorder.stop()
    assert not lecture.recorder.recording
    assert "no space left on device" in lecture.notice.text.lower()
    assert "\n" not in lecture.notice.text
    assert (tmp_path / name).read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_film_with_nowhere_to_go_is_refused_at_once(lecture: MainWindow, tmp_path: Path):
    """In each format, in the system's words."""
    (tmp_path / "file").write_text("no folder")
    for name in ("film.gif", "film.mp4", "film"):
        lecture.notice.dismiss()
        lecture.recorder.start(tmp_path / "file" / name)
        assert not lecture.recorder.recording
        lacks = name.endswith(".mp4") and shutil.which("ffmpeg") is None
        said = "choose a GIF or a folder of PNGs." if lacks else "could not be written: not a directory."
        assert lecture.notice.text.endswith(said)
