"""Pictures and films that take long: the window answers, Stop ends them, and the pixels are the same."""

import re
import shutil
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QColor, QGuiApplication, QImage, QImageReader
from PySide6.QtWidgets import QFileDialog, QMessageBox, QProgressDialog

from meshgui.engine.basics.work import Stopped
from meshgui.model.base.picture_formats import PictureFormat
from meshgui.model.moment.clock_words import time_words
from meshgui.views.exporting.dialog import ExportChoice
from meshgui.views.exporting.film_files import FilmWriter
from meshgui.views.exporting.pausing_painter import PausingPainter
from meshgui.views.exporting.picture_files import draw_image, write_picture
from meshgui.views.exporting.recording_sign import RecordingSign
from meshgui.views.style.theme import DARK
from meshgui.views.style.theme_colours import EXPORT
from meshgui.views.widgets import file_progress
from meshgui.views.widgets.file_progress import FileWork
from tests.crashes import full_disk


class Counted(FileWork):
    """Work that counts its moments, and is stopped at one of them."""

    def __init__(self, window, aside=None, stop_at: int = 0) -> None:
        super().__init__("Working", window, *(() if aside is None else (aside,)))
        self.moments, self.stop_at = 0, stop_at

    def look(self) -> None:
        """Count."""
        self.moments += 1
        if self.moments == self.stop_at:
            self.stop()
        super().look()


@pytest.fixture
def at_every_shape(monkeypatch):
    """Events are handled at every pause, and no dialog comes."""
    monkeypatch.setattr(file_progress, "_LEG", 0.0)
    monkeypatch.setattr(file_progress, "_PATIENCE", 600.0)


def assert_same_drawing(one, other, name):
    """The same bytes, but for the outlines of letters, which are the same to a 32nd of a pixel.

    These come from Qt's store of glyphs, and now and then it rounds one to another 64th.
    """
    letters, number = re.compile(r'(?<=aria-label=)("[^"]*" d=)"([^"]*)"'), re.compile(r"-?\d+(?:\.\d+)?")
    assert letters.sub(r"\1", one) == letters.sub(r"\1", other), name
    outlines = [" ".join(found[2] for found in letters.finditer(svg)) for svg in (one, other)]
    assert len(outlines[0]) > 1000, name
    assert number.sub("0", outlines[0]) == number.sub("0", outlines[1]), name
    pairs = zip(*(map(float, number.findall(outline)) for outline in outlines), strict=True)
    assert max(abs(first - second) for first, second in pairs) < 1 / 32, name


@pytest.mark.parametrize("flat", [False, True])
def test_a_picture_with_pauses_is_the_same_to_the_byte(
    lecture, tmp_path, at_every_shape, flat, screen_has_opengl
):
    """In each format, of each view, while the window paints itself in its own theme."""
    if flat:
        lecture.mesh.toggle_flat()
    for picture in lecture.exporter.pictures(None):
        for form in PictureFormat:
            whole, paused = tmp_path / f"whole.{form.value}", tmp_path / f"paused.{form.value}"
            write_picture(whole, picture.paint, QSize(900, 700), theme=DARK)
            with Counted(lecture, lecture.themes.lent) as work:
                write_picture(paused, picture.paint, QSize(900, 700), theme=DARK, work=work)
            assert work.moments > 10, picture.title
            name = f"{picture.title}, {form.value}"
            if form is PictureFormat.SVG:
                assert_same_drawing(whole.read_text("utf-8"), paused.read_text("utf-8"), name)
            else:
                assert whole.read_bytes() == paused.read_bytes(), name


def test_the_window_has_its_own_theme_in_a_pause(lecture, tmp_path, at_every_shape):
    """What is painted on the screen meanwhile has the window's colours, the picture those asked for."""
    lecture.mesh.toggle_flat()
    inside, between = [], []

    @contextmanager
    def aside():
        inside.append(lecture.themes.theme.name)
        with lecture.themes.lent():
            between.append(lecture.themes.theme.name)
            yield
        inside.append(lecture.themes.theme.name)

    picture = lecture.mesh.pictures()[0]
    with Counted(lecture, aside) as work:
        draw_image(picture.paint, QSize(300, 200), DARK, 1, work)
    assert set(between) == {"light"}
    assert "dark" in inside


def test_a_stopped_painter_draws_no_more(lecture, at_every_shape):
    """Stopped at the third shape it has drawn three, and the rest at none; Qt misses no state taken back."""
    image = QImage(QSize(50, 10), QImage.Format.Format_RGB32)
    image.fill(0)
    painter = PausingPainter(Counted(lecture, stop_at=3))
    painter.begin(image)
    drawn = 0
    for place in range(3):
        drawn += 1
        painter.save()  # and what takes it back is not reached
        try:
            painter.fillRect(place * 10, 0, 10, 10, QColor("white"))
        except Stopped:
            break
    painter.fillRect(30, 0, 10, 10, QColor("white"))
    painter.end()
    assert drawn == 3
    assert [image.pixelColor(place * 10 + 5, 5).value() for place in range(5)] == [255, 255, 255, 0, 0]


