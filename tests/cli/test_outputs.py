"""Where the results go: pipes that close, disks that are full, folders that are missing, old files kept."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from meshgui.cli import signals
from meshgui.engine.runs.expectation import Pace
from meshgui.model.examples import example
from tests.processes import ScopedProcess

FULL = Path("/dev/full")
needs_a_full_device = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """A line for the shell, in which `meshgui` is the program."""
    program = f'meshgui() {{ "{sys.executable}" -m meshgui "$@"; }}\nset -o pipefail\n'
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        ["bash", "-c", program + line],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=120,
    )


def test_a_closed_pipe_is_silent():
    """A reader that has seen enough causes no complaint and no failure."""
    done = shell("meshgui schema | head -n 1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "{\n", "")


@needs_a_full_device
@pytest.mark.parametrize("words", ["schema", "allocators", "--help", "run --help", "run {file} --json"])
def test_a_full_disk_under_standard_output_is_one_line(shipped, words):
    """What could not be written is said once, with status 1."""
    done = shell(f"meshgui {words.format(file=shlex.quote(str(shipped)))} > /dev/full")
    assert done.returncode == 1
    assert done.stderr == "meshgui: standard output: could not be written: no space left on device\n"


def test_a_closed_standard_output_is_one_line():
    """Results that nobody can receive are a failure."""
    done = shell("meshgui allocators >&-")
    assert (done.returncode, done.stderr) == (1, "meshgui: standard output: expected it to be open\n")


def test_an_ascii_terminal_shows_everything(meshgui, shipped):
    """An output without letters beyond ASCII gets escapes, not an error."""
    done = meshgui("run", shipped, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert r"\xd7" in done.stdout


@needs_a_full_device
def test_events_onto_a_full_disk_are_one_line(meshgui, shipped):
    """The device stays what it is; nothing is put in its place."""
    done = meshgui("run", shipped, "--events", FULL)
    assert done.returncode == 1
    assert done.stderr == "meshgui: /dev/full: the events could not be written: no space left on device\n"
    assert FULL.is_char_device()


def test_events_into_a_missing_folder_are_one_line(meshgui, shipped, tmp_path):
    """A path that cannot be written is named, with status 1 and no result."""
    out = tmp_path / "missing" / "events.jsonl"
    done = meshgui("run", shipped, "--events", out)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"meshgui: {out}: the events could not be written: no such file or directory\n"


def test_events_can_be_piped_on(shipped):
    """A pipe is written to as it is; the summary goes where it always goes."""
    done = shell(f"meshgui run {shlex.quote(str(shipped))} --events >(cat >&2)")
    assert done.returncode == 0
    assert '"event": "arrive"' in done.stderr
    assert '"event"' not in done.stdout


def test_events_on_the_standard_output_stand_before_the_summary(shipped, tmp_path):
    """Also where that is a file: it is not replaced, so nothing is lost."""
    out = tmp_path / "all.txt"
    done = shell(
        f"meshgui run {shlex.quote(str(shipped))} --json --events /dev/stdout > {shlex.quote(str(out))}"
    )
    assert done.returncode == 0
    *events, summary = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    assert [events[0]["event"], summary["jobs"] > 0] == ["arrive", True]


def test_a_failed_run_leaves_the_old_events_whole(here, scenario_file, tmp_path, monkeypatch):
    """Where the work fails half-way, the old file is as it was and nothing lies beside it."""
    out = tmp_path / "events.jsonl"
    out.write_text("old", encoding="utf-8")
    path = scenario_file()

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("meshgui.cli.run.json.dumps", fail)
    done = here("run", path, "--events", out)
    assert done.returncode == 1
    assert done.stderr == f"meshgui: {out}: the events could not be written: no space left on device\n"
    assert out.read_text(encoding="utf-8") == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["events.jsonl", "small.meshgui.json"]


@pytest.mark.parametrize(
    ("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_an_interrupt_ends_quietly(scenario_file, tmp_path, sent, status):
    """Ctrl+C, being told to end, the end of the terminal: no traceback, nothing half-written, its status."""
    path = scenario_file(workload={"kind": "stochastic", "jobs": 300_000, "load": 2.0})
    out = tmp_path / "events.jsonl"
    out.write_text("old", encoding="utf-8")
    words = [sys.executable, "-m", "meshgui", "run", str(path), "--events", str(out)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with ScopedProcess(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as running:
        for _ in range(600):
            if len(list(tmp_path.iterdir())) > 2:  # it has begun its file beside the old one
                break
            time.sleep(0.05)
        running.send_signal(sent)
        stdout, stderr = running.communicate(timeout=60)
    assert (stdout, stderr) == ("", "")
    assert running.returncode in {status, -sent}  # by itself, or by the signal: all one to a shell
    assert out.read_text(encoding="utf-8") == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["events.jsonl", "small.meshgui.json"]


ENDS = """
import atexit, os, signal, sys
from meshgui import __main__
from meshgui.cli import entry
class Kept:
    def __del__(self):
        os.write(1, b"taken apart\\n")
