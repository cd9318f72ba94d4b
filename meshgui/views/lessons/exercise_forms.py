"""The forms in which exercises are answered: numbers, options, and lines to put in order."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QListView,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from meshgui.engine.allocation.steps import Mark
from meshgui.engine.basics.geometry import Box
from meshgui.engine.basics.translation import tr
from meshgui.model.exercises.exercise import (
    BaseForm,
    BoxesForm,
    ChoiceForm,
    DecisionsForm,
    Form,
    OrderForm,
    PacketForm,
    SizeForm,
    said,
)
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import label
from meshgui.views.widgets.focus_ring import FocusRing
from meshgui.views.widgets.own_keys import keeps_key
from meshgui.views.widgets.tool_button import tool_button

_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_PLACE: Final = Qt.ItemDataRole.UserRole
_HINTS: Final = {
    BaseForm: tr("Click the base in the mesh, or use the arrow keys and Return there"),
    BoxesForm: tr("Click or drag the processors in the mesh; a click on a box takes it back"),
    SizeForm: tr("Drag a box of the size in the mesh, or type it"),
    PacketForm: tr("Click the packet in the mesh, or type its number"),
}


class AnswerForm(QWidget):
    """Takes an answer; `value` is it as JSON has it, and None before there is one."""

    changed = Signal()
    given = Signal()  # with Return: the answer is to be judged
    keyed: QWidget  # where the answer is given
    stops: tuple[QWidget, ...]  # of Tab
    hint = ""  # what can be pointed out in the mesh
    boxes: tuple[Box, ...] = ()  # those pointed out
    marks: tuple[Mark, ...] = ()  # of a step that is shown

    def value(self) -> Any:  # noqa: ANN401 - any JSON value
        """The answer."""
        raise NotImplementedError

    def advance(self) -> bool:
        """Take one decision of several, if there are several; whether the answer is there."""
        return True

    def partial(self) -> Any:  # noqa: ANN401 - any JSON value
        """What there is of the answer when it is given up."""
        return None

    def take_keys(self) -> None:
        """Have the keys go where the answer is given."""
        self.keyed.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent, /) -> bool:  # noqa: N802 - Qt's name
        """Give the answer on Return in a list; a double click, which also activates a line, does not."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in _ENTER:
            self.given.emit()
            return True
        return super().eventFilter(watched, event)

    def place(self, box: Box) -> None:
        """Take a box that was pointed out in the mesh."""

    def choose_packet(self, packet: int) -> None:
        """Take a packet that was pointed out in the mesh."""


def form_of(form: Form, themes: ThemeManager, icons: IconShelf) -> AnswerForm:
    """The widget for a form."""
    if isinstance(form, ChoiceForm):
        return _Options(form, themes)
    if isinstance(form, OrderForm):
        return _Lines(form, themes, icons)
    if isinstance(form, DecisionsForm):
        raise TypeError(form)  # the work on it has a form of its own
    return _Line(form, themes)


class _Line(AnswerForm):
    """A line of numbers, which clicks in the mesh fill in."""

    def __init__(self, form: BaseForm | BoxesForm | SizeForm | PacketForm, themes: ThemeManager) -> None:
        super().__init__()
        self._form = form
        self.hint = _HINTS[type(form)]
        self.field = QLineEdit()
        self.field.setAccessibleName(tr("Your answer"))
        self.field.setPlaceholderText(self._example())
        self.field.textChanged.connect(self._read)
        self.field.returnPressed.connect(self.given)
        self.keyed, self.stops = self.field, (self.field,)
        self.count = label(kind="muted", wrap=True)
        Sizing(themes, self).column(self.field, self.count, on=self, spacing=4)
        self._read()

    def _example(self) -> str:
        flat = not isinstance(self._form, PacketForm) and self._form.mesh.dims == 2
        if isinstance(self._form, PacketForm):
            return tr("A number")
        if isinstance(self._form, SizeForm):
            return "2×3" if flat else "2×3×1"
        if isinstance(self._form, BaseForm):
            return "(0,0)" if flat else "(0,0,0)"
        return "(0,0) 2×3; (4,0) 1×1" if flat else "(0,0,0) 2×3×1; (4,0,0) 1×1×1"

    def _numbers(self) -> list[int]:
        return [int(number[:9]) for number in re.findall(r"\d+", self.field.text())]

    def value(self) -> Any:  # noqa: ANN401 - any JSON value
        numbers = self._numbers()
        if isinstance(self._form, BoxesForm):
            return [list(box) for box in self.boxes] or None
        if isinstance(self._form, PacketForm):
            return numbers[0] if len(numbers) == 1 else None
        return numbers if len(numbers) == self._form.mesh.dims else None

    def place(self, box: Box) -> None:
        form = self._form
        if isinstance(form, PacketForm):
            return
        dims = form.mesh.dims
        if isinstance(form, SizeForm):
            self.field.setText("×".join(map(str, box.size[:dims])))
        elif isinstance(form, BaseForm):
            self.field.setText(f"({','.join(map(str, box.base[:dims]))})")
        else:
            met = [other for other in self.boxes if other.overlaps(box)]
            kept = [other for other in self.boxes if other not in met]
            boxes = kept if met and box.volume == 1 else [*kept, box]
            words = (
                f"({','.join(map(str, b.base[:dims]))}) {'×'.join(map(str, b.size[:dims]))}" for b in boxes
            )
            self.field.setText("; ".join(words))

    def choose_packet(self, packet: int) -> None:
        if isinstance(self._form, PacketForm):
            self.field.setText(str(packet))

    def _read(self) -> None:
        form, numbers = self._form, self._numbers()
        if isinstance(form, PacketForm):
            self.count.hide()
            self.changed.emit()
            return
        dims = form.mesh.dims
        if isinstance(form, BoxesForm):
            rows = [numbers[n : n + 2 * dims] for n in range(0, len(numbers), 2 * dims)]
            self.boxes = tuple(
                Box(*row[:dims], *[0] * (3 - dims), *row[dims:], *[1] * (3 - dims))
                for row in rows
                if len(row) == 2 * dims
            )
            given = sum(box.volume for box in self.boxes)
            words = tr("{given} of {all} processors pointed out")
            self.count.setText(said(words, given=given, all=form.processors))
        else:
            whole = len(numbers) == dims and isinstance(form, BaseForm)
            x, y, z = (*numbers, 0, 0, 0)[:3]
            self.boxes = (Box(x, y, z, 1, 1, 1),) if whole else ()
            self.count.hide()
        self.boxes = tuple(filter(form.mesh.holds, self.boxes))
        self.changed.emit()


