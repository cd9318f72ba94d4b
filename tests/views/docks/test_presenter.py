"""Presenter mode, driven by the keys of a remote and by the mouse."""

import pytest
import shiboken6
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton

from meshgui.model.lessons.lesson_shelf import shipped_lessons
from meshgui.model.moment.position import Position
from meshgui.views.mesh.controls import MeshStatus
from meshgui.views.panels.why_sheet import WhySheet
from meshgui.views.widgets.focus_ring import FocusRing
from meshgui.views.widgets.notice import Topic
from tests.views.window.conftest import drag_edge, open_and_run, picture, settle

HEIGHT = 1080


@pytest.fixture
def projector(window, qtbot, monkeypatch):
    """A window on a screen of 1920 by 1080 that it fills on request; here no window manager does."""
    window.resize(1600, 1000)
    monkeypatch.setattr(type(window.presenter), "screen_size", lambda _self: QSize(1920, HEIGHT))
    return open_and_run(window, qtbot, "gabl-16x16")


def present(window, qtbot):
    """Press F5, and fill the screen as a window manager would."""
    qtbot.keyClick(window.mesh.canvas, Qt.Key.Key_F5)
    window.resize(window.presenter.screen_size())
    qtbot.waitUntil(window.updatesEnabled)
    settle(window, qtbot)


def test_the_algorithm_is_large_the_timeline_a_strip_and_every_control_in_reach(projector, qtbot):
    """At 1920 by 1080 seven lines of code are in sight, with capitals of 2 % of the height."""
    present(projector, qtbot)
    code = projector.algorithm.code
    assert QFontMetricsF(code.face()).capHeight() >= 0.02 * HEIGHT
    area = code.parentWidget()
    assert code.line_rect(6).bottom() < area.height()
    assert picture(projector).keys() == {"algorithm", "timeline"}
    assert projector.timeline.height() < 0.17 * HEIGHT
    assert projector.sentence.face().pixelSize() >= 0.03 * HEIGHT
    assert projector.mesh.width() > 0.5 * projector.width()
    # The menus are behind a button, and every button of the tool bar is in sight or behind »
    bar = projector.toolbar
    assert bar.menu_button.isVisible()
    offered = {action.text() for action in bar.menu_button.menu().actions()}
    assert offered == {action.text() for action in projector.menuBar().actions()}
    for button in (bar.menu_button, *bar.buttons.values()):
        assert button.isVisible() or button in bar.bar.folded
        if button.isVisible():
            assert projector.rect().contains(button.rect().translated(button.mapTo(projector, QPoint())))
    qtbot.mouseClick(bar.buttons["window.presenter"], Qt.MouseButton.LeftButton)
    assert not projector.presenter.on


def test_the_size_of_a_lecture_is_not_told_at_the_desk(projector, qtbot):
    """A message about it goes with it."""
    said = projector.sentence.text
    present(projector, qtbot)
    projector.commands.trigger("window.larger-text")
    assert projector.sentence.text.startswith("Text size ")
    projector.presenter.leave()
    projector.resize(1600, 1000)
    qtbot.waitUntil(projector.updatesEnabled)
    assert projector.sentence.text == said


def test_a_lesson_is_presented_with_its_text(projector, qtbot):
    """With the answer that it asks for; the other panels lie behind it, and its column comes back."""
    assert projector.lessons.open(shipped_lessons()[0])
    settle(projector, qtbot)
    before = picture(projector)
    present(projector, qtbot)
    assert projector.panels.in_front("lesson")
    assert not projector.lessons.panel.view.visibleRegion().isEmpty()
    assert projector.panels.docks["lesson"].width() > 0.35 * projector.width()
    qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_F5)
    settle(projector, qtbot)
    assert picture(projector).keys() == {"lesson"}
    qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_F5)
    projector.resize(1600, 1000)
    qtbot.waitUntil(projector.updatesEnabled)
    settle(projector, qtbot)
    assert picture(projector) == before
    assert projector.lessons.session.lesson is not None


