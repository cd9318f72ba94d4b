"""The pages about strategy and network, and the manual: opened, searched and left beside the window."""

import re

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication, QKeySequence

from meshgui.engine.allocation.registry import strategies
from meshgui.model.manual.help_pages import help_page
from meshgui.model.manual.manual import chapters, page_named
from meshgui.views.help.markdown_view import MarkdownView

EXAMPLE = """# {0}

```json
{{"meshgui": 1, "title": "Tried out", "mesh": {{"shape": [4, 4]}}, "allocator": {{"name": "ff"}},
 "workload": {{"kind": "list", "jobs": [{{"arrival": 0, "size": [1, 1], "service": 1}}]}}}}
```
"""


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two strategies have pages made for the test."""
    for name in ("ff", "tbl"):
        monkeypatch.setattr(strategies()[name], "help", EXAMPLE.format(strategies()[name].title))


@pytest.mark.usefixtures("pages")
def test_f1_opens_the_page_of_the_strategy_and_closes_it(lecture, qtbot):
    """So does the sign beside the strategy's name; the window is not blocked."""
    qtbot.keyClick(lecture, Qt.Key.Key_F1)
    page = lecture.help_pages.window
    assert page.isVisible()
    assert not page.isModal()
    assert page.page.toPlainText().startswith("Turning Busy List")
    assert "Turning Busy List" in page.windowTitle()
    qtbot.keyClick(page, Qt.Key.Key_F1)
    assert not page.isVisible()
    lecture.algorithm.about.click()
    assert page.isVisible()
    page.close()
    # The worked example is opened like an example: without a place, with nothing to save; the page follows
    lecture.help_pages.toggle_strategy()
    page = lecture.help_pages.window
    page.example_button.click()
    assert lecture.document.title == "Tried out"
    assert lecture.document.path is None
    assert not lecture.document.modified
    qtbot.waitUntil(
        lambda: lecture.time_cursor.recording is not None and lecture.time_cursor.recording.complete
    )
    assert page.page.toPlainText().startswith("First Fit")
    page.close()


def test_a_page_without_an_example_offers_none_and_is_shown_from_its_start(lecture, monkeypatch, qtbot):
    """The button is gone."""
    monkeypatch.setattr(strategies()["tbl"], "help", "# No example\n")
    lecture.help_pages.toggle_strategy()
    assert not lecture.help_pages.window.example_button.isVisible()
    lecture.help_pages.window.close()
    # However long it is; another theme leaves it where it was read
    lecture.help_pages.toggle_strategy()
    page = lecture.help_pages.window
    page.page.show_page(help_page(strategies()["2dbs"]))
    page.resize(500, 300)
    bar = page.page.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 300)
    assert bar.value() == 0
    bar.setValue(200)
    lecture.themes.toggle()
    assert bar.value() == 200
    page.close()


