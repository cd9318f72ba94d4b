"""The start of the AppImage mounts or unpacks what stands behind it, runs it and leaves nothing."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.processes import completed, wait_until

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
    return completed(image, *words, cwd=place, env=environment, seconds=30)


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