def test_what_was_said_at_the_desk_does_not_lie_over_the_mesh(projector, qtbot):
    """In neither stage; what lasts comes back at the desk, and a question that is asked meanwhile is seen."""
    notice = projector.context.messages
    notice.tell("A job was drawn.", topic=Topic.EDITS)
    notice.tell("The last run was ended from outside.", topic=Topic.LEFT, lasting=True)
    present(projector, qtbot)
    assert not projector.notice.isVisible()
    qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_F5)
    settle(projector, qtbot)
    assert not projector.notice.isVisible()
    qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_F5)
    settle(projector, qtbot)
    said = [label.text() for label in projector.findChildren(QLabel) if label.isVisible()]
    assert "A job was drawn." not in said
    assert "The last run was ended from outside." in said
    present(projector, qtbot)
    notice.tell("Go on?", ("Yes", "", lambda: None), topic=Topic.RUN)
    for _ in range(2):
        qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_F5)
    said = [label.text() for label in projector.findChildren(QLabel) if label.isVisible()]
    assert "Go on?" in said


def test_on_a_low_screen_no_letter_shrinks_and_the_mesh_has_the_place_of_the_time(window, qtbot, monkeypatch):
    """At 960 by 600 text keeps the size of the desk, and the mesh is no less than a third of the window."""
    monkeypatch.setattr(type(window.presenter), "screen_size", lambda _self: QSize(960, 600))
    window.resize(944, 552)
    open_and_run(window, qtbot, "tbl-under-load")
    present(window, qtbot)
    assert window.themes.scale == 1
    assert picture(window).keys() == {"algorithm"}
    mesh = window.mesh.size()
    assert mesh.width() * mesh.height() >= window.width() * window.height() / 3
    qtbot.keyClick(window.mesh.canvas, Qt.Key.Key_Escape)
    window.commands.trigger("window.larger-text")
    present(window, qtbot)
    assert window.themes.scale == 1.1


def test_in_letters_that_are_enlarged_while_presenting_the_mesh_has_the_place_of_the_time(
    window, qtbot, monkeypatch
):
    """As where they were as large at the desk; in smaller ones the time is there again."""
    monkeypatch.setattr(type(window.presenter), "screen_size", lambda _self: QSize(1366, 768))
    window.resize(1300, 740)
    open_and_run(window, qtbot, "blocking-chain-8x6")
    desk = picture(window).keys()
    present(window, qtbot)
    assert picture(window).keys() == {"network", "timeline"}
    for _ in range(4):
        window.commands.trigger("window.larger-text")
    settle(window, qtbot)
    assert picture(window).keys() == {"network"}
    canvas = window.mesh.canvas
    assert canvas.width() * canvas.height() >= 0.3 * window.width() * window.height()
    window.commands.trigger("window.normal-text")
    settle(window, qtbot)
    assert picture(window).keys() == {"network", "timeline"}
    qtbot.keyClick(window.mesh.canvas, Qt.Key.Key_Escape)
    qtbot.waitUntil(window.updatesEnabled)
    settle(window, qtbot)
    assert picture(window).keys() == desk


@pytest.mark.parametrize("size", [QSize(1920, 1080), QSize(1366, 768)], ids=["projector", "laptop"])
@pytest.mark.parametrize("example", ["tbl-under-load", "blocking-chain-8x6"])
def test_the_mesh_has_a_third_of_the_screen(window, qtbot, monkeypatch, size, example):
    """What explains a step gets narrower where its share of the width would leave the mesh less."""
    monkeypatch.setattr(type(window.presenter), "screen_size", lambda _self: size)
    window.resize(1300, 740)
    open_and_run(window, qtbot, example)
    present(window, qtbot)
    canvas = window.mesh.canvas
    assert canvas.width() * canvas.height() >= window.width() * window.height() / 3


