"""Texts that are HTML, escapes of a terminal, signs that reorder, or very long: shown as text, and cut."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextDocument, QTextOption
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QInputDialog,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QProgressDialog,
    QTextEdit,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.network.patterns.registry import patterns
from meshgui.engine.scenario import load_scenario
from meshgui.engine.scheduling.registry import disciplines
from meshgui.experiment.grid import experiment_from
from meshgui.experiment.store import RunFailure, Store
from meshgui.model.document.examples import example
from meshgui.views.document.title_button import TitleButton
from meshgui.views.forms.editors import NotesEditor
from meshgui.views.help.markdown_view import MarkdownView
from meshgui.views.stepping.bookmark_card import BookmarkCard
from meshgui.views.widgets.linked_label import LinkedLabel
from meshgui.views.widgets.list_popup import ListPopup
from tests.experiments import small_experiment
from tests.pictures import png
from tests.views.conftest import handle_events
from tests.views.window.conftest import wait_for_run

ROOT = Path(__file__).parents[3]
CONTROLS = "\x1b]0;pwned\x07\x1b[31m\u202egnp\u2066"


def hostile(word: str, picture: Path) -> str:
    """A text that shows a picture where it is taken for HTML."""
    return f"<h1>{word} & more</h1><img src='{picture}'>[*]{CONTROLS}"


@pytest.fixture
def plugins(tmp_path: Path) -> Iterator[None]:
    """A strategy, a discipline and a pattern of a stranger."""
    about = tmp_path / "path" / "hostile_plugins-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: hostile-plugins\nVersion: 1.0\n")
    module, kinds = "tests.views.window.hostile_plugins", ("allocators", "disciplines", "patterns")
    points = zip(kinds, ("HostileFit", "HostileOrder", "HostilePattern"), strict=True)
    lines = (f"[meshgui.{kind}]\n{name} = {module}:{name}\n" for kind, name in points)
    (about / "entry_points.txt").write_text("".join(lines))
    registries = (strategies, disciplines, patterns)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(tmp_path / "path")
        for registry in registries:
            registry.cache_clear()
        yield
    for registry in registries:  # now that it is found no more
        registry.cache_clear()


@pytest.fixture
def plugin_file(tmp_path: Path, plugins: None) -> Path:
    """A scenario with all three."""
    data = load_scenario(example("three-jobs-4x4x4")).model_dump(mode="json") | {
        "title": "Plug-ins",
        "allocator": {"name": "hostile-fit"},
        "scheduler": {"name": "hostile-order"},
        "network": {"pattern": "hostile-pattern", "messages": 3},
    }
    path = tmp_path / "plugins.meshgui.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


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
            assert not set(words) & set(CONTROLS) - set("]0;pwned[31mgnp"), (widget, words)
    QToolTip.hideText()
    return tips


def test_the_window_shows_text_as_text(window, own_file, qtbot):
    """Tooltips, labels, notes, tabs, the palette, and the titles of windows."""
    assert window.files.open(own_file)
    wait_for_run(window, qtbot)
    assert window.windowTitle().startswith("<h1>Title & more</h1>")
    assert "[*][*]" in window.windowTitle()
    window.title.open()
    lines = window.title.popup.list
    said = [lines.item(row).text() for row in range(lines.count())]
    assert said[said.index("Recent") + 1].startswith("<h1>Title & more</h1>")
    window.title.popup.close()
    assert assert_all_is_text(window) > 0
    for command in ("window.palette", "run.compare", "run.experiment"):
        window.commands.trigger(command)
        handle_events()
        assert assert_all_is_text(window) > 0
    runs = window.studies.comparison.comparison.runs
    qtbot.waitUntil(lambda: all(run.over for run in runs))
    assert assert_all_is_text(window) > 0


def test_the_texts_of_plugins_are_text(plugin_file, window, qtbot):
    """Titles, options, pseudo-code, sentences, what the inspector shows, and the help page."""
    assert window.files.open(plugin_file), window.notice.text
    wait_for_run(window, qtbot)
    assert window.algorithm.title.text() == strategies()["hostile-fit"].title
    for name in window.panels.docks:
        window.panels.show(name)
        handle_events()
    tips = [tip for widget in window.form.view.findChildren(QWidget) for tip in tips_of(widget)]
    assert all(any(tip.startswith(f"<h1>{word}") for tip in tips) for word in ("Number", "Choice", "Weight"))
    window.time_cursor.enter_attempt(0)
    assert_all_is_text(window)
    window.time_cursor.next_step()
    assert "<h1>" in window.sentence.text
    for command in ("run.compare", "run.experiment", "run.about", "window.palette"):
        window.commands.trigger(command)
        handle_events()
        assert_all_is_text(window)
    runs = window.studies.comparison.comparison.runs
    qtbot.waitUntil(lambda: all(run.over for run in runs))
    assert_all_is_text(window)


@pytest.fixture
def store(tmp_path: Path, picture: Path) -> Path:
    """A store of a stranger, with two experiments."""
    path = tmp_path / "<h1>a & b<img src='p.png'>.mgstore"
    data = small_experiment("workload.load=1,2").as_data()
    data["scenario"] |= {"title": hostile("Scenario", picture), "notes": hostile("Notes", picture)}
    with Store(path) as kept:
        for number in range(2):
            title = hostile(f"Experiment {number}", picture)
            experiment = experiment_from(data | {"title": title})
            specs = [point.spec for point in experiment.points]
            kept.begin(f"{number}", experiment.as_data(), specs)
            kept.keep((), [RunFailure(spec.key, 7, hostile("Fault", picture)) for spec in specs])
    return path


def test_a_store_shows_text_as_text(window, store, qtbot):
    """The list of its experiments, one that is opened, and why its runs failed."""
    window.studies.show_experiment(small_experiment("workload.load=1,2"))
    shown = window.studies.experiment
    shown._open_store(store)
    button = shown.plan.store.open
    qtbot.waitUntil(lambda: bool(button.findChildren(ListPopup)))
    assert_all_is_text(window)
    [popup] = button.findChildren(ListPopup)
    qtbot.keyClick(popup.list, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: shown.plan.title.text().startswith("<h1>Scenario"))
    qtbot.waitUntil(lambda: shown.results.results is not None)
    assert_all_is_text(window)


def test_a_trace_and_a_lesson_show_text_as_text(window, lesson, qtbot, tmp_path, picture):
    """Titles, words and question, with no picture from outside the folder."""
    assert window.lessons.open(lesson)
    wait_for_run(window, qtbot)
    assert_all_is_text(window)
    # What a trace's header says, in the form
    words = hostile("Computer", picture)
    job = "1 0 0 5 4 -1 -1 4 9 -1 1 1 1 1 1 1 -1 -1"
    (tmp_path / "a.swf").write_text(f"; Computer: {words}\n{job}\n", "utf-8")
    data = load_scenario(example("three-jobs-4x4x4")).model_dump(mode="json")
    path = tmp_path / "trace.meshgui.json"
    path.write_text(json.dumps(data | {"workload": {"kind": "swf", "path": "a.swf"}}), encoding="utf-8")
    assert window.files.open(path), window.notice.text
    wait_for_run(window, qtbot)
    window.panels.show("scenario")
    handle_events()
    assert any("<h1>Computer" in label.text() for label in window.form.view.findChildren(QLabel))
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
def test_no_label_guesses(qtbot, themes, picture, make):
    """Dialogs and labels of Qt show what they are given, whatever it looks like."""
    widget = make(hostile("x", picture))
    qtbot.addWidget(widget)
    widget.show()
    labels = [widget] if isinstance(widget, QLabel) else widget.findChildren(QLabel)
    assert any("<h1>" in label.text() for label in labels)
    for label in labels:
        assert label.textFormat() == Qt.TextFormat.PlainText
    assert max(label.sizeHint().height() for label in labels) < 200


def test_html_is_written_in_one_place_and_no_style_guesses():
    """A label of HTML escapes what it quotes, and is measured where it scrolls; a text of it is Markdown."""
    rich = re.compile(r"RichText|setHtml\(|insertHtml|\.append\(.*<|toHtml|QStaticText|QGraphicsTextItem")
    found = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "meshgui" / "views").rglob("*.py")
        if rich.search(path.read_text("utf-8"))
    }
    widgets = {"meshgui/views/widgets/linked_label.py", "meshgui/views/widgets/row_scroll.py"}
    assert found == {"meshgui/views/help/markdown_view.py", *widgets}
    assert MarkdownView.loadResource is not QTextEdit.loadResource
    # Another style would show the texts of labels as Qt guesses
    files = (ROOT / "meshgui").rglob("*.py")
    assert [path.name for path in files if "application.setStyle(" in path.read_text("utf-8")] == ["theme.py"]


LONG, DIGITS = "x" * 100_000, "9" * 5000


def paste(field: QWidget, qtbot: QtBot, text: str) -> None:
    """Put a text in the place of what a field holds, by keys."""
    field.setFocus()
    QGuiApplication.clipboard().setText(text)
    for key in (Qt.Key.Key_A, Qt.Key.Key_V):
        qtbot.keyClick(field, key, Qt.KeyboardModifier.ControlModifier)


def test_long_titles_notes_and_words_are_taken_and_cut(lecture, qtbot):
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
    # Also a number of more digits than Python takes, in the palette and as sides of a mesh
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