class _WholeList(QListWidget):
    """A list as high as its lines, which wrap: it is the panel that scrolls."""

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # or it does not wrap
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def doItemsLayout(self) -> None:  # noqa: N802 - Qt's name
        """Take the height of the lines once they are laid out."""
        super().doItemsLayout()
        self.setFixedHeight(self.contentsSize().height() + self.height() - self.viewport().height())


class _Options(AnswerForm):
    """Options of which one is right, below the list whose gap it fills if there is one."""

    def __init__(self, form: ChoiceForm, themes: ThemeManager) -> None:
        super().__init__()
        self.list = _WholeList()
        self.list.setAccessibleName(tr("The options"))
        FocusRing(self.list, themes)
        self.list.addItems(list(form.options))
        self.list.itemSelectionChanged.connect(self.changed)
        sizing = Sizing(themes, self)
        parts: list[Any] = [self.list]
        if form.rows:
            self.table = _table(form, themes)
            parts.insert(0, self.table)
        self.keyed, self.stops = self.list, tuple(parts)
        self.list.installEventFilter(self)
        sizing.column(*parts, on=self, spacing=8)

    def value(self) -> Any:  # noqa: ANN401 - any JSON value
        rows = self.list.selectedIndexes()  # the current row is not seen before it is selected
        return rows[0].row() if rows else None


def _table(form: ChoiceForm, themes: ThemeManager) -> QTableWidget:
    """The list with its gap."""
    table = QTableWidget(len(form.rows), len(form.columns))
    table.setAccessibleName(tr("The list with a gap"))
    table.setTabKeyNavigation(False)  # or the keys would not get out again
    FocusRing(table, themes)
    table.setHorizontalHeaderLabels(list(form.columns))
    table.verticalHeader().hide()
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    table.horizontalHeader().setStretchLastSection(True)
    table.verticalHeader().setDefaultSectionSize(themes.px(26))
    for number, row in enumerate(form.rows):
        for column, text in enumerate(row):
            table.setItem(number, column, QTableWidgetItem("?" if number == form.gap else text))
    table.setSizeAdjustPolicy(QAbstractItemView.SizeAdjustPolicy.AdjustToContents)
    table.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # the panel scrolls
    return table


class _OrderList(_WholeList):
    """A list whose rows are dragged, or moved with Ctrl and an arrow key."""

    moved = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.model().rowsMoved.connect(self.moved)

    def move(self, by: int) -> None:  # type: ignore[override] # Qt's moves the widget
        """Move the current row."""
        row = self.currentRow()
        if row >= 0 and 0 <= row + by < self.count():
            item = self.takeItem(row)
            self.insertItem(row + by, item)
            self.setCurrentRow(row + by)
            self.moved.emit()

    def event(self, event: QEvent, /) -> bool:
        """Keep the keys that move a row from the window."""
        return keeps_key(event, _moves) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent, /) -> None:  # noqa: N802 - Qt's name
        """Move the row."""
        if _moves(event):
            self.move(-1 if event.key() == Qt.Key.Key_Up else 1)
        else:
            super().keyPressEvent(event)


def _moves(event: QEvent) -> bool:
    return (
        isinstance(event, QKeyEvent)
        and event.key() in {Qt.Key.Key_Up, Qt.Key.Key_Down}
        and bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
    )


class _Lines(AnswerForm):
    """Lines to put in order."""

    def __init__(self, form: OrderForm, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__()
        self.list = _OrderList()
        self.list.setAccessibleName(tr("The lines, to be put in order"))
        FocusRing(self.list, themes)
        for place, line in enumerate(form.lines):
            item = QListWidgetItem(line, self.list)
            item.setData(_PLACE, place)
            item.setToolTip(line)  # in full, where the panel is narrow
        self.list.setCurrentRow(0)
        self.list.moved.connect(self.changed)
        up = tool_button(icons, "chevron-up", tr("Move the line up (Ctrl+Up)"), partial(self.list.move, -1))
        down = tool_button(
            icons, "chevron-down", tr("Move the line down (Ctrl+Down)"), partial(self.list.move, 1)
        )
        self.keyed, self.stops = self.list, (self.list, up, down)
        self.list.installEventFilter(self)
        sizing = Sizing(themes, self)
        words = label(tr("Drag the lines, or move them with Ctrl and the arrow keys."), "muted", wrap=True)
        row = sizing.row((words, 1), up, down, spacing=4)
        sizing.column(self.list, row, on=self, spacing=4)

    def value(self) -> Any:  # noqa: ANN401 - any JSON value
        return [int(self.list.item(row).data(_PLACE)) for row in range(self.list.count())]