def test_no_frame_of_the_keys_comes_up_with_it(window, qtbot):
    """Where a click had given the keys to a panel that is moved then, Qt hands them on as Tab does."""
    open_and_run(window, qtbot, "blocking-chain-8x6")
    window.time_cursor.go_to_time(48.0)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    packets = window.network.view.packets.table
    for _ in range(3):  # presenting, mesh and network alone, and the desk again
        qtbot.waitUntil(packets.isVisible)
        packets.setFocus(Qt.FocusReason.MouseFocusReason)
        qtbot.waitUntil(packets.hasFocus)
        qtbot.keyClick(packets, Qt.Key.Key_F5)
        qtbot.waitUntil(window.updatesEnabled)
        settle(window, qtbot)
        assert not any(ring.isVisible() for ring in window.findChildren(FocusRing))


def test_a_scenario_with_a_network_has_the_network_in_front(window, qtbot, monkeypatch):
    """The algorithm is one click behind it."""
    open_and_run(window, qtbot, "blocking-chain-8x6")
    present(window, qtbot)
    assert "network" in picture(window)
    assert "algorithm" not in picture(window)
    window.panels.show("algorithm")
    qtbot.waitUntil(lambda: "algorithm" in picture(window))
    qtbot.keyClick(window.mesh.canvas, Qt.Key.Key_Escape)


def test_a_network_that_is_opened_while_presenting_shares_the_place_of_the_algorithm(projector, qtbot):
    """Above it, it had the height of two rows."""
    present(projector, qtbot)
    docks, before = projector.panels.docks, projector.panels.docks["algorithm"].height()
    open_and_run(projector, qtbot, "two-packets-meet-6x4")
    settle(projector, qtbot)
    assert docks["network"] in projector.tabifiedDockWidgets(docks["algorithm"])
    assert projector.panels.in_front("network")
    assert docks["network"].height() > 0.9 * before


def test_a_panel_that_is_opened_while_presenting_has_its_width(projector, qtbot):
    """The queue was as narrow as Qt left it, and the boxes of jobs were cut."""
    present(projector, qtbot)
    projector.panels.show("queue")
    settle(projector, qtbot)
    assert projector.panels.docks["queue"].width() == projector.context.themes.px(280)


def test_the_packets_are_as_large_as_the_code(projector, qtbot):
    """At 1920 by 1080 capitals have 2 % of the height, in the tables and where it says what holds one up."""
    open_and_run(projector, qtbot, "blocking-chain-8x6")
    projector.time_cursor.go_to_time(48.0)
    network = projector.network.view
    card = network.packet
    tables = (network.packets.table, network.channels.table, network.router.table, card.chain, card.way)
    at_desk = [table.verticalHeader().defaultSectionSize() for table in tables]
    present(projector, qtbot)
    assert {QFontMetricsF(table._letters.text()).capHeight() >= 0.02 * HEIGHT for table in tables} == {True}
    projector.selection.select_packet(0, 0)
    settle(projector, qtbot)
    rows, chain = network.packet.chain.verticalHeader().defaultSectionSize(), network.packet.chain
    assert chain.viewport().height() % rows <= 1
    qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_Escape)
    qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_Escape)
    settle(projector, qtbot)
    assert [table.verticalHeader().defaultSectionSize() for table in tables] == at_desk


@pytest.mark.parametrize("size", [(1920, HEIGHT), (1366, 768)])
def test_the_whole_chain_of_a_blocked_packet_is_presented(window, qtbot, monkeypatch, size):
    """With some of its way, where the packet is; what the sentence says, and the figures, have made room."""
    monkeypatch.setattr(type(window.presenter), "screen_size", lambda _self: QSize(*size))
    open_and_run(window, qtbot, "blocking-chain-8x6")
    window.time_cursor.go_to_time(30.0)
    present(window, qtbot)
    window.selection.select_packet(0, 0)
    settle(window, qtbot)
    card = window.network.view.packet
    assert card.chain.rows.rowCount() == 5
    for table in (card.chain, card.way):
        assert table.visibleRegion().boundingRect() == table.rect()
    assert not card.chain.verticalScrollBar().isVisible()
    assert not card.state.isVisible()
    rows = card.way.viewport().height() // card.way.verticalHeader().defaultSectionSize()
    assert rows >= 2
    qtbot.keyClick(window.mesh.canvas, Qt.Key.Key_F5)
    qtbot.keyClick(window.mesh.canvas, Qt.Key.Key_F5)
    assert card.state.isVisible()


