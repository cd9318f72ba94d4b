"""The house has rooms: no file lies outside of one, and each says what happens there."""

import ast
from pathlib import Path

import pytest

import meshgui
from tests.tools import tool

HOUSE = Path(meshgui.__file__).parent
DRAWING = tool("draw_house")
ROOMS = sorted(file.parent for file in HOUSE.rglob("__init__.py") if file.parent != HOUSE)


@pytest.fixture(scope="module")
def rooms():
    """The rooms that are there, with what they import."""
    return DRAWING.house()


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


def test_the_drawing_has_the_rooms_and_arrows_that_are_there(rooms):
    """`make house` draws them anew; lines and files may be those of some commits ago."""
    page = DRAWING.PAGE.read_text(encoding="utf-8")
    drawn = {}
    for row in page.splitlines():
        if row.startswith("| ") and "`" in row:
            _, name, *_, imports = (cell.strip() for cell in row.strip("|").split("|"))
            drawn[name.strip("`")] = frozenset(imports.replace("`", "").replace("–", "").split(", ")) - {""}
    assert drawn == DRAWING.arrows_of(rooms), "run `make house`"


def test_the_rooms_import_each_other_in_no_circle(rooms):
    """From the engine to the window, each room stands on those below."""
    assert DRAWING.circles(DRAWING.arrows_of(rooms)) == []


def test_circles_and_floors_of_a_drawing():
    """A room stands above those it imports, a circle on one floor; implied arrows are not drawn."""
    arrows = {"a": {"b", "c"}, "b": {"c", "d"}, "c": {"b"}, "d": set()}
    arrows = {name: frozenset(others) for name, others in arrows.items()}
    assert DRAWING.circles(arrows) == [["b", "c"]]
    assert DRAWING.floors(arrows) == {"a": 3, "b": 2, "c": 2, "d": 1}
    assert DRAWING.direct(DRAWING.condensed(arrows)) == [("a", "b"), ("b", "d")]
    assert DRAWING.direct(
        {name: frozenset(others) for name, others in {"a": "bc", "b": "c", "c": ""}.items()}
    ) == [
        ("a", "b"),
        ("b", "c"),
    ]


class WithoutHints(ast.NodeTransformer):
    """Takes away what is imported for type checkers alone."""

    def visit_If(self, node: ast.If) -> ast.If | None:
        """Drop `if TYPE_CHECKING`."""
        return None if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" else node


def test_files_import_each_other_in_no_circle():
    """Inside a room and across rooms; a type hint may look back."""
    files = {DRAWING.module_of(file, HOUSE): file for file in HOUSE.rglob("*.py")}
    arrows = {}
    for module, file in files.items():
        tree = WithoutHints().visit(ast.parse(file.read_text(encoding="utf-8")))
        arrows[module] = frozenset(DRAWING.imported(tree, module, frozenset(files))) - {module}
    assert DRAWING.circles(arrows) == []
