"""Wherever a colour tells something, a second sign does: a reader who sees no hues reads the same."""

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from meshgui.catalogue.judging import Verdict
from meshgui.engine.allocation.inspection import NodeKind
from meshgui.engine.allocation.steps import Role
from meshgui.model.scene.marks import LegendEntry
from meshgui.model.scene.solid_layout import DIAGONALS, box_segments, dashed
from meshgui.model.studies.verdict_looks import LOOKS
from meshgui.views.charts.series_look import series_pen, series_signs, symbol_outline
from meshgui.views.gallery.verdict_look import paint_counts
from meshgui.views.inspector.tree_picture import KIND_WORDS, sample
from meshgui.views.mesh.scene.legend import draw_legend, place_legend
from meshgui.views.panels.code_pane import CodePane
from meshgui.views.style.theme import ThemeManager
from meshgui.views.window.main_window import MainWindow
from tests.views.conftest import handle_events
from tests.views.window.conftest import lecture, make_window, window, window_size  # noqa: F401 - fixtures

LEAST = 1.25  # the contrast by which two greys are told apart side by side


@pytest.fixture(params=["light", "dark"])
def dressed(request: pytest.FixtureRequest, themes: ThemeManager) -> ThemeManager:
    """Either theme."""
    themes.set_mode(request.param)
    return themes


def greys(image: QImage) -> np.ndarray:
    """The brightness of each pixel: all that is left where hues are not seen."""
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(grey.constBits(), np.uint8).reshape(grey.height(), -1)
    return ((rows[:, : grey.width()] / 255.0) ** 2.2).copy()


def told_apart(one: QImage, other: QImage, least: float = LEAST) -> int:
    """The pixels by which two pictures of one size differ without their hues."""
    a, b = greys(one), greys(other)
    return int(((np.maximum(a, b) + 0.05) / (np.minimum(a, b) + 0.05) >= least).sum())


def drawn(size: QSize, themes: ThemeManager, draw) -> QImage:
    """A picture on the ground of a panel."""
    image = QImage(size, QImage.Format.Format_RGB32)
    image.fill(themes.theme.colour("panel"))
    with QPainter(image) as painter:
        draw(painter)
    return image


def test_roles_of_an_attempt_differ_in_outline_fill_or_shape(dressed: ThemeManager):
    """With the same colours and width for all: what is prohibited is dashed, what rules it out is crossed."""
    fill, edge = dressed.theme.rgba("base", 0.3), dressed.theme.rgba("base", 1.0)

    def look(role: Role) -> QImage:
        entry = LegendEntry("", fill, edge, 2.0, role)
        placed = place_legend(QSize(80, 30), (entry,), dressed, [])
        return drawn(QSize(80, 30), dressed, lambda p: draw_legend(p, placed))

    for one, other in combinations((Role.CANDIDATE, Role.PROHIBITED, Role.BLOCKED), 2):
        assert told_apart(look(one), look(other)) >= 6, (one, other)


def test_in_space_what_is_prohibited_is_dashed_and_what_rules_it_out_crossed():
    """Dashes lie on the edges and cover little more than half of them; diagonals lie in all six faces."""
    low, high = np.zeros((1, 3), np.float32), np.full((1, 3), 3.0, np.float32)
    edges = box_segments(low, high, (0, 0, 0, 1), 1.5)
    cut = dashed(edges)
    length = [float(np.linalg.norm(part[:, 3:6] - part[:, :3], axis=1).sum()) for part in (edges, cut)]
    assert 0.5 < length[1] / length[0] < 0.75
    assert len(cut) == 9 * len(edges)
    corners = np.concatenate((cut[:, :3], cut[:, 3:6]))
    assert (np.isclose(corners, 0) | np.isclose(corners, 3)).sum(axis=1).min() >= 2
    crosses = box_segments(low, high, (0, 0, 0, 1), 3.0, DIAGONALS)
    assert len(crosses) == 12
    assert np.allclose(np.linalg.norm(crosses[:, 3:6] - crosses[:, :3], axis=1), 3 * np.sqrt(2))


