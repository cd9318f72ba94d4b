"""Wherever Tab goes, in every window and every theme, it is seen what has the keys."""

from collections.abc import Iterator
from itertools import chain

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QMessageBox, QProgressDialog, QWidget
from pytestqt.qtbot import QtBot

from meshgui.model.exercises.exercise import KINDS
from meshgui.model.lessons.lesson_shelf import shipped_lessons
from meshgui.views.exporting.dialog import ExportDialog
from meshgui.views.exporting.table_sheet import TableSheet
from meshgui.views.faults.fault_dialog import FaultDialog
from meshgui.views.widgets import file_progress
from meshgui.views.widgets.list_popup import ListButton
from meshgui.views.widgets.overlay_card import OverlayCard
from meshgui.views.window.main_window import MainWindow
from tests.views.conftest import handle_events
from tests.views.experiment.conftest import wait_for_forecast
from tests.views.tabbing import around, leave, missed, stops_of
from tests.views.window.conftest import open_and_run, opened, settle
from tests.views.window.test_canvases import name_of, nameless_in
from tests.views.window.test_exercises import ask
from tests.views.window.test_keys_of_fields import bring_into_sight
from tests.views.window.test_lessons import arrived

MOST_STOPS = 12  # of Tab in the main window
at_a_large_desk = pytest.mark.parametrize("window_size", [QSize(1600, 1000)], ids=["desk"])
LEAST_PIXELS = 24  # of a frame around a small button
LEAST_CONTRAST = 3.0  # what has the keys, beside the same without them: WCAG 2.2, 2.4.13
LEVELS = np.arange(256) / 255.0
LINEAR = np.where(LEVELS <= 0.04045, LEVELS / 12.92, ((LEVELS + 0.055) / 1.055) ** 2.4)


def pixels_of(picture: QImage) -> np.ndarray:
    """The colour of each pixel as one number."""
    picture = picture.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(picture.constBits(), np.uint32).reshape(picture.height(), -1)
    return rows[:, : picture.width()].copy()


def brightness(colours: np.ndarray) -> np.ndarray:
    """The relative luminance of each colour."""
    return LINEAR[colours.view(np.uint8).reshape(-1, 4)[:, :3]] @ np.array([0.0722, 0.7152, 0.2126])


def seen(one: QImage, other: QImage) -> int:
    """The pixels in which one picture stands out against the other."""
    a, b = pixels_of(one), pixels_of(other)
    differ = a != b
    a, b = brightness(a[differ]), brightness(b[differ])
    ratio = (np.maximum(a, b) + 0.05) / (np.minimum(a, b) + 0.05)
    return int((ratio >= LEAST_CONTRAST).sum())


class Look:
    """Looks at stops of Tab in a window: at all in one theme, in the others at one of each kind.

    What is seen of a kind depends on its class and on what the stylesheet asks for. A kind that has been
    looked at in another window is not looked at again.
    """

    def __init__(self, kinds: set[tuple[str, ...]]) -> None:
        self.kinds = kinds

    def every_stop(self, room: QWidget, qtbot: QtBot, part: QWidget | None = None) -> list[QWidget]:
        """Go through a window with Tab: each stop is seen, and all that Tab has to reach is reached.

        With a part of the window only the stops in it count.
        """
        room.activateWindow()
        qtbot.waitUntil(room.isActiveWindow)
        handle_events()  # what was just shown is laid out
        first = room.focusWidget()
        if first is None or not first.focusPolicy() & Qt.FocusPolicy.TabFocus:
            qtbot.keyClick(first or room, Qt.Key.Key_Tab)
        else:
            give_keys(first)
        wanted, stops, unseen = stops_of(part or room), [], []
        while (focused := room.focusWidget()) not in stops:
            stops.append(focused)
            if part is None or part.isAncestorOf(focused):
                unseen += unseen_in(room, focused)
            leave(focused, qtbot)
        assert unseen == []
        assert focused is stops[0], f"the keys are caught between {focused} and {stops[-1]}"
        assert list(map(name_of, missed(wanted, stops))) == []
        return [stop for stop in stops if part is None or part.isAncestorOf(stop)]

    def __call__(
        self, window: MainWindow, room: QWidget, qtbot: QtBot, least: int, part: QWidget | None = None
    ) -> list[QWidget]:
        """The stops, none of which is unseen or without a name, as many as there must be."""
        assert nameless_in(room) == []
        stops = self.every_stop(room, qtbot, part)
        assert len(stops) >= least
        new = {kind: stop for stop in stops if (kind := kind_of(stop)) not in self.kinds}
        self.kinds.update(new)
        for theme in other_themes(window) if new else ():
            assert (theme, [fault for stop in new.values() for fault in unseen_in(room, stop)]) == (theme, [])
        return stops


