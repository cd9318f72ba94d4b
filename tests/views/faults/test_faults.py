"""Errors that nothing handled: one calm dialog with a report, the work kept, and a crash told of later."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt, QThread, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from meshgui.model.base.fault_report import FaultReport
from meshgui.views.faults.fault_dialog import FaultDialog
from meshgui.views.faults.fault_watch import FaultWatch
from meshgui.views.style.theme import ThemeManager
from meshgui.views.window import start
from meshgui.views.window.autosave import Autosave
from tests.processes import ScopedProcess
from tests.views.conftest import handle_events
from tests.views.window.conftest import make_window, window_size  # noqa: F401 - fixtures


def fail() -> None:
    """A fault of the program."""
    raise ZeroDivisionError("the last stand")


class Bench:
    """A watch over a plain window, with what it did."""

    def __init__(self, themes: ThemeManager, qtbot: QtBot) -> None:
        self.qtbot, self.window = qtbot, QWidget()
        qtbot.addWidget(self.window)
        self.window.show()
        self.kept = 0
        self.unkept = ""
        settings = QSettings(os.devnull, QSettings.Format.IniFormat)
        self.watch = FaultWatch(
            themes, settings, self.window, self.keep, lambda: {"Scenario": "{a scenario}"}
        )

    def keep(self) -> str:
        """Count the copies of the work."""
        self.kept += 1
        return self.unkept

    def opened(self) -> FaultDialog:
        """The dialog, once it is open."""
        self.qtbot.waitUntil(lambda: self.watch.dialog is not None)
        return self.watch.dialog


@pytest.fixture
def bench(themes: ThemeManager, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """A watch in place of the one of the tests, which takes any error for a failure."""
    monkeypatch.setattr(sys, "excepthook", lambda *_: None)
    made = Bench(themes, qtbot)
    made.watch.begin()
    yield made
    made.watch.end()


def test_an_error_in_a_slot_opens_one_dialog(bench, qtbot):
    """The work is kept first; the report names the fault, its line, the versions and the scenario."""
    QTimer.singleShot(0, fail)
    dialog = bench.opened()
    assert bench.kept == 1
    text = dialog.report.toPlainText()
    for words in ("ZeroDivisionError: the last stand", "in fail", "Python 3.", "{a scenario}"):
        assert words in text
    kept = "Your work is kept. The error: ZeroDivisionError in test_faults.py"
    assert dialog.kept.text().startswith(kept)
    qtbot.mouseClick(dialog.close_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bench.watch.dialog is None)
    # Work that cannot be kept is said with the reason, as the user had better save now
    bench.unkept = "no space left on device"
    QTimer.singleShot(0, fail)
    dialog = bench.opened()
    assert "Your unsaved changes could not be copied: no space left on device" in dialog.kept.text()
    dialog.close()


def test_a_fault_that_returns_with_every_frame_is_counted(bench, qtbot):
    """No second dialog, no endless report, and the window is still there."""

    class Broken(QWidget):
        def paintEvent(self, _event, /):  # noqa: N802 - Qt's name
            fail()

    broken, report = Broken(bench.window), bench.watch.report
    broken.show()
    for _ in range(3):
        before = report.count
        broken.update()
        qtbot.waitUntil(lambda before=before: report.count > before)
    dialog = bench.opened()
    qtbot.waitUntil(lambda: "the last of" in dialog.kept.text())
    assert dialog.report.toPlainText().count("Traceback") == 1
    assert bench.window.isVisible()
    broken.hide()
    dialog.close()


def test_a_fault_that_goes_on_lets_go_of_the_user(bench, qtbot, qapp):
    """Closed three times, the dialog opens for another fault alone; it says once that all continues."""
    told = []
    bench.watch.goes_on.connect(lambda: told.append(None))
    for again in (True, True, True, False, False):
        QTimer.singleShot(0, fail)
        before = bench.watch.report.count
        qtbot.waitUntil(lambda before=before: bench.watch.report.count > before)
        handle_events()
        assert (bench.watch.dialog is not None) == again
        if again:
            bench.watch.dialog.close()
            qtbot.waitUntil(lambda: bench.watch.dialog is None)
        assert len(told) == (not again)
    QTimer.singleShot(0, lambda: [].index(1))
    bench.opened().close()


def test_the_window_says_that_a_fault_goes_on(make_window):  # noqa: F811 - the fixture
    """In a sentence that stays, with what to do."""
    window = make_window()
    start._tell_of_a_fault_that_goes_on(window)
    assert window.notice.text == ("The reported error keeps recurring. Save your work and restart MeshGUI.")


def test_an_error_in_a_thread_comes_to_the_same_dialog(bench, qtbot):
    """In one of Qt's and in one of Python's."""

    class Failing(QThread):
        def run(self):
            raise LookupError("in a thread of Qt")

    thread = Failing()
    thread.start()
    assert thread.wait(60_000)
    dialog = bench.opened()
    own = threading.Thread(target=fail)
    own.start()
    own.join(60)
    qtbot.waitUntil(lambda: "ZeroDivisionError" in dialog.report.toPlainText())
    assert "in a thread of Qt" in dialog.report.toPlainText()
    dialog.close()


def test_the_report_is_copied_and_saved(themes, qtbot, tmp_path, monkeypatch):
    """By a click each; what became of it is one sentence in the dialog."""
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    dialog = FaultDialog(themes, settings, None, "Something went wrong", "A fault.")
    dialog.show_report("all about it")
    dialog.show()
    qtbot.mouseClick(dialog.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "all about it"
    places = iter((tmp_path / "none" / "report.txt", tmp_path / "report.txt"))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(next(places)), ""))
    qtbot.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    assert dialog.notice.text == "The report could not be saved: no such file or directory."
    qtbot.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    assert (tmp_path / "report.txt").read_text() == "all about it"
    assert dialog.notice.text == "report.txt was written."
    dialog.close()


def test_a_report_names_no_home_folder_stays_short_and_says_where():
    """The user's folder is ~, a fault of a million letters is cut, and more than twenty are not listed."""
    report = FaultReport()
    for number in range(50):
        report.add(ValueError, ValueError(f"{number} {Path.home()}/secret " + "x" * 1_000_000), None)
    text = report.text({})
    assert str(Path.home()) not in text
    assert len(text) < 500_000
    assert report.count == 20
    # A long word that a fault quotes is cut; the file and line above it are not
    report = FaultReport()
    with pytest.raises(ValueError, match="yyy") as met:
        [].index("y" * 300_000)
    report.add(met.type, met.value, met.tb)
    text = report.text({})
    assert Path(__file__).name in text
    assert "ValueError: 'yyy" in text
    assert "y" * 1000 not in text


