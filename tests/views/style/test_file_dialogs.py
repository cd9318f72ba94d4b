"""Qt's own file dialog shows whole sizes, kinds and dates, at the size that it opens in."""

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFileDialog, QHeaderView, QTreeView, QWidget

from meshgui.views.style import file_dialogs


@pytest.mark.usefixtures("themes")
@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_no_column_of_a_file_dialog_is_cut(qtbot, qapp, tmp_path, once_open, direction):
    """Each is as wide as its caption and its texts, and none is to be scrolled to."""
    (tmp_path / "a folder").mkdir()
    (tmp_path / "TBL under load, Mesh at 97.21.png").write_bytes(b"0" * 120_000)
    window = QWidget()
    qtbot.addWidget(window)

    def look(dialog):
        files = dialog.findChild(QTreeView, "treeView")
        head = files.header()

        def fits():
            rows = files.model().rowCount(files.rootIndex())
            return rows == 2 and all(
                head.sectionSize(column) >= files.sizeHintForColumn(column) for column in range(head.count())
            )

        qtbot.waitUntil(fits)
        assert files.horizontalScrollBar().maximum() == 0
        dialog.reject()

    once_open(QFileDialog, look)
    qapp.setLayoutDirection(direction)
    try:
        QFileDialog.getOpenFileName(window, "Open", str(tmp_path), "All files (*)")
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_in_large_letters_a_file_dialog_is_no_larger_than_the_screen(
    themes, qtbot, tmp_path, once_open, monkeypatch
):
    """The names give way, and its buttons are in sight."""
    room = QSize(1350, 720)
    monkeypatch.setattr(file_dialogs, "room_for_window", lambda _: room)
    themes.set_scale(2.0)
    window = QWidget()
    qtbot.addWidget(window)

    def look(dialog):
        head = dialog.findChild(QTreeView, "treeView").header()
        qtbot.waitUntil(lambda: head.sectionResizeMode(0) == QHeaderView.ResizeMode.Stretch)
        assert dialog.size().boundedTo(room) == dialog.size()
        dialog.reject()

    once_open(QFileDialog, look)
    QFileDialog.getOpenFileName(window, "Open", str(tmp_path), "All files (*)")
