"""The network's panel: packets, one packet's way and chain, channels, one channel's use; all of it linked."""

import re

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QWidget

from meshgui.engine.network.routing import WAYS, describe_channel
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import scenario_from
from meshgui.views.network.panel import CHANNELS, PACKETS, ROUTER, NetworkView
from meshgui.views.widgets.data_table import SortOrder
from tests.counting import calls_in
from tests.networks import alone, busy, sent, sent_on_torus, three_in_a_row
from tests.views.panels.conftest import seen_both_ways
from tests.views.tables import column_of, texts

EAST = 2 * WAYS  # (2,0)→(3,0) on the 4×4 mesh


def tones(table, row):
    """The colours of a row's cells."""
    return [table.rows.cell(row, column).tone for column in range(table.rows.columnCount())]


def turn_to(panel, part, qtbot):
    """Turn to packets or channels as a user does."""
    qtbot.mouseClick(panel.parts.button(part), Qt.MouseButton.LeftButton)


@pytest.fixture
def panel(show, cursor):
    """The panel, looking at three packets in a row at cycle 10."""
    view = show(NetworkView, width=400, height=700)
    cursor.show(three_in_a_row())
    cursor.go_to_time(10.0)
    return view


def test_it_lists_the_packets_under_way_the_ones_in_trouble_first_and_sorts_them(panel, qtbot):
    """Number, job, way, state and age."""
    assert panel.page is panel.packets
    assert texts(panel.packets.table) == [
        ("1", "0", "(1,0)→(3,0)", "blocked by 0 at (2,0)→(3,0)", "10"),
        ("2", "0", "(0,0)→(3,0)", "blocked by 1 at (1,0)→(2,0)", "10"),
        ("0", "0", "(2,0)→(3,0)", "arriving, 2 of 16 flits", "10"),
    ]
    assert panel.count.text() == "2 of 3 blocked"
    # A click on a caption sorts, and another turns the order around; some columns cannot be sorted
    table = panel.packets.table

    def click(column):
        head = table.horizontalHeader()
        at = QPoint(head.sectionViewportPosition(column) + 5, 10)
        qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=at)

    click(0)
    assert [row[0] for row in texts(table)] == ["0", "1", "2"]
    click(0)
    assert [row[0] for row in texts(table)] == ["2", "1", "0"]
    assert table.order == SortOrder("packet", descending=True)
    click(1)
    assert table.order == SortOrder("packet", descending=True)


@pytest.mark.parametrize("width", range(220, 420, 20))
def test_how_many_are_blocked_is_said_in_words_or_not_at_all(panel, width):
    """A number alone beside a list of three would be taken for another one."""
    panel.resize(width, 700)
    assert panel.count.shown in {"2 of 3 blocked", "2 blocked", ""}


