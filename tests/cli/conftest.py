"""Runs the program the way a user does: as a process of its own, and looks at status and both outputs."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from meshgui.cli.entry import run
from meshgui.model.document.examples import example
from tests.processes import bare_environment, finished

Command = Callable[..., "CompletedProcess[str]"]


@pytest.fixture(scope="session")
def shipped() -> Path:
    """A scenario that comes with the program, small enough to run often."""
    return example("three-jobs-4x4x4")


@pytest.fixture(scope="session")
def meshgui() -> Command:
    """`python -m meshgui` in a process of its own, without a screen; it has the packages of some folders."""

    def call(*words: object, packages: Sequence[Path] = (), **environment: str) -> CompletedProcess[str]:
        return finished(words, bare_environment(*packages) | environment)

    return call


@pytest.fixture(scope="session")
def shell() -> Command:
    """A line for the shell, in which `meshgui` is the program."""
    program = f'meshgui() {{ "{sys.executable}" -m meshgui "$@"; }}\nset -o pipefail\n'

    def call(line: str) -> "CompletedProcess[str]":
        words, options = ["bash", "-c", program + line], {"capture_output": True, "encoding": "utf-8"}
        return subprocess.run(words, env=bare_environment(), check=False, timeout=120, **options)

    return call


@pytest.fixture
def here(capsys) -> Command:
    """The same inside this process, which is faster."""

    def call(*words: object) -> CompletedProcess[str]:
        status = run([str(word) for word in words])
        out, err = capsys.readouterr()
        return CompletedProcess(list(words), status, out, err)

    return call


@pytest.fixture
def scenario_file(tmp_path) -> Callable[..., Path]:
    """Writes a small scenario, with changes given as `key=value` at its top level."""

    def write(**changes: object) -> Path:
        data: dict[str, object] = {
            "meshgui": 1,
            "title": "Small",
            "mesh": {"shape": [4, 4]},
            "allocator": {"name": "tff"},
            "workload": {"kind": "stochastic", "jobs": 40, "load": 2.0},
            "seed": 5,
        }
        path = tmp_path / "small.meshgui.json"
        path.write_text(json.dumps(data | changes), encoding="utf-8")
        return path

    return write


@pytest.fixture
def own_scenario(scenario_file) -> Path:
    """Jobs that wait and send messages, all by what the manual's page of one's own has."""
    return scenario_file(
        allocator={"name": "last"},
        scheduler={"name": "ageing"},
        workload={"kind": "stochastic", "jobs": 30, "load": 2.0},
        network={"pattern": "ring", "messages": 3},
    )


def is_one_line(text: str) -> bool:
    """Whether a complaint is one line, and no traceback."""
    return text.endswith("\n") and text.count("\n") == 1 and "Traceback" not in text


@pytest.fixture(autouse=True)
def interrupts_reach_what_is_started() -> Iterator[None]:
    """Where tests run in the background the shell has them ignore Ctrl+C, and so would all they start."""
    usual = dict.fromkeys((signal.SIGTERM, signal.SIGHUP), signal.SIG_DFL)
    usual[signal.SIGINT] = signal.default_int_handler
    before = {sent: signal.signal(sent, handler) for sent, handler in usual.items()}
    yield
    for sent, handler in before.items():
        signal.signal(sent, handler)
