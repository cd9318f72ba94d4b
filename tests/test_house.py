"""The house has rooms: no file lies outside of one, and each says what happens there."""

import ast
from pathlib import Path

import meshgui

HOUSE = Path(meshgui.__file__).parent
ROOMS = sorted(file.parent for file in HOUSE.rglob("__init__.py") if file.parent != HOUSE)


def test_no_file_lies_at_the_top_of_the_views():
    """A new view goes into the room of its feature."""
    assert [file.name for file in (HOUSE / "views").glob("*.py")] == ["__init__.py"]


def test_every_room_says_in_one_line_what_happens_there():
    """The docstring of each package is one line."""
    for room in ROOMS:
        words = ast.get_docstring(ast.parse((room / "__init__.py").read_text("utf-8")))
        assert words, room
        assert "\n" not in words, room


def test_the_tests_mirror_the_rooms():
    """Whatever folder of tests names a part of the house, that part is there."""
    tests = Path(__file__).parent
    for part in ("views", "engine", "model", "cli", "experiment", "catalogue"):
        for folder in (tests / part).rglob("*"):
            if folder.is_dir() and folder.name != "__pycache__":
                assert (HOUSE / folder.relative_to(tests)).is_dir(), folder
