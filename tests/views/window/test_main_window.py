"""The window as a whole, driven as a lecturer drives it."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QThread, QTimer, QUrl
from PySide6.QtGui import QDropEvent, QStatusTipEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QProgressDialog
from pytestqt.qtbot import QtBot

from meshgui.engine.scenario import load_scenario
from meshgui.model.document.examples import example
from meshgui.model.moment.position import Position
from meshgui.views.widgets import file_progress
from meshgui.views.window.main_window import MainWindow
from tests.networks import three_in_a_row
from tests.runs import same_snapshot
from tests.scenarios import save_scenario
from tests.views.conftest import delete_now
from tests.views.window.conftest import open_and_run, settle, wait_for_run


def press(qtbot: QtBot, window: MainWindow, key: Qt.Key, times: int = 1) -> None:
    """Press a key in the window."""
    for _ in range(times):
        qtbot.keyClick(window.mesh.canvas, key)


def seen(window: MainWindow) -> tuple[Position, str, str]:
    """Where the window stands, and the words on it."""
    view = window.time_cursor.view
    return view.position, window.sentence.text, window.windowTitle()


def test_without_a_scenario_the_window_says_what_to_do(window):
    """The empty state is the welcome page, and what needs a scenario is switched off."""
    assert window.welcome.isVisible()
    assert not window.mesh.isVisible()
    assert not window.commands.action("file.save").isEnabled()
    assert not window.commands.action("run.stop").isEnabled()
    # In the list of the title a heading stands above each group; without recent files there is none for them
    window.title.open()
    lines = window.title.popup.list
    texts = [lines.item(row).text() for row in range(lines.count())]
    assert texts[0] == "Open a scenario…"
    assert "Examples: the network" in texts
    assert "Recent" not in texts
    assert lines.item(texts.index("Examples: allocation")).flags() == Qt.ItemFlag.NoItemFlags
    window.title.popup.close()


def test_a_scenario_is_run_and_the_arrow_keys_step_through_it_there_and_back(lecture, qtbot):
    """Right goes through every line of code from before the first event, Left back with the same words."""
    assert lecture.mesh.isVisible()
    assert lecture.time_cursor.position == Position(0)
    assert lecture.time_cursor.recording is not None
    assert len(lecture.time_cursor.recording) == 9  # three jobs arrive, start and finish
    assert lecture.windowTitle() == "Three jobs, step by step – MeshGUI"
    assert not lecture.runs.running
    press(qtbot, lecture, Qt.Key.Key_1)
    forth = [seen(lecture)]
    for _ in range(200):
        press(qtbot, lecture, Qt.Key.Key_Right)
        if seen(lecture) == forth[-1]:
            break  # nothing lies beyond the end
        forth.append(seen(lecture))
    assert forth[-1][0] == Position(9)
    assert len(forth) > 30
    back = [seen(lecture)]
    for _ in forth[1:]:
        press(qtbot, lecture, Qt.Key.Key_Left)
        back.append(seen(lecture))
    assert back == forth[::-1]


def test_every_view_shows_the_same_place(lecture, qtbot):
    """Inside an attempt the pseudo-code, the inspector and the sentence all stand at its step."""
    press(qtbot, lecture, Qt.Key.Key_3)
    press(qtbot, lecture, Qt.Key.Key_Right, 3)
    press(qtbot, lecture, Qt.Key.Key_1)
    press(qtbot, lecture, Qt.Key.Key_Right, 3)
    view = lecture.time_cursor.view
    assert view.position.attempt == 1
    assert view.line == 2
    assert lecture.sentence.text == view.sentence
    assert "(0,0,0)–(1,3,3)" in str(view.inspection.panels[0])
    # However one got inside an attempt, the next arrow key stays inside it
    press(qtbot, lecture, Qt.Key.Key_3)
    lecture.time_cursor.enter_attempt(1)
    press(qtbot, lecture, Qt.Key.Key_Right)
    assert lecture.time_cursor.position == Position(3, 1, 1)


def test_space_plays_and_pauses_and_d_changes_the_theme(lecture, qtbot):
    """Playing moves time on by itself until Space is pressed again."""
    press(qtbot, lecture, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: lecture.time_cursor.time > 0)
    press(qtbot, lecture, Qt.Key.Key_Space)
    assert not lecture.player.playing
    # D turns a light window dark and back: the mesh's ground goes with it
    light = lecture.grab().toImage().pixelColor(lecture.mesh.geometry().center())
    press(qtbot, lecture, Qt.Key.Key_D)
    assert lecture.themes.theme.name == "dark"
    dark = lecture.grab().toImage().pixelColor(lecture.mesh.geometry().center())
    assert dark.lightness() < light.lightness() - 100
    press(qtbot, lecture, Qt.Key.Key_D)


def test_a_bad_file_gives_one_line_and_leaves_the_window_as_it_was(lecture, qtbot, tmp_path):
    """The line names the file and the field; run, place and title stay."""
    press(qtbot, lecture, Qt.Key.Key_Right, 2)
    before = (seen(lecture), lecture.time_cursor.recording)
    bad = tmp_path / "bad.meshgui.json"
    for content, words in (
        ("[1, 2", "expected JSON"),
        ('{"meshgui": 1, "mesh": {"shape": [1000, 1000, 1000]}}', "mesh.shape"),
        ('{"meshgui": 1, "mesh": {"shape": [8, 8]}, "allocator": {"name": "nobody"}}', "allocator.name"),
    ):
        bad.write_text(content)
        assert not lecture.files.open(bad)
        assert str(bad) in lecture.notice.text
        assert words in lecture.notice.text
        assert "\n" not in lecture.notice.text
        assert (seen(lecture), lecture.time_cursor.recording) == before
        assert lecture.recent.paths() == []


def test_a_scenario_is_opened_by_a_drop_and_by_its_title(window, qtbot, tmp_path):
    """Dropped it is remembered; in the palette a few letters and Enter are enough."""
    file = tmp_path / "dropped.meshgui.json"
    file.write_text(example("turning-helps-3x3x2").read_text(encoding="utf-8"), encoding="utf-8")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    event = QDropEvent(QPointF(10, 10), action, data, button, Qt.KeyboardModifier.NoModifier)
    window.dropEvent(event)
    wait_for_run(window, qtbot)
    assert window.document.path == file
    assert window.recent.paths() == [file]
    # With nothing typed the palette has commands alone
    window.palette_sheet.toggle()
    palette = window.palette_sheet
    assert {palette._command(place).id for place in palette._found.shown()} == {
        command.id for command in window.commands
    }
    qtbot.keyClicks(palette.search, "hot spot")
    assert palette._command(palette._found.shown()[0]).id == "example.hot-spot-8x8"
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    wait_for_run(window, qtbot)
    assert window.document.title == load_scenario(example("hot-spot-8x8")).title
    assert window.document.path is None
    assert not palette.isVisible()
    window.help_pages.window.close()


def test_a_run_again_looks_at_the_same_time(lecture, qtbot):
    """After an edit, so that two strategies can be compared, and without one: it is shown as it grows."""
    lecture.time_cursor.go_to_time(1.5)
    scenario = lecture.document.scenario
    form = lecture.form.view
    lecture.scenario_run.apply(scenario.model_copy(update={"title": "Changed"}))
    wait_for_run(lecture, qtbot)
    qtbot.waitUntil(lambda: lecture.time_cursor.time == 1.5)
    assert lecture.document.modified
    assert lecture.windowTitle() == "Changed • – MeshGUI"
    assert form.document.edited == lecture.document.scenario
    lecture.time_cursor.go_to_time(6.5)
    before = lecture.time_cursor.view.snapshot
    first = lecture.time_cursor.recording
    lecture.commands.trigger("run.start")
    qtbot.waitUntil(lambda: lecture.time_cursor.recording is not first)
    wait_for_run(lecture, qtbot)
    qtbot.waitUntil(lambda: lecture.time_cursor.time == 6.5)
    assert same_snapshot(lecture.time_cursor.view.snapshot, before)


def test_saving_asks_for_a_place_and_clears_the_mark(lecture, tmp_path, monkeypatch):
    """An example has no place: Save asks, writes, remembers the file, and there is nothing to lose."""
    scenario = lecture.document.scenario
    lecture.document.edit(scenario.model_copy(update={"title": "Mine"}))
    target = tmp_path / "mine"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    lecture.commands.trigger("file.save")
    written = tmp_path / "mine.meshgui.json"
    assert json.loads(written.read_text(encoding="utf-8"))["title"] == "Mine"
    assert not lecture.document.modified
    assert lecture.recent.paths() == [written]


def wait_for_events(window: MainWindow, qtbot: QtBot, count: int) -> None:
    """Wait until more than this many events of a run are there."""
    cursor = window.time_cursor
    qtbot.waitUntil(lambda: cursor.recording is not None and len(cursor.recording) > count)


def test_the_first_run_is_said_to_start(window):
    """A scenario is open by then, though its run has nothing to show yet; the sentence asks for none."""
    assert window.sentence.text == "Open a scenario to see a run."
    window.files.open(example("three-jobs-4x4x4"), as_example=True)
    assert window.sentence.text == "The run is starting: wait a moment."
    window.documents.runs.cancel()
    assert window.sentence.text == "Open a scenario to see a run."


def test_a_run_in_progress_is_scrubbed_and_stopped(window, qtbot, long_run):
    """While it runs its past can be looked at without being moved; stopping keeps what was recorded."""
    window.files.open(long_run)
    wait_for_events(window, qtbot, 300)
    assert window.progress.isVisible()
    window.time_cursor.go_to(Position(200))
    first = window.time_cursor.view.snapshot
    recorded = len(window.time_cursor.recording)
    qtbot.waitUntil(lambda: len(window.time_cursor.recording) > recorded)
    assert window.time_cursor.position == Position(200)
    assert same_snapshot(window.time_cursor.view.snapshot, first)
    window.commands.trigger("run.stop")
    assert not window.runs.running
    assert not window.progress.isVisible()
    kept = window.time_cursor.recording
    assert not kept.complete
    assert 300 < len(kept) < 180_000
    # Another scenario takes the place of a run in progress
    window.files.open(long_run)
    qtbot.waitUntil(lambda: window.time_cursor.recording is not None)
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    assert window.time_cursor.recording.scenario.title == "Three jobs, step by step"


def visible_docks(window: MainWindow) -> set[str]:
    """The docks that are not hidden."""
    return {name for name, dock in window.panels.docks.items() if not dock.isHidden()}


def test_the_layout_is_remembered_and_can_be_reset(make_window):
    """A hidden panel stays hidden in the next window, until the layout is reset."""
    first = make_window()
    initial = visible_docks(first)
    first.panels.docks["queue"].hide()
    first.close()
    second = make_window()
    assert visible_docks(second) == initial - {"queue"}
    second.commands.trigger("panel.reset")
    assert visible_docks(second) == initial


def test_what_is_typed_after_new_is_the_title(window, qtbot):
    """Its letters were commands: they played, drew jobs and folded the panels away."""
    window.commands.trigger("file.new")
    before = visible_docks(window)
    for letter in "My machine":
        qtbot.keyClicks(QApplication.focusWidget(), letter)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert window.document.draft["title"] == "My machine"
    assert not window.player.playing
    assert not window.mesh.drawing.active
    assert visible_docks(window) == before
    wait_for_run(window, qtbot)
    assert isinstance(QApplication.focusWidget(), QLineEdit)
    assert QApplication.focusWidget().text() == "My machine"


def test_a_new_scenario_is_nobody_s_copy_and_a_2d_mesh_has_no_views_of_a_solid(lecture, qtbot):
    """New opens the form on a sound scenario of its own name that has no file."""
    names = ("mesh.front", "mesh.side", "mesh.explode")
    assert all(lecture.commands.action(name).isEnabled() for name in names)
    lecture.commands.trigger("file.new")
    wait_for_run(lecture, qtbot)
    assert lecture.document.title == "New scenario"
    assert lecture.document.path is None
    assert not lecture.document.modified
    assert "scenario" in visible_docks(lecture)
    # Front, side and explode rest on a 2D mesh
    open_and_run(lecture, qtbot, "first-fit-16x16")
    assert not any(lecture.commands.action(name).isEnabled() for name in names)


def test_a_run_again_that_is_stopped_shows_the_new_run(window, qtbot, long_run):
    """Stopped early, it has what it has recorded, and not the first run's picture."""
    window.files.open(long_run)
    wait_for_events(window, qtbot, 3000)
    window.commands.trigger("run.stop")
    window.time_cursor.last()
    first = window.time_cursor.recording
    window.commands.trigger("run.start")
    qtbot.waitUntil(lambda: window.time_cursor.recording is not first)
    window.commands.trigger("run.stop")
    assert window.time_cursor.position.events <= len(window.time_cursor.recording)
    assert window.time_cursor.view.snapshot.position == window.time_cursor.position.events
    # Stopped before the time looked at, which is then forgotten: a third run is shown from where we stand
    window.time_cursor.last()
    window.commands.trigger("run.start")
    window.commands.trigger("run.stop")
    window.time_cursor.first()
    stopped = window.time_cursor.recording
    window.commands.trigger("run.start")
    qtbot.waitUntil(
        lambda: window.time_cursor.recording is not stopped and len(window.time_cursor.recording) > 3000
    )
    window.commands.trigger("run.stop")
    assert window.time_cursor.position == Position(0)


