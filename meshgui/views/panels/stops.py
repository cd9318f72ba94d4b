"""Breakpoints and bookmarks: their lists, a form for another breakpoint, and going on to the next stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QStandardItemModel
from PySide6.QtWidgets import (
    QLabel,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.model.fields.field_schema import Limits
from meshgui.model.stepping.bookmarks import Bookmark, Bookmarks
from meshgui.model.stepping.breakpoints import (
    BREAK_KINDS,
    BreakField,
    BreakKind,
    Breakpoint,
    Breakpoints,
    Stop,
)
from meshgui.model.stepping.cursor import Cursor, CursorChange
from meshgui.model.stepping.stop_search import can_happen
from meshgui.views.forms.editors import NumberEditor, first_wrong
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import as_panel, push_button, scrolls_alone, text_button, widget_of
from meshgui.views.widgets.elided_combo import ElidedCombo
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.focus_ring import FocusRing
from meshgui.views.widgets.following import follow
from meshgui.views.widgets.labels import Heading, write_placeholder
from meshgui.views.widgets.row_scroll import RowScroll

_ITEM: Final = Qt.ItemDataRole.UserRole
_LIMITS: Final = Limits(whole=False, least=0)


class StopsPanel(QWidget):
    """Where a run stops, and the places that have names."""

    go_on_asked = Signal()  # to the next stop
    removed = Signal(str, object)  # what was, in a sentence, and what puts it back

    def __init__(
        self,
        cursor: Cursor,
        breakpoints: Breakpoints,
        bookmarks: Bookmarks,
        themes: ThemeManager,
    ) -> None:
        super().__init__()
        self._cursor, self._themes = cursor, themes
        self.breakpoints, self.bookmarks = breakpoints, bookmarks
        as_panel(self)
        self._filling = False
        self._heading = Heading(tr("Breakpoints"), themes)
        self.list = _ItemList(self._remove_breakpoint, tr("No breakpoint yet: choose one below."), themes)
        self.list.setAccessibleName(tr("Breakpoints"))
        self.list.itemChanged.connect(self._switch)
        self._marks_heading = Heading(tr("Bookmarks"), themes)
        self.marks = _ItemList(self._remove_bookmark, tr("No moment has a bookmark yet."), themes)
        self.marks.setAccessibleName(tr("Bookmarks"))
        self.marks.itemChanged.connect(self._rename)
        self.marks.itemClicked.connect(self._go_to_bookmark)
        self.marks.itemActivated.connect(self._go_to_bookmark)
        for listed in (self.list, self.marks):
            FocusRing(listed, themes)
        self._build_form()
        self._build_buttons()
        self._arrange()
        follow(self, self.breakpoints.changed, self._show_breakpoints)
        follow(self, self.bookmarks.changed, self._show_bookmarks)
        follow(self, cursor.changed, self._follow)
        follow(self, cursor.stopped, self._point_at)
        self._follow(CursorChange.RUN)
        self._choose_kind()

    # The lists

    def _show_breakpoints(self) -> None:
        recording, every = self._cursor.recording, self.breakpoints.all
        self._filling = True
        self.list.clear()
        for breakpoint_ in every:
            item = QListWidgetItem(breakpoint_.describe(recording), self.list)
            item.setData(_ITEM, breakpoint_)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if breakpoint_.enabled else Qt.CheckState.Unchecked)
            item.setToolTip(
                tr("{breakpoint}\nUntick it to switch it off; Delete removes it").format(
                    breakpoint=item.text()
                )
            )
        self._filling = False
        self._heading.show_count(f"{len(every)}" if every else tr("none"))

    def _show_bookmarks(self) -> None:
        self._filling = True
        self.marks.clear()
        for bookmark in self.bookmarks.all:
            item = QListWidgetItem(bookmark.name, self.marks)
            item.setData(_ITEM, bookmark)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            item.setToolTip(
                tr("t {time:.2f}. A click goes there, a double click renames it").format(
                    time=bookmark.instant.time
                )
            )
        self._filling = False
        self._marks_heading.show_count(f"{len(self.bookmarks.all)}" if self.bookmarks.all else tr("none"))

    def _switch(self, item: QListWidgetItem) -> None:
        if not self._filling:
            self.breakpoints.enable(item.data(_ITEM), on=item.checkState() == Qt.CheckState.Checked)

    def _rename(self, item: QListWidgetItem) -> None:
        if not self._filling and item.text().strip():
            self.bookmarks.rename(item.data(_ITEM), item.text().strip())

    def _go_to_bookmark(self, item: QListWidgetItem) -> None:
        self.go_to(item.data(_ITEM))

    def go_to(self, bookmark: Bookmark) -> None:
        """Go to a bookmark's place."""
        self._cursor.go_to_kept(bookmark.instant)

    def _remove_breakpoint(self, item: QListWidgetItem) -> None:
        self._remove(item, self.breakpoints, tr("The breakpoint “{name}” is removed."))

    def _remove_bookmark(self, item: QListWidgetItem) -> None:
        self._remove(item, self.bookmarks, tr("The bookmark “{name}” is removed."))

    def _remove(self, item: QListWidgetItem, stops: Breakpoints | Bookmarks, said: str) -> None:
        removed, place, name = item.data(_ITEM), item.listWidget().row(item), item.text()
        stops.remove(removed)

        def put_back() -> None:
            stops.replace((*stops.all[:place], removed, *stops.all[place:]))

        self.removed.emit(said.format(name=name), put_back)

    def _point_at(self, stop: Stop) -> None:
        """Make the breakpoint that stopped the run the current row."""
        rows = [b._replace(enabled=True) for b in self.breakpoints.all]
        wanted = stop.breakpoint._replace(enabled=True)
        self.list.setCurrentRow(rows.index(wanted) if wanted in rows else -1)

    # The form

    def _build_form(self) -> None:
        self.kind = ElidedCombo()
        self.kind.setAccessibleName(tr("What to stop at"))
        for kind, rule in BREAK_KINDS.items():
            self.kind.addItem(f"{rule.title}…" if rule.fields else rule.title, kind)
        self._fields = QStackedWidget()  # as high for every kind, or the buttons below would move
        self._fields.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.line = ElidedCombo()
        self.line.setAccessibleName(tr("Line of code"))
        self.job = NumberEditor(Limits(whole=True, least=0), self._themes, when_empty=tr("any job"))
        self.job.describe(tr("Job"), tr("The number of a job; empty for any"))
        self.value = NumberEditor(_LIMITS, self._themes)
        self.value.describe(tr("Limit"), "")
        self.unit = QLabel()
        self.node = [NumberEditor(_LIMITS, self._themes) for _ in range(3)]
        self._axes = [QLabel(axis) for axis in "xyz"]
        for axis, editor in zip("xyz", self.node, strict=True):
            editor.describe(tr("Node's {axis}").format(axis=axis), "")
        for editor in (self.value, *self.node):
            editor.set_value(0)
        self.error_line = ErrorLine(self._themes)
        for editor in (self.job, self.value, *self.node):
            editor.edited.connect(self._unmark)
        self.kind.currentIndexChanged.connect(self._choose_kind)

    def _choose_kind(self) -> None:
        """Show the fields that the chosen kind has."""
        rule = BREAK_KINDS[self.kind.currentData()]
        self._fields.setCurrentIndex(BreakField.LINE not in rule.fields)
        self.job.setVisible(BreakField.JOB in rule.fields)
        self.value.setVisible(BreakField.VALUE in rule.fields)
        self.unit.setVisible(BreakField.VALUE in rule.fields)
        self.value.box.limits = _LIMITS._replace(whole=rule.counted)
        self.unit.setText(rule.unit)
        recording = self._cursor.recording
        dims = 3 if recording is None else recording.mesh.dims
        for axis, parts in enumerate(zip(self._axes, self.node, strict=True)):
            for part in parts:
                part.setVisible(BreakField.NODE in rule.fields and axis < dims)
        self._unmark()
        kind = BreakKind(self.kind.currentData())
        self.add.setEnabled(recording is not None and can_happen(recording, kind))

    def _add(self) -> None:
        """Set the breakpoint that the form describes, or say which number is wrong."""
        wrong = first_wrong(self.error_line, self._asked())
        if wrong is None:
            self.breakpoints.add(self._chosen())
        else:
            wrong.first().setFocus()

    def _unmark(self) -> None:
        """No number is wrong before a breakpoint is set with it."""
        for editor in (self.job, self.value, *self.node):
            editor.mark_invalid(())
        self.error_line.say("")

    def _asked(self) -> Iterator[tuple[NumberEditor, str]]:
        """The numbers that are shown, with what is expected of each."""
        if not self.job.isHidden():
            yield self.job, tr("Expected the number of a job, or nothing for any job")
        if not self.value.isHidden():
            whole = self.value.box.limits.whole
            yield (
                self.value,
                tr("Expected a whole number from 0") if whole else tr("Expected a number from 0"),
            )
        for editor in self.node:
            if not editor.isHidden():
                most = editor.box.limits.most
                yield editor, tr("Expected a whole number from 0 to {most}").format(most=most)

    def _chosen(self) -> Breakpoint:
        """The breakpoint that the form describes."""
        kind = BreakKind(self.kind.currentData())  # Qt hands a text back
        fields = BREAK_KINDS[kind].fields
        made = Breakpoint(kind)
        job, value = self.job.number(), self.value.number()
        if BreakField.JOB in fields and job is not None:
            made = made._replace(job=int(job))
        if BreakField.VALUE in fields and value is not None:
            made = made._replace(value=float(value))
        if BreakField.NODE in fields:
            x, y, z = (int(editor.number() or 0) for editor in self.node)
            made = made._replace(node=(x, y, z))
        if BreakField.LINE in fields:
            made = made._replace(line=str(self.line.currentData()))
        return made

    def _follow(self, change: CursorChange) -> None:
        """Offer the lines and the nodes of another run's strategy and mesh."""
        if change is not CursorChange.RUN:
            return
        recording = self._cursor.recording
        self.line.clear()
        if recording is not None:
            strategy = recording.strategy
            for lines, where in ((strategy.lines, ""), (strategy.release_lines, f"{tr('release')} ")):
                for number, line in enumerate(lines, 1):
                    self.line.addItem(f"{where}{number}  {line.text}", line.label)
            for editor, extent in zip(self.node, recording.mesh.extents, strict=True):
                editor.box.limits = Limits(whole=True, least=0, most=extent - 1)
            self._offer_kinds(recording)
        self._show_breakpoints()
        self._show_bookmarks()
        self._choose_kind()

    def _offer_kinds(self, recording: Recording) -> None:
        """Have only those chosen that can stop this run."""
        model = self.kind.model()
        if isinstance(model, QStandardItemModel):
            for place, kind in enumerate(BREAK_KINDS):
                model.item(place).setEnabled(can_happen(recording, kind))

    def _build_buttons(self) -> None:
        self.add = push_button(tr("Add"), tr("Set this breakpoint"), self._add)
        hint = tr("Continue to the next breakpoint (F8)")
        self.on = push_button(tr("Continue"), hint, self.go_on_asked)
        hint = tr("Remove the breakpoint that is chosen")
        self.remove = text_button(tr("Remove"), hint, lambda: self._remove_current(self.list))
        hint = tr("Name this moment")
        self.mark = push_button(tr("Bookmark this moment"), hint, self._bookmark)
        hint = tr("Remove the bookmark that is chosen")
        self.unmark = text_button(tr("Remove"), hint, lambda: self._remove_current(self.marks))
        for button in (self.add, self.on, self.mark):
            button.setProperty("compact", True)
        for removal, listed in ((self.remove, self.list), (self.unmark, self.marks)):
            removal.setAutoRaise(True)
            removal.setProperty("compact", True)
            offer = partial(self._offer_removal, removal, listed)
            listed.currentItemChanged.connect(offer)
            offer()

    def _offer_removal(self, button: QToolButton, listed: QListWidget, *_changed: object) -> None:
        """Offer to remove an item where one is chosen."""
        button.setVisible(listed.currentItem() is not None)

    def _bookmark(self) -> None:
        if self._cursor.recording is None:
            return
        added = self.bookmarks.add(self._cursor.instant)
        item = self.marks.item(self.bookmarks.all.index(added))
        self.marks.setCurrentItem(item)
        self.marks.editItem(item)  # asks for its name at once

    def _remove_current(self, chosen: _ItemList) -> None:
        item = chosen.currentItem()
        if item is not None:
            chosen.remove(item)

    def _arrange(self) -> None:
        sizing = Sizing(self._themes, self)
        axes = [part for pair in zip(self._axes, self.node, strict=True) for part in pair]
        numbers = sizing.row((self.job, 1), (self.value, 1), self.unit, *axes, spacing=4)
        for page in (self.line, widget_of(numbers)):
            self._fields.addWidget(page)
        form = sizing.column(self.kind, self._fields, self.error_line, margins=(12, 4, 12, 4), spacing=4)
        content = QWidget()
        sizing.column(
            sizing.row((self._heading, 1), self.remove, margins=(0, 0, 8, 0)),
            (self.list, 2),
            form,
            sizing.row((self.add, 1), (self.on, 1), margins=(12, 4, 12, 8), spacing=4),
            sizing.row((self._marks_heading, 1), self.unmark, margins=(0, 0, 8, 0)),
            (self.marks, 1),
            sizing.row((self.mark, 1), margins=(12, 4, 12, 12)),
            on=content,
        )
        for each in (self.list, self.marks):
            sizing.call(each.setMinimumHeight, 68)
        sizing.column(scrolls_alone(RowScroll(content)), on=self)


class _ItemList(QListWidget):
    """A list whose current item goes with Delete or Backspace; an empty one says what it is for."""

    def __init__(
        self, remove: Callable[[QListWidgetItem], object], placeholder: str, themes: ThemeManager
    ) -> None:
        super().__init__()
        self.remove, self.placeholder, self._themes = remove, placeholder, themes
        # What wraps in the panel has it ask for the lists' own height, not the least.
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the items, or the text of an empty list."""
        super().paintEvent(event)
        if not self.count():
            with QPainter(self.viewport()) as painter:
                write_placeholder(painter, self.viewport().rect(), self.placeholder, self._themes)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Remove the current item."""
        item = self.currentItem()
        if event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace} and item is not None:
            self.remove(item)
        else:
            super().keyPressEvent(event)
