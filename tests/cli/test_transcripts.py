"""The command line shows what the transcripts have, word for word; see tests/transcripts.py."""

from difflib import unified_diff

import pytest

from tests.transcripts import FOLDER, play_file


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