@pytest.mark.parametrize("name", ["turning-helps-3x3x2", "busy-list-16x16"])
def test_opening_another_scenario_from_inside_an_allocation(lecture, qtbot, name):
    """Whatever line one stood at, the other scenario starts at its beginning."""
    lecture.time_cursor.enter_attempt(2)
    for _ in range(6):
        lecture.time_cursor.next_step()
    open_and_run(lecture, qtbot, name)
    assert lecture.time_cursor.position == Position(0)
    assert lecture.algorithm.code.current is None


def test_a_fault_of_the_program_in_a_run_leaves_nothing_running(lecture, qtbot, monkeypatch):
    """The fault is raised where faults are seen, and the window does not wait for a run that is dead."""

    def fault(*_: object) -> None:
        raise RuntimeError("an internal error")

    monkeypatch.setattr("meshgui.engine.runs.simulation.Simulation.run", fault)
    with qtbot.capture_exceptions() as faults:
        lecture.commands.trigger("run.start")
        qtbot.waitUntil(lambda: not lecture.runs.running)
    assert [str(value) for _, value, _ in faults] == ["an internal error"]
    assert not lecture.progress.isVisible()


def test_the_networks_panel_comes_and_goes_with_the_network(make_window, qtbot, tmp_path, window):
    """In front of the inspector, or behind it where it was put; it comes back after folding and resetting."""
    window = make_window()
    assert window.panels.docks["network"].isHidden()
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    assert window.panels.docks["network"].isHidden()
    path = tmp_path / "packets.meshgui.json"
    save_scenario(three_in_a_row().scenario, path)
    assert window.files.open(path)
    wait_for_run(window, qtbot)
    assert not window.panels.docks["network"].isHidden()
    assert window.panels.docks["network"] in window.tabifiedDockWidgets(window.panels.docks["inspector"])
    window.panels.toggle_fold()
    assert window.panels.docks["network"].isHidden()
    window.panels.toggle_fold()
    assert not window.panels.docks["network"].isHidden()
    window.panels.reset()
    assert not window.panels.docks["network"].isHidden()
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    assert window.panels.docks["network"].isHidden()
    # Where it was when the last network went
    network, inspector = window.panels.docks["network"], window.panels.docks["inspector"]

    def seen() -> list[bool]:
        settle(window, qtbot)
        return [window.panels.in_front(name) for name in ("network", "inspector")]

    open_and_run(window, qtbot, "two-packets-meet-6x4")
    assert seen() == [True, False]
    for front, behind in ((network, inspector), (inspector, network)):
        front.raise_()
        before = seen()
        assert before == [front is network, behind is network]
        open_and_run(window, qtbot, "three-jobs-4x4x4")
        assert network.isHidden()
        assert window.files.open(path)  # an example says itself what is in front
        wait_for_run(window, qtbot)
        assert seen() == before


