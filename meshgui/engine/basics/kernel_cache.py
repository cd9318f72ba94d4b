"""Keys Numba's cache on disk by what a kernel does: its own code, and that of everything it calls.

Numba knows a cached kernel by its file's time and size, so an edit of a helper in another file silently
keeps the old machine code. Here the key is a digest of the bytecode, of the values of the globals that it
reads, and of the same for every kernel among these. The types that it is compiled for are kept as text, named
tuples with their fields. Checkouts and versions can therefore share one folder.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Protocol, cast

import numpy as np

__all__ = ["fingerprint", "keep_by_content"]

_FORMAT = 3  # of what is kept, whose indexes alone are read
Function = Callable[..., Any]


class Locator(Protocol):
    """Where Numba keeps a function."""

    def get_cache_path(self) -> str:
        """The folder."""

    def ensure_cache_path(self) -> None:
        """Create the folder, or raise OSError."""


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
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    for code in _codes(function.__code__):
        # Nested code has lines of its own, and docstrings do not count.
        constants = [
            sorted(map(repr, c)) if isinstance(c, frozenset) else c  # whose order hangs on the hash seed
            for c in code.co_consts
            if not isinstance(c, CodeType) and c != function.__doc__
        ]
        yield f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {constants!r}"
        names = code.co_names
        read = [function.__globals__[name] for name in names if name in function.__globals__]
        modules = [value for value in read if isinstance(value, ModuleType)]
        members = [getattr(module, name) for module in modules for name in names if hasattr(module, name)]
        for value in (*read, *members, *cells):
            inner = _function(value)
            if inner is None:
                yield _described(value)
            elif inner not in seen:
                seen[inner] = None
                yield from _callees(inner, seen)
            else:
                yield inner.__qualname__


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


def _signature(types: object) -> str:
    """Types that a kernel is compiled for; in Numba's own keys are classes that may be gone by now."""
    if isinstance(types, tuple):
        return f"({', '.join(map(_signature, types))})"
    fields = getattr(types, "fields", None)
    if not isinstance(fields, tuple):
        return str(types)
    kind = cast("Any", types)
    names = f"{kind.instance_class.__module__}.{kind.instance_class.__qualname__}{fields}"
    return names + _signature(tuple(kind.types))


_ours: set[Function] = set()


def keep_by_content(function: Function) -> None:
    """Have Numba keep this function's machine code under its fingerprint; foreign ones stay as before."""
    if not _ours:
        _add_locator()
        _key_by_text()
    _ours.add(function)


def _add_locator() -> None:
    from numba.core import config  # noqa: PLC0415 - importing Numba costs half a second
    from numba.core.caching import FunctionCache  # noqa: PLC0415

    # Numba's own setting for this holds for the whole process, with foreign functions in it.
    locators = FunctionCache._impl_class._locator_classes  # noqa: SLF001
    standard: tuple[Any, ...] = tuple(locators)

    def folder() -> str:
        chosen: str = config.CACHE_DIR  # type: ignore[attr-defined]  # set when Numba is imported
        return chosen

    class ByContent:
        """A cache in Numba's folder, or directly in NUMBA_CACHE_DIR, with the key in its file names."""

        def __init__(self, lies: Locator, key: str) -> None:
            self._lies = lies
            self._key = key

        @classmethod
        def from_function(cls, function: Function, file: str) -> ByContent | None:
            if function not in _ours:
                return None
            found = (locator.from_function(function, file) for locator in standard)
            lies = next((locator for locator in found if locator is not None), None)
            return None if lies is None else cls(lies, fingerprint(cast("FunctionType", function)))

        def get_cache_path(self) -> str:
            return folder() or self._lies.get_cache_path()

        def ensure_cache_path(self) -> None:
            if folder():
                Path(folder()).mkdir(parents=True, exist_ok=True)
            else:
                self._lies.ensure_cache_path()

        def get_source_stamp(self) -> str:
            return self._key

        def get_disambiguator(self) -> str:
            return self._key

    locators.insert(0, ByContent)


def _key_by_text() -> None:
    from numba.core.caching import FunctionCache  # noqa: PLC0415 - importing Numba costs half a second

    standard: Any = FunctionCache._index_key  # noqa: SLF001

    def key(cache: Any, types: Any, codegen: Any) -> object:  # noqa: ANN401 - of Numba
        if cache._py_func not in _ours:  # noqa: SLF001
            return standard(cache, types, codegen)
        return _signature(types), codegen.magic_tuple()

    FunctionCache._index_key = key  # type: ignore[method-assign]  # noqa: SLF001
