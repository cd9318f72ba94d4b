"""A picture written as PNG, SVG or PDF says when read back what was drawn."""

import os
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage

from meshgui.model.base.picture_formats import PictureError
from meshgui.views.exporting.picture_files import DPI, write_picture
from meshgui.views.style.fonts import mono_font, text_font
from meshgui.views.style.theme import DARK
from tests.crashes import full_disk
from tests.views.conftest import handle_events
from tests.views.reading import pdf_fonts, pdf_images, pdf_page, pdf_strokes, svg_size, svg_texts

SIZE = QSize(301, 203)


def paint(painter, rect, theme):
    """A square of the accent in the corner, a frame, and words in both faces."""
    painter.fillRect(QRectF(0, 0, 20, 20), theme.colour("accent"))
    painter.setPen(theme.colour("text"))
    painter.drawRect(rect.adjusted(4, 4, -4, -4))
    painter.setFont(text_font(15))
    painter.drawText(QPointF(40, 60), "Latency & blocking → 12.5")
    painter.setFont(mono_font(13))
    painter.drawText(QPointF(40, 100), "for each box")


@pytest.mark.parametrize("scale", [1, 3, 8])
def test_a_png_has_the_size_and_the_colours(qapp, tmp_path, scale):
    """A multiple of the pixels, sharp, on white, as large on paper at any scale."""
    out = tmp_path / "p.png"
    write_picture(out, paint, SIZE, scale=scale)
    image = QImage(str(out))
    assert image.size() == SIZE * scale
    assert image.pixelColor(10 * scale, 10 * scale) == QColor("#5b45d6")
    assert image.pixelColor(20 * scale - 1, 10 * scale) == QColor("#5b45d6")
    assert image.pixelColor(40 * scale, 30 * scale) == QColor("#ffffff")
    assert image.dotsPerMeterX() == pytest.approx(DPI * scale / 0.0254, rel=1e-3)


def test_a_dark_picture_is_dark_and_an_svg_is_xml_with_its_words(qapp, tmp_path):
    """The ground and the ink are the theme's."""
    for name in ("p.png", "p.svg"):
        write_picture(tmp_path / name, paint, SIZE, theme=DARK)
    assert QImage(str(tmp_path / "p.png")).pixelColor(40, 30) == QColor(DARK.panel)
    assert DARK.panel in (tmp_path / "p.svg").read_text("utf-8")
    # Title, description, size and texts can be read in it, signs of XML in them or not
    out = tmp_path / "p.svg"
    write_picture(out, paint, SIZE, title="A <b> & c", description="Two words")
    assert svg_size(out) == ("A <b> & c", "Two words", (301.0, 203.0))
    assert svg_texts(out) == ["Latency & blocking → 12.5", "for each box"]


@pytest.mark.parametrize(("size", "points"), [((400, 300), (300, 225)), ((301, 203), (226, 153))])
def test_a_pdf_has_its_page_and_its_fonts(qapp, tmp_path, size, points):
    """The page is the picture, to the next whole point, and the letters come with it."""
    out = tmp_path / "p.pdf"
    write_picture(out, paint, QSize(*size), title="A picture")
    assert pdf_page(out) == points
    assert pdf_fonts(out) == {"Inter-Regular", "JetBrainsMono-Regular"}
    strokes = pdf_strokes(out)
    assert b"Tj" in strokes or b"TJ" in strokes  # letters, not their outlines
    assert b"/Subtype /Image" not in out.read_bytes()


