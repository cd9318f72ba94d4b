"""The command registry and the keys that belong to the focused field."""

from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QListWidget,
    QMenuBar,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QSpinBox,
    QToolBar,
    QTreeWidget,
    QWidget,
)

from meshgui.model.base.signals import Signal
from meshgui.views.commands.registry import CommandRegistry, key_text
from meshgui.views.style.icons import IconShelf
from meshgui.views.widgets.command import Command, Condition
from meshgui.views.widgets.segmented import Segmented


def nothing():
    """Does nothing."""


def command(name, *shortcuts):
    """A command that does nothing."""
    return Command(name, name, "Does nothing.", nothing, shortcuts, group="Test")


def test_what_is_no_command_of_its_own_is_refused(look):
    """An id names one command and a key does one thing, however it is spelt; one may name it twice."""
    registry = CommandRegistry(IconShelf(look))
    registry.register(command("a", "Ctrl+K", "ctrl+k", "F5"), command("c", "F6"))
    with pytest.raises(ValueError, match="“a” is registered twice"):
        registry.register(command("a"))
    with pytest.raises(ValueError, match=r"Ctrl\+K is a key of two commands: “a” and “b”"):
        registry.register(command("b", "ctrl+K"))
    with pytest.raises(ValueError, match="“Ctrl\\+Nonsense” is not a key"):
        command("a", "Ctrl+Nonsense")


def test_one_action_is_in_window_menu_and_tool_bar(bench, done):
    """Menu, tool bar and window share one action, with title, help and keys."""
    action = bench.registry.action("file.open")
    bar = QToolBar(bench)
    assert bench.registry.action("file.open", bar) is action
    assert isinstance(action, QAction)
    assert action in bar.actions()
    assert action in bench.actions()
    assert action.text() == "Open scenario…"
    assert "Ctrl+O" in action.toolTip()
    assert not action.icon().isNull()
    # Each group is a menu in order, and a group after a slash its submenu
    bar = QMenuBar(bench)
    bench.registry.fill_menu_bar(bar)
    assert [action.text() for action in bar.actions()] == ["File", "Time", "Mesh", "Help"]
    mesh = bar.actions()[2].menu()
    assert [action.text() for action in mesh.actions()] == ["View", "Job numbers"]
    assert [action.text() for action in mesh.actions()[0].menu().actions()] == ["Home view"]
    assert list(bench.registry.groups()) == ["File", "Time", "Mesh", "Help"]
    # A mark says whether what a command changes is on, also after the command
    action = bench.registry.action("mesh.labels")
    bench.registry.refresh_marks()
    assert action.isChecked()
    bench.registry.trigger("mesh.labels")
    assert not action.isChecked()
    assert done == ["labels"]


def test_a_key_works_throughout_the_window_while_its_command_can_be_used(bench, done, qtbot):
    """Space plays though no menu or tool bar holds the command; disabling takes the key away."""
    qtbot.keyClick(bench, Qt.Key.Key_Space)
    qtbot.keyClick(bench, Qt.Key.Key_Right)
    bench.allowed["play"] = False
    bench.allowing.emit()
    qtbot.keyClick(bench, Qt.Key.Key_Space)
    bench.registry.trigger("time.play")
    assert done == ["play", "next"]
    bench.allowed["play"] = True
    bench.allowing.emit()
    qtbot.keyClick(bench, Qt.Key.Key_Space)
    assert done == ["play", "next", "play"]


def test_the_keys_do_what_the_page_says_while_it_is_shown(bench, done, qtbot):
    """Keys and menu may do two things; a page's command of the same id has those of the page, not both."""
    says = partial(partial, done.append)
    bench.registry.register(
        Command("mesh.find", "Find", "Finds.", says("shown"), ("F",), group="Mesh", by_key=says("used"))
    )
    bench.registry.attach(bench)
    qtbot.keyClick(bench, Qt.Key.Key_F)
    bench.registry.trigger("mesh.find")
    assert done == ["used", "shown"]
    bench.registry.show_page(
        [
            replace(command("mesh.find", "F"), run=says("page")),
            replace(command("time.play", "Space"), by_key=says("page's key")),
        ],
        (),
    )
    qtbot.keyClick(bench, Qt.Key.Key_F)
    qtbot.keyClick(bench, Qt.Key.Key_Space)
    assert done[2:] == ["page", "page's key"]
    bench.registry.leave_page()
    qtbot.keyClick(bench, Qt.Key.Key_F)
    qtbot.keyClick(bench, Qt.Key.Key_Space)
    assert done[4:] == ["used", "play"]


def test_a_condition_is_looked_at_once_for_all_its_commands_and_only_after_its_changes(look):
    """What is withheld can afterwards be used only where its condition holds."""
    looked, change, there = [], Signal(), []
    condition = Condition(lambda: looked.append(1) or bool(there), (change,))
    registry = CommandRegistry(IconShelf(look))
    undo = Command(
        "undo", "Undo", "Undoes.", nothing, enabled_when=condition, wording=lambda: f"Undo {there}"
    )
    registry.register(undo, replace(undo, id="redo"), command("other"))
    registry.attach(QWidget())
    looked.clear()
    change.emit()
    assert len(looked) == 1
    assert not registry.action("undo").isEnabled()
    registry.withhold(["undo", "other"])
    registry.withhold([])
    assert not registry.action("undo").isEnabled()
    assert registry.action("other").isEnabled()
    there.append("it")
    change.emit()
    assert registry.action("redo").isEnabled()
    assert registry.title("undo") == "Undo ['it']"
    registry.withhold(["undo"])
    change.emit()
    assert not registry.action("undo").isEnabled()


