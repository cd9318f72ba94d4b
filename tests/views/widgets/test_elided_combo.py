"""The list of a choice is shown whole, in a frame of its own."""

from PySide6.QtCore import QPointF, QRect

from meshgui.views.widgets import elided_combo
from meshgui.views.widgets.elided_combo import ElidedCombo
from tests.views.conftest import handle_events
from tests.views.pointer import turn_wheel
from tests.views.showing import shown


def opened(qtbot, lines, now):
    """A choice whose list is open: its number of lines, and the one that is chosen now."""
    choice = ElidedCombo()
    choice.addItems([f"Strategy {line}" for line in range(lines)])
    choice.setCurrentIndex(now)
    shown(qtbot, choice, 220, 30)
    choice.showPopup()
    qtbot.waitUntil(choice.view().isVisible)
    handle_events()
    return choice


def test_the_list_of_a_choice_has_one_frame(themes, qtbot):
    """Nothing is seen of what Qt opens it in, which has a second, darker frame."""
    assert themes
    choice = opened(qtbot, 2, 0)
    assert choice.view().geometry() == choice.view().window().rect()
    choice.hidePopup()
    choice.close()


def test_a_list_that_is_higher_than_the_screen_begins_with_its_first_line(themes, qtbot, monkeypatch):
    """With whole lines on the screen, beside a bar to scroll it; unless what is chosen is further down."""
    assert themes
    screen = type("Screen", (), {"availableGeometry": lambda _self: QRect(0, 0, 1366, 768)})
    monkeypatch.setattr(elided_combo, "screen_of", lambda _: screen())
    for now, first in ((20, 0), (49, 49)):
        choice = opened(qtbot, 50, now)
        view = choice.view()
        rect = view.visualRect(view.model().index(first, 0))
        assert view.viewport().rect().contains(rect)
        assert view.viewport().rect().contains(view.visualRect(view.currentIndex()))
        assert view.viewport().height() % rect.height() == 0
        assert QRect(0, 0, 1366, 768).contains(view.window().geometry())
        assert view.verticalScrollBar().isVisible()
        choice.hidePopup()
        choice.close()


def test_the_wheel_chooses_nothing_also_where_the_list_was_open_before(themes, qtbot):
    """What it lies in scrolls instead: another kind of workload put a list of jobs out of sight."""
    assert themes
    choice = opened(qtbot, 3, 1)
    choice.hidePopup()
    choice.activateWindow()
    choice.setFocus()
    qtbot.waitUntil(choice.hasFocus, timeout=5000)
    assert not turn_wheel(choice, QPointF(5, 5), -1)
    assert choice.currentIndex() == 1
