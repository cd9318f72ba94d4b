"""How the window looks: its theme, contrast, size of text and motion, all remembered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QSettings

from meshgui.engine.basics.translation import tr
from meshgui.views.docks.host import HostWindow
from meshgui.views.style.theme import SCALES
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.kept_place import keep, kept_or
from meshgui.views.window.language_choice import LanguageChoice

TEXT_SIZES: Final = (80, 90, 100, 110, 125, 140, 160, 180, 200, 225, 250)
"""The sizes of text, in percent."""

_NORMAL: Final = 100


class Appearance(QObject):
    """Changes the look of all windows. Presenter mode has a size of text of its own."""

    def __init__(self, host: HostWindow, settings: QSettings) -> None:
        super().__init__(host)
        self._messages, self._settings = host.context.messages, settings
        themes = self._themes = host.context.themes
        self._motion = kept_or(settings, "window/motion", "full") != "reduced"
        self._set_motion: Callable[[bool], object] = lambda _on: None
        self._fitting: int | None = None  # the size that fits the screen, in presenter mode
        preferred = "high" if themes.system_wants_contrast() else "normal"
        themes.set_high_contrast(kept_or(settings, "window/contrast", preferred) == "high")
        self._apply_size()

    def size_commands(self) -> list[Command]:
        """The commands of the size of text, which is that of all windows."""
        return commands_in(
            tr("Window"),
            Command(
                "window.larger-text",
                tr("Larger text"),
                tr("Enlarge the text of panels, plots, dialogs and of the mesh"),
                self.enlarge,
                ("Ctrl++", "Ctrl+="),
                "a-large-small",
                synonyms=tr("text size bigger font zoom scale"),
            ),
            Command(
                "window.smaller-text",
                tr("Smaller text"),
                tr("Make text smaller, down to 80 %"),
                self.shrink,
                ("Ctrl+-",),
                "a-large-small",
                synonyms=tr("text size font zoom scale"),
            ),
            Command(
                "window.normal-text",
                tr("Normal text size"),
                tr("Text at 100 %; in presenter mode the size that fits the screen"),
                self.reset_size,
                ("Ctrl+0",),
                "a-large-small",
                synonyms=tr("text size reset font zoom scale 100"),
            ),
        )

    def commands(self) -> list[Command]:
        """The commands of the size of text, the theme, contrast, motion and language."""
        looks = commands_in(
            tr("Window"),
            Command(
                "window.theme",
                tr("Light or dark"),
                tr("Change between the light and the dark theme"),
                self.toggle_theme,
                ("D",),
                "contrast",
                synonyms=tr("dark mode light mode colours appearance night"),
            ),
            Command(
                "window.contrast",
                tr("High contrast"),
                tr("Stronger text, edges and marks, light or dark, for weak projectors and weak eyes"),
                self.toggle_contrast,
                ("Shift+D",),
                "contrast",
                mark=lambda: self._themes.high_contrast,
                synonyms=tr("accessibility black white"),
            ),
            Command(
                "window.reduced-motion",
                tr("Reduced motion"),
                tr("Jump to a view of the mesh instead of turning towards it"),
                self.toggle_motion,
                ("Shift+R",),
                "rotate-3d",
                mark=lambda: not self._motion,
                synonyms=tr("animation accessibility"),
            ),
        )
        return self.size_commands() + looks + LanguageChoice(self._messages.notice).commands()

    # The size of text

    @property
    def text_size(self) -> int:
        """The size of text, in percent."""
        size = kept_or(self._settings, self._key, _NORMAL if self._fitting is None else self._fitting)
        least, greatest = SCALES
        return min(max(size, round(100 * least)), round(100 * greatest))

    def enlarge(self) -> None:
        """Show text in the next larger size."""
        self._resize(min((size for size in TEXT_SIZES if size > self.text_size), default=self.text_size))

    def shrink(self) -> None:
        """Show text in the next smaller size."""
        self._resize(max((size for size in TEXT_SIZES if size < self.text_size), default=self.text_size))

    def reset_size(self) -> None:
        """Show text at 100 %, or in presenter mode in the size that fits the screen."""
        self._resize(None)

    def present(self, fitting: int | None) -> None:
        """Use the size of presenter mode, in percent, unless the user has chosen another one for it.

        It is never below that of the desk, which comes back with None.
        """
        self._fitting = None
        if fitting is not None:
            self._fitting = max(fitting, self.text_size)
        self._apply_size()

    @property
    def _key(self) -> str:
        return "window/text-size" if self._fitting is None else "window/presenter-text-size"

    def _resize(self, size: int | None) -> None:
        if size is None:
            self._settings.remove(self._key)
        else:
            keep(self._settings, self._key, size)
        self._apply_size()
        self._messages.say(tr("Text size {text_size} %.").format(text_size=self.text_size))

    def _apply_size(self) -> None:
        self._themes.set_scale(self.text_size / 100)

    # Theme, contrast and motion

    def toggle_theme(self) -> None:
        """Change between light and dark."""
        self._themes.toggle()
        keep(self._settings, "window/theme", self._themes.mode)

    def toggle_contrast(self) -> None:
        """Show the themes in high contrast, or as usual."""
        high = not self._themes.high_contrast
        keep(self._settings, "window/contrast", "high" if high else "normal")
        self._themes.set_high_contrast(high)

    def toggle_motion(self) -> None:
        """Show views at once, or turn towards them."""
        self._motion = not self._motion
        keep(self._settings, "window/motion", "full" if self._motion else "reduced")
        self._set_motion(self._motion)

    def move(self, set_motion: Callable[[bool], object]) -> None:
        """Tell a view now, and after every change, whether it may move."""
        self._set_motion = set_motion
        set_motion(self._motion)
