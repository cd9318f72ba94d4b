"""Small traces in the Standard Workload Format for the tests, and where a real one may lie."""

from pathlib import Path

import pytest

__all__ = ["HEADER", "ROOT", "line", "real_trace", "trace_text"]

HEADER = "; Version: 2.2\n; Computer: Test Cube\n; Installation: Lecture Hall\n; MaxProcs: 16\n"
ROOT = Path(__file__).parents[1]
NAME = "NASA-iPSC-1993-cleaned.swf.gz"


def line(number=1, submit=0, run=10, allocated=4, requested=-1, status=1, requested_time=-1):
    """A job as the format has it: 18 numbers, of which few are known."""
    known = {1: number, 2: submit, 4: run, 5: allocated, 8: requested, 9: requested_time, 11: status}
    return " ".join(str(known.get(place, -1)) for place in range(1, 19))


def trace_text(*lines, header=HEADER):
    """A whole trace."""
    return header + "".join(f"{each}\n" for each in lines)


def real_trace() -> Path:
    """The trace of the NASA Ames iPSC/860, which does not belong to the project; without it, skip."""
    for folder in (ROOT / "shared", ROOT.parent / "shared"):
        path = folder / "data" / NAME
        if path.is_file():
            return path
    pytest.skip(f"no shared/data/{NAME} in or beside the checkout")
