"""Acts in the window at random and looks whether it bears it: `make monkey SEED=7 ACTIONS=10000`.

A seed gives the same decisions once more; the threads of runs keep their own time, so a replay may differ in
that. Nothing may come of it: no exception, no warning of Qt, no end of the process, no growth without end, no
thread or window left when the window is closed.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import gc
import os
import random
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Final

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QMessageLogContext,
    QObject,
    QPoint,
    QPointF,
    QSettings,
    Qt,
    QThread,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QDrag, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from meshgui.model.base.recent import RecentFiles
from meshgui.model.document.examples import examples
from meshgui.views.style.application import qt_application
from meshgui.views.style.theme import ThemeManager
from meshgui.views.window.autosave import Autosave
from meshgui.views.window.main_window import MainWindow

_STUCK: Final = 120  # seconds that one action may take before the process is ended with its stacks
_PATIENCE: Final = 60  # seconds for threads to end once the window is closed
_REMEMBERED: Final = 40  # actions that are listed when something went wrong
_LEFT_OUT: Final = {"file.close"}  # ends the program
_WORDS: Final = (
    "3",
    "12",
    "gabl",
    "0",
    "-1",
    "1e9",
    "2x3",
    "mbs\t4;5",
    "x" * 300,
    "9" * 5000,
    "α→∞",
    "{}",
    "nan",
)
_KEYS: Final = (
    *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End),
    *(Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Space),
    *(Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_F2),
)
_SIZES: Final = ((960, 600), (1280, 720), (1600, 1000), (700, 480))
_NO_MODIFIER: Final = Qt.KeyboardModifier.NoModifier
_MODIFIERS: Final = (
    *(_NO_MODIFIER, _NO_MODIFIER, _NO_MODIFIER, Qt.KeyboardModifier.ShiftModifier),
    *(Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier),
)
_LEFT: Final = Qt.MouseButton.LeftButton


class Monkey:
    """Acts in one main window, and in all windows that come of it."""

    def __init__(self, window: MainWindow, seed: int, folder: Path) -> None:
        self.window, self.folder = window, folder
        self.done: deque[str] = deque(maxlen=_REMEMBERED)
        self.faults: list[str] = []
        self._draw = random.Random(seed)
        self._ticks = 0
        self._closer = QTimer(window, interval=40)
        self._closer.timeout.connect(self._leave_dialogs)
        self._commands = [command.id for command in window.commands if command.id not in _LEFT_OUT]
        self._acts: list[tuple[int, Callable[[], str]]] = [
            (30, self._command),
            (25, self._click),
            (15, self._press),
            (8, self._type),
            (8, self._wheel),
            (8, self._drag),
            (3, self._resize),
            (3, self._open),
        ]

    def act(self, actions: int) -> None:
        """Do a number of things; what goes wrong is in `faults`."""
        self._closer.start()
        weights = [weight for weight, _ in self._acts]
        for number in range(actions):
            act = self._draw.choices(self._acts, weights)[0][1]
            self.done.append(f"{number}: {act.__name__[1:]}")
            self.done[-1] = f"{number}: {act()}"
            QTest.qWait(self._draw.choice((0, 0, 1, 5, 30)))
        self._closer.stop()

    # What it does

    def _command(self) -> str:
        name = self._draw.choice(self._commands)
        if name == "mesh.record" or not self.window.commands.action(name).isEnabled():
            return f"{name} is disabled"
        self.done[-1] += f" {name}"
        self.window.commands.trigger(name)
        return name

    def _click(self) -> str:
        widget, at = self._place()
        button = Qt.MouseButton.RightButton if self._draw.random() < 0.15 else _LEFT
        modifier = self._draw.choice(_MODIFIERS)
        self.done[-1] += f" {_name(widget)} {at.toTuple()}"
        if self._draw.random() < 0.15:
            QTest.mouseDClick(widget, button, modifier, at)
        else:
            QTest.mouseClick(widget, button, modifier, at)
        return f"click {self.done[-1].partition(' ')[2]}"

    def _press(self) -> str:
        key, modifier = self._draw.choice(_KEYS), self._draw.choice(_MODIFIERS)
        widget = self._focus()
        self.done[-1] += f" {key.name} {modifier.name}"
        QTest.keyClick(widget, key, modifier)
        return f"press {key.name} {modifier.name}"

    def _type(self) -> str:
        words, widget = self._draw.choice(_WORDS), self._focus()
        if len(words) > 40 or not words.isascii():  # too long to type, or without keys of their own
            QApplication.clipboard().setText(words)
            QTest.keyClick(widget, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        else:
            QTest.keyClicks(widget, words)
        return f"type {words[:20]!r}"

    def _wheel(self) -> str:
        widget, at = self._place()
        by = QPoint(0, self._draw.choice((-360, -120, 120, 360)))
        modifier = self._draw.choice(_MODIFIERS)
        where = QPointF(at), QPointF(widget.mapToGlobal(at))
        event = QWheelEvent(
            *where, QPoint(), by, Qt.MouseButton.NoButton, modifier, Qt.ScrollPhase.NoScrollPhase, False
        )
        QApplication.sendEvent(widget, event)
        return f"wheel {_name(widget)} {by.y()}"

    def _drag(self) -> str:
        widget, at = self._place()
        button = self._draw.choice((_LEFT, _LEFT, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton))
        QTest.mousePress(widget, button, _NO_MODIFIER, at)
        for _ in range(self._draw.randint(1, 5)):
            at += QPoint(self._draw.randint(-80, 80), self._draw.randint(-80, 80))
            if not _alive(widget):
                return "drag of what went away"
            there = QPointF(at), QPointF(widget.mapToGlobal(at))
            move = QMouseEvent(QEvent.Type.MouseMove, *there, Qt.MouseButton.NoButton, button, _NO_MODIFIER)
            QApplication.sendEvent(widget, move)
        if _alive(widget):
            QTest.mouseRelease(widget, button, _NO_MODIFIER, at)
        return f"drag {_name(widget)}"

    def _resize(self) -> str:
        size = self._draw.choice(_SIZES)
        self.window.resize(*size)
        return f"resize {size}"

    def _open(self) -> str:
        path = self._draw.choice(examples())
        self.window.documents.open_example(path)
        return f"open {path.name}"

    # Where

    def _place(self) -> tuple[QWidget, QPoint]:
        """A place in a visible widget of one of the windows: what a pointer would hit there."""
        windows = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]
        window = self._draw.choice([self.window, *windows])
        at = QPoint(self._draw.randrange(window.width() + 1), self._draw.randrange(window.height() + 1))
        child = window.childAt(at)
        if child is None or _is_gone(child):  # PySide may take one for another that lay at its address
            return window, at
        return child, child.mapFrom(window, at)

    def _focus(self) -> QWidget:
        focused = QApplication.focusWidget() or QApplication.activeWindow()
        return self.window if focused is None or _is_gone(focused) else focused

    def _leave_dialogs(self) -> None:
        """Answer what waits for an answer, with a key at first, and close it if it stays.

        The key comes once this is over: what it leads to may wait for the next answer, and a timer does not
        tick again before its last tick is over.
        """
        QDrag.cancel()  # of text out of a page, which waits for the button of a real mouse
        waiting = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        self._ticks = self._ticks + 1 if waiting is not None else 0
        if waiting is None or self._ticks % 3:
            return
        if self._ticks > 12:
            waiting.close()
        else:
            key = self._draw.choice((Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Tab))
            QTimer.singleShot(0, lambda: _answer(waiting, key))


def _answer(waiting: QWidget, key: Qt.Key) -> None:
    if _alive(waiting):
        focused = waiting.focusWidget()
        QTest.keyClick(waiting if focused is None or _is_gone(focused) else focused, key)


def _alive(widget: QWidget) -> bool:
    return not _is_gone(widget) and widget.isVisible()


def _is_gone(widget: QWidget) -> bool:
    try:
        widget.isVisible()
    except RuntimeError:  # its C++ half is
        return True
    return False


def _name(widget: QObject) -> str:
    try:
        return f"{type(widget).__name__} {widget.objectName()}".strip()
    except RuntimeError:
        return "what went away"


@contextlib.contextmanager
def watched(faults: list[str]) -> Iterator[None]:
    """A block whose exceptions in slots and threads, and whose warnings of Qt, are faults."""

    def take(kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> None:
        place = ""
        while trace is not None:
            place, trace = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}", trace.tb_next
        faults.append(f"{kind.__name__} at {place}: {fault}"[:400])

    def take_of_thread(fault: threading.ExceptHookArgs) -> None:
        if fault.exc_value is not None:
            take(fault.exc_type, fault.exc_value, fault.exc_traceback)

    def say(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        del context
        if kind not in {QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg}:
            faults.append(f"Qt: {message}")

    hooks = sys.excepthook, threading.excepthook
    sys.excepthook, threading.excepthook = take, take_of_thread
    handler = qInstallMessageHandler(say)
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook = hooks
        qInstallMessageHandler(handler)


@contextlib.contextmanager
def no_file_dialogs(folder: Path, seed: int) -> Iterator[None]:
    """A block in which dialogs for files answer at once: with a file in a folder, or that there is none."""
    draw = random.Random(seed)
    kept = {name: getattr(QFileDialog, name) for name in ("getOpenFileName", "getSaveFileName")}

    def answer(*_: object, **__: object) -> tuple[str, str]:
        names = ("a.meshgui.json", "b.svg", "c.db", "d.csv", "no folder/e.png", "f.pdf", "g.gif")
        return (str(folder / draw.choice(names)) if draw.random() < 0.7 else "", "")

    for name in kept:
        setattr(QFileDialog, name, staticmethod(answer))
    try:
        yield
    finally:
        for name, function in kept.items():
            setattr(QFileDialog, name, function)


def resident() -> int:
    """The bytes that this process holds."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def leftovers() -> list[str]:
    """Threads that run and windows that are open."""
    threads = [
        repr(thread) for thread in gc.get_objects() if issubclass(type(thread), QThread) and _runs(thread)
    ]
    windows = [repr(widget) for widget in QApplication.topLevelWidgets() if widget.isVisible()]
    return threads + windows


