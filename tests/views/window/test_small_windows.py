"""Small windows and large letters: nothing is out of reach."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu

from tests.views.window.conftest import open_and_run


@pytest.fixture
def network(window, qtbot):
    """A window on the example with a network, whose transport has most buttons."""
    return open_and_run(window, qtbot, "two-packets-meet-6x4")


def cut_off(window, widgets):
    """Those of the widgets in sight that reach beyond the window."""
    whole = window.rect()
    return [
        w
        for w in widgets
        if w.isVisible() and not whole.contains(w.rect().translated(w.mapTo(window, QPoint())))
    ]


def menu_of(button) -> list[str]:
    """The names of the commands that a button's menu offers."""
    menu: QMenu = button.menu()
    menu.aboutToShow.emit()
    return [action.objectName() for action in menu.actions() if not action.isSeparator()]


@pytest.mark.parametrize(
    ("width", "text_size"), [(1600, 1.0), (960, 1.0), (800, 1.0), (960, 1.4), (1600, 2.0)]
)
def test_what_has_no_room_in_the_tool_bar_is_in_its_menu(network, themes, qtbot, width, text_size):
    """Every command of the bar is a button in sight or an entry behind », and none is cut off."""
    themes.set_scale(text_size)
    network.resize(width, 900)
    qtbot.wait(50)
    bar = network.toolbar.bar
    offered = menu_of(bar.more)
    assert bar.more.isVisible() == bool(bar.folded) == bool(offered)
    for name, button in network.toolbar.buttons.items():
        assert button.isVisible() != (name in offered)
    assert network.transport.granularity.isVisible() != ("time.by-hop" in offered)
    transport = network.transport
    kept = [transport.back_button, transport.play_button, transport.forward_button, network.title, bar.more]
    shown = [*network.toolbar.buttons.values(), transport.granularity, transport.speed_button, *kept]
    assert all(w.isVisible() for w in kept[:-1])
    assert cut_off(network, shown) == []


def test_a_folded_command_is_run_by_mouse(network, themes, qtbot):
    """A click on » and one on the entry do what the button did."""
    network.resize(700, 700)
    qtbot.wait(50)
    bar = network.toolbar.bar
    assert network.toolbar.buttons["window.theme"] in bar.folded
    before = themes.theme.name

    def choose() -> None:
        action = network.commands.action("window.theme")
        qtbot.mouseClick(bar.menu, Qt.MouseButton.LeftButton, pos=bar.menu.actionGeometry(action).center())

    bar.menu.aboutToShow.connect(choose, Qt.ConnectionType.QueuedConnection)
    qtbot.mouseClick(bar.more, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: themes.theme.name != before)


def test_the_tool_bar_unfolds_where_there_is_room_again(network, qtbot):
    """A window made narrow and wide again has all of its buttons."""
    for width, folds in ((800, True), (1600, False)):
        network.resize(width, 900)
        qtbot.wait(50)
        assert bool(network.toolbar.bar.folded) == folds
