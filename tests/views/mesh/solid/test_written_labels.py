"""What the graphics card writes over the mesh looks as a painter writes it, and a turn does little work."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, QSize
from PySide6.QtGui import QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication

from meshgui.views.mesh.solid.glyphs import GlyphSheet
from meshgui.views.style import colours
from meshgui.views.style.lettering import LETTERS, Labels, letter_sizes, letters_of, text_of
from tests.views.mesh.mesh_fixtures import SOLIDS, after_all_started, inside_attempt, pixels

SIZE = QSize(600, 500)


@pytest.fixture
def make(solid, themes):
    """Shows a 3D view of a cursor at rest, without a pointer over it."""

    def made(cursor, mode="light", scale=1.0):
        themes.set_scale(scale)
        view = solid(cursor, SIZE.toTuple(), mode)
        QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
        view.come_to_rest()
        return view

    return made


def label(text, x, y, size=12, *, strong=True):
    """One label in black."""
    black = np.array([[0, 0, 0, 1]], dtype=np.float32)
    place, looks = np.array([[x, y]]), (np.array([size]), np.array([strong]), black)
    return Labels(place, letters_of(np.array([int(text)])), *looks)


@pytest.mark.parametrize("number", [0, 7, 10, 305, 1_000_000, 2_147_483_647])
def test_numbers_are_written_with_their_digits(number):
    """None is missing, and no zero stands before the first."""
    (letters,) = letters_of(np.array([number]))
    assert text_of(letters) == str(number)


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0, 2.5])
@pytest.mark.parametrize("size", [8, 12, 24])
def test_letters_lie_where_a_painter_writes_them(themes, ratio, size):
    """At every ratio of pixels: they have as much ink, around the same middle."""
    sheet, labels = GlyphSheet(ratio), label("128", 40.3, 20.6, size)
    parts = sheet.parts(labels)
    across, down = round(80 * ratio), round(40 * ratio)
    written = np.zeros((down, across))
    for x, y, u, v, width, height in parts[:, :6].astype(int).tolist():
        written[y : y + height, x : x + width] += sheet.cover[v : v + height, u : u + width]
    image = QImage(across, down, QImage.Format.Format_RGB32)
    image.fill(0)
    image.setDevicePixelRatio(ratio)
    with QPainter(image) as painter:
        font = themes.text("body")
        font.setPixelSize(size)
        font.setWeight(font.Weight.DemiBold)
        painter.setPen("white")
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        left = 40.3 - metrics.horizontalAdvance("128") / 2
        painter.drawText(QPointF(left, 20.6 + metrics.capHeight() / 2), "128")
    painted = pixels(image)[..., 0]
    assert written.sum() == pytest.approx(painted.sum(), rel=0.03)
    rows, columns = np.indices(written.shape)
    for places in (rows, columns):
        middles = [(places * ink).sum() / ink.sum() for ink in (written, painted)]
        assert middles[0] == pytest.approx(middles[1], abs=0.6)


def test_digits_of_a_label_keep_their_distances(themes):
    """From letter to letter by the width of a digit, to a quarter of a pixel."""
    sheet = GlyphSheet(1.0)
    parts = sheet.parts(label("1111", 100.0, 20.0))
    phases = (parts[:, 3] - parts[0, 3]) / parts[0, 5]
    lefts = parts[:, 0] + (phases - phases.min()) / 4
    width = letter_sizes(12, strong=True)[0]
    assert np.abs(np.diff(lefts) - width).max() <= 0.26


@pytest.mark.parametrize(("mode", "scale"), [("light", 1.0), ("dark", 1.0), ("light", 2.0)])
def test_the_screen_shows_what_a_painter_writes_into_a_picture(make, mode, scale):
    """The same labels and legend at the same places: the colours of blocks of ten pixels are close."""
    for cursor in (after_all_started((4, 4, 4), SOLIDS), inside_attempt((4, 4, 4), SOLIDS, "tbl")):
        view = make(cursor, mode, scale)
        shown, still = (
            pixels(image)[:500, :600] for image in (view.grabFramebuffer(), view.grab_image(SIZE))
        )
        means = [image.reshape(50, 10, 60, 10, 3).mean(axis=(1, 3)) for image in (shown, still)]
        assert np.abs(means[0] - means[1]).max() < 24


def test_a_turn_works_out_nothing_that_it_does_not_change(make, monkeypatch):
    """No text is painted or measured, no contrast is worked out, no letter and no legend is drawn again."""
    view = make(inside_attempt((4, 4, 4), SOLIDS, "tbl"))

    def turned():
        for _ in range(20):
            view.turn(1.5, 0.0)
            view.grabFramebuffer()

    turned()
    before, done = view.pose, []
    for owner, name in (
        (QPainter, "drawText"),
        (QFontMetricsF, "horizontalAdvance"),
        (colours, "ink_on"),
        (GlyphSheet, "_draw"),
    ):
        monkeypatch.setattr(owner, name, lambda *_, name=name: done.append(name))
    view.turn(-30.0, 0.0)
    turned()
    assert view.pose.azimuth == pytest.approx(before.azimuth)
    assert done == []


def test_the_legend_follows_what_it_explains(make):
    """Painted once, it is painted again where the attempt, the theme or the size of text has changed."""
    cursor = inside_attempt((4, 4, 4), SOLIDS, "tbl")
    view = make(cursor)
    top = np.s_[4:24, 300:]
    first = pixels(view.grabFramebuffer())[top]
    view.source.themes.set_mode("dark")
    dark = pixels(view.grabFramebuffer())[top]
    assert first.mean() > 150 > dark.mean()
    cursor.go_to(cursor.position._replace(attempt=None, step=0))
    assert np.abs(pixels(view.grabFramebuffer())[top] - dark).max() > 60


def test_every_label_is_made_of_letters_of_the_sheet():
    """Numbers and the names of the axes."""
    assert set(LETTERS) == set("0123456789xyz")
