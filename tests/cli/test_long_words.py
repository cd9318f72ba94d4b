"""What was typed is quoted at a readable length: words of 300 000 letters, numbers of thousands of digits."""

import pytest

from meshgui.engine.basics.limits import MAX_PAGE_DEPTH, MAX_PAGE_LETTERS
from meshgui.engine.basics.words import legible
from meshgui.model.document.examples import example
from tests.cli.conftest import is_one_line

LETTERS, DIGITS, PATH = "x" * 300_000, "9" * 5000, "a/" + "x" * 300_000
FILE = str(example("three-jobs-4x4x4"))
LINES = (
    "{}",
    "--{}",
    "run {}",
    "run FILE {}",
    "run FILE --seed {}",
    "validate {}",
    "validate {}.json",
    "check {}",
    "new strategy {}",
    "reproduce {}",
    "trace FILE --job {}",
    "network {} {} --out o.csv",
    "render FILE --size {} --out x.png",
    "render FILE --out {}.png",
    "growth --out {}",
    "bench --only {}",
    "sweep FILE --vary {}=1",
    "sweep FILE --vary allocator.name={}",
    "sweep FILE --against {}",
    "sweep FILE --vary seed=1,2 --store {}",
)


@pytest.mark.parametrize("line", LINES)
def test_a_complaint_about_a_long_word_is_short(line, here, tmp_path, monkeypatch):
    """One line, and never an internal error."""
    monkeypatch.chdir(tmp_path)
    for long in (LETTERS, DIGITS, PATH):
        done = here(*(FILE if word == "FILE" else word.replace("{}", long) for word in line.split()))
        assert done.returncode in {1, 2}
        assert is_one_line(done.stderr)
        assert len(done.stderr) < 700
        assert "internal error" not in done.stderr


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 10**4200},
        {LETTERS: 1},
        {"allocator": {"name": LETTERS}},
        {"allocator": {"name": "gabl", "options": {LETTERS: 1}}},
        {"mesh": {"shape": [10**4200, 2]}},
        {"workload": {"kind": "swf", "path": LETTERS}},
        {"network": {"pattern": "file", "path": LETTERS}},
    ],
    ids=["number", "key", "name", "option", "side", "trace", "packets"],
)
def test_a_complaint_about_a_long_value_is_short(change, here, scenario_file):
    """In any field of a file."""
    done = here("validate", scenario_file(**change))
    assert (done.returncode, len(done.stderr) < 700) == (2, True)


@pytest.mark.parametrize(
    ("notes", "line"),
    [
        ("- " * 20_000 + "x", f"expected lists nested at most {MAX_PAGE_DEPTH} deep, got 20000"),
        ("![" * 100_000, f"expected a text of at most {MAX_PAGE_LETTERS} characters, got 200000"),
    ],
)
def test_notes_over_a_limit_are_refused_in_a_line(here, scenario_file, notes, line):
    """With the number of the limit, and what there is."""
    path = scenario_file(notes=notes)
    done = here("validate", path)
    assert (done.returncode, done.stderr) == (2, f"meshgui: {path}: notes: {line}\n")


def test_both_ends_of_a_long_word_are_left():
    """The end of a path is its name; words of a usual length stay as they are."""
    path = "/".join(["folder"] * 100) + "/name.json"
    assert legible(f"{path}: no such file").startswith("folder/folder/")
    assert legible(f"{path}: no such file").endswith("/name.json: no such file")
    assert len(legible(path)) == 180
    assert legible("a word " * 100) == "a word " * 100
    assert len(legible("a word " * 1000)) == 1000
