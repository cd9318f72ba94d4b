"""Calls that are put off."""

import gc
import weakref

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from pytestqt.qtbot import QtBot

from meshgui.views.widgets.soon import soon


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
