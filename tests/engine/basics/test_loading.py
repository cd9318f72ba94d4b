"""Modules are loaded without a search for garbage, and left out of those to come."""

import gc

import pytest

from meshgui.engine.basics.garbage import loading


@pytest.fixture
def searches():
    """The searches for garbage that Python begins."""
    begun = []

    def note(phase, info):
        if phase == "start":
            begun.append(info["generation"])

    gc.callbacks.append(note)
    yield begun
    gc.callbacks.remove(note)
    gc.enable()


def enough_for_a_search():
    """So many new objects that Python would look for garbage."""
    return [[] for _ in range(2 * gc.get_threshold()[0])]


def test_nothing_is_searched_while_loading_and_who_searches_himself_goes_on_to(searches):
    """Nor is what was loaded later. Where Python's search is off, it stays off, and nothing is left out."""
    with loading():
        loaded = enough_for_a_search()
        assert searches == []
        known = gc.get_freeze_count()
    assert gc.isenabled()
    assert gc.get_freeze_count() >= known + len(loaded)
    made_since = enough_for_a_search()
    assert searches
    assert len(made_since) == len(loaded)
    gc.disable()
    known = gc.get_freeze_count()
    with loading():
        loaded = enough_for_a_search()
    assert not gc.isenabled()
    assert gc.get_freeze_count() <= known
    assert searches == []
    assert loaded
