"""The buttons do what they say, and the clock runs only while playing."""

import pytest
from PySide6.QtCore import Qt, QTimer

from meshgui.engine.basics.translation import PSEUDO, speaking
from meshgui.model.moment.position import Position
from meshgui.model.stepping.player import FACTORS, Granularity, Player
from meshgui.views.stepping.transport import Transport
from meshgui.views.style.icons import IconShelf
from tests.networks import crowd


@pytest.fixture
def player(cursor):
    """A player of the cursor."""
    return Player(cursor)


def transport_of(player):
    """Makes the buttons of a player."""
    return lambda cursor, _selection, themes: Transport(player, cursor, themes, IconShelf(themes))


@pytest.fixture
def transport(shown, cursor, player, recording):
    """A shown transport over a thousand jobs."""
    cursor.show(recording)
    return shown(transport_of(player), 600, 44)


def press(qtbot, button):
    """Click a button."""
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


ORDER = "first", "back", "forward", "last"


def test_playing_moves_the_cursor_and_pausing_stops_the_clock(qtbot, transport, cursor, player):
    """While playing time passes by itself; paused, no timer runs; a step pauses, too."""
    clock = transport.findChild(QTimer)
    assert not clock.isActive()
    for pause in (transport.play_button, transport.forward_button):
        press(qtbot, transport.play_button)
        assert clock.isActive()
        assert transport.play_button.toolTip() == "Pause"
        before = cursor.time
        qtbot.waitUntil(lambda before=before: cursor.time > before)
        press(qtbot, pause)
        assert not clock.isActive()
        assert not player.playing


def test_the_button_plays_and_pauses_in_every_language_and_the_clock_stops_at_the_end(
    qtbot, transport, player, cursor, recording
):
    """Its icon is not found by its name."""
    with speaking(PSEUDO), qtbot.captureExceptions() as faults:
        press(qtbot, transport.play_button)
        paused = transport.play_button.icon().cacheKey()
        press(qtbot, transport.play_button)
        assert transport.play_button.icon().cacheKey() != paused
    assert faults == []
    assert not player.playing
    # A run that has played to its end is not ticked any further
    cursor.go_to_time(recording.end_time - 1e-6)
    player.factor = 64.0
    press(qtbot, transport.play_button)
    qtbot.waitUntil(lambda: not transport.findChild(QTimer).isActive())
    assert cursor.position == Position(len(recording))


def test_the_buttons_lead_to_the_ends_and_step_by_what_is_chosen(qtbot, transport, cursor, player, recording):
    """They rest where there is nothing to move in: at the ends, and without a run."""
    first, back, forward, last = (getattr(transport, f"{name}_button") for name in ORDER)
    press(qtbot, last)
    assert cursor.position == Position(len(recording))
    assert [last.isEnabled(), forward.isEnabled()] == [False, False]
    press(qtbot, first)
    assert cursor.position == Position(0)
    assert not back.isEnabled()
    press(qtbot, forward)
    assert cursor.position == Position(1)
    press(qtbot, transport.granularity.button(0))
    assert player.granularity is Granularity.LINE
    press(qtbot, forward)
    assert cursor.position.attempt is not None
    press(qtbot, back)
    assert cursor.position == Position(1)
    cursor.show(None)
    assert not any(button.isEnabled() for button in (first, back, transport.play_button, forward))


def test_the_speed_chooser_shows_and_sets_the_speed(transport, player, qapp):
    """Each entry sets its factor, and the button names the one in force, in its order from the right, too."""
    for action, factor in zip(transport.speed_button.menu().actions(), FACTORS, strict=True):
        action.trigger()
        assert player.factor == factor
        assert transport.speed_button.text() == f"{factor:g}×"
        assert action.isChecked()
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        transport.speed_button.menu().actions()[0].trigger()
        assert transport.speed_button.text() == f"\u2066{FACTORS[0]:g}×\u2069"
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


@pytest.fixture
def network_transport(shown, cursor, player):
    """A shown transport over a run with a network."""
    cursor.show(crowd())
    return shown(transport_of(player), 600, 44)


def test_the_steps_of_a_network_are_offered_where_there_is_one(
    network_transport, cursor, player, recording, qtbot
):
    """Cycle, hop and packet stand beside line, decision and event; without one no choice of them is seen."""
    choice = network_transport.granularity
    buttons = [choice.button(index) for index in range(len(Granularity))]
    assert [button.text() for button in buttons] == [granularity.record.word for granularity in Granularity]
    everywhere = [not granularity.record.of_network for granularity in Granularity]
    player.granularity = Granularity.HOP
    in_network, without = ([True] * len(buttons), Granularity.HOP), (everywhere, Granularity.EVENT)
    for run, (seen, chosen) in ((crowd(), in_network), (recording, without), (crowd(), in_network)):
        cursor.show(run)
        assert [button.isVisible() for button in buttons] == seen
        assert choice.index == list(Granularity).index(chosen)
    # On and back step through it
    cursor.go_to_time(10.0)
    press(qtbot, buttons[list(Granularity).index(Granularity.CYCLE)])
    assert player.granularity is Granularity.CYCLE
    press(qtbot, network_transport.forward_button)
    assert cursor.time == 11.0
    press(qtbot, network_transport.back_button)
    assert cursor.time == 10.0
    assert network_transport.speed_button.toolTip().endswith("cycles a second")


def test_along_a_packet_the_buttons_rest_at_its_ends(shown, cursor, selection):
    """By hop with a packet selected, back rests where it sets out and on where it has arrived."""
    network, player = crowd().network, Player(cursor, selection)
    cursor.show(crowd())
    player.granularity = Granularity.HOP
    transport = shown(transport_of(player), 600, 44)
    packet = len(network) // 2
    cursor.go_to_time(float(network.delivered[packet]))
    assert transport.forward_button.isEnabled()
    selection.select_packet(packet, int(network.jobs[packet]))
    assert not transport.forward_button.isEnabled()
    assert transport.back_button.isEnabled()
    cursor.go_to_time(float(network.injected[packet]))
    assert not transport.back_button.isEnabled()
