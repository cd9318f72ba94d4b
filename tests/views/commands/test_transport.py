"""The buttons do what they say, and the clock runs only while playing."""

import pytest
from PySide6.QtCore import Qt

from meshgui.engine.basics.translation import PSEUDO, speaking
from meshgui.model.player import FACTORS, Granularity, Player
from meshgui.model.position import Position
from meshgui.views.commands.transport import Transport
from meshgui.views.style.icons import IconShelf
from tests.networks import crowd


@pytest.fixture
def player(cursor):
    """A player of the cursor."""
    return Player(cursor)


@pytest.fixture
def transport(shown, cursor, player, recording):
    """A shown transport over a thousand jobs."""
    cursor.show(recording)
    return shown(lambda c, _s, themes: Transport(player, c, themes, IconShelf(themes)), 600, 44)


def press(qtbot, button):
    """Click a button."""
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_playing_moves_the_cursor_and_pausing_stops_the_clock(qtbot, transport, cursor, player):
    """While playing time passes by itself; paused, no timer runs."""
    assert not transport._timer.isActive()
    press(qtbot, transport.play_button)
    assert transport._timer.isActive()
    assert transport.play_button.toolTip() == "Pause"
    qtbot.waitUntil(lambda: cursor.time > 0)
    press(qtbot, transport.play_button)
    assert not transport._timer.isActive()
    assert not player.playing


def test_the_button_plays_and_pauses_in_every_language(qtbot, transport, player):
    """Its icon is not found by its name."""
    with speaking(PSEUDO), qtbot.captureExceptions() as faults:
        press(qtbot, transport.play_button)
        paused = transport.play_button.icon().cacheKey()
        press(qtbot, transport.play_button)
        assert transport.play_button.icon().cacheKey() != paused
    assert faults == []
    assert not player.playing


def test_the_clock_stops_at_the_end(qtbot, transport, cursor, player, recording):
    """A run that has played to its end is not ticked any further."""
    cursor.go_to_time(recording.end_time - 1e-6)
    player.factor = 64.0
    press(qtbot, transport.play_button)
    qtbot.waitUntil(lambda: not transport._timer.isActive())
    assert cursor.position == Position(len(recording))


def test_first_and_last_lead_to_the_ends(qtbot, transport, cursor, recording):
    """The outer buttons go to the ends, where they cannot be used again."""
    press(qtbot, transport.last_button)
    assert cursor.position == Position(len(recording))
    assert not transport.last_button.isEnabled()
    assert not transport.forward_button.isEnabled()
    press(qtbot, transport.first_button)
    assert cursor.position == Position(0)
    assert not transport.back_button.isEnabled()


def test_on_and_back_step_by_what_is_chosen(qtbot, transport, cursor, player):
    """By event the step is an event; by line it leads into an attempt; back leads back."""
    press(qtbot, transport.forward_button)
    assert cursor.position == Position(1)
    press(qtbot, transport.granularity.button(0))
    assert player.granularity is Granularity.LINE
    press(qtbot, transport.forward_button)
    assert cursor.position.attempt is not None
    press(qtbot, transport.back_button)
    assert cursor.position == Position(1)


def test_a_step_pauses(qtbot, transport, player):
    """Who steps wants to look: playing stops."""
    press(qtbot, transport.play_button)
    press(qtbot, transport.forward_button)
    assert not player.playing


def test_the_speed_chooser_shows_and_sets_the_speed(transport, player):
    """Each entry sets its factor, and the button names the one in force."""
    for action, factor in zip(transport.speed_button.menu().actions(), FACTORS, strict=True):
        action.trigger()
        assert player.factor == factor
        assert transport.speed_button.text() == f"{factor:g}×"
        assert action.isChecked()


def test_the_speed_keeps_its_order_in_a_window_from_the_right(transport, qapp):
    """The sign stands behind the number there, too, and not before it."""
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        transport.speed_button.menu().actions()[-1].trigger()
        assert transport.speed_button.text() == f"\u2066{FACTORS[-1]:g}×\u2069"
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_without_a_run_nothing_can_be_played(transport, cursor):
    """All buttons rest while there is nothing to move in."""
    cursor.show(None)
    buttons = (transport.first_button, transport.back_button, transport.play_button, transport.forward_button)
    assert not any(button.isEnabled() for button in buttons)


@pytest.fixture
def network_transport(shown, player):
    """A shown transport over a run with a network."""

    def make(cursor, _selection, themes):
        cursor.show(crowd())
        return Transport(player, cursor, themes, IconShelf(themes))

    return shown(make, 600, 44)


def test_the_steps_of_a_network_are_offered_where_there_is_one(network_transport, cursor, recording):
    """Cycle, hop and packet are seen beside line, decision and event, and go when the network does."""
    buttons = [network_transport.granularity.button(index) for index in range(len(Granularity))]
    assert [button.text() for button in buttons] == [granularity.value for granularity in Granularity]
    assert all(button.isVisible() for button in buttons)
    cursor.show(recording)
    assert [button.isVisible() for button in buttons] == [True] * 3 + [False] * 3
    cursor.show(crowd())
    assert all(button.isVisible() for button in buttons)


def test_on_and_back_step_through_the_network(qtbot, network_transport, cursor, player):
    """By cycle the buttons lead from one cycle to the next and back, and the speed is told in cycles."""
    cursor.go_to_time(10.0)
    press(qtbot, network_transport.granularity.button(3))
    assert player.granularity is Granularity.CYCLE
    press(qtbot, network_transport.forward_button)
    assert cursor.time == 11.0
    press(qtbot, network_transport.back_button)
    assert cursor.time == 10.0
    assert network_transport.speed_button.toolTip().endswith("cycles a second")


def test_a_choice_that_is_not_offered_is_not_seen_chosen(network_transport, cursor, player, recording):
    """Where there is no network the arrows step by event, and the button says so."""
    player.granularity = Granularity.HOP
    assert network_transport.granularity.index == 4
    cursor.show(recording)
    assert network_transport.granularity.index == 2
    cursor.show(crowd())
    assert network_transport.granularity.index == 4


def test_along_a_packet_the_buttons_rest_at_its_ends(shown, cursor, selection):
    """By hop with a packet selected, back rests where it sets out and on where it has arrived."""
    network = crowd().network
    cursor.show(crowd())
    player = Player(cursor, selection)
    player.granularity = Granularity.HOP
    transport = shown(lambda c, _s, themes: Transport(player, c, themes, IconShelf(themes)), 600, 44)
    packet = len(network) // 2
    cursor.go_to_time(float(network.delivered[packet]))
    assert transport.forward_button.isEnabled()
    selection.select_packet(packet, int(network.jobs[packet]))
    assert not transport.forward_button.isEnabled()
    assert transport.back_button.isEnabled()
    cursor.go_to_time(float(network.injected[packet]))
    assert not transport.back_button.isEnabled()
