"""Compiling ahead: what is said of it, and that it ends with the window that has started it."""

import json
import os
import subprocess
import sys

import pytest

from meshgui.cli import kernel_preparation, prepare
from meshgui.cli.kernel_preparation import Preparation, preparations
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.kernel import Kernel
from meshgui.engine.network.patterns.registry import patterns
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario import load_scenario
from meshgui.model.document.examples import example, examples

_ENDLESS = """
import signal, sys
from meshgui.cli.entry import run
from meshgui.cli import kernel_preparation as k
k.preparations = lambda: [k.Preparation("a", lambda: None), k.Preparation("b", signal.pause)]
run(["prepare", "--quietly"])
"""


@pytest.fixture
def parts(monkeypatch, tmp_path):
    """Two parts in place of all, and a folder for what is kept; what ran."""
    ran = []
    made = [Preparation(name, lambda name=name: ran.append(name)) for name in "ab"]
    monkeypatch.setattr(kernel_preparation, "preparations", lambda: made)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kernels"))
    return ran


@pytest.mark.parametrize("name", ["bluegene", "torus3d", "tpu-ocs", "tpu-static"])
def test_a_strategy_of_few_sizes_is_prepared_with_those(name):
    """On a machine that it works on; some of its jobs start."""
    (part,) = [part for part in preparations() if part.what == name]
    before = kernel_preparation.simulate
    starts = []

    def seen(scenario):
        recording = before(scenario)
        starts.append(int(recording.blocks.sum()))
        return recording

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(kernel_preparation, "simulate", seen)
        part.run()
    assert min(starts) > 0


def test_every_example_strategy_and_pattern_is_prepared(monkeypatch):
    """The examples first, plug-ins last; what is not prepared is compiled at the first run."""
    names = [part.what for part in preparations()]
    assert names[1 : 1 + len(examples())] == [path.name for path in examples()]
    assert names[-1] == "plug-ins"
    assert {*strategies()} <= {*names}
    assert {f"the network, {pattern}" for pattern in patterns()} <= {*names}
    called, call = set(), Kernel.__call__

    def note(kernel, *args):
        called.add(kernel.__name__)
        return call(kernel, *args)

    monkeypatch.setattr(Kernel, "__call__", note)
    next(part for part in preparations() if part.what == "ff").run()
    prepared = called.copy()
    Simulation(load_scenario(example("three-jobs-4x4x4"))).run()
    assert called == prepared


def test_the_end_is_said_in_words_or_json(here, parts, tmp_path):
    """With the folder, and where the kernels came from."""
    assert str(tmp_path / "kernels") in here("prepare").stdout
    report = json.loads(here("prepare", "--json").stdout)
    assert report.keys() == {"folder", "shipped", "kept", "compiled"}
    assert parts == ["a", "b", "a", "b"]


@pytest.mark.parametrize(("compiled", "status"), [(0, 0), (3, 1)])
def test_kernels_that_cannot_be_kept_are_not_compiled_to_the_end(
    here, parts, tmp_path, monkeypatch, compiled, status
):
    """As in a place that is no folder; where all are shipped with the program, none need be kept."""
    monkeypatch.setattr(prepare.counts, "compiled", compiled)
    (tmp_path / "kernels").write_text("no folder", encoding="utf-8")
    done = here("prepare")
    assert done.returncode == status
    assert len(done.stderr.splitlines()) == status
    assert parts == (["a", "b"] if status == 0 else [])
    assert not status or "kernels: could not be written: " in done.stderr


def test_what_is_all_there_is_not_gone_through_again(here, parts):
    """The window's own call does nothing once all kernels have been compiled for these sources."""
    here("prepare")
    assert here("prepare", "--quietly").stdout == ""
    assert parts == ["a", "b"]


def test_it_ends_with_the_window(tmp_path):
    """It says how far it is, and ends in the middle of its work when its standard input is closed."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", _ENDLESS], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout.readline() == b"0 2\n"
            assert process.stdout.readline() == b"1 2\n"
            process.stdin.close()
            assert process.wait(60) == 0
        finally:
            process.kill()
