"""Garbage is collected in the window's thread while there is a window, and as ever afterwards."""

import gc
import sys
import threading
import time
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject

from meshgui.views.window.garbage_collector import GarbageCollector


class Knot:
    """Garbage that only the collector finds, and that notes which thread found it."""

    def __init__(self, found: list[int]) -> None:
        self.itself = self
        weakref.finalize(self, lambda: found.append(threading.get_ident()))


def make_much_garbage(found: list[int]) -> None:
    """More than the collector usually lets pile up."""
    for _ in range(3 * gc.get_threshold()[0]):
        Knot(found)


@pytest.fixture
def as_ever() -> Iterator[None]:
    """Python looks for garbage as it does in a program without a window."""
    gc.enable()
    yield
    gc.disable()


@pytest.mark.usefixtures("as_ever")
def test_another_thread_collects_nothing_while_there_is_a_window(qtbot):
    """The window's thread finds what another threw away; once the window is gone, all is as ever."""
    found: list[int] = []
    window = QObject()
    GarbageCollector(window)
    thread = threading.Thread(target=make_much_garbage, args=(found,))
    thread.start()
    thread.join(timeout=60)
    assert found == []
    qtbot.waitUntil(lambda: len(found) > gc.get_threshold()[0])
    assert set(found) == {threading.get_ident()}
    assert not gc.isenabled()
    enabled: list[bool] = []
    window.destroyed.connect(lambda: enabled.append(gc.isenabled()))
    window.deleteLater()
    qtbot.waitUntil(gc.isenabled)
    assert enabled == [False]  # not before Qt is done with it


def test_the_oldest_objects_are_gone_through_once_memory_has_grown_by_a_quarter(qtbot, monkeypatch):
    """That halts the window for tenths of a second; younger ones are as often looked through as ever."""
    window = QObject()
    collector = GarbageCollector(window)
    collected: list[int] = []
    counts, old = (0, 11, 11), [100, 125, 126, 157, 158]
    monkeypatch.setattr(gc, "get_threshold", lambda: (700, 10, 10))
    monkeypatch.setattr(gc, "get_count", lambda: counts)
    monkeypatch.setattr(gc, "collect", collected.append)
    for now in old:
        monkeypatch.setattr(sys, "getallocatedblocks", lambda now=now: now)
        collector._collect()
    assert collected == [2, 1, 2, 1, 2]
    counts = (701, 3, 3)
    collector._collect()
    assert collected[-1] == 0


@pytest.fixture
def threads_take_turns_often() -> Iterator[None]:
    """Python lets another thread go on at nearly every step."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("threads_take_turns_often")
def test_a_tuple_that_another_thread_is_filling_is_left_to_it(qtbot, monkeypatch):
    """Python stops the thread with a SystemError where another holder has the tuple as it grows."""
    collector = GarbageCollector(QObject())
    monkeypatch.setattr(gc, "get_count", lambda: (1000, 1000, 1000))
    old = [[] for _ in range(100_000)]  # to go through these takes a while
    faults: list[SystemError] = []
    done = threading.Event()

    def fill() -> None:
        """Fill tuples whose length shows only at the end, so slowly that they get old on the way."""
        while not done.is_set():
            try:
                tuple(time.sleep(1e-6) for _ in range(12))
            except SystemError as fault:
                faults.append(fault)

    thread = threading.Thread(target=fill)
    thread.start()
    for _ in range(100):
        collector._left = 0
        collector._collect()
    done.set()
    thread.join(timeout=60)
    assert (faults, len(old)) == ([], 100_000)
