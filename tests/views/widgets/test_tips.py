"""Tooltips say what lies at the pointer, and tool buttons what they do."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect
from PySide6.QtGui import QFontMetrics, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from meshgui.views.style.icons import IconShelf
from meshgui.views.widgets.tips import Tips
from meshgui.views.widgets.tool_button import tool_button


@pytest.fixture
def asked(monkeypatch):
    """The tooltips shown, and None for each one hidden."""
    shown = []
    monkeypatch.setattr(QToolTip, "showText", lambda _at, words, _widget: shown.append(words))
    monkeypatch.setattr(QToolTip, "hideText", lambda: shown.append(None))
    return shown


def test_a_tip_depends_on_the_place(qtbot, asked):
    """Its words are those of the point; without words it is hidden."""
    widget = QWidget()
    qtbot.addWidget(widget)
    Tips(widget, lambda at: "left" if at.x() < 50 else "")
    for x in (10, 90):
        at = QPoint(x, 5)
        QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))
    assert asked == ["left", None]


def test_a_tool_button_says_and_does_one_thing(qtbot, themes):
    """Its words are in the tooltip and for screen readers; without an icon it has none."""
    done = []
    button = tool_button(IconShelf(themes), "x", "Dismiss", lambda: done.append("dismissed"))
    qtbot.addWidget(button)
    button.click()
    assert (button.toolTip(), button.accessibleName(), done) == ("Dismiss", "Dismiss", ["dismissed"])
    assert not button.icon().isNull()
    assert tool_button(IconShelf(themes), "", "Home").icon().isNull()


@pytest.mark.parametrize("y", [5, 20, 40, 80])
def test_a_tip_leaves_uncovered_what_is_stepped(qtbot, monkeypatch, y):
    """Near the stepped line it stands below it, elsewhere at the pointer."""
    places = []
    monkeypatch.setattr(QToolTip, "showText", lambda at, _words, _widget: places.append(at.y()))
    widget = QWidget()
    qtbot.addWidget(widget)
    stepped = QRect(0, 30, 100, 20)
    Tips(widget, lambda _at: "words", lambda: stepped)
    at = QPoint(10, y)
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))
    (top,) = places
    line = widget.mapToGlobal(stepped.topLeft()).y()
    height = QFontMetrics(QToolTip.font()).height()
    assert top > line + stepped.height() - 1 or top + height + 16 < line
