"""Whatever paints itself, in every window, tells a screen reader what it is and shows, and has a table."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QHelpEvent
from PySide6.QtWidgets import QApplication, QGraphicsView, QTabBar, QTableView, QToolButton, QToolTip, QWidget

from meshgui.model.lessons.lesson_shelf import shipped_lessons
from meshgui.views.charts.result_chart import ResultChart
from meshgui.views.exporting.exportable import ancestors, tables_of
from meshgui.views.exporting.table_sheet import TableSheet
from meshgui.views.inspector.chart_panel import ChartPanel
from meshgui.views.inspector.tree_panel import TreePanel
from meshgui.views.mesh.scene.canvas import SceneCanvas
from meshgui.views.network.use_curve import UseCurve
from meshgui.views.style.accessibility import tell_roles
from meshgui.views.widgets.focus_ring import focus_by_key
from tests.views.conftest import handle_events
from tests.views.tabbing import is_part
from tests.views.window.conftest import at_a_desk, open_and_run, opened
from tests.views.window.test_exercises import ask
from tests.views.window.test_lessons import arrived

Role = QAccessible.Role
SAID = QAccessible.Text.Description
PAINTS = {"paintEvent", "paintGL"}
# What paints a ground, a frame or a sample of a colour beside the words for it, and has nothing to say.
GROUNDS = {
    "ComparedMeshes",
    "Deferred",
    "FocusRing",
    "MainWindow",
    "MeshControls",
    "MeshView",
    "Swatch",
    "WaitWords",
    "Welcome",
    "_LineSample",
}
# What paints itself and is no picture has one of the roles of Qt's own widgets.
ROLES = {
    Role.Button,
    Role.ComboBox,
    Role.Dialog,
    Role.Grouping,
    Role.List,
    Role.StaticText,
    Role.Table,
}


@pytest.fixture(autouse=True, scope="module")
def roles():
    """As the program does at its start."""
    tell_roles()


def painter_of(widget: QWidget) -> str:
    """The class of this program that paints a widget; empty where Qt alone does."""
    for cls in type(widget).__mro__:
        if cls.__module__.startswith("meshgui.") and PAINTS & vars(cls).keys():
            return cls.__name__
    return type(widget).__name__ if isinstance(widget, QGraphicsView) else ""


def said_by(widget: QWidget) -> str:
    """The description that a screen reader says."""
    return QAccessible.queryAccessibleInterface(widget).text(SAID)


def faults_of(widget: QWidget) -> list[str]:
    """What one that paints itself does not tell."""
    role = role_of(widget)
    if role != Role.Graphic:
        words = role == Role.StaticText  # an empty one is not read
        return [f"its role is {role.name}"] * (role not in ROLES) + ["no name"] * (
            not words and not name_of(widget)
        )
    has_table = any(tables_of(around) for around in ancestors(widget))
    wanted = {
        "no name": name_of(widget),
        "no description": said_by(widget),
        "no table": has_table or (said_by(widget) == empty_of(widget)),
    }
    return [fault for fault, there in wanted.items() if not there]


def empty_of(widget: QWidget) -> str:
    """What is shown in place of a picture that has nothing to draw yet."""
    match widget:
        case TreePanel():
            return widget.tree.empty
        case ChartPanel() | ResultChart():
            return widget.chart.empty
    return ""


def pictures_in(room: QWidget) -> set[str]:
    """Hold all that a room paints to what a screen reader needs; returns the pictures among it."""
    handle_events()
    there = [one for one in (room, *room.findChildren(QWidget)) if one.isVisible()]
    painted = [(who, one) for one in there if (who := painter_of(one)) and who not in GROUNDS]
    found = {f"{who} “{name_of(one)}”": faults for who, one in painted if (faults := faults_of(one))}
    assert found == {}
    return {who for who, one in painted if role_of(one) == Role.Graphic}


def test_pictures_in_all_panels_are_told(window, qtbot):
    """With a network, in the solid mesh and the flat one, code and the use of a channel included."""
    window.resize(1600, 1000)
    open_and_run(window, qtbot, "blocking-chain-8x6")
    window.time_cursor.go_to_time(2.0)
    found = set()
    for panel in window.panels.docks:
        window.panels.show(panel)
        if panel == "plots":
            qtbot.waitUntil(
                lambda: window.plots.made is not None and bool(said_by(window.plots.made._canvas))
            )
        found |= pictures_in(window)
    assert "in use" in said_by(window.mesh.canvas)
    window.mesh.toggle_flat()
    found |= pictures_in(window)
    window.panels.show("network")
    record = window.time_cursor.recording.network
    window.selection.select_channel(int(record.raw.channels[record.raw.first[0] + 1]))
    handle_events()
    assert window.findChildren(UseCurve)
    found |= pictures_in(window)
    assert found >= {
        "CodePane",
        "GraphicsLayoutWidget",
        "GridPanel",
        "MeshFlat",
        "MeshGL",
        "RunOverview",
        "TimelineCanvas",
        "UseCurve",
    }


@pytest.mark.parametrize(
    ("example", "kind"), [("tree-allocation-example-1", TreePanel), ("fuzzy-partitioning-16x16", ChartPanel)]
)
def test_what_the_inspector_draws_is_told_in_the_panel_and_large(window, qtbot, example, kind):
    """A tree and a chart, in the panel and in a window of their own."""
    open_and_run(window, qtbot, example)
    window.time_cursor.next_event()
    window.panels.show("inspector")
    assert kind.__name__ in pictures_in(window)
    title = next(name for name, part in window.inspector.sections.items() if isinstance(part.body, kind))
    before = set(QApplication.topLevelWidgets())
    window.inspector.enlarge(title)
    [large] = [one for one in QApplication.topLevelWidgets() if one.isVisible() and one not in before]
    assert pictures_in(large) == {kind.__name__}
    large.close()


def test_the_chosen_node_of_a_tree_is_told(window, qtbot):
    """At first how one is chosen, then the node that the keys went to."""
    open_and_run(window, qtbot, "tree-allocation-example-1")
    window.time_cursor.next_event()
    window.panels.show("inspector")
    handle_events()
    [tree] = [one for one in window.inspector.findChildren(TreePanel) if one.isVisible()]
    assert said_by(tree) == "Up and Down move from node to node."
    tree.setFocus()
    qtbot.keyClick(tree, Qt.Key.Key_Down)
    assert said_by(tree) == tree.words(tree.tree.nodes[0])


def test_all_that_lies_over_the_window_is_told(lecture, qtbot):
    """The welcome page, every card and the black screen; each leaves with Esc."""
    for command in (
        "file.welcome",
        "window.palette",
        "window.keys",
        "job.request",
        "time.go-to",
        "bookmark.add",
        "help.tour",
        "window.black",
    ):
        lecture.commands.trigger(command)
        pictures_in(lecture)
        focused = lecture.focusWidget()
        if command != "file.welcome":
            assert any(role_of(one) == Role.Dialog for one in (focused, *parents_of(focused))), command
        qtbot.keyClick(focused, Qt.Key.Key_Escape)


def parents_of(widget: QWidget) -> list[QWidget]:
    """What a widget lies in."""
    above = widget.parentWidget()
    return [] if above is None else [above, *parents_of(above)]


def test_pictures_in_other_windows_are_told(lecture, qtbot):
    """Those of two runs side by side, of help, and of the panels that come when they are asked for."""
    for command, drawn in (
        ("help.manual", set()),
        ("run.about", set()),
        ("panel.scenario", {"MeshGL"}),
        ("stop.list", {"MeshGL"}),
        ("exercise.list", {"MeshGL"}),
        ("run.compare", {"MeshGL", "ResultChart"}),
    ):
        room = opened(lecture, qtbot, command)
        if command == "run.compare":
            qtbot.waitUntil(lambda: all(run.over for run in lecture.studies.comparison.comparison.runs))
        assert pictures_in(room) >= drawn
        if room is not lecture:
            room.close()


def test_charts_of_studies_and_tables_are_told(lecture, qtbot):
    """A published one with its numbers as a table, before any run here."""
    gallery = opened(lecture, qtbot, "run.gallery")
    gallery.list.choose("002-F4.1")
    assert "ResultChart" in pictures_in(gallery)
    gallery.close()
    # That of an experiment before its runs says so
    experiment = opened(lecture, qtbot, "run.experiment")
    assert pictures_in(experiment) == {"ResultChart"}
    chart = experiment.results.chart
    assert said_by(chart) == chart.chart.empty != ""
    experiment.close()
    # A table of a picture in its window
    lecture.mesh.canvas.setFocus(Qt.FocusReason.TabFocusReason)
    lecture.commands.trigger("file.show-table")
    [sheet] = lecture.findChildren(TableSheet)
    assert pictures_in(sheet) == set()
    sheet.close()
    # The help of published results follows what stands beside it: Tab goes along the line of the title
    lecture.commands.trigger("run.gallery")
    gallery = lecture.studies.gallery
    assert gallery.page.export.nextInFocusChain() is gallery.help
    gallery.close()


def test_the_mesh_of_a_lesson_and_of_an_exercise_is_told(window, qtbot):
    """At the moment that the step shows."""
    assert window.lessons.open(shipped_lessons()[2])
    qtbot.waitUntil(lambda: arrived(window))
    assert "MeshGL" in pictures_in(window)
    # With the future hidden
    ask(window, qtbot, "place")
    assert "MeshGL" in pictures_in(window)


CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


def name_of(widget: QWidget) -> str:
    """The name that a screen reader says."""
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def nameless_in(room: QWidget) -> list[QWidget]:
    """What takes the keys in a room and has no name; Qt keeps bars without tabs outside of the window."""
    return [
        widget
        for widget in room.findChildren(QWidget)
        if widget.isVisible()
        and not (isinstance(widget, QTabBar) and not widget.count())
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not is_part(widget)
        and not name_of(widget)
    ]


def role_of(widget: QWidget) -> QAccessible.Role:
    """What a widget says that it is."""
    return QAccessible.queryAccessibleInterface(widget).role()


@at_a_desk
def test_keys_select_jobs_in_the_mesh_and_every_panel_says_in_a_sentence_what_it_shows(lecture, qtbot):
    """Down goes to the next running job, Up back; a frame shows where the keys go."""
    lecture.time_cursor.go_to_time(2.5)
    canvas = lecture.mesh.canvas
    assert isinstance(canvas, SceneCanvas)
    focus_by_key(canvas)
    assert canvas._ring.isVisible()
    running = lecture.time_cursor.view.snapshot.running.tolist()
    assert len(running) > 1
    for key, job in ((Qt.Key.Key_Down, 0), (Qt.Key.Key_Down, 1), (Qt.Key.Key_Up, 0), (Qt.Key.Key_Up, 0)):
        qtbot.keyClick(canvas, key)
        assert lecture.selection.job == running[job]
    lecture.queue.running.setFocus(Qt.FocusReason.MouseFocusReason)
    assert not canvas._ring.isVisible()
    # On its tab, over its title, and to screen readers; not over what is in it
    for dock in lecture.panels.docks.values():
        assert dock.whatsThis().endswith(".")
        told = QAccessible.queryAccessibleInterface(dock.widget())
        assert told.text(QAccessible.Text.Description) == dock.whatsThis()
    queue = lecture.panels.docks["queue"]
    for at, says in ((queue.rect().center(), ""), (QPoint(20, 12), queue.whatsThis())):
        QApplication.sendEvent(queue, QHelpEvent(QEvent.Type.ToolTip, at, queue.mapToGlobal(at)))
        assert QToolTip.text() == says
    tips = {
        bar.tabText(tab): bar.tabToolTip(tab)
        for bar in lecture.findChildren(QTabBar)
        for tab in range(bar.count())
    }
    assert tips["Plots"] == lecture.panels.docks["plots"].whatsThis()


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
    handle_events()
    table = lecture.queue.running.table
    told = QAccessible.queryAccessibleInterface(table)
    cells = [told.child(place) for place in range(told.childCount())]
    selected = [cell.text(QAccessible.Text.Name) for cell in cells if cell.state().selected]
    assert selected[0] == str(job)
    assert len(selected) == table.rows.columnCount()
    # Tables of one panel have names of their own: a screen reader says which it has come to
    queue = lecture.panels.docks["queue"].findChildren(QTableView)
    assert len({name_of(table) for table in queue}) == len(queue) == 2


def test_what_a_picture_shows_is_shown_as_a_table(lecture, qtbot):
    """With one key, in a table that keys go through; Esc closes it."""
    for place in ("mesh", "timeline", "plots"):
        lecture.time_cursor.go_to_time(2.5)
        lecture.panels.show("timeline" if place == "mesh" else place)
        handle_events()
        canvas = {"mesh": lecture.mesh.canvas, "timeline": lecture.timeline}.get(place)
        if canvas is None:
            qtbot.waitUntil(
                lambda: lecture.plots.made is not None and bool(said_by(lecture.plots.made._canvas))
            )
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


def test_the_title_is_read_whole_where_it_is_cut(make_window, qtbot):
    """The button that opens another scenario has a cut text, and all of it as its name."""
    window = open_and_run(make_window(), qtbot, "blocking-chain-8x6")
    window.title.setMaximumWidth(150)
    handle_events()
    button = window.title.findChild(QToolButton)
    assert "…" in button.text()
    assert name_of(button) == window.document.title
