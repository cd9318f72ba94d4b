"""An arrangement of the panels from settings, a file or a link: the same picture, whatever else is in it."""

import json
import random
import re
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QByteArray, QRect, QSettings, QSize, Qt
from PySide6.QtWidgets import QMainWindow, QWidget
from pytestqt.qtbot import QtBot

import meshgui
from meshgui.engine.scenario import load_file, load_scenario
from meshgui.model.document.arrangement import ALL_PANELS
from meshgui.model.document.arrangement_reader import read_arrangement
from meshgui.model.document.examples import example
from meshgui.model.document.moment_link import moment_link
from meshgui.model.document.qt_state import layout_version
from meshgui.views.widgets.kept_place import WindowPlace, place_as_kept
from meshgui.views.window.main_window import MainWindow
from tests.arrangements import OLD_STATE, out_of_bounds, with_group
from tests.scenarios import save_scenario
from tests.views.conftest import handle_events
from tests.views.window.conftest import open_and_run, picture, settle, wait_for_run

Make = Callable[[], MainWindow]

OPENED = """
import sys
from pathlib import Path
from PySide6.QtCore import QSettings
from meshgui.model.base.recent import RecentFiles
from meshgui.views.style.application import qt_application
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.work_thread import WorkThread
from meshgui.views.window.main_window import MainWindow
folder = Path(sys.argv[1])
settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
application = qt_application()
window = MainWindow(ThemeManager(application, "light"), settings, RecentFiles(folder))
window.show()
opened = window.files.open(folder / "sent.meshgui.json")
application.processEvents()
print(opened, [row.text for row in window.notice._sayings])
WorkThread.end_all()
"""


