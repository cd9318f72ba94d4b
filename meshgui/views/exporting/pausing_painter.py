"""A painter that lets the window answer between the shapes it draws, and draws no more once it is stopped."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from PySide6.QtCore import QBuffer, QIODevice, QRectF
from PySide6.QtGui import QImage, QPaintEngine, QPainter

from meshgui.views.widgets.file_progress import Beside, FileWork, FileWorkStopped, at_once

__all__ = ["PausingPainter", "beside_of", "painted_by_qt", "png_text"]

_MUCH: Final = 500_000  # pixels of an image that is not coded while it is drawn
_DRAWING: Final = (
    *("drawArc", "drawChord", "drawConvexPolygon", "drawEllipse", "drawLine", "drawLines"),
    *("drawPath", "drawPicture", "drawPie", "drawPixmap", "drawPixmapFragments", "drawPoint", "drawPoints"),
    *("drawPolygon", "drawPolyline", "drawRect", "drawRects", "drawRoundedRect", "drawStaticText"),
    *("drawText", "drawTiledPixmap", "eraseRect", "fillPath", "fillRect", "strokePath"),
)


class PausingPainter(QPainter):
    """Draws what any painter does, to the same pixels."""

    def __init__(self, work: FileWork) -> None:
        super().__init__()
        self.work = work
        self.stopped = False
        self.inside_qt = False
        self.images: dict[bytes, QImage] = {}  # large ones of an SVG, by what stands there for them

    def drawImage(self, *arguments: Any) -> None:  # noqa: ANN401, N802 - all that Qt takes
        """Draw an image; into an SVG a large one later, as Qt would code it within this call."""
        image = next((given for given in arguments if isinstance(given, QImage)), None)
        if image is not None and self._codes_itself(image, arguments):
            stand_in = QImage(1, 1, QImage.Format.Format_RGB32)
            stand_in.fill(len(self.images))
            self.images[png_text(stand_in)] = image.copy()  # whose memory may be another's
            target = arguments[0]
            arguments = (target, stand_in, QRectF(stand_in.rect()))
        _pausing_image(self, *arguments)

    def _codes_itself(self, image: QImage, arguments: tuple[Any, ...]) -> bool:
        return (
            self.paintEngine().type() == QPaintEngine.Type.SVG
            and image.width() * image.height() > _MUCH
            and len(arguments) == 3
            and QRectF(arguments[2]) == QRectF(image.rect())
        )

    def pause(self) -> None:
        """Let the window answer, and raise FileWorkStopped where the user says so."""
        try:
            self.work.moment()
        except FileWorkStopped:
            self.stopped = True
            if not self.inside_qt:
                raise


def _pausing(name: str) -> Callable[..., Any]:
    draw = getattr(QPainter, name)

    def call(painter: PausingPainter, *arguments: Any) -> Any:  # noqa: ANN401 - all that Qt takes
        if painter.stopped:
            return None
        drawn = draw(painter, *arguments)
        painter.pause()
        return drawn

    return call


for _name in _DRAWING:
    setattr(PausingPainter, _name, _pausing(_name))
_pausing_image = _pausing("drawImage")


def png_text(image: QImage) -> bytes:
    """An image as it stands in an SVG."""
    content = QBuffer()
    content.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(content, "PNG")  # type: ignore[call-overload] # as Qt's SVG does
    return b64encode(content.data().data())


def beside_of(painter: QPainter) -> Beside:
    """What calls something while the window answers, where a painter lets it; else calls it at once."""
    return painter.work.beside if isinstance(painter, PausingPainter) else at_once


@contextmanager
def painted_by_qt(painter: QPainter) -> Iterator[None]:
    """A block in which Qt calls what draws, through which no error passes: FileWorkStopped comes after it."""
    if not isinstance(painter, PausingPainter):
        yield
        return
    painter.inside_qt = True
    try:
        yield
    finally:
        painter.inside_qt = False
    if painter.stopped:
        raise FileWorkStopped
