"""What plays in the window is recorded into a film, by the command of the window."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImageReader
from PySide6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from meshgui.views.window.main_window import MainWindow
from meshgui.views.window.recording_sign import RecordingSign
from tests.crashes import full_disk


def test_a_film_of_what_plays_is_recorded(lecture: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch):
    """The command asks where to, and ends the film when it is given again."""
    out = tmp_path / "film.gif"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    record = lecture.commands.action("file.record")
    record.trigger()
    assert lecture.recorder.recording
    lecture.time_cursor.next_event(3)
    qtbot.waitUntil(lambda: lecture.recorder._film.frames >= 4)
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
    qtbot.waitUntil(lambda: not lecture.isVisible())
    assert not lecture.recorder.recording
    assert (tmp_path / "film" / "frame-00001.png").is_file()


@pytest.mark.parametrize("name", ["film.gif", "film.mp4"])
def test_a_full_disk_ends_the_film_in_one_sentence(
    lecture: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
):
    """The film that was there before stays."""
    tool = tmp_path / "tools" / "ffmpeg"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\nexec /bin/cat > /dev/null\n")  # it ends with 0, and has written nothing
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tool.parent))
    out = tmp_path / "there" / name
    out.parent.mkdir()
    out.write_bytes(b"old")
    with full_disk():
        lecture.recorder.start(out)
        lecture.recorder.stop()
    assert not lecture.recorder.recording
    said = "ffmpeg failed: it did not say why" if name == "film.mp4" else "no space left on device"
    assert said in lecture.notice.text
    assert "\n" not in lecture.notice.text
    assert [(file, file.read_bytes()) for file in out.parent.iterdir()] == [(out, b"old")]


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


KINDS = ("Animated GIF (*.gif)", "MP4, with ffmpeg (*.mp4)", "A folder of numbered PNGs (*)")


def test_the_kind_that_was_chosen_gives_the_film_its_ending(
    lecture: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The kind that was offered first leaves an ending that was typed."""
    begun: list[Path] = []
    monkeypatch.setattr(lecture.recorder, "start", begun.append)
    for typed, kind, written in (
        ("film.gif", KINDS[1], "film.mp4"),
        ("film.gif", KINDS[2], "film"),
        ("film.mp4", KINDS[0], "film.mp4"),
        ("film", KINDS[0], "film.gif"),
        ("film", KINDS[2], "film"),
        ("week 1.2", KINDS[1], "week 1.2.mp4"),
    ):
        answer = (str(tmp_path / typed), kind)
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, answer=answer: answer)
        lecture.recorder.toggle()
        assert begun.pop() == tmp_path / written, (typed, kind)


def test_a_film_whose_name_was_completed_replaces_none_unasked(
    lecture: MainWindow, tmp_path: Path, monkeypatch
):
    """The dialog has asked only about the name that was typed."""
    (tmp_path / "film.mp4").write_bytes(b"old")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "film.gif"), KINDS[1]))
    asked: list[str] = []

    def refuse(_parent: object, _title: str, words: str, _buttons: object) -> QMessageBox.StandardButton:
        asked.append(words)
        return QMessageBox.StandardButton.No

    monkeypatch.setattr(QMessageBox, "question", refuse)
    lecture.recorder.toggle()
    assert not lecture.recorder.recording
    assert asked == ["film.mp4 already exists. Replace it?"]


def test_a_sign_on_the_screen_says_that_a_film_is_recorded(lecture: MainWindow, qtbot: QtBot, tmp_path: Path):
    """It ends the film at a click, and is not in the film."""
    sign = lecture.findChild(RecordingSign)
    assert not sign.isVisible()
    lecture.recorder.start(tmp_path / "film")
    qtbot.waitUntil(sign.isVisible)
    qtbot.waitUntil(lambda: lecture.recorder._film.frames > 1)
    place = sign.geometry().translated(
        sign.parentWidget().mapTo(lecture, sign.parentWidget().rect().topLeft())
    )
    seen = lecture.grab(place).toImage()
    qtbot.mouseClick(sign, Qt.MouseButton.LeftButton)
    assert not lecture.recorder.recording
    assert not sign.isVisible()
    last = max((tmp_path / "film").iterdir())
    frame = QImageReader(str(last)).read().copy(place)
    colours = [
        {image.pixel(x, y) for x in range(place.width()) for y in range(4, place.height() - 4)}
        for image in (seen, frame)
    ]
    assert len(colours[0]) > 1
    assert len(colours[1]) == 1
