"""`meshgui reproduce`: the catalogue listed, run, kept, told in words, as data and as a page."""

import json

from meshgui.engine.papers import catalogue


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


def test_an_unknown_entry_is_a_bad_argument(here):
    """One line that names the nearest one."""
    done = here("reproduce", "000-T3.3")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "meshgui reproduce: no entry is called 000-T3.3: did you mean 000-T3.2?\n"


def test_a_store_is_gone_on_with_and_the_page_written(here, tmp_path):
    """What a first call has run the second one has, without running anything."""
    store, page = tmp_path / "results.db", tmp_path / "page.md"
    first = here("reproduce", "004-E1", "--store", str(store), "--json")
    assert (first.returncode, first.stderr) == (0, "")
    [entry] = json.loads(first.stdout)
    assert entry["verdicts"] == {"reproduced": 1}
    again = here("reproduce", "004-E1", "--store", str(store), "--so-far", "--page", str(page))
    assert "004-E1: 1 reproduced" in again.stdout
    assert "| the whole schedule | 7 jobs | the same |" in page.read_text(encoding="utf-8")


def test_what_has_not_been_run_is_said_so(here, tmp_path):
    """An empty store so far: not run."""
    done = here("reproduce", "004-E1", "--store", str(tmp_path / "none.db"), "--so-far")
    assert "004-E1: 1 not run" in done.stdout
    assert here("reproduce", "--so-far").stderr == (
        "meshgui reproduce: --so-far: expected --store DB beside it\n"
    )


def test_a_number_has_what_was_published_what_was_measured_and_what_that_says(here):
    """Of a quick run: each number with its mean, its interval, its ratio and its verdict."""
    done = here("reproduce", "000-T3.2", "--quick", "--json")
    [entry] = json.loads(done.stdout)
    for number in entry["numbers"]:
        measured = number["measured"]
        assert measured["runs"] >= 2
        assert number["ratio"] == measured["mean"] / number["published"]
        assert number["verdict"] in {"reproduced", "same order", "differs"}
    assert sum(entry["verdicts"].values()) == len(entry["numbers"])
