"""The files opened lately are opened again from the menu."""

from PySide6.QtWidgets import QMenu

from meshgui.itself import resource
from tests.views.window.conftest import wait_for_run


def test_recent_files_are_opened_from_the_file_menu(window, qtbot):
    """Where there is none, the entry cannot be used; each names its scenario, and its file in a hint."""
    file_menu = window.menuBar().actions()[0].menu()
    entry = next(action for action in file_menu.actions() if action.text() == "Open recent")
    names = [action.objectName() for action in file_menu.actions()]
    assert file_menu.actions().index(entry) == names.index("file.open") + 1
    file_menu.aboutToShow.emit()
    assert not entry.isEnabled()

    path = resource("scenarios", "three-jobs-4x4x4.meshgui.json")
    window.recent.add(path)
    file_menu.aboutToShow.emit()
    assert entry.isEnabled()
    recent = entry.menu()
    assert isinstance(recent, QMenu)
    recent.aboutToShow.emit()
    first, *_, forget = recent.actions()
    assert (first.text(), first.toolTip()) == (path.name, str(path))  # its title is not known yet
    first.trigger()
    wait_for_run(window, qtbot)
    assert window.document.path == path
    recent.aboutToShow.emit()
    first, *_, forget = recent.actions()
    assert (first.text(), first.toolTip()) == ("Three jobs, step by step", str(path))
    forget.trigger()
    assert window.recent.paths() == []
