"""What a screen reader is told, and what keys alone can read."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QHelpEvent
from PySide6.QtWidgets import (
    QApplication,
    QTabBar,
    QTableView,
    QToolButton,
    QToolTip,
    QWidget,
)

from meshgui.views.exporting.table_sheet import TableSheet
from meshgui.views.mesh.scene.canvas import SceneCanvas
from meshgui.views.style.accessibility import tell_roles
from tests.views.tabbing import is_part
from tests.views.window.conftest import open_and_run

CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


def name_of(widget: QWidget) -> str:
    """The name that a screen reader says."""
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def nameless_in(room: QWidget) -> list[QWidget]:
    """What takes the keys in a room and has no name."""
    return [
        widget
        for widget in room.findChildren(QWidget)
        if widget.isVisible()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not is_part(widget)
        and not name_of(widget)
    ]


def test_the_help_of_published_results_follows_what_stands_beside_it(lecture, qtbot):
    """Tab goes along the line of the title before it goes to the verdicts below."""
    lecture.commands.trigger("run.gallery")
    gallery = lecture.studies.gallery
    assert gallery.page.export.nextInFocusChain() is gallery.help
    gallery.close()


def role_of(widget: QWidget) -> QAccessible.Role:
    """What a widget says that it is."""
    return QAccessible.queryAccessibleInterface(widget).role()


def test_keys_select_jobs_in_the_mesh_and_the_focus_is_seen(lecture, qtbot):
    """Down goes to the next running job, Up back; a frame shows where the keys go."""
    lecture.time_cursor.go_to_time(2.5)
    canvas = lecture.mesh.canvas
    assert isinstance(canvas, SceneCanvas)
    canvas.setFocus(Qt.FocusReason.TabFocusReason)
    assert canvas._ring.isVisible()
    running = lecture.time_cursor.view.snapshot.running.tolist()
    assert len(running) > 1
    for key, job in ((Qt.Key.Key_Down, 0), (Qt.Key.Key_Down, 1), (Qt.Key.Key_Up, 0), (Qt.Key.Key_Up, 0)):
        qtbot.keyClick(canvas, key)
        assert lecture.selection.job == running[job]
    lecture.queue.running.setFocus(Qt.FocusReason.MouseFocusReason)
    assert not canvas._ring.isVisible()


@pytest.fixture(autouse=True, scope="module")
def roles():
    """As the program does at its start."""
    tell_roles()


@pytest.fixture
def listened():
    """As while a screen reader runs."""
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


@pytest.mark.usefixtures("listened")
def test_tables_say_which_row_is_selected(lecture):
    """A running job that is selected in the mesh is selected in the table of running jobs."""
    lecture.time_cursor.go_to_time(2.5)
    job = lecture.time_cursor.view.snapshot.running.tolist()[1]
    lecture.selection.select(job)
    QApplication.processEvents()
    table = lecture.queue.running.table
    told = QAccessible.queryAccessibleInterface(table)
    cells = [told.child(place) for place in range(told.childCount())]
    selected = [cell.text(QAccessible.Text.Name) for cell in cells if cell.state().selected]
    assert selected[0] == str(job)
    assert len(selected) == table.rows.columnCount()


@pytest.mark.parametrize("place", ["mesh", "timeline", "plots"])
def test_what_a_picture_shows_is_shown_as_a_table(lecture, qtbot, place):
    """With one key, in a table that keys go through; Esc closes it."""
    lecture.time_cursor.go_to_time(2.5)
    lecture.panels.show("timeline" if place == "mesh" else place)
    QApplication.processEvents()
    canvas = {"mesh": lecture.mesh.canvas, "timeline": lecture.timeline}.get(place)
    if canvas is None:
        qtbot.waitUntil(lambda: lecture.plots.made is not None and lecture.plots.made.isVisible())
        canvas = lecture.plots.view.chooser.button(0)
    canvas.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(canvas, Qt.Key.Key_A, CONTROL | ALT)
    [sheet] = lecture.findChildren(TableSheet)
    assert sheet.isVisible()
    assert isinstance(sheet.table, QTableView)
    assert sheet.rows.rowCount() > 1
    qtbot.keyClick(sheet.table, Qt.Key.Key_Down)
    assert sheet.table.currentIndex().row() == 1
    qtbot.keyClick(sheet, Qt.Key.Key_Escape)
    assert not sheet.isVisible()


def test_every_panel_says_in_a_sentence_what_it_shows(lecture):
    """On its tab, over its title, and to screen readers; not over what is in it."""
    for dock in lecture.panels.docks.values():
        assert dock.whatsThis().endswith(".")
        told = QAccessible.queryAccessibleInterface(dock.widget())
        assert told.text(QAccessible.Text.Description) == dock.whatsThis()
    queue = lecture.panels.docks["queue"]
    for at, says in ((QPoint(20, 12), True), (queue.rect().center(), False)):
        asked = QHelpEvent(QEvent.Type.ToolTip, at, queue.mapToGlobal(at))
        assert lecture.panels.eventFilter(queue, asked) is says
    assert QToolTip.text() == queue.whatsThis()
    tips = {
        bar.tabText(tab): bar.tabToolTip(tab)
        for bar in lecture.findChildren(QTabBar)
        for tab in range(bar.count())
    }
    assert tips["Plots"] == lecture.panels.docks["plots"].whatsThis()


def test_tables_of_one_panel_have_names_of_their_own(lecture):
    """A screen reader says which of the two lists it has come to."""
    queue = lecture.panels.docks["queue"].findChildren(QTableView)
    assert len({name_of(table) for table in queue}) == len(queue) == 2


def test_the_title_is_read_whole_where_it_is_cut(make_window, qtbot):
    """The button that opens another scenario has a cut text, and all of it as its name."""
    window = open_and_run(make_window(), qtbot, "blocking-chain-8x6")
    button = window.title.findChild(QToolButton)
    assert button.text().endswith("…")
    assert name_of(button) == window.document.title
