"""The bound of memory: half of the machine, or what the user says; a run that passes it ends with a line."""

import os

import numpy as np
import pytest

from meshgui.engine.basics import memory
from meshgui.engine.basics.memory import MemoryBoundError, memory_bound, require, share_among


def test_half_of_the_machine_is_the_bound(monkeypatch: pytest.MonkeyPatch):
    """Unless the user says otherwise, in gigabytes."""
    monkeypatch.delenv("MESHGUI_MEMORY_GB", raising=False)
    assert 0 < memory_bound() <= os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    monkeypatch.setenv("MESHGUI_MEMORY_GB", "1.5")
    assert memory_bound() == 3 << 29


@pytest.mark.parametrize("given", ["many", "0", "-1", "nan", "inf", "1e300", "9" * 5000])
def test_another_bound_than_a_number_is_said(monkeypatch: pytest.MonkeyPatch, given: str):
    """In one short line."""
    monkeypatch.setenv("MESHGUI_MEMORY_GB", given)
    with pytest.raises(MemoryBoundError, match="expected a number of gigabytes above 0") as said:
        memory_bound()
    assert len(str(said.value)) < 120


def test_what_is_held_counts(monkeypatch: pytest.MonkeyPatch):
    """Memory that is really used, not what was only asked for; and what is about to be asked for."""
    held = np.ones(1 << 24)
    monkeypatch.setenv("MESHGUI_MEMORY_GB", "0.05")
    with pytest.raises(MemoryBoundError, match=r"more than the 0.05 GB of memory"):
        require(0)
    assert held.nbytes > 0.05 * 2**30
    monkeypatch.setenv("MESHGUI_MEMORY_GB", "20")
    require(0)
    with pytest.raises(MemoryBoundError):
        require(20 << 30)


def test_workers_share_the_bound_and_a_watch_looks_again_only_after_a_while(monkeypatch: pytest.MonkeyPatch):
    """Four may take a quarter each; looking costs little, and need not be done for each event."""
    monkeypatch.setenv("MESHGUI_MEMORY_GB", "2")
    share_among(4)
    assert memory_bound() == 1 << 29
    now, looks = [0.0], []
    monkeypatch.setattr(memory, "monotonic", lambda: now[0])
    monkeypatch.setattr(memory, "require", looks.append)
    watch = memory.MemoryWatch()
    for now[0] in (0.0, 0.05, 0.1, 0.3, 0.35):
        watch.look()
    assert len(looks) == 2
