"""What the packages hold: the distribution, the AppImage and all else that is made of it."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

import meshgui
from tests.processes import completed, wait_until

ROOT = Path(__file__).parent.parent
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
PROGRAMS = "bash awk sed sort comm cat dirname env mktemp rm grep tail"  # of the system
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


def install_system_packages(tmp_path: Path, programs: dict[str, str], *names: str, output: str = "") -> str:
    """What the script says where these programs stand in for the system's; it never fails."""
    for name, body in {"id": "echo 1000", "sudo": "exit 1", **programs}.items():
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        program.chmod(0o755)
    for name in PROGRAMS.split():
        with suppress(FileExistsError):
            (tmp_path / name).symlink_to(shutil.which(name))
    script = ROOT / "packaging" / "install-system-packages"
    done = completed("bash", script, *names, env={"PATH": str(tmp_path)})
    assert (done.returncode, done.stdout) == (0, output)
    return done.stderr


def test_system_packages_that_may_not_be_installed_are_named_and_fedora_has_names_of_its_own(tmp_path):
    """One line says what is missing, as the system calls it, and how to install it: no error."""
    debian = {
        "dpkg-query": "echo installed xvfb; echo installed libglib2.0-0t64; echo half-configured libgl1",
        "apt-get": "echo called >&2; exit 9",
        "google-chrome": "exit 0",  # as good as chromium
    }
    assert install_system_packages(tmp_path, debian, "xvfb", "libglib2.0-0", "libgl1", "chromium") == (
        "System packages are missing; install them with: "
        "sudo apt-get install --no-install-recommends libgl1\n"
    )
    (tmp_path / "dpkg-query").unlink()  # by which Debian is known
    there = "xorg-x11-xauth xorg-x11-server-Xvfb libglvnd-egl libglvnd-glx mesa-dri-drivers dbus-libs"
    more = "fontconfig glib2 libxkbcommon-x11"
    fedora = {"rpm": f"for name in {there} {more}; do echo $name; done", "dnf": "exit 9"}
    assert install_system_packages(tmp_path, fedora) == (
        "System packages are missing; install them with: sudo dnf install --setopt=install_weak_deps=False "
        "libxcb xcb-util-cursor xcb-util-image xcb-util-keysyms xcb-util-renderutil xcb-util-wm\n"
    )


def test_a_package_that_the_system_does_not_have_keeps_no_other_away(tmp_path):
    """What one call for all refuses is installed name by name; the one that is left is named."""
    programs = {
        "dpkg-query": "",
        "sudo": 'shift; [ "$1" = true ] || exec "$@"',
        "apt-get": 'case "$*" in *chromium*) echo "E: no chromium" >&2; exit 9;; esac; echo "$@" >>$0.calls',
    }
    output = "Installing system packages: chromium libegl1\n"
    assert install_system_packages(tmp_path, programs, "libegl1", "chromium", output=output) == (
        "E: no chromium\nSystem packages are missing; install them with: "
        "sudo apt-get install --no-install-recommends chromium\n"
    )
    called = (tmp_path / "apt-get.calls").read_text(encoding="utf-8").splitlines()
    assert called == ["-q -y update", "-q -y install --no-install-recommends libegl1"]


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


NO_PART = ("__pycache__", ".pyc", ".nbi", ".nbc")


@pytest.fixture(scope="module")
def dist(tmp_path_factory) -> tuple[Path, Path]:
    """The sdist, and the wheel built from it."""
    pytest.importorskip("setuptools", minversion="77")
    folder = tmp_path_factory.mktemp("dist")
    done = completed(sys.executable, ROOT / "packaging" / "make_dist.py", folder, seconds=240)
    assert done.returncode == 0, done.stderr
    [sdist], [wheel] = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return sdist, wheel


def metadata_of(wheel: Path) -> str:
    """What the wheel says of itself."""
    archive = zipfile.ZipFile(wheel)
    return archive.read(f"meshgui-{meshgui.__version__}.dist-info/METADATA").decode()


def _files_below(*names: str) -> set[str]:
    """The files in folders of the checkout, as paths from its top."""
    found = (path for name in names for path in (ROOT / name).rglob("*") if path.is_file())
    return {str(path.relative_to(ROOT)) for path in found if not any(part in str(path) for part in NO_PART)}


def test_the_wheel_holds_the_package_with_its_resources(dist):
    """Every file of the package; tests, documentation, tools and packaging come with the sources."""
    names = {name for name in zipfile.ZipFile(dist[1]).namelist() if ".dist-info/" not in name}
    resources = {f"meshgui/{name}" for name in _files_below("resources")}
    assert names == _files_below("meshgui") | resources
    with tarfile.open(dist[0]) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    missing = _files_below("meshgui", "resources", "tests", "docs", "tools", "packaging") - names
    assert not missing
    assert names >= {"Makefile", "README.md", "CHANGELOG.md", "LICENSE", "pyproject.toml", ".gitignore"}


def test_the_window_is_an_extra_and_the_wheel_carries_every_licence_that_it_names(dist):
    """Workers of a cluster get no Qt; fonts and icons come with texts of their own."""
    metadata = metadata_of(dist[1])
    for name in ("PySide6-Essentials", "pyqtgraph", "PyOpenGL"):
        [line] = [line for line in metadata.splitlines() if line.startswith(f"Requires-Dist: {name}")]
        assert line.endswith('extra == "gui"')
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    assert {name.partition(">")[0] for name in needed} == {"numpy", "numba", "pydantic"}
    metadata = metadata_of(dist[1])
    assert "License-Expression: MIT AND OFL-1.1 AND ISC" in metadata
    named = {line.partition(": ")[2] for line in metadata.splitlines() if line.startswith("License-File: ")}
    held = {f"meshgui-{meshgui.__version__}.dist-info/licenses/{name}" for name in named}
    assert held <= set(zipfile.ZipFile(dist[1]).namelist())
    resources = ROOT / "resources"
    texts = [*resources.glob("fonts/*-OFL.txt"), resources / "icons" / "LICENSE", ROOT / "LICENSE"]
    assert named == {str(path.relative_to(ROOT)) for path in texts}


