"""`meshgui render` and `meshgui FILE` as processes of their own, where Qt is installed."""

import os
import shutil
import sys

import pytest
from PySide6.QtGui import QImage

from meshgui.cli.entry import run
from meshgui.model.examples import example
from tests.processes import finished
from tests.views.reading import pdf_fonts, pdf_page, svg_texts

WITHOUT_SCREEN = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
needs_xvfb = pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed")


def meshgui(*words, without=frozenset(), **environment):
    """The program, with these words and without some variables of the environment."""
    kept = {name: value for name, value in os.environ.items() if name not in without}
    return finished(words, kept | {"PYTHONPATH": os.pathsep.join(sys.path)} | environment)


@needs_xvfb
@pytest.mark.parametrize("view", ["mesh", "window", "plots"])
def test_a_picture_is_drawn_where_there_is_no_screen(tmp_path, view):
    """Each view comes out in the size asked for, with nothing to say about it."""
    out = tmp_path / "p.png"
    words = ["render", example("three-jobs-4x4x4"), "--at", 1, "--out", out, "--size", "900x600"]
    done = meshgui(*words, "--view", view, without=WITHOUT_SCREEN)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    image = QImage(str(out))
    assert (image.width(), image.height()) == (900, 600)
    assert len({image.pixel(x, y) for x in range(0, 900, 7) for y in range(0, 600, 7)}) > 8


def test_a_picture_is_drawn_without_xvfb_and_without_opengl(tmp_path):
    """Where no virtual screen can be had either, the mesh is drawn flat."""
    out = tmp_path / "p.png"
    words = ["render", example("three-jobs-4x4x4"), "--at", 1, "--out", out, "--size", "900x600"]
    done = meshgui(*words, without=WITHOUT_SCREEN, PATH=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert QImage(str(out)).width() == 900


def test_a_picture_that_cannot_be_written_is_one_line(tmp_path):
    """A missing folder is noticed before the work, with status 1."""
    out = tmp_path / "missing" / "p.png"
    done = meshgui("render", example("three-jobs-4x4x4"), "--at", 1, "--out", out)
    assert done.returncode == 1
    assert done.stderr == f"meshgui: {out}: could not be written: there is no folder {out.parent}\n"


@needs_xvfb
def test_a_screen_that_refuses_us_is_one_line_for_the_window_and_no_hindrance_for_a_picture(tmp_path):
    """A stale DISPLAY neither ends the program in Qt nor keeps it from drawing."""
    window = meshgui(without=WITHOUT_SCREEN, DISPLAY=":4711")
    assert (window.returncode, window.stderr.count("\n")) == (1, 1)
    assert window.stderr.startswith("meshgui: the screen :4711 (DISPLAY) does not answer")
    out = tmp_path / "p.png"
    words = ["render", example("three-jobs-4x4x4"), "--at", 1, "--out", out]
    assert meshgui(*words, without=WITHOUT_SCREEN, DISPLAY=":4711").returncode == 0
    assert out.exists()


@pytest.mark.parametrize("name", ["three-jobs-4x4x4", "tbl-under-load"])
def test_the_window_opens_on_a_file_paints_and_ends(name):
    """The way to the first paint, which the benchmark times, ends with status 0 and no complaint."""
    done = meshgui(example(name), MESHGUI_BENCH_FIRST_PAINT="1")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def draw(qapp, capsys):
    """Draws a picture by the command in this process, which saves its start; returns the picture."""

    def draw(name, out, *words):
        assert run(["render", *map(str, (example(name), "--out", out, "--size", "900x600", *words))]) == 0
        assert capsys.readouterr() == ("", "")
        return QImage(str(out))

    return draw


def test_steps_of_a_jobs_attempt_are_drawn(draw, tmp_path):
    """The inspector and the window show another picture at another step; without one it is the last."""
    pictures = []
    for number, step in enumerate([["--step", 1], ["--step", 3], ["--attempt", 1]]):
        for view in ("inspector", "window"):
            out = tmp_path / f"{view}{number}.png"
            words = ["--job", 2, *step, "--view", view]
            pictures.append(draw("tree-allocation-example-1", out, *words))
    assert all((image.width(), image.height()) == (900, 600) for image in pictures)
    assert all(a != b for i, a in enumerate(pictures) for b in pictures[:i])


def test_steps_of_a_jobs_release_are_drawn(draw, tmp_path):
    """Two steps of a merge are two pictures, and none is that of the allocation."""
    pictures = []
    for number, step in enumerate([["--release", "--step", 1], ["--release", "--step", 2], ["--step", 1]]):
        out = tmp_path / f"{number}.png"
        pictures.append(draw("multiple-buddy-16x16", out, "--job", 2, *step, "--view", "window"))
    assert all(a != b for i, a in enumerate(pictures) for b in pictures[:i])


def test_a_release_without_steps_is_one_line(tmp_path):
    """First Fit only marks processors free."""
    words = ["--job", 2, "--release", "--out", tmp_path / "p.png"]
    done = meshgui("render", example("first-fit-16x16"), *words, QT_QPA_PLATFORM="offscreen")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--release: ff releases a job by marking its processors free, without further steps" in done.stderr


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--job", 3], "--job: expected a job from 0 to 2, got 3"),
        (["--job", 0, "--attempt", 2], "--attempt: expected an attempt from 1 to 1 of job 0, got 2"),
        (["--job", 0, "--step", 0], "--step: expected a step from 1 to "),
        (["--job", 0, "--step", 9999], " of attempt 1 of job 0, got 9999"),
    ],
)
def test_a_step_that_there_is_not_is_one_line(tmp_path, words, line):
    """It says which there are, with status 2."""
    out = tmp_path / "p.png"
    done = meshgui("render", example("three-jobs-4x4x4"), *words, "--out", out, QT_QPA_PLATFORM="offscreen")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert line in done.stderr
    assert not out.exists()


