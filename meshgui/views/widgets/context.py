"""What all parts of a window share: where one looks, what is selected, what is open, and what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from meshgui.model.base.signals import Signal
from meshgui.model.document.document import Document
from meshgui.model.stepping.bookmarks import Bookmarks
from meshgui.model.stepping.breakpoints import Breakpoints
from meshgui.model.stepping.cursor import Cursor, CursorChange
from meshgui.model.stepping.selection import Selection
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.command import Condition
from meshgui.views.widgets.notice import Notice


class WindowMessages:
    """What a window says: sentences at its foot, which pass, and notices above the mesh, which stay."""

    def __init__(self, notice: Notice) -> None:
        self.notice = notice
        self.said: Signal[[str]] = Signal()
        self.say = self.said.emit
        self.unsaid: Signal[[str]] = Signal()
        self.unsay = self.unsaid.emit
        """Say a sentence no longer, where it is still said: it is not so any more."""
        self.hidden: Signal[[str]] = Signal()
        self.say_instead = self.hidden.emit
        """Say this in place of every sentence; with nothing to say they are shown again."""
        self.readout_hidden: Signal[[bool]] = Signal()
        self.hide_readout = self.readout_hidden.emit
        """Hide how much of the mesh is in use and how many jobs wait, or show it again."""
        self.tell, self.withdraw, self.clear = notice.tell, notice.withdraw, notice.clear


@dataclass(frozen=True)
class Context:
    """What every part of a window may look at, and under which conditions commands can be used."""

    cursor: Cursor
    selection: Selection
    document: Document
    themes: ThemeManager
    messages: WindowMessages
    breakpoints: Breakpoints = field(default_factory=Breakpoints, init=False)
    bookmarks: Bookmarks = field(default_factory=Bookmarks, init=False)
    run_changed: Signal[[]] = field(default_factory=Signal, init=False)
    """The cursor shows another run, or none; not that it moved, nor that the run grew."""

    def __post_init__(self) -> None:
        def chain_of(packet: int) -> Sequence[int]:
            view = self.cursor.view
            return view.chain_of(packet) if view is not None else ()

        def follow(change: CursorChange) -> None:
            if change is CursorChange.RUN:
                self.run_changed.emit()

        self.selection.chain_of = chain_of
        self.cursor.changed.connect(follow)

    @property
    def views(self) -> tuple[Cursor, Selection, ThemeManager]:
        """What most views are made from."""
        return self.cursor, self.selection, self.themes

    @cached_property
    def icons(self) -> IconShelf:
        """The icons of the window."""
        return IconShelf(self.themes)

    @cached_property
    def has_scenario(self) -> Condition:
        """Whether a scenario is open."""
        return Condition(lambda: self.document.scenario is not None, (self.document.changed,))

    @cached_property
    def has_network(self) -> Condition:
        """Whether the run has a network."""
        return Condition(self._in_network, (self.run_changed,))

    @cached_property
    def is_solid(self) -> Condition:
        """Whether the mesh has three dimensions, or there is none."""
        return Condition(self._in_three_dimensions, (self.run_changed,))

    def _in_network(self) -> bool:
        recording = self.cursor.recording
        return recording is not None and recording.scenario.network is not None

    def _in_three_dimensions(self) -> bool:
        recording = self.cursor.recording
        return recording is None or recording.mesh.dims == 3
