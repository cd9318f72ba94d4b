"""The page of components shows each of them whole, in every theme, size and direction, and as it did.

`make pictures` writes its pictures again; look at what has changed.
"""

import os
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMenu, QMessageBox
from pytestqt.qtbot import QtBot

from meshgui.cli.entry import run
from meshgui.views.offscreen.components import ComponentsPage
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.data_table import DataTable
from tests.views.conftest import handle_events
from tests.views.showing import shown
from tests.views.window.test_golden_pictures import FOLDER, KEPT, MAY_DIFFER, differing

DIRECTIONS = (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft)


@pytest.fixture
def direction(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[None]:
    """The application is laid out in this direction."""
    qapp.setLayoutDirection(request.param)
    yield
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def page_in(qtbot: QtBot, themes: ThemeManager, mode: str, scale: float) -> ComponentsPage:
    """The page in a theme, or in high contrast, and a size of letters."""
    themes.set_high_contrast(mode == "contrast")
    themes.set_mode("dark" if mode == "dark" else "light")
    themes.set_scale(scale)
    page = ComponentsPage(themes)
    page.resize(page.sizeHint())
    shown(qtbot, page)
    handle_events()
    return page


@pytest.mark.parametrize("direction", DIRECTIONS, indirect=True, ids=["left", "right"])
@pytest.mark.parametrize("mode", ["light", "dark", "contrast"])
@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.usefixtures("direction")
def test_no_component_is_cut(qtbot, themes: ThemeManager, mode, scale):
    """Every label and button has the room that its words need."""
    page = page_in(qtbot, themes, mode, scale)
    parts = [part for kind in (QLabel, QAbstractButton) for part in page.findChildren(kind)]
    checked = 0
    for part in parts:
        if part.isVisible() and part.text() and not (isinstance(part, QLabel) and part.wordWrap()):
            assert part.width() >= part.minimumSizeHint().width(), part.text()
            assert part.height() >= part.minimumSizeHint().height(), part.text()
            checked += 1
    assert checked > 40
    page.resize(page.minimumSizeHint())  # what opens as a window is not pressed together either
    handle_events()
    windows = [part for kind in (QMenu, QMessageBox) for part in page.findChildren(kind) if part.isVisible()]
    assert [part.size() for part in windows] == [part.sizeHint() for part in windows]
    assert len(windows) == 2
    (table,) = page.findChildren(DataTable)
    cells = [
        (row, column) for row in range(table.rows.rowCount()) for column in range(table.rows.columnCount())
    ]
    assert len(cells) == 12
    for row, column in cells:
        assert table.shown(row, column) == table.rows.cell(row, column).text


@pytest.mark.parametrize(
    ("name", "direction", "mode", "scale"),
    [
        ("light-100", DIRECTIONS[0], "light", 1.0),
        ("light-200", DIRECTIONS[0], "light", 2.0),
        ("dark-100", DIRECTIONS[0], "dark", 1.0),
        ("contrast-100", DIRECTIONS[0], "contrast", 1.0),
        ("right-to-left-100", DIRECTIONS[1], "light", 1.0),
    ],
    indirect=["direction"],
)
@pytest.mark.usefixtures("direction")
def test_it_looks_as_it_did(qtbot, themes: ThemeManager, name, mode, scale):
    """Of the blocks of each picture hardly any differs from the one that is kept."""
    page = page_in(qtbot, themes, mode, scale)
    picture = page.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    picture = picture.scaledToWidth(KEPT.width(), Qt.TransformationMode.SmoothTransformation)
    file = FOLDER / f"components-{name}.png"
    if "MESHGUI_WRITE_PICTURES" in os.environ:
        assert picture.save(str(file))
    kept = QImage(str(file))
    assert picture.size() == kept.size()
    assert differing(picture, kept) <= MAY_DIFFER


def test_it_is_drawn_by_the_command_line(tmp_path, capsys):
    """Without a scenario; with one, or with a moment, it says what it expects."""
    out = tmp_path / "kit.png"
    words = ["render", "--view", "components", "--out", str(out), "--size", "1600x1400"]
    assert run(words) == 0
    assert (QImage(str(out)).width(), QImage(str(out)).height()) == (1600, 1400)
    usual = QImage(str(out))
    assert run([*words, "--theme", "contrast"]) == 0
    assert QImage(str(out)) != usual
    assert run([*words, "--at", "3"]) == 2
    assert "no scenario and no moment with --view components" in capsys.readouterr().err
    assert run(["render", "--at", "3", "--out", str(out)]) == 2
    assert "expected a scenario" in capsys.readouterr().err