def test_the_pages_about_network_and_experiments_are_opened_without_a_scenario(window, qtbot):
    """Also without a scenario: it can be read before there is anything to look at."""
    qtbot.keyClick(window, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    page = window.help_pages.window
    assert page.isVisible()
    assert page.page.toPlainText().startswith("The network")
    assert page.windowTitle() == "The network – MeshGUI"
    qtbot.keyClick(page, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    assert not page.isVisible()
    window.commands.trigger("run.about-network")
    assert page.isVisible()
    page.close()
    # From the page about the network the command turns to that about experiments, and it closes again
    window.commands.trigger("run.about-network")
    page = window.help_pages.window
    window.commands.trigger("run.about-experiments")
    assert page.page.toPlainText().startswith("Experiments\n")
    assert page.windowTitle() == "Experiments – MeshGUI"
    assert not page.example_button.isVisible()
    window.commands.trigger("run.about-experiments")
    assert not page.isVisible()
    # There is no strategy to read about: the command rests, and no button offers it
    assert not window.commands.action("run.about").isEnabled()
    window.commands.trigger("run.about")
    assert not any(dialog.isVisible() for dialog in window.findChildren(MarkdownView))


def test_from_one_page_to_the_other_and_back_and_a_broken_example(lecture):
    """Each command turns to its page, and closes it once it is the one shown."""
    for command, begins in 2 * (("run.about-network", "The network"), ("run.about", "Busy List")):
        lecture.commands.trigger(command)
        assert lecture.help_pages.window.isVisible()
        assert lecture.help_pages.window.page.toPlainText().startswith(begins)
    lecture.commands.trigger("run.about")
    assert not lecture.help_pages.window.isVisible()
    lecture.commands.trigger("run.about")
    assert lecture.help_pages.window.page.toPlainText().startswith("Busy List")
    lecture.help_pages.window.close()
    # A broken example is one line in the window, and leaves what is open
    title = lecture.document.title
    assert not lecture.files.open_text('{"meshgui": 1}', "the worked example")
    assert "the worked example" in lecture.notice.text
    assert lecture.document.title == title


def test_the_page_about_the_network_stays_while_its_example_runs(lecture, qtbot):
    """The strategy at work changes; what is read does not."""
    lecture.commands.trigger("run.about-network")
    page = lecture.help_pages.window
    page.example_button.click()
    assert lecture.document.title == "Three packets for one node"
    qtbot.waitUntil(
        lambda: lecture.time_cursor.recording is not None and lecture.time_cursor.recording.complete
    )
    lecture.time_cursor.last()
    assert page.page.toPlainText().startswith("The network")
    assert lecture.time_cursor.recording.network.delivered.tolist() == [26, 14, 20]
    page.close()


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


def test_it_opens_at_its_first_page_with_all_chapters(manual, qtbot, lecture):
    """The search has the keys; pages are listed under their chapters."""
    assert manual.page.toPlainText().startswith("The manual")
    assert manual.contents.search.hasFocus()
    lines = listed(manual)
    assert all(chapter.title in lines for chapter in chapters() if chapter.title)
    assert all(page.title in lines for chapter in chapters() for page in chapter.pages)
    # Pictures are as wide as the page, however wide they were drawn; a wider window shows them wider
    manual.page.anchorClicked.emit(QUrl("first-five-minutes.md"))
    page = manual.page
    assert page.document().firstBlock().text() == "The first five minutes"
    shown = page.document().idealWidth()
    assert shown <= page.viewport().width()
    manual.resize(manual.width() + 200, manual.height())
    qtbot.waitUntil(lambda: page.document().idealWidth() > shown)  # it is another document then
    assert page.document().idealWidth() <= page.viewport().width()
    # The first page names the key for steps of a line as the menu has it
    text = page_named("first-five-minutes").write()
    [key] = re.findall(r"\*line\* as the step size[^`]*`(.+?)`", text)
    assert lecture.commands.action("time.by-line").shortcuts() == [QKeySequence(key)]


def test_a_page_is_searched_for_and_read_by_keys_and_links(manual, qtbot):
    """Typed words list the places; Enter shows the first, Alt+Left leads back."""
    qtbot.keyClicks(manual.contents.search, "breakpoints")
    assert listed(manual)[:2] == ["Pages", "The window: Breakpoints"]
    qtbot.keyClick(manual.contents.search, Qt.Key.Key_Return)
    assert manual.windowTitle().startswith("The window")
    assert manual.page.verticalScrollBar().value() > 0
    qtbot.keyClick(manual, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert manual.page.toPlainText().startswith("The manual")
    assert not manual.back_button.isEnabled()
    # Links lead to a page, and to a heading in one
    manual.page.anchorClicked.emit(QUrl("sweeps.md"))
    assert manual.page.toPlainText().startswith("Sweeps")
    assert manual.page.verticalScrollBar().value() == 0
    manual.page.anchorClicked.emit(QUrl("scenarios.md#real-workloads"))
    assert manual.page.toPlainText().startswith("Scenarios")
    assert manual.page.verticalScrollBar().value() > 0


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


def test_json_in_the_manual_is_a_table_that_can_be_copied_and_opened(manual, lecture):
    """A click on the link below it copies the block as its file has it; a scenario can be opened."""
    [block] = re.findall(r"```json\n(.*?)```", page_named("exercises").write(), re.DOTALL)
    manual.open_at("exercises")
    shown = manual.page.toPlainText()
    assert "asked.0.strategy" in shown
    assert 'meshgui_exercises"' not in shown
    assert not manual.example_button.isVisible()  # it is no scenario
    manual.page.anchorClicked.emit(QUrl("copy:0"))
    assert QGuiApplication.clipboard().text() == block
    manual.open_at("machines-of-today")
    manual.example_button.click()
    assert lecture.document.title == "Slices on a TPU v4 pod"
