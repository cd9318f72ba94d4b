"""The project's files name versions, not places: no index addresses, no paths of one machine."""

import re
import shutil
import sys
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest

from tests.processes import completed

ROOT = Path(__file__).parent.parent
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
PLACES = re.compile(
    r"https?://[\w.-]*(?:pyp[i]|pythonhoste[d]|npmj[s]|debia[n]|ubunt[u]|cond[a])"
    r"|(?:extra-)?index-ur[l]|find-link[s]|file:/[/]"
    r"|(?<![\w.$}-])/(?:roo[t]|wor[k]|hom[e]|User[s])/\w",
    re.IGNORECASE,
)


@pytest.fixture
def tracked_files() -> list[Path]:
    """The files git keeps; without git or its folder there are none to look at."""
    listing = completed("git", "ls-files", "-z", cwd=ROOT)
    if listing.returncode:
        pytest.skip("not a git checkout")
    return [path for name in listing.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def test_constraints_hold_names_and_versions_only_and_constraints_pin_every_requirement():
    """Each name once, and whatever pyproject.toml asks for."""
    lines = CONSTRAINTS.read_text(encoding="utf-8").splitlines()
    names = [re.fullmatch(r"([a-z0-9-]+)==[0-9][\w.]*", line) for line in lines]
    assert all(names), [line for line, name in zip(lines, names, strict=True) if not name]
    assert len({name[1] for name in names if name}) == len(lines)
    metadata = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = metadata["project"]
    wanted = [*metadata["build-system"]["requires"], *project["dependencies"]]
    wanted += [requirement for extra in project["optional-dependencies"].values() for requirement in extra]
    names = {re.split(r"[^\w.-]", requirement)[0].lower() for requirement in wanted}
    pinned = {line.partition("==")[0] for line in CONSTRAINTS.read_text(encoding="utf-8").splitlines()}
    assert names <= pinned


def test_no_file_names_an_address_or_a_machine(tracked_files):
    """No tracked text file holds the address of a package index or a path of one machine."""
    found = []
    for path in tracked_files:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture or a font
        found += [f"{path.relative_to(ROOT)}: {match[0]}" for match in PLACES.finditer(text)]
    assert found == []


def install_system_packages(tmp_path: Path, programs: dict[str, str], *names: str) -> str:
    """What the script says where these programs stand in for the system's; it never fails."""
    for name, body in {"id": "echo 1000", "sudo": "exit 1", **programs}.items():
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        program.chmod(0o755)
    for name in ("bash", "awk", "sed", "sort", "comm", "cat", "dirname"):
        with suppress(FileExistsError):
            (tmp_path / name).symlink_to(shutil.which(name))
    script = ROOT / "packaging" / "install-system-packages"
    done = completed("bash", script, *names, env={"PATH": str(tmp_path)})
    assert (done.returncode, done.stdout) == (0, "")
    return done.stderr


def test_system_packages_that_may_not_be_installed_are_named_and_fedora_has_names_of_its_own(tmp_path):
    """One line says what is missing, as the system calls it, and how to install it: no error."""
    debian = {
        "dpkg-query": "echo installed xvfb; echo installed libglib2.0-0t64; echo half-configured libgl1",
        "apt-get": "echo called >&2; exit 9",
    }
    assert install_system_packages(tmp_path, debian, "xvfb", "libglib2.0-0", "libgl1") == (
        "System packages are missing; install them with: "
        "sudo apt-get install --no-install-recommends libgl1\n"
    )
    there = "xorg-x11-xauth xorg-x11-server-Xvfb libglvnd-egl libglvnd-glx mesa-dri-drivers dbus-libs"
    more = "fontconfig glib2 libxkbcommon-x11"
    fedora = {"rpm": f"for name in {there} {more}; do echo $name; done", "dnf": "exit 9"}
    assert install_system_packages(tmp_path, fedora) == (
        "System packages are missing; install them with: sudo dnf install --setopt=install_weak_deps=False "
        "libxcb xcb-util-cursor xcb-util-image xcb-util-keysyms xcb-util-renderutil xcb-util-wm\n"
    )


@pytest.mark.parametrize(
    ("system", "sentence"),
    [
        ("Darwin", "On macOS nothing of the system is needed but Python 3.11 or newer"),
        ("MINGW64_NT-10.0", "On Windows install the wheel with pip, from a release"),
    ],
)
def test_other_systems_get_one_sentence(tmp_path, system, sentence):
    """Neither macOS nor Windows has packages to look for."""
    said = install_system_packages(tmp_path, {"uname": f"echo {system}"})
    assert said == f"{sentence}; MeshGUI is untried there\n"


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("OS=Windows_NT", "On Windows install the wheel with pip"),
        (".FEATURES=", "This make is older than GNU make 3.82"),  # as macOS has it
    ],
)
def test_the_makefile_says_where_it_is_of_no_use(setting, sentence):
    """One line, before any target is made."""
    done = completed("make", "--no-print-directory", setting, "help", cwd=ROOT)
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert sentence in line


def test_hosted_checks_have_the_least_permissions_and_pinned_actions(tmp_path):
    """They run no action by a name that can move; without a second Python one line says so."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    files = sorted((ROOT / ".github" / "workflows").iterdir())
    assert [file.name for file in files] == ["nightly.yml", "test.yml"]
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert text.startswith("# Untried")
        assert re.findall(r"^ *permissions:\n((?: .*\n)+)", text, re.MULTILINE) == ["  contents: read\n"]
        actions = re.findall(r"uses: (.*)", text)
        assert actions
        assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", action) for action in actions), actions
        jobs = len(re.findall(r"runs-on:", text))
        assert text.count("timeout-minutes:") == jobs
        targets = re.findall(r"\bmake ([a-z-]+(?: [a-z-]+)*)", text)
        assert all(f"\n{name}:" in makefile for names in targets for name in names.split())
    (tmp_path / "packaging").mkdir()
    (tmp_path / ".venv-newest").mkdir()
    shutil.copy(ROOT / "packaging" / "make-environment", tmp_path / "packaging")
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("bash", "dirname", "readlink", "rm"):
        (tools / name).symlink_to(shutil.which(name))
    environment = {"PATH": str(tools), "HOME": str(tmp_path), "PYTHON": sys.executable}
    done = completed(tmp_path / "packaging" / "make-environment", "newest", env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("No second, newer Python is at hand")
    assert done.stdout.count("\n") == 1
    assert not (tmp_path / ".venv-newest").exists()
