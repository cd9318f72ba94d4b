"""Sentences as typed pieces: words, and the names of jobs, packets and channels, which views can link."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from string import Formatter
from typing import Final, NamedTuple, Self, TypeAlias

from meshgui.engine.basics.translation import formatted, tr


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
    """Some words of a sentence, and what they name if that can be selected."""

    text: str
    link: Link | None = None


class Sentence(str):
    """Text that knows its pieces; where only text is wanted it is text."""

    __slots__ = ("pieces",)
    pieces: tuple[Piece, ...]

    def __new__(cls, *parts: str | Piece) -> Self:
        """Put pieces, text and other sentences together."""
        pieces: list[Piece] = []
        plain = ""
        for part in parts:
            if isinstance(part, Sentence):
                inside = part.pieces
            elif isinstance(part, Piece):
                inside = (part,)
            else:
                plain += part
                continue
            for piece in inside:
                if piece.link is None:
                    plain += piece.text
                elif piece.text:
                    pieces += (Piece(plain), piece) if plain else (piece,)
                    plain = ""
        if plain:
            pieces.append(Piece(plain))
        made = super().__new__(cls, "".join([piece.text for piece in pieces]))
        made.pieces = tuple(pieces)
        return made

    def with_capital(self) -> Sentence:
        """The same with a capital at its start."""
        first, *rest = self.pieces or (Piece(""),)
        return Sentence(first._replace(text=first.text[:1].upper() + first.text[1:]), *rest)


def pieces_of(text: str) -> tuple[Piece, ...]:
    """The pieces of a sentence; plain text is one."""
    return text.pieces if isinstance(text, Sentence) else (Piece(text),)


_FORMATTER: Final = Formatter()


@lru_cache(maxsize=1024)
def _parsed(template: str) -> tuple[tuple[str, str | None, str | None, str | None], ...]:
    """Text, field, style and conversion, one after another; most templates are used again and again."""
    return tuple(_FORMATTER.parse(template))


def compose(template: str, words: Mapping[str, object]) -> Sentence:
    """A sentence from a format string; words that are sentences stay what they are."""
    parts: list[str] = []
    for text, field, style, conversion in _parsed(template):
        parts.append(text)
        if field is not None:
            value, _ = _FORMATTER.get_field(field, (), words)
            plain = style or conversion or not isinstance(value, Sentence)
            if plain:
                value = formatted(
                    _FORMATTER.convert_field(value, conversion), (style or "").format_map(words)
                )
            parts.append(value)
    return Sentence(*parts)


def joined(sentences: Iterable[str], between: str = " ") -> Sentence:
    """Sentences one after another; empty ones are left out."""
    said = [sentence for sentence in sentences if sentence]
    if len(said) == 1 and isinstance(said[0], Sentence):
        return said[0]
    parts: list[str] = []
    for sentence in said:
        parts += [between, sentence] if parts else [sentence]
    return Sentence(*parts)


def listed(names: Sequence[str]) -> Sentence:
    """Names one after another: job 3, job 5 and job 8."""
    *first, last = names
    if not first:
        return Sentence(last)
    return compose(tr("{first} and {last}"), {"first": joined(first, tr(", ")), "last": last})


def job_name(job: int) -> Sentence:
    """A job by its number: job 3. A negative number holds what is down."""
    if job < 0:
        return Sentence(tr("a failure"))
    return Sentence(Piece(tr("job {job}").format(job=job), JobLink(job)))


def packet_name(packet: int, job: int, *, owned: bool = True) -> Sentence:
    """A packet and whose it is: packet 17 of job 3; where that is known already, only packet 17."""
    name = tr("packet {packet} of job {job}") if owned else tr("packet {packet}")
    return Sentence(Piece(name.format(packet=packet, job=job), PacketLink(packet, job)))
