"""Windows beside the main one have their commands in a palette and on a sheet, as it has."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from tests.views.window.conftest import activate

OWN = {
    "experiment": ("run.experiment", {"Start"}),
    "gallery": ("run.gallery", {"Run this entry", "Run all"}),
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


@pytest.mark.parametrize("name", OWN)
def test_opened_from_a_lecture_it_covers_it(lecture, qtbot, name):
    """Nothing of the lecture stands out beside it, and it can be closed as any window."""
    lecture.setWindowState(Qt.WindowState.WindowFullScreen)
    lecture.commands.trigger(OWN[name][0])
    study = getattr(lecture.studies, name)
    assert study.isVisible()
    assert study.isMaximized()
    # F5 fills the screen there as well, and goes back
    for full in (True, False):
        activate(study, qtbot)
        qtbot.keyClick(study, Qt.Key.Key_F5)
        qtbot.waitUntil(lambda full=full: study.isFullScreen() == full)
