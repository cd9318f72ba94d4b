"""How a tree is drawn: where its nodes stand at full size, and what each kind looks like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen

from meshgui.engine.allocation.inspection import Kind, TreeNode
from meshgui.model.tree_layout import tidy
from meshgui.views.colours import contrast
from meshgui.views.fonts import text_font
from meshgui.views.parts import job_qcolor
from meshgui.views.theme import SIZES, Theme, ThemeManager

__all__ = ["KIND_WORDS", "NodeLook", "NodePainter", "TreePicture", "sample"]

KIND_WORDS: Final = {
    Kind.FREE: "free",
    Kind.BUSY: "busy",
    Kind.INTERNAL: "divided",
    Kind.OPEN: "to be tried",
    Kind.PLACED: "found",
    Kind.FAILED: "in vain",
}

_HEIGHT: Final = 22  # of a node; it is no narrower
_BETWEEN: Final = 10  # neighbours
_BETWEEN_BARE: Final = 5  # discs
_LEVELS: Final = 14  # from the foot of a node to the head of those below it, at least
_LEVELS_MOST: Final = 32
_LEVELS_MOST_BARE: Final = 80
_ABOVE: Final = 16  # more where numbers stand over the nodes
_PADDING: Final = 8  # beside a node's words
_SIGN: Final = 9  # the side of a job's swatch, and of the cross of what was tried in vain
_ELIDED: Final = 1.6  # words that need more than so many times their room are left out
_READABLE: Final = 8  # pixels; smaller words are left out


class NodeLook(NamedTuple):
    """How a node stands out."""

    chosen: bool = False
    pointed: bool = False


@dataclass(frozen=True)
class TreePicture:
    """Where each node stands at full size, in screen pixels."""

    rects: dict[int, QRectF]
    size: QSizeF

    @classmethod
    def of(
        cls, nodes: Sequence[TreeNode], themes: ThemeManager, *, worded: bool, slack: float = 0.0
    ) -> TreePicture:
        """Lay nodes out: wide enough for their words, or as bare discs; `slack` is height to be used up."""
        px, metrics = themes.px, QFontMetricsF(themes.text("caption"))
        height = px(_HEIGHT)
        widths: dict[int, float] = {}
        for node in nodes:
            words = metrics.horizontalAdvance(node.label) + 2 * px(_PADDING) if node.label else 0.0
            signs = px(_SIGN) + px(4) if node.label and _has_sign(node) else 0.0
            above = metrics.horizontalAdvance(node.above)
            widths[node.key] = max(height, words + signs, above) if worded else height
        spots = tidy(nodes, lambda node: widths[node.key], px(_BETWEEN if worded else _BETWEEN_BARE))
        first = px(_ABOVE) if any(node.above for node in nodes) else 0
        deepest = max((spot.level for spot in spots.values()), default=0)
        levels = min(px(_LEVELS) + slack / max(deepest, 1), px(_LEVELS_MOST if worded else _LEVELS_MOST_BARE))
        step = height + levels + first
        rects = {
            key: QRectF(spot.x - widths[key] / 2, first + spot.level * step, widths[key], height)
            for key, spot in spots.items()
        }
        right = max((rect.right() for rect in rects.values()), default=0.0)
        bottom = max((rect.bottom() for rect in rects.values()), default=0.0)
        return cls(rects, QSizeF(right, bottom))


class NodePainter:
    """Draws the nodes of one tree at one scale."""

    def __init__(self, painter: QPainter, themes: ThemeManager, scale: float) -> None:
        self._painter, self._themes, self._scale = painter, themes, scale
        size = round(themes.px(SIZES["caption"]) * min(scale, 1.5))
        self._font = text_font(max(size, 1))
        self._readable = size >= _READABLE
        self._metrics = QFontMetricsF(self._font)

    def line(self, parent: QRectF, child: QRectF) -> None:
        """The line from a node to one below it."""
        self._painter.setPen(QPen(self._themes.theme.colour("outline"), max(1.0, self._px(1.2))))
        self._painter.drawLine(
            QPointF(parent.center().x(), parent.bottom()), QPointF(child.center().x(), child.top())
        )

    def node(self, node: TreeNode, rect: QRectF, look: NodeLook) -> None:
        """A node: what points it out lies behind it, its words on it, its number over it."""
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

    def _point_out(self, rect: QRectF, look: NodeLook, *, current: bool) -> None:
        """The current node in a ring of the accent; a chosen or pointed one on a ground of its own."""
        theme, painter = self._themes.theme, self._painter
        if look.chosen or look.pointed:
            spread = self._px(6)
            halo = rect.adjusted(-spread, -spread, spread, spread)
            painter.setPen(QPen(theme.colour("accent" if look.chosen else "text"), 1.0))
            painter.setBrush(theme.colour("selection" if look.chosen else "hover"))
            painter.drawRoundedRect(halo, halo.height() / 2, halo.height() / 2)
        if current:
            spread = self._px(3)
            ring = rect.adjusted(-spread, -spread, spread, spread)
            painter.setPen(QPen(theme.colour("accent"), max(self._px(2.5), 2.0)))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ring, ring.height() / 2, ring.height() / 2)

    def _write_inside(self, node: TreeNode, rect: QRectF, fill: QColor) -> None:
        """The node's sign and words, as far as they have room."""
        painter, side = self._painter, self._px(_SIGN)
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
        """The swatch of the node's job, or the cross of what was tried in vain."""
        painter = self._painter
        if node.kind == Kind.FAILED:
            painter.setPen(QPen(self._themes.theme.colour("blocked"), max(self._px(2), 1.5)))
            painter.drawLine(at.topLeft(), at.bottomRight())
            painter.drawLine(at.topRight(), at.bottomLeft())
        elif node.job is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(job_qcolor(node.job, self._themes.theme))
            painter.drawRoundedRect(at, at.width() / 4, at.width() / 4)

    def _write_above(self, text: str, rect: QRectF) -> None:
        """The number over a node, on a plain patch where the line from above comes down."""
        painter, metrics = self._painter, self._metrics
        width = metrics.horizontalAdvance(text)
        if width > rect.width() + self._px(_BETWEEN):
            return
        bottom = rect.top() - self._px(3)
        at = QRectF(rect.center().x() - width / 2, bottom - metrics.height(), width + 1, metrics.height())
        painter.fillRect(at.adjusted(-2, 0, 2, 0), self._themes.theme.colour("panel"))
        painter.setFont(self._font)
        painter.setPen(self._themes.theme.colour("text"))
        painter.drawText(at, int(Qt.AlignmentFlag.AlignCenter), text)

    def _px(self, pixels: float) -> float:
        """A length of the design at this scale."""
        return pixels * self._themes.scale * self._scale


