"""Notices give their sentences the room that they need, one above the other, and pass or stay."""

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontDatabase, QFontMetrics, QKeySequence, QShortcut
from PySide6.QtWidgets import QLineEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from meshgui.itself import resource
from meshgui.views.style.fonts import ARABIC_FAMILY, TEXT_FAMILY
from meshgui.views.style.icons import IconShelf
from meshgui.views.widgets import notice as module
from meshgui.views.widgets.notice import Notice, Topic
from tests.views import showing
from tests.views.conftest import handle_events

LONG = (
    "This scenario has 40 000 jobs on a mesh of 64×64 with a network; a run of it may take twelve minutes "
    "and 3.2 GB of memory, which is more than half of what this machine has. Shorter ones are quicker."
)
ACTIONS = [(words, "", lambda: None) for words in ("Run it", "As the system", "Deutsch", "English")]


@pytest.fixture
def notice(qtbot, themes):
    """A bar as wide as a window of 1280 pixels."""

    def made(scale):
        themes.set_scale(scale)
        bar = Notice(themes, IconShelf(themes))
        qtbot.addWidget(bar)
        bar.resize(1264, 40)
        return bar

    return made


def rows_of(bar):
    """The rows that are shown, from top to bottom."""
    parts = bar.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return sorted((part for part in parts if not part.isHidden()), key=lambda row: row.y())


def texts_of(bar):
    """What they say."""
    return [row.sentence.text() for row in rows_of(bar)]


def lines_of(label):
    """How many lines the sentence has."""
    return round(label.height() / QFontMetrics(label.font()).lineSpacing())


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("count", [0, 1, 4])
def test_a_long_sentence_has_three_lines_at_most(qtbot, notice, scale, count):
    """With buttons too, at twice the size of text: they stand below it then, from where it begins."""
    bar = notice(scale)
    bar.tell(LONG, *ACTIONS[:count])
    with qtbot.waitExposed(bar):
        bar.resize(1264, bar.heightForWidth(1264))
    [row] = rows_of(bar)
    qtbot.waitUntil(lambda: row.sentence.height() > 0)
    qtbot.waitUntil(lambda: 1 <= lines_of(row.sentence) <= 3)
    buttons = [b for b in bar.findChildren(QPushButton) if b.isVisible()]
    assert len(buttons) == count
    assert all(bar.rect().contains(button.geometry()) for button in buttons)
    if scale == 2.0 and count == 4:
        assert buttons[0].y() > row.sentence.geometry().bottom()
        assert buttons[0].x() == row.sentence.x()


def test_a_short_question_has_its_button_beside_it_and_a_quoted_tag_is_no_markup(qtbot, notice):
    """As one row, which takes the mesh no room; a plain sentence follows without buttons."""
    bar = notice(1.0)
    bar.tell("Run it all the same?", ACTIONS[0])
    with qtbot.waitExposed(bar):
        bar.show()
    assert bar.asks
    [button] = [b for b in bar.findChildren(QPushButton) if b.isVisible()]
    assert abs(button.geometry().center().y() - rows_of(bar)[0].sentence.geometry().center().y()) <= 1
    # A file may be named like one: it is shown as it is typed
    bar = notice(1.0)
    bar.tell("<h1>a</h1>.json: no such file")
    assert [row.sentence.textFormat() for row in rows_of(bar)] == [Qt.TextFormat.PlainText]


def test_two_lines_of_higher_letters_have_their_button_beside_them(qtbot, notice, themes, monkeypatch):
    """As two lines of Latin letters have: Arabic ones come from another face, whose lines are higher."""
    loaded = QFontDatabase.addApplicationFont(str(resource("fonts") / "NotoSansArabic-Regular.ttf"))
    face = QFont([TEXT_FAMILY, ARABIC_FAMILY])
    face.setPixelSize(13)
    monkeypatch.setattr(themes, "text", lambda *_role: face)
    bar = notice(1.0)
    bar.report(" ".join(["المهمة 622 تنتظر خلف 407 مهام"] * 9), ACTIONS[0], topic=Topic.DONE)
    with qtbot.waitExposed(bar):
        bar.show()
    [row] = rows_of(bar)
    [button] = [b for b in bar.findChildren(QPushButton) if b.isVisible()]
    assert row.sentence.height() > 2 * QFontMetrics(face).lineSpacing()
    assert button.y() < row.sentence.geometry().bottom()
    QFontDatabase.removeApplicationFont(loaded)


