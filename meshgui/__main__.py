"""The program's entry: the command `meshgui` and `python -m meshgui`."""

from __future__ import annotations

import sys
from collections.abc import Callable

INTERRUPTED = 130  # 128 + the number of the signal, as shells report it


def main() -> int:
    """Run the command line; an interrupt while the program is still loading is quiet, too."""
    try:
        from meshgui.cli import signals  # noqa: PLC0415 - inside the try for the reason above
        from meshgui.cli.entry import run  # noqa: PLC0415

        signals.attend()
        status = _status_of(run)
        if signals.status_by_signal() is not None or signals.outlived():
            signals.leave(status)
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def _status_of(run: Callable[[list[str]], int]) -> int:
    try:
        return run(sys.argv[1:])
    except SystemExit as end:  # of a signal
        return int(end.code or 0)


if __name__ == "__main__":
    sys.exit(main())