def test_stepping_by_line_brings_the_algorithm_to_the_front(lecture, qtbot):
    """Behind another tab it comes forward with the first line; a panel that was closed stays closed."""
    lecture.panels.show("scenario")
    qtbot.waitUntil(lambda: not lecture.panels.in_front("algorithm"))
    qtbot.keyClick(lecture, Qt.Key.Key_1)
    qtbot.keyClick(lecture, Qt.Key.Key_Home)
    for _ in range(20):
        qtbot.keyClick(lecture, Qt.Key.Key_Right)
        if lecture.time_cursor.view.position.inside:
            break
    qtbot.waitUntil(lambda: lecture.panels.in_front("algorithm"))
    lecture.panels.docks["algorithm"].hide()
    qtbot.keyClick(lecture, Qt.Key.Key_Right)
    assert lecture.panels.docks["algorithm"].isHidden()


def test_the_welcome_page_is_never_far(lecture, qtbot):
    """Its command shows it in a tab beside the scenario's; Esc, its button and the command lead back."""
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    for back in ("key", "button", "Esc"):
        qtbot.keyClick(lecture.mesh.canvas, Qt.Key.Key_H, keys)
        assert lecture.welcome.isVisible()
        assert [state.title for state in lecture.scenarios.states] == [
            "Three jobs, step by step",
            "No scenario",
        ]
        if back == "key":
            qtbot.keyClick(lecture.focusWidget(), Qt.Key.Key_H, keys)
        elif back == "button":
            qtbot.mouseClick(lecture.welcome.back_button, Qt.MouseButton.LeftButton)
        else:
            qtbot.keyClick(lecture.focusWidget(), Qt.Key.Key_Escape)
        assert lecture.mesh.isVisible()
        assert lecture.mesh.canvas.hasFocus()
        assert lecture.document.title == "Three jobs, step by step"
        assert len(lecture.scenarios) == 1
    lecture.show_welcome()
    lecture.open_example(example("first-fit-16x16"))
    assert lecture.mesh.isVisible()
    assert len(lecture.scenarios) == 2


