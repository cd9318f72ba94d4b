"""A change event for plain Python models, so that Qt only subscribes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec

P = ParamSpec("P")


class Signal(Generic[P]):
    """Callbacks for a change, called in the order they subscribed."""

    def __init__(self) -> None:
        self._listeners: list[Callable[P, object]] = []

    def connect(self, listener: Callable[P, object]) -> None:
        """Call `listener` at every change."""
        self._listeners.append(listener)

    def disconnect(self, listener: Callable[P, object]) -> None:
        """Stop calling `listener`."""
        self._listeners.remove(listener)

    def emit(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call all listeners, then raise what they raised: one that fails keeps no other from hearing."""
        errors: list[Exception] = []
        for listener in tuple(self._listeners):
            try:
                listener(*args, **kwargs)
            except Exception as error:  # noqa: BLE001 - raised below
                errors.append(error)
        if len(errors) == 1:
            raise errors[0]
        if errors:
            raise ExceptionGroup("several listeners failed", errors)  # untranslated: in a report of a fault