@pytest.fixture(scope="module")
def kinds() -> set[tuple[str, ...]]:
    """The kinds of stops that were looked at in every theme."""
    return set()


@pytest.fixture
def look(kinds: set[tuple[str, ...]]) -> Look:
    """Looks at the stops of a window."""
    return Look(kinds)


def kind_of(stop: QWidget) -> tuple[str, ...]:
    """What the look of a stop depends on: its class, its properties, and whether it is chosen."""
    properties = sorted(f"{bytes(name.data()).decode()}" for name in stop.dynamicPropertyNames())
    values = [f"{name}={stop.property(name)}" for name in properties if not name.startswith("_")]
    states = [state for state in ("checked", "default", "flat", "autoRaise") if stop.property(state)]
    return (type(stop).__name__, *values, *states)


def give_keys(stop: QWidget) -> None:
    """As Tab does, also where it has them."""
    stop.clearFocus()
    stop.setFocus(Qt.FocusReason.TabFocusReason)


def unseen_in(room: QWidget, stop: QWidget) -> list[str]:
    """The name of a stop that looks the same with the keys and without."""
    bring_into_sight(stop)
    give_keys(stop)
    with_it = pictured(room, stop)
    stop.clearFocus()
    pixels = seen(with_it, pictured(room, stop))
    stop.setFocus(Qt.FocusReason.TabFocusReason)
    return [f"{type(stop).__name__} {name_of(stop)}: {pixels}"] * (pixels < LEAST_PIXELS)


def pictured(room: QWidget, widget: QWidget) -> QImage:
    """A widget as it is drawn in its window, which itself need not be drawn again for it."""
    room.setUpdatesEnabled(False)
    handle_events()
    room.setUpdatesEnabled(True)
    return room.grab(QRect(widget.mapTo(room, QPoint()), widget.size())).toImage()


def other_themes(window: MainWindow) -> Iterator[str]:
    """Dark, and both in high contrast; then light again: a step changes one of the two, which styles once."""
    for dark, contrast in ((1, 0), (1, 1), (0, 1), (0, 0)):
        window.themes.set_mode("dark" if dark else "light")
        window.themes.set_high_contrast(bool(contrast))
        handle_events()
        if dark or contrast:
            yield f"{window.themes.theme.name}{', high contrast' * contrast}"


def test_tab_goes_through_the_whole_window_and_back(lecture, qtbot):
    """With each panel in front, it reaches all that takes the keys, and Shift+Tab goes the same way back."""
    assert lecture.form.view  # made at first use
    for name, dock in lecture.panels.docks.items():
        lecture.panels.show(name)
        handle_events()
        assert nameless_in(lecture) == [], name
        if takes_keys(dock):
            lecture.mesh.canvas.setFocus(Qt.FocusReason.TabFocusReason)
            wanted, stops = stops_of(lecture), around(lecture, qtbot)
            assert list(map(name_of, missed(wanted, stops))) == [], name
            assert around(lecture, qtbot, Qt.Key.Key_Backtab) == [stops[0], *reversed(stops[1:])], name


@at_a_large_desk
@pytest.mark.parametrize("name", ["tbl-under-load", "two-packets-meet-6x4", "three-jobs-4x4x4", "gabl-16x16"])
def test_tab_needs_few_stops_from_the_mesh_to_the_mesh(window, qtbot, name):
    """Beside a run with a job selected, inside an attempt too: what has a key of its own is no stop."""
    open_and_run(window, qtbot, name)
    window.time_cursor.go_to_time(window.time_cursor.recording.end_time / 3)
    window.selection.select(int(window.time_cursor.view.snapshot.running[0]))
    for enter in (None, window.algorithm.enter):
        if enter is not None and enter.isVisible():
            qtbot.mouseClick(enter, Qt.MouseButton.LeftButton)
        settle(window, qtbot)
        window.mesh.canvas.setFocus(Qt.FocusReason.TabFocusReason)
        stops = around(window, qtbot)
        assert 6 <= len(stops) <= MOST_STOPS, list(map(name_of, stops))
        assert not any(window.bars.transport.isAncestorOf(stop) for stop in stops)


