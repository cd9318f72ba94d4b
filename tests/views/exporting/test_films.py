"""Films: a GIF that any viewer reads, numbered PNGs, and an MP4 through ffmpeg where it is there."""

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage, QImageReader, QPainter

from meshgui.engine.basics.files import remove_parts
from meshgui.model.film import MOST_FRAMES, FilmFormat, film_format, film_times, usual_seconds
from meshgui.model.picture_formats import PictureError
from meshgui.views.exporting import film_files
from meshgui.views.exporting.film_files import film_writer, missing_encoder


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
    plain = [image.convertToFormat(QImage.Format.Format_RGB32) for image in (one, other)]
    bytes_of = [np.frombuffer(image.constBits(), dtype=np.uint8).astype(int) for image in plain]
    return int(np.abs(bytes_of[0] - bytes_of[1]).reshape(-1, 4)[:, :3].max())


def test_a_gif_shows_what_was_drawn(qapp, tmp_path):
    """Frame by frame, nearly in the same colours; a frame that changes little is small."""
    out = tmp_path / "a.gif"
    with film_writer(out, 10.0) as film:
        for number in range(6):
            film.add(frame(number))
    frames = read_back(out)
    assert len(frames) == 6
    assert all(off(shown, frame(number)) <= 8 for number, shown in enumerate(frames))
    assert out.read_bytes()[:6] == b"GIF89a"
    assert [file.name for file in tmp_path.iterdir()] == ["a.gif"]


def test_a_gif_of_noise_fills_and_clears_its_dictionary(qapp, tmp_path):
    """With more than 4096 codes the coder begins again, and the reader with it."""
    dice = np.random.default_rng(1)
    grey = np.repeat(dice.integers(0, 5, (200, 300, 1)) * 63, 3, axis=2).astype(np.uint8)
    image = QImage(grey.tobytes(), 300, 200, 900, QImage.Format.Format_RGB888).copy()
    with film_writer(tmp_path / "n.gif", 5.0) as film:
        film.add(image)
        film.add(image)
    one, two = read_back(tmp_path / "n.gif")
    assert off(one, image) <= 8
    assert off(two, image) <= 8


def test_a_film_that_fails_leaves_no_file(qapp, tmp_path):
    """Neither half a GIF nor its part."""
    film = film_writer(tmp_path / "a.gif", 5.0)
    film.begin()
    film.add(frame(0))
    film.end(whole=False)
    assert list(tmp_path.iterdir()) == []


def test_pictures_are_numbered(qapp, tmp_path):
    """In a folder that is made."""
    with film_writer(tmp_path / "new" / "film", 5.0) as film:
        film.add(frame(0))
        film.add(frame(1))
    names = sorted(file.name for file in (tmp_path / "new" / "film").iterdir())
    assert names == ["frame-00001.png", "frame-00002.png"]


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
    assert stream == {
        "codec_name": "h264",
        "pix_fmt": "yuv420p",
        "width": 120,
        "height": 90,
        "nb_read_frames": "12",
        "r_frame_rate": "8/1",
    }


def test_ffmpeg_ends_before_its_part_is_removed(qapp, tmp_path, monkeypatch):
    """As where the program is stopped: it would make the part anew."""
    tool = tmp_path / "ffmpeg"
    tool.write_text("#!/bin/sh\nexec /bin/sleep 60\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    started, popen = [], subprocess.Popen
    monkeypatch.setattr(
        film_files.subprocess, "Popen", lambda *a, **o: started.append(popen(*a, **o)) or started[-1]
    )
    film = film_writer(tmp_path / "a.mp4", 5.0)
    film.begin()
    film.write(frame(0))
    remove_parts()
    assert [coder.returncode for coder in started] == [-signal.SIGKILL]
    assert list(tmp_path.iterdir()) == [tool]
    film.clear()


def test_ffmpeg_gets_the_frames_as_they_are(qapp, tmp_path, monkeypatch):
    """All of them, with their size and rate; what it says when it fails is told."""
    tool = tmp_path / "ffmpeg"
    tool.write_text('#!/bin/sh\nfor out; do :; done\necho "$@" > "$out.words"\nexec /bin/cat > "$out"\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    out = tmp_path / "a.mp4"
    with film_writer(out, 5.0) as film:
        film.add(frame(0))
        film.add(frame(1))
    assert out.stat().st_size == 2 * 120 * 90 * 3
    assert "-s 120x90 -r 5" in next(tmp_path.glob("*.words")).read_text()
    tool.write_text("#!/bin/sh\nwhile read -r line; do :; done\necho 'no such codec' >&2\nexit 1\n")
    with pytest.raises(PictureError, match="ffmpeg failed: no such codec"), film_writer(out, 5.0) as film:
        film.add(frame(0))
    assert out.stat().st_size == 2 * 120 * 90 * 3


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script")
def test_a_film_that_fails_or_is_stopped_leaves_the_old_one(qapp, tmp_path, monkeypatch):
    """Whole, and nothing beside it: the coder writes elsewhere, and is ended at once."""
    tool = tmp_path / "ffmpeg"
    tool.write_text('#!/bin/sh\nfor out; do :; done\n/bin/cat > "$out"\nexec /bin/sleep 60\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    out = tmp_path / "a.mp4"
    out.write_bytes(b"old")
    film = film_writer(out, 5.0)
    film.begin()
    film.add(frame(0))
    film.end(whole=False)
    tool.write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(PictureError, match="it did not say why"), film_writer(out, 5.0) as film:
        film.add(frame(0))
    assert out.read_bytes() == b"old"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.mp4", "ffmpeg"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
@pytest.mark.parametrize("name", ["a.gif", "a.mp4"])
def test_a_full_disk_is_one_sentence(qapp, tmp_path, monkeypatch, name):
    """At the end at the latest, and the film that was there before stays."""
    if missing_encoder(Path(name)):
        pytest.skip("ffmpeg is not installed")
    (tmp_path / name).write_bytes(b"old")
    (tmp_path / "part").symlink_to("/dev/full")
    monkeypatch.setattr(film_files, "beside", lambda out: out.with_name("part"))
    with pytest.raises(PictureError) as fault, film_writer(tmp_path / name, 5.0) as film:
        film.add(frame(0))
    assert "no space left on device" in str(fault.value).lower()
    assert "\n" not in str(fault.value)
    assert [file.name for file in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_bytes() == b"old"


def test_the_frames_of_a_film_reach_from_its_start_to_its_end():
    """So many a second; a whole run plays a minute, as in the window."""
    assert film_times(2.0, 4.0, 2, 1.0).tolist() == [2.0, 3.0, 4.0]
    assert usual_seconds(0.0, 50.0, 100.0) == 30.0
    assert usual_seconds(0.0, 0.1, 100.0) == 1.0
    with pytest.raises(ValueError, match=f"at most {MOST_FRAMES} frames"):
        film_times(0.0, 1.0, 100, 1000.0)
    assert [film_format(Path(name)) for name in ("a.GIF", "b.mp4", "c")] == list(FilmFormat)
    with pytest.raises(ValueError, match=r"ends in \.gif or \.mp4, or a folder, got a\.avi"):
        film_format(Path("a.avi"))
