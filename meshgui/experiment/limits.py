"""What an experiment or a bundle may ask for at most: see `engine.basics.limits`."""

from __future__ import annotations

from typing import Final

from meshgui.engine.basics.limits import MAX_SCENARIO

MAX_AXES: Final = 100
"""Varied fields of an experiment: with two values each, fourteen make more points than there may be."""

MAX_POINTS: Final = 10_000
"""Points of an experiment: with ten runs each of a second they take a day."""

MAX_VALUES: Final = 10_000
"""Values of a varied field: an experiment has no more points."""

MAX_POINT_JOBS: Final = 10_000_000
"""Listed jobs and packets, times the points of their experiment: 18,000 jobs at 500 points stay below it."""

MAX_BUNDLED_FILES: Final = 1000
"""Files in a bundle: it has seven."""

MAX_BUNDLED_TEXT: Final = 4 * MAX_SCENARIO
"""Bytes of a bundle's experiment, points or results, unpacked: a scenario takes one line per number."""

MAX_BUNDLED_TABLE: Final = 1 << 34
"""Bytes of a bundle's table of runs, unpacked, read line by line: ten million runs take half of it."""

MAX_BUNDLED_LINE: Final = 1 << 16
"""Characters of a line of that table: a hundred figures take 2500."""
