"""The themes' contrast, the stylesheet, and following the system and the size."""

import re
from collections import Counter
from dataclasses import asdict, replace
from itertools import product

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QWidget
from shiboken6 import delete, isValid

from meshgui.model.scene.colours import contrast, from_hex
from meshgui.views.style.theme import (
    DARK,
    DARK_CONTRAST,
    LIGHT,
    LIGHT_CONTRAST,
    SIZES,
    stylesheet,
)
from meshgui.views.style.theme_colours import EXPORT
from tests.views.conftest import handle_events
from tests.views.showing import shown

THEMES = pytest.mark.parametrize(
    "theme",
    [LIGHT, DARK, EXPORT, LIGHT_CONTRAST, DARK_CONTRAST],
    ids=["light", "dark", "export", "light, high contrast", "dark, high contrast"],
)
GROUNDS = ("window", "panel", "raised", "hover", "selection", "mesh_background")  # of text


def ratio(theme, token, ground):
    """The contrast of two tokens of a theme."""
    return contrast(from_hex(getattr(theme, token)), from_hex(getattr(theme, ground)))


def weakest(theme, tokens, grounds):
    """The least contrast of some tokens on some grounds."""
    return min((ratio(theme, token, ground), token, ground) for token, ground in product(tokens, grounds))


@THEMES
@pytest.mark.parametrize(
    ("tokens", "grounds", "least"),
    [
        (("text", "muted"), GROUNDS, 4.5),
        (("accent_text",), ("accent",), 4.5),
        (("accent",), ("panel", "selection"), 4.5),
        (("candidate", "prohibited", "border_plane", "reserved", "blocked"), ("mesh_background", "panel"), 3),
        (("base", "mesh_edge", "mesh_axis"), ("mesh_background", "panel"), 3),
        (("outline", "focus"), ("panel", "raised"), 3),
    ],
    ids=["text", "on the accent", "accent as text", "meanings", "lines of the mesh", "edges of controls"],
)
def test_what_is_read_or_seen_stands_out(theme, tokens, grounds, least):
    """Text reaches 4.5 to 1 on every ground it stands on; lines with a meaning and edges 3 to 1."""
    assert weakest(theme, tokens, grounds) >= (least,)


@pytest.mark.parametrize("theme", [LIGHT_CONTRAST, DARK_CONTRAST], ids=["light", "dark"])
def test_high_contrast_is_high(theme):
    """Text of every kind reaches 7 to 1, what cannot be used 4.5 to 1, edges and marks 4.5 to 1."""
    assert weakest(theme, ("text", "muted"), GROUNDS) >= (7,)
    assert ratio(theme, "faint", "panel") >= 4.5
    lines = "outline", "hairline", "focus", "mesh_edge"
    marks = "candidate", "prohibited", "border_plane", "reserved"
    assert weakest(theme, (*lines, *marks), ("mesh_background",)) >= (4.5,)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_meanings_keep_their_colour(theme):
    """Candidate, prohibited and border plane are Okabe and Ito's colours in both themes."""
    assert (theme.candidate, theme.prohibited, theme.border_plane) == ("#009e73", "#d55e00", "#0072b2")


@THEMES
def test_every_token_is_a_colour(theme):
    """No token is misspelt."""
    tokens = {key: value for key, value in asdict(theme).items() if key not in {"name", "high_contrast"}}
    assert all(re.fullmatch(r"#[0-9a-f]{6}", value) for value in tokens.values())


def test_a_token_that_is_not_a_colour_is_refused():
    """Asking for something that is not a colour is an error, not black."""
    with pytest.raises(AttributeError):
        LIGHT.rgb("colour_of_the_sky")
    with pytest.raises(ValueError, match="rrggbb"):
        LIGHT.rgb("name")


@pytest.mark.usefixtures("qapp")
def test_the_stylesheet_is_filled_in_for_a_theme_and_a_size():
    """No name is left open, and another theme gives another sheet."""
    sheet = stylesheet(LIGHT)
    assert "$" not in sheet
    assert stylesheet(DARK) != sheet
    assert LIGHT.accent in sheet
    assert "#123456" in stylesheet(replace(LIGHT, accent="#123456"))
    # At 140 % type and spacing grow, and a hairline stays one pixel
    sheet = stylesheet(LIGHT, 1.4)
    assert "font-size: 25px" in sheet  # 18 at 100 %
    assert "border: 1px solid" in sheet
    assert "font-size: 18px" in stylesheet(LIGHT)
    # It uses no size of type outside the scale
    for percent in range(50, 301):  # Qt draws no corners of more than half a side
        rule = re.search(r"QSlider::handle \{(.*?)\}", stylesheet(LIGHT, percent / 100), re.DOTALL)[1]
        border, radius, width = (
            int(re.search(rf"\b{name}: (\d+)px", rule)[1]) for name in ("border", "border-radius", "width")
        )
        assert 2 * radius <= width + 2 * border, percent
    used = {int(size) for size in re.findall(r"font-size: (\d+)px", stylesheet(LIGHT))}
    assert used <= set(SIZES.values())


