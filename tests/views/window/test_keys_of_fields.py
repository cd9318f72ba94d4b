"""A printable key belongs to the focused field or cell, else it is a command; the wheel to a focused field.

Every input of every window is gone over, with every printable key that is a command of the window.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import pytest
from PySide6.QtCore import QEvent, QKeyCombination, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QScrollBar,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from meshgui.model.stepping.player import Granularity
from meshgui.views.commands.key_guard import types_text
from meshgui.views.exporting.dialog import ExportDialog
from meshgui.views.forms.pick_editor import PickEditor
from meshgui.views.forms.row_table_editor import RowTableEditor
from meshgui.views.widgets.deferred import Deferred
from meshgui.views.widgets.work_thread import WorkThread
from meshgui.views.window.main_window import MainWindow
from tests.views.conftest import handle_events
from tests.views.window.conftest import open_and_run, settle

INPUTS = (QLineEdit, QAbstractSpinBox, QComboBox, QAbstractItemView, QPlainTextEdit, QTextEdit)
NO_MODIFIER = Qt.KeyboardModifier.NoModifier
FIELDS = (QAbstractSpinBox, QComboBox, QAbstractSlider, QPlainTextEdit)
EXAMPLES = ("three-jobs-4x4x4", "two-packets-meet-6x4", "tbl-under-load")


@pytest.fixture
def done(window: MainWindow) -> list[str]:
    """The commands that ran; each is only noted, so that none changes what the next key meets."""
    noted: list[str] = []
    for command in window.commands:
        action = window.commands.action(command.id)
        action.triggered.disconnect()
        action.triggered.connect(lambda _=False, name=command.id: noted.append(name))
    return noted


@pytest.fixture
def opened(window: MainWindow, qtbot: QtBot) -> Iterator[Callable[[str], QWidget]]:
    """Opens a window of the program, by its name."""
    made: list[QWidget] = []

    def open_one(name: str) -> QWidget:
        if name == "export":
            dialog = ExportDialog(window.timeline.pictures(), window.settings, window.themes, window)
            dialog.show()
            made.append(dialog)
            return dialog
        if name == "experiment":
            window.studies.open_experiment()
            window.studies.experiment.vary("workload.load")
            return window.studies.experiment
        window.studies.open_gallery()
        return window.studies.gallery

    yield open_one
    for dialog in made:
        dialog.close()
        dialog.deleteLater()
    WorkThread.end_all()


def printable_keys(window: MainWindow) -> list[QKeyCombination]:
    """The keys that write a character and are commands; the space bar is gone over apart."""
    keys = [QKeySequence(key)[0] for command in window.commands for key in command.shortcuts]
    return [
        key
        for key in keys
        if Qt.Key.Key_Space < key.key() < Qt.Key.Key_Escape
        and not key.keyboardModifiers() & ~Qt.KeyboardModifier.ShiftModifier
    ]


def inputs_in(window: QWidget) -> list[QWidget]:
    """The inputs in sight that take the focus, and are no part of another."""
    found = [
        widget
        for widget in window.findChildren(QWidget)
        if isinstance(widget, INPUTS)
        and not isinstance(widget, QHeaderView)
        and not (isinstance(widget, (QTextEdit, QPlainTextEdit)) and widget.isReadOnly())
        and widget.isVisible()
        and widget.isEnabled()
        and widget.window() is window
        and widget.focusPolicy() != Qt.FocusPolicy.NoFocus
    ]
    return [widget for widget in found if not isinstance(widget.parent(), (QAbstractSpinBox, QComboBox))]


def typed_into(widget: QWidget) -> bool:
    """Whether a printable key goes into a text there."""
    if isinstance(widget, QComboBox):
        return widget.isEditable()
    if not isinstance(widget, QAbstractItemView):
        return True
    cell = widget.model().index(0, 0)
    by_any_key = widget.editTriggers() & QAbstractItemView.EditTrigger.AnyKeyPressed
    return bool(by_any_key) and bool(widget.model().flags(cell) & Qt.ItemFlag.ItemIsEditable)


def commands_of_keys(window: MainWindow) -> dict[str, list[str]]:
    """The commands of each key, by its name."""
    found: dict[str, list[str]] = {}
    for command in window.commands:
        for key in command.shortcuts:
            found.setdefault(QKeySequence(key).toString(), []).append(command.id)
    return found


def hold_every_key(
    window: MainWindow, shown: QWidget, done: list[str], known: Sequence[QWidget] = ()
) -> list[QWidget]:
    """Press every printable key in every input of a window that is not yet known; which inputs these are."""
    inputs = [widget for widget in inputs_in(shown) if widget not in known]
    keys, commands = printable_keys(window), commands_of_keys(window)
    for widget in reversed(inputs):  # a letter typed into a choice may hide the inputs after it
        handle_events()  # a cell's line goes
        widget.setFocus()
        assert widget.hasFocus(), widget
        for key in keys:
            target = QApplication.focusWidget()  # the cell that a first key opens takes the next one
            assert target is not None
            QTest.keyClick(target, key.key(), key.keyboardModifiers())
            name = QKeySequence(key).toString()
            expected = [] if typed_into(widget) or shown is not window else commands[name]
            assert done == [one for one in expected if window.commands.action(one).isEnabled()], (
                f"{name} in {type(widget).__name__} {widget.accessibleName()}"
            )
            done.clear()
            if target is not widget:
                QTest.keyClick(target, Qt.Key.Key_Escape)
        opened = QApplication.focusWidget()
        if opened is not None and opened is not widget:
            QTest.keyClick(opened, Qt.Key.Key_Escape)
    return inputs


def bring_into_sight(widget: QWidget) -> None:
    """Scroll what a widget lies in."""
    around = widget.parentWidget()
    while around is not None and not around.isWindow():
        if isinstance(around, QScrollArea):
            around.ensureWidgetVisible(widget)
        around = around.parentWidget()


def wheel(widget: QWidget, notches: int = -1) -> None:
    """Turn the wheel over the middle of a widget."""
    window = widget.window()
    at = QPointF(widget.mapTo(window, widget.rect().center()))
    QTest.wheelEvent(window.windowHandle(), at, QPoint(0, 120 * notches))
    handle_events()


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_panel_keeps_the_keys_of_its_fields(window, qtbot, done, name):
    """The form's fields, its tables, the queue, the packets, the inspector's tables: no key leaves them."""
    open_and_run(window, qtbot, name)
    window.time_cursor.go_to_time(window.time_cursor.recording.end_time / 2)
    seen: list[QWidget] = []
    for panel, dock in window.panels.docks.items():
        window.panels.show(panel)
        qtbot.waitUntil(dock.isVisible)
        deferred = dock.findChildren(Deferred)
        qtbot.waitUntil(lambda views=deferred: all(view.made for view in views if view.isVisible()))
        handle_events()
        seen += hold_every_key(window, window, done, seen)
    assert len(seen) > 15


def test_every_other_window_keeps_the_keys_of_its_fields(window, qtbot, done, opened):
    """The experiment, the gallery and the export dialog."""
    open_and_run(window, qtbot, "tbl-under-load")
    for name in ("experiment", "gallery", "export"):
        shown = opened(name)
        shown.activateWindow()
        qtbot.waitUntil(shown.isActiveWindow)
        assert len(hold_every_key(window, shown, done)) >= 2


def test_the_palette_keeps_every_key(window, qtbot, done):
    """All of them are letters of what one searches for."""
    window.palette_sheet.toggle()
    search = window.palette_sheet.search
    qtbot.waitUntil(search.hasFocus)
    for key in (*printable_keys(window), QKeyCombination(Qt.Key.Key_Space)):
        QTest.keyClick(search, key.key(), key.keyboardModifiers())
    assert done == []
    assert len(search.text()) == len(printable_keys(window)) + 1


def test_what_is_typed_into_the_form_stays_there(lecture, qtbot):
    """A digit over a selected cell begins to edit it, and the size of a step stays."""
    lecture.panels.show("scenario")
    before = lecture.player.granularity
    jobs = lecture.form.view.findChild(RowTableEditor, "workload.jobs")
    jobs.table.setFocus()
    jobs.table.setCurrentIndex(jobs.rows.index(0, jobs.rows.place_of("size")))
    for key in ("3", "x", "1", "x", "2"):
        QTest.keyClicks(QApplication.focusWidget(), key)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert lecture.player.granularity == before
    assert jobs.value()[0]["size"] == [3, 1, 2]
    qtbot.waitUntil(jobs.table.hasFocus)
    QTest.keyClick(jobs.table, Qt.Key.Key_Left)
    assert jobs.table.currentIndex().column() == jobs.rows.place_of("size") - 1


@pytest.mark.parametrize(
    ("typed", "shown"),
    [("4*3*2", "4×3×2"), ("4 3 2", "4×3×2"), ("4X3x2", "4×3×2"), ("4*3*", "4×3"), ("4/", "4/")],
)
def test_a_size_is_shown_as_it_is_understood(lecture, typed, shown):
    """With the sign of sizes, whatever was typed between its numbers; anything else stays, and is marked."""
    lecture.panels.show("scenario")
    jobs = lecture.form.view.findChild(RowTableEditor, "workload.jobs")
    cell = jobs.rows.index(0, jobs.rows.place_of("size"))
    jobs.table.setFocus()
    jobs.table.setCurrentIndex(cell)
    for key in typed:
        QTest.keyClicks(QApplication.focusWidget(), key)
    assert jobs.table.findChild(QLineEdit).text() == typed
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert cell.data() == shown
    assert (cell.data(Qt.ItemDataRole.BackgroundRole) is None) == (shown == "4×3×2")


def test_a_row_that_is_added_takes_what_is_typed_next(lecture, qtbot):
    """Its first cell does; the button would leave it to the commands of the window."""
    lecture.panels.show("scenario")
    before = lecture.player.granularity
    jobs = lecture.form.view.findChild(RowTableEditor, "workload.jobs")
    rows = jobs.rows.rowCount()
    qtbot.mouseClick(jobs.add, Qt.MouseButton.LeftButton)
    for key in ("2", "3"):
        QTest.keyClicks(QApplication.focusWidget(), key)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert lecture.player.granularity == before
    assert [job["arrival"] for job in jobs.value()[rows:]] == [23]


def test_home_and_end_go_through_time_wherever_nothing_is_typed(lecture, qtbot):
    """On everything in sight that takes the keys, the plots among it."""
    for name in ("plots", "algorithm", "inspector"):
        lecture.panels.show(name)
        lecture.panels.part(name)
        settle(lecture, qtbot)
        for widget in lecture.findChildren(QWidget):
            takes = widget.focusPolicy() & Qt.FocusPolicy.StrongFocus and widget.isEnabled()
            if not takes or widget.visibleRegion().isEmpty() or types_text(widget):
                continue
            widget.setFocus(Qt.FocusReason.MouseFocusReason)
            QTest.keyClick(widget, Qt.Key.Key_End)
            assert lecture.time_cursor.time == lecture.time_cursor.recording.end_time, widget
            QTest.keyClick(widget, Qt.Key.Key_Home)
            assert lecture.time_cursor.time == 0, widget


def test_keys_are_commands_in_a_table_and_on_a_closed_list(lecture, qtbot):
    """Nothing is typed there: the space bar plays, Home and End go through time, a digit sets the step."""
    lecture.panels.show("scenario")
    form = lecture.form.view
    qtbot.waitUntil(lambda: any(e.isVisible() for e in form.findChildren(PickEditor, "allocator")))
    pick = next(e for e in form.findChildren(PickEditor, "allocator") if e.isVisible())
    chosen = pick.value()
    for widget in (lecture.queue.waiting.table, pick.combo):
        lecture.panels.show("queue" if widget is not pick.combo else "scenario")
        lecture.mesh.canvas.setFocus(Qt.FocusReason.MouseFocusReason)
        widget.setFocus(Qt.FocusReason.MouseFocusReason)
        QTest.keyClick(widget, Qt.Key.Key_End)
        assert lecture.time_cursor.time == lecture.time_cursor.recording.end_time
        QTest.keyClick(widget, Qt.Key.Key_Home)
        assert lecture.time_cursor.time == 0
        for key, size in (("3", Granularity.EVENT), ("1", Granularity.LINE)):
            QTest.keyClick(widget, key)
            assert lecture.player.granularity is size
        QTest.keyClick(widget, Qt.Key.Key_Space)
        assert lecture.player.playing
        lecture.player.pause()
    assert pick.value() == chosen


def test_the_space_bar_presses_what_tab_has_reached(qtbot, window):
    """After a click it plays: what one has pressed is not pressed again by the key that plays."""
    open_and_run(window, qtbot, "tbl-under-load")
    for kind, by_key in product((QPushButton, QCheckBox), (True, False)):
        widget = kind("press", window)
        widget.setGeometry(200, 200, 80, 30)
        widget.show()
        handle_events()
        clicks: list[bool] = []
        widget.clicked.connect(lambda _, to=clicks: to.append(True))
        window.mesh.canvas.setFocus(Qt.FocusReason.MouseFocusReason)
        widget.setFocus(Qt.FocusReason.ShortcutFocusReason if by_key else Qt.FocusReason.MouseFocusReason)
        QTest.keyClick(widget, Qt.Key.Key_Space)
        assert (len(clicks), window.player.playing) == ((1, False) if by_key else (0, True))
        window.player.pause()


def visible_fields(shown: QWidget) -> list[QWidget]:
    """What the wheel might change in a window."""
    return [
        field
        for field in shown.findChildren(QWidget)
        if isinstance(field, FIELDS) and not isinstance(field, QScrollBar) and field.isVisible()
    ]


def test_the_wheel_over_a_field_without_the_focus_changes_nothing(window, qtbot, opened):
    """The form around it scrolls instead; no field takes the focus from a turn of the wheel."""
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    window.panels.show("scenario")
    for name in ("main", "experiment", "gallery", "export"):
        shown = window if name == "main" else opened(name)
        if name != "experiment":  # it has none yet
            qtbot.waitUntil(lambda shown=shown: bool(visible_fields(shown)))
        shown.setFocus()
        for field in visible_fields(shown):
            bring_into_sight(field)
            before = _state_of(field)
            for notches in (-1, 1):
                wheel(field, notches)
                assert _state_of(field) == before, field
            assert not field.hasFocus()


def test_the_wheel_over_the_table_of_jobs_scrolls_the_form(window, qtbot):
    """A table that is not in use lets the form pass under the pointer."""
    window.resize(1280, 720)
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    window.panels.show("scenario")
    settle(window, qtbot)
    jobs = window.form.view.findChild(RowTableEditor, "workload.jobs")
    qtbot.waitUntil(jobs.table.isVisible)
    jobs.set_value(jobs.value() * 8)
    window.form.view.setFocus()
    settle(window, qtbot)
    bring_into_sight(jobs.table)
    before = jobs.table.mapTo(window, QPoint(0, 0)).y(), jobs.table.verticalScrollBar().value()
    assert jobs.table.verticalScrollBar().maximum() > 0
    wheel(jobs.table.viewport(), 1)
    assert jobs.table.mapTo(window, QPoint(0, 0)).y() > before[0]
    wheel(jobs.table.viewport(), -1)
    assert jobs.table.verticalScrollBar().value() == before[1]


def _state_of(field: QWidget) -> object:
    """What the wheel could change."""
    if isinstance(field, QComboBox):
        return field.currentIndex()
    if isinstance(field, QAbstractSpinBox):
        return field.text()
    if isinstance(field, QAbstractSlider):
        return field.value()
    assert isinstance(field, QPlainTextEdit)
    return field.verticalScrollBar().value()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_enter_presses_the_focused_button_as_the_space_bar_does(lecture, qtbot, key):
    """Once, in the tool bar and in a panel; held down or with Ctrl it presses nothing."""
    lecture.panels.show("algorithm")
    buttons = [lecture.transport.forward_button, lecture.algorithm.enter]
    clicks: list[bool] = []
    for button in buttons:
        clicks.clear()
        button.clicked.connect(lambda: clicks.append(True))
        button.setFocus(Qt.FocusReason.ShortcutFocusReason)
        qtbot.waitUntil(button.hasFocus)
        QTest.keyClick(button, key)
        assert len(clicks) == 1
        if key != Qt.Key.Key_Space:
            QTest.keyClick(button, key, Qt.KeyboardModifier.ControlModifier)
            QApplication.sendEvent(
                button, QKeyEvent(QEvent.Type.KeyPress, key, NO_MODIFIER, "", autorep=True)
            )
            assert len(clicks) == 1


def test_enter_opens_a_focused_menu_and_cancels_on_cancel(window, qtbot, opened):
    """The menu of what has no room in the tool bar; in a dialog the default button is not pressed as well."""
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    window.resize(700, 700)
    bar = window.toolbar.bar
    qtbot.waitUntil(bar.more.isVisible)
    seen: list[bool] = []
    bar.menu.aboutToShow.connect(lambda: seen.append(True))
    bar.menu.aboutToShow.connect(bar.menu.close, Qt.ConnectionType.QueuedConnection)
    bar.more.setFocus()
    QTest.keyClick(bar.more, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: seen == [True] and not bar.menu.isVisible())
    dialog = opened("export")
    buttons = dialog.findChild(QDialogButtonBox)
    said: list[str] = []
    buttons.accepted.connect(lambda: said.append("accepted"))
    buttons.rejected.connect(lambda: said.append("rejected"))
    cancel = buttons.button(QDialogButtonBox.StandardButton.Cancel)
    dialog.activateWindow()
    cancel.setFocus()
    qtbot.waitUntil(cancel.hasFocus)
    QTest.keyClick(cancel, Qt.Key.Key_Return)
    assert said == ["rejected"]
