"""The program's entry: the command `meshgui` and `python -m meshgui`."""

from __future__ import annotations

import sys

__all__ = ["main"]

INTERRUPTED = 130  # 128 + the number of the signal, as shells report it


def main() -> int:
    """Run the command line; an interrupt while the program is still loading is quiet, too."""
    try:
        from meshgui.cli import signals  # noqa: PLC0415 - inside the try for the reason above
        from meshgui.cli.entry import run  # noqa: PLC0415

        signals.attend()
        return run(sys.argv[1:])
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
