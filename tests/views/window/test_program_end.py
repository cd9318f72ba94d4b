"""The program ends quietly with work under way: all of it is stopped, and waited for or left behind."""

import os
import signal
import subprocess
import sys

import pytest

from tests.processes import ScopedProcess

PROGRAM = """
import faulthandler, sys, time
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
faulthandler.dump_traceback_later(240, exit=True)
from meshgui.__main__ import main
from meshgui.engine.basics.work import look
from meshgui.engine.scenario import scenario_from
from meshgui.model.exercises.exercise import ExerciseKey
from meshgui.views.window.main_window import MainWindow
from tests.experiments import SMALL, small_experiment

begun = set()

def endless(name, stopped=lambda: look()):
    "Work that goes on until it is stopped, which takes a moment."
    def work(*_, **__):
        begun.add(name)
        while True:
            time.sleep(0.01)
            stopped()
    return work

def run(window):
    from meshgui.views.batch import run_thread
    run_thread.Simulation = endless("run")
    window.files.open_scenario(scenario_from(SMALL))

def search(window):
    from meshgui.model.stepping.search import Purpose
    class Search:
        words = "Searching"
        find = staticmethod(endless("search"))
        def finds_the_same(self, other):
            return False
    window.search.begin(Search(), print, next(iter(Purpose)))

def exercise(window):
    from meshgui.model.exercises import exercises
    exercises.exercise = endless("exercise")
    key = {"kind": "place", "strategy": "ff", "shape": (4, 4), "seed": 1}
    window.exercises.ask(ExerciseKey.model_validate(key))

def comparison(window):
    from meshgui.views.batch import run_thread
    run_thread.Simulation = endless("comparison")
    window.files.open_scenario(scenario_from(SMALL))
    window.studies.open_comparison()

def experiment(window):
    from meshgui.views.experiment import worker
    class Sweep:
        def __init__(self, *_):
            self.results, self.progress = [], None
        def run(self, work):
            with work.under_way():
                endless("experiment")()
    worker.Sweep = Sweep
    window.studies.show_experiment(small_experiment("workload.load=1,2"))
    shown = window.studies.experiment
    shown._progressed = lambda *_: None
    def begin():
        if shown.session.ready:
            shown.start()
        else:
            QTimer.singleShot(20, begin)
    begin()

def live(window):
    from meshgui.views.experiment import live
    live.check_previewed = lambda _: None
    live.previews = endless("live")
    window.studies.show_experiment(small_experiment("workload.load=1,2"))
    window.studies.experiment.live.button.click()

def reader(window):
    from meshgui.views.experiment import store_reader
    def read(*_, **__):
        begun.add("reader")
        time.sleep(0.5)
        raise store_reader.StoreError("gone")
    store_reader.Store = read
    window.studies.show_experiment(small_experiment())
    window.studies.experiment._open_store(Path("none"))

def end(wanted):
    if begun >= wanted:
        QCoreApplication.exit(0)
    else:
        QTimer.singleShot(10, lambda: end(wanted))

def picture(window):
    "Coded beside the window, which nothing stops; the stop of the writing leaves it behind."
    from meshgui.engine.basics.work import Stopped
    from meshgui.views.widgets.file_progress import FileWork
    with FileWork("Writing", window) as work:
        work.stop()
        try:
            work.run_interruptible(endless("picture", lambda: None))
        except Stopped:
            pass

def deaf(window):
    from meshgui.model.exercises import exercises
    exercises.exercise = endless("deaf", lambda: None)
    key = {"kind": "place", "strategy": "ff", "shape": (4, 4), "seed": 1}
    window.exercises.ask(ExerciseKey.model_validate(key))

wanted = sys.argv[1:]
sys.argv[1:] = []
begin = MainWindow._begin
def go(window):
    begin(window)
    for name in wanted:
        globals()[name](window)
    end(set(wanted))
MainWindow._begin = go
sys.exit(main())
"""


@pytest.mark.parametrize(
    "work",
    [("run", "search", "exercise"), ("comparison", "experiment"), ("live", "reader"), ("deaf", "picture")],
    ids="+".join,
)
def test_work_under_way_is_ended_at_the_exit(tmp_path, work):
    """`QCoreApplication.exit` with it going on ends with 0, and without a word: no thread is destroyed.

    What can be asked nothing, as a picture that Qt codes, ends with the program.
    """
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path), "MESHGUI_PREPARE": "0"}
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, *work],
        check=False, capture_output=True, text=True, env=environment, timeout=300,
    )  # fmt: skip
    assert (ended.returncode, ended.stderr, ended.stdout) == (0, "", "")


SIGNALLED = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # and nohup this
from meshgui.__main__ import main
from meshgui.views.window.main_window import MainWindow
begin = MainWindow._begin
def go(window):
    begin(window)
    print("painted", flush=True)
MainWindow._begin = go
sys.argv[:] = ["meshgui"]
sys.exit(main())
"""


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_closes_a_window_with_nothing_to_lose(tmp_path, number, status):
    """The program ends by itself, quietly, with the status that shells give it."""
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path), "MESHGUI_PREPARE": "0"}
    command = [sys.executable, "-c", SIGNALLED]
    with ScopedProcess(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as program:
        assert program.stdout.readline() == "painted\n"
        program.send_signal(number)
        assert program.communicate(timeout=300) == ("", "")
    assert program.returncode == status
    assert list((tmp_path / "MeshGUI" / "MeshGUI").glob("recovery/*")) == []
