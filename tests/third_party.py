"""Installs the packages in tests/packages, as their users would, into a folder of their own."""

import hashlib
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import invalidate_caches
from importlib.metadata import version
from pathlib import Path

import pytest

from meshgui.engine.allocation.registry import strategies
from meshgui.itself import resource
from tests.processes import completed

__all__ = [
    "PACKAGES", "installed", "lay_out", "lay_out_own", "on_path", "own_programs", "three_jobs",
]  # fmt: skip

PACKAGES = Path(__file__).parent / "packages"
KEPT = PACKAGES.parents[1] / "build" / "tests"
OWN_PAGE = resource("manual", "own-strategies.md")
_OLDEST_SETUPTOOLS = 77  # as pyproject.toml and packaging/make-environment have it


def installed() -> Path:
    """Where pip has installed all packages: built again only when they or what builds them changed."""
    built = hashlib.sha256(f"{sys.version} {version('setuptools')} {version('pip')}".encode())
    for file in sorted(path for path in PACKAGES.rglob("*") if path.is_file() and path.suffix != ".pyc"):
        built.update(f"\n{file.relative_to(PACKAGES)}\n".encode() + file.read_bytes())
    target = KEPT / f"packages-{built.hexdigest()[:16]}"
    if not target.is_dir():
        KEPT.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=KEPT) as folder:
            _install(Path(folder))
            with suppress(OSError):  # another process was sooner
                (Path(folder) / "installed").rename(target)
    return target


def _install(folder: Path) -> None:
    """Have pip build and install all packages, without an index."""
    if int(version("setuptools").split(".")[0]) < _OLDEST_SETUPTOOLS:
        pytest.skip(f"setuptools {_OLDEST_SETUPTOOLS} or newer is not installed")
    sources = folder / "sources"
    shutil.copytree(PACKAGES, sources, ignore=shutil.ignore_patterns("__pycache__"))
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-index"]
    pip += ["--no-deps", "--no-build-isolation", "--target", str(folder / "installed")]
    done = completed(*pip, *sorted(sources.iterdir()), seconds=300)
    assert done.returncode == 0, done.stderr


@contextmanager
def on_path(folder: Path) -> Iterator[None]:
    """A block in which this process has the packages of a folder; not for what never ends in a kernel."""
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    invalidate_caches()
    strategies.cache_clear()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        strategies.cache_clear()
        for name in set(sys.modules) - before:
            if str(folder) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]


def lay_out(folder: Path, name: str, version: str, points: str, modules: dict[str, str]) -> None:
    """Put a distribution of modules into a folder as pip leaves it there; `points` are its entry points."""
    for module, text in modules.items():
        (folder / f"{module}.py").write_text(text, encoding="utf-8")
    about = folder / f"{name.replace('-', '_')}.dist-info"
    about.mkdir(exist_ok=True)
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    (about / "METADATA").write_text(metadata, encoding="utf-8")
    (about / "top_level.txt").write_text("\n".join(modules), encoding="utf-8")
    (about / "entry_points.txt").write_text(points, encoding="utf-8")


def own_programs() -> dict[str, str]:
    """The manual's strategy, discipline and pattern of one's own, each by the module that it becomes."""
    programs = re.findall(r"```python\n(.*?)```", OWN_PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return dict(zip(("own_last", "own_ageing", "own_ring"), programs, strict=True))


def lay_out_own(folder: Path, modules: dict[str, str], version: str = "1.0") -> None:
    """Put them into a folder as one distribution."""
    points = "[meshgui.allocators]\nlast = own_last:LastFit\n[meshgui.patterns]\nring = own_ring:Ring\n"
    points += "[meshgui.disciplines]\nageing = own_ageing:SmallestWithAgeing\n"
    lay_out(folder, "own", version, points, modules)


def three_jobs(folder: Path, name: str, **options: object) -> Path:
    """A scenario file on a small mesh: the third job waits for the first."""
    jobs = [([3, 3], 0, 5), ([2, 2], 1, 2), ([4, 1], 2, 1)]
    path = folder / f"{name}.meshgui.json"
    data = {
        "meshgui": 1,
        "title": name,
        "mesh": {"shape": [5, 4]},
        "allocator": {"name": name, "options": options},
        "workload": {
            "kind": "list",
            "jobs": [{"arrival": at, "size": size, "service": service} for size, at, service in jobs],
        },
    }
    path.write_text(json.dumps(data), encoding="utf-8")
    return path
