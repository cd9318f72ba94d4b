"""A sentence drawn as a picture, for where a page has a picture that is not shown."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QTextOption

from meshgui.views.style.direction import is_from_the_right
from meshgui.views.widgets.building import wrapping


def picture_of(sentence: str, face: QFont, colour: QColor, *, width: float, sharp: float = 1.0) -> QImage:
    """The sentence in lines of at most a width, on nothing, with a number of pixels for each unit."""
    option = QTextOption()
    option.setWrapMode(wrapping(sentence))
    if is_from_the_right(sentence):
        option.setTextDirection(Qt.LayoutDirection.RightToLeft)
    scratch = _transparent(QSize(1, 1), 1.0)  # the painter does not keep it
    with QPainter(scratch) as painter:
        painter.setFont(face)
        size = painter.boundingRect(QRectF(0, 0, width, 0), sentence, option).toAlignedRect().size()
    image = _transparent(size, sharp)
    with QPainter(image) as painter:
        painter.setFont(face)
        painter.setPen(colour)
        painter.drawText(QRectF(QPointF(), size), sentence, option)
    return image


def _transparent(size: QSize, sharp: float) -> QImage:
    image = QImage(size * sharp, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(sharp)
    image.fill(QColor("transparent"))
    return image
