"""Windows of studies as the main window has them: opened at its moment, shown in its mesh, closed with it."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from meshgui.catalogue.entries import catalogue
from meshgui.engine.scenario import scenario_from
from meshgui.model.fields.names import strategy_name
from meshgui.views.forms.field_rows import FieldRow
from meshgui.views.widgets.work_thread import WorkThread
from meshgui.views.window.main_window import MainWindow
from tests.experiments import SMALL
from tests.views.window.conftest import open_and_run, wait_for_run


@pytest.fixture
def small(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """A window on the small scenario, run to its end."""
    assert window.files.open_scenario(scenario_from(SMALL))
    wait_for_run(window, qtbot)
    return window


def field_of(window: MainWindow, name: str) -> FieldRow:
    """A row of the scenario's form."""
    window.panels.show("scenario")
    return next(field for field in window.form.view.findChildren(FieldRow) if ".".join(field.path) == name)


def test_a_key_opens_an_experiment_on_the_scenario_that_is_open(small, qtbot):
    """The window is not made before it is asked for: start-up pays nothing for it."""
    assert "experiment" not in vars(small.studies)
    assert small.commands.action("run.experiment").isEnabled()
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(small.mesh.canvas, Qt.Key.Key_E, keys)
    assert small.studies.experiment.isVisible()
    assert small.studies.experiment.scenario == small.document.scenario


def test_without_a_scenario_there_is_nothing_to_experiment_with_or_to_compare(window):
    """The commands are switched off, and a window costs nothing before it is used."""
    assert not window.commands.action("run.experiment").isEnabled()
    assert not window.commands.action("run.compare").isEnabled()
    assert "comparison" not in vars(window.studies)


def test_a_button_beside_a_field_varies_it(small, qtbot):
    """The experiment window opens with that field, from what it holds; twice adds it once."""
    for name, key in (("workload.load", "workload.load"), ("allocator", "allocator.name")):
        field = field_of(small, name)
        button = field.vary_button
        for _ in range(2):
            button.show()
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert [row.key for row in small.studies.experiment.plan.rows].count(key) == 1
    rows = {row.key: row for row in small.studies.experiment.plan.rows}
    assert rows["workload.load"].line.text() == "1"
    assert rows["allocator.name"].ticks.words == strategy_name("ff")
    # Fields that make another scenario have no such button, nor whether there is a network
    for name in ("title", "notes", "seed", "mesh.dims", "network"):
        assert field_of(small, name).vary_button is None


def test_a_point_is_run_in_the_mesh_and_the_window_takes_the_scenario_that_is_open(small, qtbot):
    """Its scenario is the open one then; the experiment keeps its own, and offers to take the new one."""
    small.studies.open_experiment()
    experiment = small.studies.experiment
    experiment.vary("workload.load")
    point = scenario_from(SMALL | {"title": "small: 3"})
    experiment.run_asked.emit(point)
    wait_for_run(small, qtbot)
    assert small.document.title == "small: 3"
    assert experiment.scenario.title == "small"
    assert experiment.plan.other.isVisible()
    qtbot.mouseClick(experiment.plan.other, Qt.MouseButton.LeftButton)
    assert experiment.scenario.title == "small: 3"
    assert [row.key for row in experiment.plan.rows] == ["workload.load"]
    assert not experiment.plan.other.isVisible()
    # Opened again it takes the scenario that is open then: fields that it has stay varied, others go
    experiment.vary("mesh.shape")
    assert experiment.close()
    jobs = {"kind": "list", "jobs": [{"arrival": 0, "size": [2, 2], "service": 3}]}
    other = scenario_from(SMALL | {"title": "another", "workload": jobs})
    assert small.files.open_scenario(other)
    wait_for_run(small, qtbot)
    small.studies.open_experiment()
    assert experiment.scenario.title == "another"
    assert [row.key for row in experiment.plan.rows] == ["mesh.shape"]
    assert not experiment.plan.other.isVisible()


