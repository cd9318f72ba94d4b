"""The main window closes with all its windows: asked about in one round, in order, and nothing is lost."""

import os
import signal
import threading
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QImageReader
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from meshgui.experiment.store import Store
from meshgui.views.experiment import worker
from meshgui.views.experiment.window import ExperimentWindow
from meshgui.views.window.main_window import MainWindow
from meshgui.views.window.program_end import ProgramEnd
from tests.stores import runs_in
from tests.views.window.conftest import open_and_run


class Closed(QObject):
    """Takes down which windows are closed, in their order."""

    def __init__(self, *windows: QWidget) -> None:
        super().__init__()
        self.names: list[str] = []
        for window in windows:
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Hide:
            self.names.append(type(watched).__name__)
        return False


@pytest.fixture
def changed(make_window: Callable[[], MainWindow], qtbot: QtBot) -> MainWindow:
    """A window on two changed scenarios, with all windows of studies, one with runs in memory only."""
    window = make_window()
    for name in ("three-jobs-4x4x4", "first-fit-16x16"):
        window.scenarios.open_empty()
        open_and_run(window, qtbot, name)
        window.document.edit(window.document.scenario.model_copy(update={"title": name}))
    for show in (window.studies.open_experiment, window.studies.open_gallery, window.studies.open_comparison):
        show()
    window.studies.gallery.session.unsaved = True
    qtbot.waitUntil(lambda: all(run.over for run in window.studies.comparison.comparison.runs))
    return window