def test_the_unpacked_wheel_works_away_from_the_checkout(dist, tmp_path):
    """It lists its strategies, prints a page of help and checks a scenario that it brings."""
    with zipfile.ZipFile(dist[1]) as wheel:
        for name in wheel.namelist():
            wheel.extract(name, tmp_path)
    scenario = "meshgui/resources/scenarios/three-jobs-4x4x4.meshgui.json"
    program = "import sys; from meshgui.cli.entry import run; sys.exit(run(['allocators', 'tbl'])"
    program += f" or run(['validate', {scenario!r}]) or run(['schema']))"
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = completed(sys.executable, "-P", "-c", program, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    assert "Busy List" in done.stdout


MAKE = Path(__file__).parent.parent / "packaging" / "make-appimage-runtime"
NEEDED = ("squashfuse/ll.h", "fuse3/fuse_lowlevel.h", "zstd.h")
APP_RUN = """#!/bin/sh
printf '%s\\n' "$APPDIR" "$APPIMAGE" "$ARGV0" "$OWD" "$(cat "$APPDIR/a folder/link")" "$@"
exit 7
"""


@pytest.fixture(scope="module")
def image(tmp_path_factory) -> Path:
    """A small AppImage, with a link and a name with a space."""
    if not shutil.which("gcc") or not shutil.which("mksquashfs"):
        pytest.skip("gcc or mksquashfs is not installed")
    if not all(Path("/usr/include", header).exists() for header in NEEDED):
        pytest.skip("libsquashfuse-dev, libfuse3-dev or libzstd-dev is not installed")
    place = tmp_path_factory.mktemp("appimage")
    folder = place / "folder"
    (folder / "a folder").mkdir(parents=True)
    (folder / "AppRun").write_text(APP_RUN)
    (folder / "AppRun").chmod(0o755)
    (folder / "a folder" / "text").write_text("as it was")
    (folder / "a folder" / "link").symlink_to("text")
    (folder / "large").write_bytes(os.urandom(3 << 20))
    start, squashed, made = place / "start", place / "squashed", place / "an image"
    subprocess.run([MAKE, start], check=True, timeout=60)
    words = ["-root-owned", "-noappend", "-comp", "zstd", "-quiet", "-no-progress"]
    subprocess.run(["mksquashfs", folder, squashed, *words], check=True, capture_output=True, timeout=60)
    made.write_bytes(start.read_bytes() + squashed.read_bytes())
    made.chmod(0o755)
    return made


def ran(image: Path, place: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """What it answers when started in a folder, which is that for temporary files too."""
    environment = os.environ | {"TMPDIR": str(place)} | more
    return completed(image, *words, cwd=place, env=environment, seconds=180)


def is_empty(folder: Path) -> bool:
    """Whether nothing is left in a folder, now or soon."""
    return wait_until(lambda: not any(folder.iterdir()), 10)


@pytest.mark.parametrize("words", [(), ("--appimage-extract-and-run",)])
def test_it_runs_what_it_holds_and_leaves_nothing(image: Path, tmp_path: Path, words: tuple[str, ...]):
    """With the arguments, the exit status and the variables of an AppImage."""
    done = ran(image, tmp_path, *words, "run", "two words")
    assert done.returncode == 7
    folder, *rest = done.stdout.splitlines()
    assert Path(folder).parent == tmp_path
    assert rest == [str(image), str(image), str(tmp_path), "as it was", "run", "two words"]
    assert done.stderr == ""
    assert is_empty(tmp_path)


def test_it_unpacks_itself_without_being_run(image: Path, tmp_path: Path):
    """Every file and link, as it was."""
    assert ran(image, tmp_path, "--appimage-extract").returncode == 0
    found = tmp_path / "squashfs-root"
    for path in image.with_name("folder").rglob("*"):
        copy = found / path.relative_to(image.with_name("folder"))
        assert copy.is_symlink() == path.is_symlink()
        assert copy.is_dir() == path.is_dir()
        assert path.is_dir() or copy.read_bytes() == path.read_bytes()
    assert os.access(found / "AppRun", os.X_OK)


def test_it_is_marked_as_an_image_and_knows_where_it_begins(image: Path, tmp_path: Path):
    """Desktops know it by three bytes; of a download that was cut off nothing is run or kept."""
    content = image.read_bytes()
    offset = int(ran(image, tmp_path, "--appimage-offset").stdout)
    assert (content[8:11], content[offset : offset + 4]) == (b"AI\x02", b"hsqs")
    cut, place = tmp_path / "cut", tmp_path / "place"
    offset = int(ran(image, tmp_path, "--appimage-offset").stdout)
    cut.write_bytes(image.read_bytes()[: offset + 2000])
    cut.chmod(0o755)
    place.mkdir()
    done = ran(cut, place, "--appimage-extract-and-run")
    assert (done.returncode, done.stdout) == (127, "")
    assert "damaged" in done.stderr or "cannot unpack" in done.stderr
    assert is_empty(place)