def _runs(thread: QThread) -> bool:
    try:
        return thread is not QThread.currentThread() and thread.isRunning()
    except RuntimeError:
        return False


def main() -> int:
    """Act, and say what came of it; the exit status."""
    parser = argparse.ArgumentParser(description="act in the window at random")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--actions", type=int, default=10_000)
    options = parser.parse_args()
    print(f"seed {options.seed}, {options.actions} actions", flush=True)  # noqa: T201
    application = qt_application()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["XDG_CONFIG_HOME"] = name  # for the choice of the language, which is not the user's own
        settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        themes = ThemeManager(application, "light")
        window = MainWindow(themes, settings, RecentFiles(folder))
        Autosave(folder / "recovery", window)
        monkey = Monkey(window, options.seed, folder)
        window.show()
        QTest.qWait(500)
        begun = time.monotonic()
        with watched(monkey.faults), no_file_dialogs(folder, options.seed):
            for part in range(0, options.actions, 100):
                faulthandler.dump_traceback_later(_STUCK * 5, exit=True)
                monkey.act(min(100, options.actions - part))
                widgets = len(QApplication.allWidgets())
                print(  # noqa: T201
                    f"{part + 100:6} actions, {time.monotonic() - begun:6.0f} s,"
                    f" {resident() >> 20} MB, {widgets} widgets, {len(window.scenarios.states)} scenarios,"
                    f" {len(monkey.faults)} faults",
                    flush=True,
                )
                if monkey.faults:
                    break
            window.closing.close()
            QApplication.closeAllWindows()  # sheets and pages of help
            end = time.monotonic() + _PATIENCE
            while (left := leftovers()) and time.monotonic() < end:
                QCoreApplication.processEvents()
                time.sleep(0.02)
            monkey.faults += [f"left behind: {one}" for one in left]
        for fault in monkey.faults:
            print(fault)  # noqa: T201
        if monkey.faults:
            print("The last actions:", *monkey.done, sep="\n  ")  # noqa: T201
    sys.stdout.flush()
    os._exit(1 if monkey.faults else 0)


if __name__ == "__main__":
    sys.exit(main())
