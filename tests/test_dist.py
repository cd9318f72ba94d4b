"""The wheel and the sdist hold everything they need, and nothing else."""

import os
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import meshgui
from tests.processes import completed

ROOT = Path(__file__).parent.parent
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
    assert names == _files_below("meshgui")
    with tarfile.open(dist[0]) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    missing = _files_below("meshgui", "tests", "docs", "tools", "packaging") - names
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
    resources = ROOT / "meshgui" / "resources"
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
