"""A view that is created when it is first seen, after steps between which the window answers."""

import gc
import weakref
from collections.abc import Iterator
from threading import Event

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from meshgui.views.widgets.deferred import Deferred
from meshgui.views.widgets.soon import soon
from meshgui.views.widgets.work_thread import WorkThread


def test_events_are_handled_between_the_steps(qtbot: QtBot):
    """A timer of no time runs after each of them, and the view comes last."""
    happened: list[str] = []

    def steps() -> Iterator[None]:
        for _ in range(3):
            happened.append("step")
            QTimer.singleShot(0, lambda: happened.append("event"))
            yield

    def make() -> QLabel:
        happened.append("view")
        return QLabel("made")

    deferred = Deferred(make, steps)
    qtbot.addWidget(deferred)
    assert deferred.made is None
    deferred.resize(200, 100)
    deferred.show()
    qtbot.waitUntil(lambda: deferred.made is not None)
    assert happened == ["step", "event"] * 3 + ["view"]


def test_a_view_that_is_needed_meanwhile_is_there_at_once(qtbot: QtBot):
    """And is not created again when the steps are over."""
    made: list[int] = []
    taken: list[int] = []

    def make() -> QLabel:
        made.append(1)
        return QLabel("made")

    def steps() -> Iterator[None]:
        for step in range(50):
            taken.append(step)
            yield

    deferred = Deferred(make, steps)
    qtbot.addWidget(deferred)
    deferred.resize(200, 100)
    deferred.show()
    qtbot.waitUntil(lambda: len(taken) > 2)
    assert deferred.view.text() == "made"
    turns = QTimer(deferred, interval=0)
    turned: list[int] = []
    turns.timeout.connect(lambda: turned.append(1))
    turns.start()
    qtbot.waitUntil(lambda: len(turned) > 100)  # time for all that is left to do
    turns.stop()
    assert made == [1]
    assert len(taken) < 50


def test_it_is_called_once_and_not_at_once(qtbot: QtBot):
    """Also after a while, and nothing is left of it."""
    owner, calls = QObject(), []
    soon(owner, lambda: calls.append("now"))
    soon(owner, lambda: calls.append("later"), 5)
    assert not calls
    qtbot.waitUntil(lambda: not owner.children())
    assert calls == ["now", "later"]


def test_an_owner_whose_last_reference_is_the_call_goes_with_it(qtbot: QtBot):
    """The call is no longer its child, which would be deleted a second time."""
    calls = []

    class Window(QObject):
        def called(self) -> None:
            calls.append(1)

    for _ in range(300):
        window = Window()
        soon(window, window.called)
        del window
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert len(calls) == 300


def test_an_owner_that_goes_first_takes_it_along(qtbot: QtBot):
    """Neither is it called, nor does it keep what it was to call."""

    class Window(QObject):
        def called(self) -> None:
            raise AssertionError

    window = Window()
    for after in (0, 5):
        soon(window, window.called, after)
    gone = weakref.ref(window)
    window.deleteLater()
    del window
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    assert gone() is None
    others, other = [], QObject()
    soon(other, lambda: others.append(other), 10)  # after all of those before
    qtbot.waitUntil(lambda: bool(others))


LONG_FOR_AN_EVENT = 0.2  # seconds; those that wait are handled in far less


class Work(WorkThread):
    """Work that is done at once."""

    def run(self) -> None:
        """The thread's work: none."""


def test_all_hear_of_the_end_though_telling_them_takes_long(qtbot):
    """What one thread tells another is lost with the one that tells it."""
    work, freed, heard = Work(), Event(), []
    release = work._release

    def noted() -> None:
        freed.set()
        release()

    work._release = noted
    work.finished.connect(lambda: freed.wait(LONG_FOR_AN_EVENT), Qt.ConnectionType.DirectConnection)
    work.finished.connect(lambda: heard.append(work))
    work.start()
    qtbot.waitUntil(lambda: not WorkThread.under_way())
    QCoreApplication.processEvents()
    assert heard == [work]