def test_a_click_on_a_packet_selects_it_with_its_job_and_shows_its_way(panel, selection, qtbot):
    """The pointer hovers, the click brings up the packet's card, the button goes back to all."""
    table = panel.packets.table
    table.pointed.emit(0, 0)
    assert (selection.hovered, selection.hovered_packet) == (0, 1)
    at = table.visualRect(table.rows.index(0, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert (selection.packet, selection.job) == (1, 0)
    assert panel.page is panel.packet
    qtbot.mouseClick(panel.packet.back, Qt.MouseButton.LeftButton)
    assert (selection.packet, selection.job) == (None, 0)
    assert panel.page is panel.packets


def test_an_empty_network_offers_to_go_to_the_next_packet_and_no_network_the_form(
    panel, cursor, qtbot, show, small_run
):
    """And at the end back to the last one."""
    cursor.show(sent((0, (0, 0), (1, 0)), (60, (0, 0), (1, 0)), (90, (0, 0), (1, 0))))
    cursor.go_to_time(40.0)
    empty = panel.packets.empty
    assert empty.isVisible()
    assert empty.words.text() == "No packet is in the network at cycle 40: step to the next one."
    qtbot.mouseClick(empty.button, Qt.MouseButton.LeftButton)
    assert cursor.time == 60.0
    assert panel.packets.table.isVisible()
    cursor.last()
    assert "none follows" in empty.words.text()
    qtbot.mouseClick(empty.button, Qt.MouseButton.LeftButton)
    assert len(texts(panel.packets.table)) == 1
    # Without a network it offers the form; without a run it asks for a scenario
    cursor.show(None)
    view = show(NetworkView)
    assert view.none.words.text() == "Open a scenario with a network to see its packets."
    assert not view.none.button.isVisible()
    cursor.show(small_run)
    assert view.none.words.text() == "This scenario has no network: its form can give it one."
    with qtbot.waitSignal(view.edit_asked):
        qtbot.mouseClick(view.none.button, Qt.MouseButton.LeftButton)
    cursor.show(alone())
    assert view.page is view.packets


def test_a_packets_card_tells_where_it_goes_and_its_way_where_it_is(panel, selection, cursor):
    """What is still to come stands back; what it does now is said in words."""
    selection.select_packet(1, 0)
    card = panel.packet
    assert card.title.text() == "Packet 1 of job 0"
    assert card.route.text() == "(1,0) to (3,0) · 2 hops"
    assert card.state.text() == "Waits at (2,0) for (2,0)→(3,0), held by packet 0, for 2 cycles so far."
    values = {name: label.text() for name, label in card.facts.items()}
    begun = {"Sent": "0", "Injected": "0", "Queued": "0"}
    assert values == begun | {"Delivered": "44", "Blocked": "16", "Latency": "44"}
    muted = {name for name, label in card.facts.items() if label.tone == "muted"}
    assert muted == {"Delivered", "Blocked", "Latency"}
    # Times, waiting so far, and who was in the way, channel by channel
    way = panel.packet.way
    assert texts(way) == [
        ("into (1,0)", "0", "0", "1", "42", "–", "–"),
        ("(1,0)→(2,0)", "4", "4", "5", "43", "–", "–"),
        ("(2,0)→(3,0)", "8", "24", "25", "44", "2", "0"),
        ("out of (3,0)", "28", "28", "29", "44", "–", ""),
    ]
    assert [way.look(row).current for row in range(4)] == [False, False, True, False]
    assert tones(way, 0) == ["text", "text", "text", "text", "muted", "muted", "muted"]
    assert set(tones(way, 3)[:5]) == {"muted"}
    cursor.go_to_time(24.0)
    assert texts(way)[2][5] == "16"
    cursor.go_to_time(30.0)
    assert [way.look(row).current for row in range(4)] == [False, False, False, True]
    # A time goes there, a channel and a packet in the way are selected
    cursor.go_to_time(10.0)
    way.chosen.emit(2, column_of(way, "Granted"))
    assert cursor.time == 24.0
    way.chosen.emit(2, 0)
    assert (selection.channel, selection.packet) == (EAST, 1)
    assert panel.page is panel.packet
    way.pointed.emit(2, column_of(way, "By"))
    assert selection.hovered_packet == 0
    way.pointed.emit(1, 0)
    assert selection.hovered_channel == WAYS
    way.chosen.emit(2, column_of(way, "By"))
    assert selection.packet == 0


def test_the_chain_of_blocking_leads_to_the_one_that_is_not_blocked(panel, selection, cursor):
    """Packet 2 waits for what packet 1 holds, and that for packet 0, which arrives."""
    selection.select_packet(2, 0)
    chain = panel.packet.chain
    assert texts(chain) == [
        ("2", "", "(1,0)→(2,0)"),
        ("1", "(1,0)→(2,0)", "(2,0)→(3,0)"),
        ("0", "(2,0)→(3,0)", "arriving, 2 of 16 flits"),
    ]
    chain.chosen.emit(1, 0)
    assert selection.packet == 1
    cursor.go_to_time(30.0)
    assert texts(chain) == []
    assert chain.placeholder == "It waits for no other packet."
    # Four packets from one node: the last waits for all three before it, in one row
    cursor.show(sent(*((0, (0, 0), (n, 0)) for n in (1, 2, 3, 1))))
    selection.select_packet(3, 0)
    first = texts(panel.packet.way)[0]
    assert (first[0], first[6]) == ("into (0,0)", "2 +2")
    assert texts(panel.packet.way)[1][0] == "(0,0)→(1,0)"


def test_the_buttons_go_to_the_packets_injection_and_delivery_and_along_its_job(
    panel, selection, cursor, qtbot
):
    """The first packet has none before it, the last none after it."""
    selection.select_packet(1, 0)
    card = panel.packet
    for button, cycle in ((card.to_delivery, 44.0), (card.to_injection, 0.0)):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert cursor.time == cycle
    for button, packet in ((card.next, 2), (card.previous, 1), (card.previous, 0)):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert selection.packet == packet
        assert button.isEnabled() == (packet == 1)


def test_times_that_have_no_room_are_counted_from_the_sending(show, cursor, selection):
    """In a narrow panel, late in a long run, with a plus before them; names are shortened, too."""
    view = show(NetworkView, width=300, height=700)
    cursor.show(sent((1_000_000, (0, 0), (1, 0)), (1_000_003, (0, 0), (3, 0)), shape=(4, 4)))
    selection.select_packet(1, 0)
    rows = texts(view.packet.way)
    assert rows[0][1] == "+0"
    assert rows[1][0] == "→(1,0)"
    assert view.packet.way.isColumnHidden(column_of(view.packet.way, "Granted"))


def test_the_channels_are_listed_with_their_use_over_the_run_or_a_span(panel, cursor, selection, qtbot):
    """Links only, those most used first, who holds each and how many wait.

    Over the last link went the header in cycle 5, and behind it, once it was routed on, flits in 9 and 10:
    two of these are in a span from 5 to 9, as both its ends are.
    """
    turn_to(panel, CHANNELS, qtbot)
    table = panel.channels.table
    assert panel.channels.span.text() == "Cycles 0 to 10, the run so far"
    assert len(texts(table)) == 48
    by_name = {row[0]: row[1:] for row in texts(table)}
    assert by_name["(2,0)→(3,0)"] == ("30.0\N{NO-BREAK SPACE}%", "3", "2", "0", "1")
    assert by_name["(0,0)→(0,1)"] == ("0.0\N{NO-BREAK SPACE}%", "0", "0", "–", "–")
    uses = [int(row[2]) for row in texts(table)]
    assert uses == sorted(uses, reverse=True)
    qtbot.mouseClick(panel.channels.kinds.button(1), Qt.MouseButton.LeftButton)
    assert len(texts(table)) == 48 + 32
    selection.select_span((5, 9))
    assert panel.channels.span.text() == "Cycles 5 to 9, as chosen"
    by_name = {row[0]: row[1:] for row in texts(table)}
    assert by_name["(2,0)→(3,0)"][:2] == ("40.0\N{NO-BREAK SPACE}%", "2")
    selection.select_span(None)
    cursor.go_to_time(67.0)
    assert panel.channels.span.text() == "Cycles 0 to 67, the run so far"


def test_a_channel_is_chosen_here_and_elsewhere(panel, selection, qtbot):
    """The row hovers and selects its channel; the card comes up, and goes with its button."""
    turn_to(panel, CHANNELS, qtbot)
    table = panel.channels.table
    table.pointed.emit(0, 0)
    channel = selection.hovered_channel
    assert describe_channel(three_in_a_row().mesh, channel) == texts(table)[0][0]
    table.chosen.emit(0, 0)
    assert selection.channel == channel
    assert panel.page is panel.channel
    qtbot.mouseClick(panel.channel.back, Qt.MouseButton.LeftButton)
    assert selection.channel is None
    assert panel.page is panel.channels
    # One selected elsewhere brings its part up, one of the processors' too; a packet goes before
    selection.select_channel(EAST)
    assert panel.parts.index == CHANNELS
    assert panel.channel.title.text() == "(2,0)→(3,0)"
    selection.select_packet(2, 0)
    assert panel.parts.index == PACKETS
    assert panel.page is panel.packet


def test_a_channels_card_tells_who_passes_it_in_turn_and_its_curve_the_use(panel, selection, cursor, qtbot):
    """Its holder is marked, those to come stand back, a packet is a link and so is a time."""
    selection.select_channel(EAST)
    card = panel.channel
    assert card.now.text() == "Held by packet 0 of job 0 · 1 waits for it"
    assert card.figures.text() == "Cycles 0 to 10: 3 flits, in use 30.0 %"
    assert texts(card.table) == [
        ("0", "0", "4", "24", "20"),
        ("1", "0", "24", "44", "20"),
        ("2", "0", "47", "67", "20"),
    ]
    assert [card.table.look(row).current for row in range(3)] == [True, False, False]
    assert tones(card.table, 2)[0] == "muted"
    card.table.chosen.emit(1, 2)
    assert (cursor.time, selection.packet) == (24.0, 1)
    # Full while a packet crosses; the middle of the run is the middle of the curve
    selection.clear()
    selection.select_channel(EAST)
    curve = panel.channel.curve
    (table,) = curve.tables()
    assert max(share for _, _, share in table.rows) == 1.0
    assert len(table.rows) <= 68  # cycles 0 to 67
    before = curve.grab().toImage()
    qtbot.mouseClick(curve, Qt.MouseButton.LeftButton, pos=QPoint(curve.width() // 2, 30))
    assert cursor.time == pytest.approx(33.5, abs=1)
    assert curve.grab().toImage() != before


def test_going_back_shows_the_same_texts_in_the_same_places(panel, cursor, selection):
    """Card and list show at a cycle what they showed there before; columns and parts keep their places."""
    selection.select_packet(2, 0)
    card = panel.packet

    def seen():
        columns = [card.way.columnViewportPosition(column) for column in range(7)]
        places = *columns, card.way.geometry().getRect(), card.chain.y(), card.state.height()
        return texts(card.way), texts(card.chain), card.state.text(), panel.count.text(), places

    found = seen_both_ways(cursor.go_to_time, range(68), seen)
    assert len({places for *_, places in found}) == 1


def test_every_part_can_be_drawn_in_a_narrow_panel(show, cursor, selection, qtbot):
    """No part is wider than its dock, whatever the run."""
    view = show(NetworkView, width=280, height=300)
    cursor.show(busy())
    record = busy().network
    cycle = max(range(0, 19_000, 50), key=lambda cycle: len(record.at(cycle).blocked))
    cursor.go_to_time(float(cycle))
    moment = record.at(cycle)
    selection.select_packet(int(moment.blocked[0]), int(record.jobs[moment.blocked[0]]))
    assert view.grab().width() == 280
    turn_to(view, CHANNELS, qtbot)
    assert view.grab().width() == 280
    assert isinstance(view.page, QWidget)
    assert view.page.minimumSizeHint().width() <= 280


def test_a_large_meshs_channels_cost_little(show, cursor, qtbot):
    """A 64×64 mesh with 16 128 links: another place asks for the texts of visible rows only."""
    data = {"meshgui": 1, "mesh": {"shape": [64, 64]}, "allocator": {"name": "ff"}}
    workload = {"kind": "stochastic", "jobs": 200, "load": 0.01}
    network = {"pattern": "one-to-all", "messages": 20, "flits": 64}
    recording = simulate(scenario_from(data | {"workload": workload, "network": network}))
    view = show(NetworkView)
    cursor.show(recording)
    turn_to(view, CHANNELS, qtbot)
    for cycle in np.linspace(100, recording.end_time, 9).astype(int):
        cursor.go_to_time(float(cycle))
        shown = cursor.view
        _ = shown.network
        calls = calls_in(lambda shown=shown: view.channels.show_view(shown))
        assert calls < 1000
    assert view.channels.table.rows.rowCount() == 4 * 64 * 63


def test_the_keys_walk_the_packets_and_enter_opens_the_one_they_are_at(panel, selection, qtbot):
    """From the first row on, without leaving the list; Backspace goes back, and the list is where it was."""
    table = panel.packets.table
    table.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert panel.page is panel.packets
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert (table.currentIndex().row(), selection.hovered_packet) == (0, 1)
    qtbot.keyClick(table, Qt.Key.Key_Down)
    qtbot.keyClick(table, Qt.Key.Key_Down)
    qtbot.keyClick(table, Qt.Key.Key_Up)
    assert (table.currentIndex().row(), selection.packet) == (1, None)
    assert panel.page is panel.packets
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert (panel.page, selection.packet) == (panel.packet, 2)
    assert panel.packet.isAncestorOf(panel.focusWidget())
    qtbot.keyClick(panel.focusWidget(), Qt.Key.Key_Backspace)
    assert panel.page is panel.packets
    assert panel.focusWidget() is table
    assert table.currentIndex().row() == 1
    # Channels likewise
    turn_to(panel, CHANNELS, qtbot)
    table = panel.channels.table
    table.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert selection.channel is None
    first = table.source.link(table.row_of(0)).channel
    assert selection.hovered_channel == first
    qtbot.keyClick(table, Qt.Key.Key_Enter)
    assert (panel.page, selection.channel) == (panel.channel, first)
    qtbot.keyClick(panel.focusWidget(), Qt.Key.Key_Down)
    assert panel.page is panel.channel
    qtbot.keyClick(panel.focusWidget(), Qt.Key.Key_Escape)
    assert (panel.page, panel.focusWidget()) == (panel.channels, table)


def test_packets_and_channels_are_switched_with_the_arrows(panel, qtbot):
    """The part that is down has the focus by Tab; the arrows press the other."""
    panel.activateWindow()
    qtbot.waitUntil(panel.isActiveWindow)  # Qt moves along buttons in the active window only
    panel.parts.button(PACKETS).setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(panel.focusWidget(), Qt.Key.Key_Right)
    assert (panel.parts.index, panel.page) == (CHANNELS, panel.channels)
    qtbot.keyClick(panel.focusWidget(), Qt.Key.Key_Left)
    assert panel.page is panel.packets


@pytest.mark.parametrize("start", [10.0, 500.0])
def test_columns_share_the_width_there_is_after_the_panel_has_grown(panel, cursor, start):
    """Also when there was no packet to list while it grew."""
    cursor.go_to_time(start)
    panel.resize(560, 700)
    cursor.go_to_time(10.0)
    table = panel.packets.table
    assert table.width() == 560
    assert table.horizontalHeader().length() == table.room
    assert not table.isColumnHidden(column_of(table, "From → to"))


LONG = ((15_032_000, (62, 63), (60, 60)), *((15_032_000, (63, 63), (n, 60)) for n in range(60)))
"""Late in a run: packets that set out one after another and take long, for they have very many flits."""


@pytest.fixture(scope="module")
def long_run():
    """The run of those packets."""
    return sent(*LONG, shape=(64, 64), flits=65_000)


@pytest.mark.parametrize("width", [400, 340, 300])
def test_no_number_is_cut_in_a_long_run(show, cursor, selection, qtbot, long_run, width):
    """Eight digits in every column: those of less importance give way, and words grow fewer."""
    run = long_run
    view = show(NetworkView, width=width, height=900)
    cursor.show(run)
    cursor.go_to_time(17_000_000.0)
    holder = int(np.flatnonzero(run.network.injected <= 17_000_000)[-1])

    def check(table):
        """Every cell in sight is whole, if in fewer words; digits are of one width, so one stands for all."""
        assert table.rows.rowCount()
        for column in range(table.rows.columnCount()):
            if not table.isColumnHidden(column):
                texts = (table.rows.cell(row, column).text for row in range(table.rows.rowCount()))
                shapes = {re.sub(r"\d", "0", text): row for row, text in enumerate(texts)}
                for row in shapes.values():
                    assert "…" not in table.shown(row, column), table.rows.columns[column].title
        assert table.horizontalHeader().length() <= table.room

    assert run.end_time > 15_032_000 + 60 * 65_000
    check(view.packets.table)
    for packet in (0, holder, 60):
        selection.select_packet(packet, 0)
        card = view.packet
        check(card.way)
        qtbot.waitUntil(lambda card=card: not any(words.elided for words in card.facts.values()))
        if packet == 60:
            check(card.chain)
            first = [card.way.shown(0, column) for column in range(7)]
            assert first[6] == f"59 +{len(run.network.passages(60)[0].blockers) - 1}"
            assert len(first[5]) == len("3835000")
    turn_to(view, CHANNELS, qtbot)
    qtbot.mouseClick(view.channels.kinds.button(1), Qt.MouseButton.LeftButton)
    check(view.channels.table)
    selection.select_channel(int(run.network.raw.channels[run.network.raw.first[60]]))
    assert view.page is view.channel
    check(view.channel.table)
    for words in (view.channel.now, view.channel.figures, view.channels.span, view.count):
        assert QFontMetrics(words.face()).horizontalAdvance(words.shown) <= words.width()


def test_what_holds_a_packet_up_stands_above_its_way(panel, selection):
    """The chain is in sight in a low panel too."""
    panel.resize(400, 330)
    selection.select_packet(2, 0)
    card = panel.packet
    assert card.chain.y() + card.chain.height() <= card.way.y()
    low = card.chain.mapTo(panel, QPoint(0, card.chain.height())).y()
    assert low <= panel.height()


def test_what_never_holds_a_packet_up_takes_a_line(panel, selection, cursor):
    """Before it waits and after that a packet keeps the room for what holds it up."""
    heights = {}
    for packet in range(3):
        selection.select_packet(packet, 0)
        heights[packet] = {panel.packet.chain.height() for cycle in range(68) if not cursor.go_to_time(cycle)}
    head, row = (
        panel.packet.chain.horizontalHeader().height(),
        panel.packet.chain.verticalHeader().defaultSectionSize(),
    )
    assert heights == {0: {head + row + 1}, 1: {head + 5 * row + 1}, 2: {head + 5 * row + 1}}


def test_a_deadlock_is_named_in_the_panel_where_the_run_has_ended_in_it(panel, cursor, selection):
    """With the packets of the circle as links, and not a cycle earlier."""
    recording = sent_on_torus(*((0, (x, 1), ((x + 2) % 4, 1)) for x in range(4)), flits=16)
    cursor.show(recording)
    cursor.last()
    assert cursor.time == recording.deadlock.cycle
    circle = " → ".join(map(str, (*recording.deadlock.circle, 0)))
    assert panel.deadlock.isVisible()
    assert panel.deadlock.plain == f"Deadlock: {circle}"
    panel.deadlock.linkActivated.emit("1")
    assert selection.packet == recording.deadlock.circle[1]
    cursor.go_to_time(cursor.time - 1)
    assert not panel.deadlock.isVisible()


def test_a_router_shows_its_channels_and_stays_where_it_is_when_one_of_them_is_chosen(
    panel, cursor, selection, qtbot
):
    """Of the selected channel that into which it leads; holders, flits of the buffer, credits, who waits."""
    turn_to(panel, ROUTER, qtbot)
    assert panel.page is panel.router
    router = panel.router
    assert router.title.text() == "Router (2,0) at cycle 10"
    rows = {row[0]: row for row in texts(router.table)}
    assert rows["(2,0)→(3,0)"][2:] == ("0", "1/1", "0", "1")
    assert rows["(2,0)→(2,1)"][2:] == ("–", "0/1", "1", "–")
    selection.select_channel(EAST)
    assert router.title.text() == "Router (2,0) at cycle 10"
    selection.select_channel(EAST + 5 * WAYS)
    assert panel.page is router
    assert router.title.text() == "Router (0,2) at cycle 10"
    cursor.go_to_time(0.0)
    assert router.title.text() == "Router (0,2) at cycle 0"
