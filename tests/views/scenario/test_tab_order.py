"""Tab goes down the form, field by field, and leaves it; Shift+Tab goes up again."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from meshgui.engine.scenario import load_scenario
from meshgui.model.document.document import Document
from meshgui.model.document.examples import examples
from meshgui.views.forms.pick_editor import PickEditor
from meshgui.views.scenario.form import ScenarioForm
from meshgui.views.style.theme import ThemeManager
from tests.views.conftest import handle_events
from tests.views.showing import shown
from tests.views.tabbing import around, as_they_stand, missed, stops_of

from .driving import opened


@pytest.fixture
def room(qtbot: QtBot) -> Iterator[QWidget]:
    """A window with a field above the form, and one below it."""
    made = QWidget()
    column = QVBoxLayout(made)
    column.addWidget(QLineEdit())
    column.addWidget(QLineEdit())
    return shown(qtbot, made, 420, 1100, active=True)


def put_in(room: QWidget, form: ScenarioForm) -> ScenarioForm:
    """Put a form into the middle of the window."""
    room.layout().insertWidget(1, form)
    return form


def named(stop: QWidget) -> tuple[QWidget, str]:
    """A stop with the words on it."""
    return stop, stop.accessibleName() or (stop.text() if isinstance(stop, QAbstractButton) else "")


def check(room: QWidget, form: ScenarioForm, qtbot: QtBot) -> None:
    """Each field of the form is reached once, in the order of lines, and what is beside the form too."""
    room.layout().activate()
    handle_events()
    above = room.layout().itemAt(0).widget()
    above.setFocus(Qt.FocusReason.TabFocusReason)
    down = around(room, qtbot)
    up = around(room, qtbot, Qt.Key.Key_Backtab)
    assert list(map(named, missed(stops_of(room), down))) == []
    body = form.findChild(QScrollArea).widget()
    lines = [*as_they_stand(body, down), form.revert_button, form.run_button]
    met = [stop for stop in down if form.isAncestorOf(stop)]
    assert list(map(named, met)) == [named(stop) for stop in lines if stop.isEnabled()]
    assert up == [down[0], *reversed(down[1:])]


@pytest.mark.parametrize("name", [path.name.removesuffix(".meshgui.json") for path in examples()])
def test_every_field_is_reached_in_the_order_of_lines(
    room: QWidget, themes: ThemeManager, qtbot: QtBot, name: str
):
    """Of every example."""
    form = put_in(room, ScenarioForm(themes, Document()))
    form.document.take(opened(name), None)
    check(room, form, qtbot)


def test_fields_that_are_made_later_come_where_they_stand(room: QWidget, themes: ThemeManager, qtbot: QtBot):
    """In a form that has shown all examples, one after the other, and is built in steps."""
    form = ScenarioForm(themes, Document(), at_once=False)
    for _ in form.steps():
        pass
    put_in(room, form)
    for path in examples():
        form.document.take(load_scenario(path), None)
    form.document.take(opened("first-fit-16x16"), None)
    check(room, form, qtbot)


@pytest.mark.parametrize(
    "place", ["allocator", "scheduler", "workload", "workload.sides", "workload.service"]
)
def test_fields_of_another_kind_come_after_its_choice(
    room: QWidget, themes: ThemeManager, qtbot: QtBot, place: str
):
    """Of every kind that can be chosen."""
    form = put_in(room, ScenarioForm(themes, Document()))
    form.document.take(opened("first-fit-16x16"), None)
    editor = form.findChild(PickEditor, place)
    assert isinstance(editor, PickEditor)
    for line in range(editor.combo.count()):
        if editor.combo.model().index(line, 0).flags() & Qt.ItemFlag.ItemIsEnabled:
            editor.combo.setCurrentIndex(line)
            editor.combo.activated.emit(line)
            check(room, form, qtbot)
