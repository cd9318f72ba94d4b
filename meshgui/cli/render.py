"""`meshgui render`: a moment of a run as a PNG file, with or without a screen."""

from __future__ import annotations

import argparse
import os
import subprocess
from argparse import Namespace
from pathlib import Path

from meshgui import itself
from meshgui.cli.arguments import Parser, one_of, time
from meshgui.cli.faults import UsageError, WorkFailed
from meshgui.cli.scenarios import read, working_on
from meshgui.engine.allocation.inspection import Moment, Tree
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.scenario import Scenario
from meshgui.views.offscreen.screen import (
    VirtualScreenError,
    has_virtual_screen,
    missing_screen,
    virtual_screen,
)

__all__ = ["declare", "execute"]

_INSIDE = "MESHGUI_VIRTUAL_SCREEN"  # set where the program has started itself on a virtual screen
_SMALLEST, _LARGEST = 100, 8192


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.file()
    parser.add_argument("--at", metavar="T", type=time, required=True, help="the time to show")
    parser.add_argument("--out", metavar="P.png", type=Path, required=True, help="the picture's file")
    parser.add_argument(
        "--size", metavar="WxH", type=_size, default=(1600, 1000), help="in pixels (1600x1000)"
    )
    parser.add_argument(
        "--view",
        metavar="VIEW",
        type=one_of("mesh", "window", "tree", "plots"),
        default="mesh",
        help="mesh (the default), window, tree or plots",
    )
    parser.add_argument(
        "--theme",
        metavar="THEME",
        type=one_of("light", "dark"),
        default="light",
        help="light (the default) or dark",
    )


def execute(options: Namespace) -> int:
    """Do it."""
    scenario = read(options.file)
    with working_on(options.file):
        return _render(scenario, options)


def _render(scenario: Scenario, options: Namespace) -> int:
    if options.view == "tree" and not _keeps_a_tree(scenario):
        raise UsageError(
            f"{options.file}: --view: expected a strategy that keeps a tree, and {scenario.allocator.name} "
            f"keeps none"
        )
    _check_out(options.out)
    if missing_screen() is not None:
        if has_virtual_screen() and not os.environ.get(_INSIDE):
            return _on_a_virtual_screen(options)
        os.environ.pop("WAYLAND_DISPLAY", None)
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        os.environ.setdefault("QT_LOGGING_RULES", "*.warning=false")  # it is known what this cannot do
    _draw(scenario, options)
    return 0


def _draw(scenario: Scenario, options: Namespace) -> None:
    try:
        from meshgui.views.offscreen.render import RenderError, render  # noqa: PLC0415 - Qt, only to draw
    except ImportError as error:
        raise WorkFailed(f"a picture needs Qt: {error} (meshgui doctor says more)") from None
    try:
        render(scenario, options.at, options.out, options.size, options.view, options.theme)
    except RenderError as error:
        raise WorkFailed(f"{options.out}: {error}") from None


def _on_a_virtual_screen(options: Namespace) -> int:
    """Do the same in a process of its own: when the screen goes, whatever is connected to it ends."""
    width, height = options.size
    words = ["render", str(options.file), "--at", repr(options.at), "--out", str(options.out)]
    words += ["--size", f"{width}x{height}", "--view", options.view, "--theme", options.theme]
    try:
        with virtual_screen(width, height) as environment:
            environment[_INSIDE] = "1"
            done = subprocess.run(itself.command(*words), env=environment, check=False)  # noqa: S603 - ourselves
    except VirtualScreenError as error:
        raise WorkFailed(str(error)) from None
    if done.returncode < 0:
        raise WorkFailed(f"{options.out}: drawing ended by signal {-done.returncode} (try meshgui doctor)")
    return done.returncode


def _check_out(out: Path) -> None:
    """Notice before the work what would make it useless."""
    if out.suffix.lower() not in {".png", ""}:
        raise UsageError(f"meshgui render: --out: expected a name that ends in .png, got {out}")
    if out.is_dir():
        raise WorkFailed(f"{out}: could not be written: is a directory")
    if not out.parent.is_dir():
        raise WorkFailed(f"{out}: could not be written: there is no folder {out.parent}")


def _keeps_a_tree(scenario: Scenario) -> bool:
    working = strategy(scenario.allocator.name)(scenario.machine, scenario.allocator.options)
    panels = working.inspect(Moment(working.capture())).panels
    return any(isinstance(panel, Tree) for panel in panels)


def _size(text: str) -> tuple[int, int]:
    sides = text.lower().split("x")
    if len(sides) == 2 and all(side.isascii() and side.isdigit() and len(side) < 6 for side in sides):
        width, height = int(sides[0]), int(sides[1])
        if min(width, height) >= _SMALLEST and max(width, height) <= _LARGEST:
            return width, height
    wanted = f"WIDTHxHEIGHT in pixels, each from {_SMALLEST} to {_LARGEST}"
    raise argparse.ArgumentTypeError(f"expected {wanted}, got {text}")
