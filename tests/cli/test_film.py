"""Films and pictures, and whether there is a screen for them."""

import os
import shutil
import signal
import subprocess
import sys
import threading
from socket import AF_UNIX, socket

import pytest

from meshgui.cli import render
from meshgui.views.offscreen.screen import VirtualScreenError, missing_screen, virtual_screen
from tests.processes import ScopedProcess, wait_until

pytestmark = pytest.mark.qt


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
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(30)"])
    monkeypatch.setattr(process, "_sigint_wait_secs", 60.0)
    wait = os.waitid

    def interrupted(*words):
        threading.Timer(0.1, signal.pthread_kill, [threading.main_thread().ident, signal.SIGINT]).start()
        return wait(*words)

    monkeypatch.setattr(os, "waitid", interrupted)
    with pytest.raises(KeyboardInterrupt):
        render._status_of(process)
    assert process.returncode == -signal.SIGTERM  # it has not ended by itself before


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


linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux may lack a screen")


def test_a_platform_chosen_by_the_user_is_taken():
    """QT_QPA_PLATFORM of the user is not second-guessed, as long as one of what is named needs no screen."""
    assert missing_screen({"QT_QPA_PLATFORM": "offscreen"}) is None
    assert missing_screen({"QT_QPA_PLATFORM": "xcb;offscreen:size=9x9"}) is None
    assert missing_screen({"WAYLAND_SOCKET": "3", "QT_QPA_PLATFORM": "wayland"}) is None


@linux
@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({}, "neither DISPLAY nor WAYLAND_DISPLAY is set"),
        ({"DISPLAY": ":4711"}, "the screen :4711 (DISPLAY) does not answer"),
        ({"DISPLAY": "localhost:4711.0"}, "the screen localhost:4711.0 (DISPLAY) does not answer"),
        ({"QT_QPA_PLATFORM": "xcb"}, "QT_QPA_PLATFORM is xcb, and DISPLAY is not set"),
        ({"QT_QPA_PLATFORM": "xcb", "DISPLAY": ":4711"}, "the screen :4711 (DISPLAY) does not answer"),
        ({"QT_QPA_PLATFORM": "wayland-egl;xcb"}, "the screen wayland-0 (WAYLAND_DISPLAY) does not answer"),
        ({"WAYLAND_DISPLAY": "w-9"}, "the screen w-9 (WAYLAND_DISPLAY) does not answer"),
    ],
)
def test_a_missing_screen_or_one_that_does_not_answer_is_noticed(environment, sentence, tmp_path):
    """Qt would end the program over it."""
    said = missing_screen({"XDG_RUNTIME_DIR": str(tmp_path)} | environment)
    assert said.removeprefix("there is no screen: ") == sentence


@linux
def test_a_picture_is_drawn_without_the_screen_that_was_asked_for(meshgui, shipped, tmp_path):
    """In memory, as where none is asked for."""
    pytest.importorskip("PySide6", reason="pictures are drawn by Qt")
    out = tmp_path / "a.png"
    done = meshgui("render", shipped, "--at", 1, "--out", out, QT_QPA_PLATFORM="xcb", PATH="")
    assert (done.returncode, done.stderr, out.is_file()) == (0, "", True)


@linux
def test_a_wayland_screen_that_answers_is_taken(tmp_path, monkeypatch):
    """Named in the runtime folder, or by a whole path."""
    monkeypatch.chdir(tmp_path)
    with socket(AF_UNIX) as server:
        server.bind("w")
        server.listen()
        assert missing_screen({"WAYLAND_DISPLAY": "w", "XDG_RUNTIME_DIR": "."}) is None
        assert missing_screen({"WAYLAND_DISPLAY": str(tmp_path / "w")}) is None


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed")
def test_a_virtual_screen_answers_and_is_gone_afterwards():
    """Inside there is a screen; afterwards neither it nor a change of this process's environment is left."""
    before = dict(os.environ)
    with virtual_screen(320, 240) as environment:
        number = {"DISPLAY": environment["DISPLAY"]}
        assert missing_screen(number) is None
    assert missing_screen(number) is not None
    assert dict(os.environ) == before


def test_a_virtual_screen_that_cannot_start_is_one_line(tmp_path, monkeypatch):
    """Without Xvfb, or with one that ends at once, there is a line and no leftover."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(VirtualScreenError, match="could not be started"), virtual_screen(320, 240):
        pass
    (tmp_path / "Xvfb").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    (tmp_path / "Xvfb").chmod(0o755)
    with pytest.raises(VirtualScreenError, match="did not start"), virtual_screen(320, 240):
        pass


@pytest.mark.parametrize("platform", ["", "xcb"])
def test_the_window_without_a_screen_is_one_line(meshgui, shipped, platform):
    """`meshgui` and `meshgui FILE` say what is missing, with status 1; a bad file is said first, with 2."""
    pytest.importorskip("PySide6", reason="without Qt that is what is missing")
    for words in ([], [shipped]):
        done = meshgui(*words, QT_QPA_PLATFORM=platform)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert "there is no screen" in done.stderr
    assert meshgui("none.json").returncode == 2
