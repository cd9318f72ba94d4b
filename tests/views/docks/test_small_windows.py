"""Small windows and large letters: nothing is out of reach."""

import pytest
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFrame, QMenu, QScrollArea, QTabBar, QTextBrowser

from meshgui.engine.network.record import chain_of
from meshgui.model.moment.packet_states import states_at
from meshgui.views.charts.plots import PlotsView
from meshgui.views.network.packet_card import PacketCard
from meshgui.views.widgets.notice import Topic
from tests.views.conftest import handle_events
from tests.views.measuring import cuts_in
from tests.views.window.conftest import drag_edge, open_and_run, settle


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


def test_what_has_no_room_in_the_tool_bar_is_in_its_menu(network, themes, qtbot):
    """Every command of the bar is a button in sight or an entry behind », and none is cut off."""
    for width, text_size in ((1600, 1.0), (960, 1.0), (800, 1.0), (960, 1.4), (1600, 2.0)):
        themes.set_scale(text_size)
        network.resize(width, 900)
        settle(network, qtbot)
        bar = network.toolbar.bar
        offered = menu_of(bar.more)
        assert bar.more.isVisible() == bool(bar.folded) == bool(offered)
        for name, button in network.toolbar.buttons.items():
            assert button.isVisible() != (name in offered)
        assert network.transport.granularity.isVisible() != ("time.by-hop" in offered)
        transport = network.transport
        kept = [
            transport.back_button,
            transport.play_button,
            transport.forward_button,
            network.title,
            bar.more,
        ]
        shown = [*network.toolbar.buttons.values(), transport.granularity, transport.speed_button, *kept]
        assert all(w.isVisible() for w in kept[:-1])
        assert cut_off(network, shown) == []


def test_icons_of_the_tool_bar_have_words_as_far_as_these_have_room(network, qtbot):
    """Each as a whole, that of the least telling icon first, and none while a command has no room."""
    bar, order = network.toolbar, ["window.palette", "window.presenter", "panel.plots", "window.theme"]
    counts = []
    for width in range(1900, 700, -60):
        resize(network, qtbot, width, 700)
        buttons = [bar.buttons[name] for name in order]
        worded = [b for b in buttons if b.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonTextBesideIcon]
        assert worded == buttons[: len(worded)]
        assert not (worded and bar.bar.folded)
        assert cut_off(network, buttons) == []
        assert all(button.width() >= button.sizeHint().width() for button in buttons if button.isVisible())
        counts.append(len(worded))
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == len(order)
    assert counts[-1] == 0


def test_the_tool_bar_has_no_room_left_for_what_is_behind_its_menu(network, qtbot):
    """At 800 the sizes of a step have no room beside a network; what is smaller has, and is in sight."""
    resize(network, qtbot, 800, 600)
    bar, transport = network.toolbar.bar, network.transport
    assert transport.granularity in bar.folded
    assert transport.rule in bar.folded
    assert transport.speed_button.isVisible()
    assert network.toolbar.buttons["window.theme"].isVisible()


@pytest.mark.parametrize(("width", "text_size"), [(960, 1.0), (1920, 2.0)])
def test_sizes_of_a_step_stay_in_the_tool_bar_longer_than_commands(network, themes, qtbot, width, text_size):
    """And no letter of the title goes before either."""
    themes.set_scale(text_size)
    resize(network, qtbot, width, 900)
    assert network.transport.granularity.isVisible()
    assert not any(button.isVisible() for button in network.toolbar.buttons.values())
    assert network.title.width() == network.title.sizeHint().width()


def test_commands_leave_the_tool_bar_in_the_order_in_which_they_lose_their_words(network, qtbot):
    """The one whose icon says most is the first."""
    buttons = network.toolbar.buttons
    order = ["window.theme", "panel.plots", "window.presenter", "window.palette"]
    gone = set()
    for width in range(1300, 940, -20):
        resize(network, qtbot, width, 700)
        folded = [name for name in order if not buttons[name].isVisible()]
        assert folded == order[: len(folded)]
        gone.add(len(folded))
    assert gone > {0, 4}


