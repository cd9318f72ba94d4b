"""Pictures and films of stripes, as the program writes them."""

from pathlib import Path

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QImage, QPainter

from meshgui.views.exporting.film_files import film_writer
from meshgui.views.exporting.picture_files import write_picture
from meshgui.views.style.application import qt_application
from meshgui.views.style.theme import Theme


def draw_picture(target: Path, wide: int) -> None:
    """Stripes of a width."""
    qt_application()

    def paint(painter: QPainter, rect: QRect, theme: Theme) -> None:
        del rect
        for x in range(0, 300, 2 * wide):
            painter.fillRect(x, 0, wide, 200, theme.colour("text"))

    write_picture(target, paint, QSize(300, 200))


def draw_film(target: Path, frames: int) -> None:
    """Frames of one colour each."""
    image = QImage(30, 20, QImage.Format.Format_RGB32)
    with film_writer(target, 10.0) as film:
        for number in range(frames):
            image.fill(number)
            film.add(image)
