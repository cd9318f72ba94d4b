"""Writes the manual page from the help of the command line, so that it says the same: to standard output."""

import argparse
import importlib
import sys

from meshgui import __version__
from meshgui.cli.arguments import Parser
from meshgui.cli.entry import COMMANDS

ENDING = """.SH EXIT STATUS
0 done, 1 the work failed, 2 bad arguments or a bad file; then one line on standard error says what was
expected.
.SH ENVIRONMENT
.TP
.B NUMBA_CACHE_DIR
Where compiled kernels are kept; otherwise among the user's caches.
.TP
.B MESHGUI_STRATEGY_SECONDS
How long a call of a strategy may take before the run ends with a line that names it (20).
.SH FILES
.TP
.I NAME.meshgui.json
A scenario; \\fBmeshgui schema\\fR prints its JSON Schema.
"""


def escaped(text: str) -> str:
    """Plain text as roff takes it."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text


def parser_of(name: str) -> Parser:
    """A command's parser; of the window where the name is empty."""
    parser = Parser(name, COMMANDS.get(name, "open the window"))
    importlib.import_module(f"meshgui.cli.{name or 'window'}").declare(parser)
    return parser


def usage(parser: Parser) -> str:
    """How a command is called, in one line."""
    return " ".join(parser.format_usage().removeprefix("usage: ").split())


def arguments(parser: Parser) -> list[str]:
    """A paragraph for each argument that the help shows."""
    lines = []
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to list them
        if action.help == argparse.SUPPRESS or "--help" in action.option_strings:
            continue
        value = action.metavar if action.nargs != 0 else None
        name = ", ".join(action.option_strings) or str(action.metavar or action.dest)
        shown = f"{name} {value}" if action.option_strings and value else name
        lines += [".TP", f".B {escaped(shown)}", escaped((action.help or "") % {"prog": parser.prog})]
    return lines


def page() -> str:
    """The manual page."""
    window = parser_of("")
    lines = [
        f'.TH MESHGUI 1 "" "MeshGUI {__version__}" "User Commands"',
        ".SH NAME",
        "meshgui \\- simulate processor allocation on mesh\\-connected machines, and show it",
        ".SH SYNOPSIS",
        f".B {escaped(usage(window))}",
        ".br",
        ".B meshgui \\fICOMMAND\\fR [\\fIARGUMENT\\fR ...]",
        ".SH DESCRIPTION",
        "Without a command, MeshGUI opens its window, on a scenario or at a moment if one is named.",
        *arguments(window),
        ".SH COMMANDS",
    ]
    for name, does in COMMANDS.items():
        parser = parser_of(name)
        lines += [
            f".SS {escaped(usage(parser))}",
            f"{escaped(does[0].upper() + does[1:])}.",
            *arguments(parser),
        ]
    return "\n".join(lines) + "\n" + ENDING


if __name__ == "__main__":
    sys.stdout.write(page())
