"""A tree of the inspector: its nodes show boxes in the mesh and jobs everywhere, and stay in their places."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QAccessible,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)

from meshgui.engine.allocation.inspection import NodeKind, Tree, TreeNode
from meshgui.engine.allocation.steps import Mark
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.translation import tr
from meshgui.model.base.flow import in_rows
from meshgui.model.stepping.pin import Pin
from meshgui.model.stepping.selection import Selection
from meshgui.model.tables.tables import PlainTable
from meshgui.views.exporting.exportable import Picture
from meshgui.views.exporting.off_screen_copy import copy_picture, picture_size
from meshgui.views.inspector.inspector_panel import InspectorPanel
from meshgui.views.inspector.tree_picture import KIND_WORDS, NodePainter, TreePicture, sample
from meshgui.views.style.direction import mirror_in, write
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import Dress
from meshgui.views.widgets.dragging import DragWidget
from meshgui.views.widgets.focus_ring import FocusRing
from meshgui.views.widgets.labels import SWATCH, write_placeholder
from meshgui.views.widgets.table_painting import RowLook
from meshgui.views.widgets.tips import Tips

_NOTHING: Final = Tree("", (), "")
_ZOOM_PER_NOTCH: Final = 1.15
_CLOSEST: Final = 3.0
_FARTHEST: Final = 0.12
_MARGIN: Final = 12
_MARGIN_HIGH: Final = 8
_HELP: Final = tr("Up and Down move from node to node.")
_REACH: Final = 4  # pixels beside a node that still point at it


class TreePanel(DragWidget, InspectorPanel[Tree]):
    """Shows one `Tree`: the wheel zooms, a drag moves it, a double click shows all of it again."""

    accessible_role = QAccessible.Role.Graphic

    share = 4

    def __init__(self, selection: Selection, pin: Pin, themes: Dress) -> None:
        super().__init__(selection, pin, themes)
        self._chosen_by: TreePanel = self  # a picture's twin shows what was chosen in the panel
        self.tree = _NOTHING
        self._laid: tuple[TreeNode, ...] = ()  # what the layout was made for
        self._looks: set[tuple[NodeKind, bool]] = set()  # those the legend explains
        # All seen in this run: the tree keeps clear of their legend.
        self._room_for: set[tuple[NodeKind, bool]] = set()
        self._picture = TreePicture.of((), themes, QSizeF(1, 1))
        self._scale, self._offset = 1.0, QPointF()
        self._whole = True  # until the user zooms or moves
        self._pointed: int | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._ring = FocusRing(self, themes)
        themes.changed.connect(self._fit_picture)
        themes.changed.connect(self.update)
        Sizing(themes, self).call(self.setMinimumHeight, 240)
        Tips(self, self._words_at, self.stepped_rect)

    # Content

    def tables(self) -> Sequence[PlainTable]:
        """Every node, parents before children."""
        labels = {node.key: node.label for node in self.tree.nodes}
        rows = tuple(
            (
                node.label,
                self.words(node),
                None if node.parent is None else labels.get(node.parent),
                node.above,
            )
            for node in self.tree.nodes
        )
        return (
            (
                PlainTable(
                    self.named(self.tree.title), (tr("Node"), tr("Meaning"), tr("Below"), tr("Over it")), rows
                ),
            )
            if rows
            else ()
        )

    def show_data(self, data: Tree, mesh: Mesh, last: Tree | None = None, *, fresh: bool = False) -> None:
        """Show other nodes in place. `last` is the tree with the most: its layout serves all steps."""
        del mesh
        self.tree = tree = data
        self.setAccessibleName(tree.title)
        if fresh:
            self._whole = True
            self._room_for = set()
        self._explain(tree.nodes if last is None else (*last.nodes, *tree.nodes))
        self._lay_out(tree.nodes if last is None else _with_missing(last.nodes, tree.nodes))
        node = self._node(self._pointed)
        if node is not None:
            self._pin.point_out(node.mark)
        elif self._pointed is not None:
            self._pointed = None
            self._pin.fall_back()
        self._reveal(next((node.key for node in tree.nodes if node.current), None))
        self._say()
        self.update()

    def stepped_rect(self) -> QRect | None:
        """The rectangle of the current node."""
        node = next((node for node in self.tree.nodes if node.current), None)
        return None if node is None else self.node_rect(node.key).toAlignedRect()

    def show_selection(self) -> None:
        """Mark the selected and the hovered job."""
        self._say()
        self.update()

    def _say(self) -> None:
        """Tell screen readers the node that is chosen, or else how one is."""
        nodes, held = self.tree.nodes, self._held()
        how = _HELP if nodes else self.tree.empty
        self.setAccessibleDescription(how if held is None else self.words(nodes[held]))

    def _held(self) -> int | None:
        """The place of the chosen node."""
        return next((i for i, node in enumerate(self.tree.nodes) if self._pin.holds(self, node.key)), None)

    # Geometry and looks

    def node_rect(self, key: int) -> QRectF:
        """The rectangle of a node."""
        rect, scale = self._picture.rects[key], self._scale
        return QRectF(rect.topLeft() * scale + self._offset, rect.size() * scale)

    def node_at(self, point: QPointF) -> TreeNode | None:
        """The node drawn at a point."""
        reach = self._themes.px(_REACH)
        for node in self.tree.nodes:
            if self.node_rect(node.key).adjusted(-reach, -reach, reach, reach).contains(point):
                return node
        return None

    def look(self, node: TreeNode) -> RowLook:
        """How a node stands out."""
        job, selection = node.job, self._selection
        chosen = self._pin.holds(self._chosen_by, node.key) or (job is not None and job == selection.job)
        return RowLook(chosen, node.key == self._pointed or (job is not None and job == selection.hovered))

    def words(self, node: TreeNode) -> str:
        """A node in words."""
        parts = [node.label, KIND_WORDS[node.kind], node.above, tr("reserved") if node.reserved else ""]
        parts.append(tr("job {job}").format(job=node.job) if node.job is not None else "")
        return tr(", ").join(part for part in parts if part)

    def fit(self) -> None:
        """Show the whole tree."""
        self._whole = True
        self._fit()
        self.update()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom in by a factor, towards a point of the widget or its middle."""
        at = at if at is not None else QPointF(self.width() / 2, self.height() / 2)
        scale = min(max(self._scale * factor, _FARTHEST), _CLOSEST)
        self._offset = at - (at - self._offset) * (scale / self._scale)
        self._scale = scale
        self._whole = False
        self.update()

    # Drawing

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the tree."""
        del event
        with QPainter(self) as painter:
            self.draw(painter)

    def draw(self, painter: QPainter) -> None:
        """Draw lines, nodes and the legend, or the text of an empty tree."""
        if not self.tree.nodes:
            write_placeholder(painter, self.rect(), self.tree.empty, self._themes)
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.save()
        painter.setClipRect(self._room(), Qt.ClipOperation.IntersectClip)
        drawn = NodePainter(painter, self._themes, self._scale)
        rects = {node.key: self.node_rect(node.key) for node in self.tree.nodes}
        for node in self.tree.nodes:
            if node.parent is not None:
                drawn.line(rects[node.parent], rects[node.key])
        seen = QRectF(self.rect())
        for node in self.tree.nodes:
            if rects[node.key].intersects(seen):
                drawn.node(node, rects[node.key], self.look(node))
        painter.restore()
        painter.save()
        mirror_in(self, painter)  # the tree keeps its direction, as the mesh it stands for does
        self._paint_legend(painter)
        painter.restore()

    # Export

    def pictures(self) -> Sequence[Picture]:
        """The whole tree, not only the visible part."""
        return (copy_picture(self.named(self.tree.title), picture_size(self, self._themes), self._twin),)

    def _twin(self, dress: Dress, size: QSize) -> TreePanel:
        twin = TreePanel(self._selection, self._pin, dress)
        twin.setFixedSize(size)
        twin.tree, twin._laid = self.tree, self._laid
        twin._looks, twin._room_for = self._looks, self._room_for
        twin._chosen_by = self._chosen_by
        twin._fit_picture()
        return twin

    def _legend(self, looks: set[tuple[NodeKind, bool]]) -> list[tuple[NodeKind, bool, QPointF]]:
        """The kinds of nodes in one order, and the place of each in the legend."""
        px, metrics = self._themes.px, QFontMetrics(self._themes.text("caption"))
        kinds = [(kind, reserved) for reserved, kind in sorted((reserved, kind) for kind, reserved in looks)]
        words = (metrics.horizontalAdvance(_words_for(kind, reserved=reserved)) for kind, reserved in kinds)
        widths = [px(SWATCH + 2) + px(6) + word for word in words]
        places = in_rows(widths, self.width() - 2 * px(_MARGIN), px(12))
        line = metrics.height() + px(4)
        return [
            (kind, reserved, QPointF(px(_MARGIN) + x, px(4) + row * line))
            for (kind, reserved), (row, x) in zip(kinds, places, strict=True)
        ]

    def _paint_legend(self, painter: QPainter) -> None:
        px, side = self._themes.px, self._themes.px(SWATCH + 2)
        top = self.height() - self._legend_height()
        metrics = QFontMetrics(self._themes.text("caption"))
        for kind, reserved, place in self._legend(self._looks):
            at = place + QPointF(0, top)
            rect = QRectF(at.x(), at.y() + (metrics.height() - side) / 2, side, side)
            sample(painter, kind, rect, self._themes, reserved=reserved)
            painter.setPen(self._themes.theme.colour("muted"))
            painter.setFont(self._themes.text("caption"))
            words = _words_for(kind, reserved=reserved)
            write(painter, QPointF(at.x() + side + px(6), at.y() + metrics.ascent()), words)

    def _legend_height(self) -> int:
        legend = self._legend(self._room_for)
        line = QFontMetrics(self._themes.text("caption")).height()
        return int(legend[-1][2].y()) + line + self._themes.px(8) if legend else 0

    # Place and scale

    def _room(self) -> QRectF:
        """The area above the legend."""
        return QRectF(0, 0, self.width(), max(self.height() - self._legend_height(), 1))

    def _explain(self, nodes: tuple[TreeNode, ...]) -> None:
        """Explain these nodes in the legend; its room only grows, so that the tree does not move."""
        self._looks = {(node.kind, False) for node in nodes}
        self._looks |= {(NodeKind.BUSY, True) for node in nodes if node.reserved}
        if not self._looks <= self._room_for:
            self._room_for |= self._looks
            self._fit_picture()

    def _lay_out(self, nodes: tuple[TreeNode, ...]) -> None:
        if nodes is not self._laid and nodes != self._laid:
            self._laid = nodes
            self._fit_picture()

    def _fit_picture(self) -> None:
        """Lay the nodes out for the room there is."""
        px, room = self._themes.px, self._room()
        wide, high = room.width() - 2 * px(_MARGIN), room.height() - 2 * px(_MARGIN_HIGH)
        self._picture = TreePicture.of(self._laid, self._themes, QSizeF(max(wide, 1.0), max(high, 1.0)))
        if self._whole:
            self._fit()

    def _fit(self) -> None:
        """Place the tree in the middle, from the top, as large as possible."""
        self._scale = self._picture.scale
        left = (self.width() - self._picture.size.width() * self._scale) / 2
        self._offset = QPointF(left, self._themes.px(_MARGIN_HIGH))

    def _reveal(self, key: int | None) -> None:
        """Move the tree as little as can be until a node is in sight."""
        if key is None:
            return
        margin, high = self._themes.px(_MARGIN), self._themes.px(_MARGIN_HIGH)
        room = self._room().adjusted(margin, high, -margin, -high)
        rect = self.node_rect(key)
        across = max(room.left() - rect.left(), 0.0) - max(rect.right() - room.right(), 0.0)
        down = max(room.top() - rect.top(), 0.0) - max(rect.bottom() - room.bottom(), 0.0)
        self._offset += QPointF(across, down)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Keep the whole tree in sight if it was."""
        super().resizeEvent(event)
        if self._whole:
            self._fit_picture()

    # The pointer and the keys

    def _node(self, key: int | None) -> TreeNode | None:
        return next((node for node in self.tree.nodes if node.key == key), None)

    def _mark_of(self, key: Hashable) -> Mark | None:
        """The box of a node, if the node is there."""
        return next((node.mark for node in self.tree.nodes if node.key == key), None)

    def _point_at(self, node: TreeNode | None) -> None:
        key = node.key if node is not None else None
        if key == self._pointed:
            return
        self._pointed = key
        self._selection.hover(node.job if node is not None else None)
        if node is not None:
            self._pin.point_out(node.mark)
        else:
            self._pin.fall_back()
        self.update()

    def _choose(self, node: TreeNode) -> None:
        """Keep the mark of a node, or let go of it, and select its job."""
        self._pin.toggle(self, node.key, self._mark_of, pointed=self._pointed is not None)
        if node.job is not None:
            self._selection.select(node.job)
        self._say()
        self.update()

    def hover_at(self, point: QPointF) -> None:
        """Hover the node at a point."""
        self._point_at(self.node_at(point))

    def drag_by(self, way: QPointF, event: QMouseEvent) -> None:
        """Move the tree."""
        del event
        self._offset += way
        self._whole = False
        self.update()

    def click_at(self, point: QPointF) -> None:
        """Choose the node at a point."""
        node = self.node_at(point)
        if node is not None:
            self._choose(node)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Show the whole tree; the release that follows is no click."""
        del event
        self.pressed = None
        self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        """Zoom towards the pointer."""
        self.zoom(_ZOOM_PER_NOTCH ** (event.angleDelta().y() / 120.0), event.position())
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Stop hovering."""
        super().leaveEvent(event)
        self._point_at(None)

    def at_end(self, way: int) -> bool:
        """Whether no node comes after the chosen one, or before it."""
        held, last = self._held(), len(self.tree.nodes) - 1
        return last < 0 or (held == last if way > 0 else held in {0, None})

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Choose nodes with the keys that go up and down; leave all others to the window."""
        way = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if way is None or not self.tree.nodes:
            event.ignore()
            return
        nodes = self.tree.nodes
        held = self._held()
        place = min(max(held + way, 0), len(nodes) - 1) if held is not None else 0
        if place != held:
            self._choose(nodes[place])
        self._reveal(nodes[place].key)

    def _words_at(self, position: QPointF) -> str:
        node = self.node_at(position)
        return self.words(node) if node else ""


def _words_for(kind: NodeKind, *, reserved: bool) -> str:
    return tr("reserved") if reserved else KIND_WORDS[kind]


def _with_missing(last: tuple[TreeNode, ...], now: tuple[TreeNode, ...]) -> tuple[TreeNode, ...]:
    """The nodes of the last tree, and those of now that it lacks, so that each has its place."""
    known = {node.key for node in last}
    missing = tuple(node for node in now if node.key not in known)
    return last + missing if missing else last
