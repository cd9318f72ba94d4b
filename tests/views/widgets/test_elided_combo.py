"""The list of a choice is shown whole, in a frame of its own."""

from meshgui.views.widgets.elided_combo import ElidedCombo
from tests.views.conftest import handle_events
from tests.views.showing import shown


def test_the_list_of_a_choice_has_one_frame(themes, qtbot):
    """Nothing is seen of what Qt opens it in, which has a second, darker frame."""
    assert themes
    choice = ElidedCombo()
    choice.addItems(["First Fit", "Best Fit"])
    shown(qtbot, choice, 220, 30)
    choice.showPopup()
    listed = choice.view()
    qtbot.waitUntil(listed.isVisible)
    handle_events()
    assert listed.window().mask().boundingRect() == listed.geometry()
    choice.hidePopup()
    choice.close()
