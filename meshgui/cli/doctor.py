"""`meshgui doctor`: what the program needs, whether it is here, and what to do where it is not."""

from __future__ import annotations

from argparse import SUPPRESS, Namespace
from collections.abc import Iterator

from meshgui.cli import checks, output, plugin_checks
from meshgui.cli.arguments import Parser
from meshgui.cli.checks import Finding, Health
from meshgui.engine.basics.translation import tr


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.json()
    parser.add_argument("--probe", action="store_true", help=SUPPRESS)  # how it looks at the screen
    parser.add_argument("--load", metavar="PLUGIN", nargs="+", help=SUPPRESS)  # how it looks at plug-ins


def execute(options: Namespace) -> int:
    """Do it."""
    if options.probe:
        from meshgui.views.offscreen.probe import probe_here  # noqa: PLC0415 - Qt, only to probe

        output.write_json(probe_here())
        return 0
    if options.load is not None:
        return plugin_checks.load(options.load)
    findings = []
    with output.ProgressLine(tr("Looking"), "check"):
        findings = list(_findings())
    if options.json:
        able = not any(finding.health is Health.PROBLEM for finding in findings)
        output.write_json({"able_to_run": able, "checks": [found.as_json() for found in findings]}, indent=2)
    else:
        output.write(output.columns([(f.health.value, f.what, f.found) for f in findings]))
        for finding in findings:
            if finding.advice:
                output.write(f"\n{finding.health.value}: {finding.what}: {finding.advice}")
    return int(any(finding.health is Health.PROBLEM for finding in findings))


def _findings() -> Iterator[Finding]:
    yield from checks.versions()
    yield from checks.strategies_and_examples()
    yield from checks.own_plugins()
    yield checks.kernel_cache()
    yield from checks.folders()
    yield checks.memory()
    yield checks.font_files()
    yield from checks.screen()
