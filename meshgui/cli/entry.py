"""From the words of a command line to a command, and from its end or fault to an exit status."""

from __future__ import annotations

import importlib
import os
from pathlib import Path

from meshgui.cli import output
from meshgui.cli.arguments import Parser
from meshgui.cli.faults import Fault, UsageError
from meshgui.cli.signals import INTERRUPTED, status_by_signal
from meshgui.engine.basics.garbage import loading
from meshgui.engine.basics.nearest import nearest
from meshgui.engine.basics.translation import tr

# What each command does. Its module in this package bears its name: only the one that is called is imported.
COMMANDS = {
    "run": tr("simulate a scenario without a window and print its summary"),
    "sweep": tr("run a grid of scenarios, each until its figures are precise"),
    "store": tr("merge the stores of a sweep that was made in shards"),
    "validate": tr("check scenario files"),
    "schema": tr("print the JSON Schema of scenarios"),
    "lesson": tr("check lessons by running their steps, list them, or print their JSON Schema"),
    "exercise": tr("list and show exercises, and write a set of them for a course"),
    "grade": tr("grade hand-ins by running every exercise again"),
    "allocators": tr("list the allocation strategies"),
    "figures": tr("list every figure and column: names, units, formulas"),
    "check": tr("check a strategy, installed or in a file, against the requirements"),
    "new": tr("write a starter package for a strategy of your own"),
    "reproduce": tr("run the published settings and compare the results with the published numbers"),
    "trace": tr("print the pseudo-code steps of a job's allocation attempts and of its release"),
    "network": tr("send the packets of a file through a network and report when each arrives"),
    "export": tr("write a run in a form that other programs open"),
    "render": tr("draw a moment of a run as a PNG file, with or without a screen"),
    "plot": tr("draw a figure of an experiment for print: PDF, SVG or PNG, in millimetres"),
    "sheet": tr("write a strategy as one page to print: idea, pseudo-code, picture, cost, source"),
    "prepare": tr("compile the kernels of all strategies, so that no run has to wait"),
    "doctor": tr("check what the program needs: versions, OpenGL, fonts, folders, kernel cache"),
    "growth": tr("measure and plot how the work of strategies grows, compared with the papers"),
    "bench": tr("measure the figures of the performance budget, each beside its baseline"),
}
HELP_OPTIONS = {"-h", "--help"}
_TRACEBACKS = "MESHGUI_TRACEBACK"  # set it to see where a fault of the program itself comes from


def run(words: list[str]) -> int:
    """Run a command line; the exit status."""
    output.prepare()
    # no package is searched for others' additions to pydantic, which would be in the way of the first paint
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        status = _dispatch(words)
        output.flush()
    except Fault as fault:
        output.complain(
            str(fault)
            if str(fault).startswith(("meshgui ", "meshgui: "))
            else tr("meshgui: {fault}").format(fault=fault)
        )
        return _end(fault.status)
    except BrokenPipeError:  # the reader has closed the pipe
        output.discard()
        return 0
    except KeyboardInterrupt:
        return _end(INTERRUPTED)
    except MemoryError:
        output.complain(tr("meshgui: out of memory"))
        return _end(1)
    except Exception as fault:
        if (status_asked := status_by_signal()) is not None:
            return _end(status_asked)
        # A fault of the program, or of a third-party strategy: still one line, but one that says where.
        if os.environ.get(_TRACEBACKS):
            raise
        output.complain(
            tr("meshgui: {origin} (set {TRACEBACKS}=1 to see more)").format(
                origin=_origin(fault), TRACEBACKS=_TRACEBACKS
            )
        )
        return _end(1)
    return status


def _dispatch(words: list[str]) -> int:
    first = words[0] if words else ""
    if first in HELP_OPTIONS:
        output.write(_help())
        return 0
    if first in {"-V", "--version"}:
        from meshgui import __version__  # noqa: PLC0415 - see COMMANDS

        output.write(f"meshgui {__version__}")
        return 0
    if first in COMMANDS:
        return _call(first, words[1:])
    if not words or first == "--" or _names_a_file(first):
        return _call("window", words)  # untranslated: a name of a command
    if first.startswith("-"):
        known = [*HELP_OPTIONS, "--version"]
        raise UsageError(
            tr("meshgui: no option is called {first}{nearest}").format(
                first=first, nearest=nearest(first, known)
            )
        )
    guess = nearest(first, list(COMMANDS)) or tr(": expected a FILE or one of {COMMANDS}").format(
        COMMANDS=", ".join(COMMANDS)
    )
    raise UsageError(
        tr("meshgui: no command or file is called {first}{guess}").format(first=first, guess=guess)
    )


def _call(name: str, words: list[str]) -> int:
    with loading():
        module = importlib.import_module(f"meshgui.cli.{name}")
    parser = Parser(name if name in COMMANDS else "", COMMANDS.get(name, ""))
    module.declare(parser)
    try:
        options = parser.parse_args(words)
    except SystemExit:  # argparse has shown the help
        return 0
    status: int = module.execute(options)
    return status


def _names_a_file(word: str) -> bool:
    """Whether the word can only be meant as a file, even if there is none of that name."""
    looks = word.endswith(".json") or "/" in word or os.sep in word
    return not word.startswith("-") and (looks or os.path.exists(word))  # noqa: PTH110 - any name


def _help() -> str:
    rows = [(f"  meshgui {name}", does) for name, does in COMMANDS.items()]
    return "\n".join(
        (
            tr("MeshGUI: processor allocation on mesh-connected machines, simulated and shown."),
            "",
            output.columns([(tr("  meshgui [FILE]"), tr("open the window, on a scenario file")), *rows]),
            "",
            tr("meshgui COMMAND --help says more; meshgui --version prints the version."),
            tr("Exit status: 0 done, 1 the work failed, 2 bad arguments or a bad file."),
        )
    )


def _origin(fault: Exception) -> str:
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = (
        tr(" at {name}:{tb_lineno}").format(
            name=Path(trace.tb_frame.f_code.co_filename).name, tb_lineno=trace.tb_lineno
        )
        if trace
        else ""
    )
    return tr("stopped by an internal error, {name}{place}: {fault}").format(
        name=type(fault).__name__, place=place, fault=fault
    )


def _end(status: int) -> int:
    """Drop output that could not be delivered, so that Python's own end adds no second complaint."""
    try:
        output.flush()
    except (Fault, BrokenPipeError):
        output.discard()
    return status
