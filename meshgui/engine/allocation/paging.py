"""Paging (001 §3.2, figures 1 and 2; 000 §2.2.2, figures 2.8 to 2.10): a job gets whole pages off a list.

The mesh is cut into square pages, in 3D into cubes, numbered in some order, and those that are free are
listed in that order. Beside 001's way to take the first there are those of 000 §2.2.2, which look for pages
in succession, and 003 §II's minimum interference. What is chosen is one piece of the free page list, so a
search is for the place where that piece begins.
"""

from __future__ import annotations

from math import prod
from typing import cast

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from meshgui.engine.allocation import paging_kernel as choice
from meshgui.engine.allocation.base import BlockOptions, Bound, Boxes, Complexity, Options, Source
from meshgui.engine.allocation.held_processors import FREE
from meshgui.engine.allocation.inspection import Grid, GridValue, Inspection, Moment, State, Table
from meshgui.engine.allocation.kernel_strategy import KernelStrategy, StrategyKernels, new_tally
from meshgui.engine.allocation.page_orders import ORDERS_OF_CUBES, PageOrder, cube_order, page_order
from meshgui.engine.allocation.paging_kernel import PagingState, allocate, list_free, release, take
from meshgui.engine.allocation.panels import GridBuilder, TableBuilder, plain_mark
from meshgui.engine.allocation.steps import Mark, Role, Step
from meshgui.engine.basics.geometry import Box, Mesh, Size, describe_size
from meshgui.engine.basics.translation import tr, tr_n
from meshgui.engine.basics.words import before_numbers, count_of, counted


class PagingOptions(BlockOptions):
    """The size of a page, the order of the list, and how pages are chosen from it."""

    size_index: int = Field(
        0, ge=0, le=5, strict=True, description=tr("a page has 2 to this power processors on each side")
    )
    order: PageOrder = Field("row-major", description=tr("in which order the list has the pages"))
    selection: choice.Selection = Field(
        "take-first", description=tr("which free pages are taken: the first, or successive ones")
    )


