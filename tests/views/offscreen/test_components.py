"""The page of components shows each of them whole, in every theme, size and direction."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel

from meshgui.cli.entry import run
from meshgui.views.offscreen.components import ComponentsPage
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.data_table import DataTable
from tests.views.showing import shown

DIRECTIONS = (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft)


@pytest.fixture
def direction(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[None]:
    """The application is laid out in this direction."""
    qapp.setLayoutDirection(request.param)
    yield
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


@pytest.mark.parametrize("direction", DIRECTIONS, indirect=True, ids=["left", "right"])
@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.usefixtures("direction")
def test_no_component_is_cut(qtbot, themes: ThemeManager, mode, scale):
    """Every label and button has the room that its words need."""
    themes.set_mode(mode)
    themes.set_scale(scale)
    page = ComponentsPage(themes)
    page.resize(page.sizeHint())
    shown(qtbot, page)
    parts = [part for kind in (QLabel, QAbstractButton) for part in page.findChildren(kind)]
    checked = 0
    for part in parts:
        if part.isVisible() and part.text() and not (isinstance(part, QLabel) and part.wordWrap()):
            assert part.width() >= part.minimumSizeHint().width(), part.text()
            assert part.height() >= part.minimumSizeHint().height(), part.text()
            checked += 1
    assert checked > 30
    (table,) = page.findChildren(DataTable)
    cells = [
        (row, column) for row in range(table.rows.rowCount()) for column in range(table.rows.columnCount())
    ]
    assert len(cells) == 12
    for row, column in cells:
        assert table.shown(row, column) == table.rows.cell(row, column).text


def test_it_is_drawn_by_the_command_line(tmp_path, capsys):
    """Without a scenario; with one, or with a moment, it says what it expects."""
    out = tmp_path / "kit.png"
    words = ["render", "--view", "components", "--out", str(out), "--size", "1200x800"]
    assert run(words) == 0
    assert (QImage(str(out)).width(), QImage(str(out)).height()) == (1200, 800)
    assert run([*words, "--at", "3"]) == 2
    assert "no scenario and no moment with --view components" in capsys.readouterr().err
    assert run(["render", "--at", "3", "--out", str(out)]) == 2
    assert "expected a scenario" in capsys.readouterr().err
