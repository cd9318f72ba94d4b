"""Third parties' strategies, disciplines and patterns, which are gone again after each test."""

from importlib.metadata import EntryPoint

import pytest

from meshgui.engine.allocation.registry import GROUP, strategies
from meshgui.engine.basics import plugin_classes


@pytest.fixture
def offer(request, monkeypatch):
    """Offer things by name to a registry, as the entry points of an installed package would."""
    known = []

    def offered(group, registry, points):
        found = [EntryPoint(name, f"{request.module.__name__}:{name}", group) for name in points]
        monkeypatch.setattr(
            plugin_classes, "entry_points", lambda *, group: [p for p in found if p.group == group]
        )
        monkeypatch.setattr(EntryPoint, "load", lambda point: points[point.name])
        registry.cache_clear()
        known.append(registry)

    yield offered
    monkeypatch.undo()
    for registry in known:
        registry.cache_clear()


@pytest.fixture
def install(offer):
    """Install strategies by name."""
    return lambda **points: offer(GROUP, strategies, points)
