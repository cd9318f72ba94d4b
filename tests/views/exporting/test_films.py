"""Films: a GIF that any viewer reads, numbered PNGs, and an MP4 through ffmpeg where it is there."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage, QImageReader, QPainter

from meshgui.engine.basics.files import remove_parts
from meshgui.model.base.film import MOST_FRAMES, FilmFormat, film_format, film_times, usual_seconds
from meshgui.model.base.picture_formats import PictureError
from meshgui.model.export.mp4_boxes import is_whole_mp4
from meshgui.model.scene.colours import COLOUR_COUNT
from meshgui.views.exporting import film_files
from meshgui.views.exporting.film_files import film_writer, missing_encoder
from meshgui.views.style.theme_colours import LIGHT
from meshgui.views.widgets.labels import job_qcolor
from tests.crashes import full_disk
from tests.views.reading import rgb_of


def frame(number: int) -> QImage:
    """A picture with a square that moves over stripes."""
    image = QImage(QSize(120, 90), QImage.Format.Format_RGB32)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    for stripe in range(0, image.width(), 8):
        painter.fillRect(stripe, 0, 4, image.height(), QColor.fromHsv(stripe * 2 % 360, 160, 220))
    painter.fillRect(10 + 9 * number, 20, 16, 16, QColor("#d55e00"))
    painter.end()
    return image


def read_back(path: Path) -> list[QImage]:
    """The frames of a GIF as Qt reads them."""
    reader, frames = QImageReader(str(path)), []
    while not (image := reader.read()).isNull():
        frames.append(image.convertToFormat(QImage.Format.Format_RGB888))
    return frames


def off(one: QImage, other: QImage) -> int:
    """The largest difference of any colour of any pixel."""
    return int(np.abs(rgb_of(one) - rgb_of(other)).max())


def test_a_gif_shows_what_was_drawn_and_pictures_are_numbered(qapp, tmp_path):
    """Frame by frame, nearly in the same colours; a frame that changes little is small."""
    out = tmp_path / "a.gif"
    shoot(out, 6)
    frames = read_back(out)
    assert len(frames) == 6
    assert all(off(shown, frame(number)) <= 8 for number, shown in enumerate(frames))
    assert out.read_bytes()[:6] == b"GIF89a"
    assert [file.name for file in tmp_path.iterdir()] == ["a.gif"]
    # In the colours of the screen, however late one appears
    late = [frame(0) for _ in range(1 + COLOUR_COUNT)]
    for job, image in enumerate(late[1:]):
        image.fill(job_qcolor(job, LIGHT))
    with film_writer(tmp_path / "late.gif", 5.0) as film:
        for image in late:
            film.add(image)
    assert all(off(*pair) == 0 for pair in zip(read_back(tmp_path / "late.gif")[1:], late[1:], strict=True))
    (tmp_path / "late.gif").unlink()
    # In a folder that is made
    shoot(tmp_path / "new" / "film")
    names = sorted(file.name for file in (tmp_path / "new" / "film").iterdir())
    assert names == ["frame-00001.png", "frame-00002.png"]
    # A GIF of noise: with more than 4096 codes the coder begins again, and the reader with it
    dice = np.random.default_rng(1)
    grey = np.repeat(dice.integers(0, 5, (200, 300, 1)) * 63, 3, axis=2).astype(np.uint8)
    image = QImage(grey.tobytes(), 300, 200, 900, QImage.Format.Format_RGB888).copy()
    with film_writer(tmp_path / "n.gif", 5.0) as film:
        film.add(image)
        film.add(image)
    assert [off(shown, image) <= 8 for shown in read_back(tmp_path / "n.gif")] == [True, True]


def test_without_ffmpeg_an_mp4_says_what_is_missing(qapp, tmp_path, monkeypatch):
    """Before anything is drawn."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert missing_encoder(Path("a.mp4")).startswith("An MP4 needs ffmpeg, which is not installed")
    assert missing_encoder(Path("a.gif")) is None
    with pytest.raises(PictureError, match="needs ffmpeg"), film_writer(tmp_path / "a.mp4", 5.0):
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script")
def test_an_mp4_of_a_real_ffmpeg_plays_as_long_as_it_was_told(qapp, tmp_path):
    """As many frames as were drawn, for every player, in an even size that holds the picture."""
    if missing_encoder(Path("a.mp4")) or shutil.which("ffprobe") is None:
        pytest.skip("ffmpeg and ffprobe are not installed")
    out = tmp_path / "a.mp4"
    with film_writer(out, 8.0) as film:
        for number in range(12):
            film.add(frame(number).copy(0, 0, 119, 89))
    wanted = "stream=codec_name,pix_fmt,width,height,nb_read_frames,r_frame_rate,duration"
    probe = ["ffprobe", "-v", "error", "-count_frames", "-show_entries", wanted, "-of", "json", str(out)]
    done = subprocess.run(probe, check=True, capture_output=True, text=True, timeout=60)
    (stream,) = json.loads(done.stdout)["streams"]
    assert float(stream.pop("duration")) == pytest.approx(12 / 8, abs=1 / 8)
    assert (stream.pop("width"), stream.pop("height")) == (120, 90)
    assert (stream.pop("codec_name"), stream.pop("pix_fmt")) == ("h264", "yuv420p")
    assert stream == {"nb_read_frames": "12", "r_frame_rate": "8/1"}


