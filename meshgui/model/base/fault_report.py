"""A report of faults of the program, to be passed on by hand: what happened, where, in which versions."""

from __future__ import annotations

import platform
import sys
import traceback
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Final

from meshgui import __version__
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import legible

_PACKAGES: Final = (
    "numpy",
    "numba",
    "pydantic",
    "PySide6-Essentials",  # untranslated: a package
    "pyqtgraph",
    "PyOpenGL",  # untranslated: a package
)
_MOST: Final = 20  # different faults
_LONGEST: Final = 20_000  # letters of one fault, of its end


class FaultReport:
    """The faults so far, each once with how often it happened; threads may add to it."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._lock = Lock()
        self.last = ""  # the last one in a few words

    def add(self, kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> bool:
        """Count a fault; whether it is a new one."""
        lines = "".join(traceback.format_exception(kind, fault, trace)).splitlines()
        text = "\n".join(map(legible, lines))  # what a fault quotes leaves room for where it happened
        place = _place(trace)
        with self._lock:
            self.last = (
                tr("{name} in {place}").format(name=kind.__name__, place=place) if place else kind.__name__
            )
            new = text not in self._counts and len(self._counts) < _MOST
            if new or text in self._counts:
                self._counts[text] = self._counts.get(text, 0) + 1
            return new

    @property
    def count(self) -> int:
        """How many faults there were, repetitions included."""
        with self._lock:
            return sum(self._counts.values())

    def text(self, parts: Mapping[str, str]) -> str:
        """The report, with further parts under their headings; the user's folder is called ~ in it."""
        with self._lock:
            faults = [_described(text, times) for text, times in self._counts.items()]
        further = [f"{heading}\n{_under(heading)}\n{part}" for heading, part in parts.items() if part]
        whole = "\n\n".join([*faults, *further, tr("Versions\n--------\n") + "\n".join(_versions())])
        return whole.replace(str(Path.home()), "~") + "\n"


def _described(text: str, times: int) -> str:
    heading = tr("Error") if times == 1 else tr("Error, {times} times").format(times=times)
    cut = text if len(text) <= _LONGEST else f"…{text[-_LONGEST:]}"
    return f"{heading}\n{_under(heading)}\n{cut.rstrip()}"


def _under(heading: str) -> str:
    return "-" * len(heading)


def _place(trace: TracebackType | None) -> str:
    """File and line in which a fault happened."""
    if trace is None:
        return ""
    while trace.tb_next is not None:
        trace = trace.tb_next
    return tr("{name}, line {tb_lineno}").format(
        name=Path(trace.tb_frame.f_code.co_filename).name, tb_lineno=trace.tb_lineno
    )


def _versions() -> Iterator[str]:
    yield tr("meshgui {version}").format(version=__version__)
    yield tr("Python {split}, {platform}").format(split=sys.version.split()[0], platform=platform.platform())
    for package in _PACKAGES:
        try:
            yield f"{package} {version(package)}"
        except PackageNotFoundError:  # in a frozen program, perhaps
            yield tr("{package}, version unknown").format(package=package)