def test_a_folded_command_is_run_by_mouse_and_unfolds_where_there_is_room(network, themes, qtbot):
    """A click on » and one on the entry do what the button did."""
    network.resize(640, 700)
    settle(network, qtbot)
    bar = network.toolbar.bar
    assert network.toolbar.buttons["window.theme"] in bar.folded
    before = themes.theme.name

    def choose() -> None:
        action = network.commands.action("window.theme")
        qtbot.mouseClick(bar.menu, Qt.MouseButton.LeftButton, pos=bar.menu.actionGeometry(action).center())

    bar.menu.aboutToShow.connect(choose, Qt.ConnectionType.QueuedConnection)
    qtbot.mouseClick(bar.more, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: themes.theme.name != before)
    # The tool bar unfolds where there is room again
    for width, folds in ((800, True), (1600, False)):
        network.resize(width, 900)
        settle(network, qtbot)
        assert bool(network.toolbar.bar.folded) == folds


def lengths(window):
    """The widths of the columns, and the heights of the panels in sight."""
    docks = window.panels.docks
    shown = [name for name in docks if window.panels.in_front(name)]
    return {name: (docks[name].width(), docks[name].height()) for name in shown}


def widths_of(sizes):
    """The widths alone."""
    return {name: width for name, (width, _) in sizes.items()}


def resize(window, qtbot, width, height):
    """Give the window a size, and wait for its panels."""
    window.resize(width, height)
    settle(window, qtbot)


SIZES = [
    ((1366, 768), 1.0),
    ((1366, 700), 1.0),
    ((1280, 720), 1.0),
    ((1024, 640), 1.0),
    ((960, 600), 1.0),
    ((800, 860), 1.0),
    ((1600, 1000), 1.5),
    ((1600, 1000), 2.0),
]
LEFT, RIGHT, BELOW = {"queue", "job", "notes"}, {"algorithm", "inspector"}, {"timeline"}


@pytest.mark.parametrize(("size", "text_size"), SIZES)
def test_the_mesh_has_a_third_of_every_window(window, themes, qtbot, size, text_size):
    """Panels go as a whole, the first column before the others; columns have the full height."""
    design = [length / text_size for length in size]
    roomy = design[0] >= 1350 and design[1] >= 688
    for name in ("tbl-under-load", "two-packets-meet-6x4", "first-fit-16x16"):
        open_and_run(window, qtbot, name)
        themes.set_scale(text_size)
        resize(window, qtbot, *size)
        window.time_cursor.go_to_time(window.time_cursor.recording.end_time / 3)
        settle(window, qtbot)
        shown, canvas = lengths(window), window.mesh.canvas
        right = {"algorithm", "network"} if "network" in shown else RIGHT
        if roomy:
            assert shown.keys() == LEFT | right | BELOW
        elif design[0] >= 1000 and design[1] >= 640:
            assert shown.keys() == right | BELOW
        else:
            assert shown.keys() == {"network" if "network" in shown else "algorithm"}
        assert window.size().toTuple() == size
        assert canvas.width() * canvas.height() >= size[0] * size[1] / 3
        docks = [window.panels.docks[each] for each in shown]
        assert cut_off(window, [*docks, window.mesh, window.sentence, window.menuBar()]) == []
        bottom = max(dock.geometry().bottom() for dock in docks)
        for column in (LEFT, right) if roomy else (right,):
            feet = [window.panels.docks[each].geometry().bottom() for each in column & shown.keys()]
            assert max(feet) == bottom
        below = window.panels.docks["timeline"].geometry()
        if "timeline" in shown:
            assert (below.left(), below.width()) == (
                window.mesh.x() + window.centralWidget().x(),
                canvas.width(),
            )


