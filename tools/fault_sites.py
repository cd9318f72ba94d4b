"""Lists the faults that can be seeded into a source file: one small change of its syntax tree each."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

__all__ = ["Fault", "faults_in", "with_fault"]

_COMPARED: Final = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_REVERSED: Final = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}
_COMPUTED: Final = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
_NAMED: Final = {
    "min": "max", "max": "min", "any": "all", "all": "any", "minimum": "maximum", "maximum": "minimum",
    "argmin": "argmax", "argmax": "argmin", "floor": "ceil", "ceil": "floor", "zeros": "ones",
    "ones": "zeros",
    "bisect_left": "bisect_right", "left": "right", "right": "left",
}  # fmt: skip
_NOT_LOOKED_AT: Final = (ast.JoinedStr, ast.Import, ast.ImportFrom)  # words for people, and names

_NOT_TESTED: Final = {"strict", "frozen", "slots", "eq", "maxsize", "kw_only"}  # checks of the code itself


class Fault(NamedTuple):
    """One change: where it is, and what becomes of what."""

    line: int
    words: str  # the function, its line, and what becomes of what: the same when lines above it change
    node: int  # among all nodes of the tree, as they are walked
    change: int  # among those that the node offers


Change = Callable[[ast.AST], ast.AST]


def faults_in(source: str) -> list[Fault]:
    """Every fault that can be seeded, in the order of the file."""
    tree, lines = ast.parse(source), source.splitlines()
    places = dict(_places(tree))
    found: list[Fault] = []
    times: Counter[str] = Counter()
    for number, node in enumerate(ast.walk(tree)):
        if number not in places or not isinstance(node, ast.expr | ast.stmt):
            continue
        for which, change in enumerate(_changes(node)):
            after = change(copy.deepcopy(node))
            line = lines[node.lineno - 1].strip()
            words = f"{places[number]}: {line}: {_short(node)} → {_short(after)}"
            times[words] += 1
            again = f" ({times[words]})" if times[words] > 1 else ""
            found.append(Fault(node.lineno, words + again, number, which))
    return sorted(found, key=lambda fault: (fault.line, fault.node, fault.change))


def with_fault(source: str, fault: Fault) -> ast.Module:
    """The tree of the file with one fault in it."""
    tree = ast.parse(source)
    for number, node in enumerate(ast.walk(tree)):
        if number == fault.node:
            changed = _changes(node)[fault.change](copy.deepcopy(node))
            _replace(tree, node, ast.copy_location(changed, node))
            return ast.fix_missing_locations(tree)
    raise ValueError(f"there is no node {fault.node}")


def _places(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The nodes that may be changed, by number, and the function in which each is."""
    numbers = {id(node): number for number, node in enumerate(ast.walk(tree))}

    def enter(node: ast.AST, place: str) -> Iterator[tuple[int, str]]:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            place = f"{place}.{node.name}" if place else node.name
        for name, value in ast.iter_fields(node):
            if name in {"annotation", "returns", "decorator_list", "bases", "type_params"}:
                continue
            for child in value if isinstance(value, list) else [value]:
                if not isinstance(child, ast.AST) or isinstance(child, _NOT_LOOKED_AT):
                    continue
                if isinstance(child, ast.keyword) and child.arg in _NOT_TESTED:
                    continue
                if not place and isinstance(child, ast.BinOp) and isinstance(child.op, ast.BitOr):
                    continue  # a union of types
                if hasattr(child, "lineno"):
                    yield numbers[id(child)], place or "module"
                yield from enter(child, place)

    return enter(tree, "")


def _changes(node: ast.AST) -> list[Change]:
    """What can be done to a node."""
    match node:
        case ast.Compare(ops=[op]):
            return [_compare(to[type(op)]) for to in (_COMPARED, _REVERSED) if type(op) in to]
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in _COMPUTED:
            changes = [_set(op=_COMPUTED[type(op)]())]
            return [*changes, _nothing] if isinstance(node, ast.AugAssign) else changes
        case ast.BoolOp(op=op):
            return [_set(op=ast.And() if isinstance(op, ast.Or) else ast.Or())]
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            return [lambda _: copy.deepcopy(operand)]
        case ast.Constant(value=bool() as value):
            return [_set(value=not value)]
        case ast.Constant(value=int() | float() as value):
            return [_set(value=value + 1)]
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            return [] if isinstance(test, ast.Compare | ast.UnaryOp) else [_set(test=_negated(test))]
        case ast.Name(id=name, ctx=ast.Load()) if name in _NAMED:
            return [_set(id=_NAMED[name])]
        case ast.Attribute(attr=name, ctx=ast.Load()) if name in _NAMED:
            return [_set(attr=_NAMED[name])]
        case ast.Expr(value=ast.Call()) | ast.Raise():
            return [_nothing]
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            return [_nothing]
        case ast.Continue():
            return [lambda _: ast.Break()]
        case ast.Break():
            return [lambda _: ast.Continue()]
        case _:
            return []


def _compare(op: type[ast.cmpop]) -> Change:
    return _set(ops=[op()])


def _set(**fields: object) -> Change:
    """The same node with other fields."""

    def change(node: ast.AST) -> ast.AST:
        for name, value in fields.items():
            setattr(node, name, value)
        return node

    return change


def _negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), copy.deepcopy(test))


def _nothing(_: ast.AST) -> ast.AST:
    return ast.Pass()


def _replace(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
            elif isinstance(value, list):
                value[:] = [new if child is old else child for child in value]


def _short(node: ast.AST) -> str:
    """A node on one line; of a statement with others below it, its head."""
    text = ast.unparse(ast.fix_missing_locations(copy.deepcopy(node))).splitlines()[0]
    return text if len(text) <= 70 else f"{text[:69]}…"
