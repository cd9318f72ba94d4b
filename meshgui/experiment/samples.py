"""Rows of figures, packed: their names once, and their numbers in one array of eight bytes each.

A sweep of hundreds of thousands of runs holds all of them in memory and reads them from a file when it goes
on. As dictionaries they would take ten times the room and time.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from typing import NamedTuple, Self

from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.figures import Figures


class PackedSamples(NamedTuple):
    """Rows that have the same figures."""

    names: tuple[str, ...]
    values: array[float]  # row after row

    @classmethod
    def of(cls, rows: Sequence[Figures]) -> Self:
        """Pack rows."""
        names = tuple(rows[0]) if rows else ()
        for row in rows:
            if len(row) != len(names):
                raise ValueError(
                    tr("expected the same figures in every row, got {names} and {row}").format(
                        names=list(names), row=list(row)
                    )
                )
        return cls(names, array("d", [row[name] for row in rows for name in names]))

    @classmethod
    def from_bytes(cls, names: tuple[str, ...], content: bytes) -> Self:
        """Back from what `to_bytes` gave; ValueError if it is no whole number of rows."""
        values = array("d")
        values.frombytes(content)
        if (len(values) % len(names)) if names else len(values):
            raise ValueError(
                tr("expected rows of {names} numbers, got {values} numbers").format(
                    names=len(names), values=len(values)
                )
            )
        if sys.byteorder == "big":
            values.byteswap()
        return cls(names, values)

    def to_bytes(self) -> bytes:
        """The numbers, in the same order of bytes on every machine."""
        if sys.byteorder == "little":
            return self.values.tobytes()
        turned = array("d", self.values)
        turned.byteswap()
        return turned.tobytes()

    def rows(self) -> tuple[Figures, ...]:
        """As dictionaries."""
        width = len(self.names)
        if not width:
            return ()
        starts = range(0, len(self.values), width)
        return tuple(dict(zip(self.names, self.values[at : at + width], strict=True)) for at in starts)


class SampleTable:
    """Rows that grow; of the figures only those that every row has."""

    def __init__(self) -> None:
        self.names: tuple[str, ...] = ()
        self.length = 0
        self._values: array[float] = array("d")

    def add(self, more: PackedSamples) -> SampleTable:
        """Put rows below those there are, in this table or, if figures are dropped, in another one.

        So a holder of a table goes on seeing in its first rows what was there.
        """
        if not more.names:
            return self
        if not self.length:
            self.names = more.names
        elif more.names != self.names:
            names = tuple(name for name in self.names if name in more.names)
            more = _only(more, names)
            if names != self.names:
                return self._with_only(names).add(more)
            if not names:
                return self
        self._values.extend(more.values)
        self.length += len(more.values) // len(more.names)
        return self

    def column(self, name: str, length: int) -> array[float]:
        """One figure of the first this many rows."""
        width = len(self.names)
        return self._values[self.names.index(name) : length * width : width]

    def _with_only(self, names: tuple[str, ...]) -> SampleTable:
        fewer = SampleTable()
        fewer.names, fewer._values = _only(PackedSamples(self.names, self._values), names)
        fewer.length = self.length
        return fewer


def _only(rows: PackedSamples, names: tuple[str, ...]) -> PackedSamples:
    places, width = [rows.names.index(name) for name in names], len(rows.names)
    values = array(
        "d", [rows.values[at + place] for at in range(0, len(rows.values), width) for place in places]
    )
    return PackedSamples(names, values)