def test_a_long_name_is_cut_where_it_is_quoted(make_window):
    """In the notice above the mesh, which still fits the window."""
    window = make_window()
    width = window.width()
    assert not window.files.open(Path("x" * 300_000))
    assert window.notice.text.endswith("file name too long")
    assert len(window.notice.text) < 250
    assert window.width() == width


def long_file(tmp_path):
    """A file with 6000 jobs, and what it holds."""
    path = tmp_path / "long.meshgui.json"
    content = json.loads(example("three-jobs-4x4x4").read_text("utf-8"))
    content["workload"]["jobs"] *= 2000
    path.write_text(json.dumps(content), "utf-8")
    return path, path.read_bytes()


def test_a_long_file_shows_how_far_it_is_read_and_can_be_stopped(make_window, monkeypatch, tmp_path):
    """Stopping leaves what is open; a fault is said; else it opens as any other."""
    window, (path, _) = make_window(), long_file(tmp_path)
    monkeypatch.setattr(file_progress, "_PATIENCE", -1.0)
    monkeypatch.setattr(file_progress, "_LEG", 0.0)
    before, shown, timer, most = window.document.scenario, [], QTimer(window, interval=0), 0.0

    def stop():
        for dialog in window.findChildren(QProgressDialog):
            shown.append((dialog.labelText(), dialog.value() / dialog.maximum()))
            if shown[-1][1] > most:
                dialog.cancel()

    timer.timeout.connect(stop)
    timer.start()
    for most in (0.1, 0.7):  # while it is parsed, and while it is checked
        shown.clear()
        assert not window.files.open(path)
        assert {label for label, _ in shown} == {"Reading long.meshgui.json"}
        assert most < shown[-1][1] < most + 0.15
        assert window.document.scenario is before
        assert not window.notice.isVisible()
    most = 1.0
    assert window.files.open(path)
    assert window.document.path == path
    timer.stop()
    path.write_text("[")
    assert not window.files.open(path)
    assert "expected JSON" in window.notice.text