def test_leaving_brings_back_every_size(projector, qtbot):
    """F5, F11 and Esc leave presenter mode, as often as one likes, and no panel has another size or place."""
    projector.resize(1500, 940)
    settle(projector, qtbot)
    drag_edge(projector, qtbot, "queue", 53)
    before, size = picture(projector), projector.size()
    f5, f11, escape = Qt.Key.Key_F5, Qt.Key.Key_F11, Qt.Key.Key_Escape
    for keys in ([f5, f5], [f11, f11], [escape], [f5, escape]):
        present(projector, qtbot)
        assert projector.menuBar().isHidden()
        assert projector.themes.scale > 1
        for key in keys:
            assert projector.presenter.on
            qtbot.keyClick(projector.mesh.canvas, key)
        qtbot.waitUntil(projector.updatesEnabled)
        settle(projector, qtbot)
        assert not projector.presenter.on
        assert not projector.commands.action("window.presenter").isChecked()
        assert not projector.isFullScreen()
        assert projector.size() == size
        assert picture(projector) == before
        assert projector.themes.scale == 1


def test_the_key_again_leaves_mesh_and_code_alone(projector, qtbot):
    """What explains a step keeps its share of the width; the mesh has the height of the time as well."""
    present(projector, qtbot)
    before = projector.mesh.height()
    qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_F5)
    settle(projector, qtbot)
    assert picture(projector).keys() == {"algorithm"}
    assert projector.toolbar.isHidden()
    assert projector.presenter.on
    assert projector.commands.action("window.presenter").isChecked()
    assert projector.panels.docks["algorithm"].width() == pytest.approx(0.45 * projector.width(), abs=2)
    assert projector.mesh.height() > before
    code = projector.panels.docks["algorithm"]
    assert code.widget().height() == code.height()  # with no title above it, nor its small buttons
    # Only the mesh, and back: as it was for the lecture
    qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_M)
    settle(projector, qtbot)
    assert picture(projector).keys() == {"algorithm", "timeline"}
    assert projector.toolbar.isVisible()
    for _ in range(2):  # alone again, and at the desk
        qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_F5)
        settle(projector, qtbot)
    assert not projector.presenter.on
    assert projector.toolbar.isVisible()


