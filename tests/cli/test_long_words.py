"""What was typed is quoted at a readable length: words of 300 000 letters, numbers of thousands of digits."""

import json

import pytest

from meshgui.cli import entry
from meshgui.engine.basics.words import legible
from meshgui.model.examples import example

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
def test_a_complaint_about_a_long_word_is_short(line, capsys, tmp_path, monkeypatch):
    """One line, and never an internal error."""
    monkeypatch.chdir(tmp_path)
    for long in (LETTERS, DIGITS, PATH):
        words = [long.join(word.split("{}")) if "{}" in word else word for word in line.split()]
        assert entry.run([FILE if word == "FILE" else word for word in words]) in {1, 2}
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert len(said) < 700
        assert "internal error" not in said


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
def test_a_complaint_about_a_long_value_is_short(change, capsys, tmp_path):
    """In any field of a file."""
    path = tmp_path / "long.json"
    path.write_text(json.dumps({**json.loads(example("three-jobs-4x4x4").read_text()), **change}))
    assert entry.run(["validate", str(path)]) == 2
    assert len(capsys.readouterr().err) < 700


def test_both_ends_of_a_long_word_are_left():
    """The end of a path is its name; words of a usual length stay as they are."""
    path = "/".join(["folder"] * 100) + "/name.json"
    assert legible(f"{path}: no such file").startswith("folder/folder/")
    assert legible(f"{path}: no such file").endswith("/name.json: no such file")
    assert len(legible(path)) == 180
    assert legible("a word " * 100) == "a word " * 100
    assert len(legible("a word " * 1000)) == 1000
