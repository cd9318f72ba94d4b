"""`meshgui new`: a package with a strategy, discipline or pattern of one's own, to begin with."""

from __future__ import annotations

import keyword
import re
import shutil
from argparse import Namespace
from pathlib import Path
from string import Template

from meshgui.cli import output
from meshgui.cli.arguments import Parser, one_of
from meshgui.cli.faults import UsageError, WorkFailed
from meshgui.engine.allocation.base import Strategy
from meshgui.engine.basics.files import os_fault
from meshgui.engine.basics.translation import tr
from meshgui.itself import resource
from meshgui.plugin_kinds import WORDS, PluginKind, kind_called

_MODULE = {False: "module.py", True: "kernel_module.py"}  # in plain Python, or in kernels
_WHAT = {
    "strategy": "an allocation strategy",  # untranslated: in a file of a package
    "discipline": "a queue discipline",  # untranslated: likewise
    "pattern": "a pattern of communication",  # untranslated: likewise
}
_SHARED = {"pyproject.toml": "pyproject.toml"}  # among all kinds
_FILES = {"README.md": "README.md", "test.py": "test_{}.py"}


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.add_argument("kind", metavar="|".join(WORDS), type=one_of(*WORDS), help=tr("what to create"))
    parser.add_argument("name", metavar="NAME", help=tr("its id: lower-case letters, digits and hyphens"))
    parser.add_argument("--kernel", action="store_true", help=tr("a strategy in kernels, which run compiled"))
    parser.add_argument(
        *("--out", "--folder"),
        metavar="DIR",
        type=Path,
        default=Path(),
        help=tr("where to put the package's folder (here)"),
    )


def execute(options: Namespace) -> int:
    """Do it."""
    name: str = options.name
    module = name.replace("-", "_")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or keyword.iskeyword(module):
        raise UsageError(tr("meshgui new: expected a NAME, for example my-fit, got {name}").format(name=name))
    kind = kind_called(options.kind)
    if name in kind.known():
        said = tr("meshgui new: there is already a {kind} {name}")
        raise UsageError(said.format(kind=kind.title, name=name))
    if options.kernel and kind.base is not Strategy:
        raise UsageError(tr("meshgui new: --kernel: expected a strategy"))
    folder: Path = options.out / name
    missing: list[Path] = []
    try:
        missing = [path for path in (folder, *folder.parents) if not path.exists()]
        folder.mkdir(parents=True)
        for template, target in (_SHARED | _FILES | {_MODULE[options.kernel]: "{}.py"}).items():
            text = _text(kind, template, name)
            (folder / target.format(module)).write_text(text, encoding="utf-8")
    except BaseException as error:
        for path in missing[-1:]:  # a part of a package would be in the way of the next attempt
            shutil.rmtree(path, ignore_errors=True)
        if not isinstance(error, OSError):
            raise
        raise WorkFailed(
            tr("{folder}: could not be written: {fault}").format(folder=folder, fault=os_fault(error))
        ) from None
    output.write(
        tr("{folder}: written. Next: meshgui check {folder2}.py").format(
            folder=folder, folder2=folder / module
        )
    )
    return 0


def module_text(name: str, *, kind: str = "strategy", kernel: bool = False) -> str:
    """The module of a new strategy, discipline or pattern."""
    return _text(kind_called(kind), _MODULE[kernel], name)


def _text(kind: PluginKind, template: str, name: str) -> str:
    """A file of a new package."""
    words = [word.capitalize() for word in name.split("-")]
    given = {
        "id": name,
        "package": name,
        "module": name.replace("-", "_"),
        "cls": "".join(words),
        "title": " ".join(words),
        "group": kind.group,
        "what": _WHAT[kind.word],
    }
    place = resource("templates")
    folder = place if template in _SHARED else place / kind.word
    return Template((folder / f"{template}.txt").read_text("utf-8")).substitute(given)
