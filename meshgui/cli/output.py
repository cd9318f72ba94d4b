"""Standard output and standard error: whole texts, one-line complaints, and a progress line on a terminal."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Final, Self

from meshgui.cli import signals
from meshgui.cli.faults import WorkFailed
from meshgui.engine.basics.kernel_counts import COMPILES
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import count_of, harmless, legible
from meshgui.engine.basics.work import Progress, Work

BETWEEN: Final = 0.1  # seconds: a progress line changes at most so often


def prepare() -> None:
    """Let no text fail for want of a letter: what an output cannot encode is written as its escape."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def write(text: str) -> None:
    """Lines on standard output, in which nothing that files say controls the terminal.

    A terminal ends no line at a space, and who searches for "5 %" types a plain one.
    """
    text = text.replace("\N{NO-BREAK SPACE}", " ")
    if sys.stdout is None:
        raise WorkFailed(tr("standard output: expected it to be open"))
    try:
        sys.stdout.write(harmless(text if text.endswith("\n") else text + "\n"))
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _lost(error) from None


def write_json(data: Any, indent: int | None = None) -> None:  # noqa: ANN401 - any JSON value
    """One JSON value on standard output, in plain ASCII so that every reader takes it."""
    write(json.dumps(data, indent=indent))


def flush() -> None:
    """Make sure that all that was written has arrived."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _lost(error) from None


def discard() -> None:
    """Drop what is still to be written: it would only fail again when Python ends."""
    if sys.stdout is not None:
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)


def complain(message: str) -> None:
    """Write one line on standard error, for any text of a message."""
    if sys.stderr is None:
        return
    line = legible("".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in message))
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(line + "\n")
        sys.stderr.flush()


def columns(rows: Sequence[tuple[str, ...]], gap: str = "  ") -> str:
    """Rows of words as aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (gap.join(word.ljust(width) for word, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def _lost(error: OSError) -> WorkFailed:
    discard()
    return WorkFailed(
        tr("standard output: could not be written: {lower}").format(
            lower=(error.strerror or str(error)).lower()
        )
    )


def complain_of_cache(line: ProgressLine) -> None:
    """Complain above a progress line where kernels cannot be kept, so that each start compiles them."""
    from meshgui.engine.basics.kernel_cache import cache_fault, shipped_folder  # noqa: PLC0415 - takes long

    if shipped_folder() is None and (fault := cache_fault()):
        line.complain(tr("meshgui: {fault}").format(fault=fault))


class ProgressLine(Work):
    """A line that tells how far the work is: on a terminal only, and gone when the work is done."""

    def __init__(self, doing: str, thing: str) -> None:
        super().__init__(self.hear, between=BETWEEN)
        self._doing, self._thing = doing, thing  # the English noun
        self.note = ""  # shown behind the counts
        self._shown = 0
        self._terminal = sys.stderr is not None and sys.stderr.isatty()

    def __enter__(self) -> Self:
        signals.clearing.append(self._clear)
        self._show(f"{self._doing} …")
        return self

    def hear(self, progress: Progress) -> None:
        """Show how many of how many are done, or that kernels are compiled."""
        signals.look()
        if progress.compiling:
            self._show(f"{self._doing} … {COMPILES}")
        elif progress.of:
            self._show(
                tr("{doing} … {done} of {things}, {percent} %{note}").format(
                    doing=self._doing,
                    done=progress.done,
                    things=count_of(round(progress.of), self._thing),
                    percent=100 * progress.done // max(progress.of, 1),
                    note=self.note,
                )
            )

    def complain(self, message: str) -> None:
        """Write a line of its own on standard error, above the one that tells how far the work is."""
        if self._terminal:
            self._put("\r" + " " * self._shown + "\r")
        complain(message)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signals.clearing.remove(self._clear)
        self._clear()

    def _clear(self) -> None:
        self._show("")
        if self._terminal:
            self._put("\r")

    def _show(self, text: str) -> None:
        if self._terminal:
            self._put("\r" + text.ljust(self._shown))
            self._shown = len(text)

    def _put(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):  # a terminal that went away takes no work with it
            sys.stderr.write(text)
            sys.stderr.flush()
