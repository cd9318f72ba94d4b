"""Writes a picture to a file as PNG, SVG or PDF; the file appears whole or not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSize, QSizeF, QUuid
from PySide6.QtGui import QImage, QImageWriter, QPageLayout, QPageSize, QPaintDevice, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from meshgui.engine.basics.files import os_fault, whole_file
from meshgui.engine.basics.translation import tr
from meshgui.model.base.picture_formats import SCALES, PictureError, PictureFormat, picture_format
from meshgui.views.exporting.exportable import Paint
from meshgui.views.exporting.pausing_painter import PausingPainter, png_text
from meshgui.views.exporting.svg_outlines import outlined
from meshgui.views.style.direction import among_words
from meshgui.views.style.theme_colours import EXPORT, Theme
from meshgui.views.widgets.file_progress import FileWork

DPI: Final = 96
"""Pixels per inch of a picture at scale 1, in all formats."""

_POINTS: Final = 72 / DPI
_METRE: Final = 39.3701  # inches
_LARGEST: Final = 32_767  # pixels a side: Qt paints no further
_BAND: Final = 512  # rows
_MOST: Final = 100_000_000  # pixels in all, 400 MB
_DATES: Final = re.compile(rb'/(?:Creation|Mod)Date \(D:[^)]*\)|xmp:\w+Date="[^"]*"')


def write_picture(
    path: Path,
    paint: Paint,
    size: QSize,
    *,
    theme: Theme = EXPORT,
    scale: int = 1,
    title: str = "",
    description: str = "",
    without_ending: PictureFormat | None = None,
    work: FileWork | None = None,
) -> None:
    """Draw a picture and write it. `scale` is for PNG: this many times as many pixels each way.

    With `work` the window answers meanwhile, and may stop it.
    The same picture gives the same bytes: the PDF carries no date.
    """
    try:
        form = picture_format(path, without_ending)
    except ValueError as error:
        raise PictureError(tr("The picture cannot be written: {error}.").format(error=error)) from None
    if size.isEmpty():
        raise PictureError(
            tr("The picture has no size: {width}×{height}.").format(width=size.width(), height=size.height())
        )
    if form == PictureFormat.PNG:
        image = draw_image(paint, size, theme, scale, work)
        _write(path, png_bytes(image) if work is None else work.run_interruptible(lambda: png_bytes(image)))
        return
    content = QBuffer()
    content.open(QIODevice.OpenModeFlag.WriteOnly)
    if form == PictureFormat.SVG:
        images = _write_svg(content, paint, size, theme, (title, description), work)
        data = outlined(content.data().data())
        if work is not None and images:
            data = work.run_interruptible(partial(_with_images, data, images))
    else:
        _write_pdf(content, paint, size, theme, title, work)
        data = _DATES.sub(lambda date: b" " * len(date[0]), content.data().data())
    _write(path, data)


def write_image(path: Path, image: QImage) -> None:
    """Write an image that has been drawn already, as PNG."""
    _write(path, png_bytes(image))


def png_bytes(image: QImage) -> bytes:
    """An image as the bytes of a PNG file."""
    content = QBuffer()
    content.open(QIODevice.OpenModeFlag.WriteOnly)
    if image.isNull() or not QImageWriter(content, b"png").write(image):
        raise PictureError(tr("The picture could not be made into a PNG."))
    return bytes(content.data().data())


def _write(path: Path, data: bytes | bytearray | memoryview) -> None:
    try:
        with whole_file(path) as file:
            file.write(data)
    except OSError as error:
        raise PictureError(
            tr("{path} cannot be written: {fault}.").format(path=among_words(path), fault=os_fault(error))
        ) from None


def draw_image(paint: Paint, size: QSize, theme: Theme, scale: int, work: FileWork | None = None) -> QImage:
    """Draw a picture in pixels, this many times as many each way."""
    if scale not in SCALES:
        raise PictureError(
            tr("The scale of a picture is from {SCALES} to {SCALES2}, not {scale}.").format(
                SCALES=SCALES[0], SCALES2=SCALES[-1], scale=scale
            )
        )
    pixels = size * scale
    wide, high = pixels.width(), pixels.height()
    if max(wide, high) > _LARGEST or wide * high > _MOST:
        raise PictureError(
            tr("A picture of {wide}×{high} pixels is too large: choose a smaller size or scale.").format(
                wide=wide, high=high
            )
        )
    image = QImage(pixels, QImage.Format.Format_RGB32)
    if image.isNull():
        raise PictureError(
            tr("There is not enough memory for a picture of {wide}×{high} pixels.").format(
                wide=wide, high=high
            )
        )
    with _painting(image, work) as painter:
        for top in range(0, high, _BAND):  # all at once would take long, as the system makes room only now
            painter.fillRect(0, top, wide, min(_BAND, high - top), theme.colour("panel"))
        painter.scale(scale, scale)
        paint(painter, QRectF(0, 0, size.width(), size.height()), theme)
    image.setDotsPerMeterX(round(DPI * scale * _METRE))  # only now: fonts in points would follow it
    image.setDotsPerMeterY(round(DPI * scale * _METRE))
    return image


def _write_svg(
    content: QBuffer,
    paint: Paint,
    size: QSize,
    theme: Theme,
    words: tuple[str, str],
    work: FileWork | None,
) -> dict[bytes, QImage]:
    """Write it but for large images; return those, by what holds their places."""
    generator = QSvgGenerator()
    generator.setOutputDevice(content)
    generator.setResolution(DPI)
    generator.setSize(size)
    area = QRectF(0, 0, size.width(), size.height())
    generator.setViewBox(area)
    generator.setTitle(words[0])
    generator.setDescription(words[1])
    with _painting(generator, work) as painter:
        painter.fillRect(area, theme.colour("panel"))
        paint(painter, area, theme)
    return painter.images


def _with_images(svg: bytes, images: Mapping[bytes, QImage]) -> bytes:
    """An SVG with its images in their places."""
    for stand_in, image in images.items():
        svg = svg.replace(stand_in, png_text(image), 1)
    return svg


def _write_pdf(
    content: QBuffer, paint: Paint, size: QSize, theme: Theme, title: str, work: FileWork | None
) -> None:
    writer = QPdfWriter(content)
    writer.setTitle(title)
    writer.setCreator("MeshGUI")
    writer.setDocumentId(QUuid.createUuidV5(QUuid(), title.encode()))
    writer.setResolution(DPI)
    # Qt keeps pages in whole points; so the picture takes up the fraction of one that is left.
    page = QSizeF(-(-size.width() * _POINTS // 1), -(-size.height() * _POINTS // 1))
    exact = QPageSize(page, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch)
    writer.setPageLayout(QPageLayout(exact, QPageLayout.Orientation.Portrait, QMarginsF()))
    area = QRectF(0, 0, page.width() / _POINTS, page.height() / _POINTS)
    with _painting(writer, work) as painter:
        painter.fillRect(area, theme.colour("panel"))
        paint(painter, area, theme)


@contextmanager
def _painting(device: QPaintDevice, work: FileWork | None) -> Iterator[PausingPainter]:
    """Begin a painter, and end it in any case: one left open would use freed memory of its device."""
    painter = PausingPainter(work)
    if not painter.begin(device):
        raise PictureError(tr("The picture could not be drawn."))
    try:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # else a PDF keeps images as JPEG: blurred, several times as large, and slower to make
        painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
        yield painter
    finally:
        painter.end()
