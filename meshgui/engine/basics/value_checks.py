"""Checks of what third parties state and answer, in plain code: a `Check` says what a value must be.

Each kind of fault is found by a generator that yields what is wrong in words; the first is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Final

import numpy as np

from meshgui.engine.basics.plugins import quoted
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import harmless


@dataclass(frozen=True, slots=True)
class Check:
    """The kind a value must be of, in words, and what may be wrong with the parts of one that is."""

    expected: str
    fits: Callable[[Any], bool]
    part_faults: Callable[[Any, str], Iterator[str]] = lambda _value, _what: iter(())

    def faults(self, value: Any, what: str) -> Iterator[str]:  # noqa: ANN401 - a third party's answer
        """How a value differs, with the path to the faulty part."""
        if self.fits(value):
            yield from self.part_faults(value, what)
        else:
            yield tr("{what}: expected {expected}, got {quoted}").format(
                what=what, expected=self.expected, quoted=quoted(value)
            )


def kind_of(kind: type, expected: str = "") -> Check:
    """An object of a class."""
    return Check(expected or f"a {kind.__name__}", lambda value: isinstance(value, kind))


def subclass_of(kind: type) -> Check:
    """A class."""
    return Check(
        tr("a subclass of {name}").format(name=kind.__name__),
        lambda value: isinstance(value, type) and issubclass(value, kind),
    )


def _numeric(kind: type, expected: str) -> Check:
    return Check(expected, lambda value: isinstance(value, kind) and not isinstance(value, bool))


def array_of(kind: type, expected: str) -> Check:
    """An array of numbers of a kind."""
    return Check(
        expected, lambda value: isinstance(value, np.ndarray) and bool(np.issubdtype(value.dtype, kind))
    )


def all_of(kind: type[Iterable[Any]], item: Check) -> Check:
    """Any number of items of one kind."""
    one = kind_of(kind)
    return Check(
        one.expected, one.fits, lambda value, what: (f for each in value for f in item.faults(each, what))
    )


def three_of(item: Check) -> Check:
    """A tuple of three items of one kind."""

    def fits(value: object) -> bool:
        return isinstance(value, tuple) and len(value) == 3

    return Check(tr("a tuple of {number}").format(number=3), fits, all_of(tuple, item).part_faults)


def by_name(item: Check) -> Check:
    """A dictionary of texts to items of one kind."""

    def part_faults(value: dict[Any, Any], what: str) -> Iterator[str]:
        for key, part in value.items():
            yield from TEXT.faults(key, tr("{what}, a key").format(what=what))
            yield from item.faults(part, f"{what}, {key}")

    one = kind_of(dict)
    return Check(one.expected, one.fits, part_faults)


def parts_of(kind: type, /, **parts: Check) -> Check:
    """An object of a class whose attributes are of these kinds."""

    def part_faults(value: object, what: str) -> Iterator[str]:
        for name, check in parts.items():
            yield from check.faults(getattr(value, name), f"{what}, {name}")

    one = kind_of(kind)
    return Check(one.expected, one.fits, part_faults)


def either(*checks: Check) -> Check:
    """One of several kinds; a value of another is held to the first."""

    def part_faults(value: object, what: str) -> Iterator[str]:
        fitting = next((check for check in checks if check.fits(value)), checks[0])
        return fitting.faults(value, what)

    return Check("", lambda _: True, part_faults)


ANYTHING: Final = Check("", lambda _: True)
NOTHING: Final = kind_of(type(None), tr("nothing"))
WHOLE: Final = _numeric(Integral, tr("a whole number"))
NUMBER: Final = _numeric(Real, tr("a number"))
TEXT: Final = Check(tr("text"), lambda value: isinstance(value, str) and harmless(value) == value)
TRUTH: Final = Check(tr("true or false"), lambda value: isinstance(value, bool | np.bool_))
NUMBERS: Final = array_of(np.number, tr("an array of numbers"))
WHOLES: Final = array_of(np.integer, tr("an array of whole numbers"))
OPTIONAL_WHOLE: Final = either(WHOLE, NOTHING)


def misfit(value: object, check: Check, what: str) -> str | None:
    """How a value differs from what it must be, with the path to the faulty part, or None."""
    return next(check.faults(value, what), None)
