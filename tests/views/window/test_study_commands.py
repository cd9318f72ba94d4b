"""Windows beside the main one have their commands in a palette and on a sheet, as it has."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from tests.views.window.conftest import activate

OWN = {
    "experiment": ("run.experiment", {"Start", "Published results…"}),
    "gallery": ("run.gallery", {"Run this entry", "Run all", "Experiment…"}),
}


def test_what_a_window_can_do_is_found_and_listed_with_its_keys(lecture, qtbot):
    """Its own commands and those that all have; one that is found is run."""
    for name, (command, own) in OWN.items():
        lecture.commands.trigger(command)
        study = getattr(lecture.studies, name)
        assert study.isVisible()
        titles = {entry.title for entry in study.commands}
        assert own | {"Export picture…", "Copy table", "Close the window", "Find a command", "Keys"} <= titles
        for entry in study.commands:
            assert entry.shortcuts, entry.id
            assert entry.icon, entry.id
        study.commands.trigger("window.keys")
        sheet = study.commands.sheet
        assert sheet.isVisible()
        assert own <= {label.text() for label in sheet.findChildren(QLabel)}
        sheet.dismiss()
        study.commands.trigger("window.palette")
        palette = study.commands.palette
        assert palette.isVisible()
        palette.search.setText("close the window")
        assert palette.commands()[0].id == "file.close-window"
        qtbot.keyClick(palette.search, Qt.Key.Key_Return)
        assert study.isHidden()


def test_one_window_opens_the_other_by_its_keys(lecture, qtbot):
    """As the main window does."""
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    lecture.commands.trigger("run.experiment")
    qtbot.keyClick(lecture.studies.experiment, Qt.Key.Key_G, both)
    assert lecture.studies.gallery.isVisible()
    lecture.studies.experiment.close()
    qtbot.keyClick(lecture.studies.gallery, Qt.Key.Key_E, both)
    assert lecture.studies.experiment.isVisible()


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("open_before", [False, True])
def test_opened_from_a_lecture_it_is_shown_as_the_lecture_is(lecture, qtbot, name, open_before):
    """On the whole screen in its letters, also one that stood behind; at the desk again it is as before."""
    if open_before:
        lecture.commands.trigger(OWN[name][0])
        study = getattr(lecture.studies, name)
        qtbot.waitUntil(study.isVisible)
    scale = lecture.themes.scale
    lecture.presenter.enter()
    qtbot.waitUntil(lecture.updatesEnabled)
    lecture.commands.trigger(OWN[name][0])
    study = getattr(lecture.studies, name)
    assert study.isVisible()
    qtbot.waitUntil(study.isFullScreen)
    assert lecture.themes.scale > scale
    if not open_before:
        return  # without a window manager, as here, one that was never smaller stays so
    lecture.presenter.leave()
    qtbot.waitUntil(lecture.updatesEnabled)
    qtbot.waitUntil(lambda: not study.isFullScreen())
    assert study.isVisible()
    assert lecture.themes.scale == scale
    # F5 fills the screen there as well, and goes back
    for full in (True, False):
        activate(study, qtbot)
        qtbot.keyClick(study, Qt.Key.Key_F5)
        qtbot.waitUntil(lambda full=full: study.isFullScreen() == full)


@pytest.mark.parametrize("name", OWN)
def test_the_size_of_text_is_changed_in_every_window(lecture, qtbot, name):
    """By the keys of the main window, and found by its words."""
    lecture.commands.trigger(OWN[name][0])
    study = getattr(lecture.studies, name)
    activate(study, qtbot)
    assert {"Larger text", "Smaller text", "Normal text size"} <= {entry.title for entry in study.commands}
    for key, scale in (
        (Qt.Key.Key_Plus, 1.1),
        (Qt.Key.Key_Plus, 1.25),
        (Qt.Key.Key_Minus, 1.1),
        (Qt.Key.Key_0, 1.0),
    ):
        qtbot.keyClick(study, key, Qt.KeyboardModifier.ControlModifier)
        assert lecture.themes.scale == scale
