"""A scenario, a lesson and files whose every text is HTML, escapes of a terminal and signs that reorder."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QInputDialog,
    QLabel,
    QMessageBox,
    QProgressDialog,
    QTextEdit,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from meshgui.engine.scenario import load_scenario
from meshgui.model.examples import example
from meshgui.views.help.markdown_view import MarkdownView
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.linked_label import LinkedLabel
from meshgui.views.window.main_window import MainWindow
from tests.pictures import png
from tests.views.window.conftest import wait_for_run

pytestmark = pytest.mark.own_window

ROOT = Path(__file__).parents[3]
CONTROLS = "\x1b]0;pwned\x07\x1b[31m\u202egnp\u2066"


def hostile(word: str, picture: Path) -> str:
    """A text that shows a picture where it is taken for HTML."""
    return f"<h1>{word} & more</h1><img src='{picture}'>[*]{CONTROLS}"


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A picture of the disk."""
    (tmp_path / "p.png").write_bytes(png(300, 300))
    return tmp_path / "p.png"


@pytest.fixture
def own_file(tmp_path: Path, picture: Path) -> Path:
    """A scenario of a stranger."""
    data = load_scenario(example("three-jobs-4x4x4")).model_dump(mode="json")
    data |= {"title": hostile("Title", picture), "notes": hostile("Notes", picture) + f"\n\n![x]({picture})"}
    data["view"] = {
        "bookmarks": [{"name": hostile("Bookmark", picture), "time": 1.0, "events": 1}],
        "breakpoints": [{"kind": hostile("Kind", picture)}],
    }
    path = tmp_path / "<h1>a & b<img src='p.png'>.meshgui.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


@pytest.fixture
def lesson(tmp_path: Path, picture: Path) -> Path:
    """A lesson of a stranger."""
    words = hostile("Lesson", picture)
    moment = {
        "scenario": "three-jobs-4x4x4",
        "predict": {"question": words, "of": "turnaround", "explain": words},
    }
    path = tmp_path / "a.lesson.md"
    path.write_text(
        f"# {words}\nSource: {words}\n\n## {words}\n\n{words} ![x]({picture})\n\n"
        f"```moment\n{json.dumps(moment)}\n```\n",
        encoding="utf-8",
    )
    return path


def all_widgets() -> Iterator[QWidget]:
    """Every widget of every window, whether it is in sight or not."""
    for window in QApplication.topLevelWidgets():
        yield window
        yield from window.findChildren(QWidget)


def tips_of(widget: QWidget) -> Iterator[str]:
    """The tooltips of a widget, and of the items that it shows."""
    yield widget.toolTip()
    view = widget.view() if isinstance(widget, QComboBox) else widget
    if isinstance(view, QAbstractItemView) and (model := view.model()) is not None:
        for row in range(min(model.rowCount(QModelIndex()), 50)):
            for column in range(20):
                yield str(model.index(row, column).data(Qt.ItemDataRole.ToolTipRole) or "")


def assert_plain(label: QLabel) -> None:
    """Fails where a label shows its text as HTML, but for sentences whose names are links."""
    label.ensurePolished()  # as before it is shown or measured
    if label.textFormat() == Qt.TextFormat.PlainText:
        return
    assert isinstance(label, LinkedLabel), label.text()
    document = QTextDocument()
    document.setHtml(label.text())
    assert_no_picture(document)


def assert_no_picture(document: QTextDocument) -> None:
    """Fails on a heading or a picture of the disk."""
    assert not re.search(r'<h1|src="(?!picture:)', document.toHtml())


def assert_all_is_text(window: QWidget) -> int:
    """Look at every label, text and tooltip; how many tooltips have something of a stranger."""
    tips = 0
    for widget in list(all_widgets()):
        if not isValid(widget):  # a label of a tooltip is gone once another is shown
            continue
        if isinstance(widget, QLabel):
            assert_plain(widget)
        elif isinstance(widget, QTextEdit):
            assert_no_picture(widget.document())
            assert widget.document().size().height() < 3000
        for tip in [tip for tip in tips_of(widget) if "<h1>" in tip]:
            QToolTip.showText(QPoint(5, 5), tip, window)
            shown = next(label for label in all_widgets() if label.objectName() == "qtooltip_label")
            assert isinstance(shown, QLabel)
            assert (shown.textFormat(), shown.text()) == (Qt.TextFormat.PlainText, tip)
            tips += 1
        for words in (widget.windowTitle(), widget.accessibleName(), widget.accessibleDescription()):
            assert not set(words) & set(CONTROLS) - set("]0;pwned[31mgnp"), words
    QToolTip.hideText()
    return tips


def test_the_window_shows_text_as_text(window: MainWindow, own_file: Path, qtbot: QtBot):
    """Tooltips, labels, notes, tabs, the palette, and the titles of windows."""
    assert window.files.open(own_file)
    wait_for_run(window, qtbot)
    assert window.windowTitle().startswith("<h1>Title & more</h1>")
    assert "[*][*]" in window.windowTitle()
    window.title.menu.aboutToShow.emit()
    assert "<h1>a && b<img src='p.png'>.meshgui.json" in [
        action.text() for action in window.title.menu.actions()
    ]
    assert assert_all_is_text(window) > 0
    for command in ("window.palette", "run.compare", "run.experiment"):
        window.commands.trigger(command)
        QApplication.processEvents()
        assert assert_all_is_text(window) > 0
    runs = window.studies.comparison.comparison.runs
    qtbot.waitUntil(lambda: all(run.over for run in runs))
    assert assert_all_is_text(window) > 0


def test_a_lesson_shows_text_as_text(window: MainWindow, lesson: Path, qtbot: QtBot):
    """Its titles, its words and its question, with no picture from outside its folder."""
    assert window.lessons.open(lesson)
    wait_for_run(window, qtbot)
    assert_all_is_text(window)


@pytest.mark.parametrize(
    "make",
    [
        lambda words: QMessageBox(QMessageBox.Icon.Question, words, words),
        lambda words: QProgressDialog(words, words, 0, 5),
        lambda words: QInputDialog(labelText=words),
        QLabel,
    ],
    ids=["message", "progress", "input", "label"],
)
def test_no_label_guesses(qtbot: QtBot, themes: ThemeManager, picture: Path, make: Callable[[str], QWidget]):
    """Dialogs and labels of Qt show what they are given, whatever it looks like."""
    widget = make(hostile("x", picture))
    qtbot.addWidget(widget)
    widget.show()
    labels = [widget] if isinstance(widget, QLabel) else widget.findChildren(QLabel)
    assert any("<h1>" in label.text() for label in labels)
    for label in labels:
        assert label.textFormat() == Qt.TextFormat.PlainText
    assert max(label.sizeHint().height() for label in labels) < 200


def test_html_is_written_in_one_place():
    """A label of HTML escapes what it quotes; a text of HTML is Markdown's alone."""
    rich = re.compile(r"RichText|setHtml\(|insertHtml|\.append\(.*<|toHtml|QStaticText|QGraphicsTextItem")
    found = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "meshgui" / "views").rglob("*.py")
        if rich.search(path.read_text("utf-8"))
    }
    assert found == {"meshgui/views/help/markdown_view.py", "meshgui/views/widgets/linked_label.py"}
    assert MarkdownView.loadResource is not QTextEdit.loadResource


def test_a_style_of_ours_is_the_only_one():
    """Another one would show the texts of labels as Qt guesses."""
    files = (ROOT / "meshgui").rglob("*.py")
    assert [path.name for path in files if "application.setStyle(" in path.read_text("utf-8")] == ["theme.py"]