def test_series_differ_in_symbol_or_dash():
    """As many as there are colours by their symbols, the next round by its dashes too."""
    outlines = [tuple((p.x(), p.y()) for p in symbol_outline(place, 5.0)) for place in range(8)]
    assert len(set(outlines)) == 8
    signs = [series_signs(place)[1:] for place in range(32)]
    assert len(set(signs)) == len(signs)
    dashes = {tuple(series_pen(place, "light", 2.0).dashPattern()) for place in (0, 8, 16, 24)}
    assert len(dashes) == 4


def test_verdicts_have_a_sign_and_a_word(dressed: ThemeManager):
    """Each sign is drawn beside its count, and no two look the same."""
    assert set(LOOKS) == set(Verdict)
    assert len({look.sign for look in LOOKS.values()}) == len({v.words for v in LOOKS}) == len(LOOKS)

    def look(verdict: Verdict) -> QImage:
        room = QRectF(0, 0, 60, 20)
        return drawn(QSize(60, 20), dressed, lambda p: paint_counts(p, dressed, room, {verdict: 1}))

    for one, other in combinations(LOOKS, 2):
        assert told_apart(look(one), look(other)) >= 4, (one, other)


def test_kinds_of_nodes_in_a_tree_differ_without_their_hues(dressed: ThemeManager):
    """By brightness, dashes or a sign; each kind has a word."""
    assert set(KIND_WORDS) == set(NodeKind)
    room = QRectF(4, 4, 22, 22)

    def look(kind: NodeKind, reserved: bool = False) -> QImage:
        size = QSize(30, 30)
        return drawn(size, dressed, lambda p: sample(p, kind, room, dressed, reserved=reserved))

    for one, other in combinations(NodeKind, 2):
        assert told_apart(look(one), look(other)) >= 12, (one, other)
    assert told_apart(look(NodeKind.BUSY), look(NodeKind.BUSY, reserved=True)) >= 12


def test_breakpoints_and_the_current_line_are_shapes(lecture: MainWindow, qtbot: QtBot):  # noqa: F811
    """A disc and a bar in the code, and words in its table."""
    lecture.time_cursor.go_to(lecture.time_cursor.following)
    pane = lecture.algorithm.findChild(CodePane)
    line = next(n for n in range(len(pane.lines)) if n != pane.current)
    without = pane.grab(pane.line_rect(line)).toImage()
    pane.stop_toggled.emit(line)
    assert told_apart(without, pane.grab(pane.line_rect(line)).toImage()) >= 12
    [table] = lecture.algorithm.tables()
    marked = [row[2] for row in table.rows]
    assert "breakpoint" in marked[line]
    assert "current line" in marked[pane.current]
    bar = QRect(pane.line_rect(pane.current).topLeft(), QSize(3, 12))
    plain = QRect(pane.line_rect(line).topLeft(), QSize(3, 12))
    assert told_apart(pane.grab(bar).toImage(), pane.grab(plain).toImage()) >= 30


def test_the_selected_row_has_edges(lecture: MainWindow, qtbot: QtBot):  # noqa: F811
    """Beside its tint, which a poor projector loses."""
    lecture.time_cursor.go_to_time(2.5)
    table, job = lecture.queue.running.table, lecture.time_cursor.view.snapshot.running.tolist()[0]
    lecture.selection.select(None)
    handle_events()
    row = QRect(0, table.rowViewportPosition(0), table.viewport().width(), table.rowHeight(0))
    without = table.viewport().grab(row).toImage()
    lecture.selection.select(job)
    handle_events()
    edges = 2 * table.horizontalHeader().length()
    assert told_apart(without, table.viewport().grab(row).toImage(), 3.0) >= edges