def test_saving_a_long_list_shows_how_far_it_is_and_can_be_stopped(make_window, monkeypatch, tmp_path):
    """Stopping leaves the old file and the edits unsaved; else they are saved."""
    window, (path, content) = make_window(), long_file(tmp_path)
    assert window.files.open(path)
    document = window.document
    document.change({**document.draft, "seed": 77})
    delete_now()  # the dialog of the reading, where that took long
    monkeypatch.setattr(file_progress, "_PATIENCE", -1.0)
    monkeypatch.setattr(file_progress, "_LEG", 0.0)
    stopping, shown, timer = True, [], QTimer(window, interval=0)

    def look():
        for dialog in window.findChildren(QProgressDialog):
            if dialog.wasCanceled():
                continue
            shown.append((dialog.labelText(), dialog.value() / dialog.maximum()))
            if stopping and shown[-1][1] > 0.4:
                dialog.cancel()

    timer.timeout.connect(look)
    timer.start()
    assert not window.files.save()
    assert {label for label, _ in shown} == {"Writing long.meshgui.json"}
    assert 0.4 < shown[-1][1] < 0.8
    assert path.read_bytes() == content
    assert [file.name for file in tmp_path.glob("*long*")] == [path.name]
    assert document.modified
    stopping = False
    assert window.files.save()
    assert not document.modified
    assert load_scenario(path).seed == 77


