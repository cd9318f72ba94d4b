"""The kinds of classes that packages add: strategies, queue disciplines and patterns of communication."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from inspect import isabstract
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeVar

from meshgui.engine.allocation import registry as allocation
from meshgui.engine.allocation.base import Strategy
from meshgui.engine.basics.files import os_fault, require_plain
from meshgui.engine.basics.guard import StrategyError, call, long_calls
from meshgui.engine.basics.nearest import nearest
from meshgui.engine.basics.plugins import Plugins
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import shortened
from meshgui.engine.network.patterns import registry as patterns
from meshgui.engine.network.patterns.base import Pattern, PatternError
from meshgui.engine.scheduling import registry as scheduling
from meshgui.engine.scheduling.base import Discipline, DisciplineError

C = TypeVar("C")


@dataclass(frozen=True)
class PluginKind:
    """One of them."""

    word: str  # on the command line
    title: str
    group: str  # of entry points
    base: type[Any]
    known: Callable[[], Plugins[Any]]
    checked: Callable[[object, str], type[Any]]


KINDS: Final = (
    PluginKind(
        "strategy", tr("strategy"), allocation.GROUP, Strategy, allocation.strategies, allocation.checked
    ),
    PluginKind(
        "discipline",
        tr("discipline"),
        scheduling.GROUP,
        Discipline,
        scheduling.disciplines,
        scheduling.checked,
    ),
    PluginKind("pattern", tr("pattern"), patterns.GROUP, Pattern, patterns.patterns, patterns.checked),
)
WORDS: Final = tuple(kind.word for kind in KINDS)
FAULTS: Final = (StrategyError, DisciplineError, PatternError)
"""What a class that cannot be used is refused with."""


def kind_called(word: str) -> PluginKind:
    """The kind of that word."""
    return next(kind for kind in KINDS if kind.word == word)


def plugin_called(name: str, wanted: str | None) -> tuple[PluginKind, type[Any]]:
    """The class of that id, of the kind wanted or of the first that has it; a fault if there is none."""
    kinds = KINDS if wanted is None else (kind_called(wanted),)
    for kind in kinds:
        if name in kind.known():
            return kind, kind.known()[name]
    for kind in kinds:
        if reason := kind.known().reason(name):
            raise StrategyError(reason)
    called = tr("no {kind} is called {name}").format(kind=kinds[0].title, name=shortened(name))
    if len(kinds) > 1:
        called = tr("no strategy, discipline or pattern is called {name}").format(name=shortened(name))
    ids = list(dict.fromkeys(known for kind in kinds for known in kind.known()))
    near = nearest(name, ids) or tr(": expected one of {ids}").format(ids=", ".join(ids))
    raise StrategyError(called + near)


def plugins_in(path: Path, wanted: str | None) -> list[tuple[PluginKind, type[Any]]]:
    """The classes of a Python file, of all kinds or of one; a fault where one cannot be used, or none is."""
    module = _load_file(path)
    kinds = KINDS if wanted is None else (kind_called(wanted),)
    found = [(kind, cls) for kind in kinds for cls in _classes_of(module, kind.base)]
    if not found:
        said = tr("{name}: expected a class of {bases} with all its methods")
        *others, bases = (kind.base.__name__ for kind in kinds)
        if others:
            bases = tr("{others} or {last}").format(others=", ".join(others), last=bases)
        raise StrategyError(said.format(name=_name_of(path), bases=bases))
    with long_calls():
        return [
            (kind, kind.checked(cls, tr("{name} in {path}").format(name=cls.__name__, path=path)))
            for kind, cls in found
        ]


def _load_file(path: Path) -> ModuleType:
    """The module in a file; a StrategyError where it cannot be loaded."""
    name = _name_of(path)
    if not path.exists():
        raise StrategyError(tr("{name}: there is no such file").format(name=name))
    try:
        require_plain(path)
    except OSError as error:
        raise StrategyError(f"{name}: {os_fault(error)}") from None
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise StrategyError(tr("{name}: expected a Python file").format(name=name))
    module = module_from_spec(spec)
    sys.modules[path.stem] = module  # kernels and options look for what they name there
    sys.path.insert(0, str(path.parent.absolute()))
    with long_calls():
        call(name, tr("being loaded"), partial(spec.loader.exec_module, module), home=path.stem)
    return module


def _name_of(path: Path) -> str:
    """What errors call such a file."""
    return tr("the file {path}").format(path=path)


def _classes_of(module: ModuleType, base: type[C]) -> list[type[C]]:
    """The classes that a module defines itself and that have all methods of a base."""
    return [
        thing
        for thing in vars(module).values()
        if isinstance(thing, type)
        and issubclass(thing, base)
        and not isabstract(thing)
        and thing.__module__ == module.__name__
    ]


@contextmanager
def offered(known: Plugins[Any], cls: type[Any]) -> Iterator[None]:
    """A block in which scenarios can name a class."""
    before = known.get(cls.id)
    known[cls.id] = cls
    try:
        yield
    finally:
        if before is None:
            del known[cls.id]
        else:
            known[cls.id] = before
