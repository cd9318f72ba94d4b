"""Draws the small trace that comes with the program, by the rule that its header states."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Final

import numpy as np

PLACE: Final = Path(__file__).parent.parent / "resources" / "scenarios" / "drawn-day.swf"
JOBS: Final = 300
MOST: Final = 64
HEADER: Final = f"""\
; Version: 2.2
; Computer: Drawn by a rule, not recorded
; MaxJobs: {JOBS}
; MaxProcs: {MOST}
; Note: {JOBS} jobs with exponential gaps of 288 seconds on average, in whole seconds
; Note: processors are a power of two up to 32 for three jobs of four,
;       else any number from 1 to {MOST // 2}; all are equally likely
; Note: run times are log-uniform from 10 seconds to 3 hours
; Note: PCG64 with the seed 1993; tools/draw_trace.py draws it again
"""


def drawn() -> str:
    """The whole file. Transforms go through the C library, which gives the same everywhere."""
    draws = np.random.Generator(np.random.PCG64(1993)).random((JOBS, 4)).tolist()
    lines, submit = [], 0
    for number, (gap, kind, size, length) in enumerate(draws, 1):
        submit += round(-288 * math.log1p(-gap))
        processors = 1 << int(size * 6) if kind < 0.75 else 1 + int(size * (MOST // 2))
        seconds = round(10 * math.exp(length * math.log(1080)))
        fields = [number, submit, -1, seconds, processors, -1, -1, processors, *[-1] * 2, 1, *[-1] * 7]
        lines.append(" ".join(map(str, fields)))
    return HEADER + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PLACE.write_text(drawn(), encoding="utf-8")