@pytest.fixture
def shown(qtbot, themes):
    """A bar at the top of a window of 1264 by 800."""
    window, bar = QWidget(), Notice(themes, IconShelf(themes))
    column = QVBoxLayout(window)
    column.addWidget(bar)
    column.addStretch(1)
    showing.shown(qtbot, window, 1264, 800)
    yield bar
    window.close()


def test_a_later_sentence_leaves_the_earlier_to_be_read(shown, qtbot):
    """It stands below it, and each goes when it is dismissed; a question keeps its answer."""
    shown.tell("The settings were damaged.", lasting=True)
    shown.tell("Run it all the same?", ACTIONS[0], topic=Topic.HELD)
    shown.tell("Nothing was saved.")
    said = ["The settings were damaged.", "Run it all the same?", "Nothing was saved."]
    qtbot.waitUntil(lambda: texts_of(shown) == said)
    assert shown.text == "Nothing was saved."
    assert shown.asks
    shown.clear()
    assert texts_of(shown) == said[:2]
    shown.withdraw(Topic.HELD)
    assert not shown.asks
    with qtbot.waitSignal(shown.closed):
        qtbot.mouseClick(rows_of(shown)[0].findChildren(QToolButton)[1], Qt.MouseButton.LeftButton)
    assert not shown.isVisible()
    assert shown.text == ""


def test_a_sentence_replaces_the_one_before_it_about_the_same(shown, qtbot):
    """And is said once, however often it is true."""
    shown.tell("Nothing was run. Load: got -1", topic=Topic.EDITS)
    shown.tell("The disk is full.")
    shown.tell("Nothing was run. Load: got -2", topic=Topic.EDITS)
    shown.tell("The disk is full.")
    qtbot.waitUntil(lambda: texts_of(shown) == ["Nothing was run. Load: got -2", "The disk is full."])


def test_earlier_sentences_wait_where_there_is_no_room(shown, qtbot):
    """No more than three are shown, and one alone in a low window; they come back in their order."""
    for number in range(5):
        shown.tell(f"Sentence {number}.", lasting=True)
    qtbot.waitUntil(lambda: texts_of(shown) == ["Sentence 2.", "Sentence 3.", "Sentence 4."])
    shown.dismiss()
    qtbot.waitUntil(lambda: texts_of(shown) == ["Sentence 1.", "Sentence 2.", "Sentence 3."])
    shown.window().resize(1000, 160)
    qtbot.waitUntil(lambda: texts_of(shown) == ["Sentence 3."])
    shown.window().resize(1001, 800)
    qtbot.waitUntil(lambda: len(texts_of(shown)) == 3)
    for number in range(30):
        shown.tell(f"Passing {number}.")
    kept = []
    while shown.text:
        kept.append(shown.text)
        shown.dismiss()
    assert kept == [*(f"Passing {n}." for n in range(29, 21, -1)), *(f"Sentence {n}." for n in (3, 2, 1, 0))]


