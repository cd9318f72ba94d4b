"""Finds the loads: the project's own, and third-party ones by their entry points."""

from __future__ import annotations

from functools import cache, partial
from typing import Final

from meshgui.engine.basics.plugin_classes import ID, TITLE, find_plugins, usable_class
from meshgui.engine.basics.plugins import Plugins
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.loads.base import Load, LoadError
from meshgui.engine.network.loads.bit_complement import BitComplement
from meshgui.engine.network.loads.bit_reverse import BitReverse
from meshgui.engine.network.loads.hot_spot import HotSpot
from meshgui.engine.network.loads.neighbour import Neighbour
from meshgui.engine.network.loads.shuffle import Shuffle
from meshgui.engine.network.loads.tornado import Tornado
from meshgui.engine.network.loads.transpose import Transpose
from meshgui.engine.network.loads.uniform import Uniform

GROUP: Final = "meshgui.loads"
OWN: Final = (Uniform, Transpose, BitComplement, BitReverse, Shuffle, Tornado, Neighbour, HotSpot)


@cache
def loads() -> Plugins[Load]:
    """Every load by its id: the project's own first, then third-party ones in order of id."""
    usable = partial(usable_class, base=Load, stated={"id": ID, "title": TITLE}, error=LoadError)  # type: ignore[type-abstract]
    return find_plugins(GROUP, tr("load"), {cls.id: cls for cls in OWN}, usable, LoadError)


def load(name: str) -> type[Load]:
    """The load of that id."""
    return loads().named(name, tr("load"), LoadError)
