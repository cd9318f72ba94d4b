"""Finds the loads: the project's own, and third-party ones by their entry points."""

from __future__ import annotations

from functools import cache, partial
from typing import Final

from meshgui.engine.basics.plugin_classes import ID, TITLE, find_plugins, usable_class
from meshgui.engine.basics.plugins import Plugins
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.loads.base import Load, LoadError
from meshgui.engine.network.loads.own import OWN

GROUP: Final = "meshgui.loads"


@cache
def loads() -> Plugins[Load]:
    """Every load by its id: the project's own first, then third-party ones in order of id."""
    usable = partial(usable_class, base=Load, stated={"id": ID, "title": TITLE}, error=LoadError)  # type: ignore[type-abstract]
    return find_plugins(GROUP, tr("load"), OWN, usable, LoadError)


def load(name: str) -> type[Load]:
    """The load of that id."""
    return loads().named(name, tr("load"), LoadError)
