"""A page of all parts that windows are made of, each in its states: to look at after a change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QRadioButton,
    QSizePolicy,
    QSlider,
    QTabBar,
    QWidget,
)

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.translation import formatted, tr
from meshgui.model.base.list_item import ListItem
from meshgui.model.fields.field_schema import Limits
from meshgui.model.tables.columns import Column
from meshgui.views.commands.palette import CommandPalette
from meshgui.views.commands.registry import CommandRegistry
from meshgui.views.commands.shortcuts_sheet import ShortcutSheet
from meshgui.views.forms.editors import NumberEditor, first_wrong
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import LECTURE_ZOOM, EnlargedDress, ThemeManager
from meshgui.views.widgets.building import as_panel, hairline, label, push_button, text_button, widget_of
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.data_table import DataTable
from meshgui.views.widgets.empty_state import EmptyState
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.labels import Swatch
from meshgui.views.widgets.list_popup import ListButton, ListPopup
from meshgui.views.widgets.notice import Notice
from meshgui.views.widgets.overlay_card import OverlayCard
from meshgui.views.widgets.progress_bar import ProgressBar
from meshgui.views.widgets.question import AnswerButton, Question
from meshgui.views.widgets.searchable_list import SearchableList
from meshgui.views.widgets.segmented import Segmented
from meshgui.views.widgets.sheet_card import SheetCard
from meshgui.views.widgets.tool_button import tool_button
from meshgui.views.widgets.written_file import say_written
from meshgui.views.window.scenario_entry import ExampleCard, ScenarioSummary

_COLUMNS: Final = 3
_SHOWN: Final = 20  # jobs, more than the colours that any sixteen in a row differ in


class _Jobs:
    """Four rows for a table."""

    title = scope = tr("Waiting")

    def __len__(self) -> int:
        return 4


class ComponentsPage(QWidget):
    """Every component under its name, in three columns."""

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes, self._icons = themes, IconShelf(themes)
        self._sizing = Sizing(themes, self)
        as_panel(self)
        parts = {
            tr("Words"): self._words(),
            tr("Buttons"): self._buttons(),
            tr("Segments and tabs"): self._segments(),
            tr("Fields"): self._fields(),
            tr("Ticks and sliders"): self._ticks(),
            tr("Lists"): self._lists(),
            tr("Notices"): self._notices(),
            tr("Faults and progress"): self._progress(),
            tr("Nothing there yet"): self._empty(),
            tr("Cards"): self._cards(),
            tr("A sheet while presenting"): [self._sheet()],
            tr("Table"): [self._table()],
            tr("Colours of jobs"): [self._colours()],
            tr("The menus"): [self._menu()],
            tr("Choose"): [self._popup()],
            tr("Question"): [self._question()],
            tr("Find a command"): [self._over(CommandPalette, 340)],
            tr("Keys"): [self._over(ShortcutSheet, 280)],
        }
        sections = [self._section(title, each) for title, each in parts.items()]
        share = -(-len(sections) // _COLUMNS)
        columns = [sections[at : at + share] for at in range(0, len(sections), share)]
        made = [(widget_of(self._sizing.column(*column, 1, spacing=20)), 1) for column in columns]
        self._sizing.row(*made, on=self, margins=(24, 20, 24, 20), spacing=28)

    def _section(self, title: str, parts: Iterable[QWidget]) -> QWidget:
        return widget_of(self._sizing.column(label(title, "lead"), hairline(), *parts, spacing=8))

    def _row(self, *parts: QWidget) -> QWidget:
        return widget_of(self._sizing.row(*parts, 1, spacing=8))

    def _words(self) -> list[QWidget]:
        kinds = ("title", "lead", "", "caption", "muted")
        return [label(tr("Job 17 waits: 74 processors are free"), kind) for kind in kinds]

    def _buttons(self) -> list[QWidget]:
        hint, ignore = tr("What it does"), partial(bool)
        plain = push_button(tr("Run it"), hint, ignore)
        first = push_button(tr("Run"), hint, ignore, primary=True)
        never = push_button(tr("Undo"), hint, ignore)
        never.setEnabled(False)
        checked = tool_button(self._icons, "presentation", tr("Presenter mode"))
        checked.setCheckable(True)
        checked.setChecked(True)
        off = tool_button(self._icons, "save", tr("Save"))
        off.setEnabled(False)
        tools = tool_button(self._icons, "step-back", ""), tool_button(self._icons, "play", ""), checked, off
        self._sizing.icons(18, *tools)
        return [self._row(first, plain, never), self._row(*tools, text_button(tr("Step into it"), hint))]

    def _segments(self) -> list[QWidget]:
        names = [(name, "") for name in (tr("line"), tr("decision"), tr("event"))]
        tabs = QTabBar()
        for name in (tr("Timeline"), tr("Plots")):
            tabs.addTab(name)
        return [self._row(Segmented(names, self._themes)), tabs]

    def _fields(self) -> list[QWidget]:
        line, empty, off, notes = (
            QLineEdit("2 4 6 8"),
            QLineEdit(),
            QLineEdit(formatted(0.5)),
            QPlainTextEdit(),
        )
        empty.setPlaceholderText(tr("Find"))
        off.setEnabled(False)
        choice = QComboBox()
        choice.addItems([cls.title for cls in strategies().values()][:4])
        notes.setProperty("field", True)
        notes.setPlainText(tr("A few words on the scenario"))
        self._sizing.call(notes.setFixedHeight, 60)
        number, wrong = (NumberEditor(Limits(whole=True, least=0), self._themes) for _ in range(2))
        number.set_value(17)
        wrong.set_value(-3)
        first_wrong(ErrorLine(self._themes), [(wrong, "")])
        return [line, empty, off, choice, self._row(number, wrong), notes]

    def _ticks(self) -> list[QWidget]:
        made: list[QWidget] = []
        for kind in (QCheckBox, QRadioButton):
            on, out, off = kind(tr("on")), kind(tr("off")), kind(tr("cannot be chosen"))
            on.setAutoExclusive(False)
            on.setChecked(True)
            off.setEnabled(False)
            made.append(self._row(on, out, off))
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setValue(40)
        return [*made, slider]

    def _lists(self) -> list[QWidget]:
        lines = [
            ListItem(cls.id, cls.title, refusal="" if number < 2 else tr("works on 2D meshes"))
            for number, cls in enumerate([*strategies().values()][:3])
        ]
        button, opened = ListButton(self._themes), SearchableList(self._themes, self, ticked=True)
        button.offer(lines)
        button.choose([lines[0].value])
        opened.offer(lines, {0})
        opened.list.setFixedHeight(sum(opened.list.sizeHintForRow(row) for row in range(3)) + 4)
        return [button, opened]

    def _notices(self) -> list[QWidget]:
        notice = Notice(self._themes, self._icons)
        notice.tell(tr("Which language should MeshGUI use?"), (tr("As the system"), "", partial(bool)))
        notice.tell(tr("{file}: could not be written: {reason}").format(file="plot.pdf", reason="EIO"))
        say_written(notice, Path("plot.png"))
        return [notice]

    def _progress(self) -> list[QWidget]:
        fault, bar = ErrorLine(self._themes), ProgressBar()
        fault.say(tr("expected a number above 0, got {value}").format(value="-3"))
        bar.show_progress(40, 100)
        self._sizing.call(bar.setFixedHeight, 4)
        return [fault, bar]

    def _empty(self) -> list[QWidget]:
        empty = EmptyState(self._themes)
        empty.invite(tr("No job is selected."), tr("Select the first one that waits"))
        return [empty]

    def _cards(self) -> list[QWidget]:
        about = ScenarioSummary("TBL", tr("A card that opens what it shows"), "8×8×8 · 1000")
        card = ExampleCard("tbl-under-load", about, self._themes)
        floating = QFrame()
        floating.setProperty("floating", True)
        words = label(tr("A card that floats over the window"), wrap=True)
        self._sizing.column(words, on=floating, margins=(16, 12, 16, 12))
        return [self._row(card), floating]

    def _sheet(self) -> QWidget:
        letters, words = EnlargedDress(self._themes, self), label(tr("Job 17 waits: 74 processors are free"))
        letters.set_zoom(LECTURE_ZOOM)
        words.setFont(letters.text())
        letters.changed.connect(lambda: words.setFont(letters.text()))
        card = SheetCard(words, self._themes, self._icons, partial(bool))
        card.show_job(17)
        card.fit()
        return card

    def _table(self) -> QWidget:
        columns: list[Column[_Jobs]] = [
            Column(tr("Job"), lambda _jobs, row: row, job=lambda _jobs, row: row, widest=lambda _jobs: ["3"]),
            Column(tr("Size"), lambda _jobs, row: f"{row + 1}×2×4", widest=lambda _jobs: ["4×2×4"]),
            Column(
                tr("Waited"), lambda _jobs, row: row / 3, ".2f", number=True, widest=lambda _jobs: ["0.67"]
            ),
        ]
        table = DataTable(columns, self._themes)
        table.resize(400, 130)  # or its columns are as narrow as at first
        table.show_rows(_Jobs())
        self._sizing.call(table.setFixedHeight, 24 + 4 * 26)
        return table

    def _menu(self) -> QWidget:
        """A menu as it opens: an entry with keys, a ticked one, one that cannot be used, and a menu in it."""
        menu = QMenu(self)
        menu.addAction(tr("Save as…")).setShortcut(QKeySequence("Ctrl+Shift+S"))
        dark = menu.addAction(tr("Dark"))
        dark.setCheckable(True)
        dark.setChecked(True)
        menu.addSeparator()
        menu.addAction(tr("Undo")).setEnabled(False)
        menu.addMenu(tr("Panels"))
        return self._row(_in_the_page(menu))

    def _popup(self) -> QWidget:
        lines = [ListItem(cls.id, cls.title) for cls in [*strategies().values()][:4]]
        popup = ListPopup(self._themes, self)
        popup.setWindowFlags(Qt.WindowType.Widget)  # while it is hidden: hiding it closes it
        popup.open_at(QRect(), self, lines, {1})
        return self._row(popup)

    def _question(self) -> QWidget:
        roles, words = QMessageBox.ButtonRole, (tr("Save as…"), tr("Cancel"))
        answers = map(AnswerButton, words, (roles.AcceptRole, roles.RejectRole))
        asked = tr("Save the scenario?"), tr("“{title}” has been changed.").format(title="TBL")
        question = Question((), self, *asked, tr("Save it before going on?"), tuple(answers), 0)
        return self._row(_in_the_page(question.box()))

    def _over(self, kind: Callable[..., OverlayCard], height: int) -> QWidget:
        """A card that floats over a window, over as much room as it needs here."""
        registry, host = CommandRegistry(self._icons, self), QWidget()
        shown = (
            (tr("Play"), "Space", "play"),
            (tr("Save"), "Ctrl+S", "save"),
            (tr("Presenter mode"), "F5", "presentation"),
        )
        hint, ignore = tr("What it does"), partial(bool)
        commands = (Command(icon, title, hint, ignore, (keys,), icon) for title, keys, icon in shown)
        registry.register(*commands_in(tr("Run"), *commands))
        self._sizing.call(host.setFixedSize, 460, height)
        card = kind(host, registry, self._themes)
        card.open()
        return host

    def _colours(self) -> QWidget:
        swatches = [Swatch(self._themes) for _ in range(_SHOWN)]
        for job, swatch in enumerate(swatches):
            swatch.show_job(job)
        return self._row(*swatches)


def _in_the_page(window: QWidget) -> QWidget:
    """What opens as a window of its own, as a part of the page: as large as it opens."""
    window.setWindowFlags(Qt.WindowType.Widget)
    window.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    window.show()
    return window
