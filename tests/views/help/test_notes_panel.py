"""The panel of notes shows whole lines."""

import numpy as np
import pytest
from PySide6.QtGui import QImage

from meshgui.views.help.notes_panel import NotesPage

NOTES = "\n\n".join(f"{number}. " + "Every job waits for the one before it. " * 3 for number in range(12))


@pytest.fixture
def page(qtbot, themes):
    """Long notes in a narrow panel."""
    page = NotesPage(themes)
    qtbot.addWidget(page)
    page.resize(280, 200)
    page.show_page(NOTES)
    page.show()
    return page


def inked(page: NotesPage) -> np.ndarray:
    """Which rows of the picture of the notes have letters in them; their scroll bar is left out."""
    image = page.viewport().grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.array(image.constBits()).reshape(image.height(), image.bytesPerLine())
    rows = rows[:, : page.viewport().width() - 4]
    return (rows != rows[0, 0]).any(axis=1)


@pytest.mark.parametrize("scrolled", [0, 7, 60])
def test_no_line_of_notes_is_cut_at_any_height(page, scrolled, qtbot):
    """A line that an edge goes through is left out; the others stay as they are."""
    lines = set()
    for height in range(60, 100):
        page.resize(280, height)
        page.verticalScrollBar().setValue(scrolled)
        qtbot.waitUntil(lambda height=height: page.height() == height)
        page.grab()
        rows = inked(page)
        begins = np.flatnonzero(np.diff(rows.astype(int), prepend=0) == 1)
        ends = np.flatnonzero(np.diff(rows.astype(int), append=0) == -1)
        assert len(begins)
        lines |= set((ends - begins).tolist())
    assert min(lines) >= 8  # letters between the top of a capital and the baseline