def test_arrow_keys_are_shown_as_arrows():
    """The sheet shows an arrow, with its modifiers, and leaves other keys alone."""
    assert key_text("Shift+Right") == "Shift+→"
    assert key_text("Left") == "←"
    assert key_text("Ctrl+K") == "Ctrl+K"
    assert key_text("?") == "?"


@pytest.fixture
def focused(bench, qtbot):
    """Gives the keyboard to a widget in the window."""

    def focus(widget):
        bench.setCentralWidget(widget)
        widget.show()
        widget.setFocus()
        qtbot.waitUntil(widget.hasFocus)
        return widget

    return focus


def test_fields_sliders_and_lists_keep_the_keys_they_have_a_use_for(bench, focused, done, qtbot):
    """Space, letters and arrows go into the field, not to the window; Ctrl+O opens all the same."""
    field = focused(QLineEdit())
    qtbot.keyClicks(field, "h l")
    qtbot.keyClick(field, Qt.Key.Key_Left)
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert (field.text(), field.cursorPosition(), done) == ("h l", 2, [])
    qtbot.keyClick(field, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    field.clearFocus()
    qtbot.keyClick(bench, Qt.Key.Key_Space)
    assert done == ["open", "play"]
    # Up counts up in a spin box, a slider moves; from a list left, right and Space still step and play
    done.clear()
    box, slider, rows = QSpinBox(), QSlider(Qt.Orientation.Horizontal), QListWidget()
    qtbot.keyClick(focused(box), Qt.Key.Key_Up)
    assert (box.value(), done) == (1, [])
    qtbot.keyClick(focused(slider), Qt.Key.Key_Right)
    assert (slider.value(), done) == (1, [])
    qtbot.keyClick(slider, Qt.Key.Key_Space)
    rows.addItems(["a", "b"])
    rows.setCurrentRow(1)
    qtbot.keyClick(focused(rows), Qt.Key.Key_Up)
    assert rows.currentRow() == 0
    qtbot.keyClick(rows, Qt.Key.Key_Right)
    qtbot.keyClick(rows, Qt.Key.Key_Space)
    assert done == ["play", "next", "play"]


@pytest.mark.parametrize(
    ("make", "kept", "left"),
    [
        (QTreeWidget, (Qt.Key.Key_Left,), (Qt.Key.Key_H, Qt.Key.Key_Space)),
        (QComboBox, (Qt.Key.Key_Up,), (Qt.Key.Key_H, Qt.Key.Key_Space)),
        (QListWidget, (Qt.Key.Key_Up,), (Qt.Key.Key_H, Qt.Key.Key_Space)),
        (QPushButton, (), (Qt.Key.Key_H, Qt.Key.Key_Right, Qt.Key.Key_Space)),
        (QPlainTextEdit, (Qt.Key.Key_Up,), ()),
        (partial(QPlainTextEdit, readOnly=True), (), (Qt.Key.Key_Space,)),
    ],
    ids=["tree", "choice", "list", "button", "text", "text that is only read"],
)
def test_who_keeps_which_key(focused, done, qtbot, make, kept, left):
    """Each widget keeps the keys it has a use for and leaves the others to the window."""
    widget = focused(make())
    for key in kept:
        qtbot.keyClick(widget, key)
        assert done == [], key
    for number, key in enumerate(left, 1):
        qtbot.keyClick(widget, key)
        assert len(done) == number, key


def test_one_of_several_buttons_keeps_the_arrows_that_press_the_next(bench, look, done, qtbot):
    """Right presses the choice beside it, left the one before; the window does not step."""
    choices = Segmented((("Packets", ""), ("Channels", "")), look)
    bench.setCentralWidget(choices)
    choices.button(0).setFocus()
    qtbot.waitUntil(lambda: choices.button(0).hasFocus() and choices.button(1).x() > choices.button(0).x())
    qtbot.keyClick(choices.button(0), Qt.Key.Key_Right)
    assert (choices.index, done) == (1, [])
    assert choices.button(1).hasFocus()
    qtbot.keyClick(choices.button(1), Qt.Key.Key_Left)
    assert (choices.index, done) == (0, [])


@pytest.mark.parametrize("made", [QLineEdit, QPlainTextEdit, QSpinBox])
def test_a_command_with_ctrl_e_is_reached_from_a_field(bench, done, qtbot, made):
    """Qt goes to the end of the line with it on X11: the form that it had opened stayed open."""
    field = made(bench)
    bench.setCentralWidget(field)
    field.show()
    QShortcut(QKeySequence("Ctrl+E"), bench, lambda: done.append("form"))
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert done == ["form"]
