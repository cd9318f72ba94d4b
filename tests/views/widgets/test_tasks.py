"""Work beside the window: who hears of it, what supersedes it, and how it ends."""

import threading
from functools import partial

from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from meshgui.views.widgets.tasks import Tasks
from meshgui.views.widgets.work_thread import WorkThread


class Sentence(WorkThread):
    """Says a word, and another once it may."""

    said = Signal(str)

    def __init__(self, word: str) -> None:
        super().__init__()
        self.word, self.may = word, threading.Event()

    def run(self) -> None:
        """The thread's work."""
        self.said.emit(self.word)
        self.may.wait()
        self.said.emit(f"{self.word}!")


class Deaf(WorkThread):
    """Cannot be asked to stop."""

    def __init__(self) -> None:
        super().__init__()
        self.let_go = threading.Event()
        self.waits = 0

    def run(self) -> None:
        """The thread's work."""
        self.let_go.wait()

    def wait(self, *limit: int) -> bool:
        """Count how often it is waited for, and let it go at last."""
        self.waits += 1
        if self.waits == 3:
            self.let_go.set()
        return bool(super().wait(*limit))


class DeafWriter(Deaf):
    """The same, and writes."""

    writes = True


class Plain:
    """An object that does not belong to Qt."""

    def __init__(self) -> None:
        self.threads: list[threading.Thread] = []

    def hear(self, *_said: object) -> None:
        """Keep the thread in which it is called."""
        self.threads.append(threading.current_thread())


class Slot(QObject, Plain):
    """One of Qt's."""

    def __init__(self) -> None:
        QObject.__init__(self)
        Plain.__init__(self)


def test_whatever_hears_a_thread_is_called_in_the_thread_that_made_it(qtbot: QtBot):
    """A slot, a method of a plain object, a function, a lambda and a partial one alike."""
    plain, slot, thread = Plain(), Slot(), Sentence("a")

    def function(word: str) -> None:
        plain.hear(word)

    for listener in (slot.hear, plain.hear, function, lambda *_: plain.hear(), partial(plain.hear, 1)):
        thread.said.connect(listener)
    thread.may.set()
    with qtbot.waitSignal(thread.finished):
        thread.start()
    qtbot.waitUntil(lambda: len(plain.threads + slot.threads) == 2 * 5)
    assert {*plain.threads, *slot.threads} == {threading.main_thread()}


def test_work_for_the_same_purpose_supersedes_what_was_begun_before(qtbot: QtBot):
    """It is no longer heard, not even of what it had said but was not heard yet; that for others is."""
    owner, heard = QObject(), list[str]()
    tasks = Tasks[str, Sentence](owner)
    old, new, other = Sentence("old"), Sentence("new"), Sentence("other")
    tasks.start("answer", old, (old.said, heard.append))
    tasks.start("search", other, (other.said, heard.append))
    tasks.start("answer", new, (new.said, heard.append))
    assert (tasks.get("answer"), tasks.latest, tasks.purposes) == (new, new, ["search", "answer"])
    assert old.work.stopped
    assert not new.work.stopped
    for thread in (old, new, other):
        thread.may.set()
    qtbot.waitUntil(lambda: not WorkThread.under_way())
    assert sorted(heard) == ["new", "new!", "other", "other!"]
    assert tasks.purposes == []


def test_what_has_no_room_waits_for_its_turn(qtbot: QtBot):
    """Those that were stopped take room until they have ended; what is ended before its turn never begins."""
    owner, heard = QObject(), list[str]()
    tasks = Tasks[int, Sentence](owner, at_once=1)
    threads = [Sentence(str(number)) for number in range(3)]
    for number, thread in enumerate(threads):
        tasks.start(number, thread, (thread.said, heard.append))
    with qtbot.waitSignal(threads[1].destroyed):  # nothing else would let go of it
        tasks.end(0)
        tasks.end(1)
    assert [thread.isRunning() for thread in (threads[0], threads[2])] == [True, False]
    for thread in threads:
        thread.may.set()
    qtbot.waitUntil(lambda: not WorkThread.under_way())
    assert heard == ["2", "2!"]


def test_the_end_of_work_is_heard_unless_it_was_ended(qtbot: QtBot):
    """So an owner knows what ended by a fault of the program."""
    owner, heard = QObject(), list[str]()
    tasks = Tasks[str, Sentence](owner)
    for word in ("stays", "goes"):
        thread = Sentence(word)
        thread.may.set()
        tasks.start(word, thread, (thread.finished, partial(heard.append, word)))
    tasks.end("goes")
    qtbot.waitUntil(lambda: not WorkThread.under_way())
    assert heard == ["stays"]


def test_an_owner_that_is_destroyed_hears_nothing_and_its_work_ends(qtbot: QtBot):
    """At the first word that it would have heard."""
    owner, heard = QObject(), list[str]()
    tasks = Tasks[None, Sentence](owner)
    thread = Sentence("a")
    tasks.start(None, thread, (thread.said, heard.append))
    with qtbot.waitSignal(owner.destroyed):
        owner.deleteLater()
    before = len(heard)
    thread.may.set()
    qtbot.waitUntil(lambda: not WorkThread.under_way())
    assert (len(heard), tasks.purposes) == (before, [])


def test_at_the_end_only_what_writes_is_waited_for_without_a_limit():
    """What can be asked nothing ends with the program."""
    deaf, writer = Deaf(), DeafWriter()
    deaf.start()
    writer.start()
    WorkThread.end_all(within=0)
    assert (deaf.isRunning(), writer.isRunning()) == (True, False)
    assert (deaf.waits, writer.waits >= 3) == (1, True)
    assert WorkThread.are_at_work()
    deaf.let_go.set()
    WorkThread.end_all()
    assert not WorkThread.are_at_work()
