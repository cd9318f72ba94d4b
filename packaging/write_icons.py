"""Draws the icons of the program and of its files in all sizes: `write_icons.py FOLDER`.

FOLDER gets the tree of an icon theme (hicolor), and beside it `meshgui.ico` for Windows and
`meshgui.iconset`, of which macOS's `iconutil` makes an `.icns`.
"""

import os
import struct
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "resources" / "program-icon.svg"
DOCUMENT = ROOT / "packaging" / "desktop" / "document-icon.svg"
SIZES = (16, 22, 24, 32, 48, 64, 96, 128, 256, 512)
DOCUMENT_NAME = "application-x-meshgui-scenario+json"
WINDOWS_SIZES = (16, 24, 32, 48, 64, 128, 256)


def drawn(source: Path, size: int) -> bytes:
    """An icon as PNG."""
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(str(source)).render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())


def write(file: Path, data: bytes) -> None:
    """Write a file, with its folders."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


def windows_icon(source: Path) -> bytes:
    """All sizes in one file, each as PNG."""
    pictures = [(size, drawn(source, size)) for size in WINDOWS_SIZES]
    head, offset = struct.pack("<HHH", 0, 1, len(pictures)), 6 + 16 * len(pictures)
    for size, data in pictures:
        head += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(data), offset)
        offset += len(data)
    return head + b"".join(data for _, data in pictures)


def write_icons(folder: Path) -> None:
    """Write all."""
    theme = folder / "hicolor"
    for source, place, name in ((PROGRAM, "apps", "meshgui"), (DOCUMENT, "mimetypes", DOCUMENT_NAME)):
        for size in SIZES:
            write(theme / f"{size}x{size}" / place / f"{name}.png", drawn(source, size))
        write(theme / "scalable" / place / f"{name}.svg", source.read_bytes())
    write(folder / "meshgui.ico", windows_icon(PROGRAM))
    for size in (16, 32, 128, 256, 512):
        for scale, mark in ((1, ""), (2, "@2x")):
            write(folder / "meshgui.iconset" / f"icon_{size}x{size}{mark}.png", drawn(PROGRAM, size * scale))


if __name__ == "__main__":
    application = QGuiApplication([])
    write_icons(Path(sys.argv[1]))
