"""The command line shows what the transcripts have, word for word; see tests/transcripts.py."""

from difflib import unified_diff

import pytest

from tests.transcripts import FOLDER, play, play_file


def _case(path):
    """A transcript; one of pictures needs Qt, as its name says."""
    return pytest.param(path, id=path.stem, marks=[pytest.mark.qt] if path.stem.startswith("qt-") else [])


@pytest.mark.parametrize("path", [_case(path) for path in sorted(FOLDER.glob("*.txt"))])
def test_the_program_shows_what_is_written(path):
    """The failure shows the lines that differ."""
    if path.stem.startswith("qt-"):
        pytest.importorskip("PySide6", reason="without Qt that is what is said first")
    written = path.read_text(encoding="utf-8")
    found = play_file(path)
    differing = unified_diff(written.splitlines(), found.splitlines(), "expected", "shown", lineterm="", n=6)
    if found != written:
        pytest.fail("\n".join([path.name, *differing]), pytrace=False)


def test_a_step_shows_both_outputs_its_status_and_what_it_wrote():
    """What was there below it is passed over; a file may be written as another one with changes."""
    script = '--- file a.json\n{"a": 1, "b": 2}\n---\n--- file b.json from a.json\n{"b": 3}\n---\n'
    script += "# Two commands.\n$ cat b.json\nanything\n\n$ NO=1 meshgui --nothing\n[exit 0]\n$ ls"
    assert play(script) == (
        '--- file a.json\n{"a": 1, "b": 2}\n---\n\n--- file b.json from a.json\n{"b": 3}\n---\n\n'
        '# Two commands.\n$ cat b.json\n{"a": 1, "b": 3}\n\n'
        "$ NO=1 meshgui --nothing\n! meshgui: no option is called --nothing\n[exit 2]\n\n"
        "$ ls\na.json\nb.json\n"
    )


def test_a_line_that_looks_like_a_step_is_refused():
    """It would be played when the transcript is read again."""
    with pytest.raises(ValueError, match="taken for a step"):
        play("--- file a\n$ ls\n---\n$ cat a")
