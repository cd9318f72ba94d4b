"""The house has rooms: no file lies outside of one, and each says what happens there."""

import ast
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.kernel_cache import _ByContent
from tests.sources import HOUSE, SOURCES, tree_of
from tests.tools import tool

DRAWING = tool("draw_house")
ROOMS = [file.parent for file in SOURCES if file.name == "__init__.py" and file.parent != HOUSE]


@pytest.fixture(scope="module")
def rooms():
    """The rooms that are there, with what they import."""
    return DRAWING.house()


def test_no_file_lies_at_the_top_of_the_views():
    """A new view goes into the room of its feature; the docstring of each package is one line."""
    assert [file.name for file in (HOUSE / "views").glob("*.py")] == ["__init__.py"]
    for room in ROOMS:
        words = ast.get_docstring(tree_of(room / "__init__.py"))
        assert words, room
        assert "\n" not in words, room


def test_the_tests_mirror_the_rooms():
    """Every room has its folder of tests, and every folder in those of the house is a room's."""
    tests = Path(__file__).parent
    rooms = {room.relative_to(HOUSE) for room in ROOMS if [*room.glob("*.py")] != [room / "__init__.py"]}
    assert [room for room in sorted(rooms) if not [*(tests / room).rglob("test_*.py")]] == []
    for part in {room.parts[0] for room in rooms if room.parts}:
        for folder in (tests / part).rglob("*"):
            if folder.is_dir() and folder.name != "__pycache__":
                assert (HOUSE / folder.relative_to(tests)).is_dir(), folder


def test_the_drawing_has_the_rooms_and_arrows_that_are_there(rooms):
    """`make house` draws them again; each room stands on those below."""
    page = DRAWING.PAGE.read_text(encoding="utf-8")
    drawn = {}
    for row in page.splitlines():
        if row.startswith("| ") and "`" in row:
            _, name, *_, imports = (cell.strip() for cell in row.strip("|").split("|"))
            drawn[name.strip("`")] = frozenset(imports.replace("`", "").replace("–", "").split(", ")) - {""}
    assert drawn == DRAWING.arrows_of(rooms), "run `make house`"
    assert DRAWING.circles(DRAWING.arrows_of(rooms)) == []


def test_circles_and_floors_of_a_drawing():
    """A room stands above those it imports, a circle on one floor; implied arrows are not drawn."""
    arrows = {name: frozenset(others) for name, others in {"a": "bc", "b": "cd", "c": "b", "d": ""}.items()}
    assert DRAWING.circles(arrows) == [["b", "c"]]
    assert DRAWING.floors(arrows) == {"a": 3, "b": 2, "c": 2, "d": 1}
    assert DRAWING.direct(DRAWING.condensed(arrows)) == [("a", "b"), ("b", "d")]
    direct = {name: frozenset(others) for name, others in {"a": "bc", "b": "c", "c": ""}.items()}
    assert DRAWING.direct(direct) == [("a", "b"), ("b", "c")]


class WithoutHints(ast.NodeTransformer):
    """Takes away what is imported for type checkers alone."""

    def visit_If(self, node: ast.If) -> ast.If | None:
        """Drop `if TYPE_CHECKING`."""
        return None if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" else node


def test_files_import_each_other_in_no_circle():
    """Inside a room and across rooms; a type hint may look back."""
    files = {DRAWING.module_of(file, HOUSE): file for file in SOURCES}
    arrows = {}
    for module, file in files.items():
        tree = WithoutHints().visit(ast.parse(file.read_text(encoding="utf-8")))
        arrows[module] = frozenset(DRAWING.imported(tree, module, frozenset(files))) - {module}
    assert DRAWING.circles(arrows) == []


# Called from outside: by disciplines and patterns of third parties, argparse, Numba and its cache of kernels,
# and by the programs and notebooks that use the library.
CALLED_FROM_OUTSIDE = {
    "reorder",
    "try_to_place",
    "coordinates",
    "print_help",
    "format_field",
    "_compile_core",
    "_optimize_final_module",
    "add_overload",
    *("to_pandas", "to_polars", "to_arrow", "to_parquet", "to_csv", "_repr_mimebundle_"),
} | {name for name in vars(_ByContent) if not name.startswith("__")}


def names_used(tree: ast.Module) -> Iterator[str]:
    """The names that a file reads, or has as texts, without those that it offers."""
    for statement in tree.body:
        if not isinstance(statement, ast.Assign) or ast.unparse(statement.targets[0]) != "__all__":
            for node in ast.walk(statement):
                for field in ("id", "attr", "arg", "value"):
                    if isinstance(name := getattr(node, field, None), str):
                        yield name


def test_no_function_is_there_for_the_tests_alone():
    """The program calls each, or what it is made of does: Qt, pydantic, and others by name."""
    trees = {file: tree_of(file) for file in (*SOURCES, *(HOUSE.parent / "tools").glob("*.py"))}
    used = set(chain.from_iterable(map(names_used, trees.values()))) | CALLED_FROM_OUTSIDE
    by_others = re.compile(r"__|[a-z]+[A-Z]|.*(validator|serializer)")
    unused = [
        f"{file.relative_to(HOUSE)}: {node.name}"
        for file, tree in trees.items()
        if file.is_relative_to(HOUSE)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name not in used
        if not any(map(by_others.match, [node.name, *map(ast.unparse, node.decorator_list)]))
    ]
    assert unused == []


def referred_to(tree: ast.Module, module: str) -> Iterator[tuple[str, str]]:
    """The names of modules that a file refers to, its own among them, each with its module."""
    modules = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for name in node.names:
                yield str(node.module), name.name
                modules[name.asname or name.name] = f"{node.module}.{name.name}"
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield module, node.id
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            yield modules[node.value.id], node.attr


def offered(tree: ast.Module) -> Iterator[str]:
    """The names at the top of a file, but for those that number a list."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def test_no_name_at_the_top_of_a_file_is_there_for_the_tests_alone():
    """The program refers to each, in its file or from another; an equal name elsewhere does not count."""
    files = {DRAWING.module_of(file, HOUSE): tree_of(file) for file in SOURCES}
    tools = {file.stem: tree_of(file) for file in (HOUSE.parent / "tools").glob("*.py")}
    used = set(chain.from_iterable(referred_to(tree, name) for name, tree in (files | tools).items()))
    # By registries, in a module that may not be loaded, and for packages of an earlier `meshgui.api`
    found = {("cli", "declare"), ("cli", "execute"), ("basics", "compiles")}
    found |= {("allocation", "OccupancyStrategy")}
    found |= {("allocation", cls.__name__) for cls in strategies().values()}
    unused = [
        f"{module}: {name}"
        for module, tree in files.items()
        for name in offered(tree)
        if (module, name) not in used and not name.startswith("__")
        if (module.split(".")[-2], name) not in found
    ]
    assert unused == []


def test_only_fronts_hand_on_the_names_of_other_files():
    """A name is imported from where it is made, but for those of the library and of scenarios."""
    fronts = {"__init__.py", "api.py", "conformance.py", "engine/scenario/__init__.py"}
    listing = {
        str(file.relative_to(HOUSE))
        for file in SOURCES
        for node in tree_of(file).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    }
    assert listing == fronts
