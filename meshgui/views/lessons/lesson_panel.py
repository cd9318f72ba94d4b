"""The panel of lessons: the list of them, or the text of a step with its question and Back and Next."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QListView,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from meshgui.engine.basics.translation import tr
from meshgui.model.lessons.lesson_session import LessonSession
from meshgui.model.lessons.lesson_shelf import ShelvedLesson, found_lessons, progress_words
from meshgui.views.help.markdown_view import MarkdownView, open_outside
from meshgui.views.lessons.prediction_box import PredictionBox
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import as_panel, hairline, left, push_button, widget_of
from meshgui.views.widgets.focus_ring import FocusRing, focus_by_key
from meshgui.views.widgets.following import follow
from meshgui.views.widgets.labels import ElidedLabel, Heading
from meshgui.views.widgets.tool_button import tool_button

_PATH = Qt.ItemDataRole.UserRole


class LessonPanel(QStackedWidget):
    """Shows the lessons to choose from, or the step of the one that is open."""

    chosen = Signal(Path)
    file_asked = Signal()
    exercises_asked = Signal()
    experiment_asked = Signal()  # the one of the step is to be opened

    def __init__(self, session: LessonSession, own: Path, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__()
        self._session, self._own, self._themes = session, own, themes
        self._text = ""
        as_panel(self)
        self._sizing = Sizing(themes, self)
        self._list_page = self._make_list_page()
        self._step_page = self._make_step_page(icons)
        self.addWidget(self._list_page)
        self.addWidget(self._step_page)
        follow(self, session.changed, self._show_step)
        self._show_step()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return room for a paragraph and a question."""
        return QSize(self._themes.px(340), self._themes.px(420))

    def show_list(self) -> None:
        """Show the lessons to choose from, as they are on the disk now."""
        self.list.clear()
        lessons = found_lessons(self._own)
        for number, lesson in enumerate(lessons, 1):
            self._add(number, lesson)
        self.heading.show_count(f"{len(lessons)}")
        self.list.setCurrentRow(0)
        self.setCurrentWidget(self._list_page)
        focus_by_key(self.list)

    def end(self) -> None:
        """Stop what computes an answer."""
        self.prediction.end()

    # Building

    def _make_list_page(self) -> QWidget:
        self.heading = Heading(tr("Lessons"), self._themes)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Lessons"))
        FocusRing(self.list, self._themes)
        self.list.setWordWrap(True)
        self.list.setItemDelegate(_WholeTitles(self._themes, self.list))
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemActivated.connect(self._choose)
        self.list.itemClicked.connect(self._choose)
        self._let_shrink(self.list)
        hint = tr("Choose a lesson of your own, NAME.lesson.md")
        self.file_button = push_button(tr("Open a lesson file…"), hint, self.file_asked)
        hint = tr("Predict what strategies do, with the future hidden; the engine checks the answers")
        self.exercises_button = push_button(tr("Exercises…"), hint, self.exercises_asked)
        foot = self._sizing.row(self.file_button, self.exercises_button, 1, margins=(12, 8, 12, 8), spacing=8)
        return widget_of(self._sizing.column(self.heading, (self.list, 1), foot))

    def _make_step_page(self, icons: IconShelf) -> QWidget:
        session = self._session
        self.list_button = tool_button(icons, "list", tr("All lessons (Shift+L)"), self.show_list)
        self.title = ElidedLabel(self._themes, "caption", "muted").fill_width()
        self.progress = ElidedLabel(self._themes, "caption", "muted")
        self.page = MarkdownView(self._themes, margin=12)
        self.page.setAccessibleName(tr("The text of the step"))
        self.page.anchorClicked.connect(open_outside)
        self.prediction = PredictionBox(self._themes)
        self.prediction.explained.connect(self._explain)
        self.prediction.answered.connect(lambda text, right: session.answer(text, right=right))
        self._let_shrink(self.page)
        hint = tr("Open the experiment window with this experiment filled in")
        self.experiment_button = push_button(tr("Open the experiment…"), hint, self.experiment_asked)
        self.back_button = push_button(tr("Back"), tr("The previous step (Alt+Left)"), session.back)
        again = tr("Show the moment of this step again, wherever you have gone")
        self.again_button = push_button(tr("Show again"), again, session.show_again)
        self.next_button = push_button(
            tr("Next"), tr("The next step (Alt+Right)"), session.next, primary=True
        )
        head = self._sizing.row(
            self.list_button, (self.title, 1), self.progress, margins=(8, 6, 12, 4), spacing=8
        )
        foot = self._sizing.row(
            self.back_button, self.again_button, 1, self.next_button, margins=(12, 8, 12, 8), spacing=8
        )
        experiment = self._sizing.row(left(self.experiment_button), margins=(12, 0, 12, 0))
        column = self._sizing.column(head, (self.page, 1), self.prediction, experiment, hairline(), foot)
        return widget_of(column)

    def _let_shrink(self, view: QAbstractScrollArea) -> None:
        """Give a view what the others leave: it scrolls, so that the buttons stay in sight."""
        view.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self._sizing.call(view.setMinimumHeight, 72)

    def _add(self, number: int, lesson: ShelvedLesson) -> None:
        title = tr("{lesson}  ·  {minutes}\N{NO-BREAK SPACE}min") if lesson.minutes else "{lesson}"
        words = title.format(lesson=f"{number}. {lesson.title}", minutes=lesson.minutes)
        state = progress_words(lesson, self._session.course.progress(lesson.path))
        item = QListWidgetItem(f"{words}  ·  {state}" if state else words, self.list)
        item.setToolTip(lesson.fault or lesson.source)
        item.setData(_PATH, lesson.path)
        if lesson.fault:
            item.setText(tr("{lesson}  ·  cannot be read").format(lesson=lesson.title))
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEnabled)

    # Showing

    def _choose(self, item: QListWidgetItem) -> None:
        self.chosen.emit(item.data(_PATH))

    def _show_step(self) -> None:
        session = self._session
        lesson, step = session.lesson, session.step
        self.prediction.show_step(lesson, session.place, session.given)
        if lesson is None or step is None:
            self.show_list()
            return
        self.title.setText(lesson.title)
        self.progress.setText(
            tr("step {place} of {last}").format(place=session.place + 1, last=session.last + 1)
        )
        at_end = session.place == session.last and bool(lesson.source)
        self._text = (
            tr("{step}\n\n*Source: {source}*").format(step=step.text, source=lesson.source)
            if at_end
            else step.text
        )
        if session.place == session.last and (summary := session.summary):
            self._text = f"{self._text}\n\n{summary}"
        self.page.show_page(self._text, lesson.path.parent)
        self.experiment_button.setVisible(step.moment is not None and step.moment.experiment is not None)
        self.back_button.setEnabled(session.place > 0)
        self.next_button.setEnabled(session.place < session.last)
        self.setCurrentWidget(self._step_page)

    def _explain(self, words: str) -> None:
        """Show the explanation of an answer below the text, from its beginning."""
        bar = self.page.verticalScrollBar()
        height = bar.maximum() + self.page.viewport().height()
        lesson = self._session.lesson
        folder = None if lesson is None else lesson.path.parent
        self.page.show_page(f"{self._text}\n\n---\n\n{words}" if words else self._text, folder)
        bar.setValue(min(height - self._themes.px(24), bar.maximum()))


class _WholeTitles(QStyledItemDelegate):
    """Gives titles the lines that they need beside the padding of the style, which Qt does not count."""

    def __init__(self, themes: ThemeManager, titles: QListWidget) -> None:
        super().__init__(titles)
        self._themes, self._titles = themes, titles

    def sizeHint(  # noqa: N802 - Qt's name
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        hint = super().sizeHint(option, index)
        margin = self._titles.style().pixelMetric(
            QStyle.PixelMetric.PM_FocusFrameHMargin, option, self._titles
        )
        width = self._titles.viewport().width() - 2 * (self._themes.px(8) + margin + 1)
        room = QRect(0, 0, max(width, 1), 0)
        text = option.fontMetrics.boundingRect(room, int(Qt.TextFlag.TextWordWrap), index.data())
        return QSize(hint.width(), max(hint.height(), text.height() + 2 * self._themes.px(4)))
