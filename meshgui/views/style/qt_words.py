"""Qt's own words, such as those of a file dialog, in the program's language."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QObject, QTranslator

from meshgui.engine.basics.translation import ENGLISH, in_english, language, tr

_LACKING: Final = (  # in the file dialog's labels, and in its column of types
    tr("Look in:"),
    tr("Files of type:"),
    tr("File"),
    tr("Folder"),
    tr("File Folder"),
    tr("Drive"),
    tr("Shortcut"),
    tr("Alias"),
    tr("Unknown"),
)


class _LackingWords(QTranslator):
    """The words that some of Qt's catalogues lack, wherever Qt says them."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._words = {in_english(word) or word: word for word in _LACKING}

    def translate(
        self, context: str, source: str, disambiguation: str | None = None, n: int = -1, /
    ) -> str | None:
        """One of the words, None for any other."""
        del context, disambiguation, n
        return self._words.get(source.replace("&", ""))


def translate_qt(application: QCoreApplication) -> None:
    """Have Qt say its words in the program's language: by its catalogue, and what that lacks by ours."""
    if language() == ENGLISH:
        return
    application.installTranslator(_LackingWords(application))  # the one installed last is asked first
    translator = QTranslator(application)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if translator.load(f"qtbase_{language()}", folder):
        application.installTranslator(translator)
