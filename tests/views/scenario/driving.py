"""The scenario form, driven as one does: keys into its fields, and what it says about them."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QScrollArea

from meshgui.engine.scenario import load_scenario
from meshgui.model.document.examples import example
from meshgui.views.forms.editors import NumberEditor, TupleEditor
from meshgui.views.forms.field_rows import FieldRow
from meshgui.views.forms.pick_editor import PickEditor
from meshgui.views.forms.row_table_editor import RowTableEditor

__all__ = [
    "box",
    "check_fault",
    "choose",
    "errors",
    "field_at",
    "in_sight",
    "opened",
    "pasted",
    "pick",
    "retype",
    "retype_side",
    "scroller",
    "table",
]


def opened(name):
    """One of the examples."""
    return load_scenario(example(name))


def box(form, path):
    """The spin box of a number."""
    return next(e for e in form.findChildren(NumberEditor, path) if e.isVisibleTo(form)).box


def retype(qtbot, form, path, text):
    """Put another text into a number's field, key by key."""
    field = box(form, path)
    field.setFocus()
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Backspace)
    qtbot.keyClicks(field, text)


def retype_side(qtbot, form, text):
    """Put another width into the mesh's shape, key by key."""
    width = form.findChild(TupleEditor, "mesh.shape").boxes[0]
    width.selectAll()
    qtbot.keyClicks(width, text)


def pick(form, path):
    """The combo box of a choice in sight, or of one that is not."""
    editors = form.findChildren(PickEditor, path)
    return next((e for e in editors if e.isVisibleTo(form)), editors[0]).combo


def choose(qtbot, form, path, value):
    """Go through a combo box with the arrow keys until it shows a value."""
    combo = pick(form, path)
    qtbot.keyClick(combo, Qt.Key.Key_Home)
    while combo.currentData() != value:
        before = combo.currentIndex()
        qtbot.keyClick(combo, Qt.Key.Key_Down)
        assert combo.currentIndex() != before, f"{value} cannot be reached"


def errors(form):
    """What is said to be wrong, by the path of its field."""
    return {field.path: field.error() for field in form.findChildren(FieldRow) if field.error()}


def check_fault(qtbot, form, path, text, words):
    """What is typed stays, with what is wrong with it below, and nothing can be run until it is mended."""
    line, before = box(form, path), form.document.edited
    sound = line.text()
    assert errors(form) == {}
    retype(qtbot, form, path, text)
    [(place, said)] = errors(form).items()
    assert place == tuple(path.split("."))
    assert said.startswith(words)
    assert (line.text(), line.property("invalid")) == (text, True)
    assert not line.grab().isNull()  # it is painted with whatever text it has
    assert form.document.edited is None
    assert not form.run_button.isEnabled()
    retype(qtbot, form, path, sound)
    assert errors(form) == {}
    assert not line.property("invalid")
    assert form.document.edited == before


def field_at(form, *path):
    """The field at a path."""
    return next(field for field in form.findChildren(FieldRow) if field.path == path)


def scroller(form):
    """The area that scrolls the fields."""
    return form.findChild(QScrollArea)


def in_sight(form, widget):
    """Whether the lower edge of a field or a line lies in the area that scrolls."""
    port = scroller(form).viewport()
    return 0 < widget.mapTo(port, widget.rect().bottomLeft()).y() <= port.height()


def pasted(qtbot, rows, text):
    """Paste a text into a table by its button."""
    QGuiApplication.clipboard().setText(text)
    qtbot.mouseClick(rows.paste, Qt.MouseButton.LeftButton)


def table(form, path="workload.jobs"):
    """The table of rows in sight."""
    return form.findChild(RowTableEditor, path)
