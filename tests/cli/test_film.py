"""Films from the command line."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from meshgui.cli import render
from tests.processes import ScopedProcess, wait_until

pytestmark = pytest.mark.qt


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--from", "0", "--at", "1", "--out", "a.gif"], 2, "expected either --at T, --job K or --from A"),
        (
            ["--at", "1", "--fps", "5", "--out", "a.png"],
            2,
            "expected --from A with --to, --fps and --seconds",
        ),
        (["--from", "0", "--out", "a.avi"], 2, "expected a name that ends in .gif or .mp4, or a folder"),
        (["--from", "0", "--out", "a.gif", "--view", "plots"], 2, "expected mesh or window for a film"),
        (["--from", "0", "--out", "a.gif", "--fps", "0"], 2, "--fps: expected a number from 1 to 100, got 0"),
        (["--from", "0", "--out", "a.mp4"], 1, "an MP4 needs ffmpeg, which is not installed"),
        (["--from", "1e9", "--out", "a.gif"], 2, "--from: expected a time before"),
        (["--from", "0", "--seconds", "1e9", "--out", "a.gif"], 2, "expected at most 20000 frames"),
    ],
)
def test_what_is_wrong_is_one_line_before_the_work(here, shipped, tmp_path, monkeypatch, words, status, said):
    """With the option that is meant."""
    pytest.importorskip("PySide6", reason="without Qt that is what is said first")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.chdir(tmp_path)
    done = here("render", shipped, *words)
    assert (done.returncode, done.stderr.count("\n")) == (status, 1)
    assert said in done.stderr


def test_a_stretch_of_a_run_becomes_numbered_pictures(meshgui, shipped, tmp_path):
    """Two frames a second for a second, and the last."""
    pytest.importorskip("PySide6", reason="pictures are drawn by Qt")
    out = tmp_path / "film"
    words = ["--from", "1", "--to", "3", "--fps", "2", "--seconds", "1", "--size", "400x300"]
    done = meshgui("render", shipped, *words, "--out", out)
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(file.name for file in out.iterdir()) == [f"frame-0000{n}.png" for n in (1, 2, 3)]


@pytest.mark.skipif(sys.platform == "win32", reason="signals end programs at once there")
@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("platform", ["offscreen", ""])
def test_a_film_that_is_interrupted_leaves_nothing(shipped, tmp_path, sent, status, platform):
    """Neither a part of it nor a traceback, drawn in memory or by a process of its own on a screen."""
    pytest.importorskip("PySide6", reason="pictures are drawn by Qt")
    out = tmp_path / "film.gif"
    out.write_bytes(b"old")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "QT_QPA_PLATFORM": platform}
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        environment.pop(name, None)
    words = [sys.executable, "-m", "meshgui", "render", str(shipped), "--from", "0", "--out", str(out)]
    with ScopedProcess(words, stderr=subprocess.PIPE, text=True, env=environment) as running:
        assert wait_until(lambda: len(list(tmp_path.iterdir())) > 1, 60.0), "it has not begun"
        running.send_signal(sent)
        assert running.communicate(timeout=60)[1] == ""
    assert running.returncode == status
    assert [file.name for file in tmp_path.iterdir()] == ["film.gif"]
    assert out.read_bytes() == b"old"


@pytest.mark.skipif(sys.platform == "win32", reason="signals end programs at once there")
def test_an_interrupt_goes_on_to_the_process_that_draws(monkeypatch):
    """At once, not after the quarter of a second for which Python's own waiting hopes."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(5)"])
    monkeypatch.setattr(process, "_sigint_wait_secs", 60.0)
    timer = threading.Timer(0.1, os.kill, [os.getpid(), signal.SIGINT])
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            render._status_of(process)
    finally:
        signal.signal(signal.SIGINT, before)
    assert process.returncode == -signal.SIGTERM


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script")
def test_a_film_that_ffmpeg_leaves_broken_is_an_error(meshgui, shipped, tmp_path, monkeypatch):
    """Though ffmpeg ends with 0, as on a full disk: one line, and the film that was there before stays."""
    pytest.importorskip("PySide6", reason="pictures are drawn by Qt")
    (tmp_path / "ffmpeg").write_text("#!/bin/sh\nexec cat > /dev/null\n")
    (tmp_path / "ffmpeg").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    out = tmp_path / "film.mp4"
    out.write_bytes(b"old")
    words = ["--from", "1", "--to", "3", "--fps", "2", "--seconds", "1", "--size", "400x300"]
    done = meshgui("render", shipped, *words, "--out", out)
    assert done.returncode == 1
    assert done.stderr.rstrip("\n").endswith("film.mp4: ffmpeg failed: it did not say why")
    assert out.read_bytes() == b"old"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["ffmpeg", "film.mp4"]