def in_a_queue(window):
    """Go to where several jobs wait, and select the last of them."""
    run = window.time_cursor.recording
    for place in range(len(run.times) // 3, len(run.times)):
        window.time_cursor.go_to(Position(place))
        if len(queue := window.time_cursor.view.snapshot.queue) > 5:
            window.selection.select(int(queue[-1]))
            return
    raise AssertionError("no jobs wait")


def ask_why(window, qtbot):
    """Press the key of the card that says why a job waits, and give its sheet, shown or not."""
    qtbot.keyClick(window.mesh.canvas, Qt.Key.Key_9, Qt.KeyboardModifier.ControlModifier)
    settle(window, qtbot)
    return window.findChild(WhySheet)


def is_whole(sheet):
    """Whether all of its words are in sight."""
    words = sheet.words
    return (
        words.visibleRegion().boundingRect() == words.rect()
        and words.heightForWidth(words.width()) <= words.height()
    )


@pytest.mark.parametrize("size", [(1920, HEIGHT), (1366, 768), (960, 600)])
def test_why_a_job_waits_is_a_sheet_beside_the_mesh(window, qtbot, monkeypatch, size):
    """Its key opens and closes it, as does Esc; every word is in sight, large, and the mesh is as well."""
    monkeypatch.setattr(type(window.presenter), "screen_size", lambda _self: QSize(*size))
    window.resize(min(size[0], 1600), min(size[1], 1000))
    open_and_run(window, qtbot, "gabl-16x16")
    for alone in (False, True):
        in_a_queue(window)
        present(window, qtbot)
        if alone:
            qtbot.keyClick(window.mesh.canvas, Qt.Key.Key_F5)
            settle(window, qtbot)
        before, mesh = picture(window), window.mesh.canvas.size()
        sheet = ask_why(window, qtbot)
        assert sheet.isVisible()
        assert window.commands.action("panel.job").isChecked()
        # It has the place of the time, and no other panel has come or moved
        assert picture(window) == {name: place for name, place in before.items() if name != "timeline"}
        third = window.height() / 3
        assert window.mesh.canvas.height() > (1.4 if size[1] == HEIGHT else 1.0) * third
        assert "timeline" not in before or window.mesh.canvas.height() > 0.9 * mesh.height()
        assert f"Job {window.selection.job} (" in sheet.words.plain
        assert sheet.reason.sentences[-1] in sheet.words.plain
        assert is_whole(sheet)
        assert sheet.words.font().pixelSize() > window.themes.text().pixelSize()
        assert window.mesh.rect().contains(sheet.geometry())
        assert not sheet.geometry().intersects(window.mesh.canvas.geometry())
        assert window.selection.marks
        # With each other reason the mesh stays where it is
        place = window.mesh.canvas.geometry()
        window.selection.select(int(window.time_cursor.view.snapshot.queue[0]))
        settle(window, qtbot)
        assert "is at the head of the queue" in sheet.words.plain
        assert is_whole(sheet)
        assert window.mesh.canvas.geometry() == place
        ask_why(window, qtbot)
        assert not sheet.isVisible()
        settle(window, qtbot)
        assert window.mesh.canvas.size() == mesh
        assert picture(window) == before
        assert not window.selection.marks
        assert ask_why(window, qtbot).isVisible()
        qtbot.keyClick(window.mesh.canvas, Qt.Key.Key_Escape)
        assert not sheet.isVisible()
        assert not window.commands.action("panel.job").isChecked()
        assert window.presenter.on
        qtbot.keyClick(window.mesh.canvas, Qt.Key.Key_Escape)
        assert not window.presenter.on
        qtbot.waitUntil(window.updatesEnabled)
        settle(window, qtbot)


def test_the_sheet_has_its_letters_in_every_theme(projector, qtbot):
    """Light or dark, they are as large as the code, if there is room."""
    in_a_queue(projector)
    projector.selection.select(int(projector.time_cursor.view.snapshot.queue[0]))
    present(projector, qtbot)
    sheet = ask_why(projector, qtbot)
    code = projector.algorithm.code.face().pixelSize()
    for _ in range(3):
        assert sheet.words.font().pixelSize() == pytest.approx(code, abs=1)
        assert is_whole(sheet)
        qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_D)
        settle(projector, qtbot)
    qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_Escape)


def test_what_has_no_room_on_the_sheet_is_left_out_sentence_by_sentence(projector, qtbot):
    """However large the text is, no word is cut."""
    in_a_queue(projector)
    present(projector, qtbot)
    sheet = ask_why(projector, qtbot)
    sentences = sheet.reason.sentences
    projector.themes.set_scale(2.5)
    settle(projector, qtbot)
    assert sheet.words.plain in {" ".join(sentences[:count]) for count in range(1, len(sentences))}
    assert is_whole(sheet)
    projector.themes.set_scale(1.0)
    settle(projector, qtbot)
    assert sheet.words.plain == " ".join(sentences)
    qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_Escape)