def sample(painter: QPainter, kind: Kind, rect: QRectF, themes: ThemeManager, *, reserved: bool) -> None:
    """What a kind of node looks like, for a legend."""
    bare = TreeNode(0, None, kind, "", reserved=reserved)
    NodePainter(painter, themes, rect.height() / themes.px(_HEIGHT)).node(bare, rect, NodeLook())


def _has_sign(node: TreeNode) -> bool:
    return node.job is not None or node.kind == Kind.FAILED


def _ground(kind: Kind, theme: Theme) -> tuple[QColor, QPen]:
    """A kind's fill and edge: white and black keep their meaning in both themes, seen by their edges."""
    line = theme.colour("mesh_axis")
    looks = {
        Kind.FREE: (theme.colour("tree_free"), line, 1.2, Qt.PenStyle.SolidLine),
        Kind.BUSY: (theme.colour("tree_busy"), line, 1.2, Qt.PenStyle.SolidLine),
        Kind.INTERNAL: (theme.colour("tree_inner"), line, 1.2, Qt.PenStyle.SolidLine),
        Kind.OPEN: (theme.colour("panel"), line, 1.5, Qt.PenStyle.DashLine),
        Kind.PLACED: (theme.colour("candidate"), theme.colour("text"), 1.2, Qt.PenStyle.SolidLine),
        Kind.FAILED: (theme.colour("panel"), theme.colour("blocked"), 1.8, Qt.PenStyle.SolidLine),
    }
    fill, edge, width, style = looks[kind]
    return fill, QPen(edge, width, style)


def _ink(fill: QColor) -> QColor:
    """Black or white, whichever is read more easily on a fill."""
    ground = (fill.redF(), fill.greenF(), fill.blueF())
    black, white = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
    return QColor.fromRgbF(*(black if contrast(ground, black) >= contrast(ground, white) else white))
