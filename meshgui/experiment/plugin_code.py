"""Identifies the code of third-party classes, so that results of other code are not taken for theirs.

The sources of a class are the Python and extension files of the package or module that it is in, and of those
which these import and which no other distribution has installed. Of other distributions the name and version
count, but not of the packages that the engine itself works with.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES
from importlib.metadata import (
    Distribution,
    EntryPoint,
    PackageNotFoundError,
    distribution,
    packages_distributions,
)
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from meshgui.engine.basics.plugins import Plugins

_PASSED_OVER: Final = {"meshgui", "numpy", "numba", "pydantic", *sys.stdlib_module_names}
_SUFFIXES: Final = (*SOURCE_SUFFIXES, *EXTENSION_SUFFIXES)
_DIGITS: Final = 16  # of the digest


_codes: dict[tuple[EntryPoint, float], str] = {}  # by when they were loaded


def code_in(plugins: Plugins[Any], name: str) -> str:
    """The code of a third party's class among others; empty for one of the project's own."""
    if name in plugins.registered:
        return plugins.registered[name]
    if name not in plugins.points:
        return ""
    point, loaded = plugins.points[name], plugins.loaded
    if (point, loaded) not in _codes:
        _codes[point, loaded] = code_of(point, plugins[name], loaded)
    return _codes[point, loaded]


def code_of(point: EntryPoint, cls: type[object], loaded: float) -> str:
    """What the code of a class is, on one line: its distribution, a digest of its sources, what it imports.

    The line is the same in every language, as results are kept under it. `loaded` is the time when the class
    was loaded: of a source edited since, nobody knows what it was.
    """
    own = point.dist
    left = sorted({point.module.partition(".")[0], cls.__module__.partition(".")[0]})
    known, sources, others = {*left, *_PASSED_OVER}, dict[str, Path](), set[str]()
    while left:
        found = dict(_files(left.pop()))
        sources |= found
        imported = {name for path in found.values() for name in _imports(path)} - known
        known |= imported
        for name in sorted(imported):
            other = _installed_by(name, own)
            if other is None:
                left.append(name)
            else:
                others.add(_versioned(other))
    digest = sha256()
    for name, path in sorted(sources.items()):
        content = path.read_bytes()
        digest.update(f"{name} {len(content)} ".encode() + content)
    parts = [f"sources {digest.hexdigest()[:_DIGITS]}", *sorted(others)]  # untranslated: a key
    if any(path.stat().st_mtime > loaded for path in sources.values()):
        parts.append("edited since it was loaded")  # untranslated: a key
    code = "; ".join(parts)
    return code if own is None else f"{_versioned(own)} ({code})"


def _files(name: str) -> Iterator[tuple[str, Path]]:
    """The files of a package or module by names that are the same on every machine."""
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        return
    if spec is None:
        return
    for folder in map(Path, spec.submodule_search_locations or ()):
        for path in folder.rglob("*"):
            if path.name.endswith(_SUFFIXES):
                yield f"{name}/{path.relative_to(folder).as_posix()}", path
    if spec.submodule_search_locations is None and (path := Path(spec.origin or "")).is_file():
        yield path.name, path


def _imports(path: Path) -> set[str]:
    """The packages and modules that a file imports, wherever in it; its own package aside."""
    return set() if path.suffix not in SOURCE_SUFFIXES else _imports_in(path.read_bytes())


@cache
def _imports_in(source: bytes) -> set[str]:
    try:
        nodes = [*ast.walk(ast.parse(source))]
    except (SyntaxError, ValueError):
        return set()
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and not node.level]
    return {name.partition(".")[0] for name in names}


def _installed_by(name: str, own: Distribution | None) -> Distribution | None:
    """The other distribution that has installed a package or module; None where it lies elsewhere.

    So it does where the distribution is installed to be edited: its version says nothing then.
    """
    for each in _distributions().get(name, ()):
        try:
            found = distribution(each)
        except PackageNotFoundError:  # its folder is not called what its metadata say
            continue
        if own is not None and found.name == own.name:
            return None
        folder = Path(str(found.locate_file("")))
        if all(path.is_relative_to(folder) for _, path in _files(name)):
            return found
    return None


@cache
def _distributions() -> dict[str, list[str]]:
    return dict(packages_distributions())


def _versioned(one: Distribution) -> str:
    return f"{one.name} {one.version}"
