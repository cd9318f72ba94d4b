"""Every strategy's lines, and small attempts and releases step by step: sentences, boxes, panels."""

import pytest

from meshgui.engine.allocation.registry import strategies
from tests.narrations import FOLDER, SELDOM, TOLD, narration, restored

pytestmark = pytest.mark.kernel


def test_every_strategy_has_its_file():
    """Each has its file, and no other file is there."""
    own = {name for name, cls in strategies().items() if cls.__module__.startswith("meshgui.")}
    assert {name.partition("+")[0] for name in TOLD} == own
    assert {file.stem for file in FOLDER.iterdir()} == {*TOLD, *SELDOM}


@pytest.mark.parametrize("name", [*TOLD, *SELDOM])
def test_a_strategy_does_as_written(name):
    """Lines, steps, sentences, marks and panels are those of the file; it was read when it was written."""
    written = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert narration(name) == written, "if it should be so, python -m tests.narrations writes the files again"


@pytest.mark.parametrize("name", TOLD)
def test_what_is_restored_goes_on_alike(name):
    """From a capture with job 0 in it comes a strategy that takes the same steps, and counts alike."""
    first, again = restored(name)
    assert first == again
