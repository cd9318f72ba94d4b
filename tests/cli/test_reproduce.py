"""`meshgui reproduce`: the catalogue listed, run, kept, shown in words, as data and as a page."""

import json
import re
from urllib.parse import unquote

import pytest

from meshgui.catalogue.entries import catalogue
from meshgui.experiment.store import Store
from tests.views.reading import svg_size, svg_texts


def empty(folder):
    """A store with nothing in it."""
    path = folder / "none.db"
    Store(path).close()
    return path


def test_the_list_has_every_entry(here):
    """Id, title and source of all of them; the same as JSON with their texts."""
    words = here("reproduce", "--list")
    assert words.returncode == 0
    entries = catalogue()
    for entry in entries.values():
        assert any(
            line.startswith(f"{entry.id} ") and entry.title in line for line in words.stdout.splitlines()
        )
    data = json.loads(here("reproduce", "--list", "--json").stdout)
    assert [(e["id"], e["text"]) for e in data] == [(e.id, e.text) for e in entries.values()]


def test_a_store_is_gone_on_with_and_the_page_written(here, tmp_path):
    """What a first call has run the second has; each number has its mean, ratio and verdict."""
    store, page = tmp_path / "results.db", tmp_path / "page.md"
    [entry] = json.loads(here("reproduce", "004-E1", "--store", str(store), "--json").stdout)
    assert entry["verdicts"] == {"reproduced": 1}
    here("reproduce", "004-E1", "--store", str(store), "--so-far", "--page", str(page))
    text = page.read_text(encoding="utf-8")
    assert "| the whole schedule | 7 jobs | the same |" in text
    assert "![" not in text
    assert "diamonds" not in text
    done = here("reproduce", "000-T3.2", "--quick", "--json")
    [entry] = json.loads(done.stdout)
    for number in entry["numbers"]:
        measured = number["measured"]
        assert measured["runs"] >= 2
        assert number["ratio"] == measured["mean"] / number["published"]
        assert number["verdict"] in {"reproduced", "same order", "differs"}
    assert sum(entry["verdicts"].values()) == len(entry["numbers"])


@pytest.mark.qt
def test_pictures_are_drawn_and_the_page_shows_some(here, tmp_path):
    """An SVG for every chart with something in it, on white; the page links those worth it, relatively."""
    pytest.importorskip("PySide6", reason="pictures are drawn by Qt")
    pictures, page = tmp_path / "pictures of it", tmp_path / "page.md"
    store = empty(tmp_path)
    done = here(
        *("reproduce", "000-T3.2", "004-E1", "--store", str(store), "--so-far"),
        *("--pictures", str(pictures), "--page", str(page)),
    )
    assert (done.returncode, done.stderr) == (0, "")
    names = sorted(path.name for path in pictures.iterdir())
    assert names == [
        "000-t3-2-8x8x8-uniform-5-8-turnaround-amount.svg",
        "000-t3-2-8x8x8-uniform-5-8-turnaround-ratio.svg",
    ]
    for name in names:
        title, _, _ = svg_size(pictures / name)
        assert title.startswith("000-T3.2: Turnaround: 8×8×8")
        assert "#ffffff" in (pictures / name).read_text(encoding="utf-8")
        assert "published" in svg_texts(pictures / name)
    linked = re.findall(r"!\[.*?\]\((.*?)\)", page.read_text(encoding="utf-8"))
    assert sorted(unquote(link) for link in linked) == [f"pictures of it/{name}" for name in names]


@pytest.mark.qt
def test_a_folder_that_cannot_be_made_is_noticed_before_the_work(here, tmp_path):
    """One line names it."""
    pytest.importorskip("PySide6", reason="without Qt that is what is said first")
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = here("reproduce", "004-E1", "--pictures", str(tmp_path / "file" / "pictures"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "the folder of the pictures" in done.stderr
    assert done.stderr.count("\n") == 1
