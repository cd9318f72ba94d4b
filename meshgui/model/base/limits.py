"""What lessons, exercises, pictures and settings may ask for at most: see `engine.basics.limits`."""

from __future__ import annotations

from typing import Final

MAX_LESSON: Final = 1 << 20
"""Bytes of a lesson: those of the program have at most 10 KiB."""

MAX_HAND_IN: Final = 4 << 20
"""Bytes of a hand-in or a set: one with 100 whole algorithms and their longest lists takes 1 MiB."""

MAX_EXERCISE_LOG: Final = 4 << 20
"""Bytes of the answers given on this machine: 2000 answers take 1 MiB."""

MAX_RECENT: Final = 1 << 20
"""Bytes of the list of recent files: ten paths of 4096 bytes take 40 KiB."""

MAX_SETTINGS: Final = 4 << 20
"""Bytes of the window's settings: its own take a few thousand."""

MAX_LINK: Final = 1 << 16
"""Characters of a link: those of the program have at most 4000, or the length of a file's path more."""

MAX_FAULTS: Final = 20
"""Unknown or doubled keys of one object that are reported one by one: no one fixes more at once."""

MAX_MARKS: Final = 1000
"""Bookmarks and breakpoints that are read of a scenario, of each: they are set by hand."""

MAX_STEPS: Final = 200
"""Steps of a lesson: those of the program have at most 11."""

MAX_EXERCISES: Final = 100
"""Exercises in a set: they take a student a day."""

MAX_EXERCISE_MESH: Final = 4096
"""Processors of an exercise's mesh: more than 64×64 nodes cannot be distinguished at a glance."""

MAX_ANSWERS: Final = 2000
"""Answers in a log or a hand-in: twenty to each exercise of the largest set."""

MAX_LESSON_LINE: Final = 1000
"""Letters of a lesson's title, its source and the title of a step: a citation with twenty authors has 500."""

MAX_QUESTION: Final = 5000
"""Letters of a question to predict: it stands above its answer on one screen, which takes 2000."""

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
