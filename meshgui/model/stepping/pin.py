"""The mark that inspectors show in the mesh: that under the pointer, or else that of the chosen row."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from meshgui.engine.allocation.steps import Mark
from meshgui.model.stepping.selection import Selection


class Pin:
    """The chosen row, one for all inspectors; its mark is shown while the pointer is on no other row."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection
        self._owner: object = None
        self._key: Hashable = None
        self._mark: Callable[[], Mark | None] = _nothing
        self._shown: tuple[Mark, ...] = ()
        self._pointing = False

    def holds(self, owner: object, key: Hashable) -> bool:
        """Whether this row of this panel is the chosen one."""
        return self._owner is owner and self._key == key

    def toggle(
        self, owner: object, key: Hashable, mark: Callable[[Hashable], Mark | None], *, pointed: bool
    ) -> None:
        """Choose a row, or let go of the chosen one; `pointed` if the pointer is on it.

        `mark` gives the row's box, which changes from step to step.
        """
        if self.holds(owner, key):
            self.clear()
        else:
            self._owner, self._key = owner, key
            self._mark = lambda: mark(key)
        if pointed:
            self.point_out(mark(key))
        else:  # chosen with the keyboard
            self.fall_back()

    def clear(self) -> None:
        """Choose nothing."""
        self._owner, self._key, self._mark = None, None, _nothing

    def point_out(self, mark: Mark | None) -> None:
        """Show the mark of the row under the pointer."""
        self._pointing = True
        self._show(mark)

    def fall_back(self) -> None:
        """Show the mark of the chosen row: the pointer is on no row."""
        self._pointing = False
        self._show(self._mark())

    def follow(self) -> None:
        """Show the mark of the chosen row at another step."""
        if self._owner is not None and not self._pointing:
            self._show(self._mark())

    def reset(self) -> None:
        """Choose nothing, for another run, and remove the mark."""
        if self._owner is not None:
            self.clear()
            self.fall_back()

    def check(self) -> None:
        """Let go of the row if another view has shown a mark since."""
        if self._selection.marks != self._shown:
            self._shown = self._selection.marks
            self.clear()

    def _show(self, mark: Mark | None) -> None:
        self._shown = () if mark is None else (mark,)  # first: the selection's change comes back to `check`
        self._selection.point_out(*self._shown)


def _nothing() -> None:
    return None
