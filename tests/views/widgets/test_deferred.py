"""A view that is created when it is first seen, after steps between which the window answers."""

from collections.abc import Iterator

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from meshgui.views.widgets.deferred import Deferred


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