def test_the_mesh_in_3d_is_drawn_beside_the_window(lecture, at_every_shape, screen_has_opengl, monkeypatch):
    """In a thread of its own where a picture may pause, else in the window's."""
    if not screen_has_opengl:
        pytest.skip("OpenGL does not work here")
    from meshgui.views.mesh.solid import still  # noqa: PLC0415 - it needs OpenGL

    draw, threads = still.draw_still, []

    def watched(*arguments):
        threads.append(threading.current_thread() is threading.main_thread())
        draw(*arguments)

    monkeypatch.setattr(still, "draw_still", watched)
    picture = lecture.mesh.pictures()[0]
    alone = draw_image(picture.paint, QSize(400, 300), EXPORT, 2)
    with Counted(lecture) as work:
        beside = draw_image(picture.paint, QSize(400, 300), EXPORT, 2, work)
    assert threads == [True, False]
    assert alone == beside


@pytest.mark.parametrize("form", list(PictureFormat))
def test_a_picture_is_stopped_while_it_is_drawn(lecture, tmp_path, monkeypatch, form):
    """The dialog is there before it is drawn to the end; the old file stays, and nothing beside it."""
    path = tmp_path / f"t.{form.value}"
    path.write_text("old")
    monkeypatch.setattr(file_progress, "_LEG", 0.0)
    monkeypatch.setattr(file_progress, "_PATIENCE", -1.0)
    timer = QTimer(lecture, interval=0)
    timer.timeout.connect(lambda: [dialog.cancel() for dialog in lecture.findChildren(QProgressDialog)])
    timer.start()
    shapes = []

    def paint(painter, rect, _theme):
        for _ in range(1000):
            painter.drawLine(rect.topLeft(), rect.bottomRight())
            shapes.append(1)

    picture = lecture.timeline.pictures()[0]
    choice = ExportChoice(type(picture)("t", QSize(100, 100), paint), form, 1, EXPORT, QSize(100, 100))
    lecture.exporter.write(choice, path)
    timer.stop()
    assert len(shapes) < 1000
    assert lecture.sentence.text == "The picture was not written."
    assert path.read_text() == "old"
    assert list(tmp_path.glob("*")) == [path]


def test_copying_a_picture_can_be_stopped(lecture, monkeypatch):
    """The clipboard keeps what it had."""
    QGuiApplication.clipboard().setText("before")
    monkeypatch.setattr(file_progress, "_LEG", 0.0)
    monkeypatch.setattr(file_progress, "_PATIENCE", -1.0)
    timer = QTimer(lecture, interval=0)
    timer.timeout.connect(lambda: [dialog.cancel() for dialog in lecture.findChildren(QProgressDialog)])
    timer.start()
    lecture.exporter.copy_image(lecture.timeline.pictures()[0])
    timer.stop()
    assert lecture.sentence.text == "The picture was not copied."
    assert QGuiApplication.clipboard().text() == "before"


class SlowFilm(FilmWriter):
    """A film whose last frames are coded only on a signal."""

    def begin(self) -> None:
        """Nothing."""
        self.release, self.placed, self.cleared = threading.Event(), False, False

    def write(self, image) -> None:
        """Nothing."""

    def code_rest(self) -> None:
        """Wait, as for ffmpeg."""
        assert threading.current_thread() is not threading.main_thread()
        self.release.wait()

    def place(self) -> None:
        """Note it."""
        self.placed = True

    def clear(self) -> None:
        """Let go, as killing ffmpeg does."""
        self.cleared = True
        self.release.set()


@pytest.mark.parametrize("stop", [False, True])
def test_the_end_of_a_film_is_coded_beside_the_window(lecture, tmp_path, monkeypatch, stop):
    """Timers run meanwhile; Stop ends it, and the film is then not put in its place."""
    films: list[SlowFilm] = []

    def slow(out: Path, fps: float) -> SlowFilm:
        films.append(SlowFilm(out, fps))
        return films[0]

    monkeypatch.setattr("meshgui.views.exporting.film_files.film_writer", slow)
    monkeypatch.setattr(file_progress, "_PATIENCE", -1.0)
    lecture.recorder.start(tmp_path / "film.mp4")
    timer = QTimer(lecture, interval=0)

    def answer() -> None:
        for dialog in lecture.findChildren(QProgressDialog):
            if stop:
                dialog.cancel()
            else:
                films[0].release.set()

    timer.timeout.connect(answer)
    timer.start()
    lecture.recorder.stop()
    timer.stop()
    assert films[0].cleared
    assert films[0].placed is not stop
    assert ("not written" in lecture.sentence.text) is stop


