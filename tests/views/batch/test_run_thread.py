"""A run in a thread of its own: what it reports, and how it ends."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot

from meshgui.engine.allocation.registry import strategy
from meshgui.engine.runs.expectation import Expectation
from meshgui.engine.runs.simulation import Simulation, simulate
from meshgui.views.batch import run_thread
from meshgui.views.batch.run_thread import RunThread
from meshgui.views.widgets.work_thread import WorkThread
from tests.engine.scheduling.third_party import Ageing
from tests.scenarios import scenario

SMALL = scenario((4, 4), "ff", jobs=30)


@pytest.fixture
def heard(qtbot: QtBot) -> Iterator[tuple[RunThread, list[tuple[object, ...]]]]:
    """A thread for a small run, and what it has said so far: the signal and its values."""
    thread = RunThread(SMALL)
    said: list[tuple[object, ...]] = []
    for name in ("progressed", "done", "failed", "held"):
        getattr(thread, name).connect(lambda *values, name=name: said.append((name, *values)))
    yield thread, said
    WorkThread.end_all()


def make_it(thread, qtbot):
    """Start a thread, and wait for its end."""
    with qtbot.waitSignal(thread.finished):
        thread.start()


def test_a_run_reports_itself_and_then_its_recording(heard, qtbot):
    """The recording is the one that the run makes anywhere else."""
    thread, said = heard
    make_it(thread, qtbot)
    assert said[0][:3] == ("progressed", 0, 30)
    assert [name for name, *_ in said if name != "progressed"] == ["done"]
    assert said[-1][1].times.tolist() == simulate(SMALL).times.tolist()


def test_a_run_that_is_stopped_ends_without_a_word(heard, qtbot):
    """Neither a recording nor a fault comes from it."""
    thread, said = heard
    thread.end()
    make_it(thread, qtbot)
    assert not [name for name, *_ in said if name != "progressed"]


def test_a_long_run_waits_for_agreement(heard, qtbot, monkeypatch):
    """It is held before it begins, with what it expects in one sentence."""
    thread, said = heard
    long = Expectation(jobs=30, packets=0, least=0, bytes_=1 << 20, seconds=3600.0)
    monkeypatch.setattr(run_thread, "expectation", lambda *_: long)
    make_it(thread, qtbot)
    assert said[-1] == ("held", f"This run may take up to {long.words}.")


def test_what_a_first_look_compiles_is_compiled_in_the_runs_thread(heard, qtbot, monkeypatch):
    """In the window's own it would halt that for seconds, where kernels have not been compiled yet."""
    thread, said = heard
    called = []

    def note(owner, name):
        call = getattr(owner, name)

        def noted(*parts):
            called.append((name, QThread.currentThread()))
            return call(*parts)

        monkeypatch.setattr(owner, name, noted)

    note(strategy("ff"), "inspect")
    note(Simulation, "run")
    make_it(thread, qtbot)
    assert called[:2] == [("inspect", thread), ("run", thread)]
    assert said[-1][0] == "done"


def test_a_discipline_that_does_not_come_back_fails_the_run(qtbot, monkeypatch):
    """In one sentence, as a strategy does."""

    def serve(*_):
        while True:
            pass

    wrong = type("Wrong", (Ageing,), {"id": "wrong", "serve": serve})
    monkeypatch.setenv("MESHGUI_STRATEGY_SECONDS", "0.4")
    monkeypatch.setattr("meshgui.engine.runs.simulation.discipline", lambda _: wrong)
    thread, failed = RunThread(SMALL), []
    thread.failed.connect(failed.append)
    make_it(thread, qtbot)
    assert failed == ["wrong did not return from serving the queue within 0.4 s"]
