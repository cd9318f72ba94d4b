"""Finds third-party classes by their entry points, and words their faults."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points
from inspect import isabstract
from pathlib import Path
from time import time
from traceback import walk_tb
from types import FrameType
from typing import NamedTuple, TypeVar

from meshgui.engine.basics.plugin_code import code_of
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import shortened

__all__ = [
    "Plugins",
    "UnusablePlugin",
    "failure",
    "find_plugins",
    "home_of",
    "is_own",
    "load_class",
    "package_of",
    "quoted",
    "skipped",
]

_LONGEST_MESSAGE = 300  # characters of an error: a compiler's may fill pages
# What a compiler's message has beside the fault: colours, what it was about to do, what it tried.
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_PHASE = "Failed in nopython mode pipeline (step: nopython frontend)"  # untranslated: of Numba
_CANDIDATES = re.compile(r" ?(There are \d+ candidate|During: |File \").*")
_PLACES = re.compile(r"During: [^()]* at (\S.*?) \((\d+)\)")


skipped: set[EntryPoint] = set()
"""Those that this process does not load, as they would end it."""

C = TypeVar("C")


class UnusablePlugin(NamedTuple):
    """A third-party class that cannot be used, and the reason to report."""

    name: str
    reason: str


class Plugins(dict[str, type[C]]):
    """Classes by their ids, and those that cannot be used."""

    unusable: tuple[UnusablePlugin, ...] = ()

    def __init__(self, own: Mapping[str, type[C]] | None = None) -> None:
        super().__init__(own or {})
        self._points: dict[str, EntryPoint] = {}
        self._codes: dict[str, str] = {}
        self._loaded = time()

    def add(self, name: str, cls: type[C], point: EntryPoint) -> None:
        """Take a third party's class, which was loaded after these were made."""
        self[name] = cls
        self._points[name] = point

    def code(self, name: str) -> str:
        """The code of a third party's class; empty for one of the project's own."""
        if name in self._points and name not in self._codes:
            self._codes[name] = code_of(self._points[name], self[name], self._loaded)
        return self._codes.get(name, "")

    def reason(self, name: str) -> str | None:
        """Why a class of that name cannot be used, if there is one."""
        return next((one.reason for one in self.unusable if one.name == name), None)

    def named(self, name: str, kind: str, error: type[Exception]) -> type[C]:
        """The class of that id; the error if there is none, with the reason or the ids that there are."""
        if name in self:
            return self[name]
        raise error(
            self.reason(name)
            or tr("no {kind} is called {name}: expected one of {ids}").format(
                kind=kind, name=shortened(name), ids=", ".join(self)
            )
        )


def find_plugins(
    group: str,
    kind: str,
    own: Mapping[str, type[C]],
    load: Callable[[EntryPoint, str], type[C]],
    error: type[Exception],
) -> Plugins[C]:
    """The project's own classes, then those of an entry-point group in order of id.

    `load` checks a class, and raises `error` with the reason why it cannot be used.
    """
    found = Plugins(own)
    loaded: list[tuple[str, str, type[C], EntryPoint]] = []
    unusable: list[UnusablePlugin] = []
    for point in sorted(entry_points(group=group), key=lambda point: (point.name, point.value)):
        if point in skipped:
            continue
        name = tr("the {kind} {point} ({entry})").format(kind=kind, point=point.name, entry=point.value)
        try:
            cls = load(point, name)
        except error as fault:
            unusable.append(UnusablePlugin(point.name, str(fault)))
        else:
            loaded.append((_id(cls), name, cls, point))
    called = Counter([*own, *(known for known, *_ in loaded)])
    for known, name, cls, point in sorted(loaded, key=lambda each: each[0]):
        if called[known] > 1:
            unusable.append(
                UnusablePlugin(
                    known,
                    tr("{name} has the id {known}, which is already taken").format(name=name, known=known),
                )
            )
        else:
            found.add(known, cls, point)
    found.unusable = tuple(sorted(unusable))
    return found


