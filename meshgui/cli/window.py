"""`meshgui [FILE]`: the window."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from meshgui.cli import signals
from meshgui.cli.arguments import Parser
from meshgui.cli.faults import WorkFailed
from meshgui.cli.scenarios import read
from meshgui.views.offscreen.screen import missing_screen

__all__ = ["declare", "execute"]


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.file(nargs="?")


def execute(options: Namespace) -> int:
    """Do it."""
    path: Path | None = options.file
    scenario = read(path) if path is not None else None
    fault = missing_screen()
    if fault is not None:
        raise WorkFailed(f"{fault} (meshgui render draws a picture without one)")
    try:
        from meshgui.views.window.start import open_window  # noqa: PLC0415 - Qt, only for a window
    except ImportError as error:
        raise WorkFailed(f"the window needs Qt: {error} (meshgui doctor says more)") from None
    signals.leave_alone()
    return open_window(scenario, path)
