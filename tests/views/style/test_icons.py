"""Icons in the theme's colours."""

import ast
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from PySide6.QtCore import QFile, QIODevice, QSize
from PySide6.QtGui import QAction, QColor, QIcon
from PySide6.QtWidgets import QMessageBox

import meshgui
from meshgui.views.style.icons import IconShelf, icon
from meshgui.views.style.theme import DARK, LIGHT
from meshgui.views.style.tinting import icon_names, tinted
from tests.views.showing import shown


@pytest.fixture
def shelf(themes):
    """Icons in the light theme."""
    return IconShelf(themes)


def ink(picture):
    """The most opaque colour of a pixmap."""
    image = picture.toImage()
    pixels = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    return max(pixels, key=QColor.alpha)


def near(colour, text):
    """Whether a colour is what `text` names, up to rounding."""
    wanted = QColor(text)
    return all(abs(a - b) <= 3 for a, b in zip(colour.getRgb()[:3], wanted.getRgb()[:3], strict=True))


def drawing(name):
    """The text of an icon in a colour."""
    file = QFile(tinted(name, "#123456"))
    assert file.open(QIODevice.OpenModeFlag.ReadOnly)
    return file.readAll().data().decode()


def test_no_icon_is_there_that_nothing_shows():
    """Each is named somewhere in the program."""
    trees = [ast.parse(file.read_text("utf-8")) for file in Path(meshgui.__file__).parent.rglob("*.py")]
    texts = {each.value for tree in trees for each in ast.walk(tree) if isinstance(each, ast.Constant)}
    assert set(icon_names()) - texts == set()


def test_every_icon_can_be_tinted_and_has_one_stroke_width(monkeypatch, tmp_path):
    """No shipped icon has a colour of its own, and the set looks like one set."""
    for name in icon_names():
        text = drawing(name)
        assert "#123456" in text
        assert "currentColor" not in text
        assert 'stroke-width="2"' in text
    # They are no files, which a program that is killed would leave in the temporary folder
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert QFile.exists(tinted("play", "#fedcba"))
    assert not list(tmp_path.iterdir())
    # A misspelt name is noticed where it is used
    with pytest.raises(KeyError, match="no icon named 'plya'"):
        tinted("plya", "#000000")


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_an_icon_shows_its_state(theme):
    """Text colour as a rule, the accent while checked, faint while it cannot be used."""
    made, size = icon("square", theme), QSize(24, 24)
    assert near(ink(made.pixmap(size)), theme.text)
    assert near(ink(made.pixmap(size, QIcon.Mode.Normal, QIcon.State.On)), theme.accent)
    assert near(ink(made.pixmap(size, QIcon.Mode.Disabled)), theme.faint)


@pytest.mark.usefixtures("qapp")
def test_an_icon_is_crisp_at_any_pixel_ratio():
    """Twice the pixel ratio gives twice the pixels, drawn again and not scaled."""
    made = icon("square", LIGHT)
    fine = made.pixmap(QSize(20, 20), 2.0)
    assert fine.size() == QSize(40, 40)
    coarse = made.pixmap(QSize(20, 20), 1.0).toImage().scaled(40, 40)
    assert fine.toImage() != coarse


def test_icons_follow_the_theme(shelf):
    """An action's icon changes with the theme; what was dressed again keeps the later one."""
    action, again, gone = QAction(), QAction(), QAction()
    for dressed in (action, again, gone):
        shelf.dress(dressed, "play")
    shelf.dress(again, "pause")
    gone.deleteLater()
    del gone, dressed
    shelf.parent().set_mode("dark")
    assert near(ink(action.icon().pixmap(24, 24)), DARK.text)
    assert again.icon().cacheKey() == shelf.icon("pause").cacheKey()
    # Asking twice gives the same picture
    assert shelf.icon("play").cacheKey() == shelf.icon("play").cacheKey()


def test_buttons_of_a_question_have_no_icons_of_the_style(themes, qtbot):
    """All icons are of one family, and the words of an answer need none."""
    box = QMessageBox()
    buttons = QMessageBox.StandardButton
    box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
    shown(qtbot, box)
    assert all(button.icon().isNull() for button in box.buttons())


ROOT = Path(meshgui.__file__).parents[1]

# An editable install answers after the search path, as its finder does here.
SCRIPT = f"""
import sys
from importlib.machinery import PathFinder
from importlib.util import spec_from_file_location
from pathlib import Path

class Editable:
    @staticmethod
    def find_spec(name, path=None, target=None):
        place = Path({str(ROOT)!r}).joinpath(*name.split("."))
        files = (place / "__init__.py", place.with_suffix(".py"))
        return next((spec_from_file_location(name, file) for file in files if file.exists()), None)

sys.meta_path.insert(sys.meta_path.index(PathFinder) + 1, Editable)
import meshgui
assert meshgui.__file__ is None, "the checkout's folder was to be taken for the package"
from PySide6.QtWidgets import QApplication
from meshgui.catalogue.entries import catalogue
from meshgui.model.document.examples import example
from meshgui.views.style.fonts import load_fonts
from meshgui.views.style.theme import LIGHT, stylesheet
application = QApplication([])
load_fonts()
assert stylesheet(LIGHT) and catalogue() and example("three-jobs-4x4x4").exists()
"""


def test_a_script_in_the_folder_above_a_checkout_finds_fonts_icons_and_scenarios(tmp_path):
    """Python takes the checkout's folder, which has the program's name, for the package."""
    (tmp_path / "meshgui" / "docs").mkdir(parents=True)
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    for words in ([str(script)], ["-c", SCRIPT]):
        done = subprocess.run(
            [sys.executable, *words],
            cwd=tmp_path,
            env=environment | {"QT_QPA_PLATFORM": "offscreen"},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, "")
