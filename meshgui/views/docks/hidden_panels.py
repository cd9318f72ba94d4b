"""Panels that are hidden for the sake of others, and come back to their places."""

from __future__ import annotations

from typing import NamedTuple

from meshgui.model.document.arrangement import Arrangement
from meshgui.model.document.perspective import Perspective


class HiddenPanels(NamedTuple):
    """What is set aside. An arrangement that is kept has all of it in its places."""

    names: frozenset[str] = frozenset()
    """Panels for which there is no room, also those that are not wanted now."""
    hidden: frozenset[str] = frozenset()
    back: frozenset[str] = frozenset()
    """Panels that come back together with those that are hidden, however they were closed."""
    front: frozenset[str] = frozenset()
    """Those that were in front of others in their places."""

    def without(self, name: str) -> HiddenPanels:
        """The same, but for a panel that is shown now."""
        return self._replace(hidden=self.hidden - {name})

    def with_hidden(self, name: str) -> HiddenPanels:
        """The same, with a panel that has given its place to another, if there is no room for it."""
        return self._replace(hidden=self.hidden | ({name} & self.names))

    def where_wanted(self, name: str, wanted: bool) -> HiddenPanels:
        """The same, with a panel that comes back when there is room, or does not."""
        if name not in self.names:
            return self
        change = frozenset.union if wanted else frozenset.difference
        return self._replace(hidden=change(self.hidden, {name}), back=change(self.back, {name}))

    def taken_away(self, whole: Arrangement) -> Arrangement:
        """An arrangement without what is set aside."""
        return Perspective("", hidden=tuple(self.hidden)).arranged(whole)

    def brought_back(self, now: Arrangement) -> Arrangement:
        """An arrangement with all that is set aside."""
        return Perspective("", shown=(*self.hidden, *self.back), front=tuple(self.front)).arranged(now)
