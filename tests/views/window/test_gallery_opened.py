"""The gallery from the main window: made when asked for, opening its scenarios in the mesh."""

import pytest
from PySide6.QtCore import Qt

from meshgui.views.widgets.work_thread import WorkThread
from tests.views.window.conftest import open_and_run, wait_for_run


@pytest.fixture
def gallery(window, qtbot):
    """The gallery of a window, opened with its key."""
    qtbot.keyClick(
        window, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    with qtbot.waitExposed(window.studies.gallery):
        pass
    yield window.studies.gallery
    window.studies.gallery.end()
    WorkThread.end_all()
    window.studies.gallery.close()


def test_the_command_opens_one_window(window, gallery, qtbot):
    """Again it comes to the front, and is not made anew; every entry of the catalogue is in it."""
    assert gallery.isVisible()
    assert gallery.list.list.count() == 14
    window.commands.trigger("run.gallery")
    assert window.studies.gallery is gallery


def test_its_scenarios_open_in_the_mesh(window, gallery, qtbot):
    """The run of the first number's strategy, with seed 1, under a title that says what it is."""
    gallery.list.choose("004-E1")
    qtbot.mouseClick(gallery.page.shown[0].open, Qt.MouseButton.LeftButton)
    wait_for_run(window, qtbot)
    assert window.document.title.startswith("Tsai, Lei and Lai, example 1: ")
    assert window.document.scenario.seed == 1
    assert len(window.time_cursor.recording.jobs) == 7
    assert not window.document.modified


def test_changes_are_not_lost_without_a_question(window, gallery, qtbot, answers):
    """As when a file is opened: who cancels keeps the changed scenario."""
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    window.scenario_run.apply(window.document.scenario.model_copy(update={"title": "Changed"}))
    wait_for_run(window, qtbot)
    answers += ["Cancel", "Discard"]
    gallery.list.choose("004-E1")
    qtbot.mouseClick(gallery.page.shown[0].open, Qt.MouseButton.LeftButton)
    assert window.document.title == "Changed"
    qtbot.mouseClick(gallery.page.shown[0].open, Qt.MouseButton.LeftButton)
    wait_for_run(window, qtbot)
    assert window.document.title.startswith("Tsai, Lei and Lai, example 1: ")


def test_the_window_closes_the_gallery_with_it(window, gallery, qtbot):
    """Nothing was run, so nothing is asked."""
    assert window.close()
    assert not gallery.isVisible()
