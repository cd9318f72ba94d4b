"""Names with their ids as they are drawn: the id in its colour behind the name, in both directions."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter

from meshgui.engine.basics.translation import speaking
from meshgui.model.base.named import named
from meshgui.views.style.direction import mirror, write, write_named
from meshgui.views.style.fonts import text_font

ROOM = QRect(0, 0, 300, 24)
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


def drawn(text: str, *, named_so: bool = True) -> QImage:
    """A text on white: names in blue, ids in red."""
    image = QImage(ROOM.size(), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    with QPainter(image) as painter:
        painter.setFont(text_font(15))
        painter.setPen(QColor("blue"))
        if QGuiApplication.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            mirror(painter, ROOM)
        if named_so:
            write_named(painter, ROOM, text, QColor("red"), LEFT)
        else:
            write(painter, ROOM, text, LEFT)
    return image


def columns(image: QImage, colour: str) -> list[int]:
    """Where from left to right there is ink of nearly this colour alone."""
    wanted = QColor(colour)

    def near(x: int, y: int) -> bool:
        there = image.pixelColor(x, y)
        apart = abs(there.red() - wanted.red()) + abs(there.blue() - wanted.blue()) + there.green()
        return apart < 150

    return [x for x in range(ROOM.width()) if any(near(x, y) for y in range(ROOM.height()))]


def name_in_arabic(title: str, name: str) -> str:
    """A name with its id, among Arabic words."""
    with speaking("ar"):
        return named(title, name)


@pytest.fixture
def from_the_right():
    """The program laid out from right to left for a while."""
    QGuiApplication.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield
    QGuiApplication.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_the_id_stands_quietly_behind_the_name(qapp):
    """Right of it, all of it in its own colour."""
    image = drawn(named("Turning Busy List", "tbl"))
    name, its_id = columns(image, "blue"), columns(image, "red")
    assert name
    assert its_id
    assert max(name) < min(its_id)


def test_an_arabic_name_has_its_id_on_its_left(qapp, from_the_right):
    """Where one reads on, and all at the side on which one begins."""
    image = drawn(named("قائمة المشغول", "paging(0)"))
    name, its_id = columns(image, "blue"), columns(image, "red")
    assert max(its_id) < min(name)
    assert max(name) > ROOM.width() - 30


def test_a_latin_name_keeps_its_order_among_arabic_ones(qapp, from_the_right):
    """The id right of it, at the side on which one begins."""
    image = drawn(named("Turning Busy List", "tbl"))
    name, its_id = columns(image, "blue"), columns(image, "red")
    assert max(name) < min(its_id)
    assert max(its_id) > ROOM.width() - 30


def test_an_arabic_name_that_begins_with_latin_words_is_read_from_the_right(qapp, from_the_right):
    """Its first word on the right, and the id on the left of all of it."""
    image = drawn(f"16×16 · {name_in_arabic('TPU قائمة', 'tpu-ocs')}")
    name, its_id = columns(image, "blue"), columns(image, "red")
    assert max(its_id) < min(name)


def test_a_text_without_ids_is_written_as_any_other(qapp):
    """Pixel by pixel."""
    assert drawn("First Fit") == drawn("First Fit", named_so=False)
