"""Pseudo-code: lines, each with the sentence for a step that stands there and the number that is logged."""

from __future__ import annotations

from dataclasses import dataclass, replace

from meshgui.engine.basics.translation import Message, tr


@dataclass(frozen=True, slots=True)
class Line:
    """A line of pseudo-code. Its place in the strategy's `lines` is the number that its kernel logs."""

    label: str
    text: str
    indent: int = 0
    decision: bool = False  # a line where something is settled: stepping by decision stops here
    says: str = (
        ""  # the sentence of a step here; its first mark gives {box}, {base}, {size}, {way}, {n}, {k}, {i},
        # and for a shortage {asked} and {few}
    )
    event: str = ""  # "split" or "merge", where its label says neither: what happens to blocks here

    def __post_init__(self) -> None:
        """Translate what is new: a line made from another has some texts of that."""
        for name in ("text", "says"):
            words = getattr(self, name)
            if not isinstance(words, Message):
                object.__setattr__(self, name, Message.of(tr(words), words))

    def altered(self, text: str = "", says: str = "", *, label: str = "", indent: int = 0) -> Line:
        """The line with other texts, under another label, or further in."""
        return replace(
            self,
            label=label or self.label,
            text=text or self.text,
            says=says or self.says,
            indent=self.indent + indent,
        )


class PseudoCode:
    """Lines in order, each described in one place; what adds one answers its number, for kernels to log."""

    def __init__(self, *lines: Line) -> None:
        self.lines = lines

    def line(self, label: str, text: str, indent: int = 0, *, event: str = "") -> int:
        """Add a line."""
        return self.add(Line(label, text, indent, event=event))

    def decision(self, label: str, text: str, indent: int = 0, *, event: str = "") -> int:
        """Add a line where something is settled."""
        return self.add(Line(label, text, indent, decision=True, event=event))

    def says(self, sentence: str) -> None:
        """Have the latest line say this of a step that stands there."""
        *before, latest = self.lines
        self.lines = (*before, latest.altered(says=sentence))

    def add(self, *lines: Line) -> int:
        """Add lines that are described elsewhere: the number of the first of them."""
        self.lines += lines
        return len(self.lines) - len(lines)

    def number(self, label: str) -> int:
        """The number of the line with a label."""
        return next(number for number, line in enumerate(self.lines) if line.label == label)


NOT_ENOUGH = Line(
    "enough",
    "if fewer processors are free than asked for: fail",
    decision=True,
    says="It asks for {asked} and {few} free, so no search is made.",
)
NOT_ENOUGH_TO_GIVE = NOT_ENOUGH.altered(says="It asks for {asked} and {few} free, so it waits.")
