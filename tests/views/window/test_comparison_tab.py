"""Runs side by side in a tab of the main window: its commands, its keys, presenting, and what comes back."""

from functools import reduce

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from meshgui.model.comparison.comparison_tables import DIFFERENCE
from meshgui.model.document.examples import example
from meshgui.views.commands.key_guard import types_text
from meshgui.views.commands.shortcuts_sheet import ShortcutSheet
from meshgui.views.widgets.labels import ElidedLabel
from meshgui.views.widgets.notice import Notice, Topic
from meshgui.views.window.main_window import MainWindow
from tests.views.window.conftest import open_and_run, settle, wait_for_run


@pytest.fixture
def comparing(lecture: MainWindow, qtbot: QtBot) -> MainWindow:
    """A window on the small example, with its runs side by side."""
    lecture.time_cursor.go_to_time(1.0)
    lecture.trigger("run.compare")
    qtbot.waitUntil(lambda: all(run.over for run in lecture.studies.comparison.comparison.runs))
    return lecture


def in_sight(window: MainWindow) -> bool:
    """Whether the comparison is shown, and nothing of the desk beside it."""
    shown = window.studies.comparison.isVisible()
    assert shown != window.mesh.isVisible()
    assert not (shown and any(window.panels.in_front(name) for name in window.panels.docks))
    return shown


def focusable(window: MainWindow) -> list[QWidget]:
    """Everything in sight that a click or Tab gives the keys to, and that is not typed into."""
    by_any = Qt.FocusPolicy.StrongFocus
    return [
        widget
        for widget in window.findChildren(QWidget)
        if widget.focusPolicy() & by_any and widget.isVisible() and widget.isEnabled()
        and not types_text(widget)
    ]  # fmt: skip


def keys_of(window: MainWindow) -> dict[str, str]:
    """The command of each key."""
    return {
        key.toString(): command.id
        for command in window.commands
        for key in window.commands.action(command.id).shortcuts()
    }


