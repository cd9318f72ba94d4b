"""Third-party disciplines are gone again after each test."""

import pytest

from meshgui.engine.scheduling.registry import disciplines
from tests.engine.scheduling.third_party import Ageing, offer


@pytest.fixture
def install(monkeypatch):
    """Install disciplines by name."""
    yield lambda **points: offer(monkeypatch, **points)
    monkeypatch.undo()
    disciplines.cache_clear()


@pytest.fixture
def ageing(install):
    """Have the ageing discipline installed."""
    install(ageing=Ageing)
