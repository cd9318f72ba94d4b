"""Experiments as the main window has them: opened on its scenario, points shown in its mesh, closed too."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from meshgui.engine.scenario import scenario_from
from meshgui.views.forms.field_rows import FieldRow
from meshgui.views.widgets.work_thread import WorkThread
from meshgui.views.window.main_window import MainWindow
from tests.experiments import SMALL
from tests.views.conftest import Answers
from tests.views.window.conftest import wait_for_run


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


def test_the_experiment_window_is_not_made_before_it_is_asked_for(small: MainWindow):
    """Start-up pays nothing for it; without a scenario it cannot be asked for."""
    assert "experiment" not in vars(small.studies)
    assert small.commands.action("run.experiment").isEnabled()


def test_without_a_scenario_there_is_nothing_to_experiment_with(window: MainWindow):
    """The command is switched off."""
    assert not window.commands.action("run.experiment").isEnabled()


def test_a_key_opens_it_on_the_scenario_that_is_open(small: MainWindow, qtbot: QtBot):
    """Ctrl+Shift+E opens the window."""
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(small.mesh.canvas, Qt.Key.Key_E, keys)
    assert small.studies.experiment.isVisible()
    assert small.studies.experiment.scenario == small.document.scenario


def test_a_button_beside_a_field_varies_it(small: MainWindow, qtbot: QtBot):
    """The experiment window opens with that field, from what it holds; twice adds it once."""
    for name, key in (("workload.load", "workload.load"), ("allocator", "allocator.name")):
        field = field_of(small, name)
        button = field.vary_button
        assert button is not None
        for _ in range(2):
            button.show()
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert [row.key for row in small.studies.experiment.plan.rows].count(key) == 1
    rows = {row.key: row for row in small.studies.experiment.plan.rows}
    assert rows["workload.load"].line.text() == "1"
    assert rows["allocator.name"].ticks.words == "ff"


def test_fields_that_make_another_scenario_have_no_such_button(small: MainWindow):
    """Neither title nor seed, nor whether there is a network."""
    for name in ("title", "notes", "seed", "mesh.dims", "network"):
        assert field_of(small, name).vary_button is None


def test_a_point_is_run_in_the_mesh(small: MainWindow, qtbot: QtBot):
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


def test_opened_again_it_takes_the_scenario_that_is_open_then(small: MainWindow, qtbot: QtBot):
    """Fields that it has stay varied, others go; while it was closed nobody worked in it."""
    small.studies.open_experiment()
    experiment = small.studies.experiment
    experiment.vary("workload.load")
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


def test_changes_are_not_lost_to_a_point_without_a_question(small: MainWindow, answers: Answers):
    """As when a file is opened: Cancel keeps the scenario that was being edited."""
    edited = small.document.scenario.model_copy(update={"title": "edited"})
    small.document.edit(edited)
    answers += ["Cancel"]
    small.studies.scenario_asked.emit(scenario_from(SMALL))
    assert small.document.scenario is edited
    small.document.take(edited, None)


def test_it_closes_with_the_main_window(make_window: Callable[[], MainWindow], qtbot: QtBot):
    """Nothing runs, nothing is lost: nothing is asked, and no thread is left."""
    window = make_window()
    window.files.open_scenario(scenario_from(SMALL))
    wait_for_run(window, qtbot)
    window.studies.open_experiment()
    experiment = window.studies.experiment
    qtbot.waitUntil(experiment.run_bar.start.isEnabled)
    assert window.close()
    assert not experiment.isVisible()
    WorkThread.end_all()
