"""What ends a command early, as one line on standard error and an exit status."""

from __future__ import annotations


class Fault(Exception):  # noqa: N818 - some are no error of the program's
    """One line for the user."""

    status: int


class UsageError(Fault):
    """Bad arguments, or a bad file."""

    status = 2


class WorkFailed(Fault):
    """The work could not be done."""

    status = 1


class Interrupted(Fault):
    """Ctrl+C, where there is something to say about it."""

    status = 130  # 128 + the number of the signal, as shells report it
