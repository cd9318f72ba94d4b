"""The mark that the inspectors show in the mesh: that under the pointer, or else that of the chosen row."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from meshgui.engine.allocation.steps import Mark
from meshgui.model.selection import Selection

__all__ = ["Pin"]


class Pin:
    """The chosen row, one for all inspectors: it is pointed out while the pointer is on nothing else."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection
        self._owner: object = None
        self._key: Hashable = None
        self._mark: Callable[[], Mark | None] = _nothing
        self._shown: Mark | None = None
        self._pointing = False

    def holds(self, owner: object, key: Hashable) -> bool:
        """Whether this row of this panel is the chosen one."""
        return self._owner is owner and self._key == key

    def choose(self, owner: object, key: Hashable, mark: Callable[[Hashable], Mark | None]) -> None:
        """Choose a row; `mark` gives its box at each step, as that changes from step to step."""
        self._owner, self._key = owner, key
        self._mark = lambda: mark(key)

    def clear(self) -> None:
        """Choose nothing."""
        self._owner, self._key, self._mark = None, None, _nothing

    def point_out(self, mark: Mark | None) -> None:
        """Point out what the pointer is on."""
        self._pointing = True
        self._show(mark)

    def fall_back(self) -> None:
        """The pointer is on nothing: point out the chosen row."""
        self._pointing = False
        self._show(self._mark())

    def follow(self) -> None:
        """Another step: point out what has become of the chosen row."""
        if self._owner is not None and not self._pointing:
            self._show(self._mark())

    def reset(self) -> None:
        """Another run: choose nothing, and take back what was pointed out for it."""
        if self._owner is not None:
            self.clear()
            self.fall_back()

    def check(self) -> None:
        """Let go of the row if another box has been pointed out elsewhere since."""
        if self._selection.mark != self._shown:
            self._shown = self._selection.mark
            self.clear()

    def _show(self, mark: Mark | None) -> None:
        self._shown = mark  # first: the selection's change comes back to `check`
        self._selection.point_out(mark)


def _nothing() -> None:
    return None
