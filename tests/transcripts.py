"""Plays transcripts of the command line: commands, what they show, and the status they end with.

`python -m tests.transcripts` writes what the program shows into `tests/golden/transcripts`; read the changes.

A transcript is a text of steps, each below a blank line and perhaps below comments, which begin with `# `:

    --- file NAME               a file, down to a line of three hyphens
    --- file NAME from OTHER    the JSON of another file, with the keys that are given here
    $ meshgui WORDS             a command; `> /dev/null` drops what it shows
    $ cat NAME                  what it wrote, as does `$ ls`

What a command shows is below it, standard error with `! `, and `[exit STATUS]` where that is not 0.
"""

import io
import json
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import chdir, nullcontext, redirect_stderr, redirect_stdout
from itertools import takewhile
from pathlib import Path
from unittest.mock import patch

os.environ["MESHGUI_LANGUAGE"] = "en"  # before the program is imported, which chooses its language then

from meshgui import __version__
from meshgui.cli.entry import run
from meshgui.model.document.examples import DEFAULT_EXAMPLE, example
from tests.third_party import installed, on_path

__all__ = ["FOLDER", "play", "play_file"]

FOLDER = Path(__file__).parent / "golden" / "transcripts"
EXAMPLES = str(example(DEFAULT_EXAMPLE).parent)
STEP = re.compile(r"\$ (?P<command>.*)|--- file (?P<name>\S+)(?: from (?P<other>\S+))?|# .*")
SET = re.compile(r"[A-Z_]+=.*")  # a variable of the environment, before a command

# What differs from machine to machine or from run to run, and what is written for it.
VARYING = (
    (re.compile(re.escape(EXAMPLES)), "[EXAMPLES]"),
    (re.compile(re.escape(__version__)), "[VERSION]"),
    (re.compile(r"\b\d[\d.]* (ns|µs|ms)\b"), "[TIME]"),
    (re.compile(r'("(?:seconds_mean|overhead_seconds)": )[\d.e-]+'), r"\1[TIME]"),
)


def play(transcript: str) -> str:
    """The same transcript, with what its commands show here and now."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        surroundings = {"COLUMNS": "100", "XDG_CONFIG_HOME": folder, "DISPLAY": "", "WAYLAND_DISPLAY": ""}
        # No byte code either, of what a command loads from there.
        with patch.dict(os.environ, surroundings), patch.object(sys, "dont_write_bytecode", True):
            written = "".join(_steps(iter(transcript.splitlines())))
    return written.replace(os.path.realpath(folder), "[FOLDER]").lstrip("\n")


def play_file(path: Path) -> str:
    """The same of a file; those of plug-ins have the packages of tests/packages."""
    with on_path(installed()) if path.stem.startswith("plug-ins") else nullcontext():
        return play(path.read_text(encoding="utf-8"))


def _steps(lines: Iterator[str]) -> Iterator[str]:
    """Each step in turn, below a blank line unless it is below its comment; what was shown is passed over."""
    gap = "\n"
    for line in lines:
        step = STEP.fullmatch(line)
        if step is None:
            gap = "\n"
            continue
        yield f"{gap}{line}\n"
        gap = "" if line.startswith("# ") else "\n"
        if step["command"]:
            yield _shown(shlex.split(step["command"]))
        elif step["name"]:
            content = "".join(f"{each}\n" for each in iter(lines.__next__, "---"))
            yield f"{content}---\n"
            if step["other"]:
                other = json.loads(Path(step["other"]).read_text(encoding="utf-8"))
                content = json.dumps(other | json.loads(content))
            Path(step["name"]).write_text(content, encoding="utf-8")


def _shown(words: Sequence[str]) -> str:
    """What a command shows, each line with its mark."""
    settings = dict(word.split("=", 1) for word in takewhile(SET.fullmatch, words))
    program, *words = words[len(settings) :]
    if unseen := words[-2:-1] == [">"]:
        words = words[:-2]
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err), patch.dict(os.environ, settings):
        match program:
            case "meshgui":
                status = run([word.replace("[EXAMPLES]", EXAMPLES) for word in words])
            case "cat":
                status = out.write(Path(words[0]).read_text(encoding="utf-8")) and 0
            case "ls":
                status = print(*sorted(os.listdir()), sep="\n") or 0  # noqa: PTH208, T201 - as ls does
            case _:
                raise ValueError(f"a transcript has no {program}: expected meshgui, cat or ls")
    shown, said = (_unvaried(stream) for stream in (out, err))
    if not unseen and any(map(STEP.fullmatch, shown)):
        raise ValueError(f"a line that {words} shows would be taken for a step")
    lines = [
        *([] if unseen else shown),
        *(f"! {line}" for line in said),
        *([f"[exit {status}]"] if status else []),
    ]
    return "".join(f"{line}\n" for line in lines)


def _unvaried(stream: io.TextIOWrapper) -> list[str]:
    stream.seek(0)
    text = stream.read()
    for varying, name in VARYING:
        text = varying.sub(name, text)
    return text.splitlines()


if __name__ == "__main__":
    if "CI" in os.environ:
        sys.exit("in CI transcripts are compared, never written")
    for path in sorted(FOLDER.glob("*.txt")):
        path.write_text(play_file(path), encoding="utf-8")
