"""The doctor and plug-ins that end the program: each is named, and the doctor goes on."""

import os
import sys

import pytest

from meshgui.cli import checks, plugin_checks
from meshgui.cli.checks import Health
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics import plugins
from meshgui.engine.network.patterns.registry import patterns
from meshgui.engine.scheduling.registry import disciplines

ENDINGS = {
    "leaves": ("import os; os._exit(0)", "ends the process (exit status 0)"),
    "crashes": ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "ends the process (signal 9)"),
    "swells": ("more = bytearray(5 << 30)", "needs more memory than is available"),
}


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Puts a package with strategies on the path, each a module of its own with a line of code."""

    def install(**modules):
        about = tmp_path / "deadly_plugins-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: deadly-plugins\nVersion: 1.0\n")
        lines = [f"{name} = deadly_plugin_{name}:Fit" for name in modules]
        (about / "entry_points.txt").write_text("\n".join(["[meshgui.allocators]", *lines, ""]))
        for name, code in modules.items():
            (tmp_path / f"deadly_plugin_{name}.py").write_text(f"{code}\n")

    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    registries = (strategies, disciplines, patterns)
    for registry in registries:
        registry.cache_clear()
    yield install
    plugins.skipped.clear()
    for registry in registries:
        registry.cache_clear()


def problems():
    """What the doctor has against plug-ins."""
    return {
        found.what: found.found
        for found in checks.strategies_and_examples()
        if found.health is not Health.OK and "deadly_plugin" in found.what + found.found
    }


@pytest.mark.skipif(os.name == "nt", reason="signals and bounds of memory are POSIX")
def test_a_plugin_that_ends_the_program_is_named(installed, monkeypatch):
    """By status, signal or memory; of others the reason is said as ever."""
    monkeypatch.setenv("MESHGUI_MEMORY_GB", "1")  # the machine has the memory, of which nothing is touched
    installed(**{name: code for name, (code, _) in ENDINGS.items()}, raises="1 / 0")
    found = problems()
    for name, (_, words) in ENDINGS.items():
        assert words in found.pop(f"strategy {name} (deadly_plugin_{name}:Fit)")
    assert list(found) == ["strategy raises"]
    assert "ZeroDivisionError" in found["strategy raises"]
    assert "gabl" in strategies()


def test_a_plugin_that_does_not_come_back_is_named(installed, monkeypatch):
    """It is given some seconds to load."""
    monkeypatch.setattr(plugin_checks, "_LONGEST", 0.5)
    installed(spins="while True: pass")
    assert problems() == {"strategy spins (deadly_plugin_spins:Fit)": "loading it takes more than 0.5 s"}
