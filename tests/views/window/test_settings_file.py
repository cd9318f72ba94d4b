"""Damaged settings: the window opens, says so, and what was damaged is set aside or replaced."""

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings, QTimer
from PySide6.QtWidgets import QLabel

from meshgui.model.document.examples import example
from meshgui.views.docks.panel_sizes import PanelSizes
from meshgui.views.window.main_window import MainWindow
from meshgui.views.window.settings_file import open_settings
from tests.fuzzing import feed, spoil
from tests.views.fuzzing import WINDOW_TARGETS, drop_window
from tests.views.window.conftest import wait_for_run

Make = Callable[[], MainWindow]
ODD = (
    "",
    "x",
    "-1",
    "@ByteArray(\\0\\xff)",
    "@Size(0 0)",
    "[]",
    "{",
    "9" * 400,
    "true",
    "1e400",
    "@Variant()",
)


def ini(path: Path) -> QSettings:
    """The settings in a file."""
    return QSettings(str(path), QSettings.Format.IniFormat)


LONG = b"[window]\ntheme=" + b"x" * (5 << 20)


@pytest.mark.parametrize(
    "content", [b"\x00" * 64, b"no section\nno value\n", b"[window\ntheme", LONG], ids=range(4)
)
def test_a_damaged_file_is_set_aside(tmp_path, content):
    """As it was, beside a new one; the sentence says where."""
    path = tmp_path / "MeshGUI.ini"
    path.write_bytes(content)
    settings, told = open_settings(ini(path))
    assert (tmp_path / "MeshGUI.ini.damaged").read_bytes() == content
    assert "MeshGUI.ini.damaged" in told
    settings.setValue("window/theme", "dark")
    settings.sync()
    assert ini(path).value("window/theme") == "dark"


