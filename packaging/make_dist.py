"""Builds the sdist, and from it the wheel: `make_dist.py FOLDER`. Works offline, with setuptools alone.

The wheel is built from what the sdist unpacks to, so that nothing left over in the checkout gets into it, and
an sdist from which no wheel can be built is noticed.
"""

import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = {".git", ".venv", ".venv-engine", "build", "dist"}
BUILD = "import sys; from setuptools import build_meta; print(getattr(build_meta, sys.argv[1])(sys.argv[2]))"


def build(kind: str, sources: Path, folder: Path) -> Path:
    """Call the build backend, `build_sdist` or `build_wheel`, in a process of its own; the file it wrote."""
    done = subprocess.run(
        [sys.executable, "-c", BUILD, kind, str(folder)],
        cwd=sources, check=False, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"make_dist: {kind} failed:\n{done.stderr}")
    return folder / done.stdout.splitlines()[-1]


def make_dist(folder: Path) -> tuple[Path, Path]:
    """Write the sdist and the wheel; their files."""
    folder.mkdir(parents=True, exist_ok=True)
    folder = folder.resolve()
    with tempfile.TemporaryDirectory() as place:
        # A link, so that the notes which setuptools keeps beside the sources stay out of the checkout.
        sources = Path(place) / "sources"
        sources.mkdir()
        for item in ROOT.iterdir():
            if item.name not in LEFT_OUT and item.suffix != ".egg-info":
                (sources / item.name).symlink_to(item)
        sdist = build("build_sdist", sources, folder)
        with tarfile.open(sdist) as archive:
            archive.extractall(place, filter="data")
        wheel = build("build_wheel", Path(place) / sdist.name.removesuffix(".tar.gz"), folder)
    return sdist, wheel


if __name__ == "__main__":
    for file in make_dist(Path(sys.argv[1])):
        sys.stdout.write(f"{os.path.relpath(file)}: {file.stat().st_size / 1e6:.1f} MB\n")