def test_what_is_folded_is_said_and_comes_when_it_is_opened(lecture, qtbot):
    """In a window for one column the other is named; a panel of it opens, and is back with the room."""
    resize(lecture, qtbot, 1500, 1000)
    before = lengths(lecture)
    resize(lecture, qtbot, 1280, 720)
    assert lengths(lecture).keys() == before.keys() - LEFT
    assert lecture.sentence.text.startswith("Folded away")
    assert "Queue, Job" in lecture.sentence.text
    lecture.panels.show("job")
    settle(lecture, qtbot)
    assert lengths(lecture).keys() == before.keys() - LEFT | {"job"}
    lecture.panels.show("queue")
    settle(lecture, qtbot)
    assert lengths(lecture).keys() == before.keys() - LEFT | {"queue"}
    lecture.panels.toggle("inspector")
    settle(lecture, qtbot)
    resize(lecture, qtbot, 1500, 1000)
    assert lengths(lecture).keys() == before.keys() - {"inspector"}


def test_only_the_mesh_and_back_in_a_window_for_some_of_its_panels(lecture, qtbot):
    """The key folds those that are there, and brings those back; what is kept are all of them."""
    resize(lecture, qtbot, 1500, 1000)
    desk, all_of_them = lecture.panels.desk, lengths(lecture).keys()
    resize(lecture, qtbot, 1280, 720)
    some = lengths(lecture)
    lecture.trigger("panel.fold")
    settle(lecture, qtbot)
    assert lengths(lecture) == {}
    assert lecture.panels.desk.as_data().keys() == desk.as_data().keys()
    lecture.trigger("panel.fold")
    settle(lecture, qtbot)
    assert lengths(lecture) == some
    kept = {place.name for place in lecture.panels.desk.panels() if not place.hidden}
    assert kept == {place.name for place in desk.panels() if not place.hidden}
    lecture.trigger("panel.fold")
    resize(lecture, qtbot, 1500, 1000)
    lecture.trigger("panel.fold")
    settle(lecture, qtbot)
    assert lengths(lecture).keys() == all_of_them


def test_a_lesson_keeps_its_text_where_a_column_has_no_room(lecture, qtbot):
    """Beside the algorithm; the panels are back when it ends."""
    resize(lecture, qtbot, 1280, 720)
    before = lengths(lecture)
    lecture.panels.lesson.begin()
    settle(lecture, qtbot)
    assert lengths(lecture).keys() == {"lesson"} | RIGHT
    canvas = lecture.mesh.canvas
    assert canvas.width() * canvas.height() >= 1280 * 720 / 3
    lecture.panels.lesson.end()
    settle(lecture, qtbot)
    assert lengths(lecture) == before


@pytest.mark.parametrize("size", [(1366, 768), (1280, 720)])
def test_the_form_of_the_scenario_has_its_column(lecture, qtbot, size):
    """While it is in front; what was below it is back with the code, and in what is kept of the window."""
    resize(lecture, qtbot, *size)
    before, panels = lengths(lecture), lecture.panels
    kept = {place.name for place in panels.desk.panels() if not place.hidden}
    panels.show("scenario")
    settle(lecture, qtbot)
    form = panels.docks["scenario"]
    assert lengths(lecture).keys() == before.keys() - RIGHT | {"scenario"}
    assert form.height() > 0.9 * (form.geometry().bottom() - lecture.centralWidget().y())
    assert {place.name for place in panels.desk.panels() if not place.hidden} == kept | {"scenario"}
    panels.show("inspector")
    settle(lecture, qtbot)
    assert panels.in_front("inspector")
    panels.toggle("scenario")
    settle(lecture, qtbot)
    assert lengths(lecture) == before
    panels.show("scenario")
    settle(lecture, qtbot)
    panels.show("algorithm")
    settle(lecture, qtbot)
    assert lengths(lecture).keys() == before.keys()


