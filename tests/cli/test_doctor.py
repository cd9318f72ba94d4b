"""The doctor: what it looks at, and when it says that the program cannot run."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from meshgui import inspection_conformance
from meshgui.cli import checks, doctor
from meshgui.cli.checks import Finding, Health
from meshgui.engine.allocation import answer_checks, guarded_strategy
from meshgui.model.document.examples import example
from meshgui.views.offscreen import probe
from tests.processes import python

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.qt


def test_the_status_says_whether_the_program_can_run(here, monkeypatch):
    """Warnings leave the status at 0, a problem makes it 1; each says what to do."""
    warning, problem = (Finding("a", health, "b", "do this") for health in (Health.WARNING, Health.PROBLEM))
    monkeypatch.setattr(doctor, "_findings", lambda: iter([warning]))
    assert here("doctor").returncode == 0
    monkeypatch.setattr(doctor, "_findings", lambda: iter([problem]))
    done = here("doctor")
    assert (done.returncode, "problem: a: do this" in done.stdout) == (1, True)
    report = json.loads(here("doctor", "--json").stdout)
    assert report == {"able_to_run": False, "checks": [problem.as_json()]}


def test_everything_promised_is_looked_at():
    """In a fresh process versions, strategies, kernel cache, folders, fonts and the screen have lines."""
    report = json.loads(python("meshgui", "doctor", "--json").stdout)
    looked_at = {check["what"] for check in report["checks"]}
    assert looked_at >= {"Python", "meshgui", "numpy", "numba", "PySide6", "pyqtgraph", "OpenGL"}
    assert looked_at >= {"strategies", "kernel cache", "temporary files", "font files", "screen"}
    assert looked_at >= {
        "examples",
        "a strategy of your own",
        "a discipline of your own",
        "a pattern of your own",
    }


def test_a_package_that_is_missing_is_a_problem(monkeypatch):
    """What cannot be imported is named with the way to install it."""
    monkeypatch.setitem(sys.modules, "numba", None)
    found = {finding.what: finding for finding in checks.versions()}["numba"]
    assert found.health is Health.PROBLEM
    assert "pip install" in found.advice


@pytest.mark.skipif(os.name == "nt", reason="rights are not in the mode of a file there")
def test_kernels_that_others_could_have_written_are_a_problem(meshgui, tmp_path, monkeypatch):
    """The doctor names the folder; a run says it in a line and compiles, and nothing is prepared."""
    tmp_path.chmod(0o777)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")
    found = checks.kernel_cache()
    assert found.health is Health.PROBLEM
    assert found.found.startswith(f"other users may write to {tmp_path}: kernels are neither read from there")
    done = meshgui("prepare")
    assert (done.returncode, done.stderr) == (1, f"meshgui: {found.found}\n")
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    done = meshgui("run", example("three-jobs-4x4x4"))
    assert (done.returncode, done.stderr) == (0, f"meshgui: {found.found}\n")


def test_a_version_newer_than_those_tried_is_a_warning(monkeypatch):
    """Each is compared by its first two numbers; those that the project pins were tried."""
    for line in (ROOT / "packaging" / "constraints.txt").read_text(encoding="utf-8").splitlines():
        name, version = line.split("==")
        for module, (distribution, tried) in checks._PACKAGES.items():
            if distribution.lower() == name:
                assert checks._tried(module, version, tried).health is Health.OK
    assert checks._tried("numpy", "2.6.0", "2.5") == Finding(
        "numpy", Health.WARNING, "2.6.0", "newer than 2.5, the newest version tested"
    )
    assert checks._tried("numpy", "2.5.9", "2.5").health is Health.OK
    assert checks._tried("meshgui", "9.9", "").health is Health.OK
    monkeypatch.setattr(checks.sys, "version", "3.14.0 (main)")
    assert next(checks.versions()).health is Health.WARNING


def test_a_package_that_breaks_strategies_of_ones_own_is_a_problem(monkeypatch):
    """The fault of checking one, and of one that does not keep what it owes, is named."""
    assert [found.health for found in checks.own_plugins()] == [Health.OK] * 3
    path, check = [*sys.path], answer_checks.inspection_fault
    monkeypatch.setattr(inspection_conformance, "inspection_fault", lambda *_: "numbers in another shape")
    found, *others = checks.own_plugins()
    assert [other.health for other in others] == [Health.OK] * 2
    assert (found.health, found.found) == (Health.PROBLEM, "the inspector shows numbers in another shape")

    def broken(*_):
        raise TypeError("issubclass() arg 1 must be a class")

    monkeypatch.setattr(inspection_conformance, "inspection_fault", check)
    monkeypatch.setattr(guarded_strategy, "inspection_fault", broken)
    found, *others = checks.own_plugins()
    assert [other.health for other in others] == [Health.OK] * 2
    assert (found.health, found.found) == (
        Health.PROBLEM, "TypeError: issubclass() arg 1 must be a class",
    )  # fmt: skip
    assert found in list(doctor._findings())
    assert sys.path == path


def test_a_bound_of_memory_that_is_none_is_a_problem(monkeypatch):
    """As every run would end with it; a bound, or none, is said."""
    for given in ("lots", "0", "-1", "nan", "1e400"):
        monkeypatch.setenv("MESHGUI_MEMORY_GB", given)
        found = checks.memory()
        assert found.health is Health.PROBLEM
        assert found.found == f"expected a number of gigabytes above 0, got {given}"
    monkeypatch.setenv("MESHGUI_MEMORY_GB", "1.5")
    assert checks.memory() == Finding("MESHGUI_MEMORY_GB", Health.OK, "1.5 GB")
    monkeypatch.delenv("MESHGUI_MEMORY_GB")
    assert checks.memory().health is Health.OK
    assert checks.memory() in list(doctor._findings())


def test_a_folder_that_cannot_be_written_is_a_warning_and_the_kernel_cache_is_tried(monkeypatch, tmp_path):
    """Named with the reason; a kernel is compiled, kept in NUMBA_CACHE_DIR and found again."""
    monkeypatch.setattr("meshgui.cli.checks._folders", lambda: {"cache folder": tmp_path / "a" / "b"})
    assert [found.health for found in checks.folders()] == [Health.OK]
    assert list(tmp_path.iterdir()) == []
    file = tmp_path / "file"
    file.write_bytes(b"")
    monkeypatch.setattr("meshgui.cli.checks._folders", lambda: {"settings folder": file})
    (found,) = checks.folders()
    assert (found.health, str(file) in found.found) == (Health.WARNING, True)
    old = {"vendor": "v", "renderer": "r", "version": "2.1 Mesa"}
    found = [checks._opengl(gl).health for gl in (old, None, old | {"version": "3.3 (Core Profile)"})]
    assert found == [Health.WARNING, Health.WARNING, Health.OK]
    program = "from meshgui.cli.checks import kernel_cache as k; f = k(); print(f.health.value, f.found)"
    done = python("-c", program, NUMBA_CACHE_DIR=str(tmp_path), NUMBA_DISABLE_JIT="0")
    assert done.stdout.startswith(f"ok {tmp_path}")
    assert list(tmp_path.rglob("*.nbi"))


@pytest.mark.parametrize(("status", "said"), [(3, "last line"), (-6, "first line")])
def test_a_probe_that_dies_is_one_line(monkeypatch, status, said):
    """A driver that ends the probing process is reported, and ends nothing else."""
    died = subprocess.CompletedProcess([], status, "", "first line\nlast line\n")
    monkeypatch.setattr("meshgui.views.offscreen.probe.subprocess.run", lambda *_, **__: died)
    with pytest.raises(probe.ProbeError, match=f"^{said}$"):
        probe.probe_apart()
