"""The library is compared with the command line, which runs inside this process."""

from tests.cli.conftest import here

__all__ = ["here"]