def test_where_letters_leave_the_panels_no_room_they_are_folded(lecture, themes, qtbot):
    """250 % on 1000×640: the window stays as it is, with the mesh; the panels come back with the room."""
    resize(lecture, qtbot, 1000, 640)
    before = lengths(lecture)
    themes.set_scale(2.5)
    qtbot.waitUntil(lambda: lengths(lecture) == {} and lecture.height() == 640)
    bar = lecture.toolbar.bar
    menus = lecture.toolbar.menu_button
    shown = [lecture.mesh, lecture.sentence, menus, lecture.transport.play_button, bar.more]
    assert all(widget.isVisible() for widget in shown)
    assert cut_off(lecture, shown) == []
    themes.set_scale(1.0)
    qtbot.waitUntil(lambda: lengths(lecture) == before)
    assert (lecture.width(), lecture.height()) == (1000, 640)
    themes.set_scale(2.0)
    qtbot.waitUntil(lambda: lengths(lecture) == {})
    resize(lecture, qtbot, 1600, 1000)
    qtbot.waitUntil(lambda: lengths(lecture).keys() == {"algorithm"} and lecture.height() == 1000)


def test_a_panel_opened_in_large_letters_has_its_room(lecture, themes, qtbot):
    """At 250 % on 960×600 a panel opened on its own takes half of the window, and is not cut off."""
    resize(lecture, qtbot, 960, 600)
    themes.set_scale(2.5)
    qtbot.waitUntil(lambda: lengths(lecture) == {} and lecture.height() == 600)
    for name in ("queue", "algorithm"):
        lecture.panels.show(name)
        dock = lecture.panels.docks[name]
        qtbot.waitUntil(lambda dock=dock: dock.width() > 480)
        assert cut_off(lecture, [dock, lecture.mesh]) == []
        assert lecture.size().toTuple() == (960, 600)
        dock.hide()


def test_a_panel_that_opens_at_large_letters_leaves_the_window_on_the_screen(lecture, themes, qtbot):
    """As the notes of a scenario that is opened: it would outgrow the screen, so panels are folded."""
    screen = lecture.screen().availableSize()
    resize(lecture, qtbot, screen.width() - 20, screen.height() - 60)
    themes.set_scale(1.5)
    settle(lecture, qtbot)
    assert "timeline" in lengths(lecture)
    before = lecture.size()
    lecture.sentence.setMinimumHeight(screen.height())
    qtbot.waitUntil(lambda: lengths(lecture) == {})
    lecture.sentence.setMinimumHeight(0)
    qtbot.waitUntil(lambda: lecture.size() == before)


def test_no_menu_is_out_of_reach(lecture, themes, qtbot):
    """All menus are in their bar, or, where it would cut some off, behind a button of the tool bar."""
    for width, text_size in ((960, 2.5), (500, 1.0), (960, 1.0), (1600, 2.0)):
        resize(lecture, qtbot, width, 800)
        themes.set_scale(text_size)
        resize(lecture, qtbot, width, 800)
        menus, button = lecture.menuBar(), lecture.toolbar.menu_button
        assert button.isVisible() == menus.isHidden()
        if button.isVisible():
            assert button.menu().actions() == menus.actions()
            assert cut_off(lecture, [button]) == []
        else:
            assert all(menus.rect().contains(menus.actionGeometry(entry)) for entry in menus.actions())


def test_what_happens_is_said_where_a_scenario_is_opened_in_a_small_window(window, qtbot):
    """What has no room there stood in place of that sentence; no panel that was in sight has gone."""
    said: list[str] = []
    window.context.messages.said.connect(said.append)
    resize(window, qtbot, 960, 600)
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    qtbot.waitUntil(lambda: lengths(window).keys() == {"algorithm"})
    settle(window, qtbot)
    assert said == []
    assert window.sentence.text == window.time_cursor.view.sentence_about(None)


