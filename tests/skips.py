"""The reasons for which a test may be skipped, and where; any other skip is a failure.

A broken installation, such as a screen without OpenGL, would else make the tests that need it green.
"""

import os
import re
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.scale import COMPILED

ROOT = Path(__file__).parents[1]
PROPER = "linux"  # what is skipped elsewhere says so itself


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _lacks(module: str) -> bool:
    return find_spec(module) is None


_WITHOUT_QT = _lacks("PySide6")
_OFFSCREEN = os.environ.get("QT_QPA_PLATFORM") == "offscreen" or not os.environ.get("DISPLAY")

_PROGRAMS = "rsvg-convert|chromium|pdftotext|ffmpeg|ffmpeg and ffprobe|desktop-file-validate|appstreamcli"
_PROGRAMS += "|gcc or mksquashfs|libsquashfuse-dev, .*"

ALLOWED = {
    rf"({_PROGRAMS}) (is|are) not installed": "CI" not in os.environ,  # where one may install nothing
    r"there is no strategy \w+ of 2D meshes|its page has no example|no page is translated into \w+": True,
    r"the flat view has no camera": True,
    r".*need compiled kernels|nothing is compiled": not COMPILED,
    r"what is compiled cannot be made to keep less": COMPILED,
    r"SciPy is not installed; test-nojit runs this": _lacks("scipy"),
    r"pictures are (compared|drawn) by Qt|without Qt that is .*|could not import 'PySide6.*": _WITHOUT_QT,
    r"(this screen has no OpenGL|OpenGL does not work here|no OpenGL on this screen)": _OFFSCREEN,
    r".*; `make test-gui` starts a virtual one": _OFFSCREEN,
    r"the superuser may write anywhere|root may .*": _is_root(),
    r"mounting a small disk takes being root|.*mounting a small disk is not allowed here": True,
    r"no shared/data/\S+ in or beside the checkout": not any(
        (place / "shared" / "data").is_dir() for place in (ROOT, ROOT.parent)
    ),
    r"not a git checkout": not (ROOT / ".git").exists(),
    r"the extra cluster is not installed": _lacks("distributed"),
    r"the extra data is not installed": any(map(_lacks, ("pandas", "polars", "pyarrow"))),
}
_REASONS = [re.compile(reason) for reason, holds in ALLOWED.items() if holds]


def reason_of(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Why it was skipped, in the words of the skip."""
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return text.removeprefix("Skipped: ")


def refuse_unknown_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Make a failure of a skip for a reason that does not hold here."""
    if not report.skipped or hasattr(report, "wasxfail") or sys.platform != PROPER:
        return
    reason = reason_of(report)
    if not any(known.fullmatch(reason) for known in _REASONS):
        report.outcome = "failed"
        report.longrepr = f"skipped for a reason that tests/skips.py does not have here: {reason}"
