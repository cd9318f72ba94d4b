"""The tour over the real window, begun on the welcome page, by keys and by buttons."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.views.window.conftest import wait_for_run


def test_the_tour_shows_every_part_and_can_be_left_and_found_again(window, qtbot):
    """From the welcome page it opens a scenario; keys go on and back, Esc leaves, Help has it again."""
    window.welcome.tour_button.click()
    wait_for_run(window, qtbot)
    qtbot.waitUntil(lambda: window.tour.card is not None and window.tour.card.isVisible())
    card = window.tour.card
    assert card.lit.size() == window.mesh.size()
    titles = [card.title.text()]
    before = window.time_cursor.instant
    while card.next_button.text() != "Done":
        qtbot.keyClick(card, Qt.Key.Key_Right)
        QApplication.processEvents()
        titles.append(card.title.text())
        assert card.rect().contains(card.card.geometry())
        assert not card.card.geometry().intersects(card.lit) or card.lit.width() > window.width() // 2
    assert len(set(titles)) == 8
    assert window.time_cursor.instant != before
    position = window.time_cursor.position  # in an attempt, for the algorithm: the keys were the tour's
    assert position.inside
    assert not position.release
    qtbot.keyClick(card, Qt.Key.Key_Left)
    assert card.title.text() == titles[-2]
    qtbot.keyClick(card, Qt.Key.Key_Escape)
    assert not card.isVisible()
    qtbot.keyClick(
        window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    assert card.isVisible()
    assert card.title.text() == titles[0]
    for _ in titles:
        card.next_button.click()
    assert not card.isVisible()
