"""The language is chosen in the notice, and kept for the next start."""

import os

import pytest
from PySide6.QtWidgets import QPushButton

from meshgui.engine.basics import translation
from meshgui.views.window.main_window import MainWindow
from tests.crashes import full_disk


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where the choice is kept, instead of the user's own folder; two languages beside English."""
    monkeypatch.setenv("APPDATA" if os.name == "nt" else "XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(translation, "languages", lambda: ("en", "ar", "de"))
    monkeypatch.setattr("meshgui.views.window.language_choice.languages", lambda: ("en", "ar", "de"))
    return tmp_path


def answer(window: MainWindow, title: str) -> None:
    """Choose by the button of that title."""
    window.commands.trigger("window.language")
    buttons = {button.text(): button for button in window.notice.findChildren(QPushButton)}
    assert {"English", "العربية", "Deutsch", "As the system"} <= set(buttons)
    buttons[title].click()


def test_a_choice_is_kept_for_the_next_start(window: MainWindow, folder):
    """Each language is named in its own words; the notice says when it shows."""
    answer(window, "English")
    assert translation.chosen_language() == "en"
    assert window.notice.text == "MeshGUI is shown in this language from its next start on: English."
    answer(window, "As the system")
    assert translation.chosen_language() is None
    assert "system" in window.notice.text


def test_a_full_disk_leaves_the_choice_that_was_kept(window: MainWindow, folder):
    """Whole, not an empty file; the notice says why."""
    answer(window, "Deutsch")
    kept = translation.choice_file().read_bytes()
    with full_disk():
        answer(window, "English")
    assert window.notice.text == "The choice could not be kept: No space left on device"
    assert translation.choice_file().read_bytes() == kept


def test_a_folder_that_cannot_be_written_is_said(window: MainWindow, folder):
    """One sentence, and the choice stays as it was."""
    (folder / "MeshGUI").write_text("no folder", encoding="utf-8")
    answer(window, "Deutsch")
    assert window.notice.text.startswith("The choice could not be kept: ")
    assert not window.notice.asks