@pytest.mark.parametrize(
    ("name", "kept"),
    [("three-jobs-4x4x4", "algorithm"), ("gabl-16x16", "scenario"), ("blocking-chain-8x6", "network")],
)
def test_the_panel_looked_at_stays_where_it_fits(window, themes, qtbot, name, kept):
    """250 % on 1600×1000: the algorithm, what is in its place, or the network stays; others can be opened."""
    open_and_run(window, qtbot, name)
    resize(window, qtbot, 1600, 1000)
    window.panels.show(kept)
    settle(window, qtbot)
    before = lengths(window)
    themes.set_scale(2.5)
    qtbot.waitUntil(lambda: lengths(window).keys() == {kept} and window.height() == 1000)
    assert f"Only the {kept} panel stays" in window.sentence.text
    for other in ("queue", "timeline"):
        window.panels.show(other)
        qtbot.waitUntil(lambda other=other: other in lengths(window))
        settle(window, qtbot)
        assert window.size().toTuple() == (1600, 1000)
        docks = [window.panels.docks[shown] for shown in lengths(window)]
        assert cut_off(window, [*docks, window.mesh]) == []
    themes.set_scale(1.0)
    qtbot.waitUntil(lambda: lengths(window) == before)


@pytest.mark.parametrize("name", ["job", "notes", "inspector"])
def test_a_low_panel_scrolls_once(lecture, qtbot, name):
    """It has one scroll bar, not one within another."""
    resize(lecture, qtbot, 960, 600)
    dock = lecture.panels.docks[name]
    lecture.panels.show(name)
    dock.setMaximumHeight(70)

    def bars():
        areas = [*dock.findChildren(QScrollArea), *dock.findChildren(QTextBrowser)]
        return [area for area in areas if area.verticalScrollBar().isVisible()]

    qtbot.waitUntil(lambda: bool(bars()))
    settle(lecture, qtbot)
    assert len(bars()) == 1


def test_the_card_of_a_packet_ends_between_rows(window, qtbot):
    """At whatever height its captions have a row below them, or what stands for rows."""
    open_and_run(window, qtbot, "two-packets-meet-6x4")
    resize(window, qtbot, 1366, 740)
    window.panels.show("network")
    window.time_cursor.go_to_time(9.0)
    window.context.selection.select_packet(0, 0)
    card, dock = window.findChild(PacketCard), window.panels.docks["network"]
    area, chain = card.findChild(QScrollArea), card.chain
    for cycle in (5.0, 9.0):  # without rows, and with one
        window.time_cursor.go_to_time(cycle)
        for height in range(180, 320, 12):
            dock.setFixedHeight(height)
            settle(window, qtbot)
            edge = area.viewport().height()
            top = chain.mapTo(area.viewport(), QPoint()).y()
            row = chain.horizontalHeader().height() + chain.verticalHeader().defaultSectionSize()
            assert edge <= top or edge >= top + row, height


def test_the_card_of_a_packet_scrolls_once(window, qtbot):
    """At every height either the card around whole tables, in which the keys go on, or what is long in it."""
    open_and_run(window, qtbot, "blocking-chain-8x6")
    resize(window, qtbot, 1366, 1000)
    window.panels.show("network")
    window.time_cursor.go_to_time(60.0)
    states = states_at(*window.time_cursor.view.network_now)
    longest = max(states.packets, key=lambda p: len(chain_of(p, states.packets, states.blockers)))
    window.context.selection.select_packet(int(longest), 0)
    card, dock = window.findChild(PacketCard), window.panels.docks["network"]
    bar, tables = card.findChild(QScrollArea).verticalScrollBar(), (card.chain, card.way)
    scrolled = set()
    for height in range(700, 180, -20):
        dock.setFixedHeight(height)
        settle(window, qtbot)
        scrolled.add((bar.isVisible(), any(table.verticalScrollBar().isVisible() for table in tables)))
    assert scrolled == {(False, False), (False, True), (True, False)}
    card.way.setFocus(Qt.FocusReason.TabFocusReason)
    for row in range(card.way.rows.rowCount()):
        qtbot.keyClick(card.way, Qt.Key.Key_Down)
        seen = card.way.viewport().visibleRegion().boundingRect()
        assert seen.contains(card.way.visualRect(card.way.rows.index(row, 0)).center())