class Paging(KernelStrategy):
    """Whole pages, in the order of the free page list."""

    id = "paging"
    title = tr("Paging")
    keeps_lists = True
    dims = frozenset({2, 3})
    rotates = False
    contiguous = False
    any_shape = True
    needs_box = False
    fails_until_release = True
    source = Source("001", "§3.2, figures 1 and 2; 000 §2.2.2, figures 2.8 to 2.10; 003 §II")
    complexity = Complexity(Bound("O(k)", n=1), Bound("O(n)", n=1), tr("001 §3.2, for k processors"))
    lines = choice.CODE.lines
    release_lines = choice.RELEASE.lines
    options_model = PagingOptions

    kernels = StrategyKernels(release, allocate=allocate, take=take)

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        super().__init__(mesh, options)
        self.side: int = self.state.side
        self.volume: int = self.side**mesh.dims  # processors of a page

    def empty_state(self) -> PagingState:
        chosen = cast("PagingOptions", self.options)
        side, flat = 1 << chosen.size_index, self.mesh.dims == 2
        height = 1 if flat else side
        width, depth, tall = self.mesh.extents
        grid = width // side, depth // side, tall // height
        if flat:
            order = np.insert(page_order(chosen.order, *grid[:2]), 2, 0, axis=1)
        else:
            order = cube_order(chosen.order, *grid)
        pages = np.arange(len(order))
        numbers = np.empty(grid[::-1], dtype=np.int64)
        numbers[order[:, 2], order[:, 1], order[:, 0]] = pages
        return PagingState(
            new_tally(),
            owner=np.full(len(order), FREE, dtype=np.int32),
            free=pages,
            length=np.array([len(order)]),
            places=order * np.array((side, side, height)),
            numbers=numbers,
            side=side,
            height=height,
            selection=choice.SELECTIONS.index(chosen.selection),
        )

    @classmethod
    def unfit(cls, mesh: Mesh, options: Options) -> str | None:
        """Pages must tile the mesh."""
        chosen = cast("PagingOptions", options)
        side = 1 << chosen.size_index
        if (fault := super().unfit(mesh, options)) is not None:
            return fault
        if mesh.dims == 3 and chosen.order not in ORDERS_OF_CUBES:
            said = tr("on a 3D mesh pages have no order {order}: expected {orders}")
            return said.format(order=chosen.order, orders=tr(" or ").join(ORDERS_OF_CUBES))
        if all(n % side == 0 for n in mesh.shape):
            return None
        pages = tr("pages of {size} (size_index {size_index})").format(
            size=describe_size((side, side, side), mesh.dims), size_index=chosen.size_index
        )
        said = tr("{pages} do not tile a {mesh} mesh: expected sides that are multiples of {side}")
        return before_numbers(said.format(pages=pages, mesh=mesh.describe(), side=side))

    def pages(self, size: Size) -> int:
        """How many pages such a request needs (000 equation 2.1)."""
        return -(-prod(size) // self.volume)

    def granted(self, size: Size) -> int:
        """Whole pages."""
        return self.pages(size) * self.volume

    def out_boxes(self, box: Box) -> Boxes:
        """Whole pages."""
        return box.units((self.side, self.side, self.state.height))

    def capture(self) -> State:
        return {"owner": self.state.owner.copy()}

    def restore(self, state: State) -> None:
        self.state.owner[:] = state["owner"]
        list_free(self.state)

    def inspect(self, moment: Moment) -> Inspection:
        """The free page list, and the curve that the order of the pages draws through the mesh."""
        so_far = _Progress(moment)
        places = self.state.places
        page = (self.side, self.side, self.state.height)
        path = (places + (np.array(page) - 1) / 2).astype(np.float32)
        panels = (self._list(moment, so_far), self._grid(moment, so_far, path))
        return Inspection(panels, (*so_far.current, *so_far.before), self.say(moment), path=path)

    def released(self, moment: Moment) -> State:
        owner = moment.state["owner"].copy()
        for step in moment.steps:
            if step.line == choice.ENTER:
                owner[step.marks[0].values[0]] = FREE
        return {"owner": owner}

    def release_words(self, step: Step, moment: Moment) -> dict[str, object]:
        page, before, after = step.marks[0].values
        return super().release_words(step, moment) | {
            "place": _place_in_list(before, after if after < len(self.state.owner) else -1),
            "listed": count_of(page, "page"),
        }

    def _page(self, number: int) -> Box:
        """A page by its place in the order."""
        x, y, z = self.state.places[number].tolist()
        return Box(x, y, z, self.side, self.side, self.state.height)

    def _list(self, moment: Moment, so_far: _Progress) -> Table:
        looked_at = {mark.box for mark in so_far.current}
        flat = self.mesh.dims == 2
        layer = () if flat else (tr("Layer"),)
        columns = (tr("Page"), *layer, tr("Row"), tr("Column"), tr("Processors"))
        table = TableBuilder(tr("Free page list"), columns, tr("Empty: no page is free."))
        for number in np.flatnonzero(moment.state["owner"] == FREE).tolist():
            box = self._page(number)
            if box not in so_far.gone:
                at = [place // self.side for place in (box.z, box.y, box.x)]
                cells = (number, *at[1 if flat else 0 :], box.describe(flat=flat))
                mark = plain_mark(Role.TRIED, box, number)
                table.row(*map(str, cells), mark=mark, current=box in looked_at)
        return table.table()

    def _grid(self, moment: Moment, so_far: _Progress, path: NDArray[np.float32]) -> Grid:
        pages = GridBuilder(self.mesh.extents[::-1], *_LEGEND)
        held = np.flatnonzero(moment.state["owner"] != FREE).tolist()
        pages.fill(map(self._page, held), _BUSY)
        for mark in (*so_far.before, *so_far.current):
            if mark.role in _SHOWN:
                pages.fill([mark.box], _SHOWN[mark.role])
        return pages.grid(tr("Page order"), path=path)

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        n, k, i = step.marks[0].values
        return super().words(step, moment) | _words(step.line, n, k, i)


def _words(line: int, n: int, k: int, i: int) -> dict[str, object]:
    """The values for the placeholders of a line's sentence, from the numbers that are logged with it."""
    match line:
        case choice.PAGES:
            more = tr(", and {processors} more than asked").format(processors=counted(i - k, "processor"))
            lost = more if i > k else ""
            return {"make": tr_n("makes", "make", k), "pages_asked": counted(n, "page"), "lost": lost}
        case choice.ENOUGH:
            few = {0: tr("No page is"), 1: tr("Only 1 page is")}
            return {"few": few.get(n, tr("Only {free} pages are").format(free=n))}
        case choice.RUN:
            run = tr("Page {first} is free by itself")
            run = run if k == 1 else tr("Pages {first} to {last} are free without a gap")
            return {"run": run.format(first=n, last=n + k - 1)}
        case choice.SKIP if n >= k:
            return {"why": tr("It is no shorter than the run of {least} that is remembered").format(least=i)}
        case choice.SKIP:
            why = tr_n(
                "{number} page in succession cannot hold {asked}",
                "{number} pages in succession cannot hold {asked}",
                n,
                asked=k,
            )
            return {"why": why}
        case choice.SET:
            return {"between": counted(max(k - n - 1, 0), "page")}
        case choice.FOUND:
            return {"chosen": tr("this page") if n == 1 else tr("these {pages} pages").format(pages=n)}
    return {}


def _place_in_list(before: int, after: int) -> str:
    """Where a page stands between its neighbours in the list, -1 for none."""
    if before < 0 and after < 0:
        return tr("is the only one")
    if before < 0:
        return tr("comes before page {after}, at the head").format(after=after)
    if after < 0:
        return tr("comes after page {before}, at the end").format(before=before)
    return tr("goes between pages {before} and {after}").format(before=before, after=after)


_LEGEND = (
    GridValue(FREE, tr("free"), Role.NOTHING),
    _BUSY := GridValue(0, tr("busy"), Role.BLOCKED),
    _LOOKED_AT := GridValue(1, tr("looked at"), Role.TRIED),
    _CHOSEN := GridValue(2, tr("chosen"), Role.PLACED),
)
_SHOWN = {Role.TRIED: _LOOKED_AT, Role.CANDIDATE: _CHOSEN, Role.PLACED: _CHOSEN}


class _Progress:
    """What the step looks at, and the pages taken before it."""

    def __init__(self, moment: Moment) -> None:
        self.current: tuple[Mark, ...] = ()
        self.before: tuple[Mark, ...] = ()
        self.gone: set[Box] = set()  # pages that have left the list
        if moment.step is None:
            return
        self.current = tuple(mark for mark in moment.marks if mark.box.w)
        if moment.step.line == choice.TAKE:
            taken = np.flatnonzero(moment.steps.lines()[:-1] == choice.TAKE).tolist()
            earlier = (moment.steps[number].marks[0] for number in taken)
            self.before = tuple(mark._replace(role=Role.PLACED) for mark in earlier)
        left = self.current if moment.step.line == choice.FOUND else self.before
        self.gone = {mark.box for mark in left}