def test_changes_are_not_lost_to_a_point_without_a_question(small, answers):
    """As when a file is opened: Cancel keeps the scenario that was being edited."""
    edited = small.document.scenario.model_copy(update={"title": "edited"})
    small.document.edit(edited)
    answers += ["Cancel"]
    small.studies.scenario_asked.emit(scenario_from(SMALL))
    assert small.document.scenario is edited
    small.document.take(edited, None)


KEYS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def lecture_at(window, qtbot):
    """The main window on a run, at a moment with a job selected."""
    open_and_run(window, qtbot, "first-fit-16x16")
    window.time_cursor.go_to_time(window.time_cursor.recording.end_time / 2)
    window.selection.select(3)
    yield window
    WorkThread.end_all()


def test_a_key_opens_it_at_the_present_moment(lecture_at, qtbot):
    """With the open scenario first, and its job selected in every run; again it comes to the front."""
    window = lecture_at
    qtbot.keyClick(window.mesh.canvas, Qt.Key.Key_M, KEYS)
    comparison = window.studies.comparison
    assert comparison.isVisible()
    assert comparison.scenario is window.document.scenario
    runs = comparison.comparison.runs
    qtbot.waitUntil(lambda: all(run.over for run in runs))
    assert [run.name for run in runs] == ["ff", "tbl"]
    assert comparison.comparison.clock.value == window.time_cursor.time
    assert runs[0].cursor.position == window.time_cursor.position
    assert {run.selection.job for run in runs} == {3}
    window.time_cursor.first()
    window.commands.trigger("run.compare")
    assert window.studies.comparison is comparison
    assert comparison.comparison.clock.at_start
    assert comparison.comparison.runs == runs
    assert window.close()
    assert not comparison.isVisible()


@pytest.fixture
def gallery(window, qtbot):
    """The gallery of a window, opened with its key."""
    qtbot.keyClick(
        window, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    with qtbot.waitExposed(window.studies.gallery):
        pass
    yield window.studies.gallery
    window.studies.gallery.end()
    WorkThread.end_all()
    window.studies.gallery.close()


def test_the_gallery_is_one_window_whose_scenarios_open_in_the_mesh(window, gallery, qtbot):
    """Again it comes to the front, and is not made again; every entry of the catalogue is in it."""
    assert gallery.isVisible()
    assert gallery.list.list.count() == len(catalogue())
    window.commands.trigger("run.gallery")
    assert window.studies.gallery is gallery
    # The run of the first number's strategy, with seed 1, under a title that says what it is
    gallery.list.choose("004-E1")
    qtbot.mouseClick(gallery.page.shown[0].open, Qt.MouseButton.LeftButton)
    wait_for_run(window, qtbot)
    assert window.document.title.startswith("Tsai, Lei and Lai, example 1: ")
    assert window.document.scenario.seed == 1
    assert len(window.time_cursor.recording.jobs) == 7
    assert not window.document.modified
    # It closes with the window; nothing was run, so nothing is asked
    assert window.close()
    assert not gallery.isVisible()


def test_changes_are_not_lost_without_a_question(window, gallery, qtbot, answers):
    """As when a file is opened: who cancels keeps the changed scenario."""
    open_and_run(window, qtbot, "three-jobs-4x4x4")
    window.scenario_run.apply(window.document.scenario.model_copy(update={"title": "Changed"}))
    wait_for_run(window, qtbot)
    answers += ["Cancel", "Discard"]
    gallery.list.choose("004-E1")
    qtbot.mouseClick(gallery.page.shown[0].open, Qt.MouseButton.LeftButton)
    assert window.document.title == "Changed"
    qtbot.mouseClick(gallery.page.shown[0].open, Qt.MouseButton.LeftButton)
    wait_for_run(window, qtbot)
    assert window.document.title.startswith("Tsai, Lei and Lai, example 1: ")