def test_what_has_been_done_passes_and_all_else_stays(shown, qtbot, monkeypatch):
    """But not while it has the keys: who is about to press its button finds it there."""
    monkeypatch.setattr(module, "_STAYS", 0)
    monkeypatch.setattr(Notice, "underMouse", lambda _: False)
    field = QLineEdit(shown.window())
    field.show()
    shown.window().activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    shown.tell("The disk is full.")
    shown.report("Job 3 is ended.", ACTIONS[0], topic=Topic.DONE)
    qtbot.waitUntil(lambda: texts_of(shown) == ["The disk is full."])
    shown.report("Job 4 is ended.", ACTIONS[0], topic=Topic.DONE)
    button = rows_of(shown)[1].buttons[0]
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    handle_events()
    assert shown.text == "Job 4 is ended."
    field.setFocus()
    qtbot.waitUntil(lambda: texts_of(shown) == ["The disk is full."])


def test_a_sentence_that_floats_is_cut_where_it_would_cover_too_much(qtbot, themes):
    """All of it is in the tooltip and told to screen readers; a short one is no wider than it is."""
    window = QWidget()
    bar = Notice(themes, IconShelf(themes))
    bar.setParent(window)
    showing.shown(qtbot, window, 900, 500)
    bar.tell(LONG, *ACTIONS[:2])
    bar.float_in(QSize(500, 60))
    [row] = rows_of(bar)
    assert row.sentence.text().endswith("…")
    assert LONG.startswith(row.sentence.text()[:-1])
    assert row.sentence.toolTip() == row.accessibleName() == LONG
    assert bar.width() == 500
    assert bar.height() <= 60
    bar.float_in(QSize(500, 300))
    assert row.sentence.text() == LONG
    assert row.sentence.toolTip() == ""
    bar.dismiss()
    bar.tell("Nothing was saved.")
    bar.float_in(QSize(500, 60))
    assert bar.width() < 300
    assert rows_of(bar)[0].sentence.text() == "Nothing was saved."
    window.close()


def test_escape_dismisses_the_sentence_that_has_the_keys(shown, qtbot):
    """And no other; a shortcut of the window does not take the key, and a screen reader has the text."""
    taken = []
    QShortcut(QKeySequence("Escape"), shown.window(), lambda: taken.append(1))
    shown.tell("Run it all the same?", ACTIONS[0])
    shown.tell("Nothing was saved.")
    qtbot.waitUntil(lambda: rows_of(shown)[1].y() > 0)
    first, second = rows_of(shown)
    assert [row.accessibleName() for row in (first, second)] == ["Run it all the same?", "Nothing was saved."]
    first.buttons[0].setFocus()
    shown.tell("The disk is full.")
    assert shown.window().focusWidget() is first.buttons[0]
    qtbot.keyClick(first.buttons[0], Qt.Key.Key_Escape)
    assert texts_of(shown) == ["Nothing was saved.", "The disk is full."]
    assert taken == []


def test_a_click_on_a_sentence_leaves_the_keys_where_they_are(shown, qtbot):
    """On its buttons and on the cross, after which another widget would have a frame."""
    field = QLineEdit(shown.window())
    field.show()
    field.setFocus()
    shown.tell("Run it all the same?", ("Run it", "", shown.dismiss))
    [row] = rows_of(shown)
    qtbot.mouseClick(row.buttons[0], Qt.MouseButton.LeftButton)
    assert shown.window().focusWidget() is field
    shown.tell("A sentence.")
    [row] = rows_of(shown)
    qtbot.mouseClick(row.findChildren(QToolButton)[-1], Qt.MouseButton.LeftButton)
    assert not shown.text
    assert shown.window().focusWidget() is field


def test_the_first_sentence_is_seen_in_a_window_that_has_been_resized(qtbot, themes):
    """A hidden bar takes its width as it is shown, and its height only then."""
    window, bar, below = QWidget(), Notice(themes, IconShelf(themes)), QWidget()
    column = QVBoxLayout(window)
    for widget in (bar, below):
        column.addWidget(widget)
    showing.shown(qtbot, window, 700, 400)
    window.resize(900, 400)
    qtbot.waitUntil(lambda: below.width() > 800)
    bar.tell("There is no room on the disk.")
    [row] = rows_of(bar)
    assert row.height() == bar.height()
    assert lines_of(row.sentence) >= 1
