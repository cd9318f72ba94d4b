"""Lengths follow the size of everything, and cost nothing when only the colours change."""

import weakref

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QWidget

from meshgui.views.style.sizing import Sizing


def test_lengths_follow_the_scale(qtbot, themes):
    """Margins, spacings, icons and any setter are given the design's pixels times the scale."""
    widget, button = QWidget(), QPushButton()
    qtbot.addWidget(widget)
    row, grid = QHBoxLayout(widget), QGridLayout()
    row.addWidget(button)
    row.addLayout(grid)
    sizing = Sizing(themes, widget)
    sizing.margins(row, 1, 2, 3, 4).spacing(row, 8).spacing(grid, 6, 2).icons(16, button)
    sizing.call(button.setFixedSize, 40, 20)
    for scale in (1.0, 2.0, 1.0):
        themes.set_scale(scale)
        margins = row.contentsMargins()
        sides = (margins.left(), margins.top(), margins.right(), margins.bottom())
        assert sides == tuple(scale * side for side in (1, 2, 3, 4))
        assert row.spacing() == 8 * scale
        assert (grid.horizontalSpacing(), grid.verticalSpacing()) == (6 * scale, 2 * scale)
        assert button.iconSize().width() == 16 * scale
        assert (button.width(), button.height()) == (40 * scale, 20 * scale)


def test_rows_and_columns_are_laid_out_in_one_call(qtbot, themes):
    """Parts in order with stretch and alignment; margins and spacing follow the scale."""
    widget, first, last = QWidget(), QPushButton(), QPushButton()
    qtbot.addWidget(widget)
    sizing = Sizing(themes, widget)
    row = sizing.row((first, 2), 1, (last, 0, Qt.AlignmentFlag.AlignTop), spacing=4)
    column = sizing.column(row, QWidget(), on=widget, margins=(1, 2, 3, 4))
    assert widget.layout() is column
    assert [row.itemAt(i).widget() for i in range(row.count())] == [first, None, last]
    assert [row.stretch(i) for i in range(row.count())] == [2, 1, 0]
    assert row.itemAt(2).alignment() == Qt.AlignmentFlag.AlignTop
    themes.set_scale(2.0)
    assert (row.spacing(), column.spacing(), column.contentsMargins().bottom()) == (8, 0, 8)


def test_another_theme_applies_nothing_again(qtbot, themes):
    """Rules run when they are made and when the scale changes, and no longer once the owner is gone."""
    owner, runs = QWidget(), []
    Sizing(themes, owner).rule(lambda: runs.append(themes.scale))
    themes.toggle()
    assert runs == [1.0]
    themes.set_scale(1.4)
    assert runs == [1.0, 1.4]
    owner.deleteLater()
    qtbot.waitUntil(lambda: not shiboken6.isValid(owner))
    themes.set_scale(1.0)
    assert runs == [1.0, 1.4]


def test_what_qt_has_deleted_is_forgotten(qtbot, themes):
    """A button of a list that was filled anew is not sized again, and leaves no rule behind."""
    widget, layout = QWidget(), QHBoxLayout()
    qtbot.addWidget(widget)
    sizing = Sizing(themes, widget)
    kept = [weakref.ref(layout)]
    for _ in range(3):
        button = QPushButton(widget)
        sizing.icons(16, button).call(button.setFixedSize, 20, 20).margins(layout, 1, 1, 1, 1)
        shiboken6.delete(button)
        kept.append(weakref.ref(button))
    shiboken6.delete(layout)
    del button, layout
    assert None not in [part() for part in kept]
    themes.set_scale(2.0)
    assert [part() for part in kept] == [None] * 4
