"""Third parties' disciplines."""

import pytest

from meshgui.engine.scheduling.registry import GROUP, disciplines
from tests.engine.scheduling.third_party import Ageing


@pytest.fixture
def install(offer):
    """Install disciplines by name."""
    return lambda **points: offer(GROUP, disciplines, points)


@pytest.fixture
def ageing(install):
    """Have the ageing discipline installed."""
    install(ageing=Ageing)