class Harm:
    """What makes a folder when it is read by `pickle`."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return os.mkdir, (str(self.mark),)


@pytest.mark.parametrize(
    "written",
    [
        *(b"@Variant(", b'@V\\z\\x61"ri"ant(', b'\\100Variant"("', b"\\x40\xef\xbb\xbfVariant("),
        *(b"\\\n@Variant(", b'\\x40"\xef\xbb\xbfV"ariant('),
    ],
)
def test_settings_that_would_run_a_program_are_set_aside_unread(tmp_path, written):
    """PySide makes Python objects of some values; here of one that does harm, which reading them shows."""
    mark, path, other = tmp_path / "harm", tmp_path / "settings.ini", tmp_path / "other.ini"
    made = ini(path)
    made.setValue("window/theme", Harm(mark))
    made.sync()
    del made
    content = path.read_bytes().replace(b"@Variant(", written)
    other.write_bytes(content)
    settings, told = open_settings(ini(other))
    assert settings.value("window/theme") is None
    assert settings.allKeys() == []
    assert (tmp_path / "other.ini.damaged").read_bytes() == content
    assert "values that MeshGUI never writes" in told
    assert not mark.exists()
    ini(tmp_path / "other.ini.damaged").value("window/theme")
    assert mark.is_dir()


@pytest.mark.parametrize(
    "held", [lambda harm: harm, lambda harm: [1, [harm]], lambda harm: {"a": {"b": harm}}]
)
def test_no_object_is_made_however_it_is_written(tmp_path, held):
    """In a list or a dictionary, with letters escaped, quoted and apart, and between marks that Qt drops."""
    mark, path, other = tmp_path / "harm", tmp_path / "settings.ini", tmp_path / "other.ini"
    made = ini(path)
    made.setValue("window/theme", held(Harm(mark)))
    made.sync()
    del made
    content, draw, harmful = path.read_bytes(), random.Random(3), 0
    assert b"@Variant(" in content
    for _ in range(150):
        other.write_bytes(content.replace(b"@Variant(", disguised(b"@Variant(", draw)))
        settings, _ = open_settings(ini(other))
        for key in settings.allKeys():
            settings.value(key)
        assert not mark.exists()
        damaged = tmp_path / "other.ini.damaged"
        if damaged.exists():
            read = ini(damaged)
            read.value("window/theme")  # as without the guard
            harmful += mark.exists()
            del read
            damaged.unlink()
        if mark.exists():
            mark.rmdir()
    assert harmful > 10  # or nothing was tried


def disguised(mark: bytes, draw: random.Random) -> bytes:
    """The mark of an object, written as Qt still reads it, or nearly."""
    ways = *[b"%c"] * 4, b'\\x%x""', b"\\%o", b'"%c"', b"\\z%c", b"\\\n%c", b"\xef\xbb\xbf%c"
    return b"".join(draw.choice(ways) % letter for letter in mark)


def test_settings_that_cannot_be_moved_read_or_written_are_said_and_sound_ones_taken(tmp_path, monkeypatch):
    """The window has settings for this time."""
    path = tmp_path / "settings.ini"
    path.write_bytes(b"[window]\ntheme=@Variant(x)\nsize=3\n")

    def refuse(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "replace", refuse)
    settings, told = open_settings(ini(path))
    assert told.endswith("cannot be moved away: read-only file system. Changes of the window are not kept.")
    assert settings.value("window/size") is None
    settings.setValue("window/theme", "dark")
    assert settings.value("window/theme") == "dark"
    # Sound ones, and none, are taken as they are, without a word
    path = tmp_path / "MeshGUI.ini"
    assert open_settings(ini(path))[1] == ""
    path.write_text("[window]\ntheme=dark\n")
    settings, told = open_settings(ini(path))
    assert (settings.value("window/theme"), told) == ("dark", "")
    # Here below what is no folder; the window has them while it is open
    (tmp_path / "file").write_text("no folder")
    settings, told = open_settings(ini(tmp_path / "file" / "settings.ini"))
    assert told.endswith("cannot be read or written: changes of the window are not kept.")
    settings.setValue("window/theme", "dark")
    assert settings.value("window/theme") == "dark"


DIALOG = """
import sys
from PySide6.QtWidgets import QApplication, QFileDialog
from meshgui.views.window.settings_file import guard_dialogs
application = QApplication([])
print(guard_dialogs() if sys.argv[1] == "guarded" else "")
QFileDialog(None, options=QFileDialog.Option.DontUseNativeDialog)
"""


def test_settings_of_dialogs_that_are_a_pipe_are_set_aside(tmp_path):
    """Qt would wait for one who writes to it."""
    os.mkfifo(tmp_path / "QtProject.conf")
    environment = os.environ | {"XDG_CONFIG_HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", DIALOG, "guarded"],
        env=environment, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("QtProject.conf.damaged.\n")
    assert (tmp_path / "QtProject.conf.damaged").is_fifo()


@pytest.mark.parametrize("movable", [True, False])
def test_a_dialog_for_files_makes_no_objects_of_its_settings(tmp_path, movable):
    """Qt keeps them in a file that all its programs share; without the guard the dialog does the harm."""
    mark, path = tmp_path / "harm", tmp_path / "QtProject.conf"
    made = ini(path)
    made.setValue("FileDialog/lastVisited", Harm(mark))
    made.sync()
    del made
    aside = tmp_path / "QtProject.conf.damaged"
    if not movable:
        (aside / "in the way").mkdir(parents=True)
    environment = os.environ | {"XDG_CONFIG_HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}

    def opened(how: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", DIALOG, how],
            env=environment, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    told = opened("guarded")
    assert not mark.exists()
    assert told.endswith("QtProject.conf.damaged.\n" if movable else "They are not read.\n")
    if not movable:
        opened("as before")
        assert mark.is_dir()


def test_an_arrangement_that_cannot_be_read_is_said_until_it_is_dismissed(make_window, tmp_path, qtbot):
    """The panels are where they first were; closing the window saves a sound one."""
    ini(tmp_path / "settings.ini").setValue("window/state", QByteArray(b"\x00\xff nonsense"))
    window = make_window()
    assert window.notice.text.startswith("The arrangement of the panels could not be read")
    # A scenario that opens, its run, and a run that is refused leave it to be read
    damage = window.notice.text
    window.open_example(example("first-fit-16x16"))
    wait_for_run(window, qtbot)
    assert window.panels.docks["queue"].isVisible()
    assert window.notice.text == damage
    draft = dict(window.document.draft or {})
    window.document.change(draft | {"workload": {**draft["workload"], "load": -1}})
    window.commands.trigger("run.start")
    assert window.notice.text.startswith("Nothing was run. Load:")
    assert [label.text() for label in window.notice.findChildren(QLabel) if damage == label.text()] == [
        damage
    ]
    window.notice.dismiss()
    assert window.notice.text == damage
    window.document.change(draft)
    window.close()
    assert not make_window().notice.text


def test_odd_values_of_any_setting_are_borne(make_window, tmp_path):
    """Each of the settings that a window writes, replaced by what it would never write."""
    first = make_window()
    first.commands.trigger("window.larger-text")
    first.close()
    first.settings.sync()
    path = tmp_path / "settings.ini"
    lines = path.read_text().splitlines()
    draw = random.Random(1)
    for _ in range(4):
        odd = [f"{line.partition('=')[0]}={draw.choice(ODD)}" if "=" in line else line for line in lines]
        path.write_text("\n".join(odd))
        window = make_window()
        assert window.isVisible()
        window.close()


KINDS = sorted(WINDOW_TARGETS)


@pytest.fixture(autouse=True)
def no_window_is_left() -> Iterator[None]:
    """Close the window that reads one arrangement after the other."""
    yield
    drop_window()


@pytest.mark.parametrize("kind", KINDS)
def test_a_window_opens_on_sound_and_spoilt_ones(kind, tmp_path):
    """Or the test below would spoil what is spoilt already; the examples differ."""
    target = WINDOW_TARGETS[kind]
    examples = target.examples()
    assert len(set(examples)) == len(examples)
    assert [feed(target, content, tmp_path) for content in examples] == [""] * len(examples)
    # Values that are wrong, missing or huge, and bytes lost, doubled and made up
    for seed in range(12):
        draw = random.Random(seed)
        assert feed(target, spoil(draw.choice(target.examples()), draw), tmp_path) == ""


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_in_a_window_is_found(kind, tmp_path, monkeypatch):
    """Also where Qt has called what fails; or the test above could not fail."""

    def fail() -> None:
        raise ZeroDivisionError

    target = WINDOW_TARGETS[kind]
    content = target.examples()[0]
    monkeypatch.setattr(PanelSizes, "restore", lambda *_: QTimer.singleShot(0, fail))
    with pytest.raises(ZeroDivisionError):
        feed(target, content, tmp_path)
