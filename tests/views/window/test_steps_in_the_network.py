"""In the window: keys step through the network and a release, and Escape lets go of what is selected."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from meshgui.engine.allocation.inspection import Tree
from meshgui.engine.allocation.mbs import MultipleBuddy
from meshgui.engine.scenario import load_scenario
from meshgui.model.document.examples import example
from meshgui.model.moment.position import Position
from meshgui.model.stepping.player import Granularity
from meshgui.views.forms.pick_editor import PickEditor
from meshgui.views.inspector.tree_panel import TreePanel
from meshgui.views.network.panel import NetworkView
from meshgui.views.window.main_window import MainWindow
from tests.networks import crowd
from tests.scenarios import save_scenario
from tests.views.tables import texts
from tests.views.window.conftest import open_and_run, settle, wait_for_run


@pytest.fixture
def network(window):
    """A window that shows a run with a network, in its middle."""
    window.document.take(crowd().scenario, None)
    window.time_cursor.show(crowd())
    window.time_cursor.go_to_time(40.0)
    return window


def test_a_key_chooses_the_step_and_the_arrows_make_it(network, qtbot):
    """4, 5 and 6 step by cycle, hop and packet: there and back is where one was before."""
    for key, granularity in (("4", Granularity.CYCLE), ("5", Granularity.HOP), ("6", Granularity.PACKET)):
        network.time_cursor.go_to_time(40.0)
        qtbot.keyClick(network, key)
        assert network.player.granularity is granularity
        qtbot.keyClick(network, Qt.Key.Key_Right)
        on = network.time_cursor.time
        assert on > 40.0
        qtbot.keyClick(network, Qt.Key.Key_Right)
        qtbot.keyClick(network, Qt.Key.Key_Left)
        assert network.time_cursor.time == on


def test_an_example_of_the_network_opens_on_its_panel_and_with_steps_by_hop(window, qtbot, tmp_path):
    """One without a network is stepped by event; what was put aside stays so for a file of one's own."""
    own = tmp_path / "own.meshgui.json"
    save_scenario(load_scenario(example("two-packets-meet-6x4")), own)
    open_and_run(window, qtbot, "one-packet-6x4")
    assert window.panels.in_front("network")
    assert window.player.granularity is Granularity.HOP
    window.player.granularity = Granularity.CYCLE
    window.panels.show("inspector")
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    assert window.player.granularity is Granularity.EVENT
    assert window.files.open(own)
    wait_for_run(window, qtbot)
    assert window.panels.in_front("inspector")
    assert window.player.granularity is Granularity.CYCLE


def test_a_packet_clicked_in_a_chain_leaves_the_chain_in_place(window, qtbot):
    """It is marked there, and its heading says whose chain it is; clicked once more it begins its own."""
    open_and_run(window, qtbot, "blocking-chain-8x6")
    window.resize(1600, 960)
    window.time_cursor.go_to_time(30.0)

    def click(table, row):
        at = table.visualRect(table.rows.index(row, 0)).center()
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)

    def chain():
        return [int(words[0]) for words in texts(card.chain)], card.holds_up.title

    window.selection.select_packet(0, 0)
    settle(window, qtbot)
    card = window.findChild(NetworkView).packet
    assert chain() == ([0, 1, 2, 3, 4], "What holds it up")
    for row in (4, 1, 2):
        card.chain.reveal(row)
        click(card.chain, row)
        assert window.selection.packet == row
        assert chain() == ([0, 1, 2, 3, 4], "What holds packet 0 up")
        assert [card.chain.look(each).selected for each in range(5)] == [each == row for each in range(5)]
        assert card.chain.viewport().height() >= 5 * card.chain.rowHeight(0)
    click(card.chain, 2)
    assert chain() == ([2, 3, 4], "What holds it up")


