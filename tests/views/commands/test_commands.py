"""The command registry and the keys that belong to the focused field."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
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
)

from meshgui.views.commands.registry import CommandRegistry, key_text
from meshgui.views.style.icons import IconShelf
from meshgui.views.widgets.command import Command
from meshgui.views.widgets.segmented import Segmented


def nothing():
    """Does nothing."""


@pytest.fixture
def registry(look):
    """An empty registry."""
    return CommandRegistry(IconShelf(look))


def command(name, *shortcuts, group="Test"):
    """A command that does nothing."""
    return Command(name, name, "Does nothing.", group, nothing, shortcuts=shortcuts)


def test_the_same_id_twice_is_refused(registry):
    """An id names one command."""
    registry.register(command("a"))
    with pytest.raises(ValueError, match="'a' is registered twice"):
        registry.register(command("a"))


def test_a_key_of_two_commands_is_refused(registry):
    """A key does one thing, however it is spelt; one command may name it twice."""
    registry.register(command("a", "Ctrl+K", "ctrl+k", "F5"), command("c", "F6"))
    with pytest.raises(ValueError, match=r"Ctrl\+K is a key of two commands: 'a' and 'b'"):
        registry.register(command("b", "ctrl+K"))


def test_a_key_that_is_none_is_refused():
    """A misspelt shortcut is noticed at once."""
    with pytest.raises(ValueError, match="'Ctrl\\+Nonsense' is not a key"):
        command("a", "Ctrl+Nonsense")


def test_a_command_runs_or_switches():
    """Neither or both is an error."""
    with pytest.raises(ValueError, match="either run or switch"):
        Command("a", "A", "Does nothing.", "Test")
    with pytest.raises(ValueError, match="either run or switch"):
        Command("a", "A", "Does nothing.", "Test", nothing, bool)


def test_one_action_everywhere(bench):
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


def test_a_key_works_throughout_the_window(bench, done, qtbot):
    """Space plays though no menu or tool bar holds the command."""
    qtbot.keyClick(bench, Qt.Key.Key_Space)
    qtbot.keyClick(bench, Qt.Key.Key_Right)
    assert done == ["play", "next"]


def test_a_disabled_command_does_nothing(bench, done, qtbot):
    """Disabling takes the key away, and enabling gives it back."""
    bench.registry.set_enabled("time.play", False)
    qtbot.keyClick(bench, Qt.Key.Key_Space)
    bench.registry.trigger("time.play")
    assert done == []
    bench.registry.set_enabled("time.play", True)
    qtbot.keyClick(bench, Qt.Key.Key_Space)
    assert done == ["play"]


def test_a_switch_tells_its_state(bench, done):
    """A switch starts as asked, is thrown by the user, and can be shown without being thrown."""
    action = bench.registry.action("mesh.labels")
    assert action.isChecked()
    bench.registry.trigger("mesh.labels")
    assert done == [("labels", False)]
    bench.registry.action("mesh.labels").setChecked(True)
    assert action.isChecked()
    assert done == [("labels", False)]


def test_menus_follow_the_groups(bench):
    """Each group is a menu in order, and a group after a slash its submenu."""
    bar = QMenuBar(bench)
    bench.registry.fill_menu_bar(bar)
    assert [action.text() for action in bar.actions()] == ["File", "Time", "Mesh", "Help"]
    mesh = bar.actions()[2].menu()
    assert [action.text() for action in mesh.actions()] == ["View", "Job numbers"]
    assert [action.text() for action in mesh.actions()[0].menu().actions()] == ["Home view"]
    assert list(bench.registry.groups()) == ["File", "Time", "Mesh", "Help"]


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


def test_a_line_edit_keeps_what_is_typed(focused, done, qtbot):
    """Space, letters and arrows go into the field, not to the window."""
    field = focused(QLineEdit())
    qtbot.keyClicks(field, "h l")
    qtbot.keyClick(field, Qt.Key.Key_Left)
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert field.text() == "h l"
    assert field.cursorPosition() == 2
    assert done == []


def test_commands_with_ctrl_work_in_a_line_edit(focused, done, qtbot):
    """Ctrl+O opens while a field has the keyboard."""
    qtbot.keyClick(focused(QLineEdit()), Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    assert done == ["open"]


def test_a_spin_box_keeps_its_arrows(focused, done, qtbot):
    """Up counts up in a focused spin box."""
    box = focused(QSpinBox())
    qtbot.keyClick(box, Qt.Key.Key_Up)
    assert box.value() == 1
    assert done == []


def test_a_slider_keeps_its_arrows_but_not_space(focused, done, qtbot):
    """A focused slider moves with the arrows, and Space still plays."""
    slider = focused(QSlider(Qt.Orientation.Horizontal))
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert slider.value() == 1
    qtbot.keyClick(slider, Qt.Key.Key_Space)
    assert done == ["play"]


def test_a_list_keeps_up_and_down_only(focused, done, qtbot):
    """Up moves in the list; left, right and Space still step and play."""
    rows = focused(QListWidget())
    rows.addItems(["a", "b"])
    rows.setCurrentRow(1)
    qtbot.keyClick(rows, Qt.Key.Key_Up)
    assert rows.currentRow() == 0
    qtbot.keyClick(rows, Qt.Key.Key_Right)
    qtbot.keyClick(rows, Qt.Key.Key_Space)
    assert done == ["next", "play"]


@pytest.mark.parametrize(
    ("make", "key", "kept"),
    [
        (QTreeWidget, Qt.Key.Key_Left, True),
        (QTreeWidget, Qt.Key.Key_Space, False),
        (QComboBox, Qt.Key.Key_Up, True),
        (QComboBox, Qt.Key.Key_H, True),
        (QListWidget, Qt.Key.Key_H, True),
        (QTreeWidget, Qt.Key.Key_H, True),
        (QPushButton, Qt.Key.Key_H, False),
        (QPushButton, Qt.Key.Key_Space, True),
        (QPushButton, Qt.Key.Key_Right, False),
        (QPlainTextEdit, Qt.Key.Key_Up, True),
    ],
)
def test_who_keeps_which_key(focused, done, qtbot, make, key, kept):
    """Each widget keeps the keys it has a use for and leaves the others to the window."""
    qtbot.keyClick(focused(make()), key)
    assert bool(done) is not kept


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


def test_a_text_that_is_only_read_leaves_the_keys(focused, done, qtbot):
    """The pseudo-code pane does not stop Space from playing."""
    pane = QPlainTextEdit("1  for each box")
    pane.setReadOnly(True)
    qtbot.keyClick(focused(pane), Qt.Key.Key_Space)
    assert done == ["play"]


def test_the_guard_lets_go_with_the_focus(bench, focused, done, qtbot):
    """After a field has lost the keyboard the window's keys work again."""
    field = focused(QLineEdit())
    field.clearFocus()
    qtbot.keyClick(bench, Qt.Key.Key_Space)
    assert done == ["play"]
