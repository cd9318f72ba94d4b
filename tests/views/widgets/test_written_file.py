"""A written file is said in a notice, from which it and its folder can be opened."""

import errno
import os
import shutil
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from meshgui.views.style.icons import IconShelf
from meshgui.views.widgets import opening
from meshgui.views.widgets.notice import Notice, Topic
from meshgui.views.widgets.opening import OpenerWatch
from meshgui.views.widgets.written_file import say_written
from tests.views import showing

PICTURE = Path("/course/pictures/TBL under load, Mesh at 97.21.png")


@pytest.fixture
def notice(qtbot, themes):
    """The notice of a window."""
    window, bar = QWidget(), Notice(themes, IconShelf(themes))
    column = QVBoxLayout(window)
    column.addWidget(bar)
    column.addStretch(1)
    showing.shown(qtbot, window, 1264, 800)
    yield bar
    window.close()


def test_a_scenario_that_was_saved_is_not_opened_as_raw_text(notice, qtbot):
    """Its folder is offered alone: an editor of text is of no use there."""
    say_written(notice, Path("/course/lecture.meshgui.json"))
    qtbot.waitUntil(lambda: bool(offered(notice)))
    assert offered(notice) == ["Open folder"]


@pytest.fixture
def system(monkeypatch):
    """What the system is asked to open; it has programs for the kinds that are listed."""

    class System:
        opened: list[str] = []  # noqa: RUF012 - one for each test
        knows = True

        def open(self, url):
            self.opened.append(url.toLocalFile())
            return self.knows

    made = System()
    made.opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", made.open)
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    return made


def press(qtbot, notice, words):
    """Press a button of the notice."""
    [button] = [
        each for each in notice.findChildren(QPushButton) if each.text() == words and each.isVisible()
    ]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def offered(notice):
    """The buttons that are shown."""
    return [button.text() for button in notice.findChildren(QPushButton) if button.isVisible()]


def test_a_written_file_is_said_with_what_can_be_done_next(notice, qtbot):
    """It asks nothing, so it goes when other work begins; a further file takes its place."""
    say_written(notice, PICTURE)
    assert notice.text == "TBL under load, Mesh at 97.21.png was written."
    qtbot.waitUntil(lambda: offered(notice) == ["Open", "Open folder"])
    assert not notice.asks
    say_written(notice, Path("table.csv"), "6 rows")
    assert notice.text == "table.csv was written: 6 rows."
    notice.tell("The disk is full.", topic=Topic.EXPORT)
    assert notice.text == "The disk is full."
    say_written(notice, PICTURE)
    notice.clear()
    assert notice.text == ""


@pytest.mark.parametrize(("words", "opened"), [("Open", PICTURE), ("Open folder", PICTURE.parent)])
def test_a_button_opens_the_file_or_its_folder_and_the_notice_is_done(notice, qtbot, system, words, opened):
    """By the system's own program for it."""
    say_written(notice, PICTURE)
    press(qtbot, notice, words)
    assert system.opened == [str(opened)]
    assert notice.text == ""


def test_without_a_program_one_sentence_says_so(notice, qtbot, system):
    """For the file the folder is still offered; without one for folders it says where the file is."""
    system.knows = False
    say_written(notice, PICTURE)
    press(qtbot, notice, "Open")
    assert notice.text == "This system has no program that opens TBL under load, Mesh at 97.21.png."
    qtbot.waitUntil(lambda: offered(notice) == ["Open folder"])
    press(qtbot, notice, "Open folder")
    assert notice.text == ("This system has no program that shows folders. The file is in /course/pictures.")
    qtbot.waitUntil(lambda: offered(notice) == [])


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no xdg-open")
@pytest.mark.parametrize(("code", "late"), [(0, False), (3, False), (3, True)])
def test_an_opener_that_finds_no_program_is_heard(notice, qtbot, monkeypatch, tmp_path, code, late):
    """It ends with a fault, and one sentence says where the file is; late it ends with what it has opened."""
    if late:
        monkeypatch.setattr(opening, "_STARTED", 0)
    seen = tmp_path / "seen"
    opener = tmp_path / "xdg-open"
    opener.write_text(f'#!/bin/sh\necho "$1" > "{seen}.part"\nmv "{seen}.part" "{seen}"\nexit {code}\n')
    opener.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    say_written(notice, PICTURE)
    press(qtbot, notice, "Open folder")
    assert notice.text == ""
    qtbot.waitUntil(seen.exists)
    qtbot.waitUntil(lambda: notice.findChildren(OpenerWatch) == [])
    said = "This system has no program that shows folders. The file is in /course/pictures."
    assert notice.text == (said if code and not late else "")
    assert seen.read_text().strip() == "/course/pictures"


def test_on_an_old_kernel_a_file_is_opened_all_the_same(notice, qtbot, monkeypatch, tmp_path):
    """The end of the opener is not heard there."""

    def unknown(_process: int) -> int:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    seen, opener = tmp_path / "seen", tmp_path / "xdg-open"
    opener.write_text(f'#!/bin/sh\ntouch "{seen}"\nexit 3\n')
    opener.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(opening.os, "pidfd_open", unknown)
    say_written(notice, PICTURE)
    press(qtbot, notice, "Open")
    [watch] = notice.findChildren(OpenerWatch)
    assert watch._process.wait() == 3
    assert seen.exists()
    assert notice.text == ""


def test_a_name_keeps_to_itself_where_one_reads_from_the_right(notice, qapp):
    """The number behind "points.csv" would be read as a part of it."""
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    say_written(notice, Path("/course/points.csv"), "8 rows")
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    assert notice.text == "\u2068points.csv\u2069 was written: 8 rows."


def test_a_folder_keeps_to_itself_where_one_reads_from_the_right(notice, qtbot, qapp, system):
    """Its first stroke would move to the other end."""
    system.knows = False
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    say_written(notice, PICTURE)
    press(qtbot, notice, "Open folder")
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    assert notice.text.endswith("The file is in \u2068/course/pictures\u2069.")