def test_a_blocked_packet_clicked_in_the_list_shows_its_whole_chain(window, qtbot):
    """The keys go to the chain: with those of its way the card scrolled past it."""
    open_and_run(window, qtbot, "blocking-chain-8x6")
    window.resize(1600, 960)
    window.time_cursor.go_to_time(30.0)
    settle(window, qtbot)
    panel = window.findChild(NetworkView)
    table = panel.packets.table
    at = table.visualRect(table.rows.index(0, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    settle(window, qtbot)
    card = panel.packet
    assert card.packet == 0
    assert card.chain.hasFocus()
    for part in (card.holds_up, card.chain):
        assert part.visibleRegion().boundingRect() == part.rect()


def test_without_a_network_these_keys_rest(lecture, qtbot):
    """The commands cannot be used, and the step stays what it was."""
    for key in "456":
        qtbot.keyClick(lecture, key)
    assert lecture.player.granularity is Granularity.EVENT
    assert not lecture.commands.action("time.by-cycle").isEnabled()


def test_escape_lets_go_of_what_is_selected_from_the_inside(network, qtbot):
    """The chosen cycles first; a sheet that is open takes the key for itself."""
    network.selection.select_span((10, 30))
    network.shortcut_sheet.toggle()
    qtbot.keyClick(network.shortcut_sheet, Qt.Key.Key_Escape)
    assert network.selection.span == (10, 30)
    qtbot.keyClick(network, Qt.Key.Key_Escape)
    assert network.selection.span is None
    # A press each: the channel, the packet, its job, the cycles; a press more does nothing
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
    # In a field of the form it lets nothing go: whoever types does not mean the mesh
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


def places(window: MainWindow) -> dict[int, tuple[float, float]]:
    """Where each node of the tree in the inspector stands."""
    body = window.inspector.sections["Blocks"].body
    assert isinstance(body, TreePanel)
    corners = {node.key: body.node_rect(node.key).topLeft() for node in body.tree.nodes}
    return {key: (corner.x(), corner.y()) for key, corner in corners.items()}


def test_buddies_merge_step_by_step_under_the_arrow_keys(window, qtbot):
    """Line by line into the release and out of it behind the event, and the same way back."""
    open_and_run(window, qtbot, "multiple-buddy-16x16")
    cursor, canvas = window.time_cursor, window.mesh.canvas
    recording = cursor.recording
    merges = MultipleBuddy.release_lines.index(
        next(n for n in MultipleBuddy.release_lines if n.label == "merge")
    )
    leaves = next(
        position
        for position in range(len(recording))
        if recording.leaving_at(position) is not None
        and merges in recording.trace_release(position).steps.lines()
    )
    steps = len(recording.trace_release(leaves).steps)
    cursor.go_to(Position(leaves))
    for _ in range(100):
        if cursor.position.release:
            break
        qtbot.keyClick(canvas, Qt.Key.Key_1)
        qtbot.keyClick(canvas, Qt.Key.Key_Right)
    assert window.algorithm.code.lines == MultipleBuddy.release_lines
    there, whole = [], places(window)
    for step in range(steps):
        view = cursor.view
        assert cursor.position == Position(leaves, step=step, release=True)
        assert window.algorithm.code.current == view.line
        assert window.sentence.text == view.sentence
        now = places(window)
        assert now.items() <= whole.items()  # nodes only vanish, and none moves
        if view.line == merges:
            [tree] = [panel for panel in view.inspection.panels if isinstance(panel, Tree)]
            [merged] = [node for node in tree.nodes if node.current]
            assert merged.mark.box == view.moment.marks[0].box
            assert len(now) <= len(whole) - 4
        there.append((cursor.position, window.sentence.text))
        qtbot.keyClick(canvas, Qt.Key.Key_Right)
    assert cursor.position == Position(leaves + 1)
    assert window.algorithm.code.lines == MultipleBuddy.lines
    for expected in reversed(there):
        qtbot.keyClick(canvas, Qt.Key.Key_Left)
        assert (cursor.position, window.sentence.text) == expected