def test_the_sheet_goes_with_the_mode_and_the_panel_is_as_before(projector, qtbot):
    """At the desk the same key shows the panel."""
    in_a_queue(projector)
    settle(projector, qtbot)
    before = picture(projector)
    present(projector, qtbot)
    sheet = ask_why(projector, qtbot)
    projector.presenter.leave()
    qtbot.waitUntil(projector.updatesEnabled)
    settle(projector, qtbot)
    assert not sheet.isVisible()
    assert picture(projector) == before
    ask_why(projector, qtbot)
    assert not sheet.isVisible()
    assert "job" in picture(projector)


def test_the_sheet_says_that_no_job_waits(projector, qtbot):
    """It stays as time passes, until it is closed by its button."""
    in_a_queue(projector)
    present(projector, qtbot)
    sheet = ask_why(projector, qtbot)
    projector.time_cursor.go_to(Position(0))
    qtbot.waitUntil(lambda: sheet.words.plain == "Every job that has arrived was placed.")
    qtbot.mouseClick(sheet.findChild(QToolButton), Qt.MouseButton.LeftButton)
    assert not sheet.isVisible()
    assert not projector.commands.action("panel.job").isChecked()
    qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_Escape)


def test_it_is_the_same_where_only_the_mesh_was_shown(projector, qtbot):
    """The key again leaves mesh and code, M brings the lecture back, and at the desk the mesh is alone."""
    qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_M)
    settle(projector, qtbot)
    assert not picture(projector)
    present(projector, qtbot)
    assert picture(projector).keys() == {"algorithm", "timeline"}
    qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_F5)
    settle(projector, qtbot)
    assert projector.presenter.on
    assert picture(projector).keys() == {"algorithm"}
    for shown in ({"algorithm", "timeline"}, set()):
        qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_M)
        settle(projector, qtbot)
        assert picture(projector).keys() == shown
    qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_Escape)
    qtbot.waitUntil(projector.updatesEnabled)
    settle(projector, qtbot)
    assert not picture(projector)
    qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_M)
    settle(projector, qtbot)
    assert "queue" in picture(projector)


def test_numbers_of_the_mesh_are_as_large_as_the_code(projector, qtbot):
    """Both can be read from the last row, and at the desk they are as before."""
    labels = projector.mesh.canvas.source.themes
    at_the_desk = labels.text("caption").pixelSize()
    present(projector, qtbot)
    code = projector.algorithm.code.face().pixelSize()
    assert labels.text("caption").pixelSize() == pytest.approx(code, abs=1)
    qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_Escape)
    assert labels.text("caption").pixelSize() == at_the_desk


def test_the_time_is_whole(projector, qtbot):
    """Nothing has to be scrolled: the strip of the whole run, which the mesh needs, goes as a whole."""
    present(projector, qtbot)
    for text_size in (1.5, 1.6):  # in larger letters the mesh has its place
        projector.themes.set_scale(text_size)
        projector.panels.lecture.fit()
        settle(projector, qtbot)
        dock = projector.panels.docks["timeline"]
        assert not dock.widget().verticalScrollBar().isVisible()
        assert projector.overview.isHidden()
        assert projector.timeline.frame.jobs.height > 0
    qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_Escape)


def test_a_remote_steps_wherever_the_focus_is(projector, qtbot):
    """Page Down and Page Up step, even after a click into a table, as do the arrows."""
    qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_3)
    present(projector, qtbot)
    projector.panels.show("queue")
    table = projector.queue.running.table
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    for key, place in (
        (Qt.Key.Key_PageDown, 1),
        (Qt.Key.Key_PageDown, 2),
        (Qt.Key.Key_PageUp, 1),
        (Qt.Key.Key_Right, 2),
        (Qt.Key.Key_Left, 1),
    ):
        qtbot.keyClick(table, key)
        assert projector.time_cursor.position == Position(place)


