"""How long the program takes to its first painted window, beside a bare window with an empty OpenGL view."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from time import perf_counter

from meshgui import itself
from meshgui.bench.measurement import Measurement, alternate, not_measured
from meshgui.engine.basics.translation import tr
from meshgui.model.document.examples import DEFAULT_EXAMPLE, example
from meshgui.views.offscreen.screen import (
    VirtualScreenError,
    has_virtual_screen,
    missing_screen,
    virtual_screen,
)

FIRST_PAINT = "MESHGUI_BENCH_FIRST_PAINT"  # where this is set, the window ends after its first paint
_REPEATS = 7
_LONGEST = 60
_WHAT = tr("from start to the first painted window")


class _Failed(Exception):  # noqa: N818 - an outcome, turned into a figure that says why
    """A window that did not come up: one line."""


def start() -> Iterator[Measurement]:
    """Both windows in turn, on one screen, from the start of the process to its end after the first paint."""
    missing = missing_screen()
    if missing is not None and not has_virtual_screen():
        yield not_measured("start", _WHAT, tr("{missing}, and Xvfb is not installed").format(missing=missing))
        return
    ours = itself.command(str(example(DEFAULT_EXAMPLE)))
    bare = [sys.executable, str(Path(__file__).with_name("bare_window.py"))]
    try:
        with virtual_screen(1600, 1000) if missing else nullcontext(dict(os.environ)) as screen:
            environment = screen | {FIRST_PAINT: "1"}
            environment.pop("PYTHONDONTWRITEBYTECODE", None)  # measured as installed: compiled once
            _spent(ours, environment), _spent(bare, environment)  # files read, shaders compiled
            window, bare_one = alternate(
                lambda: _spent(ours, environment), lambda: _spent(bare, environment), repeats=_REPEATS
            )
    except (VirtualScreenError, _Failed) as error:
        yield not_measured("start", _WHAT, str(error))
        return
    yield Measurement("start", _WHAT, "s", window, bare_one, tr("a bare PySide6 + GLViewWidget window"), 1.5)


def _spent(words: list[str], environment: dict[str, str]) -> float:
    begun = perf_counter()
    try:
        done = subprocess.run(  # noqa: S603 - ourselves, or the bare window
            words, env=environment, capture_output=True, text=True, timeout=_LONGEST, check=False
        )
    except subprocess.TimeoutExpired:
        raise _Failed(tr("no window within {LONGEST} s").format(LONGEST=_LONGEST)) from None
    spent = perf_counter() - begun
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise _Failed(
            said[-1]
            if said
            else tr("the window ended with exit status {returncode}").format(returncode=done.returncode)
        )
    return spent
