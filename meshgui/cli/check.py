"""`meshgui check`: whether a strategy, discipline or pattern, installed or in a file, keeps what it owes."""

from __future__ import annotations

from argparse import SUPPRESS, Namespace
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from meshgui.cli import output
from meshgui.cli.arguments import Parser, declare_kind
from meshgui.cli.faults import UsageError
from meshgui.conformance import PROPERTIES, Failure, failure_of
from meshgui.engine.allocation.base import Strategy
from meshgui.engine.basics.guard import StuckError, long_calls
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import before_numbers
from meshgui.engine.scheduling.base import Discipline
from meshgui.loop_conformance import has_kernels_alone
from meshgui.plain_conformance import answers, difference
from meshgui.plugin_kinds import FAULTS, PluginKind, plugin_called, plugins_in
from meshgui.run_conformance import DISCIPLINE_PROPERTIES, PATTERN_PROPERTIES

_SECONDS = 40.0  # for all properties, but for compiling
_STORIES = 200  # of each property at most


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.add_argument(
        "strategy",
        metavar="ID|FILE.py",
        help=tr("a strategy, discipline or pattern by its id, or a file with such classes of your own"),
    )
    declare_kind(parser, tr("which of them is meant, where several have the id"))
    parser.add_argument("--answers", metavar="ID", help=SUPPRESS)  # how it asks a process without compiler


def execute(options: Namespace) -> int:
    """Do it."""
    if options.answers:
        named = _chosen(options.strategy, "strategy")
        return _answer(next(cls for _, cls in named if cls.id == options.answers))
    chosen = _chosen(options.strategy, options.kind)
    broken = 0
    for kind, cls in chosen:
        output.write(f"{cls.title} ({cls.id})")
        if kind.base is Strategy:
            broken += _check(cls, options.strategy, _SECONDS / len(chosen) / len(PROPERTIES))
        else:
            owed = DISCIPLINE_PROPERTIES if kind.base is Discipline else PATTERN_PROPERTIES
            broken += _report([(one.words, partial(one.fault, cls)) for one in owed], str)
    return int(broken > 0)


def _answer(cls: type[Strategy]) -> int:
    """Write what a strategy answers, in a process in which nothing is compiled."""
    with long_calls():
        for line in answers(cls):
            output.write(line)
            output.flush()
    return 0


def _chosen(name: str, wanted: str | None) -> list[tuple[PluginKind, type[Any]]]:
    try:
        return plugins_in(Path(name), wanted) if name.endswith(".py") else [plugin_called(name, wanted)]
    except FAULTS as error:
        raise UsageError(f"meshgui check: {error}") from None  # untranslated: the command


def _check(cls: type[Strategy], named: str, seconds: float) -> int:
    """Print a line for each property, and the story in which one fails; how many fail."""
    checks: list[tuple[str, Callable[[], Any]]]
    checks = [(one.words, partial(failure_of, one, cls, _STORIES, seconds)) for one in PROPERTIES]
    if has_kernels_alone(cls):
        checks.append((tr("gives the same compiled as in plain Python"), partial(difference, cls, named)))
    return _report(checks, _story)


def _report(checks: Sequence[tuple[str, Callable[[], Any]]], story: Callable[[Any], str]) -> int:
    """Print a line for each property, and what was found where it fails; how many fail."""
    broken = 0
    for words, check in checks:
        try:
            with long_calls():
                failure = check()
        except StuckError as error:
            output.write(f"  {tr('fails')}  {words}\n         {error}")
            return broken + 1  # it would not come back from the others either
        output.write(f"  {tr('passes') if failure is None else tr('fails')}  {words}")
        if failure is not None:
            broken += 1
            output.write(f"         {story(failure)}")
    return broken


def _story(failure: Failure) -> str:
    given = ", ".join(f"{key} {value}" for key, value in failure.options.model_dump(mode="json").items())
    happened = "; ".join(failure.events) or tr("before anything happened")
    said = tr("on a {mesh} mesh with {options}") if given else tr("on a {mesh} mesh")
    where = before_numbers(said.format(mesh=failure.mesh.describe(), options=given))
    return f"{failure.found}\n         {where}: {happened}"