def test_b_and_the_full_stop_show_black_until_the_next_key(projector, qtbot):
    """The key that ends it does nothing else."""
    present(projector, qtbot)
    black = projector.presenter.black_screen
    for key in (Qt.Key.Key_B, Qt.Key.Key_Period):
        qtbot.keyClick(projector.mesh.canvas, key)
        assert black.isVisible()
        assert black.geometry() == projector.rect()
        at = projector.time_cursor.position
        qtbot.keyClick(black, Qt.Key.Key_PageDown)
        assert not black.isVisible()
        assert projector.time_cursor.position == at
        qtbot.keyClick(projector.mesh.canvas, key)
        qtbot.mouseClick(black, Qt.MouseButton.LeftButton)
        assert not black.isVisible()
        assert projector.presenter.on
    assert projector.focusWidget() is None, "nothing had the keys before: no button has a frame now"
    # It goes when what had the keys is gone: another view may have taken its place
    field = QLineEdit(projector)
    field.show()
    field.setFocus()
    black.toggle()
    shiboken6.delete(field)
    black.toggle()
    assert not black.isVisible()


@pytest.mark.parametrize("presses", [1, 2])
def test_a_window_closed_while_presenting_opens_as_at_the_desk(projector, qtbot, make_window, presses):
    """What is remembered is the arrangement before F5, also where mesh and code were left alone."""
    before = picture(projector).keys()
    present(projector, qtbot)
    for _ in range(presses - 1):
        qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_F5)
    assert projector.toolbar.isVisible() == (presses == 1)
    projector.close()
    again = open_and_run(make_window(), qtbot, "gabl-16x16")
    settle(again, qtbot)
    assert picture(again).keys() == before
    assert again.toolbar.isVisible()
    assert not again.isFullScreen()


@pytest.mark.parametrize(("size", "raised"), [((1280, 720), "scenario"), ((1600, 1000), "network")])
def test_the_first_f5_after_a_panel_came_in_front_of_another_moves_no_edge(
    window, qtbot, monkeypatch, size, raised
):
    """Its tab takes some of the column's height; the edges stay where that has left them."""
    monkeypatch.setattr(type(window.presenter), "screen_size", lambda _self: QSize(1920, HEIGHT))
    open_and_run(window, qtbot, "blocking-chain-8x6")
    window.resize(*size)
    settle(window, qtbot)
    window.panels.show(raised)
    qtbot.waitUntil(lambda: raised in picture(window))
    settle(window, qtbot)
    before = picture(window)
    present(window, qtbot)
    qtbot.keyClick(window.mesh.canvas, Qt.Key.Key_Escape)
    qtbot.waitUntil(window.updatesEnabled)
    settle(window, qtbot)
    assert window.size().toTuple() == size
    assert picture(window) == before


def test_a_slow_window_manager_moves_no_edge(projector, qtbot, monkeypatch):
    """The window may have its size at the desk again only after the panels are back."""
    projector.resize(1280, 720)
    projector.panels.show("scenario")
    settle(projector, qtbot)
    before = picture(projector)
    present(projector, qtbot)
    monkeypatch.setattr(projector, "setGeometry", lambda _place: projector.resize(1700, 900))
    qtbot.keyClick(projector.mesh.canvas, Qt.Key.Key_Escape)
    projector.presenter._patience.timeout.emit()
    assert projector.updatesEnabled()
    assert projector.width() == 1700
    projector.resize(1280, 720)
    settle(projector, qtbot)
    assert picture(projector) == before


def test_the_figures_below_the_mesh_are_read_from_the_last_row(lecture, qtbot, monkeypatch):
    """They stayed as small as at the desk under a large sentence."""
    window = lecture
    monkeypatch.setattr(type(window.presenter), "screen_size", lambda _self: QSize(1920, 1080))
    status = window.mesh.findChild(MeshStatus)
    qtbot.keyClick(window, Qt.Key.Key_F5)
    window.resize(1920, 1080)
    qtbot.waitUntil(window.updatesEnabled)
    settle(window, qtbot)
    assert status.face().pixelSize() > window.themes.text("lead").pixelSize()
    assert status.width() >= status.least_width
    qtbot.keyClick(window, Qt.Key.Key_F5)
    settle(window, qtbot)
    assert status.face().pixelSize() == window.themes.text("lead").pixelSize()
