"""The bar above the mesh gives its sentence the width that it needs."""

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QPushButton

from meshgui.views.style.icons import IconShelf
from meshgui.views.widgets.notice import Notice

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


def lines_of(bar):
    """How many lines the sentence has."""
    return round(bar._text.height() / QFontMetrics(bar._text.font()).lineSpacing())


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("count", [0, 1, 4])
def test_a_long_sentence_has_three_lines_at_most(qtbot, notice, scale, count):
    """With buttons too, at twice the size of text: they stand below it then, from where it begins."""
    bar = notice(scale)
    bar.tell(LONG, *ACTIONS[:count])
    with qtbot.waitExposed(bar):
        bar.resize(1264, bar.heightForWidth(1264))
    qtbot.waitUntil(lambda: bar._text.height() > 0)
    qtbot.waitUntil(lambda: 1 <= lines_of(bar) <= 3)
    buttons = [b for b in bar.findChildren(QPushButton) if b.isVisible()]
    assert len(buttons) == count
    assert all(bar.rect().contains(button.geometry()) for button in buttons)
    if scale == 2.0 and count == 4:
        assert buttons[0].y() > bar._text.geometry().bottom()
        assert buttons[0].x() == bar._text.x()


def test_a_short_question_has_its_button_beside_it(qtbot, notice):
    """As one row, which takes the mesh no room; a plain sentence follows without buttons."""
    bar = notice(1.0)
    bar.tell("Run it all the same?", ACTIONS[0])
    with qtbot.waitExposed(bar):
        bar.show()
    assert bar.asks
    [button] = [b for b in bar.findChildren(QPushButton) if b.isVisible()]
    assert abs(button.geometry().center().y() - bar._text.geometry().center().y()) <= 1
    bar.tell("Done.")
    assert not bar.asks
