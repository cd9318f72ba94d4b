"""A painter that lets the window answer between the shapes it draws, and draws no more once it is stopped."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from PySide6.QtCore import QBuffer, QIODevice, QRectF
from PySide6.QtGui import QImage, QPaintEngine, QPainter

from meshgui.engine.basics.work import Stopped
from meshgui.views.widgets.file_progress import FileWork, Runner, at_once

T = TypeVar("T")
_MUCH: Final = 500_000  # pixels of an image that is not coded in one go while it is drawn
_DRAWING: Final = (
    *("drawEllipse", "drawLine", "drawLines", "drawPath", "drawPixmap", "drawPoints", "drawPolygon"),
    *("drawPolyline", "drawRect", "drawRoundedRect", "drawText", "fillPath", "fillRect", "strokePath"),
)
"""What pictures are drawn by. Qt offers no hook there: the paint engine it calls for a shape is its own."""


class PausingPainter(QPainter):
    """Draws what any painter does, to the same pixels; without work it does not pause."""

    def __init__(self, work: FileWork | None) -> None:
        super().__init__()
        self.work = work
        self.stopped = False
        self.images: dict[bytes, QImage] = {}  # large ones of an SVG, by what stands there for them
        self._saved = 0  # states that are not restored yet

    def drawImage(self, *arguments: Any) -> None:  # noqa: ANN401, N802 - all that Qt takes
        """Draw an image. A large one, coded within a call, is put into an SVG later, into a PDF in bands."""
        image = next((given for given in arguments if isinstance(given, QImage)), None)
        engine = self.paintEngine().type()
        later = engine == QPaintEngine.Type.SVG and self.work is not None
        bands = engine == QPaintEngine.Type.Pdf
        if image is None or not (later or bands) or not _is_large(image, arguments):
            _pausing_image(self, *arguments)
        elif later:
            stand_in = QImage(1, 1, QImage.Format.Format_RGB32)
            stand_in.fill(len(self.images))
            self.images[png_text(stand_in)] = image.copy()  # whose memory may be another's
            _pausing_image(self, arguments[0], stand_in, QRectF(stand_in.rect()))
        else:
            target, wide, high = QRectF(arguments[0]), image.width(), image.height()
            rows, stretch = -(-_MUCH // wide), target.height() / high
            for top in range(0, high, rows):
                # One row more, which the next band covers: else what is behind would shine through the seam.
                band = image.copy(0, top, wide, min(rows + 1, high - top))
                place = QRectF(
                    target.left(), target.top() + top * stretch, target.width(), band.height() * stretch
                )
                _pausing_image(self, place, band, QRectF(band.rect()))

    def save(self) -> None:
        """Keep the state."""
        super().save()
        self._saved += 1

    def restore(self) -> None:
        """Take the latest state back; where drawing was stopped all are taken back."""
        if self._saved:
            self._saved -= 1
            super().restore()

    def pause(self) -> None:
        """Let the window answer, and raise Stopped where the user says so."""
        if self.work is not None:
            with self._stopping():
                self.work.look()

    def run_interruptible(self, make: Callable[[], T]) -> T:
        """Call something, while the window answers where the painter lets it."""
        if self.work is None:
            return make()
        with self._stopping():
            return self.work.run_interruptible(make)

    @contextmanager
    def _stopping(self) -> Iterator[None]:
        """A block in which the user may stop the drawing: what follows takes no state back then."""
        try:
            yield
        except Stopped:
            self.stopped = True
            while self._saved:
                self.restore()
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


def _is_large(image: QImage, arguments: tuple[Any, ...]) -> bool:
    """Whether Qt would take long to code an image that is drawn as a whole."""
    whole = len(arguments) == 3 and QRectF(arguments[2]) == QRectF(image.rect())
    return whole and image.width() * image.height() > _MUCH


def png_text(image: QImage) -> bytes:
    """An image as an SVG holds it."""
    content = QBuffer()
    content.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(content, "PNG")  # type: ignore[call-overload] # as Qt's SVG does
    return b64encode(content.data().data())


def runner_of(painter: QPainter) -> Runner:
    """What calls something while the window answers, where a painter lets it; else calls it at once."""
    return painter.run_interruptible if isinstance(painter, PausingPainter) else at_once