def test_the_queue_scrolls_once(window, qtbot):
    """With notes above it at 1366×700 a row of each list is in sight; in a lower panel it alone scrolls."""
    open_and_run(window, qtbot, "gabl-contention-16x16")
    resize(window, qtbot, 1366, 700)
    window.time_cursor.go_to_time(window.time_cursor.recording.end_time / 3)
    assert len(window.time_cursor.view.snapshot.queue) > 3
    dock, queue = window.panels.docks["queue"], window.queue
    area, tables = dock.widget(), (queue.waiting.table, queue.running.table)
    assert isinstance(area, QScrollArea)
    assert window.panels.in_front("notes")
    qtbot.waitUntil(lambda: not area.verticalScrollBar().isVisible())
    qtbot.waitUntil(tables[0].verticalScrollBar().isVisible)
    assert all(table.viewport().height() >= table.rowHeight(0) for table in tables)
    dock.setMaximumHeight(90)
    qtbot.waitUntil(lambda: area.verticalScrollBar().isVisible())
    assert not any(table.verticalScrollBar().isVisible() for table in tables)


def test_the_algorithm_keeps_seven_lines_in_large_letters(lecture, themes, qtbot):
    """At 150 % on 1600×1000 the inspector below it gives way."""
    resize(lecture, qtbot, 1600, 1000)
    themes.set_scale(1.5)
    qtbot.waitUntil(lambda: lengths(lecture).keys() == RIGHT | BELOW)
    seen = lecture.algorithm._scroll.viewport().height()
    line = QFontMetrics(lecture.algorithm.code.face()).height()
    assert seen >= 7 * line


def test_columns_come_back_when_the_window_grows_and_menus_stay_on_the_screen(lecture, qtbot):
    """Made small and large again, the window has every panel as it was."""
    resize(lecture, qtbot, 1500, 1000)
    before = lengths(lecture)
    resize(lecture, qtbot, 960, 600)
    qtbot.waitUntil(lambda: lengths(lecture).keys() == {"algorithm"})
    resize(lecture, qtbot, 1000, 640)
    qtbot.waitUntil(lambda: lengths(lecture).keys() == RIGHT | BELOW)
    resize(lecture, qtbot, 1366, 700)
    qtbot.waitUntil(lambda: lengths(lecture).keys() == before.keys())
    assert lengths(lecture)["queue"][0] < before["queue"][0]
    resize(lecture, qtbot, 1500, 1000)
    assert lengths(lecture) == before
    # Each visible tab bar stands on the panels that it names
    docks = lecture.panels.docks.values()
    heads = {dock.geometry().topLeft() for dock in docks if dock.isVisible()}
    bars = lecture.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
    shown = [bar for bar in bars if bar.isVisible() and bar.geometry().intersects(lecture.rect())]
    assert shown
    assert all(bar.geometry().bottomLeft() + QPoint(0, 1) in heads for bar in shown)
    # A menu longer than the screen stays one column, and does not continue beside itself, beyond the screen
    menu = QMenu(lecture)
    for number in range(100):
        menu.addAction(f"entry {number}")
    menu.popup(QPoint())
    qtbot.waitUntil(menu.isVisible)
    assert lecture.screen().geometry().contains(menu.geometry())
    assert len({menu.actionGeometry(action).left() for action in menu.actions()}) == 1
    menu.hide()


def test_a_panel_that_is_opened_in_a_small_window_takes_the_place_of_the_one_there(network, qtbot):
    """That one folds, on whichever side of the mesh it is, and is back when the other is closed."""
    resize(network, qtbot, 960, 600)
    qtbot.waitUntil(lambda: lengths(network).keys() == {"network"})
    panels = network.panels
    panels.show("algorithm")
    settle(network, qtbot)
    assert lengths(network).keys() == {"algorithm"}
    panels.show("queue")
    settle(network, qtbot)
    assert lengths(network).keys() == {"queue"}
    panels.toggle("queue")
    settle(network, qtbot)
    assert lengths(network).keys() == {"algorithm"}
    panels.toggle("algorithm")
    settle(network, qtbot)
    assert lengths(network).keys() == {"network"}


