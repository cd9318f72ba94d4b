"""The papers behind the program, by the numbers under which code and pages cite them."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from meshgui.engine.allocation.base import Source

__all__ = ["PAPERS", "Paper", "cite", "cited"]


class Paper(NamedTuple):
    """A source."""

    short: str
    title: str
    published: str


PAPERS: dict[str, Paper] = {
    "000": Paper(
        "Bani-Mohammad 2008",
        "Efficient Processor Allocation Strategies for Mesh-Connected Multicomputers",
        "S. O. Bani-Mohammad, doctoral thesis, University of Glasgow, 2008",
    ),
    "001": Paper(
        "Lo et al. 1994",
        "Non-contiguous Processor Allocation Algorithms for Mesh-connected Multicomputers",
        "V. Lo, K. Windisch, W. Liu and B. Nitzberg, technical report 94-11, University of Oregon, 1994",
    ),
    "002": Paper(
        "Bani-Ahmad 2012",
        "Submesh Allocation in 2D-Mesh Multicomputers: Partitioning at the Longest Dimension of Requests",
        "S. Bani-Ahmad, 2012",
    ),
    "003": Paper(
        "Bani-Ahmad, bounded partitioning",
        "Processor Allocation Two-Dimensional Mesh-Based Multi-Computer Systems: Protecting against "
        "Over-Partitioning and Maintaining Certain System Utilization Level",
        "S. A. Bani-Ahmad",
    ),
    "004": Paper(
        "Tsai, Lei and Lai",
        "An Efficient Tree-based Processor Allocation Scheme for Mesh Connected Systems",
        "S.-F. Tsai, C.-L. Lei and A. I-C. Lai, National Taiwan University",
    ),
    # What is followed where the papers only name a strategy.
    "Das Sharma and Pradhan 1993": Paper(
        "Das Sharma and Pradhan 1993",
        "A Fast and Efficient Strategy for Submesh Allocation in Mesh-Connected Parallel Computers",
        "D. Das Sharma and D. K. Pradhan, Symposium on Parallel and Distributed Processing, 1993",
    ),
    "Vandevoorde 1998": Paper(
        "Vandevoorde 1998",
        "The Maximal Rectangle Problem",
        "D. Vandevoorde, Dr. Dobb's Journal, April 1998",
    ),
}


_NUMBER: Final = re.compile(
    r"(?<!\d[ .,])(?<![\w.,-])(00[0-4])\b(?!-[A-Z])"  # neither a thousand nor part of an entry's id
    r"(?:,? (?=§|figures? \d|tables? [\dI]|chapters? \d|appendix|example|equation|algorithm))?"
)


def cite(source: Source) -> str:
    """Where a strategy comes from, as readers know the papers; any other source stays as it is."""
    if source.paper not in PAPERS:
        return f"{source.paper}, {source.place}"
    return f"{PAPERS[source.paper].short}, {cited(source.place)}"


def cited(text: str) -> str:
    """The text with the papers' numbers replaced by what readers know them as: Lo et al. 1994, table 2."""
    return _NUMBER.sub(
        lambda found: PAPERS[found[1]].short + (", " if found[0].endswith(" ") else ""),
        text,
    )