@at_a_large_desk
def test_up_and_down_go_through_what_is_one_stop(window, qtbot):
    """The buttons of a job, and the titles and rows of the inspector; Tab comes back to where they were."""
    open_and_run(window, qtbot, "tbl-under-load")
    window.time_cursor.go_to_time(window.time_cursor.recording.end_time / 3)
    window.selection.select(int(window.time_cursor.view.snapshot.running[0]))
    settle(window, qtbot)
    time = window.time_cursor.time
    buttons = [each for each in window.job_card.buttons.values() if each.isVisible() and each.isEnabled()]
    buttons[0].setFocus(Qt.FocusReason.TabFocusReason)
    for button in buttons[1:]:
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Down)
        assert window.focusWidget() is button
    qtbot.keyClick(buttons[-1], Qt.Key.Key_Down)
    assert window.focusWidget() is buttons[-1]
    qtbot.keyClick(buttons[-1], Qt.Key.Key_Tab)
    assert not window.job_card.isAncestorOf(window.focusWidget())
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Backtab)
    assert window.focusWidget() is buttons[-1]
    first, second, *_ = window.inspector.sections.values()
    rows = first.body.table.rows.rowCount()
    first.head.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(1 + rows):
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Down)
        assert first.isAncestorOf(window.focusWidget())
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Down)
    assert window.focusWidget() is second.head
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Up)
    assert window.focusWidget() is first.body.table
    assert window.time_cursor.time == time


def test_other_windows_show_what_has_the_keys(look, lecture, qtbot, subtests):
    """Those of studies and help, and what lies over the window; Shift+Tab goes the same way back."""
    for command in (
        "run.experiment",
        "run.gallery",
        "help.manual",
        "run.about",
        "run.about-network",
        "help.about",
        "panel.scenario",
        "run.compare",
        "file.welcome",
    ):
        with subtests.test(command):
            room = opened(lecture, qtbot, command)
            if command == "run.experiment":
                wait_for_forecast(room, qtbot)  # then it can be started
            stops = look(lecture, room, qtbot, 1)
            stops[0].setFocus(Qt.FocusReason.TabFocusReason)
            assert around(room, qtbot, Qt.Key.Key_Backtab) == [stops[0], *reversed(stops[1:])]
            if room is not lecture:
                room.close()


def test_windows_of_their_own_show_what_has_the_keys(look, lecture, qtbot):
    """The table of the mesh, the report of a fault, and a published result."""
    lecture.mesh.canvas.setFocus(Qt.FocusReason.TabFocusReason)
    lecture.commands.trigger("file.show-table")
    [sheet] = lecture.findChildren(TableSheet)
    look(lecture, sheet, qtbot, 3)
    sheet.close()
    # The report of a fault, and what can be done with it
    dialog = FaultDialog(lecture.themes, lecture.settings, lecture, "A fault", "Something went wrong.")
    dialog.show_report("line 1\nline 2", "Your work is kept.")
    dialog.show()
    look(lecture, dialog, qtbot, 4)
    dialog.close()
    # The page of a published result that can be run
    lecture.commands.trigger("run.gallery")
    gallery = lecture.studies.gallery
    gallery.list.choose("004-E1")
    handle_events()
    look(lecture, gallery, qtbot, 5)
    gallery.close()


def test_lessons_and_exercises_show_what_has_the_keys(look, window, qtbot, subtests):
    """A step with a prediction, and each of the forms that are answered in."""
    assert window.lessons.open(shipped_lessons()[2])
    qtbot.waitUntil(lambda: arrived(window))
    look(window, window, qtbot, 3, window.panels.docks["lesson"])
    for kind in KINDS:
        with subtests.test(kind):
            ask(window, qtbot, kind)
            look(window, window, qtbot, 3, window.panels.docks["lesson"])


def test_packets_show_what_has_the_keys(look, window, qtbot):
    """The card of a packet, and that of a channel."""
    open_and_run(window, qtbot, "blocking-chain-8x6")
    window.panels.show("network")
    network, record = window.panels.docks["network"], window.time_cursor.recording.network
    for select in (
        lambda: window.selection.select_packet(0, 0),
        lambda: window.selection.select_channel(int(record.raw.channels[record.raw.first[0] + 1])),
    ):
        select()
        qtbot.waitUntil(lambda: takes_keys(network))
        handle_events()
        look(window, window, qtbot, 3, network)


def test_panels_that_are_asked_for_and_cards_show_what_has_the_keys(look, lecture, qtbot, subtests):
    """Breakpoints, lessons, exercises, and the card of a job."""
    lecture.time_cursor.go_to_time(0.0)
    for command, name in (
        ("stop.list", "stops"),
        ("lesson.list", "lesson"),
        ("exercise.list", "lesson"),
        ("panel.job", "job"),
    ):
        with subtests.test(command):
            lecture.commands.trigger(command)
            dock = lecture.panels.docks[name]
            qtbot.waitUntil(lambda dock=dock: takes_keys(dock))  # once its view is made
            look(lecture, lecture, qtbot, 1, dock)
    # The palette, the sheet of keys, and each card with one line to type into
    for command in ("window.palette", "window.keys", "job.request", "time.go-to", "bookmark.add"):
        with subtests.test(command):
            lecture.commands.trigger(command)
            [card] = [one for one in lecture.findChildren(OverlayCard) if one.isVisible()]
            look(lecture, lecture, qtbot, 1, card)
            card.dismiss()


