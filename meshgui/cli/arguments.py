"""The arguments of a command: argparse, with every fault as one line of what was expected."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NoReturn

from meshgui.cli import output
from meshgui.cli.faults import UsageError
from meshgui.engine.basics.nearest import nearest
from meshgui.engine.basics.sentences import listed
from meshgui.engine.basics.translation import tr

LARGEST_WHOLE = 2**63 - 1


class _Help(argparse.HelpFormatter):
    """The layout of argparse, with its words in the program's language."""

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, tr("usage: ") if prefix is None else prefix)


class Parser(argparse.ArgumentParser):
    """A parser that raises BadUse instead of printing its usage and ending the program."""

    def __init__(self, name: str, does: str) -> None:
        super().__init__(
            prog=f"meshgui {name}".rstrip(),
            description=does,
            formatter_class=_Help,
            allow_abbrev=False,
            add_help=False,
        )
        self._positionals.title = tr("positional arguments")
        self._optionals.title = tr("options")
        self.add_argument("-h", "--help", action="help", help=tr("show this help and exit"))

    def file(self, nargs: str | None = None) -> None:
        """The scenario file, which nearly every command takes."""
        self.add_argument(
            "file", metavar="FILE", type=Path, nargs=nargs, help=tr("a scenario, NAME.meshgui.json")
        )

    def json(self) -> None:
        """`--json`, which means the same everywhere."""
        self.add_argument("--json", action="store_true", help=tr("print the result as JSON"))

    def print_help(self, file: object = None) -> None:
        """Write through `output`, as ArgumentParser would not notice a full disk."""
        del file
        output.write(self.format_help())

    def error(self, message: str) -> NoReturn:
        """End with a usage error, in the words of this program."""
        raise UsageError(f"{self.prog}: {self._in_our_words(message)}")

    def _in_our_words(self, message: str) -> str:
        message = re.sub(r"^argument (\S+/)?([^:/]+): ", r"\2: ", message)
        if missing := re.match(r"the following arguments are required: (.*)", message):
            return tr("expected {arguments}").format(arguments=listed(missing[1].split(", ")))
        if lacking := re.fullmatch(r"(.*): expected (one|at least one) argument", message):
            return tr("{option}: expected a value").format(option=lacking[1])
        if given := re.fullmatch(r"(.*): ignored explicit argument (.*)", message, re.DOTALL):
            return tr("{option}: expected no value, got {value}").format(option=given[1], value=given[2])
        if unknown := re.match(r"unrecognized arguments: (.*)", message, re.DOTALL):
            return self._unknown(unknown[1].split(" ")[0], unknown[1])
        return message

    def _unknown(self, first: str, all_of_them: str) -> str:
        if first.startswith("-"):
            options = list(self._option_string_actions)
            return tr("no option is called {first}{nearest}").format(
                first=first, nearest=nearest(first.split("=", maxsplit=1)[0], options)
            )
        return tr("expected no more arguments, got {all_of_them}").format(all_of_them=all_of_them)


def declare_kind(parser: Parser, meaning: str) -> None:
    """`--kind`: strategies, disciplines or patterns."""
    kinds = ("strategy", "discipline", "pattern")  # untranslated: as in the names of groups
    parser.add_argument("--kind", metavar="|".join(kinds), type=one_of(*kinds), help=meaning)


def whole_number(text: str) -> int:
    """A whole number of 0 or more."""
    if not (text.isascii() and text.isdigit() and len(text) < 30 and int(text) <= LARGEST_WHOLE):
        raise argparse.ArgumentTypeError(
            tr("expected a whole number from 0 to {LARGEST_WHOLE}, got {text}").format(
                LARGEST_WHOLE=LARGEST_WHOLE, text=text
            )
        )
    return int(text)


def cycles(text: str) -> int:
    """A number of cycles."""
    if (number := whole_number(text)) < 1:
        raise argparse.ArgumentTypeError(tr("expected at least 1 cycle, got {number}").format(number=number))
    return number


def step_number(text: str) -> int:
    """The number of a step: from 1 on, or from -1 on backwards from the last."""
    return -whole_number(text[1:]) if text.startswith("-") else whole_number(text)


def time(text: str) -> float:
    """A moment of a run."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        raise argparse.ArgumentTypeError(tr("expected a time of 0 or more, got {text}").format(text=text))
    return value


def one_of(*words: str) -> Callable[[str], str]:
    """One of several words."""

    def choose(text: str) -> str:
        if text not in words:
            raise argparse.ArgumentTypeError(
                tr("expected one of {words}, got {text}").format(words=", ".join(words), text=text)
            )
        return text

    return choose
