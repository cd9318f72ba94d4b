"""What a file may ask for at most: every limit with the reason why honest use stays below it.

A small file can ask for much work: whoever opens one from a stranger gets an answer or one line at once. The
page of the manual on files has these limits in a table; a test compares the two.
"""

from __future__ import annotations

from typing import Final

# Texts

MAX_SCENARIO: Final = 64 << 20
"""Bytes of a scenario: a list of 100,000 jobs takes 16 MiB as it is saved."""

MAX_LESSON: Final = 1 << 20
"""Bytes of a lesson: those of the program have at most 6 KiB."""

MAX_HAND_IN: Final = 1 << 20
"""Bytes of a hand-in or a set: one with 100 questions and 2000 answers takes half of it."""

MAX_EXERCISE_LOG: Final = 4 << 20
"""Bytes of the answers given on this machine: 2000 answers take 1 MiB."""

MAX_RECENT: Final = 1 << 20
"""Bytes of the list of recent files: ten paths of 4096 bytes take 40 KiB."""

MAX_SETTINGS: Final = 4 << 20
"""Bytes of the window's settings: its own take a few thousand."""

MAX_PACKET_FILE: Final = 1 << 30
"""Bytes of a CSV file of packets: ten million packets take half of it."""

MAX_TRACE: Final = 1 << 30
"""Bytes of a trace, unpacked: ten million jobs take 0.8 of it."""

MAX_TRACE_HEADER: Final = 1 << 20
"""Bytes of comments above the first job: those of the Parallel Workloads Archive have a few thousand."""

MAX_TRACE_LINE: Final = 1 << 20
"""Bytes of a line of a trace: 18 numbers take 400, and a comment is a paragraph."""

MAX_LINK: Final = 1 << 16
"""Characters of a link: those of the program have at most 4000, or the length of a file's path more."""

# Packed content, and the memory that JSON takes

FREE_UNPACKED: Final = 4 << 20
"""Bytes that packed content may always unpack to: short lists of equal jobs shrink to nearly nothing."""

UNPACKED_RATIO: Final = 32
"""Bytes beyond these that each packed one may unpack to: jobs and traces shrink to a fourth or a ninth."""

FREE_JSON_MEMORY: Final = 64 << 20
"""Bytes of memory that the values of packed JSON may always take: 80,000 jobs take that."""

JSON_MEMORY_RATIO: Final = 100
"""Bytes of memory beyond these for each packed one: listed jobs and rows of traces take 30 to 50."""

MAX_JSON_MEMORY: Final = 1 << 30
"""Bytes of memory for the values of a JSON text: the longest list of jobs takes 0.6 of it."""

MAX_JSON_DEPTH: Final = 64
"""Lists and objects nested in each other in JSON: those that the program writes have fewer than ten."""

MAX_FAULTS: Final = 20
"""Unknown or doubled keys of one object that are reported one by one: no one fixes more at once."""

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

MAX_MARKS: Final = 1000
"""Bookmarks and breakpoints that are read of a scenario, of each: they are set by hand."""

# Lessons, exercises and experiments

MAX_STEPS: Final = 200
"""Steps of a lesson: those of the program have at most eight."""

MAX_EXERCISES: Final = 100
"""Exercises in a set: they take a student a day."""

MAX_EXERCISE_MESH: Final = 4096
"""Processors of an exercise's mesh: more than 64×64 nodes cannot be distinguished at a glance."""

MAX_ANSWERS: Final = 2000
"""Answers in a log or a hand-in: twenty to each exercise of the largest set."""

MAX_AXES: Final = 100
"""Varied fields of an experiment: with two values each, fourteen make more points than there may be."""

MAX_POINTS: Final = 10_000
"""Points of an experiment: with ten runs each of a second they take a day."""

MAX_VALUES: Final = 10_000
"""Values of a varied field: an experiment has no more points."""

MAX_POINT_JOBS: Final = 10_000_000
"""Listed jobs and packets, times the points of their experiment: 18,000 jobs at 500 points stay below it."""

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

MAX_LESSON_LINE: Final = 1000
"""Letters of a lesson's title, its source and the title of a step: a citation with twenty authors has 500."""

MAX_QUESTION: Final = 5000
"""Letters of a question to predict: it stands above its answer on one screen, which takes 2000."""

# Pictures

MAX_PICTURE_BYTES: Final = 16 << 20
"""Bytes of a step's pictures together: ten photographs of a screen take 5 MiB."""

MAX_PICTURE_PIXELS: Final = 20_000_000
"""Pixels of a step's pictures together: two whole screens of 3840×2160 have 16.6 million."""

MAX_PICTURE_SIDE: Final = 16_384
"""Pixels along a side of a picture: a whole long page of the web has 10,000."""

MAX_PICTURE_PARTS: Final = 20_000
"""Chunks or segments of a picture: 16 MiB in the usual pieces of 8 KiB have 2000."""

MAX_PICTURE_SCANS: Final = 32
"""Passes in which a JPEG becomes finer: encoders write ten, and each costs the time of a whole picture."""

# Bundles

MAX_BUNDLED_FILES: Final = 1000
"""Files in a bundle: it has seven."""

MAX_BUNDLED_TEXT: Final = 4 * MAX_SCENARIO
"""Bytes of a bundle's experiment, points or results, unpacked: a scenario takes one line per number."""

MAX_BUNDLED_TABLE: Final = 1 << 34
"""Bytes of a bundle's table of runs, unpacked, read line by line: ten million runs take half of it."""

MAX_BUNDLED_LINE: Final = 1 << 16
"""Characters of a line of that table: a hundred figures take 2500."""


def max_json_memory(packed: int) -> int:
    """How much memory the values of packed JSON may take, by its packed size."""
    return min(MAX_JSON_MEMORY, FREE_JSON_MEMORY + JSON_MEMORY_RATIO * packed)


def max_unpacked(packed: int, most: int) -> int:
    """How many bytes packed ones may unpack to, `most` at most: no honest content shrinks further."""
    return min(most, FREE_UNPACKED + UNPACKED_RATIO * packed)
