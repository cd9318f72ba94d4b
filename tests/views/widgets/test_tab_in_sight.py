"""Tab passes what is out of sight, and ends also where nothing is in sight."""

from itertools import chain, cycle

from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from meshgui.views.widgets.tab_in_sight import tab_in_sight
from tests.views.showing import shown


def test_a_way_that_does_not_lead_back_to_its_first_stop_ends(qtbot: QtBot) -> None:
    """Two fields out of sight lead to each other, and a third to them."""
    window = QWidget()
    window.setFixedSize(200, 100)
    fields = [QLineEdit(window) for _ in range(3)]
    for field in fields:
        field.move(5000, 0)
    shown(qtbot, window, active=True)
    way = chain(fields, cycle(fields[1:]))
    stepped: list[QWidget] = []

    def step() -> bool:
        stepped.append(field := next(way))
        field.setFocus()
        QApplication.processEvents()
        return len(stepped) < 100  # where it does not end by itself

    assert tab_in_sight(window, step)
    assert len(stepped) == 4
