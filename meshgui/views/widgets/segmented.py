"""A row of buttons of which exactly one is checked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QSizePolicy, QToolButton, QWidget

from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager


class _Choice(QToolButton):
    """A label with air beside it, which goes before any letter does."""

    def __init__(self, themes: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._themes = themes
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """With the air."""
        return super().sizeHint() + QSize(2 * self._themes.px(6), 0)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Without it."""
        return super().sizeHint()


class Segmented(QFrame):
    """Choices side by side, each a label and a tooltip; those from `apart` on stand behind a hairline."""

    chosen = Signal(int)

    def __init__(
        self, choices: Sequence[tuple[str, str]], themes: ThemeManager, apart: int | None = None
    ) -> None:
        super().__init__()
        self.setObjectName("segmented")
        self._themes = themes
        self._group = QButtonGroup(self)
        sizing = Sizing(themes, self)
        row = sizing.row(on=self, margins=(2, 2, 2, 2), spacing=2)
        self._rule = QFrame(self)
        self._rule.hide()
        sizing.rule(lambda: self._rule.setFixedSize(1, themes.px(16)))
        self._apart = apart
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        for index, (label, help_text) in enumerate(choices):
            button = _Choice(themes, self)
            button.setText(label)
            button.setToolTip(help_text)
            button.setCheckable(True)
            self._group.addButton(button, index)
            if index == apart:
                row.addWidget(self._rule, 0, Qt.AlignmentFlag.AlignVCenter)
                self._rule.show()
            row.addWidget(button)
        self._group.button(0).setChecked(True)
        self._group.idClicked.connect(self.chosen)
        themes.changed.connect(self._dress)
        self._dress()

    @property
    def index(self) -> int:
        """The index of the checked choice."""
        return self._group.checkedId()

    def choose(self, index: int) -> None:
        """Check a choice without the signal of a click."""
        self._group.button(index).setChecked(True)

    def reveal(self, *, all_of_them: bool) -> None:
        """Show every choice, or only those before the hairline."""
        if self._apart is None:
            return
        for index, button in enumerate(self._group.buttons()):
            button.setVisible(all_of_them or index < self._apart)
        self._rule.setVisible(all_of_them)

    def button(self, index: int) -> QToolButton:
        """A button by its index."""
        button = self._group.button(index)
        if not isinstance(button, QToolButton):
            raise IndexError(f"there is no choice {index}")
        return button

    def _dress(self) -> None:
        theme, px = self._themes.theme, self._themes.px
        self.setStyleSheet(
            f"#segmented {{ border: 1px solid {theme.hairline}; border-radius: {px(8)}px; }}"
            f"#segmented > QFrame {{ background: {theme.hairline}; border: none; }}"
            f"QToolButton {{ padding: {px(2)}px {px(4)}px; border-radius: {px(6)}px; }}"
        )
