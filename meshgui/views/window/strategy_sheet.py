"""A strategy on one page to print: idea, pseudo-code, a picture of what it keeps, cost and source."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QLinearGradient, QPainter, QTextDocument
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from meshgui import __version__
from meshgui.engine.allocation.base import Strategy
from meshgui.engine.basics.translation import reads_from_the_right, tr
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import scenario_from
from meshgui.model.manual.sheet_text import revealing, sheet_text, worth_seeing
from meshgui.model.moment.position import Position
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.selection import Selection
from meshgui.views.exporting.picture_files import DPI, write_picture
from meshgui.views.help.markdown_view import MarkdownView
from meshgui.views.inspector.panel import InspectorView
from meshgui.views.mesh.flat.canvas import MeshFlat
from meshgui.views.mesh.scene.source import SceneSource
from meshgui.views.style.theme import ThemeManager, stylesheet
from meshgui.views.style.theme_colours import EXPORT, Theme

A4: Final = QSize(round(210 * DPI / 25.4), round(297 * DPI / 25.4))
_MARGIN: Final = 48
_FOOT: Final = 20
_GAP: Final = 20
_CODE: Final = 0.56  # of the width
_FADE: Final = 28
_FINE: Final = 3  # pixels of the inspector's image for one of the page
_INSPECTOR: Final = 400  # its width
_LEAST: Final = 400  # the height of the pictures
_SHRUNK: Final = [1.0 - step / 40 for step in range(27)]


class _Blocks(NamedTuple):
    """The pieces of a sheet, each as wide as it is laid out."""

    idea: QTextDocument
    code: QTextDocument
    cost: QTextDocument


class FittedText(NamedTuple):
    """The text of a sheet as it has room on the page."""

    blocks: _Blocks
    scale: float  # of its letters beside those of the window: a long page is set smaller
    heights: list[float]


def write_sheet(cls: type[Strategy], themes: ThemeManager, out: Path) -> None:
    """Write the sheet of a strategy as PDF; a PictureError says why it could not be written."""
    with themes.lent(EXPORT):
        text = fitted_text(cls, themes)
        cursor = Cursor()
        recording = simulate(scenario_from(worth_seeing(cls)))
        cursor.show(recording)
        cursor.go_to(Position(*revealing(recording)))
        inspector = _inspector(cursor, themes)
        cursor.go_to(Position(cursor.position.events))  # marks of the search would need a legend
        mesh = MeshFlat(SceneSource(cursor, Selection(), themes))
        write_picture(out, partial(_paint, text, (mesh, inspector)), A4, title=cls.title)
        mesh.deleteLater()


def fitted_text(cls: type[Strategy], themes: ThemeManager) -> FittedText:
    """The text of a strategy's sheet as large as the page has room for."""
    text = sheet_text(cls)
    below = "\n\n".join(filter(None, (text.cost, text.source)))
    blocks = _Blocks(*(_block(words, themes) for words in (text.idea, text.code, below)))
    width, height = A4.width() - 2 * _MARGIN, A4.height() - 2 * _MARGIN - _FOOT
    widths = width, width * _CODE, width
    for scale in _SHRUNK:
        heights = [scale * _height(document, w / scale) for document, w in zip(blocks, widths, strict=True)]
        if heights[0] + max(heights[1], _LEAST) + heights[2] + 2 * _GAP <= height:
            break
    return FittedText(blocks, scale, heights)


def _block(words: str, themes: ThemeManager) -> QTextDocument:
    """A piece as a document of its own: that of a view is as wide as the view."""
    view = MarkdownView(themes, margin=0)
    view.show_page(words)
    document = view.document().clone()
    view.deleteLater()
    return document


def _inspector(cursor: Cursor, themes: ThemeManager) -> QImage:
    """What the inspector shows, in the colours of print also where the window has others."""
    window = QWidget()
    window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    window.setStyleSheet(stylesheet(EXPORT, themes.scale))
    inspector = InspectorView(cursor, Selection(), themes)
    inspector.setParent(window)
    size = QSize(_INSPECTOR, 2 * _INSPECTOR)
    for widget in (window, inspector):
        widget.resize(size)
    inspector.setProperty("panel", True)
    inspector.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    for area in window.findChildren(QAbstractScrollArea):
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    window.show()
    for _ in range(10):
        QCoreApplication.processEvents()
    image = QImage(size * _FINE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(_FINE)
    image.fill(EXPORT.colour("panel"))
    inspector.render(image)
    window.close()
    window.deleteLater()
    return image


def _height(document: QTextDocument, width: float) -> float:
    """The height of a piece at a width."""
    document.setTextWidth(width)
    return document.size().height()


def _paint(
    text: FittedText, pictures: tuple[MeshFlat, QImage], painter: QPainter, rect: QRectF, theme: Theme
) -> None:
    blocks, scale, heights = text
    room = rect.adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
    foot = QRectF(room.left(), room.bottom() - _FOOT, room.width(), _FOOT)
    top = room.top() + heights[0] + _GAP
    bottom = foot.top() - heights[2] - _GAP
    beside = room.width() * (1 - _CODE) - _GAP
    code, picture = room.left(), room.right() - beside
    if reads_from_the_right():
        code, picture = room.left() + beside + _GAP, room.left()
    _draw_text(painter, blocks.idea, room.topLeft(), scale)
    _draw_text(painter, blocks.code, QPointF(code, top), scale)
    _draw_pictures(painter, pictures, QRectF(picture, top, beside, bottom - top))
    _draw_text(painter, blocks.cost, QPointF(room.left(), bottom + _GAP), scale)
    painter.setPen(theme.colour("muted"))
    words = tr("MeshGUI {version}").format(version=__version__)
    painter.drawText(foot, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom), words)


def _draw_text(painter: QPainter, document: QTextDocument, at: QPointF, scale: float) -> None:
    painter.save()
    painter.translate(at)
    painter.scale(scale, scale)
    document.drawContents(painter)
    painter.restore()


def _draw_pictures(painter: QPainter, pictures: tuple[MeshFlat, QImage], room: QRectF) -> None:
    """The mesh on top, and below it the part of the inspector that has room, faded at its end."""
    mesh, inspector = pictures
    side = min(room.width(), 0.6 * room.height())
    painter.save()
    painter.translate(room.left() + (room.width() - side) / 2, room.top())
    mesh.draw_lines(painter, QSize(round(side), round(side)))
    painter.restore()
    below = QRectF(room.left(), room.top() + side + _GAP / 2, room.width(), room.height() - side - _GAP / 2)
    shown = QRectF(0, 0, inspector.width(), inspector.width() * below.height() / below.width())
    painter.drawImage(below, inspector, shown.intersected(QRectF(inspector.rect())))
    end = QRectF(below.left(), below.bottom() - _FADE, below.width(), _FADE)
    fade = QLinearGradient(end.topLeft(), end.bottomLeft())
    fade.setColorAt(0, QColor(255, 255, 255, 0))
    fade.setColorAt(1, QColor(255, 255, 255))
    painter.fillRect(end, fade)