def load_class(point: EntryPoint, name: str, base: type[C], error: type[Exception]) -> type[C]:
    """A third party's class with an id and a title; the error with the reason if it is not of that base."""
    try:
        thing = point.load()
    except (Exception, SystemExit) as fault:
        raise error(failure(name, tr("being loaded"), fault, home=home_of(point))) from fault
    if not isinstance(thing, type) or not issubclass(thing, base) or isabstract(thing):
        missing = ", ".join(sorted(getattr(thing, "__abstractmethods__", ())))
        lacks = tr(": it lacks {missing}").format(missing=missing) if missing else ""
        raise error(tr("{name} is not a {base}{lacks}").format(name=name, base=base.__name__, lacks=lacks))
    for key in ("id", "title"):
        text = getattr(thing, key, None)
        if not isinstance(text, str) or not text or not text.isprintable():
            raise error(
                tr("{name} cannot be used: {key}: expected text, got {text!r}").format(
                    name=name, key=key, text=text
                )
            )
    if " " in _id(thing):
        raise error(
            tr("{name} cannot be used: id: expected one word, got {id!r}").format(name=name, id=_id(thing))
        )
    return thing


def home_of(point: EntryPoint) -> str:
    """The package that an entry point leads to."""
    return point.module.partition(".")[0]


def _id(cls: type[object]) -> str:
    return str(cls.id)  # type: ignore[attr-defined] # `load` has seen to it


def package_of(cls: type[object]) -> str:
    """The package that a class is in."""
    return cls.__module__.partition(".")[0]


def is_own(cls: type[object]) -> bool:
    """Whether a class is one of the project's own."""
    return package_of(cls) == "meshgui"


def failure(
    name: str, doing: str, error: BaseException, job: int | None = None, home: str | None = None
) -> str:
    """An error of a third party in one line: when it was raised, what, and in which line of its package."""
    where = tr("while {doing}").format(doing=doing) if job is None else tr("at job {job}").format(job=job)
    said = _plain(error)
    if _is_compilers(error):
        said = _CANDIDATES.sub("", said.replace(_PHASE, "")).strip()
    said = f"{type(error).__name__}: {shortened(said, _LONGEST_MESSAGE)}".removesuffix(": ")
    return tr("{name} failed {where}: {said}{line_of}").format(
        name=name, where=where, said=said, line_of=_line_of(error, home)
    )


def _is_compilers(error: BaseException) -> bool:
    """Whether Numba could not compile something."""
    return type(error).__module__.startswith("numba.")


def _plain(error: BaseException) -> str:
    """What an error says, on one line."""
    try:
        return " ".join(_COLOURS.sub("", str(error)).split())
    except Exception:  # noqa: BLE001 - even the text of an exception may fail
        return ""


def _line_of(error: BaseException, home: str | None) -> str:
    """The file and line in a package that an error comes from, in brackets."""
    if _is_compilers(error):  # which no frame shows
        at = _places_of(error, home)
    else:
        at = [
            (frame.f_code.co_filename, line)
            for frame, line in walk_tb(error.__traceback__)
            if home is not None and _is_of(frame, home)
        ][-1:]
    return f" ({Path(at[0][0]).name}:{at[0][1]})" if at else ""


def _places_of(error: BaseException, home: str | None) -> list[tuple[str, int]]:
    """Where a compiler's error is: the innermost place in a package, as it goes outwards."""
    if home is None:
        place = getattr(error, "loc", None)
        return [(place.filename, place.line)] if place else []
    places = [(file, int(line)) for file, line in _PLACES.findall(_plain(error))]
    return [place for place in places if home in Path(place[0]).with_suffix("").parts]


def _is_of(frame: FrameType, home: str) -> bool:
    """Whether a frame is of a package; one that compiled code left behind knows its file alone."""
    module = frame.f_globals.get("__name__")
    if module is None:
        return home in Path(frame.f_code.co_filename).with_suffix("").parts
    return f"{module}.".startswith(f"{home}.")


def quoted(answer: object) -> str:
    """What a third party answered, on one line and short; its type if even its text fails."""
    try:
        text = " ".join(repr(answer).split())
    except Exception:  # noqa: BLE001 - it is a third party's
        text = type(answer).__name__
    return shortened(text)