@needs_xvfb
def test_a_tree_is_drawn(tmp_path):
    """Of a strategy that keeps one; of another the line says that it keeps none."""
    out = tmp_path / "tree.png"
    words = ["--at", 8, "--out", out, "--size", "900x600", "--view", "tree"]
    done = meshgui("render", example("tree-allocation-example-1"), *words, without=WITHOUT_SCREEN)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    image = QImage(str(out))
    assert (image.width(), image.height()) == (900, 600)
    assert len({image.pixel(x, y) for x in range(0, 900, 3) for y in range(0, 600, 3)}) > 8
    done = meshgui("render", example("three-jobs-4x4x4"), *words, without=WITHOUT_SCREEN)
    assert done.returncode == 2
    assert "keeps none" in done.stderr
    done = meshgui("render", example("fuzzy-partitioning-16x16"), *words, without=WITHOUT_SCREEN)
    assert done.returncode == 1
    assert "no tree at that time" in done.stderr


def test_growth_is_drawn_without_a_screen(tmp_path):
    """Both plots come out as one picture with more than a background on it."""
    out = tmp_path / "growth.png"
    done = meshgui("growth", "bl", "--out", out, without=WITHOUT_SCREEN)
    assert (done.returncode, done.stderr) == (0, "")
    image = QImage(str(out))
    assert (image.width(), image.height()) == (1600, 900)
    assert len({image.pixel(x, y) for x in range(0, 1600, 3) for y in range(0, 900, 3)}) > 8


def test_growth_is_drawn_in_lines_too(tmp_path):
    """As SVG and PDF by the ending of the name; another ending is refused before the work."""
    for ending in ("svg", "pdf"):
        out = tmp_path / f"growth.{ending}"
        done = meshgui("growth", "bl", "--out", out, without=WITHOUT_SCREEN)
        assert (done.returncode, done.stderr) == (0, "")
    assert {"More jobs on one mesh", "operations per allocation", "bl"} <= set(
        svg_texts(tmp_path / "growth.svg")
    )
    assert pdf_page(tmp_path / "growth.pdf") == (1200, 675)
    assert pdf_fonts(tmp_path / "growth.pdf") == {"Inter-Regular", "Inter-SemiBold"}
    done = meshgui("growth", "bl", "--out", tmp_path / "growth.jpg", without=WITHOUT_SCREEN)
    assert (done.returncode, done.stdout) == (2, "")
    assert "expected a name that ends in .png, .svg or .pdf, got growth.jpg" in done.stderr
    assert done.stderr.count("\n") == 1
    done = meshgui("growth", "bl", "--out", tmp_path / "missing" / "growth.pdf", without=WITHOUT_SCREEN)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
