"""The pages about strategy and network: opened, read and left beside the window, with an example to try."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from meshgui.engine.allocation.registry import strategies
from meshgui.model.help_pages import help_page
from meshgui.views.help.markdown_view import MarkdownView
from meshgui.views.window.main_window import MainWindow

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
