"""The manual in its window: read, searched, left by lessons and commands, with keys alone."""

import re

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QKeySequence

from meshgui.model.manual import chapters, page_named


@pytest.fixture
def manual(lecture, qtbot):
    """The manual, opened by its key."""
    qtbot.keyClick(
        lecture, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    )
    window = lecture.help_pages.manual
    qtbot.waitUntil(window.isActiveWindow)
    yield window
    window.close()


def listed(manual):
    """The lines of the contents in sight."""
    return [manual.contents.list.item(row).text() for row in range(manual.contents.list.count())]


def test_it_opens_at_its_first_page_with_all_chapters(manual):
    """The search has the keys; pages are listed under their chapters."""
    assert manual.page.toPlainText().startswith("The manual")
    assert manual.contents.search.hasFocus()
    lines = listed(manual)
    assert all(chapter.title in lines for chapter in chapters() if chapter.title)
    assert all(page.title in lines for chapter in chapters() for page in chapter.pages)


def test_a_page_is_searched_for_and_read_by_keys(manual, qtbot):
    """Typed words list the places; Enter shows the first, Alt+Left leads back."""
    qtbot.keyClicks(manual.contents.search, "breakpoints")
    assert listed(manual)[:2] == ["Pages", "The window: Breakpoints"]
    qtbot.keyClick(manual.contents.search, Qt.Key.Key_Return)
    assert manual.windowTitle().startswith("The window")
    assert manual.page.verticalScrollBar().value() > 0
    qtbot.keyClick(manual, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert manual.page.toPlainText().startswith("The manual")
    assert not manual.back_button.isEnabled()


def test_links_lead_from_page_to_page(manual):
    """To a page, and to a heading in one."""
    manual.page.anchorClicked.emit(QUrl("sweeps.md"))
    assert manual.page.toPlainText().startswith("Sweeps")
    assert manual.page.verticalScrollBar().value() == 0
    manual.page.anchorClicked.emit(QUrl("scenarios.md#real-workloads"))
    assert manual.page.toPlainText().startswith("Scenarios")
    assert manual.page.verticalScrollBar().value() > 0


def test_pictures_are_as_wide_as_the_page(manual, qtbot):
    """However wide they were drawn; a wider window shows them wider."""
    manual.page.anchorClicked.emit(QUrl("first-five-minutes.md"))
    document = manual.page.document()
    assert document.firstBlock().text() == "The first five minutes"
    assert document.idealWidth() <= manual.page.viewport().width()
    manual.resize(manual.width() + 200, manual.height())
    qtbot.waitUntil(lambda: not manual.page._fitting.isActive())
    assert document.idealWidth() <= manual.page.viewport().width()


def test_a_lesson_and_a_command_are_found_and_begun(lecture, manual, qtbot):
    """A lesson by a word of its text, a command by its title."""
    qtbot.keyClicks(manual.contents.search, "fragmentation")
    lines = listed(manual)
    assert "Lessons" in lines
    manual.contents.list.setCurrentRow(lines.index("Lessons") + 1)
    qtbot.keyClick(manual.contents.search, Qt.Key.Key_Return)
    assert lecture.lessons.session.lesson is not None
    before = lecture.themes.theme.name
    manual.contents.search.setText("light dark")
    lines = listed(manual)
    manual.contents.list.setCurrentRow(lines.index("Commands") + 1)
    qtbot.keyClick(manual.contents.search, Qt.Key.Key_Return)
    assert lecture.themes.theme.name != before


def test_the_first_page_names_the_key_for_steps_of_a_line(lecture):
    """As the menu has it."""
    text = page_named("first-five-minutes").write()
    [key] = re.findall(r"\*line\* as the step size[^`]*`(.+?)`", text)
    assert lecture.commands.action("time.by-line").shortcuts() == [QKeySequence(key)]
