"""Draws a tree: the places of its nodes at full size, and the look of each kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen

from meshgui.engine.allocation.inspection import NodeKind, TreeNode
from meshgui.engine.basics.translation import tr
from meshgui.model.scene.colours import ink_on
from meshgui.views.inspector.tree_layout import tidy
from meshgui.views.style.fonts import text_font
from meshgui.views.style.theme import SIZES, Dress
from meshgui.views.style.theme_colours import Theme
from meshgui.views.widgets.labels import paint_job
from meshgui.views.widgets.table_painting import RowLook

KIND_WORDS: Final = {
    NodeKind.FREE: tr("free"),
    NodeKind.BUSY: tr("busy"),
    NodeKind.INTERNAL: tr("divided"),
    NodeKind.OPEN: tr("to be tried"),
    NodeKind.PLACED: tr("found"),
    NodeKind.FAILED: tr("failed"),
}

_HEIGHT: Final = 22  # of a node; it is no narrower
_LEAST: Final = 10  # of a disc under a number, where rows are squeezed
_BETWEEN: Final = 10  # neighbours
_BETWEEN_BARE: Final = 5  # discs
_LEVELS: Final = 14  # from the foot of a node to the head of what is below it, when nothing is squeezed
_LEVELS_LEAST: Final = 3
_LEVELS_MOST: Final = 40
_SHARE: Final = 0.62  # of the height between numbers that a squeezed node takes
_ABOVE: Final = 4  # around the number over a node
_SPREAD: Final = 1.6  # nodes with words are drawn apart by no more than this
_SPREAD_BARE: Final = 3.0
_SMALLEST: Final = 0.12  # a larger tree is not seen whole at once
_LARGEST: Final = 1.6  # in a picture that is wide enough
_ROOMY: Final = 600  # from this width on a tree may be larger than its words elsewhere
_PADDING: Final = 8  # beside a node's words
_SIGN: Final = 9  # the side of a job's swatch, and of the cross of a failed node
_SIGN_SHARE: Final = 0.55  # of a squeezed node's height, at most
_ELIDED: Final = 1.6  # words that need more than this many times their room are left out
_READABLE: Final = 8  # pixels; smaller words are left out


@dataclass(frozen=True)
class TreePicture:
    """The place of each node, in pixels at a scale of 1, and the scale at which the whole tree is visible."""

    rects: dict[int, QRectF]
    size: QSizeF
    scale: float

    @classmethod
    def of(cls, nodes: Sequence[TreeNode], themes: Dress, room: QSizeF) -> TreePicture:
        """Lay nodes out for a room: rows are squeezed first, then words go, then numbers, then size."""
        full = _Plan(nodes, themes, words=True, numbers=True)
        most = min(max(room.width() / themes.px(_ROOMY), 1.0), _LARGEST)
        scale = max(min(full.fits(room, squeezed=False), most), 1.0)
        numbered = _Plan(nodes, themes, words=False, numbers=True)
        for plan in (full, numbered):
            if plan.fits(room, squeezed=True) >= 1.0:
                return plan.picture(room, scale)
        bare = _Plan(nodes, themes, words=False, numbers=False)
        return bare.picture(room, min(max(bare.fits(room, squeezed=True), _SMALLEST), 1.0))


class _Plan:
    """One way to draw a tree: with all its words or as discs, and with the numbers over nodes or without."""

    def __init__(self, nodes: Sequence[TreeNode], themes: Dress, *, words: bool, numbers: bool) -> None:
        self._px, self._words = themes.px, words
        metrics = QFontMetricsF(themes.text("caption"))
        px, self._line = themes.px, metrics.height()
        numbered = numbers and any(node.above for node in nodes)
        self._above = metrics.capHeight() + px(_ABOVE) if numbered else 0.0
        self._least = self._line if words else float(px(_LEAST if numbers else _HEIGHT))
        self._worded: dict[int, float] = {}
        self._widths: dict[int, float] = {}
        for node in nodes:
            label = metrics.horizontalAdvance(node.label) + 2 * px(_PADDING) if node.label else 0.0
            signs = px(_SIGN) + px(4) if node.label and _has_sign(node) else 0.0
            above = metrics.horizontalAdvance(node.above) if numbers else 0.0
            least = self._least if numbers else px(_HEIGHT)
            self._worded[node.key] = max(px(_HEIGHT), label + signs, above)
            self._widths[node.key] = self._worded[node.key] if words else max(least, above)
        self._gap = px(_BETWEEN if words else _BETWEEN_BARE)
        self._positions = tidy(nodes, lambda node: self._widths[node.key], self._gap)
        self._rows = 1 + max((spot.level for spot in self._positions.values()), default=0)
        self._right = max(
            (spot.x + self._widths[key] / 2 for key, spot in self._positions.items()), default=1.0
        )

    def fits(self, room: QSizeF, *, squeezed: bool) -> float:
        """The scale at which the tree fits into a room."""
        height, gap = (self._least, _LEVELS_LEAST) if squeezed else (self._px(_HEIGHT), _LEVELS)
        high = self._rows * (self._above + height + self._px(gap)) - self._px(gap)
        return min(room.width() / max(self._right, 1.0), room.height() / high)

    def picture(self, room: QSizeF, scale: float) -> TreePicture:
        """The tree spread in each direction as far as the room at that scale and its limits allow."""
        px, wide, high = self._px, room.width() / scale, room.height() / scale
        least, most = (
            self._above + h + px(g) for h, g in ((self._least, _LEVELS_LEAST), (px(_HEIGHT), _LEVELS_MOST))
        )
        pitch = min(max((high + px(_LEVELS_LEAST)) / self._rows, least), most)
        height = min(max((pitch - self._above) * _SHARE, self._least), px(_HEIGHT))
        spread = min(max(wide / self._right, 1.0), _SPREAD if self._words else _SPREAD_BARE)
        rects = {}
        for key, spot in self._positions.items():
            width = max(self._widths[key], min(height, self._widths[key] * spread))
            top = self._above + spot.level * pitch
            rects[key] = QRectF(spot.x * spread - width / 2, top, width, height)
        if not self._words and height >= self._line and rects:
            self._widen(rects, wide)
        left = min((rect.left() for rect in rects.values()), default=0.0)
        rects = {key: rect.translated(-left, 0) for key, rect in rects.items()}
        right = max((rect.right() for rect in rects.values()), default=0.0)
        bottom = max((rect.bottom() for rect in rects.values()), default=0.0)
        return TreePicture(rects, QSizeF(right, bottom), scale)

    def _widen(self, rects: dict[int, QRectF], wide: float) -> None:
        """Give nodes room for their words where neighbours and the edges leave it, from left to right."""
        whole = [*rects.values()]
        beside = (wide - max(r.right() for r in whole) + min(r.left() for r in whole)) / 2
        low = min(rect.left() for rect in whole) - max(beside, 0.0)
        high = max(rect.right() for rect in whole) + max(beside, 0.0)
        rows: dict[int, list[int]] = {}
        for key, spot in self._positions.items():
            rows.setdefault(spot.level, []).append(key)
        for row in rows.values():
            row.sort(key=lambda key: rects[key].center().x())
            left = low
            for key, after in zip(row, [*row[1:], None], strict=True):
                right = high if after is None else rects[after].left() - self._gap
                middle = rects[key].center().x()
                half = self._worded[key] / 2
                if middle - half >= left and middle + half <= right:
                    rects[key].setLeft(middle - half)
                    rects[key].setRight(middle + half)
                left = rects[key].right() + self._gap


class NodePainter:
    """Draws the nodes of one tree at one scale."""

    def __init__(self, painter: QPainter, themes: Dress, scale: float) -> None:
        self._painter, self._themes, self._scale = painter, themes, scale
        size = round(themes.px(SIZES["caption"]) * min(scale, 1.5))
        self._font = text_font(max(size, 1))
        self._readable = size >= _READABLE
        self._metrics = QFontMetricsF(self._font)

    def line(self, parent: QRectF, child: QRectF) -> None:
        """Draw the line from a node to one below it."""
        self._painter.setPen(QPen(self._themes.theme.colour("outline"), max(1.0, self._px(1.2))))
        self._painter.drawLine(
            QPointF(parent.center().x(), parent.bottom()), QPointF(child.center().x(), child.top())
        )

    def node(self, node: TreeNode, rect: QRectF, look: RowLook) -> None:
        """Draw a node: highlights behind it, words on it, its number over it."""
        theme, painter = self._themes.theme, self._painter
        self._point_out(rect, look, current=node.current)
        fill, pen = _ground(node.kind, theme)
        pen.setWidthF(max(1.0, self._px(pen.widthF())))
        corner = rect.height() / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawRoundedRect(rect, corner, corner)
        if node.reserved:
            painter.setBrush(QBrush(theme.colour("reserved"), Qt.BrushStyle.BDiagPattern))
            painter.drawRoundedRect(rect, corner, corner)
            pen.setColor(theme.colour("reserved"))
            pen.setWidthF(self._px(2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen)
        painter.drawRoundedRect(rect, corner, corner)
        self._write_inside(node, rect, fill)
        if node.above and self._readable:
            self._write_above(node.above, rect)

    def _point_out(self, rect: QRectF, look: RowLook, *, current: bool) -> None:
        """Draw a ring around the current node, and a ground behind a selected or hovered one."""
        theme, painter = self._themes.theme, self._painter
        if look.selected or look.hovered:
            spread = self._px(6)
            halo = rect.adjusted(-spread, -spread, spread, spread)
            painter.setPen(QPen(theme.colour("accent" if look.selected else "text"), 1.0))
            painter.setBrush(theme.colour("selection" if look.selected else "hover"))
            painter.drawRoundedRect(halo, halo.height() / 2, halo.height() / 2)
        if current:
            spread = self._px(3)
            ring = rect.adjusted(-spread, -spread, spread, spread)
            painter.setPen(QPen(theme.colour("accent"), max(self._px(2.5), 2.0)))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ring, ring.height() / 2, ring.height() / 2)

    def _write_inside(self, node: TreeNode, rect: QRectF, fill: QColor) -> None:
        """Write the node's sign and words, as far as they have room."""
        painter = self._painter
        side = min(self._px(_SIGN), rect.height() * _SIGN_SHARE)
        sign = _has_sign(node)
        room = rect.width() - self._px(_PADDING) - (side + self._px(4) if sign else 0.0)
        words = ""
        if self._readable and node.label and rect.height() >= self._metrics.height():
            words = self._metrics.elidedText(node.label, Qt.TextElideMode.ElideRight, room)
        if self._metrics.horizontalAdvance(node.label) > _ELIDED * room:
            words = ""  # a letter or two say nothing
        width = self._metrics.horizontalAdvance(words)
        left = (
            rect.center().x() - (width + (side if sign else 0.0) + (self._px(4) if sign and words else 0)) / 2
        )
        if sign:
            at = QRectF(left, rect.center().y() - side / 2, side, side)
            self._sign(node, at)
            left += side + self._px(4)
        if not words:
            return
        line = QRectF(left, rect.top(), width + 1, rect.height())
        if node.reserved:  # the hatch does not cross the words
            patch = line.adjusted(-self._px(2), self._px(4), self._px(2), -self._px(4))
            painter.fillRect(patch, fill)
        painter.setFont(self._font)
        painter.setPen(_ink(fill))
        painter.drawText(line, int(Qt.AlignmentFlag.AlignVCenter), words)

    def _sign(self, node: TreeNode, at: QRectF) -> None:
        """Draw the swatch of the node's job, or the cross of a failed node."""
        painter = self._painter
        if node.kind == NodeKind.FAILED:
            painter.setPen(QPen(self._themes.theme.colour("blocked"), max(self._px(2), 1.5)))
            painter.drawLine(at.topLeft(), at.bottomRight())
            painter.drawLine(at.topRight(), at.bottomLeft())
        elif node.job is not None:
            paint_job(painter, self._themes, node.job, at, at.width() / 4)

    def _write_above(self, text: str, rect: QRectF) -> None:
        """Write the number over a node, on a plain patch over the line from above."""
        painter, metrics = self._painter, self._metrics
        width = metrics.horizontalAdvance(text)
        if width > rect.width() + self._px(_BETWEEN):
            return
        base = rect.top() - self._px(_ABOVE / 2)
        high = metrics.capHeight()
        patch = QRectF(rect.center().x() - width / 2 - 2, base - high - 1, width + 4, high + 2)
        painter.fillRect(patch, self._themes.theme.colour("panel"))
        painter.setFont(self._font)
        painter.setPen(self._themes.theme.colour("text"))
        painter.drawText(QPointF(rect.center().x() - width / 2, base), text)

    def _px(self, pixels: float) -> float:
        """A length of the design at this scale."""
        return pixels * self._themes.scale * self._scale