def test_a_small_window_shows_what_fits_the_scenario_that_is_opened(lecture, qtbot):
    """The network in place of the algorithm, and back; a panel that was opened in its place stays."""
    resize(lecture, qtbot, 960, 600)
    qtbot.waitUntil(lambda: lengths(lecture).keys() == {"algorithm"})
    for example, before, after in (
        ("two-packets-meet-6x4", "", "network"),
        ("three-jobs-4x4x4", "", "algorithm"),
        ("two-packets-meet-6x4", "queue", "queue"),
    ):
        if before:
            lecture.panels.show(before)
        open_and_run(lecture, qtbot, example)
        settle(lecture, qtbot)
        assert lengths(lecture).keys() == {after}


def test_a_column_drawn_by_the_mouse_is_kept(lecture, qtbot, make_window):
    """It comes back after a small window, after a network's example, and the next time; reset is reset."""
    resize(lecture, qtbot, 1600, 1000)
    first = lengths(lecture)
    drag_edge(lecture, qtbot, "queue", 70)
    drawn = lengths(lecture)
    assert drawn["queue"][0] == pytest.approx(first["queue"][0] + 70, abs=6)
    resize(lecture, qtbot, 960, 600)
    resize(lecture, qtbot, 1600, 1000)
    assert lengths(lecture) == drawn
    open_and_run(lecture, qtbot, "two-packets-meet-6x4")
    settle(lecture, qtbot)
    assert lengths(lecture)["queue"][0] == drawn["queue"][0]
    open_and_run(lecture, qtbot, "three-jobs-4x4x4")
    settle(lecture, qtbot)
    assert lengths(lecture) == drawn
    lecture.close()
    again = open_and_run(make_window(), qtbot, "three-jobs-4x4x4")
    settle(again, qtbot)
    assert again.size() == lecture.size()
    assert widths_of(lengths(again)) == widths_of(drawn)
    again.commands.trigger("panel.reset")
    settle(again, qtbot)
    assert widths_of(lengths(again)) == widths_of(first)


@pytest.mark.parametrize(("size", "text_size"), [((1280, 720), 2.5), ((1280, 720), 2.0), ((1600, 1000), 2.5)])
def test_three_sentences_leave_the_mesh_its_room(lecture, themes, qtbot, size, text_size):
    """They float over its lower edge, whole, also in large letters, and move nothing."""
    lecture.resize(*size)
    themes.set_scale(text_size)
    qtbot.waitUntil(lambda: lecture.size().toTuple() == size)
    settle(lecture, qtbot)
    before = lecture.mesh.height()
    said = [f"{name} cannot run this scenario: {name} works on 2D meshes" for name in ("ta", "fsl", "ls")]
    for sentence in said:
        lecture.notice.tell(sentence)
    qtbot.waitUntil(lecture.notice.isVisible)
    rows = [row for row in lecture.notice.findChildren(QFrame, "notice") if row.isVisible()]
    qtbot.waitUntil(
        lambda: all(
            row.sentence.height() >= row.sentence.heightForWidth(row.sentence.width()) for row in rows
        )
    )
    assert rows[-1].sentence.text() == said[-1]
    assert lecture.mesh.height() == before
    place = lecture.notice.geometry()
    assert lecture.rect().contains(place)
    assert place.bottom() < lecture.mesh.mapTo(lecture, lecture.mesh.rect().bottomLeft()).y()
    assert lecture.size().toTuple() == size
    lecture.notice.dismiss()
    assert lecture.notice.text == said[1]


@pytest.mark.parametrize("text_size", [1.0, 1.4, 2.0, 2.5])
@pytest.mark.parametrize("size", [(1600, 1000), (1366, 768), (960, 600)])
def test_a_notice_leaves_the_mesh_to_be_seen(lecture, themes, qtbot, size, text_size):
    """It covers a quarter of its height at most, or a line, and nothing of the panels beside it."""
    resize(lecture, qtbot, *size)
    themes.set_scale(text_size)
    settle(lecture, qtbot)
    notice, mesh = lecture.notice, lecture.mesh
    drawn = QRect(mesh.mapTo(lecture, QPoint()), mesh.size())
    undo, discard = (("Undo", "", lambda: None), ("Discard", "", lambda: None))
    notice.report("Undone.", undo, topic=Topic.DONE)
    handle_events()
    line = notice.height()
    notice.withdraw(Topic.DONE)
    left = "The program ended before changes were saved: “TBL under load”, “A hot spot” and “First Fit”."
    for said in (left, "Job 3 is ended at 12.50."):
        notice.tell(said, undo, discard, topic=Topic.LEFT, lasting=True)
        handle_events()
        assert drawn.contains(notice.geometry())
        assert notice.height() <= max(drawn.height() / 4, line)
        [row] = [row for row in notice.findChildren(QFrame, "notice") if row.isVisible()]
        assert cuts_in(row) == []
        assert said in (row.sentence.text(), row.sentence.toolTip())


