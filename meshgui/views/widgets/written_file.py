"""Says that a file was written, and opens it or its folder."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from meshgui.engine.basics.translation import tr
from meshgui.views.style.direction import among_words
from meshgui.views.widgets.notice import Notice, NoticeAction, Topic
from meshgui.views.widgets.opening import open_place

_RAW: Final = frozenset({".json", ".jsonl", ".db"})


def say_written(notice: Notice, path: Path, detail: str = "") -> None:
    """Say in a notice that a file was written, with a detail of it, and offer to open it or its folder.

    What only programs read would open as raw text: of it there is the folder alone.
    """
    words = tr("{name} was written: {detail}.") if detail else tr("{name} was written.")
    said = words.format(name=among_words(path.name), detail=detail)
    hint = tr("Open the file with the program that this system has for it")
    file = (tr("Open"), hint, partial(_open, notice, path))
    offered = (() if path.suffix in _RAW else (file,)) + (_folder(notice, path),)
    notice.report(said, *offered, topic=Topic.EXPORT)


def _folder(notice: Notice, path: Path) -> NoticeAction:
    return tr("Open folder"), tr("Show the folder that the file is in"), partial(_open_folder, notice, path)


def _open(notice: Notice, path: Path) -> None:
    def fail() -> None:
        said = tr("This system has no program that opens {name}.").format(name=among_words(path.name))
        notice.tell(said, _folder(notice, path), topic=Topic.EXPORT)

    notice.withdraw(Topic.EXPORT)
    open_place(path, notice, fail)


def _open_folder(notice: Notice, path: Path) -> None:
    def fail() -> None:
        said = tr("This system has no program that shows folders. The file is in {folder}.")
        notice.tell(said.format(folder=among_words(path.parent)), topic=Topic.EXPORT)

    notice.withdraw(Topic.EXPORT)
    open_place(path.parent, notice, fail)
