"""The sheet of each strategy: one page, in every language, large enough to be read."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.translation import LANGUAGE_VARIABLE
from meshgui.model.manual.sheet_text import sheet_text
from tests.views.window.conftest import open_and_run

WRITER = Path(__file__).with_name("write_sheets.py")
READABLE = 0.6  # of the letters of the window: 8 points


def pages_of(path: Path) -> int:
    """The pages of a PDF."""
    return len(re.findall(rb"/Type\s*/Page\b", path.read_bytes()))


@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_the_sheet_of_every_strategy_is_one_page_that_can_be_read(tmp_path, language):
    """Words are chosen as modules load, so that each language has a process of its own.

    All are written in English; of the others the words have to have room.
    """
    written = [*strategies()] if language == "en" else ["gabl"]
    environment = os.environ | {LANGUAGE_VARIABLE: language, "PYTHONPATH": str(WRITER.parents[3])}
    command = [sys.executable, str(WRITER), str(tmp_path), *written]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    scales = dict(line.split() for line in done.stdout.splitlines())
    assert scales.keys() == strategies().keys()
    for name, scale in scales.items():
        assert float(scale) >= READABLE, name
    assert [pages_of(tmp_path / f"{name}.pdf") for name in written] == [1] * len(written)


def test_a_sheet_has_idea_pseudo_code_cost_and_source():
    """Of a strategy that has a page, and of one that says of itself what it does."""
    text = sheet_text(strategies()["bf"])
    assert text.idea.startswith("# Best Fit\n")
    assert "## Idea" in text.idea
    assert "if a processor of the box is busy" in text.code
    assert text.cost.startswith("## Complexity")
    assert "Bani-Mohammad 2008" in text.source
    assert not any("```json" in part for part in text)

    class Own(strategies()["bf"]):
        """Places by the stars."""

        help = "# Stars\n\nBy the stars."

    text = sheet_text(Own)
    assert "By the stars." in text.idea
    assert text.cost.startswith("## Complexity\n\nAn allocation takes O(n), a release O(n)")


def test_the_sheet_of_the_strategy_that_runs_is_written_from_the_window(window, qtbot, tmp_path, monkeypatch):
    """Light also where the window is dark, which stays so; what cannot be written is said."""
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    window.themes.set_mode("dark")
    out = tmp_path / "sheet.pdf"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_named: (str(out), ""))
    window.commands.trigger("run.sheet")
    assert pages_of(out) == 1
    assert window.themes.theme.name == "dark"
    assert window.notice.text == "sheet.pdf was written."
