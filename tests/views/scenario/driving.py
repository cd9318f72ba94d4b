"""The scenario form, driven as one does: keys into its fields, and what it says about them."""

from PySide6.QtCore import Qt

from meshgui.engine.scenario import load_scenario
from meshgui.model.examples import example
from meshgui.views.forms.editors import NumberEditor
from meshgui.views.forms.field_rows import FieldRow
from meshgui.views.forms.pick_editor import PickEditor
from meshgui.views.forms.row_table_editor import RowTableEditor

__all__ = ["box", "choose", "errors", "opened", "retype", "table"]


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


def choose(qtbot, form, path, value):
    """Go through a combo box with the arrow keys until it shows a value."""
    combo = next(e for e in form.findChildren(PickEditor, path) if e.isVisibleTo(form)).combo
    qtbot.keyClick(combo, Qt.Key.Key_Home)
    while combo.currentData() != value:
        before = combo.currentIndex()
        qtbot.keyClick(combo, Qt.Key.Key_Down)
        assert combo.currentIndex() != before, f"{value} cannot be reached"


def errors(form):
    """What is said to be wrong, by the path of its field."""
    return {field.path: field.error() for field in form.findChildren(FieldRow) if field.error()}


def table(form, path="workload.jobs"):
    """The table of rows in sight."""
    return form.findChild(RowTableEditor, path)
