"""Says when another program changes or removes the file of the open scenario."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QFileSystemWatcher, QObject, QTimer

from meshgui.engine.basics.translation import tr
from meshgui.model.document.known_file import FileState
from meshgui.views.docks.host import HostWindow
from meshgui.views.document.files import Files
from meshgui.views.widgets.notice import NoticeAction, Topic

_DELAY: Final = 100
"""Milliseconds from a message of the system to the look: a program that saves makes several."""


class FileWatch(QObject):
    """Looks at the file when the system reports a change of it or its folder, or the window is entered.

    The folder is watched because many programs replace a file by another, which nobody watches yet. For a
    folder in the network, of which the system may report nothing, there is the window.
    """

    def __init__(self, host: HostWindow, files: Files) -> None:
        super().__init__(host)
        self._document, self._files = files.document, files
        self._messages, self._trigger = host.context.messages, host.trigger
        self._watcher: QFileSystemWatcher | None = None
        self._said: object = None
        self._timer = QTimer(self, singleShot=True, interval=_DELAY)
        self._timer.timeout.connect(self.look)
        self._document.changed.connect(self.look)
        host.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Look when the user comes back from another program."""
        if event.type() == QEvent.Type.WindowActivate:
            self.look()
        return super().eventFilter(watched, event)

    def look(self) -> None:
        """Look at the file, and say what has become of it, once for each change."""
        state = self._document.look_at_file()
        self._watch()
        shown = self._document.state
        saying = shown, shown.known and shown.known.seen
        if saying == self._said:
            return
        self._said = saying
        if state == FileState.SAME:
            self._messages.withdraw(Topic.FILE)
        elif shown.path is not None:
            said, *answers = self._changed() if state == FileState.CHANGED else self._gone()
            self._messages.tell(said.format(name=shown.path.name), *answers, topic=Topic.FILE, lasting=True)

    def _changed(self) -> tuple[str, *tuple[NoticeAction, ...]]:
        hint = tr("Read the file as it is now, after a question about unsaved changes")
        return (
            tr("The file {name} has been changed since it was opened or saved here."),
            (tr("Open it again"), hint, self._files.open_again),
        )

    def _gone(self) -> tuple[str, *tuple[NoticeAction, ...]]:
        return (
            tr("The file {name} has been deleted or moved. The scenario now exists in this window only."),
            (tr("Save"), tr("Write the file where it was"), partial(self._trigger, "file.save")),
            (tr("Save as…"), tr("Choose a new place for it"), partial(self._trigger, "file.save-as")),
        )

    def _look_soon(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _watch(self) -> None:
        """Watch the file and its folder, also behind a link."""
        path = self._document.path
        wanted = {path, path.parent, Path(os.path.realpath(path)).parent} if path is not None else set()
        names = {str(place.absolute()) for place in wanted if os.path.exists(place)}  # noqa: PTH110 - any name
        if self._watcher is None:
            if not names:
                return
            self._watcher = QFileSystemWatcher(self)
            self._watcher.fileChanged.connect(self._look_soon)
            self._watcher.directoryChanged.connect(self._look_soon)
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if left := watched - names:
            self._watcher.removePaths(list(left))
        if new := names - watched:
            self._watcher.addPaths(list(new))
