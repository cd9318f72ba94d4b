"""Asks where to save: the dialog of all files that the program writes, and the names that it proposes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QDir, QSettings
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.views.style.direction import among_words
from meshgui.views.widgets.kept_place import keep, kept_or

ALL_FILES: Final = tr("All files (*)")
"""The last kind of a dialog that opens a file."""

_FOLDER: Final = "export/folder"  # in the settings
_REFUSED: Final = re.compile(r'[<>:"/\\|?*]+')  # by some file system
_ENDING: Final = re.compile(r"\*(\.[\w.-]+)")
_LONGEST: Final = 80  # letters: file systems hold 255 bytes, and a title may be in any script


class SaveDialog:
    """Asks over one window. It opens in the folder of the last time, else in that of the open scenario."""

    def __init__(
        self, window: QWidget, settings: QSettings, opened: Callable[[], Path | None] = lambda: None
    ) -> None:
        self.window, self.settings, self._opened = window, settings, opened

    def ask(self, caption: str, name: str | Path, kinds: str, *, adds: bool = False) -> Path | None:
        """Ask for a file of one of the kinds, listed as Qt does; None after a cancel.

        A name without an ending gets that of the kind chosen, as does one with the first kind's ending, which
        is proposed. What is there is replaced after a question, unless the writer `adds` to it.
        """
        first = _endings(kinds)[0]
        name = name if isinstance(name, Path) else f"{name}{first}"
        show = partial(QFileDialog.getSaveFileName, self.window, caption, str(self._folder() / name), kinds)
        typed, kind = show(options=QFileDialog.Option.DontConfirmOverwrite) if adds else show()
        if not typed:
            return None
        named = Path(typed)
        named = named.with_name(named.name.rstrip() or named.name)  # a blank there hides the ending
        path = _completed(named, kinds.split(";;"), kind)
        # The dialog has asked about the name that was typed only.
        if path != Path(typed) and path.exists() and not adds and not self._may_replace(path, caption):
            return None
        keep(self.settings, _FOLDER, str(path.parent))
        return path

    def _folder(self) -> Path:
        opened = self._opened()
        beside = () if opened is None else (str(opened.parent),)
        places = (kept_or(self.settings, _FOLDER, ""), *beside)
        return Path(next((place for place in places if place and QDir(place).exists()), QDir.homePath()))

    def _may_replace(self, path: Path, caption: str) -> bool:
        words = tr("{path} already exists. Replace it?").format(path=among_words(path.name))
        buttons = QMessageBox.StandardButton
        return QMessageBox.question(self.window, caption, words, buttons.Yes | buttons.No) == buttons.Yes


def file_stem(what: str, title: str = "") -> str:
    """A name without an ending: what is saved, after the title of what it is of.

    Where they are too long, the title is cut; where the name has it anyhow, it is not repeated.
    """
    what, title = _plain(what)[:_LONGEST], _plain(title)
    title = "" if title in what else title[: max(_LONGEST - len(what) - 2, 0)].rstrip()
    stem = ", ".join(filter(None, (title, what))).encode()[: 3 * _LONGEST].decode(errors="ignore")
    return stem.strip(" -.") or "export"  # untranslated: a name of a file


def _plain(words: str) -> str:
    """A text without what file systems refuse or do not show."""
    shown = "".join(letter if unicodedata.category(letter)[0] != "C" else " " for letter in words)
    return " ".join(_REFUSED.sub("-", shown).split()).strip(" -.")


def _endings(kind: str) -> list[str]:
    """The endings of a kind of files; an empty one if it has none."""
    return _ENDING.findall(kind) or [""]


def _completed(path: Path, kinds: list[str], chosen: str) -> Path:
    """A typed name with its ending."""
    known = [ending for kind in kinds for ending in _endings(kind) if ending]
    first, mine = _endings(kinds[0]), _endings(chosen if chosen in kinds else kinds[0])
    typed = next((ending for ending in known if path.name[1:].lower().endswith(ending)), "")
    if typed and (typed in mine or typed not in first):
        return path
    return path.with_name(path.name[: len(path.name) - len(typed)] + mine[0])
