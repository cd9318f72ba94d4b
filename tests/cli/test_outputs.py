"""Where the results go: pipes that close, disks that are full, old files kept; faults that are one line."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from meshgui.cli.output import ProgressLine
from meshgui.engine.basics.translation import speaking
from meshgui.engine.basics.work import Progress, current
from meshgui.engine.network.patterns.base import NetworkError
from meshgui.engine.runs.expectation import Pace
from meshgui.model.document.examples import example
from tests.cli.conftest import is_one_line
from tests.processes import bare_environment, python

FULL = Path("/dev/full")
needs_a_full_device = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")


@pytest.fixture
def places(scenario_file, tmp_path):
    """A small scenario with a network, packets, and a file of results that was there before."""
    workload = {"kind": "stochastic", "jobs": 10, "load": 2.0}
    packets, out = tmp_path / "packets.csv", tmp_path / "out"
    packets.write_text("time,sx,sy,sz,dx,dy,dz\n0,0,0,0,3,0,0\n", encoding="utf-8")
    out.write_text("old", encoding="utf-8")
    file = scenario_file(workload=workload, network={"pattern": "random", "messages": 2})
    return {"FILE": file, "PACKETS": packets, "OUT": out}


def test_a_closed_pipe_is_silent(shell):
    """A reader that has seen enough causes no complaint and no failure."""
    done = shell("meshgui schema | head -n 1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "{\n", "")


@needs_a_full_device
@pytest.mark.parametrize("words", ["schema", "allocators", "--help", "run --help", "run {FILE} --json"])
def test_a_full_disk_under_standard_output_is_one_line(shell, places, words):
    """What could not be written is said once, with status 1."""
    done = shell(f"meshgui {words.format(**places)} > /dev/full")
    assert done.returncode == 1
    assert done.stderr == "meshgui: standard output: could not be written: no space left on device\n"


def test_a_closed_standard_output_is_one_line(shell):
    """Results that have no reader are a failure."""
    done = shell("meshgui allocators >&-")
    assert (done.returncode, done.stderr) == (1, "meshgui: standard output: expected it to be open\n")


def test_an_ascii_terminal_shows_everything(meshgui, shipped):
    """An output without letters beyond ASCII gets escapes, not an error."""
    done = meshgui("run", shipped, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert r"\xd7" in done.stdout


@needs_a_full_device
@pytest.mark.parametrize(
    ("line", "holds"),
    [
        ("run FILE --events", "the events "),
        ("run FILE --per-job", "the measures of jobs "),
        ("run FILE --channels", "the use of channels "),
        ("export FILE --html", "the page "),
        ("export FILE --trace-events", "the trace "),
        ("network --shape 4,4 --packets PACKETS --out", ""),
        ("sweep FILE --max-runs 2 --jobs 1 --csv", "the results "),
        ("sweep FILE --max-runs 2 --jobs 1 --bundle", "the bundle "),
    ],
)
def test_a_full_disk_under_a_file_is_one_line(here, places, line, holds):
    """It names the file that is to blame and what it would hold; the device stays what it is."""
    done = here(*(places.get(word, word) for word in line.split()), FULL)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"meshgui: /dev/full: {holds}could not be written: no space left on device\n"
    assert FULL.is_char_device()
    assert current() is None  # no work is left under way


@pytest.mark.parametrize(
    ("line", "works", "fault", "said"),
    [
        (
            "run FILE --events OUT",
            "run.json.dumps",
            OSError(28, "No space left on device"),
            "{OUT}: the events could not be written: no space left on device",
        ),
        *(
            (
                f"sweep FILE --jobs 1 {option} OUT",
                "sweep.Sweep.run",
                OSError(11, "Resource temporarily unavailable"),  # no more processes, say
                "{FILE}: resource temporarily unavailable",
            )
            for option in ("--csv", "--bundle")
        ),
        (
            "network --shape 4,4 --packets PACKETS --out OUT",
            "network.network_for",
            NetworkError("a packet waited"),
            "{PACKETS}: a packet waited",
        ),
    ],
)
def test_an_old_file_stays_whole_when_the_work_fails(
    here, places, tmp_path, monkeypatch, line, works, fault, said
):
    """The line names what is to blame, and nothing lies beside the file."""

    def fail(*_):
        raise fault

    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr(f"meshgui.cli.{works}", fail)
    done = here(*(places.get(word, word) for word in line.split()))
    assert (done.returncode, done.stderr) == (1, f"meshgui: {said.format(**places)}\n")
    assert places["OUT"].read_text(encoding="utf-8") == "old"
    assert sorted(tmp_path.iterdir()) == before


def test_files_can_be_piped_on_and_packets_can_be_piped_on(shell, places):
    """Written as they are; on /dev/stdout there are the rows and nothing else."""
    run = f"meshgui run {places['FILE']}"
    done = shell(f"{run} --per-job /dev/stdout --events >(cat >&2) > {places['OUT']}")
    assert done.returncode == 0
    assert done.stderr.startswith('{"t": ')
    table = places["OUT"].read_text(encoding="utf-8").splitlines()
    assert (table[0].split(",")[0], table[11]) == ("job", "Small")
    done = shell(f"{run} --json --events /dev/stdout > {places['OUT']}")  # a file that is not replaced
    *events, summary = map(json.loads, places["OUT"].read_text(encoding="utf-8").splitlines())
    assert [events[0]["event"], summary["jobs"] > 0] == ["arrive", True]
    program = "meshgui network --shape 4,4"
    line = f"{program} --packets {places['PACKETS']} --out /dev/stdout"
    once = shell(f"{line} | tee {places['OUT']}")
    twice = shell(f"{program} --packets /dev/stdin --out /dev/stdout < {places['OUT']} | cat")
    assert once.stdout.startswith(
        "time,sx,sy,sz,dx,dy,dz,injected,delivered,latency,blocked\n0,0,0,0,3,0,0,0,"
    )
    assert once.stdout.count("\n") == 2
    assert (once.stdout, once.stderr) == (twice.stdout, twice.stderr) == (once.stdout, "")


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
    done = python("-c", ENDS, int(sent))
    assert (done.returncode, done.stdout, done.stderr) == (status, "cleared away\n", "")


def test_a_fault_of_the_program_is_one_line_that_says_where(here, shipped, monkeypatch):
    """An unforeseen error is no traceback either, unless one is asked for."""

    def divide_by_zero(*_):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("meshgui.cli.run.summary", divide_by_zero)
    done = here("run", shipped)
    assert (done.returncode, is_one_line(done.stderr)) == (1, True)
    line = "meshgui: stopped by an internal error, ZeroDivisionError at test_outputs.py:"
    assert done.stderr.startswith(line)
    monkeypatch.setenv("MESHGUI_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        here("run", shipped)


def test_progress_shows_on_a_terminal_and_only_there(shipped):
    """On a terminal there is a line on standard error, gone at the end; in a pipe there is nothing."""
    pty = pytest.importorskip("pty")
    try:
        ours, theirs = pty.openpty()
    except OSError as error:
        pytest.skip(f"there is no terminal to be had here: {error}")
    words = [sys.executable, "-m", "meshgui", "run", str(shipped), "--json"]
    done = subprocess.run(
        words, stdout=subprocess.PIPE, stderr=theirs, env=bare_environment(), check=False, timeout=120
    )
    os.close(theirs)
    shown = os.read(ours, 10_000).decode()
    os.close(ours)
    assert json.loads(done.stdout)["jobs"] > 0
    assert "Simulating" in shown
    assert shown.endswith("\r")


def test_progress_agrees_with_its_number_in_arabic(capsys, monkeypatch):
    """A thousand are followed by the singular: the plural stood behind every number."""
    monkeypatch.setattr("meshgui.cli.output.sys.stderr.isatty", lambda: True, raising=False)
    with speaking("ar"), ProgressLine("…", "job") as line:
        line.hear(Progress(10, 1000))
    assert "10 من 1000 مهمة، 1 %" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["run"], ["trace", "--job", 0]])
def test_a_slow_run_is_said_once_as_soon_as_it_shows(here, monkeypatch, words):
    """Its strategy may take long where no network does; the run continues."""
    monkeypatch.setattr(Pace, "seconds", lambda *_: 4000.0)
    scenario = example("first-fit-16x16")  # large enough for several looks at its progress
    done = here(*words, scenario)
    assert done.stderr == "meshgui: the run will take about 67 min; Ctrl+C stops it\n"
    assert done.returncode == 0
    monkeypatch.setattr(Pace, "seconds", lambda *_: 59.0)
    assert here(*words, scenario).stderr == ""