def test_a_pdf_keeps_the_pixels_of_an_image_whatever_its_size(qapp, tmp_path):
    """A large one is coded in bands, each over the end of the last; the window answers between them."""
    pixels = np.random.default_rng(1).integers(0, 256, (1300, 900, 3), dtype=np.uint8)
    image = QImage(pixels.data, 900, 1300, 2700, QImage.Format.Format_RGB888)
    answered = []

    def draw(painter, rect, theme):
        painter.drawImage(rect, image, QRectF(image.rect()))

    write_picture(tmp_path / "whole.pdf", draw, QSize(900, 1300))
    work = SimpleNamespace(look=lambda: answered.append(1))
    write_picture(tmp_path / "bands.pdf", draw, QSize(900, 1300), work=work)
    *bands, last = pdf_images(tmp_path / "bands.pdf")
    assert (tmp_path / "bands.pdf").read_bytes() == (tmp_path / "whole.pdf").read_bytes()
    assert len(answered) > len(bands) > 1
    assert np.array_equal(np.concatenate([band[:-1] for band in bands] + [last]), pixels)
    for band, following in pairwise([*bands, last]):
        assert np.array_equal(band[-1], following[0])


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_the_same_picture_gives_the_same_bytes_and_a_failure_leaves_the_old_file(
    qapp, tmp_path, ending, monkeypatch
):
    """Whenever it is drawn: no file carries a date or a number drawn by lot."""
    first, second = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    write_picture(first, paint, SIZE, title="A picture")
    handle_events()
    write_picture(second, paint, SIZE, title="A picture")
    assert first.read_bytes() == second.read_bytes()
    assert b"Date" not in first.read_bytes()
    # A disk that is full on the way: one sentence, the old picture whole, and nothing beside it
    out = tmp_path / f"p.{ending}"
    write_picture(out, paint, SIZE)
    before = out.read_bytes()
    message = r"cannot be written: no space left on device\.$"
    with full_disk(), pytest.raises(PictureError, match=message):
        write_picture(out, paint, SIZE * 2)
    assert out.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == [first, second, out]


@pytest.mark.parametrize("name", ["p.jpg", "p", ".png", "p.pdf.txt"])
def test_other_endings_are_refused(qapp, tmp_path, name):
    """One sentence says which there are, and no file is left; nor is a folder made that is missing."""
    with pytest.raises(PictureError, match=r"expected a name that ends in \.png, \.svg or \.pdf"):
        write_picture(tmp_path / name, paint, SIZE)
    for ending in ("png", "svg", "pdf"):
        with pytest.raises(PictureError, match="cannot be written: no such file or directory"):
            write_picture(tmp_path / "missing" / f"p.{ending}", paint, SIZE)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_that_may_not_be_written(qapp, tmp_path):
    """One sentence says so."""
    tmp_path.chmod(0o500)
    with pytest.raises(PictureError, match="cannot be written: permission denied"):
        write_picture(tmp_path / "p.png", paint, SIZE)
    tmp_path.chmod(0o700)


@pytest.mark.parametrize(
    ("size", "scale", "words"),
    [
        ((0, 10), 1, "no size"),
        ((301, 203), 9, "from 1 to 8, not 9"),
        ((5000, 5000), 8, "40000×40000 pixels is too large"),
    ],
)
def test_what_cannot_be_a_picture(qapp, tmp_path, size, scale, words):
    """No size, a scale there is not, and more pixels than there can be: a sentence each."""
    with pytest.raises(PictureError, match=words):
        write_picture(tmp_path / "p.png", paint, QSize(*size), scale=scale)


def test_lines_keep_their_width_and_a_painter_that_fails_leaves_nothing_open(qapp, tmp_path):
    """What goes wrong while drawing comes through, and the next picture is drawn."""

    def fail(painter, rect, theme):
        raise PictureError("It cannot be drawn.")

    for ending in ("png", "svg", "pdf"):
        with pytest.raises(PictureError, match="It cannot be drawn"):
            write_picture(tmp_path / f"p.{ending}", fail, SIZE)
        write_picture(tmp_path / f"q.{ending}", paint, SIZE)
    assert not list(tmp_path.glob("p.*"))

    # A line of two pixels is six pixels at scale 3
    def line(painter, rect, theme):
        painter.setRenderHint(painter.RenderHint.Antialiasing, on=False)
        painter.fillRect(QRectF(0, 50, 100, 2), Qt.GlobalColor.black)

    for scale in (1, 3):
        write_picture(tmp_path / "p.png", line, QSize(100, 100), scale=scale)
        image = QImage(str(tmp_path / "p.png"))
        dark = [y for y in range(image.height()) if image.pixelColor(50, y) == QColor("black")]
        assert len(dark) == 2 * scale
