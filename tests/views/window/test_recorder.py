"""What plays in the window is recorded into a film, by the command of the window."""

from pathlib import Path

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
