"""Blocks in which much is made that stays, and modules that are loaded without a search for garbage."""

import gc

import pytest

from meshgui.engine.basics.garbage import growing, is_growing, loading


def test_no_garbage_is_looked_for_until_the_last_of_several_blocks_ends():
    """Python's collector is as it was only after all of them, on or off."""
    was = gc.isenabled()
    gc.enable()
    try:
        first, second = growing(), growing()
        first.__enter__()
        second.__enter__()
        first.__exit__(None, None, None)
        assert is_growing()
        assert not gc.isenabled()
        second.__exit__(None, None, None)
        assert not is_growing()
        assert gc.isenabled()
    finally:
        (gc.enable if was else gc.disable)()
    was = gc.isenabled()
    gc.disable()
    try:
        with growing():
            assert is_growing()
        assert not gc.isenabled()
    finally:
        (gc.enable if was else gc.disable)()


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
    """Enough new objects for Python to look for garbage."""
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
    searches.clear()
    known = gc.get_freeze_count()
    with loading():
        loaded = enough_for_a_search()
    assert not gc.isenabled()
    assert gc.get_freeze_count() <= known
    assert searches == []
    assert loaded
