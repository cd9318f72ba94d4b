"""Tooltips say what lies at the pointer, and tool buttons what they do."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPaintEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from meshgui.model.base.matching import match_score, names_a_word
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.widgets.progress_bar import ProgressBar
from meshgui.views.widgets.tips import Tips
from meshgui.views.widgets.tool_button import tool_button
from tests.views.showing import shown


@pytest.fixture
def asked(monkeypatch):
    """The tooltips shown; one without words hides the last."""
    shown = []
    monkeypatch.setattr(QToolTip, "showText", lambda _at, words, _widget: shown.append(words))
    return shown


def test_a_tip_depends_on_the_place(qtbot, asked):
    """Its words are those of the point; without words it is hidden."""
    widget = QWidget()
    qtbot.addWidget(widget)
    Tips(widget, lambda at: "left" if at.x() < 50 else "")
    for x in (10, 90):
        at = QPoint(x, 5)
        QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))
    assert asked == ["left", ""]


def test_a_tool_button_says_and_does_one_thing(qtbot, themes):
    """Its words are in the tooltip and for screen readers; without an icon it has none."""
    done = []
    button = tool_button(IconShelf(themes), "x", "Dismiss", lambda: done.append("dismissed"))
    qtbot.addWidget(button)
    button.click()
    assert (button.toolTip(), button.accessibleName(), done) == ("Dismiss", "Dismiss", ["dismissed"])
    assert not button.icon().isNull()
    assert tool_button(IconShelf(themes), "", "Home").icon().isNull()


def test_the_icon_of_a_tool_button_grows_with_the_letters(qtbot, themes):
    """Also where a place has another size for it."""
    plain, larger = (tool_button(IconShelf(themes), "x", "Dismiss") for _ in range(2))
    for button in (plain, larger):
        qtbot.addWidget(button)
    Sizing(themes, larger).icons(20, larger)
    for scale in (1.0, 2.0):
        themes.set_scale(scale)
        assert [button.iconSize().width() for button in (plain, larger)] == [16 * scale, 20 * scale]


@pytest.mark.parametrize("y", [5, 20, 40, 80])
def test_a_tip_leaves_uncovered_what_is_stepped(qtbot, monkeypatch, y):
    """Near the stepped line it stands below it, elsewhere at the pointer."""
    places = []
    monkeypatch.setattr(QToolTip, "showText", lambda at, _words, _widget: places.append(at.y()))
    widget = QWidget()
    qtbot.addWidget(widget)
    stepped = QRect(0, 30, 100, 20)
    Tips(widget, lambda _at: "words", lambda: stepped)
    at = QPoint(10, y)
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))
    (top,) = places
    line = widget.mapToGlobal(stepped.topLeft()).y()
    height = QFontMetrics(QToolTip.font()).height()
    assert top > line + stepped.height() - 1 or top + height + 16 < line


RUN_SDSC = "Run with Paragon anchor-block 2D buddy\N{EN SPACE}sdsc"
SHOW = "Show the network", "Show it, or switch it off."


@pytest.mark.parametrize(
    ("typed", "better", "worse"),
    [
        pytest.param("next", ["Next event"], ["Go to the next line"], id="the start of a title"),
        pytest.param("top", ["The top view"], ["Stop the run"], id="a word before a part of one"),
        pytest.param("job", ["Job numbers"], ["Go to end", "The last job finishes."], id="title before help"),
    ],
)
def test_what_fits_better_comes_first(typed, better, worse):
    """And what fits less still fits."""
    assert match_score(typed, *better) > match_score(typed, *worse) > 0


@pytest.mark.parametrize(
    ("typed", "words", "fits"),
    [
        pytest.param("ne", ["Next event"], True, id="initials of two words"),
        pytest.param("lod", ["Light or dark"], True, id="initials of three"),
        pytest.param("next picture", ["Next event", "Goes on."], False, id="a word that fits nowhere"),
        pytest.param("xyz", ["Next event"], False, id="letters that fit nowhere"),
        pytest.param("", ["Next event"], True, id="nothing typed yet"),
        pytest.param("gabl", [RUN_SDSC], True, id="letters here and there"),
        pytest.param("ff", SHOW, False, id="letters inside a word of the help"),
        pytest.param("itch", SHOW, True, id="more letters inside a word of the help"),
        pytest.param("off", SHOW, True, id="a whole word of the help"),
    ],
)
def test_every_word_that_is_typed_must_fit(typed, words, fits):
    """By its first letters, or in the title by letters here and there."""
    assert (match_score(typed, *words) > 0) == fits


def test_letters_here_and_there_fit_only_if_wanted_and_a_whole_word_is_named():
    """`gabl` is in "Paragon anchor-block", letter by letter."""
    assert match_score("gabl", RUN_SDSC, letters=False) == 0
    assert match_score("buddy", RUN_SDSC, letters=False) > 0
    # A word that is typed whole is named, or the first three letters of one; two may be initials
    gabl = "Run with Greedy Available Busy List\N{EN SPACE}gabl"
    named = [("gabl", gabl), ("gab", gabl), ("ff", "Run with First Fit\N{EN SPACE}ff")]
    assert all(names_a_word(*pair) for pair in named)
    assert not any(
        names_a_word(*pair) for pair in [("ne", "Next event"), ("gabl", RUN_SDSC), ("", "Next event")]
    )


class Counted(ProgressBar):
    """Counts how often it is painted."""

    paints = 0

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Count."""
        self.paints += 1
        super().paintEvent(event)


def test_it_is_painted_once_however_often_its_value_changes(qtbot):
    """Setting a value waits for the next paint of the window; Qt's own bar paints at once."""
    bar = shown(qtbot, Counted())
    qtbot.waitUntil(lambda: bar.paints > 0)
    before = bar.paints
    for done in range(1, 20):
        bar.show_progress(done, 20)
    assert bar.paints == before
    qtbot.waitUntil(lambda: bar.paints > before)
    assert (bar.value(), bar.maximum()) == (19, 20)
