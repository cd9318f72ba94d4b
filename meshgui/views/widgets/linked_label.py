"""A wrapped sentence whose names of jobs, packets and channels are links, and ids behind names quiet."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QSizePolicy

from meshgui.engine.basics.sentences import Link, pieces_of
from meshgui.model.base.named import ids_in
from meshgui.model.stepping.links import Links
from meshgui.views.style.direction import isolated
from meshgui.views.style.theme import Dress


def with_ids(text: str, before: str, behind: str) -> str:
    """A text as HTML, with marks around the ids behind names."""
    words, done = "", 0
    for first, last in ids_in(text):
        words += f"{escape(text[done:first])}{before}{escape(text[first:last])}{behind}"
        done = last
    return words + escape(text[done:])


class LinkedLabel(QLabel):
    """Shows sentences as paragraphs; hovering and clicking a name hovers and selects what it names."""

    def __init__(self, themes: Dress, links: Links) -> None:
        super().__init__()
        self._themes, self._links = themes, links
        self._sentences: Sequence[str] = ()
        self._targets: list[Link] = []
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.linkActivated.connect(lambda name: links.choose(self._targets[int(name)]))
        self.linkHovered.connect(lambda name: links.hover(self._targets[int(name)] if name else None))
        themes.changed.connect(self._write)

    @property
    def plain(self) -> str:
        """The sentences without markup."""
        return " ".join(self._sentences)

    def say(self, sentences: Sequence[str]) -> None:
        """Show other sentences."""
        if list(sentences) != list(self._sentences) or sentences is not self._sentences:
            self._sentences = tuple(sentences)
            self.setAccessibleName(self.plain)
            self._write()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Stop hovering."""
        super().leaveEvent(event)
        self._links.hover(None)

    def _write(self) -> None:
        style = f"color:{self._themes.theme.colour('accent').name()};text-decoration:none"
        quiet = self._themes.theme.colour("muted").name()
        self._targets = []
        paragraphs = []
        for sentence in self._sentences:
            words = ""
            for piece in pieces_of(sentence):
                if piece.link is None:
                    words += with_ids(isolated(piece.text), f'<span style="color:{quiet}">', "</span>")
                else:
                    text = escape(isolated(piece.text))
                    words += f'<a href="{len(self._targets)}" style="{style}">{text}</a>'
                    self._targets.append(piece.link)
            paragraphs.append(f'<p style="margin:0 0 {self._themes.px(4)}px 0">{words}</p>')
        self.setText("".join(paragraphs))
