"""Loads Qt, and has Python import modules afterwards as it did before.

PySide takes the import statement's place and searches the source of every module imported from then on for
its name, as modules may ask for other names of Qt's methods: see `__feature__` in its documentation. No part
of the program does. Without the search the window comes up a twentieth earlier, and the sources do not stay
in memory.
"""

from __future__ import annotations

import builtins

import PySide6.QtCore  # noqa: F401 - its being loaded is what takes the place


def restore_imports() -> None:
    """Import modules as Python does, from now on and for the whole program."""
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
