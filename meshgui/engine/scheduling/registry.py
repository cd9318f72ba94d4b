"""Finds the queue disciplines: the project's own, and third-party ones by their entry points."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint

from meshgui.engine.basics.kinds import Serving
from meshgui.engine.basics.plugins import Plugins, failure, find_plugins, home_of, load_class
from meshgui.engine.basics.translation import tr
from meshgui.engine.scheduling.base import Discipline, DisciplineError, DisciplineOptions
from meshgui.engine.scheduling.easy_backfilling import EasyBackfilling
from meshgui.engine.scheduling.first_come import FirstComeFirstServed
from meshgui.engine.scheduling.largest_job import LargestJobFirst
from meshgui.engine.scheduling.last_come import LastComeFirstServed
from meshgui.engine.scheduling.out_of_order import OutOfOrder
from meshgui.engine.scheduling.shortest_demand import ShortestServiceDemand
from meshgui.engine.scheduling.smallest_job import SmallestJobFirst

__all__ = ["GROUP", "discipline", "disciplines"]

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
_OWN = {cls.id: cls for cls in _KINDS}


@cache
def disciplines() -> Plugins[Discipline]:
    """Every discipline by its id: the project's own first, then third-party ones in order of id."""
    return find_plugins(GROUP, tr("discipline"), _OWN, _load, DisciplineError)


def discipline(name: str) -> type[Discipline]:
    """The discipline of that id; one of the project's own without a search for others."""
    return _OWN.get(name) or disciplines().named(name, tr("scheduler"), DisciplineError)


def _load(point: EntryPoint, name: str) -> type[Discipline]:
    """A third party's class; a DisciplineError if it cannot be used."""
    cls = load_class(point, name, Discipline, DisciplineError)  # type: ignore[type-abstract]
    for flag in ("plans", "ranks_by_service"):
        if not isinstance(said := getattr(cls, flag), bool):
            raise DisciplineError(
                tr("{name} cannot be used: {flag}: expected true or false, got {said!r}").format(
                    name=name, flag=flag, said=said
                )
            )
    serving: object = cls.serving
    if not isinstance(serving, Serving) or serving == Serving.OWN:
        raise _misfit(name, tr("serving: expected Serving.HEAD, Serving.EVERY or Serving.EASY"), serving)
    model: object = cls.options_model
    if not isinstance(model, type) or not issubclass(model, DisciplineOptions):
        raise _misfit(name, tr("options_model: expected a subclass of DisciplineOptions"), model)
    try:
        model.model_json_schema()
    except Exception as error:
        fault = failure(name, tr("describing its options"), error, home=home_of(point))
        raise DisciplineError(fault) from error
    return cls


def _misfit(name: str, wanted: str, got: object) -> DisciplineError:
    return DisciplineError(
        tr("{name} cannot be used: {wanted}, got {model!r}").format(name=name, wanted=wanted, model=got)
    )
