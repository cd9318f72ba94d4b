"""The pages about strategy and network: opened, read and left beside the window, with an example to try."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextFormat
from pytestqt.qtbot import QtBot

from meshgui.engine.allocation.registry import strategies
from meshgui.model.examples import example
from meshgui.model.help_pages import help_page, scenario_page
from meshgui.views.help.markdown_view import MarkdownView
from meshgui.views.style.theme import SIZES, ThemeManager
from meshgui.views.window.main_window import MainWindow
from tests.views.window.conftest import open_and_run, wait_for_run

PAGE = "# Title\n\nSome *words* and `code`.\n\n## Part\n\n```json\n{\n  1\n}\n```\n\nThe end.\n"
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
def test_f1_opens_the_page_of_the_strategy_and_closes_it(lecture: MainWindow, qtbot: QtBot):
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


@pytest.mark.usefixtures("pages")
def test_the_worked_example_is_opened_like_an_example(lecture: MainWindow, qtbot: QtBot):
    """Without a place, with nothing to save; the page follows to its strategy."""
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


def test_a_broken_example_is_one_line_in_the_window(lecture: MainWindow):
    """And leaves what is open."""
    title = lecture.document.title
    assert not lecture.files.open_text('{"meshgui": 1}', "the worked example")
    assert "the worked example" in lecture.notice.text
    assert lecture.document.title == title


def test_without_a_scenario_there_is_no_strategy_to_read_about(window: MainWindow):
    """The command rests, and no button offers it."""
    assert not window.commands.action("run.about").isEnabled()
    window.commands.trigger("run.about")
    assert not any(dialog.isVisible() for dialog in window.findChildren(MarkdownView))


def test_a_page_without_an_example_offers_none(lecture: MainWindow, monkeypatch: pytest.MonkeyPatch):
    """The button is gone."""
    monkeypatch.setattr(strategies()["tbl"], "help", "# No example\n")
    lecture.help_pages.toggle_strategy()
    assert not lecture.help_pages.window.example_button.isVisible()
    lecture.help_pages.window.close()


def test_shift_f1_opens_the_page_about_the_network_and_closes_it(window: MainWindow, qtbot: QtBot):
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


def test_from_one_page_to_the_other_and_back(lecture: MainWindow):
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


def test_the_page_about_the_network_stays_while_its_example_runs(lecture: MainWindow, qtbot: QtBot):
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


def test_an_example_brings_its_notes_and_leaves_the_keyboard(window: MainWindow, qtbot: QtBot):
    """From the welcome page or the title's menu: what to look for, and which keys to press; Escape closes."""
    window.welcome.open_example.emit(example("blocking-chain-8x6"))
    page = window.help_pages.window
    wait_for_run(window, qtbot)
    assert page.isVisible()
    assert page.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    assert page.windowTitle() == "A chain of waiting packets – MeshGUI"
    paragraphs = page.page.toPlainText().splitlines()
    scenario = window.document.scenario
    assert scenario is not None
    assert paragraphs == [scenario.title, scenario.notes]
    assert not page.page.verticalScrollBar().isVisible()  # all of it is in sight
    window.selection.select(0)
    qtbot.keyClick(window.mesh.canvas, Qt.Key.Key_Escape)
    assert not page.isVisible()
    assert window.selection.job == 0
    window.title.menu.aboutToShow.emit()
    next(a for a in window.title.menu.actions() if a.text() == "Two packets meet").trigger()
    assert page.isVisible()
    assert page.page.toPlainText().startswith("Two packets meet\n")
    page.close_button.click()
    assert not page.isVisible()


def test_the_notes_of_any_scenario_can_be_read(lecture: MainWindow, qtbot: QtBot):
    """Ctrl+F1 opens and closes them; they follow to another scenario, and go where it has none."""
    page = lecture.help_pages.window
    for shown in (True, False, True):
        lecture.commands.trigger("run.about-scenario")
        assert page.isVisible() == shown
    assert not page.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    qtbot.keyClick(page, Qt.Key.Key_F1, Qt.KeyboardModifier.ControlModifier)
    assert not page.isVisible()
    lecture.commands.trigger("run.about-scenario")
    open_and_run(lecture, qtbot, "first-fit-16x16")
    assert page.page.toPlainText().startswith(lecture.document.title)
    lecture.files.new_scenario()
    wait_for_run(lecture, qtbot)
    assert not page.isVisible()
    lecture.commands.trigger("run.about-scenario")
    assert "Nothing has been noted" in page.page.toPlainText()
    page.close()


def test_without_a_scenario_there_are_no_notes(window: MainWindow):
    """The command rests."""
    assert not window.commands.action("run.about-scenario").isEnabled()


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_markdown_wears_the_theme(qtbot: QtBot, themes: ThemeManager, mode: str):
    """Headings by the one scale of type, code in the monospace face on its own ground."""
    themes.set_mode("dark" if mode == "dark" else "light")
    view = MarkdownView(themes)
    qtbot.addWidget(view)
    view.show_page(PAGE)
    blocks = {}
    block = view.document().begin()
    while block.isValid():
        blocks[block.text()] = block
        block = block.next()
    title, code = blocks["Title"].begin().fragment(), blocks["  1"].begin().fragment()
    assert title.charFormat().font().pixelSize() == SIZES["title"]
    assert not title.charFormat().intProperty(QTextFormat.Property.FontSizeAdjustment)
    assert code.charFormat().font().family() == themes.mono().family()
    assert blocks["  1"].blockFormat().background().color() == themes.theme.colour("hover")
    assert view.verticalScrollBar().value() == 0


def test_the_page_is_shown_from_its_start(lecture: MainWindow, qtbot: QtBot):
    """However long it is; another theme leaves it where it was read."""
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


def test_signs_in_notes_stay_as_they_were_typed(qtbot: QtBot, themes: ThemeManager):
    """Notes are plain text: nothing in them is taken for Markdown, and paragraphs and lines stay apart."""
    view = MarkdownView(themes)
    qtbot.addWidget(view)
    view.show_page(
        scenario_page("2*3 *nodes*", "# 4 & <b>\n- a_b_c [x](y) `k`\n\n    1. t < 5 | ~~u~~ $v$ \\w")
    )
    block, shown = view.document().begin(), []
    while block.isValid():
        shown.append(block.text())
        block = block.next()
    assert shown == ["2*3 *nodes*", "# 4 & <b>", "- a_b_c [x](y) `k`", "1. t < 5 | ~~u~~ $v$ \\w"]


def test_the_page_about_experiments_is_a_command(window: MainWindow):
    """Without a scenario too; from the page about the network it turns there, and it closes again."""
    window.commands.trigger("run.about-network")
    page = window.help_pages.window
    window.commands.trigger("run.about-experiments")
    assert page.page.toPlainText().startswith("Experiments\n")
    assert page.windowTitle() == "Experiments – MeshGUI"
    assert not page.example_button.isVisible()
    window.commands.trigger("run.about-experiments")
    assert not page.isVisible()