def test_a_coder_that_takes_no_frame_holds_up_neither_the_window_nor_the_end(lecture, tmp_path, monkeypatch):
    """The window waited for the pipe to it; Stop ends the coder, and what was there before stays."""
    tool = tmp_path / "tools" / "ffmpeg"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\nexec /bin/sleep 3600\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tool.parent))
    monkeypatch.setattr(file_progress, "_PATIENCE", -1.0)
    out = tmp_path / "there" / "film.mp4"
    out.parent.mkdir()
    out.write_bytes(b"old")
    lecture.recorder.start(out)
    for _ in range(20):
        lecture.recorder._go_on()
    assert lecture.recorder.recording
    timer = QTimer(lecture, interval=0)
    timer.timeout.connect(lambda: [dialog.cancel() for dialog in lecture.findChildren(QProgressDialog)])
    timer.start()
    lecture.recorder.stop()
    timer.stop()
    assert not lecture.recorder.recording
    assert "not written" in lecture.sentence.text
    assert [(file, file.read_bytes()) for file in out.parent.iterdir()] == [(out, b"old")]


def test_a_film_of_what_plays_is_recorded_with_a_sign_on_the_screen(lecture, qtbot, tmp_path, monkeypatch):
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
    assert lecture.notice.text.startswith("film.gif was written: ")
    assert lecture.notice.text.endswith(" frames.")
    # A sign on the screen says so; it ends the film at a click, and is not in the film
    sign = lecture.findChild(RecordingSign)
    assert not sign.isVisible()
    said = lecture.sentence.text
    lecture.recorder.start(tmp_path / "film")
    assert lecture.sentence.text == said, "it is in the film"
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


@pytest.mark.parametrize("taken", [False, True])
def test_a_film_is_named_after_its_scenario_and_the_time_that_it_shows(
    lecture, qtbot, tmp_path, monkeypatch, taken
):
    """Unless the user has another name for it, or a film of that time is there already."""
    proposed: list[Path] = []

    def accept(_parent: object, _caption: str, name: str, kinds: str, **_options: object) -> tuple[str, str]:
        proposed.append(tmp_path / Path(name).name)
        return str(proposed[-1]), kinds.split(";;", maxsplit=1)[0]

    monkeypatch.setattr(QFileDialog, "getSaveFileName", accept)
    cursor, title = lecture.time_cursor, lecture.context.document.title
    begin = cursor.time
    lecture.recorder.toggle()
    qtbot.waitUntil(lambda: lecture.recorder._film.frames > 0)
    cursor.next_event(3)
    named = tmp_path / f"{title}, film from {time_words(begin)} to {time_words(cursor.time)}.gif"
    if taken:
        named.write_bytes(b"another")
    lecture.recorder.toggle()
    assert [path.name for path in proposed] == [f"{title}, film.gif"]
    assert named.exists()
    assert proposed[0].exists() == taken
    written = proposed[0] if taken else named
    assert lecture.notice.text.startswith(f"{written.name} was written: ")


def test_a_film_that_cannot_be_made_is_refused_at_once(lecture, tmp_path, monkeypatch):
    """And nothing is recorded."""
    monkeypatch.setenv("PATH", str(tmp_path))
    lecture.recorder.start(tmp_path / "film.mp4")
    assert not lecture.recorder.recording
    assert "ffmpeg, which is not installed" in lecture.notice.text
    # With nowhere to go, in each format, in the system's words
    (tmp_path / "file").write_text("no folder")
    for name in ("film.gif", "film.mp4", "film"):
        lecture.notice.dismiss()
        lecture.recorder.start(tmp_path / "file" / name)
        assert not lecture.recorder.recording
        lacks = name.endswith(".mp4") and shutil.which("ffmpeg") is None
        said = "choose a GIF or a folder of PNGs." if lacks else "could not be written: not a directory."
        assert lecture.notice.text.endswith(said)


@pytest.mark.parametrize("name", ["film.gif", "film.mp4"])
def test_a_full_disk_ends_the_film_in_one_sentence(lecture, qtbot, tmp_path, monkeypatch, name):
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


def test_a_film_does_not_show_what_was_written_before_it(lecture, tmp_path):
    """A sentence about another file lay over the mesh to the film's end."""
    lecture.exporter.say_written(tmp_path / "picture.png")
    lecture.recorder.start(tmp_path / "film")
    assert lecture.context.messages.notice.text == ""
    lecture.recorder.stop()
    assert "film was written" in lecture.context.messages.notice.text


KINDS = ("Animated GIF (*.gif)", "MP4, with ffmpeg (*.mp4)", "A folder of numbered PNGs (*)")


def test_the_kind_that_was_chosen_gives_the_film_its_ending(lecture, tmp_path, monkeypatch):
    """The kind that was offered first leaves an ending that was typed."""
    begun: list[Path] = []
    start = lecture.recorder.start
    monkeypatch.setattr(lecture.recorder, "start", lambda out, _title: begun.append(out))
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
    # One whose name was completed replaces none unasked: the dialog has asked about the name that was typed
    monkeypatch.setattr(lecture.recorder, "start", start)
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
