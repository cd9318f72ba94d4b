"""Commands that are interrupted end in a line at most, with the status of a signal; old files stay whole."""

import signal
from itertools import product

import pytest

from meshgui.cli import signals
from tests.processes import start, wait_until
from tests.stores import runs_in

MANY = ("--min-runs", 100_000, "--max-runs", 100_000, "--csv", "OUT")
COMMANDS = {
    "run": (300_000, ("run", "FILE", "--events", "OUT")),
    "export": (300_000, ("export", "FILE", "--html", "OUT")),
    "network": (1, ("network", "--shape", "48,48", "--flits", 64, "--packets", "PACKETS", "--out", "OUT")),
    "sweep": (300, ("sweep", "FILE", *MANY, "--jobs", 1)),
    "sweep with a store": (300, ("sweep", "FILE", *MANY, "--jobs", 1, "--store", "STORE")),
    "sweep in two processes": (300, ("sweep", "FILE", *MANY, "--jobs", 2, "--store", "STORE")),
}
"""How many jobs the scenario has, and the words."""


@pytest.mark.parametrize(
    ("command", "sent"),
    [*product(COMMANDS, (signal.SIGINT, signal.SIGTERM)), ("run", signal.SIGHUP)],
    ids=lambda case: case if isinstance(case, str) else case.name,
)
def test_an_interrupted_command_leaves_the_old_file_whole(scenario_file, tmp_path, command, sent):
    """Ctrl+C, being told to end, the end of the terminal: no traceback, nothing half-written.

    What is stopped by Ctrl+C says so in a line, a sweep with a store that it goes on from there.
    """
    jobs, words = COMMANDS[command]
    places = {name: tmp_path / name for name in ("OUT", "STORE", "PACKETS")}
    places["FILE"] = scenario_file(workload={"kind": "stochastic", "jobs": jobs, "load": 2.0})
    rows = (f"{n % 60},{n % 48},{n % 47},0,{(n + 24) % 48},{n % 31},0" for n in range(40_000))
    places["PACKETS"].write_text("\n".join(["time,sx,sy,sz,dx,dy,dz", *rows]), encoding="utf-8")
    places["OUT"].write_text("old", encoding="utf-8")
    running = start(*(places.get(word, word) for word in words), mark=tmp_path)
    assert wait_until(lambda: [*tmp_path.glob(".meshgui-*")], 60), "it has not begun its file"
    assert wait_until(lambda: "STORE" not in words or runs_in(places["STORE"]), 60)
    running.send_signal(sent)
    said = f"meshgui: {places['FILE']}: stopped before the end\n" if "FILE" in words else ""
    if "STORE" in words:
        said = f"meshgui: {places['STORE']}: stopped; the same command continues from here\n"
    assert running.communicate(timeout=60) == ("", said if sent == signal.SIGINT else "")
    assert running.returncode in {128 + sent, -sent}  # by itself, or by the signal: all one to a shell
    assert places["OUT"].read_text(encoding="utf-8") == "old"
    assert not [*tmp_path.glob(".meshgui-*")]
    assert "STORE" not in words or runs_in(places["STORE"])


@pytest.mark.parametrize("status", [130, 143, 129])
def test_a_fault_that_is_only_the_answer_to_a_signal_is_none(here, shipped, monkeypatch, status):
    """A signal that arrives in the midst of an import comes out of it as an error of some other kind."""

    def fail(*_):
        monkeypatch.setattr(signals, "_told", [status])
        raise ZeroDivisionError

    monkeypatch.setattr("meshgui.cli.run.summary", fail)
    done = here("run", shipped)
    assert (done.returncode, done.stdout, done.stderr) == (status, "", "")


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
@pytest.mark.parametrize("where", ["sweep.other_code", "workers.InProcess", "sweep.Sweep"])
def test_ctrl_c_says_so_from_the_first_file_on(here, shipped, tmp_path, monkeypatch, error, where):
    """Before the workers are there, too, and in the midst of an import, which makes another error of it."""

    def stop(*_, **__):
        monkeypatch.setattr(signals, "_told", [signals.INTERRUPTED])
        raise error

    monkeypatch.setattr(f"meshgui.cli.{where}", stop)
    done = here("sweep", shipped, "--csv", tmp_path / "out.csv", "--jobs", 1)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == f"meshgui: {shipped}: stopped before the end\n"
    assert not [*tmp_path.iterdir()]
