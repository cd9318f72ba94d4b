"""An exported picture looks the same in other viewers as in the program."""

import shutil
import subprocess
import sys

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF
from PySide6.QtSvg import QSvgRenderer

from meshgui.views.exporting.picture_files import write_picture
from meshgui.views.style.fonts import mono_font, text_font

SIZE = QSize(420, 260)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def paint(painter, rect, theme):
    """Words in three sizes, turned ones, and lines of a constant width under an uneven scale."""
    painter.fillRect(rect, theme.colour("panel"))
    painter.setPen(theme.colour("text"))
    texts = (
        (text_font(24), "Turnaround → 12.5"),
        (text_font(13), "in use 57 %"),
        (mono_font(13), "for each box"),
    )
    for row, (font, words) in enumerate(texts):
        painter.setFont(font)
        painter.drawText(QPointF(20, 40 + 34 * row), words)
    painter.save()
    painter.translate(16, 240)
    painter.rotate(-90)
    painter.drawText(QRectF(0, 0, 120, 20), int(Qt.AlignmentFlag.AlignLeft), "time units")
    painter.restore()
    painter.translate(60, 240)
    painter.scale(3.0, -0.25)
    pen = QPen(QColor("#0072b2"), 4.0)
    pen.setCosmetic(True)
    painter.setPen(pen)
    painter.drawPolyline(QPolygonF([QPointF(0, 0), QPointF(40, 300), QPointF(110, 120)]))
    painter.drawRect(QRectF(5, 20, 40, 200))


def with_qt(svg, out):
    """Qt's own renderer, which ignores what is not of SVG Tiny."""
    image = QImage(SIZE, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    QSvgRenderer(str(svg)).render(painter)
    painter.end()
    image.save(str(out))


def with_rsvg(svg, out):
    """Librsvg, as in file managers."""
    if shutil.which("rsvg-convert") is None:
        pytest.skip("rsvg-convert is not installed")
    size = ["-w", str(SIZE.width()), "-h", str(SIZE.height())]
    subprocess.run(["rsvg-convert", *size, "-o", str(out), str(svg)], check=True, timeout=120)


def with_cairosvg(svg, out):
    """CairoSVG, as in documentation tools."""
    write = "import sys, cairosvg; cairosvg.svg2png(url=sys.argv[1], write_to=sys.argv[2], output_width=420)"
    subprocess.run([sys.executable, "-c", write, str(svg), str(out)], check=True, timeout=120)


def with_a_browser(svg, out):
    """The engine of Chromium."""
    browser = next((name for name in BROWSERS if shutil.which(name)), None)
    if browser is None:
        pytest.skip("chromium is not installed")
    page = svg.with_suffix(".html")
    page.write_text(f'<body style="margin:0"><img src="{svg.name}" width="{SIZE.width()}"></body>', "utf-8")
    where = [f"--screenshot={out}", f"--window-size={SIZE.width()},{SIZE.height()}", page.as_uri()]
    subprocess.run(
        [browser, "--headless", "--no-sandbox", "--hide-scrollbars", *where], check=True, timeout=240
    )


def ink(path):
    """How dark each part of a picture is, in squares of five pixels."""
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_Grayscale8)
    assert image.size() == SIZE
    flat = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), image.bytesPerLine())
    dark = 255.0 - flat[:, : image.width()]
    return dark.reshape(SIZE.height() // 5, 5, SIZE.width() // 5, 5).mean(axis=(1, 3))


@pytest.mark.parametrize("viewer", [with_qt, with_rsvg, with_cairosvg, with_a_browser])
def test_an_svg_looks_like_the_png_in_each_viewer(qapp, tmp_path, viewer):
    """Letters and lines lie in the same places, as dark as in the program."""
    png, svg, seen = tmp_path / "p.png", tmp_path / "p.svg", tmp_path / "seen.png"
    write_picture(png, paint, SIZE)
    write_picture(svg, paint, SIZE)
    viewer(svg, seen)
    wanted, found = ink(png), ink(seen)
    assert abs(found.sum() / wanted.sum() - 1) < 0.08
    assert np.corrcoef(wanted.ravel(), found.ravel())[0, 1] > 0.95


def test_the_words_of_a_pdf_can_be_searched(qapp, tmp_path):
    """Its fonts map their letters to characters, and pdftotext finds the words."""
    out = tmp_path / "p.pdf"
    write_picture(out, paint, SIZE)
    assert out.read_bytes().count(b"/ToUnicode") >= 2
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed")
    done = subprocess.run(
        ["pdftotext", str(out), "-"], check=True, capture_output=True, text=True, timeout=120
    )
    assert "for each box" in done.stdout
