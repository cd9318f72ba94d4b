"""Strategies of this process alone: classes that no package has, from a notebook or a script."""

from __future__ import annotations

from typing import TypeVar
from uuid import uuid4

from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.registry import checked
from meshgui.engine.allocation.registry import strategies as known_strategies
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.basics.translation import tr

S = TypeVar("S", bound=type[Strategy])


def strategies() -> dict[str, type[Strategy]]:
    """The strategies by their ids: the project's own, those of packages, and those registered here."""
    return dict(known_strategies())


def register(cls: S) -> S:
    """Make a strategy known under its id in this process, in place of one registered before.

    So a cell of a notebook can be run again; as a decorator, it gives the class back. A StrategyError says
    what the class lacks, or that its id belongs to another strategy.
    """
    known = known_strategies()
    usable = checked(cls, tr("the class {name}").format(name=getattr(cls, "__name__", cls)))
    if usable.id in known and usable.id not in known.registered:
        said = tr("{name} is the id of another strategy: expected one of its own")
        raise StrategyError(said.format(name=usable.id))
    # No two registrations are of one code: what was run of the one is not taken for results of the other.
    known.register(usable.id, usable, f"registered {uuid4().hex}")  # untranslated: a key
    return cls