kept = Kept()
atexit.register(print, "cleared away")
entry._dispatch = lambda words: os.kill(os.getpid(), int(words[0]))
sys.exit(__main__.main())
"""


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_program_clears_away_and_is_not_taken_apart(sent, status):
    """That would take longer than all the rest."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    words = [sys.executable, "-c", ENDS, str(int(sent))]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (status, "cleared away\n", "")


def _divide_by_zero(*_):
    raise ZeroDivisionError("division by zero")


def test_a_fault_of_a_strategy_names_it_and_the_job(here, shipped, monkeypatch):
    """A student's own strategy may fail in any way: one line says which, at which job, and how."""
    monkeypatch.setattr("meshgui.engine.allocation.busy_list.BusyList.allocate", _divide_by_zero)
    done = here("run", shipped)
    assert done.returncode == 1
    assert done.stderr.startswith(f"meshgui: {shipped}: tbl failed at job 0: ZeroDivisionError")
    assert done.stderr.count("\n") == 1


def test_a_fault_of_the_program_is_one_line_that_says_where(here, shipped, monkeypatch):
    """What nobody foresaw is no traceback either, unless it is asked for."""
    monkeypatch.setattr("meshgui.cli.run.summary", _divide_by_zero)
    done = here("run", shipped)
    assert done.returncode == 1
    line = "meshgui: stopped by an internal error, ZeroDivisionError at test_outputs.py:"
    assert done.stderr.startswith(line)
    assert done.stderr.count("\n") == 1
    monkeypatch.setenv("MESHGUI_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        here("run", shipped)


@pytest.mark.parametrize("status", [130, 143, 129])
def test_a_fault_that_is_only_the_answer_to_a_signal_is_none(here, shipped, monkeypatch, status):
    """A signal that arrives in the midst of an import comes out of it as an error of some other kind."""

    def fail(*_):
        monkeypatch.setattr(signals, "_told", [status])
        _divide_by_zero()

    monkeypatch.setattr("meshgui.cli.run.summary", fail)
    done = here("run", shipped)
    assert (done.returncode, done.stdout, done.stderr) == (status, "", "")


def test_progress_shows_on_a_terminal_and_only_there(shipped):
    """On a terminal there is a line on standard error, gone at the end; in a pipe there is nothing."""
    pty = pytest.importorskip("pty")
    try:
        ours, theirs = pty.openpty()
    except OSError as error:
        pytest.skip(f"there is no terminal to be had here: {error}")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-m", "meshgui", "run", str(shipped), "--json"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=environment,
        check=False,
        timeout=120,
    )
    os.close(theirs)
    shown = os.read(ours, 10_000).decode()
    os.close(ours)
    assert json.loads(done.stdout)["jobs"] > 0
    assert "Simulating" in shown
    assert shown.endswith("\r")


@pytest.mark.parametrize("words", [["run"], ["trace", "--job", 0]])
def test_a_slow_run_is_said_once_as_soon_as_it_shows(here, monkeypatch, words):
    """Its strategy may take long where no network does; it goes on."""
    monkeypatch.setattr(Pace, "seconds", lambda *_: 4000.0)
    scenario = example("first-fit-16x16")  # large enough for several looks at its progress
    done = here(*words, scenario)
    assert done.stderr == "meshgui: the run will take about 67 min; Ctrl+C stops it\n"
    assert done.returncode == 0
    monkeypatch.setattr(Pace, "seconds", lambda *_: 59.0)
    assert here(*words, scenario).stderr == ""


def test_the_events_never_replace_the_scenario(shipped, tmp_path):
    """Naming the scenario as the events' file is a mistake, told in one line; the scenario is still whole."""
    scenario = tmp_path / "mine.meshgui.json"
    scenario.write_bytes(shipped.read_bytes())
    words = [sys.executable, "-m", "meshgui", "run", str(scenario), "--events", str(scenario)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=240)
    assert done.returncode == 2
    assert done.stderr == f"meshgui: {scenario}: --events: expected another file than the scenario itself\n"
    assert scenario.read_bytes() == shipped.read_bytes()


def test_a_title_cannot_steer_the_terminal(shipped, tmp_path):
    """A line break in a title is written as its escape; what would control the terminal is replaced."""
    data = json.loads(shipped.read_text(encoding="utf-8")) | {"title": "two\nlines \x1b[31m"}
    scenario = tmp_path / "mine.meshgui.json"
    scenario.write_text(json.dumps(data), encoding="utf-8")
    words = [sys.executable, "-m", "meshgui", "run", str(scenario)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=240)
    assert done.stdout.splitlines()[0] == "two\\nlines \N{REPLACEMENT CHARACTER}[31m"
