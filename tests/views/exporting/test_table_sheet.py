"""The table that stands for a picture is written in the language of the window."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from meshgui.engine.basics.translation import speaking
from meshgui.model.tables.tables import PlainTable
from meshgui.views.exporting.table_sheet import TableSheet


def test_numbers_have_the_signs_of_the_language_and_names_stand_over_them(qtbot, themes):
    """German ones a decimal comma and points between thousands; a text has its name at its beginning."""
    window = QWidget()
    qtbot.addWidget(window)
    rows = [(0.5, "a", place) for place in range(1234)]
    with speaking("de"):
        sheet = TableSheet(PlainTable("Kurve", ("Anteil", "Name", "Job"), rows), window, themes, lambda: None)
        cells = [sheet.rows.index(1233, column).data() for column in range(3)]
    assert cells == ["0,5", "a", "1233"]
    assert "1.234 Zeilen" in [label.text() for label in sheet.findChildren(QLabel)]
    role, across = Qt.ItemDataRole.TextAlignmentRole, Qt.Orientation.Horizontal
    sides = [sheet.rows.headerData(column, across, role) for column in range(3)]
    assert sides == [sheet.rows.index(0, column).data(role) for column in range(3)]
    assert sides[0] == sides[2] == Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    assert sides[1] is None
