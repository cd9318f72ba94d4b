"""Sentences as typed pieces: words, and the names of jobs, packets and channels, which views can link."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

__all__ = ["ChannelLink", "CycleLink", "JobLink", "Link", "PacketLink", "Piece", "Sentence", "joined"]


class JobLink(NamedTuple):
    """A job."""

    job: int


class PacketLink(NamedTuple):
    """A packet and the job that sends it."""

    packet: int
    job: int


class ChannelLink(NamedTuple):
    """A channel of the network."""

    channel: int


class CycleLink(NamedTuple):
    """A cycle of the network to go to."""

    cycle: int


Link: TypeAlias = JobLink | PacketLink | ChannelLink | CycleLink


class Piece(NamedTuple):
    """Some words of a sentence, and what they name if it can be selected."""

    text: str
    link: Link | None = None


class Sentence:
    """Pieces one after another; `str` gives the plain text, and `+` joins sentences, pieces and text."""

    __slots__ = ("pieces",)

    def __init__(self, *parts: Sentence | Piece | str) -> None:
        pieces: list[Piece] = []
        for part in parts:
            if isinstance(part, Sentence):
                pieces += part.pieces
            elif isinstance(part, Piece):
                pieces.append(part)
            elif part:
                pieces.append(Piece(part))
        self.pieces: tuple[Piece, ...] = tuple(pieces)

    def __str__(self) -> str:
        return "".join(piece.text for piece in self.pieces)

    def __repr__(self) -> str:
        return f"Sentence({str(self)!r})"

    def __bool__(self) -> bool:
        return bool(self.pieces)

    def __add__(self, other: Sentence | Piece | str) -> Sentence:
        return Sentence(self, other)

    def __radd__(self, other: str) -> Sentence:
        return Sentence(other, self)

    def capitalised(self) -> Sentence:
        """The same with a capital at its start."""
        if not self.pieces:
            return self
        first, *rest = self.pieces
        return Sentence(first._replace(text=first.text[:1].upper() + first.text[1:]), *rest)

    def links(self) -> list[Link]:
        """What it names, in order."""
        return [piece.link for piece in self.pieces if piece.link is not None]


def joined(sentences: Iterable[Sentence], between: str = " ") -> Sentence:
    """Sentences one after another; empty ones are left out."""
    whole = Sentence()
    for sentence in sentences:
        if sentence:
            whole = Sentence(whole, between, sentence) if whole else sentence
    return whole
