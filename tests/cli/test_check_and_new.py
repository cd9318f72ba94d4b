"""Checking strategies and disciplines of one's own, also as packages, and beginning new ones."""

import errno
import os
import re
import sys
import tomllib
from pathlib import Path

import pytest

from meshgui.cli import check, checks, plugin_checks
from meshgui.cli.checks import Health
from meshgui.cli.new import module_text
from meshgui.conformance import PROPERTIES
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics import plugins
from meshgui.engine.network.patterns.registry import patterns
from meshgui.engine.scheduling.registry import disciplines
from meshgui.run_conformance import DISCIPLINE_PROPERTIES, PATTERN_PROPERTIES
from tests.processes import python
from tests.scale import COMPILED
from tests.third_party import PACKAGES

SOUND = (PACKAGES / "python_fit" / "python_fit.py").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def few_stories(monkeypatch):
    """A few are enough here."""
    monkeypatch.setattr(check, "_STORIES", 4)


def test_one_of_the_program_s_own_keeps_every_property_and_a_broken_one_fails_with_its_story(
    here, tmp_path, monkeypatch
):
    """A line for each property; of a broken one what was found and what led to it, with its line."""
    done = here("check", "ff")
    assert (done.returncode, done.stderr) == (0, "")
    words = [*(one.words for one in PROPERTIES), "gives the same compiled as in plain Python"]
    assert done.stdout.splitlines() == ["First Fit (ff)", *(f"  passes  {line}" for line in words)]
    file = tmp_path / "broken_fit.py"
    text = SOUND.replace("if (region(self.held, box) == -1).all()", "if True")
    text = text.replace('self.held[:] = state["held"]', 'raise KeyError("gone")')
    raising = text[: text.index("raise")].count("\n") + 1
    file.write_text(text, encoding="utf-8")
    done = here("check", file)
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (1, "")
    at = lines.index("  fails  gives free boxes inside the mesh, with as many processors as granted")
    assert re.fullmatch(r"job 1 got the box \(.*, 1, 1, 1\), part of which is held", lines[at + 1].strip())
    assert re.fullmatch(r" +on a \S+ mesh: job 0 asks for \S+; job 1 asks for \S+", lines[at + 2])
    assert f"KeyError: 'gone' (broken_fit.py:{raising})" in done.stdout
    monkeypatch.setenv("MESHGUI_STRATEGY_SECONDS", "1.5")
    file = tmp_path / "stuck_fit.py"
    file.write_text(SOUND.replace("self.operations += 1", "while True: pass"), encoding="utf-8")
    done = here("check", file)
    assert done.returncode == 1
    assert "last did not return from allocating for job 0 within 1.5 s" in done.stdout
    assert done.stdout.count("fails") == 1


@pytest.mark.parametrize("kind", [(), ("--kernel",)], ids=["plain", "kernel"])
def test_a_new_package_passes_the_check_and_its_own_test(here, tmp_path, kind):
    """It has an entry point that leads to its class, and nothing needs to be changed first."""
    done = here("new", "strategy", "my-fit", *kind, "--folder", tmp_path)
    folder = tmp_path / "my-fit"
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(path.name for path in folder.iterdir()) == [
        *("README.md", "my_fit.py", "pyproject.toml", "test_my_fit.py")
    ]
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["entry-points"]["meshgui.allocators"] == {"my-fit": "my_fit:MyFit"}
    checked = here("check", folder / "my_fit.py")
    assert checked.returncode == 0
    assert checked.stdout.startswith("My Fit (my-fit)\n  passes ")
    assert ("passes  gives the same compiled as in plain Python" in checked.stdout) == bool(kind)
    tested = python("pytest", "-q", "-p", "no:cacheprovider", "--rootdir", folder, folder)
    assert tested.returncode == 0, tested.stdout
    again = here("new", "strategy", "my-fit", "--folder", tmp_path)
    assert again.returncode == 1
    assert "could not be written" in again.stderr


@pytest.mark.parametrize(
    ("kind", "group", "properties"),
    [
        ("discipline", "meshgui.disciplines", DISCIPLINE_PROPERTIES),
        ("pattern", "meshgui.patterns", PATTERN_PROPERTIES),
    ],
)
def test_a_new_discipline_or_pattern_passes_the_check_and_its_own_test(
    here, tmp_path, kind, group, properties
):
    """As a strategy does; with its own entry point, and a file may have several kinds of classes."""
    done = here("new", kind, "my-own", "--out", tmp_path)
    folder = tmp_path / "my-own"
    assert (done.returncode, done.stderr) == (0, "")
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["entry-points"] == {group: {"my-own": "my_own:MyOwn"}}
    checked = here("check", folder / "my_own.py")
    assert (checked.returncode, checked.stderr) == (0, "")
    passed = [f"  passes  {one.words}" for one in properties]
    assert checked.stdout.splitlines() == ["My Own (my-own)", *passed]
    tested = python("pytest", "-q", "-p", "no:cacheprovider", "--rootdir", folder, folder)
    assert tested.returncode == 0, tested.stdout
    assert here("new", kind, "my-own", "--out", tmp_path).returncode == 1
    refused = here("new", kind, "other", "--kernel", "--out", tmp_path)
    assert (refused.returncode, refused.stderr) == (2, "meshgui new: --kernel: expected a strategy\n")
    here("new", "strategy", "a-fit", "--out", tmp_path)
    both = tmp_path / "both.py"
    own = (folder / "my_own.py").read_text(encoding="utf-8")
    both.write_text((tmp_path / "a-fit" / "a_fit.py").read_text(encoding="utf-8") + own, encoding="utf-8")
    assert here("check", both, "--kind", kind).stdout.splitlines() == ["My Own (my-own)", *passed]


