"""The strategy's pseudo-code with the current line, and buttons into, through and out of its steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QPushButton, QScrollArea, QSizePolicy, QWidget

from meshgui.catalogue.sources import cite, cite_briefly
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.narration import job_title
from meshgui.model.moment.position import Position
from meshgui.model.stepping.breakpoints import BreakKind, Breakpoints
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.selection import Selection
from meshgui.model.tables.tables import PlainTable
from meshgui.views.panels.code_pane import CodePane
from meshgui.views.style.direction import set_from_the_right
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import hairline, keep_room, label, push_button
from meshgui.views.widgets.focus_ring import FocusRing
from meshgui.views.widgets.following import FollowingView, follow
from meshgui.views.widgets.labels import ElidedLabel
from meshgui.views.widgets.one_stop import OneStop
from meshgui.views.widgets.progress_bar import ProgressBar
from meshgui.views.widgets.soon import soon
from meshgui.views.widgets.tool_button import tool_button

_LOW: Final = 360  # pixels: a lower panel needs its room for the code
_LOWER: Final = 310  # pixels: and in one lower still the source gives way to it, too

_HEAD, _LOW_HEAD = (12, 8, 8, 8), (12, 2, 8, 2)
_FOOT, _LOW_FOOT = (12, 8, 12, 12), (12, 3, 12, 3)

_BUTTONS = {
    "back": ("chevron-left", "", tr("One line back")),
    "step": ("chevron-right", "", tr("One line forward")),
    "decision": ("chevrons-right", tr("Decision"), tr("Forward to the next decision")),
    "leave": ("undo-2", tr("Leave"), tr("Back to the event before these steps")),
}


class AlgorithmView(FollowingView):
    """Pseudo-code with the current line, and buttons that step through an attempt or a release."""

    about_asked = Signal()  # for the strategy's page

    def __init__(
        self,
        cursor: Cursor,
        selection: Selection,
        themes: ThemeManager,
        breakpoints: Breakpoints | None = None,
    ) -> None:
        super().__init__(cursor, selection, themes)
        self._breakpoints = Breakpoints() if breakpoints is None else breakpoints
        follow(self, self._breakpoints.changed, self._show_stops)
        self.title = ElidedLabel(themes, "lead", weight=QFont.Weight.DemiBold).fill_width()
        shelf = IconShelf(themes)
        self.about = tool_button(
            shelf, "circle-question-mark", tr("About this strategy (F1)"), self.about_asked.emit
        )
        self.source = label(kind="caption", wrap=True)
        self.paper = ElidedLabel(themes, "caption", "muted").fill_width()  # in place of it in a low panel
        self.where = ElidedLabel(themes).fill_width()
        self.progress = ProgressBar()
        self.code = CodePane(themes)
        self.code.clicked.connect(self.run_to)
        self.code.stop_toggled.connect(
            lambda line: self._breakpoints.toggle_line(self.code.lines[line].label)
        )
        # Wrapped again, the code has another height, which the scroll area learns with the next layout.
        self.code.wrapped.connect(lambda: soon(self, self._reveal))
        hint = tr("Go to the first step of the next allocation attempt, or of the next job's release")
        self.enter = push_button(tr("Step into it"), hint, self._enter)
        self.buttons = {name: QPushButton(text) for name, (_, text, _) in _BUTTONS.items()}
        for name, (picture, _, help_text) in _BUTTONS.items():
            shelf.dress(self.buttons[name], picture)
            self.buttons[name].setToolTip(help_text)
            self.buttons[name].setAccessibleName(help_text)
        self.buttons["back"].clicked.connect(cursor.previous_step)
        self.buttons["step"].clicked.connect(cursor.next_step)
        self.buttons["decision"].clicked.connect(cursor.next_decision)
        self.buttons["leave"].clicked.connect(self._leave)
        self._folded = self._tight = False
        self._arrange()

    def show_view(self, view: View | None) -> None:
        """Show the current line, or what comes next."""
        inside = view is not None and view.position.inside
        for button in self.buttons.values():
            button.setVisible(inside)
        self._show_enter()
        self.about.setVisible(view is not None)
        if view is None:
            self.title.setText(tr("No run yet"))
            self.source.setText("")
            self.paper.setText("")
            self.code.show_lines(())
            self._show_step_number(0, 0, tr("Open a scenario to see its strategy."))
            self.enter.setEnabled(False)
            return
        self.title.say(_title(view), view.strategy.id)
        self.source.setText(set_from_the_right(cite(view.strategy.source)))
        self.paper.say(cite_briefly(view.strategy.source), "")
        if view.lines is not self.code.lines:
            self.code.show_lines(view.lines)
            self._scroll.verticalScrollBar().setValue(0)  # another code is read from its first line
        self._show_stops()
        if inside:
            self._show_steps(view)
        else:
            self.code.show_current(None, frozenset())
            following = self._cursor.following
            self.enter.setEnabled(following is not None)
            self._show_step_number(0, 0, *_next_words(view.recording, following))

    def _show_enter(self) -> None:
        """Show the button into the next steps; a low panel without a run has words alone."""
        view = self._cursor.view
        inside = view is not None and view.position.inside
        self.enter.setVisible(not inside and (view is not None or not self._folded))

    def tables(self) -> Sequence[PlainTable]:
        """The lines of code."""
        view = self._cursor.view
        if view is None:
            return ()
        return (self.code.table(tr("Pseudo-code of {strategy}").format(strategy=_title(view))),)

    def _show_stops(self) -> None:
        """Mark the lines with a breakpoint that is switched on."""
        labels = {b.line for b in self._breakpoints.enabled if b.kind == BreakKind.LINE}
        self.code.show_stops(frozenset(n for n, line in enumerate(self.code.lines) if line.label in labels))

    def run_to(self, line: int) -> None:
        """Go on to the next step at a line; if none is ahead, back to the last one behind."""
        view = self._cursor.view
        if view is None or view.trace is None:
            return
        at = np.flatnonzero(view.trace.steps.lines() == line)
        ahead, behind = at[at > view.position.step], at[at < view.position.step]
        if len(ahead):
            self._cursor.go_to(view.position._replace(step=int(ahead[0])))
        elif len(behind):
            self._cursor.go_to(view.position._replace(step=int(behind[-1])))

    def _show_steps(self, view: View) -> None:
        trace, attempt = view.trace, view.position.attempt
        if trace is None:
            self.code.show_current(None, frozenset())
            self._show_step_number(0, 0, view.fault or "")
            return
        step, steps = view.position.step + 1, len(trace.steps)
        words = {"job": trace.job, "step": step, "steps": steps}
        told = tr("Job {job}, release, step {step} of {steps}")
        if attempt is not None:
            attempts = view.recording.attempts_of(trace.job)
            words |= {"attempt": attempts.index(attempt) + 1, "attempts": len(attempts)}
            told = tr("Job {job}, attempt {attempt} of {attempts}, step {step} of {steps}")
        short = tr("Step {step} of {steps}").format(step=step, steps=steps)
        self._show_step_number(step, steps, told.format(**words), short, f"{step} / {steps}")
        self.code.show_current(view.line, trace.steps.lines_passed)
        self._reveal()

    def _reveal(self) -> None:
        """Scroll to the current line, and begin with a whole one."""
        if self.code.current is None:
            return
        rect, room = self.code.line_rect(self.code.current), self._scroll.viewport().height()
        self._scroll.ensureVisible(0, rect.center().y(), 0, min(rect.height(), room // 2))
        bar = self._scroll.verticalScrollBar()
        if bar.value():
            tops = [self.code.line_rect(number).top() for number in range(self.code.current + 1)]
            within = [top for top in tops if rect.bottom() - top < room]
            earlier = [top for top in within if top <= bar.value()]
            bar.setValue((earlier[-1:] or within[:1] or [rect.top()])[0])

    def _show_step_number(self, step: int, steps: int, *wordings: str) -> None:
        self.where.say(*wordings)
        self.progress.setVisible(steps > 0 and not self._folded)
        self.progress.show_progress(step, max(steps, 1))

    def _enter(self) -> None:
        following = self._cursor.following
        if following is not None:
            self._cursor.go_to(following)

    def _leave(self) -> None:
        self._cursor.go_to(Position(self._cursor.position.events))

    def _arrange(self) -> None:
        self._scroll = QScrollArea()
        self._scroll.setAccessibleName(tr("Algorithm"))
        FocusRing(self._scroll, self._themes)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self.code)
        bar = self._scroll.verticalScrollBar()
        for change in (bar.valueChanged, bar.rangeChanged):  # then other lines are cut off
            change.connect(lambda *_: self.code.update())
        self._scroll.viewport().setAutoFillBackground(False)
        self.code.setAutoFillBackground(False)
        keep_room(self.progress)
        row = self._row = QWidget()
        row.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # the panel may be narrower
        buttons = (*self.buttons.values(), self.enter)
        for button in buttons:
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setProperty("compact", button is not self.enter)
        OneStop(self, buttons)
        self.about.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # F1 is its key
        sizing = Sizing(self._themes, self).icons(16, *buttons)
        title = sizing.row(self.title, (self.paper, 1), spacing=8)
        texts = sizing.column(title, self.source, spacing=2)
        self._head = sizing.row((texts, 1), self.about, margins=_HEAD, spacing=8)
        self.paper.hide()
        sizing.row(*buttons, 1, on=row, spacing=8)
        parts = (self.where, 1), self.progress, row
        self._foot = sizing.column(*parts, margins=_FOOT, spacing=8)
        sizing.column(self._head, hairline(), (self._scroll, 1), hairline(), self._foot, on=self)
        for button in buttons:
            sizing.call(button.setFixedHeight, 30)  # so that the row keeps its height whichever it shows
        sizing.rule(self._fit)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Leave the room to the code where there is little."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Fold what stands below the code to one row in a low panel, and in a lecture, where code is large.

        The number of the step says how far.
        """
        low = self.code.enlarged or self.height() < self._themes.px(_LOW)
        if low != self._folded:
            self._folded = low
            way = QBoxLayout.Direction
            self._foot.setDirection(way.LeftToRight if low else way.TopToBottom)
            across = QSizePolicy.Policy.Maximum if low else QSizePolicy.Policy.Ignored
            self._row.setSizePolicy(across, QSizePolicy.Policy.Fixed)
            kept = self.progress.sizePolicy()
            kept.setRetainSizeWhenHidden(not low)
            self.progress.setSizePolicy(kept)
            self.progress.setVisible(self.progress.value() > 0 and not low)
            self._show_enter()
        self._fit_head()
        self._fit_buttons()

    def _fit_head(self) -> None:
        """Name the paper beside the title where the code needs the lines of its source."""
        tight, px = self.height() < self._themes.px(_LOWER), self._themes.px
        if tight != self._tight:
            self._tight = tight
            self.source.setVisible(not tight)
            self.paper.setVisible(tight)
            across = QSizePolicy.Policy.Maximum if tight else QSizePolicy.Policy.Ignored
            self.title.setSizePolicy(across, QSizePolicy.Policy.Fixed)
        self._head.setContentsMargins(*map(px, _LOW_HEAD if tight else _HEAD))
        self._foot.setContentsMargins(*map(px, _LOW_FOOT if tight else _FOOT))

    def _fit_buttons(self) -> None:
        px = self._themes.px
        width = QFontMetrics(self._themes.text()).horizontalAdvance
        icon, words = px(36), {name: text for name, (_, text, _) in _BUTTONS.items()}
        wanted = {name: icon + (width(text) + px(8) if text else 0) for name, text in words.items()}
        roomy = sum(wanted.values()) + px(24) + px(24) <= self.width() and not self._folded
        for name, text in words.items():
            self.buttons[name].setText(text if roomy else "")
            self.buttons[name].setFixedWidth(wanted[name] if roomy else icon)


def _title(view: View) -> str:
    """What the lines are of: the strategy, or its release."""
    title = view.strategy.title
    return tr("{strategy}: release").format(strategy=title) if view.position.release else title


def _next_words(recording: Recording, following: Position | None) -> tuple[str, ...]:
    """What comes next, the longest wording first."""
    if following is None:
        return tr("No allocation follows.") if recording.over else tr("No allocation follows yet."), ""
    job = View(recording, following, 0.0).job
    if job is None:
        return ("",)
    told, title = tr("Next allocation: {job}"), job_title(recording, job)
    if following.release:
        told = tr("Next release: {job}")
    short = tr("Next: {job}")  # without it the job could be the one of the sentence
    number = tr("Job {job}").format(job=job)
    return told.format(job=title), short.format(job=title), short.format(job=number)
