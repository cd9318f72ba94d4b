"""Opening and saving scenarios: dialogs, recent and dropped files. A failure leaves the window as it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import Stopped
from meshgui.engine.scenario import Scenario, ScenarioError, load_scenario, parse_file, remarks
from meshgui.model.base.recent import RecentFiles
from meshgui.model.document.document import SUFFIX, DocumentState
from meshgui.model.document.known_file import FileState
from meshgui.views.docks.host import HostWindow
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.context import Context
from meshgui.views.widgets.file_progress import reading_progress, write_in_pieces
from meshgui.views.widgets.notice import Topic
from meshgui.views.widgets.question import AnswerButton, Question
from meshgui.views.widgets.save_dialog import ALL_FILES, file_stem
from meshgui.views.widgets.written_file import say_written

_KINDS = tr("Scenarios (*{SUFFIX});;JSON files (*.json)").format(SUFFIX=SUFFIX)


class Files(QObject):
    """Opens and saves the scenarios of one window."""

    opened = Signal()  # the document has another scenario
    saving = Signal()  # the document is about to be written
    created = Signal()  # and it is a new one
    saved = Signal()  # by the user's command, with edits that may not have been run
    unsound = Signal()  # the edits are wrong, so that nothing was saved

    def __init__(self, context: Context, recent: RecentFiles, window: HostWindow) -> None:
        super().__init__(window)
        self._context, self.document = context, context.document
        self._recent = recent
        self._window = window
        self.opened.connect(self._remark)

    def commands(self) -> list[Command]:
        """A new scenario, opening and saving."""
        return commands_in(
            tr("File"),
            Command(
                "file.new",
                tr("New scenario"),
                tr("Start from a default scenario and its form"),
                self.new_scenario,
                ("Ctrl+N",),
                "file-plus",
                synonyms=tr("create blank start"),
            ),
            Command(
                "file.open",
                tr("Open a scenario…"),
                tr("Choose a scenario file; dropping one on the window does the same"),
                self.ask_and_open,
                ("Ctrl+O",),
                "folder-open",
                synonyms=tr("load file import"),
            ),
            None,
            Command(
                "file.save",
                tr("Save"),
                tr("Run the edits of the scenario, and save it where it came from"),
                lambda: self._tell(saved=self.save()),
                ("Ctrl+S",),
                "save",
                enabled_when=self._context.has_scenario,
                synonyms=tr("write keep store"),
            ),
            Command(
                "file.save-as",
                tr("Save as…"),
                tr("Run the edits of the scenario, and save it in a new place"),
                lambda: self._tell(saved=self.save_as()),
                ("Ctrl+Shift+S",),
                "download",
                enabled_when=self._context.has_scenario,
                synonyms=tr("write copy rename store"),
            ),
        )

    def new_scenario(self) -> None:
        """Start from the default scenario, unless there are changes to keep."""
        from meshgui.model.document.examples import DEFAULT_EXAMPLE, example  # noqa: PLC0415 - read at first use

        if self.may_leave():
            model = load_scenario(example(DEFAULT_EXAMPLE))
            self.document.take(model.model_copy(update={"title": tr("New scenario"), "notes": ""}), None)
            self.opened.emit()
            self.created.emit()

    def ask_and_open(self) -> None:
        """Let the user choose a scenario."""
        if self.may_leave():
            folder = str(self.document.path.parent) if self.document.path else ""
            name, _ = QFileDialog.getOpenFileName(
                self._window, tr("Open a scenario"), folder, f"{_KINDS};;{ALL_FILES}"
            )
            if name:
                self._open(Path(name))

    def open(self, path: Path, *, as_example: bool = False, time: float = 0.0) -> bool:
        """Open a scenario unless there are changes to keep, an example at a time; whether it was opened."""
        return self.may_leave() and self._open(path, as_example=as_example, time=time)

    def open_text(self, text: str, name: str) -> bool:
        """Open a scenario given as text; errors call it `name`. Whether it was opened."""
        if not self.may_leave():
            return False
        opened = self._attempt(lambda: self._take_text(text, name))
        if opened:
            self.opened.emit()
        return opened

    def _take_text(self, text: str, name: str) -> None:
        scenario, view = parse_file(text, name)
        self.document.take(scenario, None, view)

    def open_scenario(self, scenario: Scenario) -> bool:
        """Open a scenario without a file, unless there are changes to keep; whether it was opened."""
        if not self.may_leave():
            return False
        self.document.take(scenario, None)
        self.opened.emit()
        return True

    def take(self, state: DocumentState) -> None:
        """Show a scenario that has been read already, and what its file or a link says is shown of it."""
        self.document.show(state)
        self.announce(state)

    def announce(self, state: DocumentState) -> None:
        """Say that another scenario is shown, which has been read already."""
        if state.path is not None:
            self._recent.add(state.path, _title(state))
        self.opened.emit()

    def save(self) -> bool:
        """Save where it came from, or ask where; whether it was saved."""
        path = self.document.path
        if path is None:
            return self.save_as()
        if not self._sound():
            return False
        if self.document.look_at_file() == FileState.CHANGED:
            return self._save_over_change(path)
        return self._attempt(lambda: self._write(path))

    def _save_over_change(self, path: Path) -> bool:
        """Ask what to do about a file that another program has changed; whether the scenario was saved."""
        role = QMessageBox.ButtonRole
        anyway = AnswerButton(
            tr("Save anyway"), role.DestructiveRole, lambda: self._attempt(lambda: self._write(path))
        )
        again = AnswerButton(tr("Open it again"), role.ActionRole, self._open_again_instead)
        answers = (
            AnswerButton(tr("Save as…"), role.AcceptRole, self.save_as),
            anyway,
            *(() if self.document.modified else (again,)),  # else the changes would be lost
            AnswerButton(tr("Cancel"), role.RejectRole, lambda: False),
        )
        return Question(
            about=(path,),
            over=self._window,
            title=tr("Save the scenario?"),
            text=tr("The file {name} has been changed since it was opened or saved here.").format(
                name=path.name
            ),
            more=tr("Saving replaces what is in it now."),
            answers=answers,
            default=0,
        ).ask()

    def _open_again_instead(self) -> bool:
        self.open_again()
        return False

    def open_again(self) -> None:
        """Read the file of the scenario again, unless there are changes to keep."""
        if self.document.path is not None:
            self.open(self.document.path)

    def save_as(self) -> bool:
        """Ask where to save, and save; wrong edits are not asked about and not saved."""
        if not self._sound():
            return False
        name = self.document.path or file_stem(self.document.title)
        path = self._window.save_dialog.ask(tr("Save the scenario"), name, _KINDS)
        if path is None or not self._attempt(lambda: self._write(path)):
            return False
        say_written(self._context.messages.notice, path)
        return True

    def _write(self, path: Path) -> None:
        self.saving.emit()
        write_in_pieces(path, self.document.saving(path), self._window)
        self._recent.add(path, _title(self.document.state))

    def may_leave(self) -> bool:
        """Whether the scenario may be discarded: it is saved, or the user agrees."""
        self.document.look_at_file()
        return not self.document.state.is_worth_saving or self.question(self.document.state).ask()

    def question(self, state: DocumentState, show: Callable[[], object] = lambda: None) -> Question:
        """Whether to save a changed scenario, which `show` brings to the front."""
        buttons, roles = QMessageBox.StandardButton, QMessageBox.ButtonRole
        said = tr("“{title}” has been changed.")
        if state.is_lost:
            said = tr("The file of “{title}” has been deleted or moved.")
        return Question(
            about=(state, state.edited, state.fault, state.view),  # a further edit is asked about again
            over=self._window,
            title=tr("Save the scenario?"),
            text=said.format(title=state.title),
            more=tr("Save it before going on?"),
            answers=(
                AnswerButton(buttons.Save, roles.AcceptRole, self.save),
                AnswerButton(buttons.Discard, roles.DestructiveRole, loses=True),
                AnswerButton(buttons.Cancel, roles.RejectRole, lambda: False),
            ),
            default=0,
            show=show,
        )

    def _open(self, path: Path, *, as_example: bool = False, time: float = 0.0) -> bool:
        opened = self._attempt(lambda: self.document.open(path, as_example=as_example))
        if opened and time:
            self.document.keep({**self.document.view, "time": time})
        if opened:
            if not as_example:
                self._recent.add(path, _title(self.document.state))
            self.opened.emit()
        return opened

    def _remark(self) -> None:
        scenario, path = self.document.scenario, self.document.path
        if scenario is not None and path is not None:
            for remark in remarks(scenario):
                said = f"{path.name}: {remark}."  # untranslated: a name and a sentence
                self._context.messages.tell(said, lasting=True)

    def _sound(self) -> bool:
        if self.document.fault is not None:
            self.unsound.emit()
        return self.document.edited is not None

    def _tell(self, *, saved: bool) -> None:
        if saved:
            self.saved.emit()

    def _attempt(self, act: Callable[[], None]) -> bool:
        try:
            with reading_progress(self._window):
                act()
        except Stopped:
            return False
        except ScenarioError as error:
            self._context.messages.tell(str(error), topic=Topic.FILES)
            return False
        return True


def _title(state: DocumentState) -> str:
    """The title of a scenario; empty where it has none."""
    return "" if state.edited is None else state.edited.title
