"""The progress bar."""

from PySide6.QtGui import QPaintEvent

from meshgui.views.widgets.progress_bar import ProgressBar
from tests.views.showing import shown


class Counted(ProgressBar):
    """Counts how often it is painted."""

    paints = 0

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Count."""
        self.paints += 1
        super().paintEvent(event)


def test_it_is_painted_once_however_often_its_value_changes(qtbot):
    """Setting a value waits for the next paint of the window; Qt's own bar paints at once."""
    bar = shown(qtbot, Counted())
    qtbot.waitUntil(lambda: bar.paints > 0)
    before = bar.paints
    for done in range(1, 20):
        bar.show_progress(done, 20)
    assert bar.paints == before
    qtbot.waitUntil(lambda: bar.paints > before)
    assert (bar.value(), bar.maximum()) == (19, 20)
