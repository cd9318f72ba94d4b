"""In the window: the keys that step through the network, and Escape, which ends a choice of cycles."""

import pytest
from PySide6.QtCore import Qt

from meshgui.model.player import Granularity
from tests.networks import crowd

STEPS = {
    Qt.Key.Key_4: Granularity.CYCLE,
    Qt.Key.Key_5: Granularity.HOP,
    Qt.Key.Key_6: Granularity.PACKET,
}


@pytest.fixture
def network(window):
    """A window that shows a run with a network, in its middle."""
    window.document.take(crowd().scenario, None)
    window.place.show(crowd())
    window.place.go_to_time(40.0)
    return window


@pytest.mark.parametrize(("key", "granularity"), STEPS.items())
def test_a_key_chooses_the_step_and_the_arrows_make_it(network, qtbot, key, granularity):
    """4, 5 and 6 step by cycle, hop and packet: there and back is where one was before."""
    qtbot.keyClick(network, key)
    assert network.player.granularity is granularity
    qtbot.keyClick(network, Qt.Key.Key_Right)
    on = network.place.time
    assert on > 40.0
    qtbot.keyClick(network, Qt.Key.Key_Right)
    qtbot.keyClick(network, Qt.Key.Key_Left)
    assert network.place.time == on


def test_without_a_network_these_keys_rest(lecture, qtbot):
    """The commands cannot be used, and the step stays what it was."""
    for key in STEPS:
        qtbot.keyClick(lecture, key)
    assert lecture.player.granularity is Granularity.EVENT
    assert not lecture.commands.action("time.by-cycle").isEnabled()


def test_escape_ends_the_choice_of_cycles(network, qtbot):
    """The use of channels is that of the whole run again; a sheet that is open takes the key for itself."""
    network.selection.select_span((10, 30))
    network.toggle_keys()
    qtbot.keyClick(network.shortcut_sheet, Qt.Key.Key_Escape)
    assert network.selection.span == (10, 30)
    qtbot.keyClick(network, Qt.Key.Key_Escape)
    assert network.selection.span is None


def test_every_button_fits_beside_the_title_on_a_small_screen(network, qtbot):
    """At 1280 × 720 the tool bar hides nothing, though it offers six sizes of a step."""
    network.resize(1280, 720)
    qtbot.wait(20)
    assert network.transport.isVisible()
    buttons = [network.transport.granularity.button(index) for index in range(6)]
    shown = [network.toolbar.widgetForAction(action) for action in network.toolbar.actions()]
    for widget in [*buttons, *shown]:
        right = widget.mapTo(network, widget.rect().topRight()).x()
        assert widget.isVisible()
        assert right <= 1280
