"""Finds the queue disciplines: the project's own, and third-party ones by their entry points."""

from __future__ import annotations

from functools import cache, partial
from typing import Final

from meshgui.engine.basics.kinds import Serving
from meshgui.engine.basics.plugin_classes import ID, TITLE, find_plugins, usable_class
from meshgui.engine.basics.plugins import Plugins
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.value_checks import TRUTH, Check, subclass_of
from meshgui.engine.scheduling.base import Discipline, DisciplineError, DisciplineOptions
from meshgui.engine.scheduling.easy_backfilling import EasyBackfilling
from meshgui.engine.scheduling.first_come import FirstComeFirstServed
from meshgui.engine.scheduling.largest_job import LargestJobFirst
from meshgui.engine.scheduling.last_come import LastComeFirstServed
from meshgui.engine.scheduling.out_of_order import OutOfOrder
from meshgui.engine.scheduling.shortest_demand import ShortestServiceDemand
from meshgui.engine.scheduling.smallest_job import SmallestJobFirst

GROUP = "meshgui.disciplines"

_KINDS: tuple[type[Discipline], ...] = (  # as menus list them
    FirstComeFirstServed,
    ShortestServiceDemand,
    OutOfOrder,
    EasyBackfilling,
    SmallestJobFirst,
    LargestJobFirst,
    LastComeFirstServed,
)
_STATED: Final[dict[str, Check]] = {
    "id": ID,
    "title": TITLE,
    **dict.fromkeys(("plans", "ranks_by_service", "by_arrival"), TRUTH),
    "serving": Check(
        tr("Serving.HEAD, Serving.EVERY or Serving.EASY"),
        lambda value: isinstance(value, Serving) and value != Serving.OWN,
    ),
    "options_model": subclass_of(DisciplineOptions),
}
_OWN = {cls.id: cls for cls in _KINDS}


@cache
def disciplines() -> Plugins[Discipline]:
    """Every discipline by its id: the project's own first, then third-party ones in order of id."""
    usable = partial(usable_class, base=Discipline, stated=_STATED, error=DisciplineError)  # type: ignore[type-abstract]
    return find_plugins(GROUP, tr("discipline"), _OWN, usable, DisciplineError)


def discipline(name: str) -> type[Discipline]:
    """The discipline of that id; one of the project's own without a search for others."""
    return _OWN.get(name) or disciplines().named(name, tr("scheduler"), DisciplineError)