def test_a_notice_without_room_lies_low_and_leaves_the_figures(network, qtbot):
    """It lay across the worms, and over the figures and the legend at the top of the mesh."""
    mesh, notice, nothing = network.mesh, network.notice, ("Undo", "", lambda: None)
    resize(network, qtbot, 960, 600)
    notice.tell("A long sentence of what was done. " * 3, nothing, nothing, lasting=True)
    handle_events()
    place = QRect(mesh.mapFrom(network, notice.pos()), notice.size())
    assert any(QRectF(place).intersects(words) for words in mesh.written)
    assert not QRectF(place).intersects(mesh.written[0])
    assert place.bottom() > 3 * mesh.height() / 4


def test_a_plot_is_whole_in_the_lowest_strip_below_the_mesh(lecture, qtbot):
    """On a laptop the numbers of its axis of time were below the edge, behind a scroll bar."""
    resize(lecture, qtbot, 1350, 720)
    lecture.panels.show("plots")
    settle(lecture, qtbot)
    [area] = lecture.panels.docks["plots"].findChildren(QScrollArea)
    assert area.widget().height() <= area.viewport().height()
    plots = area.findChild(PlotsView)
    for index in range(len(plots.charts)):  # also one that is chosen for the first time
        plots.chooser.button(index).click()
        settle(lecture, qtbot)
        [shown] = plots.shown
        assert shown.plot.getViewWidget().sceneRect().contains(shown.plot.sceneBoundingRect())
        assert shown.plot.getViewBox().height() >= 60  # of which the choice took a third when it stood above
        assert cuts_in(plots) == []


def test_what_has_been_done_stays_in_sight_as_panels_come_and_go(lecture, qtbot):
    """Also what is said next: the mesh came to lie over all sentences, and over their questions."""
    notice = lecture.notice
    for said in ("Job 3 is ended at 12.50.", "Job 4 is ended at 13.50."):
        notice.report(said, ("Undo", "", lambda: None), topic=Topic.DONE)
        lecture.trigger("panel.plots")
        settle(lecture, qtbot)
        assert notice.isAncestorOf(lecture.childAt(notice.geometry().center()))


def test_panels_that_are_put_back_have_room_in_a_small_window(lecture, qtbot):
    """There the one that is looked at stays alone, as when a scenario is opened."""
    resize(lecture, qtbot, 960, 600)
    before = lengths(lecture)
    for name in ("queue", "timeline", "inspector"):
        lecture.panels.show(name)
    settle(lecture, qtbot)
    lecture.trigger("panel.reset")
    settle(lecture, qtbot)
    assert lengths(lecture).keys() == before.keys() == {"algorithm"}
    assert (lecture.width(), lecture.height()) == (960, 600)
    assert lecture.mesh.width() > 960 / 2


def test_what_had_no_room_is_not_said_once_it_has(window, qtbot):
    """But what has been said since stays."""
    open_and_run(window, qtbot, "tbl-under-load")
    settle(window, qtbot)
    before = window.sentence.text
    for said in ("", "Saved."):
        window.resize(900, 560)
        settle(window, qtbot)
        assert window.sentence.text == "Only the algorithm panel stays: there is no room for the others."
        if said:
            window.context.messages.say(said)
        window.resize(1600, 1000)
        settle(window, qtbot)
        assert window.sentence.text == (said or before)
