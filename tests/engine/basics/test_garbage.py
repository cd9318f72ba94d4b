"""Blocks in which much is made that stays."""

import gc

from meshgui.engine.basics.garbage import growing, is_growing


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
