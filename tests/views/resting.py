"""Whether a worker rests until it is woken: however long one looked, nothing more would come of it."""

import threading
from collections.abc import Callable
from types import SimpleNamespace

import pytest


@pytest.fixture
def resting(monkeypatch: pytest.MonkeyPatch) -> Callable[[], bool]:
    """Whether a worker of experiments, of published results or of previews waits to be woken."""
    waits: list[threading.Condition] = []

    class CountedWaits(threading.Condition):
        def wait(self, timeout: float | None = None) -> bool:
            waits.append(self)
            try:
                return super().wait(timeout)
            finally:
                waits.remove(self)

    for module in ("batch.store_worker", "experiment.live"):
        monkeypatch.setattr(f"meshgui.views.{module}.threading", SimpleNamespace(Condition=CountedWaits))
    return lambda: bool(waits)
