"""Very long words in fields of the window: nothing stalls, nothing is quoted without end."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextOption
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from meshgui.views.commands.bookmark_card import BookmarkCard
from meshgui.views.forms.editors import NotesEditor
from meshgui.views.window.main_window import MainWindow
from meshgui.views.window.title_button import TitleButton

LONG, DIGITS = "x" * 100_000, "9" * 5000


def paste(field: QWidget, qtbot: QtBot, text: str) -> None:
    """Put a text in the place of what a field holds, by keys."""
    field.setFocus()
    QGuiApplication.clipboard().setText(text)
    for key in (Qt.Key.Key_A, Qt.Key.Key_V):
        qtbot.keyClick(field, key, Qt.KeyboardModifier.ControlModifier)


def test_long_titles_and_notes_are_taken_and_titles_cut(lecture: MainWindow, qtbot: QtBot):
    """A title is refused in a short sentence; of notes Qt looks for no words that would take it seconds."""
    lecture.panels.show("scenario")
    form = lecture.form.view
    title = next(line for line in form.findChildren(QLineEdit) if line.accessibleName() == "Title")
    width = lecture.minimumSizeHint().width()
    paste(title, qtbot, LONG)
    assert len(lecture.document.title) == 200
    assert len(lecture.windowTitle()) < 250
    assert all(len(w.toolTip()) < 250 for w in lecture.findChild(TitleButton).findChildren(QWidget))
    assert lecture.minimumSizeHint().width() == width
    qtbot.waitUntil(lambda: "at most 200" in str(lecture.document.fault))
    notes = form.findChild(NotesEditor).findChild(QPlainTextEdit)
    modes = QTextOption.WrapMode
    for text, mode in ((LONG, modes.WrapAnywhere), ("a b " * 1000, modes.WrapAtWordBoundaryOrAnywhere)):
        paste(notes, qtbot, text)
        assert lecture.document.notes == text
        assert notes.wordWrapMode() == lecture.notes.panel.page.wordWrapMode() == mode


def test_long_words_are_searched_for_no_further_than_they_are_read(lecture: MainWindow, qtbot: QtBot):
    """Also a number of more digits than Python takes, in the palette and as sides of a mesh."""
    lecture.commands.trigger("window.palette")
    search = lecture.palette_sheet.search
    for text in (DIGITS, "a " * 20_000):
        paste(search, qtbot, text)
        assert len(search.text()) == 200
    lecture.palette_sheet.dismiss()
    lecture.commands.trigger("exercise.list")
    panel = lecture.exercises.panel
    paste(panel.shape, qtbot, DIGITS)
    qtbot.keyClick(panel.shape, Qt.Key.Key_Return)
    assert panel.note.text().startswith("Type a mesh, for example 8×8")
    lecture.commands.trigger("bookmark.add")
    name = lecture.findChild(BookmarkCard).line
    paste(name, qtbot, LONG)
    qtbot.keyClick(name, Qt.Key.Key_Return)
    assert [len(mark.name) for mark in lecture.driving.bookmarks.all] == [200]