def settled(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the window is closed or stays."""
    qtbot.waitUntil(lambda: not window.closing.under_way)


def run_experiment(window: MainWindow, qtbot: QtBot) -> ExperimentWindow:
    """Open the experiment of the open scenario, and make its runs in memory."""
    window.studies.open_experiment()
    experiment = window.studies.experiment
    qtbot.waitUntil(experiment.run_bar.start.isEnabled)
    qtbot.mouseClick(experiment.run_bar.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: experiment.session.unsaved and not experiment.busy)
    return experiment


QUESTIONS = [
    "“three-jobs-4x4x4” has been changed.",
    "“first-fit-16x16” has been changed.",
    "The runs are in memory only.",
]


def test_no_window_closes_while_another_may_refuse_and_then_all_do(changed, qtbot, answers):
    """The last answer keeps all of them, and what was agreed on before."""
    studies = changed.studies
    windows = (changed, studies.experiment, studies.gallery)
    answers += ["Discard", "Discard", "Cancel"]
    assert not changed.close()
    settled(changed, qtbot)
    assert answers.asked == QUESTIONS
    assert all(window.isVisible() for window in windows)
    assert studies.gallery.session.unsaved
    assert all(state.modified for state in changed.scenarios.states)
    # Else all close after one round of questions: the windows of studies first, the main window last
    closed = Closed(changed, studies.experiment, studies.gallery)
    answers += ["Discard", "Discard", "Discard them"]
    assert not changed.close()
    settled(changed, qtbot)
    assert answers.asked == QUESTIONS * 2
    assert closed.names == ["ExperimentWindow", "GalleryWindow", type(changed).__name__]


def test_the_main_window_asks_for_a_window_that_asks_already(changed, qtbot, answers):
    """One question is open at a time."""
    gallery = changed.studies.gallery
    assert not gallery.close()
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is not None)
    assert not changed.close()
    assert not gallery.closing.under_way
    answers += ["Discard", "Discard", "Discard them"]
    settled(changed, qtbot)
    assert answers.asked == QUESTIONS
    assert not gallery.isVisible()


def test_a_study_window_that_is_to_stay_keeps_the_one_beside_it_open(make_window, qtbot, answers):
    """With runs made here: neither the one that asks closes nor the gallery, which has nothing to ask."""
    window = make_window()
    open_and_run(window, qtbot, "first-fit-16x16")
    window.studies.open_gallery()
    experiment, gallery = run_experiment(window, qtbot), window.studies.gallery
    closed = Closed(window, experiment, gallery)
    answers += ["Cancel"]
    assert not window.close()
    settled(window, qtbot)
    assert answers.asked == ["The runs are in memory only."]
    assert closed.names == []
    assert experiment.session.unsaved
    assert all(shown.isVisible() for shown in (window, experiment, gallery))


def test_runs_on_their_way_to_a_file_are_not_lost(make_window, qtbot, tmp_path, monkeypatch):
    """The main window closes once the file has them: nothing is asked meanwhile, and nothing is closed."""
    window = make_window()
    open_and_run(window, qtbot, "first-fit-16x16")
    experiment = run_experiment(window, qtbot)
    runs = sum(point.runs for point in experiment.results.results.points)
    gate, copy = threading.Event(), worker._copy
    monkeypatch.setattr(worker, "_copy", lambda *parts: gate.wait() and copy(*parts))
    experiment.plan.store.created.emit(tmp_path / "kept.mgstore")
    assert not window.close()
    assert not experiment.close()
    for asked in (window, experiment):
        qtbot.waitUntil(lambda asked=asked: "once this is done" in asked.notice.text)
    assert window.isVisible()
    assert experiment.isVisible()
    gate.set()
    settled(window, qtbot)
    assert not window.isVisible()
    assert not experiment.isVisible()
    with Store(tmp_path / "kept.mgstore") as store:
        assert runs_in(store) >= runs > 0


def test_a_film_is_written_to_its_end_before_the_window_closes_or_keeps_it_open(
    lecture, qtbot, tmp_path, monkeypatch
):
    """One that cannot be written says why, which would be lost otherwise."""
    (tmp_path / "films").mkdir()
    lecture.recorder.start(tmp_path / "films" / "film.gif")
    qtbot.waitUntil(lambda: lecture.recorder._film.frames > 0)
    (tmp_path / "films").rename(tmp_path / "moved")
    assert not lecture.close()
    settled(lecture, qtbot)
    assert lecture.isVisible()
    assert "could not be written" in lecture.notice.text
    # Not within the close event, where no event loop may run
    out = tmp_path / "film.gif"
    lecture.recorder.start(out)
    qtbot.waitUntil(lambda: lecture.recorder._film.frames > 1)
    assert not lecture.close()
    assert lecture.recorder.recording
    settled(lecture, qtbot)
    assert not lecture.isVisible()
    assert QImageReader(str(out)).imageCount() >= 2


@pytest.fixture
def ending(lecture: MainWindow, qapp: QApplication) -> Iterator[tuple[MainWindow, ProgramEnd, list[str]]]:
    """A window that closes by signals, and what was copied for them."""
    copies: list[str] = []
    end = ProgramEnd(lecture, lambda: copies.append(lecture.document.title))
    usual = signal.SIG_DFL  # nohup has one of them ignored
    before = {number: signal.signal(number, usual) for number in (signal.SIGTERM, signal.SIGHUP)}
    end.watch(qapp)
    yield lecture, end, copies
    end.end()
    for number, taken in before.items():
        signal.signal(number, taken)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_asks_as_closing_by_hand_does(ending, qtbot, answers, number):
    """Unsaved work is copied first; a user who cancels can continue, and the next signal asks again."""
    window, end, copies = ending
    window.document.edit(window.document.scenario.model_copy(update={"title": "Mine"}))
    answers += ["Cancel"]
    os.kill(os.getpid(), number)
    qtbot.waitUntil(lambda: answers.asked == ["“Mine” has been changed."])
    settled(window, qtbot)
    assert window.isVisible()
    assert (copies, end.status) == (["Mine"], 0)
    answers += ["Discard"]
    os.kill(os.getpid(), signal.SIGTERM)
    qtbot.waitUntil(lambda: not window.isVisible())
    assert end.status == 143


class Session:
    """The manager of a session that ends."""

    def __init__(self, *, may_ask: bool) -> None:
        self._may_ask = may_ask
        self.done: list[str] = []

    def allowsInteraction(self) -> bool:  # noqa: N802 - Qt's name
        """Whether the user may be asked."""
        return self._may_ask

    def cancel(self) -> None:
        """Let the session go on."""
        self.done.append("cancel")

    def release(self) -> None:
        """Let others ask."""
        self.done.append("release")


def test_the_end_of_the_session_asks_too(ending, answers):
    """Cancel keeps the session; where no question can be asked, the copies remain for the next start."""
    window, end, copies = ending
    hurried, asked, agreed = Session(may_ask=False), Session(may_ask=True), Session(may_ask=True)
    end.answer_session(hurried)
    window.document.edit(window.document.scenario.model_copy(update={"title": "Mine"}))
    end.answer_session(hurried)
    assert hurried.done == []
    answers += ["Cancel"]
    end.answer_session(asked)
    assert asked.done == ["release", "cancel"]
    assert window.isVisible()
    answers += ["Discard"]
    end.answer_session(agreed)
    assert agreed.done == ["release"]
    assert not window.isVisible()
    assert copies[-1] == "Mine"
