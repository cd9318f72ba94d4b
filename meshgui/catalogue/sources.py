"""The papers behind the program, by the numbers under which code and pages cite them."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from meshgui.engine.allocation.base import Source
from meshgui.engine.basics.translation import tr


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
    "005": Paper(
        "Glass and Ni 1992",
        "The Turn Model for Adaptive Routing",
        "C. J. Glass and L. M. Ni, International Symposium on Computer Architecture, 1992",
    ),
    "006": Paper(
        "Chiu 2000",
        "The Odd-Even Turn Model for Adaptive Routing",
        "G.-M. Chiu, IEEE Transactions on Parallel and Distributed Systems, 2000",
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
    # Machines of today.
    "Jouppi et al. 2023": Paper(
        "Jouppi et al. 2023",
        "TPU v4: An Optically Reconfigurable Supercomputer for Machine Learning with Hardware Support for "
        "Embeddings",
        "N. P. Jouppi et al., International Symposium on Computer Architecture, 2023",
    ),
    "Slurm": Paper(
        "Slurm",
        "topology.yaml: the configuration file of the topology plug-ins",
        "SchedMD, manual pages of the Slurm workload manager",
    ),
}


_NUMBER: Final = re.compile(
    r"(?<!\d[ .,])(?<![\w.,-])(00[0-6])\b(?!-[A-Z])"  # neither a thousand nor part of an entry's id
    r"(?:,? (?=§|figures? \d|tables? [\dI]|chapters? \d|appendix|example|equation|algorithm))?"
)

_IN_WORDS: Final = {
    ",": tr(",", "in a paper"),
    ";": tr(";", "in a paper"),
    "algorithm": tr("algorithm", "in a paper"),
    "and": tr("and", "in a paper"),
    "appendix": tr("appendix", "in a paper"),
    "by name": tr("by name", "in a paper"),
    "case": tr("case", "in a paper"),
    "chapter": tr("chapter", "in a paper"),
    "equation": tr("equation", "in a paper"),
    "example": tr("example", "in a paper"),
    "figure": tr("figure", "in a paper"),
    "figures": tr("figures", "in a paper"),
    "table": tr("table", "in a paper"),
    "the sweep of": tr("the sweep of", "in a paper"),
    "to": tr("to", "in a paper"),
}
"""All that a citation says in words; the rest is numbers, letters and names."""
_WORD: Final = re.compile(rf"[,;](?= )|\b(?:{'|'.join(word for word in _IN_WORDS if word not in ',;')})\b")


def cite(source: Source) -> str:
    """Where a strategy comes from, as readers know the papers; any other source stays as it is."""
    text = ", ".join(filter(None, source))
    return cited(text) if source.paper in PAPERS else text


def cite_briefly(source: Source) -> str:
    """The paper alone, as readers know it."""
    return PAPERS[source.paper].short if source.paper in PAPERS else source.paper


def cited(text: str) -> str:
    """The citation as readers know it, in their language: Lo et al. 1994, table 2."""
    return _WORD.sub(lambda found: _IN_WORDS[found[0]], named(text))


def named(text: str) -> str:
    """The citation with names for the papers' numbers, the same in every language: for files."""
    return _NUMBER.sub(
        lambda found: PAPERS[found[1]].short + (", " if found[0].endswith(" ") else ""),
        text,
    )
