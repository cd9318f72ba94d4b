"""`meshgui validate`: check scenario files, all of them, with a line each and one for each remark."""

from __future__ import annotations

from argparse import Namespace

from meshgui.cli import output
from meshgui.cli.arguments import Parser
from meshgui.cli.trace_summary import trace_summary
from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario import ScenarioError, load_scenario, remarks
from meshgui.engine.workload.trace import TraceWorkload


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.file(nargs="+")


def execute(options: Namespace) -> int:
    """Do it."""
    status = 0
    for path in options.file:
        try:
            scenario = load_scenario(path)
        except ScenarioError as error:
            output.flush()  # so that the lines of both outputs come in order
            output.complain(tr("meshgui: {error}").format(error=error))
            status = 2
        else:
            output.write(tr("{path}: ok").format(path=path))
            if isinstance(scenario.workload, TraceWorkload):
                output.write(f"{path}: {trace_summary(scenario.workload, scenario.machine).line()}")
            for remark in remarks(scenario):
                output.write(f"{path}: {remark}")
    return status
