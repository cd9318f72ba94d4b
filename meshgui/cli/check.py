"""`meshgui check`: whether a strategy, installed or in a file, keeps what every strategy owes."""

from __future__ import annotations

from argparse import SUPPRESS, Namespace
from functools import partial
from pathlib import Path

from meshgui.cli import output
from meshgui.cli.arguments import Parser
from meshgui.cli.faults import UsageError
from meshgui.conformance import PROPERTIES, Failure, failure_of
from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.registry import strategies, strategies_in, strategy
from meshgui.engine.basics.guard import StrategyError, StuckError, long_calls
from meshgui.engine.basics.nearest import nearest
from meshgui.engine.basics.translation import tr
from meshgui.loop_conformance import has_kernels_alone
from meshgui.plain_conformance import answers, difference

_SECONDS = 40.0  # for all properties, but for compiling
_STORIES = 200  # of each property at most


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.add_argument(
        "strategy",
        metavar="ID|FILE.py",
        help=tr("a strategy by its id, or a file with strategies of your own"),
    )
    parser.add_argument("--answers", metavar="ID", help=SUPPRESS)  # how it asks a process without compiler


def execute(options: Namespace) -> int:
    """Do it."""
    chosen = _chosen(options.strategy)
    if options.answers:
        return _answer(next(cls for cls in chosen if cls.id == options.answers))
    broken = 0
    for cls in chosen:
        output.write(f"{cls.title} ({cls.id})")
        broken += _check(cls, options.strategy, _SECONDS / len(chosen) / len(PROPERTIES))
    return int(broken > 0)


def _answer(cls: type[Strategy]) -> int:
    """Write what a strategy answers, in a process in which nothing is compiled."""
    with long_calls():
        for line in answers(cls):
            output.write(line)
            output.flush()
    return 0


def _chosen(name: str) -> list[type[Strategy]]:
    try:
        if name.endswith(".py"):
            return strategies_in(Path(name))
        return [strategy(name)]
    except StrategyError as error:
        near = "" if name.endswith(".py") else nearest(name, list(strategies()))
        said = tr("no strategy is called {name}{near}").format(name=name, near=near) if near else error
        raise UsageError(f"meshgui check: {said}") from None  # untranslated: the command


def _check(cls: type[Strategy], named: str, seconds: float) -> int:
    """Print a line for each property, and the story in which one fails; how many fail."""
    broken = 0
    checks = [(one.words, partial(failure_of, one, cls, _STORIES, seconds)) for one in PROPERTIES]
    if has_kernels_alone(cls):
        checks.append((tr("gives the same compiled as in plain Python"), partial(difference, cls, named)))
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
            output.write(_story(failure))
    return broken


def _story(failure: Failure) -> str:
    given = ", ".join(f"{key} {value}" for key, value in failure.options.model_dump(mode="json").items())
    happened = "; ".join(failure.events) or tr("before anything happened")
    said = tr("on a {mesh} mesh with {options}") if given else tr("on a {mesh} mesh")
    where = said.format(mesh=failure.mesh.describe(), options=given)
    return f"         {failure.found}\n         {where}: {happened}"
