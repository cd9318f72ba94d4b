"""The panel of lessons: the list of them, or the text of a step with its question and Back and Next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import ceil
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QListView,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from meshgui.engine.basics.translation import tr
from meshgui.model.lessons.lesson import Lesson
from meshgui.model.lessons.lesson_session import LessonSession
from meshgui.model.lessons.lesson_shelf import ShelvedLesson, needs_words, progress_words, shelved
from meshgui.views.help.markdown_view import MarkdownView, open_outside
from meshgui.views.lessons.prediction_box import PredictionBox
from meshgui.views.lessons.step_pictures import StepPictures
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import (
    as_panel,
    hairline,
    label,
    left,
    push_button,
    scrolls_around,
    widget_of,
)
from meshgui.views.widgets.focus_ring import FocusRing, focus_by_key
from meshgui.views.widgets.following import follow
from meshgui.views.widgets.labels import ElidedLabel, Heading
from meshgui.views.widgets.page_stack import PageStack
from meshgui.views.widgets.tool_button import tool_button

_CHOSEN = Qt.ItemDataRole.UserRole  # the lesson of a row
_TEXT_LEAST: Final = 72
_SCROLLING: Final = {Qt.Key.Key_Up, Qt.Key.Key_Down}  # others are those of time
_PRACTICE = Qt.ItemDataRole.UserRole + 1  # whether the row stands for the exercises to it


class Shelf(NamedTuple):
    """The lessons to choose from, and what is said of the exercises to each."""

    lessons: Sequence[ShelvedLesson]
    practice: Callable[[ShelvedLesson], str]


class LessonPanel(PageStack):
    """Shows the lessons to choose from, or the step of the one that is open."""

    chosen = Signal(Path)
    file_asked = Signal()
    exercises_asked = Signal()
    practice_asked = Signal(object)  # a ShelvedLesson, whose exercises are to be asked
    experiment_asked = Signal()  # the one of the step is to be opened

    def __init__(
        self, session: LessonSession, found: Callable[[], Shelf], themes: ThemeManager, icons: IconShelf
    ) -> None:
        super().__init__()
        self._session, self._found, self._themes = session, found, themes
        self._whole = False  # the text, as the dock scrolls
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
        shelf = self._found()
        for number, lesson in enumerate(shelf.lessons, 1):
            self._add(number, lesson, shelf)
        self.heading.show_count(f"{len(shelf.lessons)}")
        open_one = None if self._session.lesson is None else self._session.lesson.path
        rows = (self.list.item(row).data(_CHOSEN) for row in range(self.list.count()))
        paths = [None if lesson is None else lesson.path for lesson in rows]
        self.list.setCurrentRow(paths.index(open_one) if open_one and open_one in paths else 0)
        self.setCurrentWidget(self._list_page)
        focus_by_key(self.list)

    def end(self) -> None:
        """Stop what computes an answer."""
        self.prediction.end()
        self._pictures.end()

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
        self.title = label("", "muted", wrap=True)  # a lesson's name is longer than a narrow column
        self.progress = ElidedLabel(self._themes, "caption", "muted")
        self.page = MarkdownView(self._themes, margin=12)
        self.page.setAccessibleName(tr("The text of the step"))
        self.page.anchorClicked.connect(open_outside)
        self._pictures = StepPictures(self._themes, self)
        self._pictures.came.connect(self.page.redraw)
        self.prediction = PredictionBox(self._themes)
        self.prediction.explained.connect(self._explain)
        self.prediction.answered.connect(session.answer)
        self.prediction.asked_again.connect(self._ask_again)
        self._let_shrink(self.page)
        self._around: QScrollArea | None = None  # what scrolls around the panel
        self.page.textChanged.connect(self._fit_text)
        hint = tr("Open the experiment window with this experiment filled in")
        self.experiment_button = push_button(tr("Open the experiment…"), hint, self.experiment_asked)
        hint = tr("Answer exercises to this lesson; it opens again where it was left")
        self.practice_button = push_button(tr("Exercises to this lesson…"), hint, self._practise)
        self.back_button = push_button(tr("Back"), tr("The previous step (Alt+Left)"), session.back)
        again = tr("Show the moment of this step again, wherever you have gone")
        self.again_button = push_button(tr("Show again"), again, session.show_again)
        self.next_button = push_button(
            tr("Next"), tr("The next step (Alt+Right)"), session.next, primary=True
        )
        self.prediction.finished_by_keys.connect(partial(focus_by_key, self.next_button))
        head = self._sizing.row(
            self.list_button, (self.title, 1), self.progress, margins=(8, 6, 12, 4), spacing=8
        )
        foot = self._sizing.row(
            self.back_button, self.again_button, 1, self.next_button, margins=(12, 8, 12, 8), spacing=8
        )
        buttons = left(self.experiment_button), left(self.practice_button)
        self._further = widget_of(self._sizing.column(*buttons, margins=(12, 4, 12, 8), spacing=4))
        column = self._sizing.column(head, (self.page, 1), self.prediction, self._further, hairline(), foot)
        for part in (page := widget_of(column), self.page):
            part.installEventFilter(self)
        return page

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Follow what scrolls around the panel."""
        super().showEvent(event)
        around = scrolls_around(self)
        if around is not None and around is not self._around:
            self._around = around
            around.viewport().installEventFilter(self)
        self._fit_text()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Look again at the room of the text, and let its keys scroll what scrolls it."""
        if event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            self._fit_text()
        elif (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and (watched is self.page and self._around is not None)
            and (self._whole and event.key() in _SCROLLING)
        ):
            self._around.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)

    def _fit_text(self) -> None:
        """Show the whole text where it has not its least, so that the dock alone scrolls."""
        if self._around is None:
            return
        least, text = self._themes.px(_TEXT_LEAST), self.page
        needed = self._step_page.minimumSizeHint().height() - text.minimumHeight() + least
        self._whole = needed > self._around.viewport().height()
        policy = Qt.ScrollBarPolicy
        text.setVerticalScrollBarPolicy(
            policy.ScrollBarAlwaysOff if self._whole else policy.ScrollBarAsNeeded
        )
        text.setMinimumHeight(ceil(text.document().size().height()) if self._whole else least)

    def _let_shrink(self, view: QAbstractScrollArea) -> None:
        """Give a view what the others leave: it scrolls, so that the buttons stay in sight."""
        view.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self._sizing.call(view.setMinimumHeight, _TEXT_LEAST)

    def _add(self, number: int, lesson: ShelvedLesson, shelf: Shelf) -> None:
        """Add a lesson with what it needs and how far a student has come, and the exercises to it."""
        if lesson.fault:
            item = QListWidgetItem(tr("{lesson}  ·  cannot be read").format(lesson=lesson.title), self.list)
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEnabled)
            item.setToolTip(lesson.fault)
            return
        minutes = tr("{minutes}\N{NO-BREAK SPACE}min").format(minutes=lesson.minutes)
        words = (
            f"{number}. {lesson.title}",
            minutes if lesson.minutes else "",
            needs_words(lesson, shelf.lessons).replace(" ", "\N{NO-BREAK SPACE}"),
            progress_words(lesson, self._session.course.progress(lesson.path)),
        )
        item = QListWidgetItem(
            "\N{NO-BREAK SPACE}\N{NO-BREAK SPACE}·\N{NO-BREAK SPACE} ".join(filter(None, words)), self.list
        )
        item.setToolTip(lesson.source)
        item.setData(_CHOSEN, lesson)
        if lesson.exercises:
            item = QListWidgetItem(f"\N{EM SPACE}{shelf.practice(lesson)}", self.list)
            item.setToolTip(tr("Answer exercises to “{lesson}”").format(lesson=lesson.title))
            item.setData(_CHOSEN, lesson)
            item.setData(_PRACTICE, True)
            item.setForeground(self._themes.theme.colour("muted"))

    # Showing

    def _choose(self, item: QListWidgetItem) -> None:
        lesson: ShelvedLesson = item.data(_CHOSEN)
        if item.data(_PRACTICE):
            self.practice_asked.emit(lesson)
        else:
            self.chosen.emit(lesson.path)

    def _show_step(self) -> None:
        session = self._session
        lesson, step = session.lesson, session.step
        if lesson is None or step is None:
            self.prediction.show_step(None, 0)
            self.show_list()
            return
        self.title.setText(lesson.title)
        self.progress.setText(
            tr("step {place} of {last}").format(place=session.place + 1, last=session.last + 1)
        )
        at_end = session.place == session.last
        following = session.following if at_end else None
        experiment = step.moment is not None and step.moment.experiment is not None
        self.experiment_button.setVisible(experiment)
        self.practice_button.setVisible(at_end and bool(lesson.exercises))
        self._further.setVisible(experiment or (at_end and bool(lesson.exercises)))
        self._pictures.show_step(lesson, session.place)
        self._show_text(lesson, step.text, answered=not step.asks)
        self.prediction.show_step(lesson, session.place, session.given)  # adds what explains its answer
        self.back_button.setEnabled(session.place > 0)
        self.next_button.setEnabled(not at_end or following is not None)
        self.setCurrentWidget(self._step_page)
        if self._whole and self._around is not None:
            self._around.verticalScrollBar().setValue(0)

    def _end_of(self, lesson: Lesson) -> Iterator[str]:
        """What stands at the end of a lesson: its source, what was right, and what comes next."""
        if lesson.source:
            yield tr("*Source: {source}*").format(source=lesson.source)
        yield self._session.summary
        if (following := self._session.following) is not None:
            yield tr("Next lesson: {lesson}").format(lesson=shelved(following).title)

    def _ask_again(self) -> None:
        """Ask the question of the step again, as if it had not been answered."""
        self._session.ask_again()
        self._show_step()
        self.prediction.field.setFocus()

    def _practise(self) -> None:
        if (lesson := self._session.lesson) is not None:
            self.practice_asked.emit(shelved(lesson.path))

    def show_lesson(self) -> None:
        """Show the step of the lesson that is open."""
        self.setCurrentWidget(self._step_page)

    def _explain(self, words: str) -> None:
        """Show the explanation of an answer below the text, from its beginning."""
        lesson, step = self._session.lesson, self._session.step
        if lesson is None or step is None:
            return
        bar = self.page.verticalScrollBar()
        height = bar.maximum() + self.page.viewport().height()
        self._show_text(lesson, *filter(None, (step.text, words)), answered=True)
        bar.setValue(min(height - self._themes.px(24), bar.maximum()))

    def _show_text(self, lesson: Lesson, *parts: str, answered: bool) -> None:
        """Show the parts of a step, and at the end of a lesson that asks nothing more what it ends with."""
        end = self._end_of(lesson) if answered and self._session.place == self._session.last else ()
        parts = "\n\n---\n\n".join(parts), *end
        self.page.show_page("\n\n".join(filter(None, parts)), lesson.path.parent, self._pictures.draw)


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
