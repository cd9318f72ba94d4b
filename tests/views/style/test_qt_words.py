"""Qt's own dialogs speak the program's language."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
from PySide6.QtWidgets import QFileDialog, QFileIconProvider, QLabel
from PySide6.QtCore import QFileInfo
from meshgui.views.style.application import qt_application
application = qt_application()
dialog = QFileDialog()
dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
print([label.text() for label in dialog.findChildren(QLabel)])
print(QFileIconProvider().type(QFileInfo(".")))
"""
ENGLISH = ["&Look in:", "File &name:", "Files of &type:"]


@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_a_file_dialog_has_no_word_of_another_language(language):
    """Qt's catalogues lack some words; a language is chosen when the program starts."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=os.environ
        | {
            "MESHGUI_LANGUAGE": language,
            "PYTHONPATH": os.pathsep.join(sys.path),
            "QT_QPA_PLATFORM": "offscreen",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    words = done.stdout
    assert words.count(":") == len(ENGLISH), done.stderr
    english = [word for word in (*ENGLISH, "Folder") if word in words]
    assert english == ([*ENGLISH, "Folder"] if language == "en" else [])
