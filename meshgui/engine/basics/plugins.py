"""Third parties' classes, those that cannot be used, and the words for their faults."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.metadata import EntryPoint
from pathlib import Path
from time import time
from traceback import walk_tb
from types import FrameType
from typing import NamedTuple, TypeVar

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import shortened

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
        self.points: dict[str, EntryPoint] = {}  # of third parties
        self.registered: dict[str, str] = {}  # the code of those of this process alone, by id
        self.loaded = time()

    def add(self, name: str, cls: type[C], point: EntryPoint) -> None:
        """Take a third party's class, which was loaded after these were made."""
        self[name] = cls
        self.points[name] = point

    def register(self, name: str, cls: type[C], code: str) -> None:
        """Take a class of this process alone, which has no entry point."""
        self[name] = cls
        self.registered[name] = code

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


def home_of(point: EntryPoint) -> str:
    """The package that an entry point leads to."""
    return point.module.partition(".")[0]


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
