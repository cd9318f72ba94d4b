"""What stands around the middle of the window: menus, tool bar, the sentence, and how far work is."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QStatusTipEvent
from PySide6.QtWidgets import QMenu, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.base.recent import RecentFiles
from meshgui.views.commands.window_commands import WindowCommands
from meshgui.views.docks.host import HostWindow
from meshgui.views.document.documents import Documents
from meshgui.views.document.recent_menu import RecentMenu
from meshgui.views.document.run_control import RunProgress
from meshgui.views.document.title_button import TitleButton
from meshgui.views.exporting.recorder import WindowRecorder
from meshgui.views.exporting.recording_sign import RecordingSign
from meshgui.views.lessons.lesson_dock import LessonDock
from meshgui.views.panels.sentence_bar import SentenceBar
from meshgui.views.stepping.driving import Driving
from meshgui.views.stepping.step_search import SearchProgress, WindowSearch
from meshgui.views.stepping.transport import Transport
from meshgui.views.style.sizing import Sizing
from meshgui.views.widgets.building import literal_title, widget_of
from meshgui.views.widgets.notice_place import NoticePlace
from meshgui.views.window.centre import Centre
from meshgui.views.window.palette_answers import PaletteAnswers
from meshgui.views.window.tool_bar import ToolBar


class Bars(QObject):
    """Fills the bars of a window, and keeps its title."""

    def __init__(self, host: HostWindow, commands: WindowCommands, documents: Documents) -> None:
        super().__init__(host)
        self._signs: list[QWidget] = []
        self._host, self._commands, self._documents = host, commands, documents

    def build_tools(self, driving: Driving, recent: RecentFiles) -> None:
        """Fill menus and tool bar."""
        host, context = self._host, self._host.context
        self.transport = Transport(driving.player, context.cursor, context.themes, context.icons)
        self._commands.fill_menu_bar(host.menuBar())
        file_menu = cast("QMenu", host.menuBar().actions()[0].menu())
        RecentMenu(recent, self._documents.files.open, host).stand_behind(file_menu, "file.open")
        self.title = TitleButton(context.document, recent, context.themes, context.icons)
        documents = self._documents
        choose = self._commands.action("file.open")
        self.title.offer(choose, documents.files.open, documents.open_example)
        self.tools = ToolBar(self.title, documents.strategy, self.transport, self._commands, context)
        self.tools.offer_menus(host.menuBar())
        host.addToolBar(self.tools)
        host.panels.docks["plots"].visibilityChanged.connect(self._commands.refresh_marks)
        host.panels.text_enlarged.connect(lambda percent: self.tools.present(percent is not None))
        host.panels.bared.connect(self.tools.setHidden)
        context.document.changed.connect(self.show_title)
        context.document.draft_changed.connect(self.show_title)

    def build_foot(self, centre: Centre, recorder: WindowRecorder, search: WindowSearch) -> None:
        """Fill the status bar."""
        host, context = self._host, self._host.context
        views = context.themes, context.icons
        self.sentence = SentenceBar(*context.views)
        context.messages.said.connect(self.sentence.tell)
        context.messages.unsaid.connect(self.sentence.take_back)
        context.messages.hidden.connect(self.sentence.say_instead)
        for change in (self._documents.runs.started, self._documents.runs.ended):
            change.connect(self._say_what_starts)
        host.panels.text_enlarged.connect(lambda percent: self.sentence.set_large(percent is not None))
        self.progress = RunProgress(self._documents.runs, *views)
        status = host.statusBar()
        status.setSizeGripEnabled(False)
        signs = (RecordingSign(recorder, *views), SearchProgress(search, *views), self.progress)
        sizing = Sizing(context.themes, status)
        self._foot = sizing.row((self.sentence, 1), spacing=8)
        status.addWidget(widget_of(self._foot), 1)
        for sign in signs:
            self.add_sign(sign)
        sizing.rule(self._align_signs)
        host.panels.text_enlarged.connect(self._align_signs)
        host.installEventFilter(self)
        place = NoticePlace(context.messages.notice, host, centre.pages, context.themes, lambda: centre.drawn)
        place.covered.connect(centre.welcome.keep_free)
        centre.pages.currentChanged.connect(lambda _page: place.settle())

    def _say_what_starts(self) -> None:
        """Say that a run starts where none is shown yet: the first on a machine takes its time."""
        if self._host.context.cursor.recording is not None:
            return
        if self._documents.runs.running:
            self.sentence.tell(tr("The run is starting: wait a moment."))
        else:
            self.sentence.show_view(None)

    def add_sign(self, sign: QWidget) -> None:
        """Have how far some work is stand at the end of the sentence's first line."""
        self._signs.append(sign)
        self._foot.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        self._align_signs()

    def _align_signs(self, _percent: object = None) -> None:
        for sign in self._signs:
            sign.setFixedHeight(self.sentence.first_line)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Show the hint of a menu's entry as the sentence is shown: Qt has a place and letters of its own."""
        if isinstance(event, QStatusTipEvent):
            self.sentence.show_hint(event.tip())
            return True
        return super().eventFilter(watched, event)

    def cover(self, covered: bool) -> None:
        """Hide what is about the scenario's moment while a page has the window for itself."""
        self.tools.bar.set_away({self.tools.strategy, self.transport} if covered else set())
        self._host.statusBar().setVisible(not covered)

    def answer(self, lessons: LessonDock) -> None:
        """Have the palette find scenarios, lessons, strategies, jobs and times."""
        documents = self._documents
        answers = PaletteAnswers(
            self._host.context,
            documents.strategy.run_with,
            documents.open_example,
            lessons.open,
            lessons.found,
        )
        self._commands.answer(answers.listed, answers.found)

    def show_title(self) -> None:
        """Show the title of the scenario, with a dot if it has been changed."""
        document = self._host.context.document
        self._host.setWindowTitle(
            tr("{title}{mark} – MeshGUI").format(
                title=literal_title(document.title), mark=" •" if document.modified else ""
            )
        )
