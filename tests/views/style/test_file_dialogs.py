"""Qt's own file dialog shows whole sizes, kinds and dates, at the size that it opens in."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QTreeView, QWidget


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
