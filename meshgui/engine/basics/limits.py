"""The limits on what is read from files: one sentence each on why it is above what honest use needs."""

from __future__ import annotations

from typing import Final

__all__ = [
    "MAX_LESSON_LINE",
    "MAX_LESSON_STEPS",
    "MAX_PAGE_CELLS",
    "MAX_PAGE_DEPTH",
    "MAX_PAGE_ENTRIES",
    "MAX_PAGE_LETTERS",
    "MAX_PAGE_PICTURES",
    "MAX_PICTURE_BYTES",
    "MAX_PICTURE_PARTS",
    "MAX_PICTURE_PIXELS",
    "MAX_PICTURE_SCANS",
    "MAX_QUESTION",
    "MAX_UNKNOWN_KEYS",
]

# Notes and the steps of lessons

MAX_PAGE_LETTERS: Final = 100_000
"""Letters of notes, or of a step of a lesson: the longest of ours have 1000, and these are forty pages."""

MAX_PAGE_ENTRIES: Final = 2000
"""Entries of lists in such a text: a page of instructions has some dozens."""

MAX_PAGE_CELLS: Final = 3000
"""Signs that part the cells of tables in such a text: a table of 200 rows and a dozen columns has 2600."""

MAX_PAGE_DEPTH: Final = 40
"""Lists and quotations inside each other: at the sixth no word has room on its line any more."""

MAX_PAGE_PICTURES: Final = 50
"""Different pictures in such a text: a step that shows three is long."""

MAX_LESSON_STEPS: Final = 1000
"""Steps of a lesson: one of a term's course with a step for each minute has fewer."""

MAX_LESSON_LINE: Final = 1000
"""Letters of a lesson's title, its source and the title of a step: a citation with twenty authors has 500."""

MAX_QUESTION: Final = 5000
"""Letters of a question to predict: it stands above its answer on one screen, which takes 2000."""

MAX_UNKNOWN_KEYS: Final = 20
"""Unknown keys of one object that are named: who has mistyped more reads the manual first."""

# Pictures

MAX_PICTURE_BYTES: Final = 16 << 20
"""Bytes of a step's pictures together: ten photographs of a screen take 5 MiB."""

MAX_PICTURE_PIXELS: Final = 20_000_000
"""Pixels of a step's pictures together: two whole screens of 3840×2160 have 16.6 million."""

MAX_PICTURE_PARTS: Final = 20_000
"""Chunks or segments of a picture: 16 MiB in the usual pieces of 8 KiB have 2000."""

MAX_PICTURE_SCANS: Final = 32
"""Passes in which a JPEG becomes finer: encoders write ten, and each costs the time of a whole picture."""
