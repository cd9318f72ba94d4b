"""The form in which a whole algorithm is worked: a decision at a time, pointed out, typed, or taken back."""

from __future__ import annotations

import re
from typing import Any, Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QListWidget, QListWidgetItem

from meshgui.engine.allocation.steps import Mark, Role
from meshgui.engine.basics.geometry import Box, describe_size
from meshgui.engine.basics.translation import tr
from meshgui.model.exercises.exercise import said
from meshgui.model.exercises.whole_work import WholeWork, typed_box
from meshgui.views.lessons.exercise_forms import AnswerForm
from meshgui.views.style.direction import is_rtl, isolated_whole
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import label, push_button
from meshgui.views.widgets.focus_ring import FocusRing
from meshgui.views.widgets.following import follow

_BOX: Final = Qt.ItemDataRole.UserRole
_TAKES_BACK: Final = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


class WholeForm(AnswerForm):
    """Shows the decision to take, the boxes that are pointed out, and what is right about the last one."""

    hint = tr("Click a base or drag a box; a click on a box of a list takes it back")

    def __init__(self, work: WholeWork, themes: ThemeManager) -> None:
        super().__init__()
        self._work = work
        sizing = Sizing(themes, self)
        self.progress, self.asks = label(kind="muted"), label(wrap=True)
        self.field = QLineEdit()
        self.field.setAccessibleName(tr("A box"))
        self.field.setPlaceholderText("(0,0) 2×3" if work.exercise.mesh.dims == 2 else "(0,0,0) 2×3×1")
        self.field.setToolTip(tr("Type a base, or a base and a size; Return adds the box, or checks"))
        self.field.returnPressed.connect(self._take_typed)
        wait = tr("The job cannot be placed now")
        self.wait_button = push_button(tr("Let it wait"), wait, self._wait)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("The boxes"))
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.installEventFilter(self)
        FocusRing(self.list, themes)
        sizing.call(self.list.setFixedHeight, 124)  # five rows
        sizing.call(self.asks.setMinimumHeight, 34)  # two lines, so that what is below stays where it is
        self.asks.setAlignment(Qt.AlignmentFlag.AlignTop)
        split, merge = tr("Halve the chosen boxes along each even side"), tr("Put the box around the chosen")
        self.split_button = push_button(tr("Split"), split, lambda: work.split(self._chosen()))
        self.merge_button = push_button(tr("Merge"), merge, lambda: work.merge(self._chosen()))
        taken = tr("Take the chosen boxes back (Delete)")
        self.remove_button = push_button(tr("Remove"), taken, lambda: work.remove(self._chosen()))
        back = tr("Go back by one box or one decision; what was decided first counts")
        self.undo_button = push_button(tr("Undo"), back, work.undo)
        step = tr("Show one more step of the strategy; the decision then counts half")
        self.step_button = push_button(tr("Show me one step"), step, work.show_step)
        self.words = label(wrap=True)
        edits = (self.split_button, self.merge_button, self.remove_button)
        self.keyed = self.field
        self.stops = (self.field, self.wait_button, self.list, *edits, self.undo_button, self.step_button)
        sizing.column(
            self.progress,
            self.asks,
            sizing.row((self.field, 1), self.wait_button, spacing=8),
            self.list,
            sizing.row(*edits, 1, spacing=8),
            sizing.row(self.undo_button, self.step_button, 1, spacing=8),
            self.words,
            on=self,
            spacing=8,
        )
        lists = any(not work.exercise.in_one(decision) for decision in work.exercise.decisions)
        for widget in (self.list, *edits):
            widget.setVisible(lists)
        self.list.itemSelectionChanged.connect(self._follow_choice)
        follow(self, work.changed, self._show)
        self._show()

    def value(self) -> Any:  # noqa: ANN401 - any JSON value
        return self._work.answer if self._work.done else None

    def partial(self) -> Any:  # noqa: ANN401 - any JSON value
        return self._work.answer or None

    def advance(self) -> bool:
        self._work.give()
        return self._work.done

    def place(self, box: Box) -> None:
        self._work.point(box)

    def eventFilter(self, watched: QObject, event: QEvent, /) -> bool:  # noqa: N802 - Qt's name
        """Take boxes of the list back with their key; Return checks the decision."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in _TAKES_BACK
        ):
            self._work.remove(self._chosen())
            return True
        return super().eventFilter(watched, event)

    def _chosen(self) -> list[Box]:
        return [item.data(_BOX) for item in self.list.selectedItems()]

    def _wait(self) -> None:
        self._work.wait()
        if self._work.done:
            self.given.emit()

    def _take_typed(self) -> None:
        """Take the box that is typed; of an empty field, check the decision."""
        text = self.field.text()
        if not text.strip():
            self.given.emit()
            return
        numbers = [int(number[:9]) for number in re.findall(r"\d+", text)]
        box = typed_box(self._work.exercise.mesh, numbers)
        if box is None:
            self.words.setText(tr("Type a base of the mesh, or a base and a size, for example (0,0) 2×3."))
            return
        self.field.clear()
        self._work.point(box)

    def _show(self) -> None:
        work = self._work
        count = len(work.exercise.decisions)
        place = min(work.place + 1, count)
        self.progress.setText(said(tr("Decision {place} of {all}"), place=place, all=count))
        self.asks.setText("" if work.done else work.exercise.asks(work.decision))
        self.words.setText(f"✓ {work.words}" if work.right else work.words)
        self.wait_button.setEnabled(not work.done and not work.decision.listed)
        self.undo_button.setEnabled(work.can_undo and not work.done)
        self.boxes = work.boxes
        chosen = self._chosen()
        self.list.blockSignals(True)  # what is chosen is followed once, below
        self.list.clear()
        mesh = work.exercise.mesh
        for box in work.boxes:
            words = f"{box.describe(flat=mesh.dims == 2)} · {describe_size(box.size, mesh.dims)}"
            item = QListWidgetItem(isolated_whole(words) if is_rtl() else words, self.list)
            item.setData(_BOX, box)
            item.setSelected(box in chosen)
        self.list.blockSignals(False)
        self._follow_choice()

    def _follow_choice(self) -> None:
        """Let what needs boxes be chosen only where there are some, and show them in the mesh."""
        chosen = self._chosen()
        count = len(chosen)
        self.marks = (*self._work.marks, *(Mark(Role.CANDIDATE, box, (0, 0, 0)) for box in chosen))
        several = self._work.several and not self._work.done
        self.split_button.setEnabled(several and count > 0)
        self.merge_button.setEnabled(several and count > 1)
        self.remove_button.setEnabled(not self._work.done and count > 0)
        self.changed.emit()
