"""Says what has just been done, with a button that undoes it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject

from meshgui.engine.basics.translation import tr
from meshgui.model.document.edit_history import Edit
from meshgui.model.stepping.cursor import CursorChange
from meshgui.views.docks.host import HostWindow
from meshgui.views.document.scenario_run import ScenarioRun
from meshgui.views.widgets.notice import NoticeAction, Topic


class DoneToast(QObject):
    """A notice about what was done last; it goes with that, and as soon as the user moves on in time."""

    def __init__(self, host: HostWindow, scenario_run: ScenarioRun) -> None:
        super().__init__(host)
        self._host, self._run, context = host, scenario_run, host.context
        self._document, self._notice = context.document, context.messages.notice
        self._edit: Edit | None = None  # the one that its button undoes
        context.cursor.changed.connect(self._follow_time)
        self._document.changed.connect(self._follow_edits)
        self._document.draft_changed.connect(self._follow_edits)

    def show(self, said: str, *actions: NoticeAction, put_back: Callable[[], object] | None = None) -> None:
        """Say what the last edit has done, with a way back before what else can be done.

        What is no edit of the scenario says itself how it is put back.
        """
        if put_back is None:
            self._edit = self._document.history.last
            hint = tr("Undo it, and run the scenario as it was before (Ctrl+Z)")
            undo: Callable[[], object] = partial(self._host.trigger, "edit.undo")
        else:
            self._edit, hint, undo = None, tr("Put it back"), partial(self._put_back, put_back)
        self._notice.report(said, (tr("Undo"), hint, undo), *actions, topic=Topic.DONE)

    def _put_back(self, put_back: Callable[[], object]) -> None:
        put_back()
        self._withdraw()

    def _follow_time(self, change: CursorChange) -> None:
        if change is CursorChange.MOVED and not self._run.resuming:
            self._withdraw()

    def _follow_edits(self) -> None:
        if self._edit is not None and self._document.history.last is not self._edit:
            self._withdraw()

    def _withdraw(self) -> None:
        self._edit = None
        self._notice.withdraw(Topic.DONE)
