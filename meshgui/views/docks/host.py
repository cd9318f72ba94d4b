"""What a room may ask of the window that it is a part of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QSettings, QSize
from PySide6.QtWidgets import QMainWindow, QWidget

from meshgui.engine.basics.parts import FieldPath
from meshgui.engine.scenario import Scenario
from meshgui.views.style.screens import room_for_window
from meshgui.views.widgets.command import Command
from meshgui.views.widgets.context import Context
from meshgui.views.widgets.laying_out import LaidOutFirst
from meshgui.views.widgets.notice import NoticeAction
from meshgui.views.widgets.save_dialog import SaveDialog
from meshgui.views.widgets.tab_in_sight import tab_in_sight

if TYPE_CHECKING:
    from meshgui.views.docks.panel_docks import PanelDocks


class Done(Protocol):
    """Says what has just been done, with a button that undoes it, and others."""

    def __call__(
        self, said: str, *actions: NoticeAction, put_back: Callable[[], object] | None = None
    ) -> object:
        """Say what the last edit has done; or something that is no edit, and how it is put back."""


class HostWindow(QMainWindow):
    """The window as its rooms see it: what all share, its panels, and what it does for them."""

    context: Context
    settings: QSettings
    panels: PanelDocks
    save_dialog: SaveDialog
    trigger: Callable[[str], object]
    """Gives one of the window's commands, by its id."""
    withhold: Callable[[tuple[str, ...]], object]
    """Disables the commands whose ids begin like one of these, and no others any longer."""
    show_page: Callable[[Sequence[Command], tuple[str, ...]], object]
    """Has a page's commands in place of the window's."""
    leave_page: Callable[[], object]
    """Has the window's own commands again."""
    add_sheet: Callable[[QWidget], object]
    """Lets a sheet have the lower part of the mesh's place while it is shown."""
    apply: Callable[[Scenario, str], bool]
    """Takes an edited scenario and runs it, if it may be; words for undo: it was edited outside the form."""
    go_to_field: Callable[[FieldPath], object]
    """Shows a field of the form."""
    vary: Callable[[str], object]
    """Opens an experiment that varies a field of the scenario, by its path in words."""
    move_job: Callable[[int, int], object]
    """Puts a waiting job at another place of the queue."""
    end_job: Callable[[int], object]
    """Ends a running job now."""
    done: Done
    """Says what has just been done, with a way back."""

    def __init__(self) -> None:
        super().__init__()
        LaidOutFirst(self)

    def fit_on_screen(self, size: QSize) -> None:
        """Have this size, or less where the screen has no room for it."""
        self.resize(size.boundedTo(room_for_window(self)))

    def focusNextPrevChild(self, onward: bool, /) -> bool:  # noqa: N802 - Qt's
        """Tab to what is in sight."""
        return tab_in_sight(self, partial(super().focusNextPrevChild, onward))