DISCIPLINE = module_text("my-order", kind="discipline")
PATTERN = module_text("my-ring", kind="pattern")


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        (
            DISCIPLINE.replace("jobs.processors.astype(float)", "[float('nan')] * len(jobs)"),
            DISCIPLINE_PROPERTIES[0].words,
            "my-order ranks the jobs by [nan]: expected a finite number for each of 1",
        ),
        (
            DISCIPLINE.replace("super().serve(queue)", "pass"),
            DISCIPLINE_PROPERTIES[0].words,
            "my-order never offered job 0 to the allocator, and the machine is empty",
        ),
        (
            DISCIPLINE.replace("super().serve(queue)", "turns.append(queue) or serve(self, queue)")
            + "\n\nturns = []\n\n\ndef serve(own, queue):\n"
            "    own.serving = list(type(own.serving))[len(turns) // 50 % 2]\n"
            "    Discipline.serve(own, queue)\n",
            DISCIPLINE_PROPERTIES[1].words,
            "the second run differs from the first with patience 10.0",
        ),
        (
            PATTERN.replace("(ranks + 1) % len(ranks)", "ranks"),
            PATTERN_PROPERTIES[0].words,
            "the pattern my-ring made a stage in which a process sends to itself for 2 processes",
        ),
        (
            PATTERN.replace("    def iteration", "    turns = []\n\n    def iteration")
            .replace("(ranks + 1)", "(ranks + 1 + len(self.turns) % (len(ranks) - 1))")
            .replace("        ranks =", "        self.turns.append(1)\n        ranks ="),
            PATTERN_PROPERTIES[1].words,
            "4 processes sent other messages the second time",
        ),
        (
            PATTERN.replace("        yield", "        raise ValueError('lost')\n        yield"),
            PATTERN_PROPERTIES[0].words,
            "the pattern my-ring failed while making a stage: ValueError: lost (broken_one.py:",
        ),
    ],
    ids=["no-number", "never-served", "not-repeated", "to-itself", "other-messages", "raises"],
)
def test_a_broken_discipline_or_pattern_fails_with_what_was_found(here, tmp_path, text, words, found):
    """Each fault at the property that it breaks."""
    file = tmp_path / "broken_one.py"
    file.write_text(text, encoding="utf-8")
    done = here("check", file)
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (1, "")
    assert found in lines[lines.index(f"  fails  {words}") + 1]


def test_the_page_about_a_discipline_or_pattern_is_what_its_class_says(here):
    """With its options; where several kinds have the id, the strategy's page, or that of the kind wanted."""
    assert here("allocators", "ssd").stdout.startswith(
        "# Shortest service demand\n\nThe least demand first. With a network"
    )
    assert "\n- `demand`: processors × service as in" in here("allocators", "ssd").stdout
    assert "Fisher" not in here("allocators", "random", "--kind", "pattern").stdout
    assert here("allocators", "random").stdout != here("allocators", "random", "--kind", "pattern").stdout


def test_a_discipline_that_does_not_come_back_ends_the_check(here, tmp_path, monkeypatch):
    """As it would not come back from the other properties either."""
    monkeypatch.setenv("MESHGUI_STRATEGY_SECONDS", "0.5")
    file = tmp_path / "stuck_order.py"
    file.write_text(DISCIPLINE.replace("super().serve(queue)", "while True: pass"), encoding="utf-8")
    done = here("check", file)
    assert done.returncode == 1
    assert done.stdout.count("fails") == 1
    assert "did not return" in done.stdout


@pytest.mark.kernel
@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_what_compiled_code_does_not_notice_is_found_in_plain_python(here, tmp_path):
    """A kernel that reads beyond its array continues with what lies there; Python names the line."""
    text = module_text("wide-fit", kernel=True)
    text = text.replace(
        "                    return 1\n", "                    return 1 + 0 * state.processors.free[1]\n"
    )
    file = tmp_path / "wide_fit.py"
    file.write_text(text, encoding="utf-8")
    line = text[: text.index("state.processors.free[1]")].count("\n") + 1
    done = here("check", file)
    assert done.returncode == 1
    assert done.stdout.count("fails") == 1
    *_, fails, found, story = done.stdout.splitlines()
    assert fails == "  fails  gives the same compiled as in plain Python"
    assert re.search(r"compiled: \(.*\), 1 operations, state \w{8}; as plain Python: ", found)
    assert f"IndexError: index 1 is out of bounds for axis 0 with size 1 (wide_fit.py:{line})" in found
    assert "job 0 asks for" in story


@pytest.mark.parametrize("fault", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_a_package_that_is_not_written_whole_is_not_there(here, tmp_path, monkeypatch, fault):
    """Nor are the folders made for it: the next attempt would find a part of it there."""
    write_text, written = Path.write_text, []

    def stop(path, text, **options):
        if written:
            raise fault
        written.append(path)
        return write_text(path, text, **options)

    for place in (tmp_path, tmp_path / "a" / "b"):
        written.clear()
        with monkeypatch.context() as stopped:
            stopped.setattr(Path, "write_text", stop)
            failed = here("new", "strategy", "my-fit", "--out", place)
        assert failed.returncode == (130 if isinstance(fault, KeyboardInterrupt) else 1)
        assert ("no space left" in failed.stderr) == isinstance(fault, OSError)
        assert written
        assert list(tmp_path.iterdir()) == []
    assert [here("new", "strategy", "my-fit", "--out", tmp_path).returncode for _ in range(2)] == [0, 1]
    assert (tmp_path / "my-fit" / "pyproject.toml").is_file()


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
