"""`meshgui schema`: the JSON Schema of scenarios."""

from __future__ import annotations

from argparse import Namespace

from meshgui.cli import output
from meshgui.cli.arguments import Parser
from meshgui.engine.scenario import json_schema


def declare(parser: Parser) -> None:
    """No arguments."""
    del parser


def execute(options: Namespace) -> int:
    """Do it."""
    del options
    output.write_json(json_schema(), indent=2)
    return 0
