"""What is free, as an array and as bits."""

import random
import sys
from types import ModuleType

import pytest

from meshgui.bench.first_fit import CountingFirstFit
from meshgui.engine.allocation.first_fit import FirstFit
from meshgui.engine.allocation.free_bits import WORD, ones, ones_and_places
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.occupancy import OccupancyStrategy, SearchResult
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.allocation.steps import Role, StepLog
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.plugin_kinds import plugins_in
from tests.twins import best_fit, first_fit

EARLIER = """
from meshgui.api import FREE, Box, Line, OccupancyStrategy, SearchResult, Source, region

class Earlier(OccupancyStrategy):
    id, title, source = "earlier", "Earlier", Source("our course", "lecture 4")
    dims, rotates, contiguous = frozenset({2}), False, True
    lines = (Line("found", "allocate the corner"),)

    def search(self, request, log):
        box = Box(0, 0, 0, *request.size)
        return SearchResult((box,) if (region(self.held, box) == FREE).all() else None, 1)
"""


class Corner(OccupancyStrategy):
    """Gives the lower left corner, wherever the mesh is held."""

    id = "corner"
    dims = frozenset({2, 3})
    rotates = False
    contiguous = True
    enough = 4

    def search(self, request, log):
        del log
        return SearchResult((Box(0, 0, 0, *request.size),), 1)


def test_it_counts_what_is_free_and_what_a_release_looks_at():
    """A release looks at every processor; too large a request is refused at the cost of one look."""
    corner = Corner(Mesh((4, 3)))
    assert corner.allocate(Request(7, (2, 3, 1))) == (Box(0, 0, 0, 2, 3, 1),)
    assert corner.free == 6
    assert corner.held.tolist() == [[[7, 7, -1, -1]] * 3]
    before, log = corner.operations, StepLog(4)
    assert corner.allocate(Request(8, (4, 2, 1)), log) is None
    assert corner.operations == before + 1
    [step] = log.steps()
    assert step.line == 4
    assert step.marks == ((Role.NOTHING, Box(0, 0, 0, 0, 0, 0), (6, 8, 0)),)
    assert corner.allocate(Request(9, (2, 3, 1))) is not None  # as many as are free are not too many
    corner.restore({"held": corner.capture()["held"] * 0 - 1})
    assert corner.free == 12
    corner.replay(Request(3, (1, 1, 1)), (Box(3, 2, 0, 1, 1, 1),))
    before = corner.operations
    corner.release(3)
    assert (corner.free, corner.operations) == (12, before + 12)


def test_a_package_written_for_the_earlier_interface_loads_and_is_warned(tmp_path, monkeypatch):
    """It imports the base from `meshgui.api`, as the manual said, and works as before."""
    file = tmp_path / "earlier_fit.py"
    file.write_text(EARLIER, encoding="utf-8")
    monkeypatch.setattr(sys, "path", sys.path.copy())
    monkeypatch.setitem(sys.modules, file.stem, ModuleType(file.stem))  # removed behind the test
    with pytest.warns(DeprecationWarning, match=r"meshgui\.api\.\w+ is deprecated"):
        [(_, cls)] = plugins_in(file, "strategy")
    assert cls(Mesh((4, 3))).allocate(Request(7, (2, 3, 1))) == (Box(0, 0, 0, 2, 3, 1),)


TWINS = best_fit.TWINS | first_fit.TWINS
WIDE = [(70, 3), (64, 2), (2, 2, 40)]


def story(mesh, seed):
    """Requests with sides of all lengths, each with the jobs that leave after it."""
    chosen = random.Random(seed)
    jobs = []
    for job in range(24):
        size = tuple(chosen.randint(1, chosen.choice((min(side, 4), side))) for side in mesh.extents)
        jobs.append(job)
        leaving = [jobs.pop(chosen.randrange(len(jobs)))] if chosen.random() < 0.4 else []
        yield Request(job, size), leaving


@pytest.mark.kernel
@pytest.mark.parametrize("shape", WIDE)
@pytest.mark.parametrize("name", ["ff", "bf"])
def test_the_box_is_the_naive_twins_across_words(name, shape):
    """Bases, neighbours and free regions go on in the next word."""
    mesh = Mesh(shape)
    for seed in range(3):
        working = strategy(name)(mesh)
        twin = TWINS[name].make(mesh.extents, mesh.dims == 2, {})
        for request, leaving in story(mesh, seed):
            given, expected = working.allocate(request), twin.allocate(request.job, request.size)
            assert (given and [tuple(box) for box in given]) == expected
            for job in leaving:
                working.release(job)
                twin.release(job)


@pytest.mark.kernel
@pytest.mark.parametrize("shape", WIDE)
def test_the_operations_are_those_of_a_plain_count_across_words(shape):
    """Also where the box of a free processor reaches beyond the mesh."""
    mesh = Mesh(shape)
    working, counting = FirstFit(mesh), CountingFirstFit(mesh)
    for request, leaving in story(mesh, 7):
        assert working.allocate(request) == counting.allocate(request)
        assert working.operations == counting.operations
        for job in leaving:
            working.release(job)
            counting.release(job)


@pytest.mark.kernel
def test_bits_are_counted_and_their_places_added():
    """In words with none, all and some of them."""
    chosen = random.Random(9)
    for word in (0, (1 << WORD) - 1, 1 << WORD - 1, *(chosen.getrandbits(WORD) for _ in range(200))):
        places = [place for place in range(WORD) if word >> place & 1]
        assert ones(word) == len(places)
        assert ones_and_places(word) == (len(places), sum(places))
