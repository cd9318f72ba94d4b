"""`meshgui render` and `meshgui FILE` as processes of their own, where Qt is installed."""

import os
import shutil
import sys
from itertools import combinations

import pytest
from PySide6.QtGui import QImage

from meshgui.cli.entry import run
from meshgui.model.document.examples import example
from tests.processes import finished
from tests.views.reading import pdf_fonts, pdf_page, svg_texts

WITHOUT_SCREEN = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
needs_xvfb = pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed")


def meshgui(*words, without=frozenset(), **environment):
    """The program, with these words and without some variables of the environment."""
    kept = {name: value for name, value in os.environ.items() if name not in without}
    return finished(words, kept | {"PYTHONPATH": os.pathsep.join(sys.path)} | environment)


def colours(image, step):
    """How many there are at every few pixels of a picture, and its size."""
    size = (image.width(), image.height())
    return len({image.pixel(x, y) for x in range(0, size[0], step) for y in range(0, size[1], step)}), size


@needs_xvfb
@pytest.mark.parametrize("view", ["mesh", "window", "plots"])
def test_a_picture_is_drawn_where_there_is_no_screen(tmp_path, view):
    """Each view comes out in the size asked for, with nothing to say about it."""
    out = tmp_path / "p.png"
    words = ["render", example("three-jobs-4x4x4"), "--at", 1, "--out", out, "--size", "600x400"]
    done = meshgui(*words, "--view", view, without=WITHOUT_SCREEN)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    seen, size = colours(QImage(str(out)), 5)
    assert seen > 8
    assert size == (600, 400)


def test_a_picture_is_drawn_without_xvfb_and_without_opengl(tmp_path):
    """Where no virtual screen can be had either, the mesh is drawn flat."""
    out = tmp_path / "p.png"
    words = ["render", example("three-jobs-4x4x4"), "--at", 1, "--out", out, "--size", "600x400"]
    done = meshgui(*words, without=WITHOUT_SCREEN, PATH=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert QImage(str(out)).width() == 600


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


def test_growth_is_drawn_without_a_screen(tmp_path):
    """Both plots come out as one picture with more than a background on it."""
    out = tmp_path / "growth.png"
    done = meshgui("growth", "bl", "--out", out, without=WITHOUT_SCREEN)
    assert (done.returncode, done.stderr) == (0, "")
    seen, size = colours(QImage(str(out)), 3)
    assert seen > 8
    assert size == (1600, 900)


@pytest.fixture
def here(qapp, capsys):
    """The program in this process, which saves its start: its status and what it says."""

    def here(*words):
        status = run([str(word) for word in words])
        return status, *capsys.readouterr()

    return here


@pytest.fixture
def draw(here):
    """Draws a picture of an example and returns it."""

    def draw(name, out, *words):
        assert here("render", example(name), "--out", out, "--size", "600x400", *words) == (0, "", "")
        return QImage(str(out))

    return draw


def test_steps_of_a_jobs_attempt_are_drawn(draw, tmp_path):
    """The inspector and the window show another picture at another step; without one it is the last."""
    pictures = [
        draw("tree-allocation-example-1", tmp_path / "p.png", "--job", 2, *step, "--view", view)
        for step in (["--step", 1], ["--step", 3], ["--attempt", 1])
        for view in ("inspector", "window")
    ]
    assert all((image.width(), image.height()) == (600, 400) for image in pictures)
    assert all(a != b for a, b in combinations(pictures, 2))


def test_steps_are_counted_from_the_end_as_well(draw, tmp_path):
    """The step -1 is the one that is drawn where none is named, and -2 the one before it."""
    last, named, before = (
        draw("tree-allocation-example-1", tmp_path / "p.png", "--job", 2, *step, "--view", "inspector")
        for step in ([], ["--step", -1], ["--step", -2])
    )
    assert last == named != before


def test_steps_of_a_jobs_release_are_drawn(draw, tmp_path):
    """Two steps of a merge are two pictures, and none is that of the allocation."""
    pictures = [
        draw("multiple-buddy-16x16", tmp_path / "p.png", "--job", 2, *step, "--view", "window")
        for step in (["--release", "--step", 1], ["--release", "--step", 2], ["--step", 1])
    ]
    assert all(a != b for a, b in combinations(pictures, 2))


def test_a_tree_is_drawn(draw, tmp_path):
    """Of a strategy that keeps one."""
    image = draw("tree-allocation-example-1", tmp_path / "tree.png", "--at", 8, "--view", "tree")
    seen, size = colours(image, 3)
    assert seen > 8
    assert size == (600, 400)


@pytest.mark.parametrize(
    ("name", "words", "line"),
    [
        ("three-jobs-4x4x4", "--job 3", "--job: expected a job from 0 to 2, got 3"),
        ("three-jobs-4x4x4", "--job 0 --attempt 2", "expected an attempt from 1 to 1 of job 0, got 2"),
        ("three-jobs-4x4x4", "--job 0 --step 0", "--step: expected a step from 1 to "),
        ("three-jobs-4x4x4", "--job 0 --step 9999", " of attempt 1 of job 0, got 9999"),
        ("three-jobs-4x4x4", "--job 0 --step -9999", " of attempt 1 of job 0, got -9999"),
        ("three-jobs-4x4x4", "--at 8 --view tree", "keeps none"),
        (
            "first-fit-16x16",
            "--job 2 --release",
            "--release: ff releases a job by marking its processors free",
        ),
    ],
)
def test_what_there_is_not_is_one_line(here, tmp_path, name, words, line):
    """It says what there is, with status 2, and draws nothing."""
    out = tmp_path / "p.png"
    status, said, complained = here("render", example(name), *words.split(), "--out", out)
    assert (status, said, complained.count("\n")) == (2, "", 1)
    assert line in complained
    assert not out.exists()


def test_a_tree_that_is_not_there_yet_is_said(tmp_path):
    """With status 1, as the strategy keeps one at other times."""
    words = ["--at", 8, "--out", tmp_path / "p.png", "--view", "tree"]
    done = meshgui("render", example("fuzzy-partitioning-16x16"), *words, without=WITHOUT_SCREEN)
    assert done.returncode == 1
    assert "no tree at that time" in done.stderr


def test_a_picture_that_cannot_be_written_is_one_line(here, tmp_path):
    """A missing folder is noticed before the work, with status 1."""
    out = tmp_path / "missing" / "p.png"
    said = f"meshgui: {out}: could not be written: there is no folder {out.parent}\n"
    assert here("render", example("three-jobs-4x4x4"), "--at", 1, "--out", out) == (1, "", said)
    assert here("growth", "bl", "--out", out) == (1, "", said)


def test_growth_is_drawn_in_lines_too(here, tmp_path):
    """As SVG and PDF by the ending of the name; another ending is refused before the work."""
    svg, pdf, jpg = (tmp_path / f"growth.{ending}" for ending in ("svg", "pdf", "jpg"))
    for out in (svg, pdf):
        status, _, complained = here("growth", "bl", "--out", out)
        assert (status, complained) == (0, "")
    assert {"More jobs on one mesh", "operations per allocation", "bl"} <= set(svg_texts(svg))
    assert pdf_page(pdf) == (1200, 675)
    assert pdf_fonts(pdf) == {"Inter-Regular", "Inter-SemiBold"}
    status, said, complained = here("growth", "bl", "--out", jpg)
    assert (status, said, complained.count("\n")) == (2, "", 1)
    assert "expected a name that ends in .png, .svg or .pdf, got growth.jpg" in complained