@pytest.mark.parametrize("area", [4, 0x100000])
def test_crafted_bytes_of_a_file_do_not_end_the_window(tmp_path, area):
    """Qt itself writes out of its bounds for them; the scenario opens, and its arrangement is left out."""
    crafted = {"time": 0, "panels": b64encode(out_of_bounds(area)).decode()}
    save_scenario(load_file(example("three-jobs-4x4x4")).scenario, tmp_path / "sent.meshgui.json", crafted)
    done = subprocess.run(
        [sys.executable, "-c", OPENED, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "True ['The arrangement of the panels could not be read and is ignored.']\n"


def test_qt_restores_in_one_place_and_no_state_but_ours():
    """Its readers of bytes are called nowhere else: neither for windows nor for splitters and headers."""
    called = [
        (path.name, match)
        for path in sorted(Path(meshgui.__file__).parent.rglob("*.py"))
        for match in re.findall(r"\.(restore(?:State|Geometry)|restoreDockWidget)\(", path.read_text("utf-8"))
    ]
    assert called == [("arranging.py", "restoreState")]


def test_an_arrangement_names_every_panel_and_qt_gets_none_of_its_bytes(lecture, monkeypatch):
    """Each panel by its name, and no other."""
    assert set(ALL_PANELS) <= set(lecture.panels.docks) == set(lecture.panels.save().names())
    # What Qt gets is written by the program: not one byte of a text in a file is passed on
    given: list[bytes] = []

    def restore(_window: QMainWindow, state: QByteArray, _version: int) -> bool:
        given.append(bytes(state.data()))
        return True

    monkeypatch.setattr(MainWindow, "restoreState", restore, raising=False)
    marked = b64decode(OLD_STATE).replace("plots".encode("utf-16-be"), "PLOTS".encode("utf-16-be"))
    for state in (b64decode(OLD_STATE), marked, out_of_bounds(4)):
        lecture.moments.show({"panels": b64encode(state).decode()})
    assert len(given) == 2
    assert b"t\0o\0o\0l\0b\0a\0r" not in b"".join(given)
    assert "PLOTS".encode("utf-16-be") not in given[1]
    assert all("plots".encode("utf-16-be") in state for state in given)


def use(window: MainWindow, qtbot: QtBot) -> None:
    """Have panels float, lie side by side, in front of others and in another area."""
    docks, down = window.panels.docks, Qt.Orientation.Vertical
    window.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, docks["plots"])
    window.splitDockWidget(docks["plots"], docks["stops"], Qt.Orientation.Horizontal)
    window.splitDockWidget(docks["stops"], docks["job"], down)
    window.panels.show("scenario")
    docks["queue"].setFloating(True)
    docks["queue"].setGeometry(90, 80, 333, 222)
    settle(window, qtbot)


@pytest.mark.parametrize(("size", "text_size"), [((1500, 1000), 1.0), ((960, 800), 1.0), ((1800, 1100), 2.0)])
def test_an_arrangement_in_json_brings_back_the_same_picture(lecture, qtbot, themes, size, text_size):
    """Every panel at its place and size, those that float too, in a small window and in large letters."""
    lecture.resize(*size)
    themes.set_scale(text_size)
    use(lecture, qtbot)
    before = picture(lecture)
    kept = json.dumps(lecture.panels.save().as_data())
    lecture.commands.trigger("panel.reset")
    settle(lecture, qtbot)
    assert picture(lecture) != before
    read = read_arrangement(json.loads(kept), lecture.panels.docks)
    assert read.whole
    assert read.arrangement is not None
    for _ in range(2):  # Qt first gives panels that share a place their titles, and so more height
        lecture.resize(*size)
        lecture.panels.show_again(read.arrangement)
        settle(lecture, qtbot)
    assert picture(lecture) == before

    def places(arrangement):
        return [(place.name, place.hidden, place.floating) for place in arrangement.panels()]

    assert places(lecture.panels.save()) == places(read.arrangement)


def test_folded_panels_and_those_that_float_together_come_back_as_they_were(lecture, qtbot):
    """By one key, floating ones as well; a file that is saved while they are folded has them unfolded."""
    use(lecture, qtbot)
    before = picture(lecture)
    qtbot.keyClick(lecture, Qt.Key.Key_M)
    assert picture(lecture) == {}
    assert set(before) <= {
        name for name in lecture.panels.unfolded.names() if not lecture.panels.in_front(name)
    }
    qtbot.keyClick(lecture, Qt.Key.Key_M)
    settle(lecture, qtbot)
    assert picture(lecture).keys() == before.keys()
    assert picture(lecture)["queue"] == before["queue"]
    # Each floats by itself when they are restored, and resetting puts them back; Qt alone loses them
    lecture.commands.trigger("panel.reset")
    settle(lecture, qtbot)
    first = picture(lecture).keys()
    version = layout_version(rtl=False)
    together = with_group(bytes(lecture.saveState(version).data()), "plots", "stops")
    QMainWindow.restoreState(lecture, QByteArray(together), version)
    settle(lecture, qtbot)
    docks = lecture.panels.docks
    assert docks["stops"].window() is docks["plots"].window() is not lecture
    lecture.panels.restore_state(lecture.panels.save())
    settle(lecture, qtbot)
    assert docks["stops"].isFloating()
    assert docks["plots"].isFloating()
    lecture.commands.trigger("panel.reset")
    settle(lecture, qtbot)
    assert not any(dock.isFloating() for dock in docks.values())
    assert picture(lecture).keys() == first


def test_the_arrangement_is_kept_for_the_next_time(make_window, qtbot, tmp_path):
    """With the place and the size of the window; the settings hold plain texts alone."""
    own = tmp_path / "own.meshgui.json"  # an example says itself what is in front
    save_scenario(load_scenario(example("three-jobs-4x4x4")), own)
    window = open_and_run(make_window(), qtbot, "three-jobs-4x4x4")
    window.setGeometry(40, 60, 1300, 900)
    use(window, qtbot)
    before = picture(window)
    window.close()
    again = make_window()
    assert again.files.open(own)
    wait_for_run(again, qtbot)
    settle(again, qtbot)
    assert again.size() == QSize(1300, 900)
    assert picture(again).keys() == before.keys()
    assert picture(again)["queue"] == before["queue"]
    assert not again.notice.text
    window.settings.sync()
    assert "@" not in Path(window.settings.fileName()).read_text("utf-8")


def test_a_link_with_unknown_panels_shows_those_that_are_known(window, qtbot):
    """A sentence that stays says that the arrangement is not whole; a sound one has nothing to say."""
    scenario = load_file(example("three-jobs-4x4x4")).scenario
    panels: dict[str, Any] = {"end": {"tabs": [{"panel": "queue"}, {"panel": "moon"}, {"panel": "job"}]}}
    assert window.moments.open_link(moment_link(scenario, None, {"time": 0.5, "panels": panels}))
    qtbot.waitUntil(lambda: window.time_cursor.time == 0.5)
    assert window.notice.text.startswith("The arrangement of the panels could not be read in full")
    assert window.dockWidgetArea(window.panels.docks["queue"]) == Qt.DockWidgetArea.RightDockWidgetArea
    assert window.panels.docks["job"] in window.tabifiedDockWidgets(window.panels.docks["queue"])
    assert window.panels.in_front("timeline")
    window.notice.dismiss()
    del panels["end"]["tabs"][1]
    assert window.moments.open_link(moment_link(scenario, None, {"time": 0.5, "panels": panels}))
    assert not window.notice.text


def test_a_file_of_an_older_version_opens_as_it_was_saved(window, qtbot, tmp_path):
    """Its arrangement is a text in Base64; saved again, it is an object."""
    path = tmp_path / "old.meshgui.json"
    save_scenario(load_file(example("three-jobs-4x4x4")).scenario, path, {"time": 0.5, "panels": OLD_STATE})
    assert window.files.open(path)
    qtbot.waitUntil(lambda: window.time_cursor.time == 0.5)
    assert window.panels.docks["queue"].isFloating()
    assert not window.notice.text
    window.commands.trigger("file.save")
    panels = load_file(path).view["panels"]
    assert panels["start"]["rows"][0]["tabs"][1]["panel"] == "queue"
    assert read_arrangement(panels, window.panels.docks).whole


def ini(path: Path) -> QSettings:
    """The settings in a file."""
    return QSettings(str(path), QSettings.Format.IniFormat)


def test_settings_of_an_older_version_are_read(make_window, qtbot, tmp_path):
    """Their arrangement is Qt's, and is kept; places and divisions in Qt's bytes are not looked at."""
    settings = ini(tmp_path / "settings.ini")
    settings.setValue("window/state", QByteArray(b64decode(OLD_STATE)))
    settings.setValue("window/state-sum", "0" * 64)
    for key in ("window/geometry", "experiment/geometry", "experiment/across", "comparison/down"):
        settings.setValue(key, QByteArray(b"\x01\xd9\xd0\xcb\x00\x03" + b"\xff" * 60))
    settings.sync()
    window = make_window()
    assert not window.notice.text
    assert window.panels.docks["queue"].isFloating()
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    window.commands.trigger("run.experiment")
    study = window.studies.experiment
    assert study.isVisible()
    study.splitter.setSizes([400, study.width() - 400])
    sizes, place = study.splitter.sizes(), study.geometry()
    study.close()
    settings.sync()
    assert json.loads(str(settings.value("experiment/across"))) == sizes
    assert json.loads(str(settings.value("experiment/geometry")))["place"] == list(place.getRect() or ())


ODD_VALUES = (
    "[]",
    "{",
    "3",
    "null",
    '{"place": [1e300, -1e300, 1e300, 1e300]}',
    '{"place": [0, 0, 0, 0]}',
    "[" * 9000,
)


@pytest.mark.parametrize("value", ODD_VALUES, ids=range(len(ODD_VALUES)))
def test_odd_places_and_sizes_leave_the_window_on_a_screen(make_window, tmp_path, value):
    """Whatever the settings hold for them."""
    settings = ini(tmp_path / "settings.ini")
    for key in ("window/geometry", "window/panel-sizes"):
        settings.setValue(key, value)
    sizes = {
        "queue": 10**400,
        "algorithm": float("nan"),
        "job": -7,
        "moon": 5,
        "timeline": 10**9,
        "why": "wide",
    }
    settings.setValue("window/panel-sizes", json.dumps({"width": sizes, "height": sizes}))
    settings.sync()
    window = make_window()
    assert window.isVisible()
    screen = window.screen().availableGeometry()
    assert screen.contains(window.geometry())


def test_a_place_on_no_screen_is_moved_onto_one(qtbot, tmp_path):
    """A window that was maximized is so again, and has its place when it no longer is."""
    settings, widget = ini(tmp_path / "settings.ini"), QWidget()
    qtbot.addWidget(widget)
    room = widget.screen().availableGeometry()
    WindowPlace(QRect(30, 50, 700, 500), maximized=True).keep(settings, "maximized")
    place_as_kept(widget, settings, "maximized")
    assert widget.isMaximized()
    assert widget.geometry() == QRect(30, 50, 700, 500)
    assert WindowPlace.of(widget).maximized
    WindowPlace(QRect(-9000, 9000, 700, 500), maximized=False).keep(settings, "elsewhere")
    place_as_kept(widget, settings, "elsewhere")
    assert widget.geometry() == QRect(8, room.height() - 8 - 500, 700, 500)
    # Kept on a larger screen it fills this one: no window manager has room for its title above it otherwise
    WindowPlace(QRect(8, 31, 9000, 9000), maximized=False).keep(settings, "large")
    place_as_kept(widget, settings, "large")
    assert widget.geometry() == QRect(8, 40, room.width() - 16, room.height() - 48)


def test_many_arrangements_of_anyone_leave_every_panel_in_reach(window, qtbot):
    """Panels at random, in groups at random, hidden or afloat anywhere: a short form of `make fuzz`."""
    draw = random.Random(29)

    def node(names: list[str]) -> dict[str, Any]:
        size = {"size": draw.choice((0, 1, 80, 300, 10**6, -4))}
        if len(names) == 1:
            place = [draw.choice((-(10**6), 0, 50, 900, 10**6)) for _ in range(4)]
            return {"panel": names[0], "hidden": draw.random() < 0.3} | (
                {"floating": place} if draw.random() < 0.2 else size
            )
        cut = draw.randrange(1, len(names))
        parts = [node(names[:cut]), node(names[cut:])]
        kind = draw.choice(("tabs", "rows", "columns"))
        return {kind: [node([name]) for name in names] if kind == "tabs" else parts} | size

    for _ in range(40):
        names = draw.sample((*ALL_PANELS, "moon"), draw.randrange(1, 13))
        areas = {
            area: [name for name in names if draw.random() < 0.5]
            for area in ("start", "end", "top", "bottom")
        }
        data = {area: {**node(share), "size": [300, 200]} for area, share in areas.items() if share}
        window.moments.show({"panels": data})
        handle_events()
        assert window.isVisible()
        assert set(window.panels.save().names()) == set(window.panels.docks)
        name = draw.choice(ALL_PANELS)
        window.panels.show(name)
        assert not window.panels.docks[name].isHidden()
    window.commands.trigger("panel.reset")
    settle(window, qtbot)
    assert not any(dock.isFloating() for dock in window.panels.docks.values())


def test_columns_have_their_full_height_the_next_time_too(make_window, qtbot):
    """The time stays between the columns in a window that opens as large as it was closed."""

    def between_columns(window: MainWindow) -> bool:
        docks = window.panels.docks
        queue, time, code = (docks[name].geometry() for name in ("queue", "timeline", "algorithm"))
        return queue.right() < time.left() and time.right() < code.left()

    window = open_and_run(make_window(), qtbot, "three-jobs-4x4x4")
    window.showMaximized()
    settle(window, qtbot)
    assert between_columns(window)
    window.close()
    again = make_window("three-jobs-4x4x4")  # which opens it before it is shown
    settle(again, qtbot)
    assert again.isMaximized()
    assert between_columns(again)
