"""Full and read-only disks, pipes and devices: each is said at once, and the old file stays."""

import errno
import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, QSize
from PySide6.QtWidgets import QFileDialog

from meshgui.model.base.picture_formats import PictureFormat
from meshgui.views.exporting.dialog import ExportChoice
from meshgui.views.style.theme_colours import EXPORT
from meshgui.views.window.autosave import Autosave
from meshgui.views.window.main_window import MainWindow
from meshgui.views.window.settings_file import SettingsWatch
from tests.crashes import full_disk
from tests.views.conftest import handle_events


def _save(window: MainWindow, path: Path) -> None:
    window.document.edit(window.document.scenario.model_copy(update={"title": "Newer"}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
        window.commands.trigger("file.save-as")
    assert window.document.modified


def _picture(form: PictureFormat) -> Callable[[MainWindow, Path], None]:
    def write(window: MainWindow, path: Path) -> None:
        picture = window.timeline.pictures()[0]
        window.exporter.write(ExportChoice(picture, form, 1, EXPORT, QSize(300, 200)), path)

    return write


def _table(window: MainWindow, path: Path) -> None:
    window.exporter.write_table(window.queue.waiting.table.tables()[0], path)


def _copy(window: MainWindow, path: Path) -> None:
    scenario = window.document.scenario
    window.document.change({**(window.document.draft or {}), "seed": scenario.seed + 1})
    Autosave(path.parent, window).write()


def _film(window: MainWindow, path: Path) -> None:
    window.recorder.start(path)
    window.recorder.stop()


def _web_page(window: MainWindow, path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
        window.commands.trigger("file.web-page")


WRITERS: dict[str, Callable[[MainWindow, Path], None]] = {
    "mine.meshgui.json": _save,
    "picture.png": _picture(PictureFormat.PNG),
    "picture.svg": _picture(PictureFormat.SVG),
    "picture.pdf": _picture(PictureFormat.PDF),
    "table.csv": _table,
    "copy.json": _copy,
    "film.gif": _film,
    "page.html": _web_page,
}


@contextmanager
def full(_: pytest.MonkeyPatch) -> Iterator[str]:
    """A disk on which what was written finds no room in the end."""
    with full_disk():
        yield "no space left on device"


@contextmanager
def read_only(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A disk on which no file can be made."""

    def refuse(*_: object) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    with monkeypatch.context() as patch:
        patch.setattr("meshgui.engine.basics.files._for_its_owner", refuse)
        yield "read-only file system"


@contextmanager
def no_bytes(_: pytest.MonkeyPatch) -> Iterator[str]:
    """A system that takes no byte more of any file, said by the system itself."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield "file too large"
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("disk", [full, read_only, no_bytes])
def test_a_disk_that_refuses_is_said_at_once(lecture, tmp_path, monkeypatch, subtests, disk):
    """In one sentence with the system's words; the file that was there stays, with nothing beside it."""
    for name, write in WRITERS.items():
        with subtests.test(name):
            place = tmp_path / name.partition(".")[2] / "place"
            place.mkdir(parents=True)
            (place / name).write_bytes(b"old")
            while lecture.notice.text:
                lecture.notice.dismiss()
            with disk(monkeypatch) as words:
                write(lecture, place / name)
            if (name, disk) == ("copy.json", no_bytes):
                words = "cannot be written"  # the lock of the folder, of which Qt says no more
            assert words in lecture.notice.text
            assert "\n" not in lecture.notice.text
            assert (place / name).read_bytes() == b"old"
            left = {path.name for path in place.rglob("*") if path.is_file()}
            assert {other for other in left if "lock" not in other} == {name}


@pytest.mark.parametrize("disk", ["full", "gone"])
def test_settings_that_can_no_longer_be_written_are_said_once(qtbot, qapp, tmp_path, disk):
    """While the program runs, at the next change; the values hold as long as it does."""
    folder = tmp_path / "folder"
    folder.mkdir()
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    settings.setValue("window/theme", "light")
    settings.sync()
    told: list[str] = []
    watch = SettingsWatch(settings, told.append)
    settings.setValue("window/contrast", "1")
    handle_events()
    assert told == []
    old = (folder / "settings.ini").read_bytes()
    if disk == "gone":
        (folder / "settings.ini").rename(tmp_path / "settings.ini")
        folder.rmdir()
        folder.write_text("no folder")
    with no_bytes(pytest.MonkeyPatch()):
        for theme in ("dark", "light"):
            settings.setValue("window/theme", theme)
            qtbot.waitUntil(lambda: bool(told))
    handle_events()
    place = tmp_path if disk == "gone" else folder
    assert (place / "settings.ini").read_bytes() == old
    assert settings.value("window/theme") == "light"
    assert len(told) == 1
    assert told[0].endswith("changes of the window are not kept.")
    watch.write(told.append)  # at the program's end
    assert len(told) == 1


def test_what_the_settings_cannot_keep_at_the_end_is_said_then(qapp, tmp_path):
    """The layout is written as the window closes, and no notice would be seen any more."""
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    told: list[str] = []
    last: list[str] = []
    watch = SettingsWatch(settings, told.append)
    settings.setValue("window/state", "whole")
    watch.write(last.append)
    settings.setValue("window/state", "changed")
    assert last == []
    with no_bytes(pytest.MonkeyPatch()):
        watch.write(last.append)
    assert [words.endswith("changes of the window are not kept.") for words in last] == [True]
    assert told == []


REFUSED = "expected a plain file, not a pipe or device"


def pipe_at(path: Path) -> Path:
    """A pipe without a writer."""
    os.mkfifo(path)
    return path


OPENED: dict[str, tuple[str, Callable[[MainWindow, Path], object]]] = {
    "scenario": ("a.meshgui.json", lambda window, path: window.files.open(path)),
    "lesson": ("a.lesson.md", lambda window, path: window.lessons.open(path)),
    "exercises": ("a.exercises.json", lambda window, path: window.exercises.open_set(path)),
}


@pytest.mark.parametrize("device", [False, True])
def test_the_window_refuses_what_is_no_plain_file(window, tmp_path, subtests, device):
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
