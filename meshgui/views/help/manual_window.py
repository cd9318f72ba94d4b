"""The window of the manual: its contents, a search over it, the lessons and the commands, and a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QPoint, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QSplitter, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.itself import resource
from meshgui.model.base.list_item import ListItem
from meshgui.model.lessons.lesson_shelf import ShelvedLesson
from meshgui.model.manual.help_pages import worked_example
from meshgui.model.manual.manual import FIRST_PAGE, ManualPage, chapters, page_named
from meshgui.model.manual.manual_search import ManualSection, find, heading_at, sections_of
from meshgui.model.manual.pages import translated
from meshgui.views.help.help_page_view import HelpPageView
from meshgui.views.help.markdown_view import open_outside
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import as_panel, hairline, push_button, widget_of
from meshgui.views.widgets.command import Command
from meshgui.views.widgets.searchable_list import SearchableList

_SIZE: Final = QSize(960, 720)
_CONTENTS: Final = 280
_MOST: Final = 40  # lines listed of each kind


class ManualWindow(QDialog):
    """Shows the manual beside the window, which can be used meanwhile."""

    example_asked = Signal(str)  # a scenario as JSON
    lesson_asked = Signal(Path)
    command_asked = Signal(str)

    def __init__(
        self,
        window: QWidget,
        themes: ThemeManager,
        lessons: Callable[[], Sequence[ShelvedLesson]],
        commands: Callable[[], Sequence[Command]],
    ) -> None:
        super().__init__(window)
        self._window, self._themes, self._commands = window, themes, commands
        self._find_lessons = lessons
        self._lessons: dict[Path, ShelvedLesson] = {}
        self._visited: list[str] = []  # the pages read, the one shown last
        self._example: str | None = None
        self.contents = SearchableList(themes, self, answers=self._answers)
        self.contents.search.setPlaceholderText(tr("Search the manual, lessons and commands"))
        self.contents.search.setAccessibleName(tr("Search the manual, lessons and commands"))
        self.contents.list.setAccessibleName(tr("Contents"))
        self.contents.list.setWordWrap(True)
        self.contents.used.connect(self._use)
        self.page = HelpPageView(themes)
        self.page.setAccessibleName(tr("Page of the manual"))
        self.page.anchorClicked.connect(self._follow)
        self.back_button = push_button(tr("Back"), tr("Show the previous page (Alt+Left)"), self.go_back)
        hint = tr("Open the scenario of this page; it is not saved anywhere")
        self.example_button = push_button(tr("Open the worked example"), hint, self._open_example)
        self.close_button = push_button(tr("Close"), tr("Close the manual (Esc)"), self.close)
        buttons = self.back_button, self.example_button, self.close_button
        for button in buttons:
            button.setAutoDefault(False)
        sizing = Sizing(themes, self)
        side = widget_of(sizing.column((self.contents, 1), margins=(12, 12, 0, 12)))
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        for part in (side, self.page):
            self.splitter.addWidget(part)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setChildrenCollapsible(False)
        foot = sizing.row(
            self.back_button, self.example_button, 1, self.close_button, spacing=8, margins=(12, 8, 12, 8)
        )
        sizing.column((self.splitter, 1), hairline(), foot, on=self)
        as_panel(self)
        QShortcut(QKeySequence.StandardKey.Find, self, self._search)
        QShortcut(QKeySequence("Alt+Left"), self, self.go_back)

    # Pages

    def toggle(self) -> None:
        """Open the manual where it was left, or close it."""
        if self.isVisible():
            self.close()
        else:
            self.open_at(self._visited[-1] if self._visited else FIRST_PAGE)

    def open_at(self, name: str) -> None:
        """Show a page, and the window if it is not in sight."""
        self._go(name)
        if not self.isVisible():
            px = self._themes.px
            room = self._window.size() - QSize(px(32), px(96))
            self.resize(QSize(px(_SIZE.width()), px(_SIZE.height())).boundedTo(room))
            side = min(px(_CONTENTS), self.width() // 3)
            self.splitter.setSizes([side, self.width() - side])
            self.move(self._window.mapToGlobal(QPoint(px(16), px(72))))
            self._lessons = {lesson.path: lesson for lesson in self._find_lessons() if not lesson.fault}
            self.contents.offer((), set())
            self.show()
        self.activateWindow()
        self._search()

    def go_back(self) -> None:
        """Show the page that was read before."""
        if len(self._visited) > 1:
            self._visited.pop()
            self._show(self._visited[-1])

    def _go(self, name: str, heading: str = "") -> None:
        if not self._visited or self._visited[-1] != name:
            self._visited.append(name)
            self._show(name)
        if heading:
            self.page.show_heading(heading)

    def _show(self, name: str) -> None:
        page = page_named(name)
        if page is None:
            return
        text = page.write()
        self._example = worked_example(text)
        self.setWindowTitle(tr("{page} – MeshGUI").format(page=page.title))
        self.page.show_written(text, resource("manual"))
        self.example_button.setVisible(self._example is not None)
        self.back_button.setEnabled(len(self._visited) > 1)

    def _follow(self, link: QUrl) -> None:
        """Follow a link: to a page, to a heading, or with the browser into the world."""
        if link.scheme():
            open_outside(link)
            return
        name = link.path().removesuffix(".md") or self._visited[-1]
        page = page_named(name)
        if page is not None:
            self._go(name, heading_at(page, link.fragment()))

    def _open_example(self) -> None:
        if self._example is not None:
            self.example_asked.emit(self._example)

    # Contents and search

    def _search(self) -> None:
        self.contents.search.setFocus()
        self.contents.search.selectAll()

    def _answers(self, words: str) -> list[ListItem]:
        """The contents, or what is found."""
        if not words:
            return [
                ListItem(page, page.title, chapter.title) for chapter in chapters() for page in chapter.pages
            ]
        found = [*self._pages_with(words), *self._lessons_with(words), *self._commands_with(words)]
        return [item._replace(bonus=100.0 * (len(found) - place)) for place, item in enumerate(found)]

    def _pages_with(self, words: str) -> Iterator[ListItem]:
        for section, excerpt in find(words)[:_MOST]:
            yield ListItem(section, section.title, tr("Pages"), excerpt, synonyms=words)

    def _lessons_with(self, words: str) -> Iterator[ListItem]:
        seen: set[str] = set()
        for section, excerpt in find(words, self._lesson_sections()):
            if section.page.name not in seen:
                seen.add(section.page.name)
                yield ListItem(
                    Path(section.page.name), section.page.title, tr("Lessons"), excerpt, synonyms=words
                )

    def _lesson_sections(self) -> Iterator[ManualSection]:
        for path, lesson in self._lessons.items():
            file = path / "lesson.md" if path.is_dir() else path
            yield from sections_of(ManualPage(str(path), lesson.title, partial(_text, file)))

    def _commands_with(self, words: str) -> Iterator[ListItem]:
        wanted = words.casefold().split()
        for command in self._commands():
            said = f"{command.title} {command.help} {command.synonyms}".casefold()
            if all(word in said for word in wanted):
                keys = f"  ·  {command.shortcuts[0]}" if command.shortcuts else ""
                yield ListItem(
                    command.id, f"{command.title}{keys}", tr("Commands"), command.help, synonyms=words
                )

    def _use(self, place: int) -> None:
        """Go to what was chosen: a page, a place in one, a lesson; a command is run."""
        value = self.contents.items[place].value
        if isinstance(value, ManualPage):
            self._go(value.name)
        elif isinstance(value, ManualSection):
            self._go(value.page.name, value.heading)
        elif isinstance(value, Path):
            self.lesson_asked.emit(value)
        else:
            self.command_asked.emit(value)


def _text(file: Path) -> str:
    try:
        return translated(file.read_text(encoding="utf-8"))
    except OSError:  # it is gone since it was listed
        return ""