def test_toggle_dresses_the_application_until_a_theme_is_chosen_the_system_does(
    themes, qapp, qtbot, monkeypatch
):
    """Toggling announces itself and changes palette and stylesheet."""
    with qtbot.waitSignal(themes.changed):
        themes.toggle()
    assert themes.theme is DARK
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == DARK.window
    assert DARK.accent in qapp.styleSheet()
    themes.toggle()
    assert themes.theme is LIGHT
    # In system mode the theme is what the system prefers, and a change there is followed; then no longer
    seen = []

    def change(*, dark):
        monkeypatch.setattr(themes, "system_is_dark", lambda: dark)
        qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark if dark else Qt.ColorScheme.Light)

    themes.set_mode("system")
    themes.changed.connect(lambda: seen.append(themes.theme.name))
    for dark in (True, False):
        change(dark=dark)
    assert seen == ["dark", "light"]
    themes.set_mode("light")
    change(dark=True)
    assert themes.theme is LIGHT


def test_lecture_size(themes, qtbot):
    """Fonts, labels and lengths grow with the size factor; a senseless factor is refused."""
    label = QLabel("Job 17")
    label.setProperty("type", "title")
    qtbot.addWidget(label)
    label.show()
    before = label.sizeHint().height()
    with qtbot.waitSignal(themes.changed):
        themes.set_scale(1.4)
    assert QApplication.font().pixelSize() == 18
    assert themes.px(20) == 28
    assert label.sizeHint().height() > 1.25 * before
    with pytest.raises(ValueError, match=r"0\.5 to 3"):
        themes.set_scale(0)


class Polishings(QObject):
    """Counts how often widgets hear of another style, and are painted."""

    def __init__(self) -> None:
        super().__init__()
        self.of_style: Counter[QObject] = Counter()
        self.paints = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Count."""
        self.of_style[watched] += event.type() == QEvent.Type.StyleChange
        self.paints += event.type() == QEvent.Type.Paint
        return False


@pytest.mark.parametrize(
    ("change", "paints", "hidden_too"),
    [
        (lambda themes: themes.toggle(), 2, False),  # Qt paints twice after any change of the palette
        (lambda themes: themes.set_high_contrast(True), 2, False),
        (lambda themes: themes.set_scale(1.4), 1, True),
    ],
    ids=["theme", "contrast", "size"],
)
def test_a_change_polishes_every_widget_once(themes, qtbot, change, paints, hidden_too):
    """Deep in a window or not, each widget is polished once, and painted at the end.

    Of colours alone, what is hidden is polished when it is shown, and once, too.
    """
    window = QWidget()
    parts = [window]
    for _ in range(6):
        parts.append(QWidget(parts[-1]))
    parts += [QLabel("Job 17", parts[-1]), QPushButton("Run", parts[-1])]
    hidden = QPushButton("Hidden", parts[2])
    hidden.hide()
    shown(qtbot, window)
    handle_events()
    seen = Polishings()
    for part in (*parts, hidden):
        part.installEventFilter(seen)
    change(themes)
    assert +seen.of_style == dict.fromkeys((*parts, hidden) if hidden_too else parts, 1)
    handle_events()
    assert seen.paints == paints * len(parts)
    for _ in range(2):
        hidden.show()
        hidden.hide()
    assert +seen.of_style == dict.fromkeys((*parts, hidden), 1)
    assert hidden.palette().color(QPalette.ColorRole.Text) == themes.theme.colour("text")
    for part in (*parts, hidden):
        part.removeEventFilter(seen)


class Shedding(QWidget):
    """Deletes what it holds when its style changes, as some of Qt's own widgets do."""

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Delete all but the first."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            for child in self.findChildren(QWidget)[1:]:
                delete(child)


def test_a_change_leaves_alone_what_it_deletes(themes, qtbot):
    """A widget that is deleted by the change of another's style is not touched again."""
    window = Shedding()
    qtbot.addWidget(window)
    parts = [QLabel(str(number), window) for number in range(4)]
    window.show()
    themes.toggle()
    assert [isValid(part) for part in parts] == [True, False, False, False]


def test_a_window_is_built_without_the_stylesheet_and_has_it_in_the_end(qapp, qtbot, themes):
    """In the theme and the size that were chosen meanwhile."""
    with themes.without_stylesheet(), themes.without_stylesheet():
        label = QLabel("1")
        qtbot.addWidget(label)
        label.setProperty("type", "title")
        label.ensurePolished()
        themes.toggle()
        themes.set_scale(1.5)
        assert qapp.styleSheet() == ""
    assert qapp.styleSheet() == stylesheet(themes.theme, 1.5)
    assert label.font().pixelSize() == 27
    label.show()
    with themes.without_stylesheet():
        assert qapp.styleSheet(), "what is seen keeps its looks"


@pytest.mark.usefixtures("themes")
def test_the_stylesheet_is_understood_and_keeps_figures_of_one_width(qtbot, capfd):
    """A label whose size comes from the stylesheet still has tabular figures."""
    label = QLabel("1")
    label.setProperty("type", "title")
    qtbot.addWidget(label)
    label.show()
    metrics = label.fontMetrics()
    assert label.font().pixelSize() == 18
    assert metrics.horizontalAdvance("1111") == metrics.horizontalAdvance("8888")
    # Qt parses the sheet without complaint
    button = QPushButton("Run")
    qtbot.addWidget(button)
    button.show()
    assert "stylesheet" not in capfd.readouterr().err.lower()


def test_an_empty_field_says_what_goes_there_with_the_contrast_of_text(qtbot, themes):
    """Qt by itself writes it in the colour of the text, half transparent."""
    field = QLineEdit()
    field.setPlaceholderText("Find")
    qtbot.addWidget(field)
    for theme in (LIGHT, DARK):
        if themes.theme != theme:
            themes.toggle()
        field.show()
        written = field.palette().placeholderText().color()
        assert written == theme.colour("muted")