ENDS_BY = """
import faulthandler, os, signal, sys
from PySide6.QtCore import QTimer
from meshgui.cli import signals
from meshgui.views.window import start
from meshgui.views.window.main_window import MainWindow
signals.leave_alone()
faulthandler.dump_traceback_later(240, exit=True)
begin = MainWindow._begin
def end(window):
    begin(window)
    os.kill(os.getpid(), getattr(signal, sys.argv[1]))
MainWindow._begin = end
sys.exit(start.open_window())
"""


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("SIGSEGV", "The program crashed when it was last used. Nothing was left unsaved."),
        ("SIGKILL", "When it was last used, the program was ended from outside, perhaps because the machine"),
        ("SIGTERM", ""),
    ],
    ids=["SIGSEGV", "SIGKILL", "SIGTERM"],
)
def test_the_next_start_says_how_the_program_ended(make_window, qtbot, tmp_path, name, told):  # noqa: F811
    """A crash with its trace to pass on, a kill in one sentence; who was asked to end says nothing."""
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path)}
    command = [sys.executable, "-c", ENDS_BY, name]
    with ScopedProcess(command, stderr=subprocess.DEVNULL, env=environment) as ended:
        assert ended.wait(120) == (143 if name == "SIGTERM" else -getattr(signal, name))
    folder = tmp_path / "MeshGUI" / "MeshGUI" / "recovery"
    window = make_window()
    Autosave(folder, window).offer()
    assert window.notice.text.startswith(told)
    assert bool(told) == bool(window.notice.text)
    reports = [b for b in window.notice.findChildren(QPushButton) if b.text() == "Report"]
    assert len(reports) == (name == "SIGSEGV")
    for button in reports:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        (dialog,) = window.findChildren(FaultDialog)
        assert "Segmentation fault" in dialog.findChild(QPlainTextEdit).toPlainText()
        dialog.close()
    assert list(folder.iterdir()) == []  # said once
