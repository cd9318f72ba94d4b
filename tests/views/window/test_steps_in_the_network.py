"""In the window: the keys that step through the network, and Escape, which lets go of what is selected."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from meshgui.model.player import Granularity
from meshgui.views.forms.pick_editor import PickEditor
from tests.networks import crowd
from tests.views.window.conftest import settle

STEPS = {
    Qt.Key.Key_4: Granularity.CYCLE,
    Qt.Key.Key_5: Granularity.HOP,
    Qt.Key.Key_6: Granularity.PACKET,
}


@pytest.fixture
def network(window):
    """A window that shows a run with a network, in its middle."""
    window.document.take(crowd().scenario, None)
    window.time_cursor.show(crowd())
    window.time_cursor.go_to_time(40.0)
    return window


@pytest.mark.parametrize(("key", "granularity"), STEPS.items())
def test_a_key_chooses_the_step_and_the_arrows_make_it(network, qtbot, key, granularity):
    """4, 5 and 6 step by cycle, hop and packet: there and back is where one was before."""
    qtbot.keyClick(network, key)
    assert network.player.granularity is granularity
    qtbot.keyClick(network, Qt.Key.Key_Right)
    on = network.time_cursor.time
    assert on > 40.0
    qtbot.keyClick(network, Qt.Key.Key_Right)
    qtbot.keyClick(network, Qt.Key.Key_Left)
    assert network.time_cursor.time == on


def test_without_a_network_these_keys_rest(lecture, qtbot):
    """The commands cannot be used, and the step stays what it was."""
    for key in STEPS:
        qtbot.keyClick(lecture, key)
    assert lecture.player.granularity is Granularity.EVENT
    assert not lecture.commands.action("time.by-cycle").isEnabled()


def test_escape_ends_the_choice_of_cycles(network, qtbot):
    """The use of channels is that of the whole run again; a sheet that is open takes the key for itself."""
    network.selection.select_span((10, 30))
    network.shortcut_sheet.toggle()
    qtbot.keyClick(network.shortcut_sheet, Qt.Key.Key_Escape)
    assert network.selection.span == (10, 30)
    qtbot.keyClick(network, Qt.Key.Key_Escape)
    assert network.selection.span is None


def test_escape_lets_go_of_what_is_selected_from_the_inside(network, qtbot):
    """A press each: the channel, the packet, its job, the cycles; a press more does nothing."""
    selection = network.selection

    def selected():
        return selection.channel, selection.packet, selection.job, selection.span

    job = int(network.time_cursor.recording.network.jobs[3])
    selection.select_span((10, 30))
    selection.select_packet(3, job)
    selection.select_channel(9)
    assert selected() == (9, 3, job, (10, 30))
    for left in (
        (None, 3, job, (10, 30)),
        (None, None, job, (10, 30)),
        (None, None, None, (10, 30)),
        (None, None, None, None),
        (None, None, None, None),
    ):
        qtbot.keyClick(network.mesh.canvas, Qt.Key.Key_Escape)
        assert selected() == left


def test_escape_in_a_field_of_the_form_lets_nothing_go(network, qtbot):
    """Whoever types does not mean the mesh."""
    network.panels.show("scenario")
    qtbot.waitUntil(lambda: (made := network.form.made) is not None and made.isVisible())
    lines = network.form.made.findChildren(QLineEdit)
    qtbot.waitUntil(lambda: any(line.isVisible() for line in lines))
    line = next(line for line in lines if line.isVisible())
    line.setFocus()
    qtbot.waitUntil(line.hasFocus)
    network.selection.select(1)
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    assert network.selection.job == 1


def test_enter_chooses_in_an_open_list_of_the_form(network, qtbot):
    """The arrow keys move in it, Escape leaves all as it was."""
    network.panels.show("scenario")
    qtbot.waitUntil(lambda: (made := network.form.made) is not None and made.isVisible())
    combo = network.form.made.findChild(PickEditor, "network.switching").combo
    for key, chosen in ((Qt.Key.Key_Escape, 0), (Qt.Key.Key_Return, 1), (Qt.Key.Key_Enter, 2)):
        combo.showPopup()
        view = combo.view()
        qtbot.waitUntil(view.hasFocus)
        qtbot.keyClick(view, Qt.Key.Key_Home)
        for _ in range(chosen or 2):
            qtbot.keyClick(view, Qt.Key.Key_Down)
        qtbot.keyClick(view, key)
        qtbot.waitUntil(lambda view=view: not view.isVisible())
        assert combo.currentIndex() == chosen


def test_every_button_fits_beside_the_title_on_a_small_screen(network, qtbot):
    """At 1280 × 720 the tool bar hides nothing, though it offers six sizes of a step."""
    network.resize(1280, 720)
    settle(network, qtbot)
    assert network.transport.isVisible()
    buttons = [network.transport.granularity.button(index) for index in range(6)]
    assert network.toolbar.bar.folded == []
    for widget in [*buttons, *network.toolbar.buttons.values()]:
        right = widget.mapTo(network, widget.rect().topRight()).x()
        assert widget.isVisible()
        assert right <= 1280
