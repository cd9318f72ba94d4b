"""Digests what a kernel does: its own code, the values that it reads, and the same of everything it calls.

Comments, docstrings, and the place of files on the disk are no part of it, so checkouts and versions that
have a kernel in common can share its machine code. The types that a kernel is compiled for are kept as text,
named tuples with their fields.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from enum import Enum
from functools import cache
from opcode import opmap
from types import CodeType, FunctionType, ModuleType
from typing import Any, cast

import numpy as np

_RAISE = opmap["RAISE_VARARGS"]
_FORMAT = 3  # of what is kept, whose indexes alone are read


@cache
def fingerprint(function: FunctionType) -> str:
    """A digest of a function and of everything it calls."""
    seen: dict[FunctionType, None] = {function: None}
    digest = hashlib.sha256(f"{_FORMAT} {sys.implementation.cache_tag}".encode())
    for each in _callees(function, seen):
        digest.update(each.encode())
    return digest.hexdigest()[:32]


def _callees(function: FunctionType, seen: dict[FunctionType, None]) -> Iterator[str]:
    """A line for a function and for each global that it reads; functions among these follow once each."""
    yield f"{function.__module__}.{function.__qualname__} {function.__defaults__!r}"
    for part in _read(function):
        if isinstance(part, str):
            yield part
        elif part not in seen:
            seen[part] = None
            yield from _callees(part, seen)
        else:
            yield part.__qualname__


@cache
def _read(function: FunctionType) -> tuple[str | FunctionType, ...]:
    """What a function does and reads, a line each, and the functions among it.

    It is kept, as a hundred kernels call the same helpers.
    """
    parts: list[str | FunctionType] = []
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    for code in _codes(function.__code__):
        # Nested code has lines of its own, and docstrings do not count.
        constants = [
            sorted(map(repr, c)) if isinstance(c, frozenset) else c  # whose order hangs on the hash seed
            for c in code.co_consts
            if not isinstance(c, CodeType) and c != function.__doc__
        ]
        parts.append(f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {constants!r}")
        if _RAISE in code.co_code[::2]:  # its machine code names the line
            parts.append(f"{code.co_firstlineno} {code.co_linetable.hex()}")
        names = code.co_names
        read = [function.__globals__[name] for name in names if name in function.__globals__]
        modules = [value for value in read if isinstance(value, ModuleType)]
        members = [getattr(module, name) for module in modules for name in names if hasattr(module, name)]
        parts += [_function(value) or _described(value) for value in (*read, *members, *cells)]
    return tuple(parts)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _function(value: object) -> FunctionType | None:
    """The Python function behind a kernel, compiled or not."""
    inner = getattr(value, "python", None) or getattr(value, "py_func", None)
    return inner if isinstance(inner, FunctionType) else None


def _described(value: object) -> str:
    """The part of a global's value on which compiled code depends."""
    if isinstance(value, type):
        members = [(member.name, member.value) for member in value] if issubclass(value, Enum) else ()
        return f"{value.__module__}.{value.__qualname__} {getattr(value, '_fields', ())} {members}"
    if isinstance(value, np.ndarray | np.generic):  # whose repr leaves elements out
        return f"{value.dtype} {value.shape} {value.tobytes().hex()}"
    if isinstance(value, bool | int | float | complex | str | bytes | tuple | None):
        return repr(value)
    if type(value).__module__.startswith("numba.core.types"):
        return str(value)
    return getattr(value, "__qualname__", type(value).__qualname__)


def signature_text(types: object) -> str:
    """Types that a kernel is compiled for; in Numba's own keys are classes that may be gone by now."""
    if isinstance(types, tuple):
        return f"({', '.join(map(signature_text, types))})"
    fields = getattr(types, "fields", None)
    if not isinstance(fields, tuple):
        return str(types)
    kind = cast("Any", types)
    names = f"{kind.instance_class.__module__}.{kind.instance_class.__qualname__}{fields}"
    return names + signature_text(tuple(kind.types))
