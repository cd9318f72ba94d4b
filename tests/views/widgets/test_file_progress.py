"""The dialog of a long reading or writing."""

import pytest
from PySide6.QtWidgets import QProgressDialog, QWidget

from meshgui.engine.basics.work import Stopped, look, report
from meshgui.views.widgets import file_progress
from meshgui.views.widgets.file_progress import reading_progress


def test_what_is_read_is_shown_and_stopped_and_nothing_else(qtbot, monkeypatch):
    """What else the window does meanwhile must not be left half-way."""
    monkeypatch.setattr(file_progress, "_PATIENCE", -1.0)
    monkeypatch.setattr(file_progress, "_LEG", 0.0)
    window = QWidget()
    qtbot.addWidget(window)
    with reading_progress(window):
        look()
        assert not window.findChildren(QProgressDialog)
        report(1, 2, "a.json")
        [dialog] = window.findChildren(QProgressDialog)
        assert (dialog.labelText(), dialog.value() / dialog.maximum()) == ("Reading a.json", 0.5)
        dialog.cancel()
        look()
        with pytest.raises(Stopped):
            report(2, 2, "a.json")
