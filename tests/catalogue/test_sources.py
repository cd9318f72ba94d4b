"""Where a strategy comes from, as pages and tables cite it."""

import pytest

from meshgui.catalogue.sources import cite
from meshgui.engine.allocation.base import Source


@pytest.mark.parametrize(
    ("source", "cited"),
    [
        (Source("001", "§3.2"), "Lo et al. 1994, §3.2"),
        (Source("001", "§3.2; 004 §2"), "Lo et al. 1994, §3.2; Tsai, Lei and Lai, §2"),
        (Source("CS 001", "lecture 3"), "CS 001, lecture 3"),
        (Source("our course", "part 000"), "our course, part 000"),
    ],
)
def test_only_a_number_of_ours_stands_for_a_paper(source, cited):
    """A name that merely holds such a number stays as its author wrote it."""
    assert cite(source) == cited
