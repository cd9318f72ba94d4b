"""The size of text, contrast and motion: by key, everywhere, and remembered."""

import pytest
from PySide6.QtCore import Qt

from meshgui.views.style.theme import DARK_CONTRAST, LIGHT_CONTRAST
from meshgui.views.window.appearance import TEXT_SIZES

pytestmark = pytest.mark.own_window  # each size of text is quicker where few panels have been made

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


def test_the_size_reaches_panels_tables_and_dialogs(lecture, qtbot):
    """Labels, tables, tabs and what opens later have letters of the new size."""
    lecture.commands.trigger("window.larger-text")
    lecture.commands.trigger("window.larger-text")
    size = lecture.font().pixelSize()
    assert size == round(1.25 * 13)
    views = (lecture.queue.running.table, lecture.menuBar(), lecture.shortcut_sheet, lecture.palette_sheet)
    assert {view.font().pixelSize() for view in views} == {size}
    assert lecture.algorithm.code._face().pixelSize() == size


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


def test_the_theme_is_remembered_at_once(lecture):
    """A program that is killed starts again as dark as it was, as it does with high contrast."""
    assert not lecture.settings.contains("window/theme")
    lecture.commands.trigger("window.theme")
    assert lecture.settings.value("window/theme") == lecture.themes.theme.name


def test_high_contrast_is_light_or_dark(lecture, qtbot):
    """It combines with the theme, and D still changes between light and dark."""
    lecture.commands.trigger("window.contrast")
    assert lecture.themes.theme is LIGHT_CONTRAST
    qtbot.keyClick(lecture.mesh.canvas, Qt.Key.Key_D)
    assert lecture.themes.theme is DARK_CONTRAST
    lecture.commands.trigger("window.contrast")
    assert lecture.themes.theme.name == "dark"


def test_presenter_mode_has_a_size_of_its_own(lecture, qtbot):
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


def test_the_mesh_has_its_own_zoom(lecture, qtbot):
    """Z and Shift+Z zoom the mesh; letters keep their size."""
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
