"""Properties that are computed once for each object, by as many threads at a time as ask."""

from __future__ import annotations

import functools
from typing import Any, Self, TypeVar, overload

T = TypeVar("T")


class cached_property(functools.cached_property[T]):  # noqa: N801 - as Python calls its own
    """As Python's own from 3.12 on.

    Before, a thread that computes a property holds up all that ask for it of any object: a search of minutes
    for the steps of one view would halt the window at the next.
    """

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> T: ...

    def __get__(self, instance: object, owner: type[Any] | None = None) -> Self | T:
        """The property, which the object keeps from then on in place of this."""
        if instance is None:
            return self
        value = self.func(instance)
        vars(instance)[self.func.__name__] = value
        return value
