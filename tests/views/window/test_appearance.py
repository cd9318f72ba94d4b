"""The size of text, contrast and motion: by key, everywhere, and remembered."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QPushButton

from meshgui.engine.basics import translation
from meshgui.views.style.theme import DARK_CONTRAST, LIGHT_CONTRAST
from meshgui.views.widgets.kept_place import kept_or
from meshgui.views.window.appearance import TEXT_SIZES
from meshgui.views.window.main_window import MainWindow
from tests.crashes import full_disk
from tests.views.window.conftest import settle

CTRL = Qt.KeyboardModifier.ControlModifier


def test_ctrl_plus_and_minus_change_the_size_of_text(lecture, qtbot):
    """From 80 to 250 %, step by step, and Ctrl+0 goes back; the sentence says which."""
    canvas = lecture.mesh.canvas
    for percent in [size for size in TEXT_SIZES if size > 100]:
        qtbot.keyClick(canvas, Qt.Key.Key_Plus, CTRL)
        assert lecture.themes.scale == percent / 100
        assert lecture.sentence.text == f"Text size {percent} %."
    qtbot.keyClick(canvas, Qt.Key.Key_Plus, CTRL)
    assert lecture.themes.scale == 2.5
    qtbot.keyClick(canvas, Qt.Key.Key_0, CTRL)
    assert lecture.themes.scale == 1.0
    for _ in range(4):
        qtbot.keyClick(canvas, Qt.Key.Key_Minus, CTRL)
    assert lecture.themes.scale == 0.8
    # Labels, tables, tabs and what opens later have letters of the new size
    lecture.commands.trigger("window.normal-text")
    lecture.commands.trigger("window.larger-text")
    lecture.commands.trigger("window.larger-text")
    size = lecture.font().pixelSize()
    assert size == round(1.25 * 13)
    views = (lecture.queue.running.table, lecture.menuBar(), lecture.shortcut_sheet, lecture.palette_sheet)
    assert {view.font().pixelSize() for view in views} == {size}
    assert lecture.algorithm.code.face().pixelSize() == size


def test_appearance_is_remembered(lecture, qtbot, make_window):
    """The next window has the same size of text, contrast and motion."""
    for command in ("window.larger-text", "window.contrast", "window.reduced-motion"):
        lecture.commands.trigger(command)
    lecture.close()
    again = make_window()
    assert again.themes.scale == 1.1
    assert again.themes.high_contrast
    assert again.mesh.flat or not again.mesh.canvas.motion
    for command in ("window.contrast", "window.reduced-motion"):
        assert again.commands[command].mark()
    again.commands.trigger("window.normal-text")
    again.commands.trigger("window.contrast")


def test_the_theme_is_remembered_at_once(lecture, qtbot):
    """A program that is killed starts again as dark as it was, as it does with high contrast."""
    assert not lecture.settings.contains("window/theme")
    lecture.commands.trigger("window.theme")
    assert kept_or(lecture.settings, "window/theme", "") == lecture.themes.theme.name
    # It combines with high contrast, and D still changes between light and dark
    lecture.commands.trigger("window.theme")
    lecture.commands.trigger("window.contrast")
    assert lecture.themes.theme is LIGHT_CONTRAST
    qtbot.keyClick(lecture.mesh.canvas, Qt.Key.Key_D)
    assert lecture.themes.theme is DARK_CONTRAST
    lecture.commands.trigger("window.contrast")
    assert lecture.themes.theme.name == "dark"


def width_of_letters(cell):
    """How many pixels wide the text in a picture of a cell is."""
    image = cell.toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    grey = np.array(image.constBits()).reshape(image.height(), -1)[:, : image.width()].astype(int)
    columns = np.flatnonzero((abs(grey - grey[0, 0]) > 60).any(axis=0))
    return columns[-1] - columns[0]


def test_light_or_dark_leaves_the_letters_of_tables_their_size(lecture, qtbot):
    """With large text, as in a lecture, the rows are as wide written in the dark as they were before."""
    table = lecture.queue.running.table
    lecture.time_cursor.go_to_time(1.0)
    lecture.commands.trigger("window.larger-text")
    lecture.commands.trigger("window.larger-text")
    settle(lecture, qtbot)
    lecture.panels.show("queue")
    widths = []
    for _ in range(2):
        settle(lecture, qtbot)
        widths.append(width_of_letters(table.viewport().grab(table.visualRect(table.rows.index(0, 1)))))
        lecture.commands.trigger("window.theme")
    light, dark = widths
    assert dark == pytest.approx(light, abs=1)


def test_presenter_mode_has_a_size_of_its_own_and_the_mesh_its_own_zoom(lecture, qtbot):
    """Ctrl+plus there changes nothing at the desk, and is remembered for the next lecture."""
    lecture.presenter.enter()
    fitting = lecture.themes.scale
    lecture.commands.trigger("window.larger-text")
    larger = lecture.themes.scale
    assert larger > fitting
    lecture.presenter.leave()
    assert lecture.themes.scale == 1.0
    lecture.presenter.enter()
    assert lecture.themes.scale == larger
    lecture.commands.trigger("window.normal-text")
    assert lecture.themes.scale == fitting
    lecture.presenter.leave()
    # The mesh has its own zoom: Z and Shift+Z zoom it; letters keep their size
    canvas = lecture.mesh.canvas
    before = lecture.mesh.grab_image(canvas.size())
    qtbot.keyClick(canvas, Qt.Key.Key_Z)
    assert lecture.mesh.grab_image(canvas.size()) != before
    assert lecture.themes.scale == 1.0


def test_until_one_chooses_the_system_chooses_the_contrast(make_window, themes, monkeypatch):
    """A system of high contrast opens a window of high contrast; the command stays as it was left."""
    monkeypatch.setattr(themes, "system_wants_contrast", lambda: True)
    window = make_window()
    assert themes.high_contrast
    window.commands.trigger("window.contrast")
    window.close()
    make_window()
    assert not themes.high_contrast


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where the choice is kept, instead of the user's own folder; two languages beside English."""
    monkeypatch.setenv("APPDATA" if os.name == "nt" else "XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(translation, "languages", lambda: ("en", "ar", "de"))
    monkeypatch.setattr("meshgui.views.window.language_choice.languages", lambda: ("en", "ar", "de"))
    return tmp_path


def answer(window: MainWindow, title: str) -> None:
    """Choose by the button of that title."""
    window.commands.trigger("window.language")
    buttons = {button.text(): button for button in window.notice.findChildren(QPushButton)}
    assert {"English", "العربية", "Deutsch", "As the system"} <= set(buttons)
    buttons[title].click()


def test_a_choice_of_language_is_kept_for_the_next_start_where_it_can_be_written(window, folder):
    """Each language is named in its own words; the notice says when it shows."""
    answer(window, "English")
    assert translation.chosen_language() == "en"
    assert window.notice.text == "MeshGUI is shown in this language from its next start on: English."
    answer(window, "As the system")
    assert translation.chosen_language() is None
    assert "system" in window.notice.text
    # A full disk leaves the choice that was kept, whole, and not an empty file; the notice says why
    answer(window, "Deutsch")
    kept = translation.choice_file().read_bytes()
    with full_disk():
        answer(window, "English")
    assert window.notice.text == "The choice could not be kept: No space left on device"
    assert translation.choice_file().read_bytes() == kept
    # A folder that cannot be written is one sentence, and the choice stays as it was
    shutil.rmtree(folder / "MeshGUI")
    (folder / "MeshGUI").write_text("no folder", encoding="utf-8")
    answer(window, "Deutsch")
    assert window.notice.text.startswith("The choice could not be kept: ")
    assert not window.notice.asks


def test_every_text_of_the_window_is_a_message(tmp_path):
    """Texts, also painted ones, hints and names for screen readers stand between the marks."""
    script = Path(__file__).with_name("untranslated.py")
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path)],
        env=os.environ | {"MESHGUI_LANGUAGE": "pseudo", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    *wrong, counts = done.stdout.splitlines() or [""]
    assert wrong == [], done.stderr
    assert [int(count) > 1000 for count in counts.split()] == [True] * 3, done.stderr
