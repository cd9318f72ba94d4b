"""The choice of the program's language, which shows from the next start on."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QLocale

from meshgui.engine.basics.files import whole_file
from meshgui.engine.basics.translation import ENGLISH, choice_file, languages, tr
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.notice import Notice, Topic


class LanguageChoice:
    """Asks in the notice, where each language is named in its own words."""

    def __init__(self, notice: Notice) -> None:
        self._notice = notice

    def commands(self) -> list[Command]:
        """The command that asks."""
        return commands_in(
            tr("Window"),
            Command(
                "window.language",
                tr("Language…"),
                tr("Choose the language of the window, of the help and of the command line"),
                self.ask,
                ("Ctrl+Alt+L",),
                "languages",
                synonyms="language translation English Deutsch العربية",  # untranslated: all
            ),
        )

    def ask(self) -> None:
        """Show a button for each language, and one for the system's."""
        hint = tr("Use this language from the next start on")
        system = tr("As the system"), tr("Use the language of the system from the next start on")
        self._notice.tell(
            tr("Which language should MeshGUI use?"),
            *((_own_name(name), hint, partial(self.choose, name)) for name in languages()),
            (*system, partial(self.choose, None)),
            topic=Topic.LANGUAGE,
        )

    def choose(self, name: str | None) -> None:
        """Keep the choice and say from when on it shows; a choice that cannot be kept is said, too."""
        try:
            _keep(name)
        except OSError as error:
            said = tr("The choice could not be kept: {error}").format(error=error.strerror)
            self._notice.tell(said, topic=Topic.LANGUAGE)
            return
        self._notice.tell(
            tr("MeshGUI is shown in the language of the system from its next start on.")
            if name is None
            else tr("MeshGUI is shown in this language from its next start on: {language}.").format(
                language=_own_name(name)
            ),
            topic=Topic.LANGUAGE,
        )


def _keep(name: str | None) -> None:
    """Keep the choice for the next start; none follows the system."""
    file = choice_file()
    if name is None:
        file.unlink(missing_ok=True)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(file) as kept:
        kept.write(f"{name}\n".encode())


def _own_name(name: str) -> str:
    """A language in its own words, such as Deutsch."""
    return "English" if name == ENGLISH else QLocale(name).nativeLanguageName()  # untranslated: its own name
