"""Where a strategy comes from, as pages and tables cite it."""

import os
import re
import sys

import pytest

from meshgui.catalogue.entries import catalogue
from meshgui.catalogue.sources import PAPERS, cite, cited, named
from meshgui.engine.allocation.base import Source
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.translation import PSEUDO
from tests.processes import completed


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


HEADING = "Paging variants"  # of a section of the thesis, which has no number


def citations():
    """All that pages and windows show: of the strategies and of the published numbers."""
    for cls in strategies().values():
        yield f"{cls.source.paper}, {cls.source.place}"
    for entry in catalogue().values():
        yield from (entry.source, *(setting.source for setting in entry.settings.values()))


def names_of_papers():
    """What of a citation is in no language, in the parts between what is."""
    return {part for paper in PAPERS.values() for part in re.split(r",? (?:and )?", paper.short)}


def test_citations_are_read_in_the_language_of_the_window():
    """All but numbers and names is words that every catalogue of messages has."""
    script = (
        "import sys; from meshgui.catalogue.sources import cited; "
        "sys.stdout.writelines(cited(line.rstrip()) + chr(10) for line in sys.stdin)"
    )
    before = list(dict.fromkeys(citations()))
    environment = os.environ | {"MESHGUI_LANGUAGE": PSEUDO, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = completed(sys.executable, "-c", script, env=environment, input="\n".join(before))
    after = done.stdout.splitlines()
    assert len(after) == len(before) > 60
    bare = {
        word
        for line in after
        for word in re.findall(r"[^\W\d_][\w.-]+|[,;]", re.sub("⟦[^⟧]*⟧", " ", line).replace(HEADING, ""))
        if not re.fullmatch("[IVX]+", word)  # a number too
    }
    assert bare - names_of_papers() == set()
    assert [re.sub("[⟦⟧]", "", line) for line in after] == [named(line) for line in before]


def test_in_english_a_citation_is_what_files_hold():
    """No word changes on its way to a page."""
    assert [cited(text) for text in citations()] == [named(text) for text in citations()]