def test_it_has_the_window_for_itself_and_all_comes_back(comparing, qtbot):
    """Panels, sentence, strategy and transport make room, and are there again in the scenario's tab."""
    window, bars = comparing, comparing.bars
    desk = (bars.sentence, bars.transport, bars.tools.strategy)
    assert in_sight(window)
    assert not any(part.isVisible() for part in desk)
    qtbot.keyClick(window, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    assert not in_sight(window)
    assert all(part.isVisible() for part in desk)
    assert window.panels.in_front("algorithm")
    qtbot.keyClick(window, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    assert in_sight(window)


def test_its_commands_take_the_place_of_those_with_the_same_id_or_key(comparing, qtbot):
    """Time moves all runs, D goes to differences, what is about one run is withheld, and all comes back."""
    window, clock = comparing, comparing.studies.comparison.comparison.clock
    commands, before = window.commands, window.time_cursor.position
    assert keys_of(window)["D"] == "run.next-difference"
    assert "D" not in commands["window.theme"].shortcuts
    for withheld in ("edit.undo", "job.request", "mesh.home", "panel.fold", "run.strategy", "time.go-to"):
        assert not commands.action(withheld).isEnabled(), withheld
    qtbot.keyClick(window, Qt.Key.Key_End)
    assert clock.at_end
    commands.trigger("time.first")
    assert clock.at_start
    assert window.time_cursor.position == before
    titles = {command.title for command in commands}
    assert {"Next difference", "Plots and measures", "Close the comparison"} <= titles
    window.centre.tabs.setCurrentIndex(0)
    assert keys_of(window)["D"] == "window.theme"
    assert commands["window.theme"].shortcuts[0] == "D"
    assert "run.next-difference" not in commands
    assert commands.action("job.request").isEnabled()
    assert commands["file.close-scenario"].title == "Close the scenario"
    commands.trigger("time.last")
    assert window.time_cursor.position != before
    assert clock.at_start


def test_the_keys_of_time_are_those_of_time_in_its_chart_too(comparing, qtbot):
    """Home and End go through the run, arrows step, plus plays faster; with Ctrl they go along the line."""
    page, keys = comparing.studies.comparison, Qt.KeyboardModifier
    clock, chart = page.comparison.clock, page.figures.chart
    qtbot.waitUntil(lambda: not chart.chart.is_empty)
    chart.setFocus(Qt.FocusReason.MouseFocusReason)
    speed = clock.factor
    qtbot.keyClick(chart, Qt.Key.Key_End)
    assert clock.at_end
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    assert not clock.at_end
    qtbot.keyClick(chart, Qt.Key.Key_Home)
    assert clock.at_start
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    assert not clock.at_start
    qtbot.keyClick(chart, Qt.Key.Key_Plus)
    assert clock.factor > speed
    now, chosen = clock.value, set()
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Right, Qt.Key.Key_End):
        qtbot.keyClick(chart, key, keys.ControlModifier)
        chosen.add(chart.words)
    assert len(chosen - {""}) == 3
    assert clock.value == now


def test_home_and_end_go_through_time_wherever_the_keys_are_in_a_comparison(comparing, qtbot):
    """On its buttons, lists, meshes and measures."""
    page = comparing.studies.comparison
    clock = page.comparison.clock
    for widget in focusable(comparing):
        widget.setFocus(Qt.FocusReason.MouseFocusReason)
        qtbot.keyClick(widget, Qt.Key.Key_End)
        assert clock.at_end, widget
        qtbot.keyClick(widget, Qt.Key.Key_Home)
        assert clock.at_start, widget


def test_escape_deselects_and_then_closes_it_and_so_does_its_cross(comparing, qtbot):
    """Its runs stop; the same comparison is there when it is asked for again."""
    window, page, tabs = comparing, comparing.studies.comparison, comparing.centre.tabs
    runs = page.comparison.runs
    page.comparison.select(0)
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert in_sight(window)
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not in_sight(window)
    assert not tabs.isVisible()
    window.trigger("run.compare")
    assert in_sight(window)
    assert page.comparison.runs == runs
    qtbot.mouseClick(tabs.tabButton(tabs.page, tabs.ButtonPosition.RightSide), Qt.MouseButton.LeftButton)
    assert not in_sight(window)
    # From the scenario's own tab it goes to the tab that is there
    window.trigger("run.compare")
    tabs.setCurrentIndex(0)
    window.trigger("run.compare")
    assert (tabs.count(), in_sight(window)) == (2, True)
    qtbot.keyClick(window, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert (tabs.count(), in_sight(window)) == (1, False)


def test_another_scenario_comes_in_sight_and_the_tab_stays(comparing, qtbot):
    """In the same tab or in one of its own; the tab may be dragged between those of scenarios."""
    window, tabs = comparing, comparing.centre.tabs
    window.scenarios.open_empty()
    assert not window.studies.comparison.isVisible()
    open_and_run(window, qtbot, "first-fit-16x16")
    assert (tabs.count(), tabs.currentIndex()) == (3, 2)
    tabs.moveTab(tabs.page, 1)
    tabs.setCurrentIndex(tabs.page)
    assert in_sight(window)
    qtbot.keyClick(window, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    assert not in_sight(window)
    tabs.setCurrentIndex(tabs.page)
    assert window.files.open(example("three-jobs-4x4x4"), as_example=True)
    wait_for_run(window, qtbot)
    assert not in_sight(window)
    tabs.moveTab(0, 2)
    assert window.scenarios.shown == 0
    tabs.setCurrentIndex(tabs.page)
    window.scenarios.close(0)
    assert (tabs.count(), in_sight(window)) == (2, False)


def test_the_tabs_are_as_high_as_their_buttons_at_every_size_of_text(comparing, qtbot):
    """The line below the one in front is in sight in large letters, and at the desk nothing has moved."""
    tabs, heights = comparing.centre.tabs, []
    for percent in (100, 150, 100):
        comparing.themes.set_scale(percent / 100)
        settle(comparing, qtbot)
        assert tabs.tabRect(tabs.page).bottom() < tabs.height()
        heights.append((tabs.height(), tabs.tabRect(tabs.page).height()))
    desk, large, again = heights
    assert large > desk == again


def test_it_is_presented(comparing, qtbot):
    """F5 presents it in large letters, and the lecture or the desk where it is left for the scenario."""
    window = comparing
    qtbot.keyClick(window, Qt.Key.Key_F5)
    assert window.presenter.on
    assert in_sight(window)
    assert window.themes.scale > 1
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.presenter.on
    assert in_sight(window)
    qtbot.keyClick(window, Qt.Key.Key_F5)
    assert window.presenter.on
    window.trigger("file.close-scenario")
    assert not in_sight(window)
    assert window.panels.in_front("algorithm")
    assert window.panels.docks["queue"].isHidden()
    qtbot.keyClick(window, Qt.Key.Key_F5)  # mesh and code alone
    qtbot.keyClick(window, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: window.panels.in_front("queue"))
    assert not window.panels.docks["queue"].isHidden()


def test_meshes_alone_are_presented(comparing, qtbot):
    """F5 once more leaves them and the clock, whose keys go on, and again goes back to the desk."""
    window, page = comparing, comparing.studies.comparison
    beside = (page.choices, page.figures, page.export_button)
    assert all(part.isVisible() for part in beside)
    qtbot.keyClick(window, Qt.Key.Key_F5)
    assert page.choices.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_F5)
    assert window.presenter.on
    assert page.meshes.isVisible()
    around = (*beside, window.toolbar, window.centre.tabs)
    assert not any(part.isVisible() for part in around)
    qtbot.keyClick(window, Qt.Key.Key_D)
    assert page.sentence.plain
    # In the scenario's own tab its lecture is whole, and beside it the comparison is then
    for _ in range(2):
        qtbot.keyClick(window, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
        assert window.toolbar.isVisible()
        assert window.centre.tabs.isVisible()
    assert page.choices.isVisible()
    for _ in range(2):
        qtbot.keyClick(window, Qt.Key.Key_F5)
    assert not window.presenter.on
    assert all(part.isVisible() for part in around)
    # The scenario's own are presented as ever, and it is whole where it is left so
    for _ in range(2):
        qtbot.keyClick(window, Qt.Key.Key_F5)
    window.trigger("file.close-scenario")
    window.trigger("window.presenter")
    assert not window.presenter.on
    window.trigger("run.compare")
    assert page.choices.isVisible()


def test_numbers_of_its_meshes_are_as_large_as_the_code(comparing, qtbot):
    """Of runs that were there, and of one that is compared while presenting."""
    window, page = comparing, comparing.studies.comparison

    def sizes():
        return [
            column.mesh.canvas.source.themes.text("caption").pixelSize() for column in page.meshes.columns
        ]

    desk = sizes()
    qtbot.keyClick(window, Qt.Key.Key_F5)
    code = window.algorithm.code.face().pixelSize()
    page.choices.values.choose(("tbl", "ff", "bf"))
    page.choices.values.edited.emit()
    assert len(page.meshes.columns) == 3
    assert sizes() == pytest.approx([code] * 3, abs=1)
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert sizes() == [desk[0]] * 3


def test_a_comparison_asked_for_in_a_lecture_is_in_its_letters(lecture, qtbot):
    """Its page is made only then."""
    qtbot.keyClick(lecture.mesh.canvas, Qt.Key.Key_F5)
    lecture.trigger("run.compare")
    labels = lecture.studies.comparison.meshes.columns[0].mesh.canvas.source.themes
    code = lecture.algorithm.code.face().pixelSize()
    assert labels.text("caption").pixelSize() == pytest.approx(code, abs=1)


def test_names_are_whole_and_as_large_as_each_other_in_a_lecture(comparing, qtbot, monkeypatch):
    """Of four runs the long ones would be cut in the letters that two have."""
    window, page = comparing, comparing.studies.comparison
    monkeypatch.setattr(type(window.presenter), "screen_size", lambda _self: QSize(1920, 1080))
    qtbot.keyClick(window, Qt.Key.Key_F5)
    window.resize(1920, 1080)
    sizes = []
    for chosen in (("tbl", "ff"), ("gabl", "ff", "bf", "tbl")):
        page.choices.values.choose(chosen)
        page.choices.values.edited.emit()
        settle(window, qtbot)
        names = [
            next(said for said in column.findChildren(ElidedLabel) if said.text() == column.run.full_name)
            for column in page.meshes.columns
        ]
        assert all(name.width() >= name.sizeHint().width() for name in names)
        [size] = {name.face().pixelSize() for name in names}
        sizes.append(size)
    assert sizes[0] > sizes[1] > 1.3 * window.themes.text().pixelSize() / window.themes.scale


@pytest.mark.parametrize("size", [(1920, 1080), (1366, 768)])
def test_a_difference_moves_no_mesh_in_a_lecture(comparing, qtbot, monkeypatch, size):
    """It takes two lines there, which are kept free, and is larger than at the desk."""
    window, page = comparing, comparing.studies.comparison
    desk = page.sentence.font().pixelSize()
    monkeypatch.setattr(type(window.presenter), "screen_size", lambda _self: QSize(*size))
    qtbot.keyClick(window, Qt.Key.Key_F5)
    window.resize(*size)
    qtbot.waitUntil(window.updatesEnabled)
    settle(window, qtbot)
    for _ in range(2):  # with plots and measures, and without
        page.say("")
        settle(window, qtbot)
        before = page.meshes.height()
        qtbot.keyClick(window, Qt.Key.Key_D)
        settle(window, qtbot)
        assert page.sentence.plain
        assert page.sentence.font().pixelSize() > 1.3 * desk
        assert page.meshes.height() == before
        assert page.sentence.heightForWidth(page.sentence.width()) <= page.sentence.height()
        qtbot.keyClick(window, Qt.Key.Key_F5)
        settle(window, qtbot)


def test_on_a_laptop_meshes_are_whole_in_letters_of_twice_the_size(comparing, qtbot, monkeypatch):
    """Nothing has to be scrolled: their figures and controls, which have no room, make it for the meshes."""
    window, page = comparing, comparing.studies.comparison
    monkeypatch.setattr(type(window.presenter), "screen_size", lambda _self: QSize(1366, 768))
    window.settings.setValue("window/text-size", 200)
    for least in (0.3, 0.45):  # of the window, presented, and presented alone
        qtbot.keyClick(window, Qt.Key.Key_F5)
        window.resize(1366, 768)
        qtbot.waitUntil(window.updatesEnabled)
        settle(window, qtbot)
        assert window.themes.scale == 2
        area, meshes = page.meshes.parentWidget(), [column.mesh.canvas for column in page.meshes.columns]
        assert page.meshes.height() <= area.height()
        said = page.sentence
        qtbot.keyClick(window, Qt.Key.Key_D)
        assert said.heightForWidth(said.width()) <= said.minimumHeight()
        shares = [mesh.width() * mesh.height() / (window.width() * window.height()) for mesh in meshes]
        assert sum(shares) >= least


def test_the_window_keeps_its_size_as_it_is_asked_for(lecture, qtbot):
    """In large letters it outgrew the screen of a laptop: for a moment the page stood above the sentence."""
    window = lecture
    window.resize(1366, 748)
    window.themes.set_scale(2.0)
    qtbot.waitUntil(lambda: window.panels.room.crowded)
    settle(window, qtbot)
    assert window.height() == 748
    window.trigger("run.compare")
    settle(window, qtbot)
    assert window.height() == 748


def test_at_a_desk_meshes_and_their_figures_are_whole_in_letters_of_twice_the_size(lecture, qtbot):
    """The row of t was cut at the player, and had to be scrolled to."""
    window, page = lecture, lecture.studies.comparison
    window.resize(1350, 720)
    window.settings.setValue("window/text-size", 200)
    window.themes.set_scale(2.0)
    qtbot.waitUntil(lambda: window.panels.room.crowded)
    settle(window, qtbot)
    window.trigger("run.compare")
    settle(window, qtbot)
    area = page.meshes.parentWidget()
    assert page.meshes.height() <= area.height()


def test_what_was_done_to_the_scenario_is_not_said_over_it(lecture, qtbot):
    """It would lie over the runs, and stay, as no step of the scenario takes it away."""
    window = lecture
    window.notice.tell("Nothing was saved.", lasting=True)
    window.notice.report("Job 1 is ended at 1.00.", ("Undo", "", lambda: None), topic=Topic.DONE)
    window.trigger("run.compare")
    assert in_sight(window)
    assert window.notice.text == "Nothing was saved."


@pytest.mark.parametrize("size", [(960, 600), (1366, 768)])
def test_what_is_said_over_it_covers_nothing_that_is_written(comparing, qtbot, size):
    """It lies low over the meshes, beside neither figures nor table, and afterwards over the one mesh."""
    window, page = comparing, comparing.studies.comparison
    window.resize(*size)
    settle(window, qtbot)

    def lies_over_none_of(meshes):
        settle(window, qtbot)
        place = window.notice.geometry()
        assert window.notice.isVisible()
        for mesh in meshes:
            corner = mesh.mapTo(window, QPointF())
            assert len(mesh.canvas.written) > 10
            assert not any(rect.translated(corner).intersects(QRectF(place)) for rect in mesh.written)
        edges = [QRect(mesh.mapTo(window, QPoint()), mesh.size()) for mesh in meshes]
        assert reduce(QRect.united, edges).contains(place)

    window.notice.tell("Nothing was saved.", lasting=True)
    lies_over_none_of([column.mesh for column in page.meshes.columns])
    window.trigger("file.close-scenario")
    lies_over_none_of([window.mesh])


def test_its_tab_says_whose_runs_they_are(comparing):
    """Another scenario may be open beside it, with its title in the tool bar."""
    assert comparing.tabs.tabText(comparing.tabs.page) == "Runs side by side: Three jobs, step by step"


def test_the_window_and_a_comparison_say_things_in_one_place(comparing):
    """Each had a notice, one above the other."""
    window, page = comparing, comparing.studies.comparison
    assert window.findChildren(Notice) == [window.notice]
    page.notice.report("gabl.png was written.", topic=Topic.DONE)
    assert window.notice.text == "gabl.png was written."


def test_differences_are_beside_the_values_in_a_lecture(comparing, qtbot):
    """On the screen of a lecture hall they had no room beside the names in German, and were left out."""
    window, table = comparing, comparing.studies.comparison.figures.table
    window.trigger("window.presenter")
    settle(window, qtbot)
    window.resize(1920, 1080)
    settle(window, qtbot)
    [place] = [at for at, column in enumerate(table.rows.columns) if column.id == DIFFERENCE]
    assert not table.isColumnHidden(place)
    assert all(table.shown(row, place) for row in range(table.rows.rowCount()))


def test_its_sheet_and_palette_have_its_commands(comparing, qtbot):
    """Both are those of the window; a command that is found is run."""
    window = comparing
    window.trigger("window.palette")
    palette = window.commands.palette
    palette.search.setText("next difference")
    assert palette.commands()[0].id == "run.next-difference"
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert window.studies.comparison.sentence.text()


def test_its_sheet_has_no_key_that_does_nothing_there(comparing, qtbot):
    """Of the one run in the mesh; all are listed again beside the scenario."""
    window, listed = comparing, []
    for _ in range(2):
        window.trigger("window.keys")
        [sheet] = (card for card in window.findChildren(ShortcutSheet) if card.isVisible())
        listed.append({label.text() for label in sheet.card.findChildren(QLabel)})
        sheet.dismiss()
        window.trigger("file.close-scenario")
    assert {"Next difference", "Play or pause", "Compare runs…"} <= listed[0]
    assert {"Draw jobs", "Next failure", "Step by line"} <= listed[1] - listed[0]


def test_in_a_small_window_columns_are_as_wide_after_it_as_before(lecture, qtbot):
    """A panel shown beside the one that stays keeps its width, also once the tabs have gone."""
    window, panels = lecture, lecture.panels
    window.resize(960, 600)
    settle(window, qtbot)
    panels.show("queue")
    panels.sizes.fit()
    settle(window, qtbot)
    before = {name: dock.width() for name, dock in panels.docks.items() if panels.in_front(name)}
    assert "queue" in before
    for _ in range(2):
        window.trigger("run.compare")
        settle(window, qtbot)
        window.centre.tabs.close_page()
        settle(window, qtbot)
    assert {name: panels.docks[name].width() for name in before} == before