def takes_keys(part: QWidget) -> bool:
    """Whether Tab has somewhere to go in a part of a window."""
    return any(
        one.isVisible() and one.focusPolicy() & Qt.FocusPolicy.TabFocus for one in part.findChildren(QWidget)
    )


@pytest.mark.parametrize("example", ["tree-allocation-example-1", "fuzzy-partitioning-16x16"])
def test_the_inspector_shows_what_has_the_keys(look, window, qtbot, example):
    """Trees, charts and tables in the panel, and one in a window of its own."""
    open_and_run(window, qtbot, example)
    window.time_cursor.next_event()
    window.panels.show("inspector")
    handle_events()
    [stop] = look(window, window, qtbot, 1, window.panels.docks["inspector"])
    walked = []
    while stop not in walked:  # with the arrow key, to all that is one stop
        assert unseen_in(window, stop) == []
        walked.append(stop)
        qtbot.keyClick(stop, Qt.Key.Key_Down)
        stop = window.focusWidget()
    assert len(walked) >= 3
    before = set(QApplication.topLevelWidgets())
    window.inspector.enlarge()
    [large] = [one for one in QApplication.topLevelWidgets() if one.isVisible() and one not in before]
    look(window, large, qtbot, 1)
    large.close()


@pytest.mark.parametrize("last", ["mesh", "panel"])
def test_no_button_has_the_keys_where_no_key_has_put_them(window, qtbot, last):
    """At the start, and after the last scenario is closed with the keys in what is then hidden."""
    assert window.focusWidget() is window
    lecture = open_and_run(window, qtbot, "three-jobs-4x4x4")
    assert lecture.focusWidget() is lecture.mesh.canvas
    if last == "panel":
        lecture.commands.trigger("panel.algorithm")
    qtbot.keyClick(lecture.focusWidget(), Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert lecture.welcome.isVisible()
    handle_events()
    assert lecture.focusWidget() is lecture


def test_the_tour_takes_the_keys_itself(lecture, qtbot):
    """Tab goes nowhere else; the frame around the part it is about stands out in every theme."""
    lecture.commands.trigger("help.tour")
    card = lecture.tour.card
    assert lecture.focusWidget() is card
    qtbot.keyClick(card, Qt.Key.Key_Tab)
    assert lecture.focusWidget() is card
    for _ in chain(["light"], other_themes(lecture)):
        around = card.lit.adjusted(-2, -2, 2, 2)
        with_it = lecture.grab(around).toImage()
        card.hide()
        assert seen(with_it, lecture.grab(around).toImage()) >= LEAST_PIXELS
        card.show()
        card.setFocus()
    qtbot.keyClick(card, Qt.Key.Key_Escape)


def test_questions_show_what_has_the_keys(look, lecture, qtbot, once_open):
    """How to export a picture, and whether to save what was changed."""

    def ask_and_close(dialog: QWidget) -> None:
        look(lecture, dialog, qtbot, 2)
        dialog.close()

    once_open(ExportDialog, ask_and_close)
    lecture.commands.trigger("file.export-picture")
    lecture.document.edit(lecture.document.scenario.model_copy(update={"title": "edited"}))
    once_open(QMessageBox, ask_and_close)
    assert not lecture.files.may_leave()
    lecture.commands.trigger("edit.undo")
    # A button for each language, and the one that dismisses the question
    lecture.commands.trigger("window.language")
    look(lecture, lecture, qtbot, 5, lecture.notice)


def test_the_progress_of_a_file_shows_what_has_the_keys(look, lecture, qtbot, tmp_path, monkeypatch):
    """The button that stops it."""
    monkeypatch.setattr(file_progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(file_progress, "_LEG", 0.0)

    def writing() -> Iterator[float]:
        yield 0.5
        [dialog] = lecture.findChildren(QProgressDialog)
        look(lecture, dialog, qtbot, 1)
        yield 1.0

    file_progress.write_in_pieces(tmp_path / "file", writing(), lecture)


def test_lists_and_menus_show_where_the_keys_are(look, lecture, qtbot):
    """A list that drops from a button, and the menu of strategies: the line with the keys stands out."""
    lecture.commands.trigger("run.experiment")
    experiment = lecture.studies.experiment
    button = experiment.plan.precision.figures
    assert isinstance(button, ListButton)
    button.open_list()
    look(lecture, button.popup, qtbot, 1)
    button.popup.close()
    for _ in chain(["light"], other_themes(lecture)):
        lecture.strategy.open()
        strategies = lecture.strategy.popup
        before = strategies.grab().toImage()
        qtbot.keyClick(strategies.search, Qt.Key.Key_Down)
        assert seen(before, strategies.grab().toImage()) >= LEAST_PIXELS
        strategies.close()
    experiment.close()