def shoot(out, frames=2):
    """Make a film."""
    with film_writer(out, 5.0) as film:
        for number in range(frames):
            film.add(frame(number))


def content_of(folder):
    """All files below a folder."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


FFMPEG = """
import os, sys
from struct import pack

def box(kind, content):
    return pack(">I", 8 + len(content)) + kind + content

out, frames = sys.argv[-1], b""
{first}
frames = sys.stdin.buffer.read()
whole = box(b"ftyp", b"isom") + box(b"mdat", frames) + box(b"moov", b"index")
{second}
with open(out, "wb") as film:
    film.write(whole)
{last}
"""


@pytest.fixture
def ffmpeg(tmp_path, monkeypatch):
    """Puts a program in the place of ffmpeg that packs the frames into boxes, and misbehaves as asked."""

    def install(first="", second="", last=""):
        tools.mkdir(exist_ok=True)
        (tools / "program.py").write_text(FFMPEG.format(first=first, second=second, last=last))
        # Not named in the script's first line: the interpreter may lie in a folder with a space.
        (tools / "ffmpeg").write_text(f'#!/bin/sh\nexec "{sys.executable}" "{tools}/program.py" "$@"\n')
        (tools / "ffmpeg").chmod(0o755)

    if sys.platform == "win32":
        pytest.skip("the stand-in is a script")
    tools = tmp_path / "tools"
    monkeypatch.setenv("PATH", str(tools))
    return install


def test_ffmpeg_ends_before_its_part_is_removed(qapp, ffmpeg, tmp_path, monkeypatch):
    """As where the program is stopped: it would make the part again."""
    ffmpeg(first="import time; time.sleep(60)")
    started, popen = [], subprocess.Popen
    monkeypatch.setattr(
        film_files.subprocess, "Popen", lambda *a, **o: started.append(popen(*a, **o)) or started[-1]
    )
    film = film_writer(tmp_path / "a.mp4", 5.0)
    film.begin()
    film.write(frame(0))
    remove_parts()
    assert [coder.returncode for coder in started] == [-signal.SIGKILL]
    assert [file.name for file in tmp_path.iterdir()] == ["tools"]
    film.clear()


def test_ffmpeg_gets_the_frames_as_they_are(qapp, ffmpeg, tmp_path):
    """All of them, with their size and rate."""
    ffmpeg(last="open(os.path.dirname(sys.argv[0]) + '/words', 'w').write(' '.join(sys.argv))")
    out = tmp_path / "a.mp4"
    shoot(out)
    content = out.read_bytes()
    assert content[4:12] == b"ftypisom"
    assert content[16:20] == b"mdat"
    assert len(content) == 12 + 8 + 2 * 120 * 90 * 3 + 13
    assert "-s 120x90 -r 5" in (tmp_path / "tools" / "words").read_text()
    # Words of the loader about a library that is not found are no error of ffmpeg
    ffmpeg(last="print('ld.so: object from LD_PRELOAD cannot be preloaded: ignored.', file=sys.stderr)")
    shoot(tmp_path / "a.mp4")
    assert is_whole_mp4(tmp_path / "a.mp4")


ENDS = "[out#0] [error] Error writing trailer of %s: No space left on device"
SILENT = "ffmpeg failed: it did not say why."
NO_SPACE = "ffmpeg failed: Error writing trailer of a.mp4: No space left on device."
MISBEHAVIOURS = {
    "says why and ends with 1": (
        {"first": "sys.stdin.buffer.read(); sys.exit('no such codec')"},
        "ffmpeg failed: no such codec.",
    ),
    "ends with 1 without a word": ({"first": "sys.stdin.buffer.read(); sys.exit(1)"}, SILENT),
    "ends with 0 before it has every frame": ({"first": "sys.exit(0)"}, SILENT),
    "reports an error and ends with 0": ({"last": f"print({ENDS!r} % out, file=sys.stderr)"}, NO_SPACE),
    "reports an error after a word of the loader": (
        {"last": f"print('ld.so: ignored.', file=sys.stderr); print({ENDS!r} % out, file=sys.stderr)"},
        NO_SPACE,
    ),
    "is killed": ({"first": "sys.stdin.buffer.read(); os.kill(os.getpid(), 9)"}, SILENT),
    "writes nothing": ({"second": "whole = b''"}, SILENT),
    "writes no index": ({"second": "whole = whole[:-13]"}, SILENT),
    "writes a part of the index": ({"second": "whole = whole[:-1]"}, SILENT),
    "writes a part of the frames": ({"second": "whole = whole[:99]"}, SILENT),
    "leaves the size of the frames open": ({"second": "whole = whole[:12] + bytes(4) + whole[16:]"}, SILENT),
    "removes what it wrote": ({"last": "os.remove(out)"}, "could not be written: no such file or directory."),
}


@pytest.mark.parametrize("how", MISBEHAVIOURS)
def test_a_film_that_ffmpeg_leaves_broken_is_one_sentence(qapp, ffmpeg, tmp_path, how):
    """Whatever it ends with: the film that was there before stays, with nothing beside it."""
    misbehaviour, said = MISBEHAVIOURS[how]
    ffmpeg(**misbehaviour)
    out = tmp_path / "a.mp4"
    out.write_bytes(b"old")
    with pytest.raises(PictureError) as fault:
        shoot(out, 60)  # more than a pipe holds
    assert str(fault.value) == f"{out}: {said}"
    assert out.read_bytes() == b"old"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.mp4", "tools"]


def test_a_box_of_a_long_film_has_its_size_behind_its_kind(tmp_path):
    """Beyond 4 GiB, in eight bytes; one that reaches beyond the end is cut off."""
    ends = b"\0\0\0\x08ftyp", b"\0\0\0\x08moov"
    for size, whole in ((20, True), (21, False)):
        frames = b"\0\0\0\x01mdat" + size.to_bytes(8, "big") + b"1234"
        (tmp_path / "a.mp4").write_bytes(ends[0] + ends[1] + frames)
        assert is_whole_mp4(tmp_path / "a.mp4") == whole


@pytest.fixture(params=["a.gif", "a.mp4", "frames"])
def name(request):
    """A film of each kind."""
    return request.param


@pytest.fixture
def old(qapp, ffmpeg, tmp_path, name):
    """A film of three frames, alone in its folder."""
    ffmpeg()
    out = tmp_path / "there" / name
    out.parent.mkdir()
    shoot(out, 3)
    return out


def test_a_full_disk_and_a_write_protected_film_are_one_sentence(old, monkeypatch):
    """At the end at the latest, and the film that was there before stays."""
    before = content_of(old.parent)
    with full_disk(), pytest.raises(PictureError) as fault:
        shoot(old, 2)
    assert str(fault.value) == f"{old}: could not be written: no space left on device."
    assert content_of(old.parent) == before
    shoot(old, 2)
    assert content_of(old.parent).keys() == before.keys() - {"frames/frame-00003.png"}
    # Nothing that is write-protected is replaced: one protected picture keeps its whole series
    shoot(old, 3)
    before = content_of(old.parent)
    protected = old / "frame-00002.png" if old.is_dir() else old
    monkeypatch.setattr("os.access", lambda path, _: Path(path) != protected)
    with pytest.raises(PictureError, match="could not be written: permission denied"):
        shoot(old, 2)
    assert content_of(old.parent) == before


def test_a_film_goes_where_a_link_leads(qapp, ffmpeg, tmp_path, name):
    """The link stays, as with every file."""
    ffmpeg()
    near, far = tmp_path / "near" / name, tmp_path / "far" / name
    near.parent.mkdir()
    (far if name == "frames" else far.parent).mkdir(parents=True)
    near.symlink_to(far)
    shoot(near)
    assert near.is_symlink()
    assert [[file.name for file in link.parent.iterdir()] for link in (near, far)] == [[name], [name]]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("name", ["a.gif", "a.mp4"])
def test_a_film_goes_whole_into_a_pipe(qapp, ffmpeg, tmp_path, name):
    """Though ffmpeg goes back in what it writes; the pipe stays."""
    ffmpeg()
    pipe, received = tmp_path / f"pipe-{name}", []
    shoot(tmp_path / name)
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()), daemon=True)
    reader.start()
    shoot(pipe)
    reader.join()
    assert received == [(tmp_path / name).read_bytes()]
    assert pipe.is_fifo()


@pytest.mark.parametrize("name", ["a.gif", "a.mp4", "frames/frame-00001.png"])
@pytest.mark.parametrize("there", [False, True], ids=["nothing there", "an old one"])
def test_a_film_that_is_stopped_leaves_what_was_there(qapp, ffmpeg, tmp_path, name, there):
    """Whole, and nothing beside it: ffmpeg is ended at once; no folder is left where there was none."""
    ffmpeg(last="import time; time.sleep(60)")
    folder = tmp_path / "films"
    old = {name: b"old"} if there else {}
    for path, content in old.items():
        (folder / path).parent.mkdir(parents=True)
        (folder / path).write_bytes(content)
    folder.mkdir(exist_ok=True)
    film = film_writer(folder / name.partition("/")[0], 5.0)
    film.begin()
    film.add(frame(0))
    film.end(whole=False)
    assert content_of(folder) == old
    assert [file.name for file in folder.iterdir()] == [name.partition("/")[0]] * there


@pytest.mark.parametrize("share", [0.1, 0.3, 0.6, 0.9, 0.99])
def test_a_real_ffmpeg_without_room_leaves_the_old_film(qapp, tmp_path, monkeypatch, share):
    """Wherever the room ends: at the head, in the frames or at the index, which may not be an error to it."""
    real = shutil.which("ffmpeg")
    if real is None or sys.platform == "win32":
        pytest.skip("ffmpeg is not installed")
    out = tmp_path / "there" / "a.mp4"
    out.parent.mkdir()
    shoot(out, 60)
    blocks = max(int(share * out.stat().st_size / 512), 1)  # what is said has the same limit
    out.write_bytes(b"old")
    tool = tmp_path / "ffmpeg"
    tool.write_text(f"#!/bin/sh\ntrap '' XFSZ\nulimit -f {blocks}\nexec {real} \"$@\"\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(PictureError, match=r"ffmpeg failed: .*File too large"):
        shoot(out, 60)
    assert content_of(out.parent) == {"a.mp4": b"old"}


def test_the_frames_of_a_film_reach_from_its_start_to_its_end():
    """A number of frames a second; a whole run plays a minute, as in the window."""
    assert film_times(2.0, 4.0, 2, 1.0).tolist() == [2.0, 3.0, 4.0]
    assert usual_seconds(0.0, 50.0, 100.0) == 30.0
    assert usual_seconds(0.0, 0.1, 100.0) == 1.0
    with pytest.raises(ValueError, match=f"at most {MOST_FRAMES} frames"):
        film_times(0.0, 1.0, 100, 1000.0)
    assert [film_format(Path(name)) for name in ("a.GIF", "b.mp4", "c")] == list(FilmFormat)
    with pytest.raises(ValueError, match=r"ends in \.gif or \.mp4, or a folder, got a\.avi"):
        film_format(Path("a.avi"))