def sample(painter: QPainter, kind: NodeKind, rect: QRectF, themes: Dress, *, reserved: bool) -> None:
    """Draw a node of a kind, for a legend."""
    bare = TreeNode(0, None, kind, "", reserved=reserved)
    NodePainter(painter, themes, rect.height() / themes.px(_HEIGHT)).node(bare, rect, RowLook())


def _has_sign(node: TreeNode) -> bool:
    return node.job is not None or node.kind == NodeKind.FAILED


def _ground(kind: NodeKind, theme: Theme) -> tuple[QColor, QPen]:
    """A kind's fill and edge: white and black keep their meaning in both themes, seen by their edges."""
    line = theme.colour("mesh_axis")
    looks = {
        NodeKind.FREE: (theme.colour("tree_free"), line, 1.2, Qt.PenStyle.SolidLine),
        NodeKind.BUSY: (theme.colour("tree_busy"), line, 1.2, Qt.PenStyle.SolidLine),
        NodeKind.INTERNAL: (theme.colour("tree_inner"), line, 1.2, Qt.PenStyle.SolidLine),
        NodeKind.OPEN: (theme.colour("panel"), line, 1.5, Qt.PenStyle.DashLine),
        NodeKind.PLACED: (theme.colour("candidate"), theme.colour("text"), 1.2, Qt.PenStyle.SolidLine),
        NodeKind.FAILED: (theme.colour("panel"), theme.colour("blocked"), 1.8, Qt.PenStyle.SolidLine),
    }
    fill, edge, width, style = looks[kind]
    return fill, QPen(edge, width, style)


def _ink(fill: QColor) -> QColor:
    """Black or white, whichever is read more easily on a fill."""
    return QColor.fromRgbF(*ink_on((fill.redF(), fill.greenF(), fill.blueF())))
