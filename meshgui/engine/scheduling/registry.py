"""Finds the queue disciplines: the project's own, and third-party ones by their entry points."""

from __future__ import annotations

from functools import cache
from typing import Final

from meshgui.engine.basics.kinds import Serving
from meshgui.engine.basics.plugin_classes import ID, TITLE, find_plugins, usable_class
from meshgui.engine.basics.plugins import Plugins
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.value_checks import TRUTH, Check, subclass_of
from meshgui.engine.scheduling.base import Discipline, DisciplineError, DisciplineOptions
from meshgui.engine.scheduling.disciplines import OWN

GROUP = "meshgui.disciplines"

_STATED: Final[dict[str, Check]] = {
    "id": ID,
    "title": TITLE,
    **dict.fromkeys(("plans", "ranks_by_service", "by_arrival"), TRUTH),
    "serving": Check(
        tr("Serving.HEAD, Serving.EVERY, Serving.EASY or Serving.CONSERVATIVE"),
        lambda value: isinstance(value, Serving) and value != Serving.OWN,
    ),
    "options_model": subclass_of(DisciplineOptions),
}


@cache
def disciplines() -> Plugins[Discipline]:
    """Every discipline by its id: the project's own first, then third-party ones in order of id."""
    return find_plugins(GROUP, tr("discipline"), OWN, checked, DisciplineError)


def checked(thing: object, name: str) -> type[Discipline]:
    """A discipline, if it can be used; a DisciplineError with the reason if not."""
    return usable_class(thing, name, Discipline, _STATED, DisciplineError)  # type: ignore[type-abstract]


def discipline(name: str) -> type[Discipline]:
    """The discipline of that id; one of the project's own without a search for others."""
    return OWN.get(name) or disciplines().named(name, tr("scheduler"), DisciplineError)
