"""`meshgui plot`: the picture is as large as asked for, and has the words that were chosen."""

import re

import pytest

pytestmark = pytest.mark.qt


@pytest.fixture(scope="module", autouse=True)
def drawn():
    """Pictures are drawn by Qt."""
    pytest.importorskip("PySide6", reason="pictures are drawn by Qt")


@pytest.fixture
def store(here, scenario_file, tmp_path):
    """A store with a small sweep."""
    path = tmp_path / "runs.db"
    words = ("--vary", "allocator.name=tff,tbl", "workload.load=1,2", "--max-runs", 2, "--store", path)
    assert here("sweep", scenario_file(), *words, "--jobs", 1).returncode == 0
    return path


def test_a_pdf_is_as_wide_as_a_column_and_the_same_each_time(here, store, tmp_path):
    """85 mm are 241 points; seven tenths of it are its height."""
    out = tmp_path / "figure.pdf"
    assert here("plot", store, "--out", out).returncode == 0
    first = out.read_bytes()
    box = re.search(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", first)
    assert [float(side) / 72 * 25.4 for side in box.groups()] == pytest.approx([85, 85 * 0.7], abs=0.4)
    assert here("plot", store, "--out", out, "--width", "8.5cm").returncode == 0
    assert out.read_bytes() == first


def test_words_of_an_svg_are_those_chosen(here, store, tmp_path):
    """Labels and title; names of series where they are wanted. What is wrong leaves the old picture."""
    out = tmp_path / "figure.svg"
    words = ("--y", "turnaround.p95", "--title", "A < B", "--x-label", "jobs per second")
    assert here("plot", store, "--out", out, *words, "--legend", "above").returncode == 0
    drawn = out.read_text(encoding="utf-8")
    for text in ("A &lt; B", "jobs per second", "Turnaround, 95th percentile (time units)", "tff", "tbl"):
        assert text in drawn, text
    assert here("plot", store, "--out", out, *words, "--legend", "none").returncode == 0
    assert ">tff<" not in out.read_text(encoding="utf-8")
    before = out.read_bytes()
    assert here("plot", store, "--out", out, "--font", "No such font").returncode == 1
    assert out.read_bytes() == before