def test_saving_a_long_list_lets_timers_run(make_window, monkeypatch, tmp_path):
    """Before there is a dialog, the window stays in use."""
    window, (path, _) = make_window(), long_file(tmp_path)
    monkeypatch.setattr(file_progress, "_PATIENCE", 60.0)
    assert window.files.open(path)
    monkeypatch.setattr(file_progress, "_LEG", 0.0)
    ticks, timer = [], QTimer(window, interval=0)
    timer.timeout.connect(lambda: ticks.append(1))
    timer.start()
    saving, before = window.document.saving, len(ticks)
    during: list[int] = []

    def counted(path):
        for share in saving(path):
            yield share
            during.append(len(ticks) - before)

    monkeypatch.setattr(window.document, "saving", counted)
    assert window.files.save()
    assert during[-1] > during[0]
    assert not window.findChildren(QProgressDialog)


def test_a_window_that_is_closed_is_gone_before_its_threads_end(make_window, monkeypatch, long_run):
    """One that compiles does so for seconds; the window waits for none, and its layout is kept."""
    window = make_window()
    assert window.files.open(long_run)
    with monkeypatch.context() as patch:
        patch.setattr(QThread, "wait", lambda *_: pytest.fail("waited for"))
        assert window.close()
    assert not window.isVisible()
    assert window.settings.contains("window/geometry")
    assert not window.runs.running


def test_the_hint_of_a_menu_stands_where_the_sentence_does(lecture):
    """On its line and at its edge; the sentence is back when the menu is left."""
    bar = lecture.sentence
    start, said = bar.words[0].rect.topLeft(), [word.text for word in bar.words]
    entry = lecture.menuBar().actions()[0].menu().actions()[0]
    QApplication.sendEvent(lecture.menuBar(), QStatusTipEvent(entry.statusTip()))
    assert " ".join(word.text for word in bar.words) == entry.statusTip()
    assert bar.words[0].rect.topLeft() == start
    assert bar.isVisible()
    QApplication.sendEvent(lecture.menuBar(), QStatusTipEvent(""))
    assert [word.text for word in bar.words] == said
