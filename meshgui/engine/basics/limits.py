"""What a file may ask for at most: every limit with the reason why honest use stays below it.

A small file can ask for much work: whoever opens one from a stranger gets an answer or one line at once. The
limits of experiments and lessons are in `experiment.limits` and `model.limits`. The page of the manual on
files has all of them in a table; a test compares the two.
"""

from __future__ import annotations

from typing import Final

# Texts

MAX_SCENARIO: Final = 64 << 20
"""Bytes of a scenario: a list of 100,000 jobs takes 16 MiB as it is saved."""

MAX_PACKET_FILE: Final = 1 << 30
"""Bytes of a CSV file of packets: ten million packets take half of it."""

MAX_TRACE: Final = 1 << 30
"""Bytes of a trace, unpacked: ten million jobs take 0.8 of it."""

MAX_TRACE_HEADER: Final = 1 << 20
"""Bytes of comments above the first job: those of the Parallel Workloads Archive have a few thousand."""

MAX_TRACE_LINE: Final = 1 << 20
"""Bytes of a line of a trace: 18 numbers take 400, and a comment is a paragraph."""

# Packed content, and the memory that JSON takes

FREE_UNPACKED: Final = 4 << 20
"""Bytes that packed content may always unpack to: short lists of equal jobs shrink to nearly nothing."""

UNPACKED_RATIO: Final = 32
"""Bytes beyond these that each packed one may unpack to: jobs and traces shrink to a fourth or a ninth."""

MAX_JSON_MEMORY: Final = 1 << 30
"""Bytes of memory for the values of a JSON text: the longest list of jobs takes 0.6 of it."""

FREE_JSON_MEMORY: Final = 64 << 20
"""Bytes of memory that the values of packed JSON may always take: 80,000 jobs take that."""

JSON_MEMORY_RATIO: Final = 100
"""Bytes of memory beyond these for each packed one: listed jobs and rows of traces take 30 to 50."""

MAX_JSON_DEPTH: Final = 64
"""Lists and objects nested in each other in JSON: those that the program writes have fewer than ten."""

# Scenarios

MAX_SIDE: Final = 1024
"""Processors along a side of a mesh: the longest side of a Blue Gene/L had 64."""

MAX_MESH: Final = 1 << 20
"""Processors of a mesh: the largest Blue Gene/L had 106,496 nodes."""

MAX_JOBS: Final = 10_000_000
"""Jobs of a run: published simulations have thousands, and traces of years a few million."""

MAX_MESSAGES: Final = 10_000_000
"""Messages of all jobs of a run together: more would take gigabytes to record."""

MAX_PACKETS: Final = 100_000
"""Packets listed one by one in a scenario: `meshgui network` takes ten million."""

MAX_PACKETS_SENT: Final = 10_000_000
"""Packets of a CSV file that `meshgui network` sends: they take gigabytes of memory."""

MAX_HOPS: Final = 1 << 28
"""Channels that all packets of a run pass together: each takes eight bytes, and as much again temporarily."""

MAX_CHANGES: Final = 1_000_000
"""Failures and repairs of a run: a pod of 4096 processors, each down once a year, has them in a century."""

MAX_HITS: Final = 1000
"""Times that a job is hit by failures: one that ends in one of a hundred attempts is hit a hundred times."""

# Notes and the steps of lessons

MAX_PAGE_LETTERS: Final = 100_000
"""Letters of notes, or of a step of a lesson: the longest of ours have 1000, and these are forty pages."""

MAX_PAGE_ENTRIES: Final = 2000
"""Entries of lists in such a text: a page of instructions has a few dozen."""

MAX_PAGE_CELLS: Final = 3000
"""Signs between the cells of tables in such a text: a table of 200 rows and a dozen columns has 2600."""

MAX_PAGE_DEPTH: Final = 40
"""Lists and quotations nested in each other: at the sixth, no word has room on its line."""

MAX_PAGE_PICTURES: Final = 50
"""Different pictures in such a text: a step that shows three is long."""


def max_unpacked(packed: int, most: int) -> int:
    """How many bytes packed ones may unpack to, `most` at most: no honest content shrinks further."""
    return min(most, FREE_UNPACKED + UNPACKED_RATIO * packed)


def max_json_memory(packed: int) -> int:
    """How much memory the values of packed JSON may take, by its packed size."""
    return min(MAX_JSON_MEMORY, FREE_JSON_MEMORY + JSON_MEMORY_RATIO * packed)
