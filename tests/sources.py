"""The source files of the program, each parsed once."""

import ast
from functools import cache
from pathlib import Path

import meshgui

__all__ = ["HOUSE", "SOURCES", "tree_of"]

HOUSE = Path(meshgui.__file__).parent
SOURCES = sorted(HOUSE.rglob("*.py"))


@cache
def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))
